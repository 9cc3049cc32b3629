//! What a chunk or a buffered answer may hold, as far as it is read.
//!
//! Compatible servers disagree about every optional field, so a field of an unexpected type reads as absent; only text
//! that is not JSON is an error.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::surrogates::without_lone_surrogates;

/// A `chat.completion.chunk`, or a whole `chat.completion`.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Chunk<'a> {
    #[serde(borrow, default)]
    pub(super) choices: FirstChoice<'a>,
    #[serde(borrow, default)]
    pub(super) usage: Option<&'a RawValue>,
    #[serde(borrow, default)]
    pub(super) x_groq: Option<Groq<'a>>,
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
    #[serde(borrow, default)]
    pub(super) delta: Option<Message<'a>>,
    #[serde(borrow, default)]
    pub(super) message: Option<Message<'a>>,
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
    #[serde(borrow, default)]
    pub(super) refusal: Word<'a>,
    #[serde(borrow, default)]
    pub(super) tool_calls: Option<Vec<ToolCall<'a>>>,
    #[serde(borrow, default)]
    pub(super) function_call: Option<Function<'a>>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct ToolCall<'a> {
    #[serde(default)]
    pub(super) index: Number,
    #[serde(borrow, default)]
    pub(super) id: Word<'a>,
    #[serde(borrow, default)]
    pub(super) function: Option<Function<'a>>,
}

#[derive(Debug, serde::Deserialize)]
pub(super) struct Function<'a> {
    #[serde(borrow, default)]
    pub(super) name: Word<'a>,
    #[serde(borrow, default)]
    arguments: Option<&'a RawValue>,
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

/// A text; anything else reads as absent.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Word<'a>(pub(super) Option<Cow<'a, str>>);

impl<'a> Word<'a> {
    /// The text, unless it is absent or empty.
    pub(super) fn text(&self) -> Option<&str> {
        self.0.as_deref().filter(|text| !text.is_empty())
    }
}

/// A whole number from 0; anything else reads as absent.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number(pub(super) Option<u64>);

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
                while let Some(choice) = seq.next_element::<Choice<'de>>()? {
                    if choice.index.0.unwrap_or(0) == 0 && first.0.is_none() {
                        first.0 = Some(choice);
                    }
                }
                Ok(first)
            }

            fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
                Ok(FirstChoice(None))
            }
        }
        deserializer.deserialize_any(Choices)
    }
}

/// Visits of values that read as absent.
macro_rules! absent {
    ($($visit:ident: $type:ty),*) => {
        $(fn $visit<E: de::Error>(self, _: $type) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        })*

        fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
            Ok(Self::Value::default())
        }
    };
}

/// Visits of objects that read as absent.
macro_rules! absent_object {
    () => {
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
}

/// Visits of lists that read as absent.
macro_rules! absent_list {
    () => {
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
}

// `Option<Cow<str>>` never borrows under serde, hence the visitors.
impl<'de: 'a, 'a> Deserialize<'de> for Word<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Word<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text")
            }

            fn visit_borrowed_str<E: de::Error>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Word(Some(Cow::Borrowed(text))))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Word(Some(Cow::Owned(text.to_owned()))))
            }

            absent!(visit_bool: bool, visit_u64: u64, visit_i64: i64, visit_f64: f64);
            absent_object!();
            absent_list!();
        }
        deserializer.deserialize_any(Text)
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
                while let Some(part) = seq.next_element()? {
                    parts.push(part);
                }
                Ok(Content::Parts(parts))
            }

            absent!(visit_bool: bool, visit_u64: u64, visit_i64: i64, visit_f64: f64);
            absent_object!();
        }
        deserializer.deserialize_any(TextOrParts)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Whole;
        impl<'de> Visitor<'de> for Whole {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
                Ok(Number(Some(number)))
            }

            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "out of range saturates")]
            fn visit_f64<E: de::Error>(self, number: f64) -> Result<Self::Value, E> {
                Ok(Number((number >= 0.0).then_some(number as u64)))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Number(text.parse().ok()))
            }

            absent!(visit_bool: bool, visit_i64: i64);
            absent_object!();
            absent_list!();
        }
        deserializer.deserialize_any(Whole)
    }
}
