//! A serde deserializer for the JSON values of a body.

use std::fmt;

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error, IntoDeserializer, MapAccess, Unexpected, Visitor};
use serde::forward_to_deserialize_any;
use serde_json::value::RawValue;

use super::body_error::BodyError;

/// A JSON value of a body, as it was sent. Errors name the expected JSON type. A list is never accepted in place of an
/// object.
#[derive(Clone, Copy)]
pub(super) struct BodyValue<'de>(pub(super) &'de RawValue);

impl<'de> BodyValue<'de> {
    /// Reads the value as a `T`; `expected` names its JSON type.
    fn read<T: serde::Deserialize<'de>>(self, expected: &str) -> Result<T, BodyError> {
        serde_json::from_str(self.0.get()).map_err(|_| BodyError::invalid_type(Unexpected::Other("value"), &expected))
    }
}

impl<'de> Deserializer<'de> for BodyValue<'de> {
    type Error = BodyError;

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        if self.0.get() == "null" { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        visitor.visit_bool(self.read("true or false")?)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        visitor.visit_string(self.read("a string")?)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        self.deserialize_string(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BodyError> {
        visitor.visit_enum(self.read::<String>("a string")?.into_deserializer())
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        let items: Vec<&RawValue> = self.read("a list")?;
        visitor.visit_seq(SeqDeserializer::new(items.into_iter().map(BodyValue)))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        let Fields(fields) = self.read("an object")?;
        visitor.visit_map(MapDeserializer::new(fields.into_iter().map(|(name, value)| (name, BodyValue(value)))))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, BodyError> {
        self.deserialize_map(visitor)
    }

    /// Passes the JSON text itself as bytes.
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        visitor.visit_borrowed_bytes(self.0.get().as_bytes())
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        visitor.visit_unit()
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, BodyError> {
        let read = serde_json::Deserializer::from_str(self.0.get()).deserialize_any(visitor);
        read.map_err(|_| BodyError::Value("has the wrong type".to_owned()))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char byte_buf unit unit_struct newtype_struct tuple
        tuple_struct identifier
    }
}

impl<'de> IntoDeserializer<'de, BodyError> for BodyValue<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// All fields of an object in order, duplicates included.
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
