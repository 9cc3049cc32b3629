//! What a chunk or a buffered answer may hold, as far as it is read.
//!
//! Compatible servers disagree about every optional field, so a field of an unexpected type reads as absent.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use crate::wire::lenient::{Number, Object, Objects, Word, absent, absent_object};
use crate::wire::surrogates::without_lone_surrogates;

/// A `chat.completion.chunk`, or a whole `chat.completion`.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Chunk<'a> {
    #[serde(borrow, default)]
    pub(super) choices: FirstChoice<'a>,
    #[serde(borrow, default)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) x_groq: Object<Groq<'a>>,
    #[serde(borrow, default)]
    pub(super) error: Option<&'a RawValue>,
}

/// Groq's own place for usage.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Groq<'a> {
    #[serde(borrow, default)]
    pub(super) usage: Option<&'a RawValue>,
}

/// The choice that is read: the one with index 0, or without index.
#[derive(Debug, Default)]
pub(super) struct FirstChoice<'a>(pub(super) Option<Choice<'a>>);

#[derive(Debug, serde::Deserialize)]
pub(super) struct Choice<'a> {
    #[serde(default)]
    index: Number,
    // On the heap, so that parsing moves little.
    #[serde(borrow, default)]
    pub(super) delta: Object<Box<Message<'a>>>,
    #[serde(borrow, default)]
    pub(super) message: Object<Box<Message<'a>>>,
    #[serde(borrow, default)]
    pub(super) finish_reason: Word<'a>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Message<'a> {
    #[serde(borrow, default)]
    pub(super) content: Content<'a>,
    #[serde(borrow, default)]
    pub(super) reasoning_content: Word<'a>,
    #[serde(borrow, default)]
    pub(super) reasoning: Word<'a>,
    /// OpenRouter's account of the reasoning, with what must go back.
    #[serde(borrow, default)]
    pub(super) reasoning_details: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) refusal: Word<'a>,
    /// Pictures the model made.
    #[serde(borrow, default)]
    pub(super) images: Objects<Picture<'a>>,
    #[serde(borrow, default)]
    pub(super) tool_calls: Objects<ToolCall<'a>>,
    #[serde(borrow, default)]
    pub(super) function_call: Object<Function<'a>>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Picture<'a> {
    #[serde(borrow, default)]
    pub(super) image_url: Object<ImageUrl<'a>>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct ImageUrl<'a> {
    #[serde(borrow, default)]
    pub(super) url: Word<'a>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct ToolCall<'a> {
    #[serde(default)]
    pub(super) index: Number,
    #[serde(borrow, default)]
    pub(super) id: Word<'a>,
    #[serde(borrow, default)]
    pub(super) function: Object<Function<'a>>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Function<'a> {
    #[serde(borrow, default)]
    pub(super) name: Word<'a>,
    #[serde(borrow, default)]
    pub(super) arguments: Option<&'a RawValue>,
}

impl<'a> Function<'a> {
    /// Neither name nor arguments.
    pub(super) const ABSENT: Function<'static> = Function { name: Word(None), arguments: None };

    /// The arguments: a string's text, or the text of the object some servers send in its place.
    pub(super) fn arguments(&self) -> Cow<'a, str> {
        let raw = self.arguments.map_or("null", RawValue::get);
        match raw.as_bytes().first() {
            Some(b'"') => match serde_json::from_str::<Word<'a>>(raw) {
                Ok(word) => word.0.unwrap_or_default(),
                Err(_) => serde_json::from_str(&without_lone_surrogates(raw)).unwrap_or_default(),
            },
            Some(b'{') => Cow::Borrowed(raw),
            _ => Cow::Borrowed(""),
        }
    }
}

/// The content of a message: a text, or a list of typed parts.
#[derive(Debug, Default)]
pub(super) enum Content<'a> {
    #[default]
    Absent,
    Text(Cow<'a, str>),
    Parts(Vec<ContentPart<'a>>),
}

/// A typed part of the content; unknown types have neither text nor thinking.
#[derive(Debug, serde::Deserialize)]
pub(super) struct ContentPart<'a> {
    #[serde(borrow, default)]
    pub(super) text: Word<'a>,
    #[serde(borrow, default)]
    pub(super) refusal: Word<'a>,
    /// Reasoning as Mistral sends it: parts of their own.
    #[serde(borrow, default)]
    pub(super) thinking: Content<'a>,
}

impl<'de: 'a, 'a> Deserialize<'de> for FirstChoice<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Choices;
        impl<'de> Visitor<'de> for Choices {
            type Value = FirstChoice<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of choices")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut first = FirstChoice(None);
                while let Some(choice) = seq.next_element::<Object<Choice<'de>>>()? {
                    let Some(choice) = choice.0 else { continue };
                    if choice.index.0.unwrap_or(0) == 0 && first.0.is_none() {
                        first.0 = Some(choice);
                    }
                }
                Ok(first)
            }

            absent!(visit_bool: bool, visit_u64: u64, visit_i64: i64, visit_f64: f64, visit_str: &str);
            absent_object!();
        }
        deserializer.deserialize_any(Choices)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Content<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrParts;
        impl<'de> Visitor<'de> for TextOrParts {
            type Value = Content<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of parts")
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Content::Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Content::Text(Cow::Owned(text.to_owned())))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut parts = Vec::new();
                while let Some(part) = seq.next_element::<Object<ContentPart<'de>>>()? {
                    parts.extend(part.0);
                }
                Ok(Content::Parts(parts))
            }

            absent!(visit_bool: bool, visit_u64: u64, visit_i64: i64, visit_f64: f64);
            absent_object!();
        }
        deserializer.deserialize_any(TextOrParts)
    }
}
