//! OpenAI's Responses API, as used by OpenAI and compatible servers. Its errors and counts are those of Chat
//! Completions under other names.

mod decode;
mod encode;
mod item;
mod kept;
mod message;
mod types;

pub(super) use decode::Decoder;
pub(super) use encode::{FIELDS, encode};
