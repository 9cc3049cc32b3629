//! Import and export of sessions: exported as JSON Lines, as one JSON object or as Markdown, and imported from JSON
//! Lines.
//!
//! Each line of an export is a [`Line`](line::Line): the session, then its turns in the order of their numbers, each
//! followed by its messages. An uploaded file and its content come before the first message that references it. The
//! last line holds the number of lines before it. A turn that has not ended is left out.

mod check;
mod error;
mod export;
mod format;
mod import;
mod json;
mod line;
mod lines;
mod markdown;
mod rewrite;

pub use error::ImportError;
pub(crate) use export::export;
pub use format::{ExportFormat, UnknownFormat};
pub(crate) use import::{Ids, import};
pub(crate) use json::json;
pub(crate) use markdown::markdown;
