//! Anthropic's Messages API, as used by Anthropic, Vertex AI and compatible servers.

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
