//! Reads the body of a request field by field, so that every refusal names the field and none repeats what was sent.

mod bounds;
mod wanted;

use std::fmt;

use serde::de::DeserializeSeed;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use self::wanted::Wanted;
pub(crate) use self::wanted::repeatable;
use crate::error::{ApiError, Code};

const NUL: &str = "it holds a NUL character";

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
        bounds::check(body)?;
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
    /// Whether it is there, be it null.
    pub(crate) fn is_there(&self) -> bool {
        self.value.is_some()
    }

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
        if text.contains('\0') { Err(self.wrong(NUL)) } else { Ok(text) }
    }

    /// What a person says.
    pub(crate) fn message(&self) -> Result<String, ApiError> {
        let text = self.sound_text()?;
        if text.trim().is_empty() { Err(self.wrong("it is empty")) } else { Ok(text) }
    }

    /// An object of any fields that may be missing or null, of at most so many bytes as it was sent. Every store can take
    /// it.
    pub(crate) fn optional_map(&self, most_bytes: usize) -> Result<Option<Map<String, Value>>, ApiError> {
        let Some(value) = self.value.filter(|_| self.is_given()) else { return Ok(None) };
        if value.get().len() > most_bytes {
            return Err(self.wrong(format_args!("it is longer than {most_bytes} bytes")));
        }
        let map: Map<String, Value> =
            serde_json::from_str(value.get()).map_err(|_| self.wrong("it must be an object"))?;
        if map.iter().any(field_holds_nul) { Err(self.wrong(NUL)) } else { Ok(Some(map)) }
    }

    /// Texts, which may be missing or null.
    pub(crate) fn optional_texts(&self) -> Result<Vec<String>, ApiError> {
        let Some(value) = self.value.filter(|_| self.is_given()) else { return Ok(Vec::new()) };
        serde_json::from_str(value.get()).map_err(|_| self.wrong("it must be a list of strings"))
    }

    /// Texts that every store and provider can take, which may be missing or null.
    pub(crate) fn optional_sound_texts(&self) -> Result<Vec<String>, ApiError> {
        let texts = self.optional_texts()?;
        if texts.iter().any(|text| text.contains('\0')) { Err(self.wrong(NUL)) } else { Ok(texts) }
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

fn holds_nul(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(holds_nul),
        Value::Object(fields) => fields.iter().any(field_holds_nul),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn field_holds_nul((name, value): (&String, &Value)) -> bool {
    name.contains('\0') || holds_nul(value)
}
