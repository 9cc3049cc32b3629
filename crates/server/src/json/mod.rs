//! Reads the body of a request field by field, so that every refusal names the field and none repeats what was sent.

use std::fmt;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use crate::error::{ApiError, Code};

/// The fields of an object that are asked for, in that order.
pub(crate) struct Object<'a, const N: usize> {
    pub(crate) fields: [Field<'a>; N],
    /// A field that was not asked for, if there is one.
    unknown: Option<String>,
}

/// One field: where it stands, and what stands there.
pub(crate) struct Field<'a> {
    path: String,
    value: Option<&'a RawValue>,
}

impl<'a, const N: usize> Object<'a, N> {
    /// Reads a whole body. What is not JSON is `invalid_json`; what is JSON and not expected names its field.
    pub(crate) fn read(body: &'a [u8], names: [&'static str; N]) -> Result<Self, ApiError> {
        let body = std::str::from_utf8(body).map_err(|_| not_json("it is not UTF-8"))?;
        // Serde stops at the first field it does not expect: whether the rest is JSON must be known before.
        if let Err(error) = serde_json::from_str::<AnyJson>(body) {
            return Err(not_json(format_args!("line {}, column {}", error.line(), error.column())));
        }
        let whole = serde_json::from_str(body).map_err(|_| not_json("it cannot be read"))?;
        Field { path: String::new(), value: Some(whole) }.object(names)
    }

    /// The fields, if there are no others.
    pub(crate) fn only(self) -> Result<[Field<'a>; N], ApiError> {
        match self.unknown {
            None => Ok(self.fields),
            Some(path) => Err(ApiError::field(&path, "there is no such field")),
        }
    }
}

impl<'a> Field<'a> {
    /// Whether it is there and not null.
    pub(crate) fn is_given(&self) -> bool {
        self.value.is_some_and(|value| value.get() != "null")
    }

    /// A text that must be there.
    pub(crate) fn text(&self) -> Result<String, ApiError> {
        let value = self.value.ok_or_else(|| self.wrong("it is missing"))?;
        serde_json::from_str(value.get()).map_err(|_| self.wrong("it must be a string"))
    }

    /// A text that may be missing or null.
    pub(crate) fn optional_text(&self) -> Result<Option<String>, ApiError> {
        self.is_given().then(|| self.text()).transpose()
    }

    /// A text that every store and provider can take.
    pub(crate) fn sound_text(&self) -> Result<String, ApiError> {
        let text = self.text()?;
        if text.contains('\0') { Err(self.wrong("it holds a NUL character")) } else { Ok(text) }
    }

    /// What a person says.
    pub(crate) fn message(&self) -> Result<String, ApiError> {
        let text = self.sound_text()?;
        if text.trim().is_empty() { Err(self.wrong("it is empty")) } else { Ok(text) }
    }

    /// The items of a list that must be there and hold something.
    pub(crate) fn items(&self) -> Result<Vec<Field<'a>>, ApiError> {
        let value = self.value.ok_or_else(|| self.wrong("it is missing"))?;
        let items: Vec<&RawValue> =
            serde_json::from_str(value.get()).map_err(|_| self.wrong("it must be a list of objects"))?;
        if items.is_empty() {
            return Err(self.wrong("it is empty"));
        }
        let item = |(index, value)| Field { path: format!("{}[{index}]", self.path), value: Some(value) };
        Ok(items.into_iter().enumerate().map(item).collect())
    }

    /// The fields of an object that must be there. None may be given twice.
    pub(crate) fn object<const N: usize>(&self, names: [&'static str; N]) -> Result<Object<'a, N>, ApiError> {
        let value = self.value.map_or("", RawValue::get);
        let found = Wanted { names }.deserialize(&mut serde_json::Deserializer::from_str(value));
        let found = found.map_err(|_| self.wrong("it must be an object"))?;
        if let Some(name) = found.twice {
            return Err(ApiError::field(&self.path_of(name), "it is given twice"));
        }
        let mut values = found.values.into_iter();
        let fields = names.map(|name| Field { path: self.path_of(name), value: values.next().flatten() });
        Ok(Object { fields, unknown: found.unknown.map(|name| self.path_of(&name)) })
    }

    /// Refuses the field.
    pub(crate) fn wrong(&self, why: impl fmt::Display) -> ApiError {
        ApiError::field(if self.path.is_empty() { "body" } else { &self.path }, why)
    }

    fn path_of(&self, name: &str) -> String {
        if self.path.is_empty() { name.to_owned() } else { format!("{}.{name}", self.path) }
    }
}

fn not_json(why: impl fmt::Display) -> ApiError {
    ApiError::new(Code::InvalidJson, format!("the body is not JSON: {why}"))
}

/// Any JSON, checked in all of its depth and not kept.
struct AnyJson;

impl<'de> Deserialize<'de> for AnyJson {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Self)
    }
}

impl<'de> Visitor<'de> for AnyJson {
    type Value = Self;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_str<E>(self, _: &str) -> Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self, A::Error> {
        while list.next_element::<Self>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Self, A::Error> {
        while object.next_entry::<Self, Self>()?.is_some() {}
        Ok(self)
    }
}

/// The fields of an object with these names.
struct Wanted<const N: usize> {
    names: [&'static str; N],
}

struct Found<'a> {
    values: Vec<Option<&'a RawValue>>,
    twice: Option<&'static str>,
    unknown: Option<String>,
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
                    found.unknown.get_or_insert_with(|| repeatable(key));
                }
            }
        }
        Ok(found)
    }
}

/// The name of a field nobody knows, where it cannot be anything but a name.
fn repeatable(key: String) -> String {
    let is_name = key.len() <= 64 && key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_name && !key.is_empty() { key } else { "(another field)".to_owned() }
}
