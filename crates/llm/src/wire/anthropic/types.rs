//! The fields of events that the decoder reads.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::wire::lenient::{Number, Object, Raws, Word};

/// An event of a stream, or a whole message.
#[derive(Debug, Deserialize)]
pub(super) struct Event<'a> {
    #[serde(borrow, default)]
    pub(super) r#type: Word<'a>,
    #[serde(default)]
    pub(super) index: Number,
    /// From `message_start`.
    #[serde(borrow, default)]
    pub(super) message: Object<Start<'a>>,
    #[serde(borrow, default)]
    pub(super) content_block: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) delta: Object<Change<'a>>,
    #[serde(borrow, default)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) error: Option<&'a RawValue>,
}

/// The start of a message.
#[derive(Debug, Deserialize)]
pub(super) struct Start<'a> {
    #[serde(borrow, default)]
    pub(super) usage: Option<&'a RawValue>,
}

/// A delta of a block or of the message.
#[derive(Debug, Deserialize)]
pub(super) struct Change<'a> {
    #[serde(borrow, default)]
    pub(super) r#type: Word<'a>,
    #[serde(borrow, default)]
    pub(super) text: Word<'a>,
    #[serde(borrow, default)]
    pub(super) thinking: Word<'a>,
    #[serde(borrow, default)]
    pub(super) signature: Word<'a>,
    #[serde(borrow, default)]
    pub(super) partial_json: Word<'a>,
    #[serde(borrow, default)]
    pub(super) stop_reason: Word<'a>,
}

/// A block of the content, at its start or complete.
#[derive(Debug, Deserialize)]
pub(super) struct Block<'a> {
    #[serde(borrow, default)]
    pub(super) r#type: Word<'a>,
    #[serde(borrow, default)]
    pub(super) text: Word<'a>,
    #[serde(borrow, default)]
    pub(super) thinking: Word<'a>,
    #[serde(borrow, default)]
    pub(super) signature: Word<'a>,
    #[serde(borrow, default)]
    pub(super) id: Word<'a>,
    #[serde(borrow, default)]
    pub(super) tool_use_id: Word<'a>,
    #[serde(borrow, default)]
    pub(super) name: Word<'a>,
    #[serde(borrow, default)]
    input: Option<&'a RawValue>,
}

impl<'a> Block<'a> {
    /// Returns the input, unless it is the empty object that precedes streamed input.
    pub(super) fn input(&self) -> &'a str {
        let input = self.input.map_or("", RawValue::get);
        let has_frame = input.starts_with('{') && !input[1..].trim_start().starts_with('}');
        if has_frame { input } else { "" }
    }
}

/// A buffered answer.
#[derive(Debug, Deserialize)]
pub(super) struct Message<'a> {
    #[serde(borrow, default)]
    pub(super) r#type: Word<'a>,
    #[serde(borrow, default)]
    pub(super) content: Option<Raws<'a>>,
    #[serde(borrow, default)]
    pub(super) stop_reason: Word<'a>,
    #[serde(borrow, default)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) error: Option<&'a RawValue>,
}
