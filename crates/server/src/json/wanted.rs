//! The fields of one object.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The fields of an object with these names.
pub(super) struct Wanted<const N: usize> {
    pub(super) names: [&'static str; N],
}

/// What stands there.
pub(super) struct Found<'a> {
    /// In the order of the names.
    pub(super) values: Vec<Option<&'a RawValue>>,
    /// A field that stands there twice.
    pub(super) twice: Option<&'static str>,
    /// A field that was not asked for.
    pub(super) unknown: Option<String>,
}

impl<'de, const N: usize> DeserializeSeed<'de> for Wanted<N> {
    type Value = Found<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Found<'de>, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, const N: usize> Visitor<'de> for Wanted<N> {
    type Value = Found<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Found<'de>, A::Error> {
        let mut found = Found { values: vec![None; N], twice: None, unknown: None };
        while let Some(key) = object.next_key::<String>()? {
            let wanted = self.names.iter().zip(&mut found.values).find(|(name, _)| **name == key);
            match wanted {
                Some((name, value)) => {
                    if value.replace(object.next_value()?).is_some() {
                        found.twice = Some(name);
                    }
                }
                None => {
                    object.next_value::<IgnoredAny>()?;
                    found
                        .unknown
                        .get_or_insert_with(|| repeatable(key).unwrap_or_else(|| "(another field)".to_owned()));
                }
            }
        }
        Ok(found)
    }
}

/// A name nobody knows, if it cannot be anything but a name.
pub(crate) fn repeatable(name: String) -> Option<String> {
    let is_name = name.len() <= 64 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    Some(name).filter(|name| is_name && !name.is_empty())
}
