//! OpenAI's Chat Completions, as used by many compatible servers.

mod calls;
mod chunk;
mod decode;
mod details;
mod encode;
mod error;
mod message;
mod result_images;
mod template;
mod types;
mod usage;

pub(super) use decode::Decoder;
pub(super) use encode::{FIELDS, encode};
pub(super) use error::{classify, in_band};
pub(super) use usage::{counted, usage};
