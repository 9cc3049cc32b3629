//! Lenient deserialisation: each type reads a value of any other type as absent.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// An object; any other value reads as absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Object<T>(pub(super) Option<T>);

/// The objects of a list. Other items are ignored; a value that is not a list reads as an empty list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Objects<T>(pub(super) Vec<T>);

/// A text; any other value reads as absent.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Word<'a>(pub(super) Option<Cow<'a, str>>);

impl<'a> Word<'a> {
    /// Returns the text, unless it is absent or empty.
    pub(super) fn text(&self) -> Option<&str> {
        self.0.as_deref().filter(|text| !text.is_empty())
    }
}

/// A whole number from 0; any other value reads as absent.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number(pub(super) Option<u64>);

/// The values of a list as raw JSON; a value that is not a list reads as an empty list.
#[derive(Debug, Default)]
pub(super) struct Raws<'a>(pub(super) Vec<&'a RawValue>);

impl<'de: 'a, 'a> Deserialize<'de> for Raws<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&'de RawValue>::deserialize(deserializer)?;
        Ok(Self(serde_json::from_str(raw.get()).unwrap_or_default()))
    }
}

/// Visitor methods for values that read as absent.
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

/// Visitor methods for objects that read as absent.
macro_rules! absent_object {
    () => {
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
}

/// Visitor methods for lists that read as absent.
macro_rules! absent_list {
    () => {
        fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
            while seq.next_element::<IgnoredAny>()?.is_some() {}
            Ok(Self::Value::default())
        }
    };
}

pub(super) use {absent, absent_object};

// Implemented by hand, because a derived impl would require `T: Default`.
impl<T> Default for Object<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Default for Objects<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(|object| Object(Some(object)))
            }

            absent!(visit_bool: bool, visit_u64: u64, visit_i64: i64, visit_f64: f64, visit_str: &str);
            absent_list!();
        }
        deserializer.deserialize_any(Fields(PhantomData))
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Objects<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for List<T> {
            type Value = Objects<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of objects")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
                let mut objects = Vec::new();
                while let Some(object) = seq.next_element::<Object<T>>()? {
                    objects.extend(object.0);
                }
                Ok(Objects(objects))
            }

            absent!(visit_bool: bool, visit_u64: u64, visit_i64: i64, visit_f64: f64, visit_str: &str);
            absent_object!();
        }
        deserializer.deserialize_any(List(PhantomData))
    }
}

// Implemented with visitors, because `Option<Cow<str>>` never borrows under serde.
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
