//! The fields of chunks and buffered answers that the decoder reads.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::wire::lenient::{Number, Object, Objects, Raws, Word};

/// A `GenerateContentResponse`: a chunk of a streamed answer, or a whole answer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Chunk<'a> {
    #[serde(borrow, default)]
    candidates: Objects<Candidate<'a>>,
    #[serde(borrow, default)]
    pub(super) prompt_feedback: Object<Feedback<'a>>,
    #[serde(borrow, default)]
    pub(super) usage_metadata: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) error: Option<&'a RawValue>,
}

impl<'a> Chunk<'a> {
    /// Returns the candidate to decode: the one with index 0, or without an index.
    pub(super) fn candidate(&self) -> Option<&Candidate<'a>> {
        self.candidates.0.iter().find(|candidate| candidate.index.0.unwrap_or(0) == 0)
    }
}

/// Feedback about the prompt.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Feedback<'a> {
    #[serde(borrow, default)]
    pub(super) block_reason: Word<'a>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Candidate<'a> {
    #[serde(default)]
    index: Number,
    #[serde(borrow, default)]
    pub(super) content: Object<Content<'a>>,
    #[serde(borrow, default)]
    pub(super) finish_reason: Word<'a>,
    /// The provider's explanation of `finish_reason`.
    #[serde(borrow, default)]
    pub(super) finish_message: Word<'a>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Content<'a> {
    #[serde(borrow, default)]
    pub(super) parts: Raws<'a>,
}

/// A part of the content. One of its fields determines its kind.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Part<'a> {
    #[serde(borrow, default)]
    pub(super) text: Word<'a>,
    /// Whether the text is reasoning.
    #[serde(borrow, default)]
    thought: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) thought_signature: Word<'a>,
    #[serde(borrow, default)]
    pub(super) function_call: Object<FunctionCall<'a>>,
    #[serde(borrow, default)]
    pub(super) executable_code: Object<Code<'a>>,
    #[serde(borrow, default)]
    pub(super) code_execution_result: Object<Code<'a>>,
    #[serde(borrow, default)]
    pub(super) inline_data: Object<Inline<'a>>,
    #[serde(borrow, default)]
    pub(super) file_data: Object<File<'a>>,
}

impl Part<'_> {
    pub(super) fn is_thought(&self) -> bool {
        self.thought.is_some_and(|thought| thought.get() == "true")
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct FunctionCall<'a> {
    #[serde(borrow, default)]
    pub(super) id: Word<'a>,
    #[serde(borrow, default)]
    pub(super) name: Word<'a>,
    #[serde(borrow, default)]
    pub(super) args: Option<&'a RawValue>,
}

/// Code that the provider runs, or its output.
#[derive(Debug, Deserialize)]
pub(super) struct Code<'a> {
    #[serde(borrow, default)]
    pub(super) id: Word<'a>,
    #[serde(borrow, default)]
    pub(super) code: Word<'a>,
    #[serde(borrow, default)]
    pub(super) output: Word<'a>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Inline<'a> {
    #[serde(borrow, default)]
    pub(super) mime_type: Word<'a>,
    #[serde(borrow, default)]
    pub(super) data: Word<'a>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct File<'a> {
    #[serde(borrow, default)]
    pub(super) file_uri: Word<'a>,
}
