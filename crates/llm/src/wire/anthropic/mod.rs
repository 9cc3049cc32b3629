//! Anthropic's Messages, as Anthropic, Vertex AI and compatible servers speak it.

mod blocks;
mod decode;
mod encode;
mod error;
mod message;
mod pairs;
mod types;
mod usage;

pub(super) use decode::Decoder;
pub(super) use encode::{FIELDS, encode, has_room_to_think, thinks};
pub(super) use error::classify;
pub(super) use usage::counted;
