//! Google's generateContent, as the Gemini API and Vertex AI speak it.

mod decode;
mod encode;
mod error;
mod message;
mod types;
mod usage;

use std::borrow::Cow;

pub(super) use decode::Decoder;
pub(super) use encode::{FIELDS, encode};
pub(super) use error::classify;
pub(super) use usage::counted;

/// Where `model` answers: tuned models and those of other publishers are named with their collection.
pub(super) fn path(model: &str) -> Cow<'static, str> {
    let collection = if model.contains('/') { "" } else { "models/" };
    format!("/{collection}{model}:streamGenerateContent?alt=sse").into()
}
