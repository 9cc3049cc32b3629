//! The value that serde reads a body from.

use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error, IntoDeserializer, MapAccess, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;

use super::wrong::Wrong;

/// JSON as it was sent, at some place of a body. Each type is asked for by its name in JSON, and a list never passes for an
/// object.
#[derive(Clone, Copy)]
pub(super) struct Sent<'de>(pub(super) &'de RawValue);

impl<'de> Sent<'de> {
    /// The value as a `T`, which is `expected` in words.
    fn read<T: serde::Deserialize<'de>>(self, expected: &str) -> Result<T, Wrong> {
        serde_json::from_str(self.0.get()).map_err(|_| Wrong::invalid_type(Unexpected::Other("value"), &expected))
    }
}

impl<'de> Deserializer<'de> for Sent<'de> {
    type Error = Wrong;

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        if self.0.get() == "null" { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_string(self.read("a string")?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_string(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        visitor.visit_enum(self.read::<String>("a string")?.into_deserializer())
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let items: Vec<&RawValue> = self.read("a list")?;
        visitor.visit_seq(SeqDeserializer::new(items.into_iter().map(Sent)))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let Fields(fields) = self.read("an object")?;
        visitor.visit_map(MapDeserializer::new(fields.into_iter().map(|(name, value)| (name, Sent(value)))))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.deserialize_map(visitor)
    }

    /// Bytes are the JSON itself.
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_borrowed_bytes(self.0.get().as_bytes())
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        visitor.visit_unit()
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let read = serde_json::Deserializer::from_str(self.0.get()).deserialize_any(visitor);
        read.map_err(|_| Wrong::Value("it is of another type".to_owned()))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char byte_buf unit unit_struct newtype_struct tuple
        tuple_struct identifier
    }
}

impl<'de> IntoDeserializer<'de, Wrong> for Sent<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// All fields of an object, as often as each is there.
struct Fields<'de>(Vec<(String, &'de RawValue)>);

impl<'de> serde::Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = object.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(Collect)
    }
}
