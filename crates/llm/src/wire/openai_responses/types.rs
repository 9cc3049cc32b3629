//! What an event may hold, as far as it is read.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::wire::lenient::{Number, Object, Objects, Raws, Word};

/// An event of a stream.
#[derive(Debug, Deserialize)]
pub(super) struct Event<'a> {
    #[serde(borrow, default)]
    pub(super) r#type: Word<'a>,
    #[serde(default)]
    pub(super) output_index: Number,
    #[serde(default)]
    pub(super) summary_index: Number,
    #[serde(borrow, default)]
    pub(super) item_id: Word<'a>,
    #[serde(borrow, default)]
    pub(super) delta: Word<'a>,
    #[serde(borrow, default)]
    pub(super) item: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) response: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) error: Option<&'a RawValue>,
}

/// A response as a whole: the body of a buffered answer, or what the last event of a stream repeats.
#[derive(Debug, Deserialize)]
pub(super) struct Response<'a> {
    #[serde(borrow, default)]
    pub(super) status: Word<'a>,
    #[serde(borrow, default)]
    pub(super) output: Option<Raws<'a>>,
    #[serde(borrow, default)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) error: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) incomplete_details: Object<Incomplete<'a>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Incomplete<'a> {
    #[serde(borrow, default)]
    pub(super) reason: Word<'a>,
}

/// An item of the output, at its start or whole.
#[derive(Debug, Deserialize)]
pub(super) struct Item<'a> {
    #[serde(borrow, default)]
    pub(super) r#type: Word<'a>,
    #[serde(borrow, default)]
    pub(super) id: Word<'a>,
    #[serde(borrow, default)]
    pub(super) call_id: Word<'a>,
    #[serde(borrow, default)]
    pub(super) name: Word<'a>,
    /// Of a message, or of reasoning that is not hidden.
    #[serde(borrow, default)]
    pub(super) content: Objects<Content<'a>>,
    #[serde(borrow, default)]
    pub(super) summary: Objects<Content<'a>>,
    #[serde(borrow, default)]
    pub(super) encrypted_content: Word<'a>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
    #[serde(borrow, default)]
    input: Word<'a>,
    #[serde(borrow, default)]
    code: Word<'a>,
    #[serde(borrow, default)]
    action: Option<&'a RawValue>,
    #[serde(borrow, default)]
    queries: Option<&'a RawValue>,
    /// The picture that `image_generation_call` made.
    #[serde(borrow, default)]
    pub(super) result: Word<'a>,
    #[serde(borrow, default)]
    pub(super) output_format: Word<'a>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Content<'a> {
    #[serde(borrow, default)]
    pub(super) text: Word<'a>,
    #[serde(borrow, default)]
    pub(super) refusal: Word<'a>,
}

impl<'a> Item<'a> {
    /// What a call passes, or what a tool of the provider was asked: text, or else JSON.
    pub(super) fn asked(&self) -> Cow<'_, str> {
        let text = [&self.input, &self.code].into_iter().find_map(Word::text);
        let json = || {
            [self.arguments, self.action, self.queries]
                .into_iter()
                .flatten()
                .map(RawValue::get)
                .find(|json| *json != "null")
        };
        match (text, json()) {
            (Some(text), _) => Cow::Borrowed(text),
            (None, Some(json)) if json.starts_with('"') => {
                serde_json::from_str::<Word<'_>>(json).ok().and_then(|word| word.0).unwrap_or_default()
            }
            (None, json) => Cow::Borrowed(json.unwrap_or_default()),
        }
    }

    /// The reasoning it shows: summaries as paragraphs, or the text itself.
    pub(super) fn reasoning(&self) -> String {
        let join = |content: &Objects<Content<'_>>, with: &str| {
            content.0.iter().filter_map(|part| part.text.text()).collect::<Vec<_>>().join(with)
        };
        let summary = join(&self.summary, PARAGRAPH);
        if summary.is_empty() { join(&self.content, "") } else { summary }
    }
}

/// What stands between two parts of a summary.
pub(super) const PARAGRAPH: &str = "\n\n";
