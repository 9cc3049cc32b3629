//! Limits on the depth of a body and on the number of fields or items in one object or list.

use std::cell::Cell;
use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};

use super::not_json;
use crate::error::{ApiError, ErrorCode};

/// The largest nesting depth of objects and lists.
const MAX_DEPTH: u8 = 64;
/// The largest number of fields of an object, and of items of a list.
const MAX_FIELDS: u16 = 1000;

/// Checks that `body` is JSON and within the limits. Reads the text once and stores none of it.
pub(super) fn check(body: &str) -> Result<(), ApiError> {
    let exceeded = Cell::new(None);
    let mut json = serde_json::Deserializer::from_str(body);
    let checked = AnyJson { exceeded: &exceeded, depth: 0 }.deserialize(&mut json).and_then(|()| json.end());
    checked.map_err(|error| match exceeded.get() {
        Some(Exceeded::Depth) => {
            ApiError::new(ErrorCode::InvalidJson, format!("the body is more than {MAX_DEPTH} levels deep"))
        }
        Some(Exceeded::Fields) => {
            ApiError::field("body", format_args!("contains an object or a list with more than {MAX_FIELDS} items"))
        }
        None => not_json(format_args!("line {}, column {}", error.line(), error.column())),
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exceeded {
    Depth,
    Fields,
}

/// A visitor for any JSON value, at a certain depth of the body.
#[derive(Clone, Copy)]
struct AnyJson<'a> {
    exceeded: &'a Cell<Option<Exceeded>>,
    depth: u8,
}

impl AnyJson<'_> {
    fn deeper<E: Error>(self) -> Result<Self, E> {
        if self.depth == MAX_DEPTH {
            return self.exceeds(Exceeded::Depth);
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }

    fn exceeds<T, E: Error>(self, what: Exceeded) -> Result<T, E> {
        self.exceeded.set(Some(what));
        Err(E::custom("exceeds a limit"))
    }
}

impl<'de> DeserializeSeed<'de> for AnyJson<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for AnyJson<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        let item = self.deeper()?;
        for _ in 0..MAX_FIELDS {
            if list.next_element_seed(item)?.is_none() {
                return Ok(());
            }
        }
        if list.next_element_seed(item)?.is_none() { Ok(()) } else { self.exceeds(Exceeded::Fields) }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<(), A::Error> {
        let field = self.deeper()?;
        for _ in 0..MAX_FIELDS {
            if object.next_entry_seed(field, field)?.is_none() {
                return Ok(());
            }
        }
        if object.next_key_seed(field)?.is_none() { Ok(()) } else { self.exceeds(Exceeded::Fields) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(body: &str) -> Option<ErrorCode> {
        check(body).err().map(|error| error.code())
    }

    #[test]
    fn a_body_is_at_most_64_levels_deep() {
        for (open, close, inner) in [("[", "]", ""), ("{\"a\":", "}", "1"), ("[{\"a\":", "}]", "1")] {
            let levels = open.matches(['[', '{']).count();
            let nested = |times| format!("{}{inner}{}", open.repeat(times), close.repeat(times));
            assert_eq!(code(&nested(64 / levels)), None, "{open}");
            assert_eq!(code(&nested(64 / levels + 1)), Some(ErrorCode::InvalidJson), "{open}");
        }
    }

    #[test]
    fn an_object_has_at_most_1000_fields_and_a_list_as_many_items() {
        let object = |fields| {
            let fields: Vec<String> = (0..fields).map(|number| format!("\"{number}\":0")).collect();
            format!("{{\"a\":{{{}}}}}", fields.join(","))
        };
        let list = |items| format!("[{}]", vec!["0"; items].join(","));
        for (within, over) in [(object(1000), object(1001)), (list(1000), list(1001))] {
            assert_eq!((code(&within), code(&over)), (None, Some(ErrorCode::InvalidRequest)));
        }
    }

    #[test]
    fn limit_errors_name_the_limit_and_json_errors_the_position() {
        assert!(check(&"[".repeat(65)).unwrap_err().message().ends_with("more than 64 levels deep"));
        assert!(check("[1,").unwrap_err().message().ends_with("line 1, column 3"));
    }
}
