//! Deserialisers of restricted values.

use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error as _, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer};

/// Reads a number that must not be zero.
pub(super) fn positive<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default + PartialEq>(
    from: D,
) -> Result<T, D::Error> {
    let number = T::deserialize(from)?;
    if number == T::default() {
        return Err(D::Error::invalid_value(Unexpected::Unsigned(0), &"at least 1"));
    }
    Ok(number)
}

/// Reads a rate per second, above zero and at most a million.
pub(super) fn some_rate<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
    let rate = f64::deserialize(from)?;
    if rate > 0.0 && rate <= 1e6 {
        return Ok(Some(rate));
    }
    Err(D::Error::invalid_value(Unexpected::Float(rate), &"more than 0, and 1000000 at most"))
}

/// Reads a sampling temperature.
pub(super) fn some_temperature<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f32>, D::Error> {
    let temperature = f32::deserialize(from)?;
    if temperature.is_finite() && temperature >= 0.0 {
        return Ok(Some(temperature));
    }
    Err(D::Error::invalid_value(Unexpected::Float(temperature.into()), &"a number of at least 0, such as 0.2"))
}

/// Reads a percentage above zero.
pub(super) fn percent<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    let percent = u8::deserialize(from)?;
    if (1..=100).contains(&percent) {
        return Ok(percent);
    }
    Err(D::Error::invalid_value(Unexpected::Unsigned(percent.into()), &"a percentage from 1 to 100"))
}

/// Reads a percentage. Zero means never.
pub(super) fn percent_or_never<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
    let percent = u8::deserialize(from)?;
    if percent <= 100 {
        return Ok(percent);
    }
    Err(D::Error::invalid_value(Unexpected::Unsigned(percent.into()), &"a percentage from 0 to 100"))
}

/// Reads an optional number that must not be zero.
pub(super) fn some_positive<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default + PartialEq>(
    from: D,
) -> Result<Option<T>, D::Error> {
    positive(from).map(Some)
}

/// Reads the words of a command line.
pub(super) fn some_words<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<String>>, D::Error> {
    list(from, r#"a list of words, such as ["git", "status"]"#).map(Some)
}

/// A text or a list of texts, in the JSON Schema.
#[derive(JsonSchema)]
#[schemars(untagged)]
#[expect(dead_code, reason = "it describes a value and is never one")]
pub(super) enum TextOrList {
    /// One text.
    Text(String),
    /// Several texts.
    List(Vec<String>),
}

/// Reads credentials. The error about a missing key names the setting, because tables of other settings have such keys,
/// too.
pub(super) fn some_auth<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D) -> Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some).map_err(|error| {
        let message = error.to_string();
        let missing = message.strip_prefix("missing field `").and_then(|rest| rest.split_once('`'));
        missing.map_or(error, |(key, _)| D::Error::custom(format!("`auth` needs a `{key}`")))
    })
}

/// Reads one text, or a list of texts.
pub(super) fn text_or_list<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    struct TextOrList;

    impl<'de> Visitor<'de> for TextOrList {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a text, or a list of texts")
        }

        fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Vec<String>, E> {
            Ok(vec![text.to_owned()])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Vec<String>, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(items))
        }
    }

    from.deserialize_any(TextOrList)
}

/// Reads a list of folders.
pub(super) fn folders<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<PathBuf>, D::Error> {
    list(from, r#"a list of folders, such as ["docs"]"#)
}

/// Reads a list. The error for another value says what is expected.
fn list<'de, D: Deserializer<'de>, T: Deserialize<'de>>(from: D, expected: &'static str) -> Result<Vec<T>, D::Error> {
    struct List<T> {
        expected: &'static str,
        items: PhantomData<T>,
    }

    impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.expected)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Vec<T>, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(items))
        }
    }

    from.deserialize_seq(List { expected, items: PhantomData })
}
