//! Sessions as files: exported as JSON Lines, as one JSON object or as Markdown, and imported from JSON Lines.
//!
//! The lines of an export are a [`Line`](line::Line) each: the session, its turns in the order of their numbers, each
//! followed by its messages, and before the first message that names an uploaded file the file with its content. The last
//! line says how many came before it. A turn that is not over is left out.

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
