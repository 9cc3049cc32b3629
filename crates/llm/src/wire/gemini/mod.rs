//! Google's generateContent, as used by the Gemini API and Vertex AI.

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

/// Returns the path of calls to `model`. Tuned models and those of other publishers are named with their collection.
pub(super) fn path(model: &str) -> Cow<'static, str> {
    let collection = if model.contains('/') { "" } else { "models/" };
    format!("/{collection}{model}:streamGenerateContent?alt=sse").into()
}
