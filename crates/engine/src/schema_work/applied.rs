//! What the keywords of a schema apply its parts to.

use serde_json::{Map, Value};

use super::references::{REFERENCE, References};

type Parts<'a> = Box<dyn Iterator<Item = &'a Value> + 'a>;
type Pairs<'a> = Box<dyn Iterator<Item = (&'a Value, &'a Value)> + 'a>;

/// Returns the parts that a keyword applies to the value itself. `dependentSchemas` count whether or not the value has
/// their properties.
pub(super) fn in_place<'a>(keyword: &str, part: &'a Value, schema: &'a Value, references: &'a References) -> Parts<'a> {
    match keyword {
        REFERENCE => Box::new(references.target(part, schema).into_iter()),
        "not" | "if" | "then" | "else" => Box::new(std::iter::once(part)),
        "allOf" | "anyOf" | "oneOf" => Box::new(part.as_array().into_iter().flatten()),
        "dependentSchemas" | "dependencies" => Box::new(fields(part).map(|(_, sub)| sub)),
        _ => Box::new(std::iter::empty()),
    }
}

/// Returns the parts that a keyword applies to parts of the value, each with that part.
pub(super) fn to_parts<'a>(keyword: &str, part: &'a Value, value: &'a Value) -> Pairs<'a> {
    let items = || value.as_array().into_iter().flatten();
    match keyword {
        "properties" => Box::new(fields(part).filter_map(|(name, sub)| Some((sub, value.get(name)?)))),
        "patternProperties" => {
            Box::new(fields(part).flat_map(move |(_, sub)| fields(value).map(move |(_, field)| (sub, field))))
        }
        "additionalProperties" | "unevaluatedProperties" => {
            Box::new(fields(value).map(move |(_, field)| (part, field)))
        }
        "propertyNames" => Box::new(fields(value).map(move |_| (part, &Value::Null))),
        "items" | "prefixItems" | "additionalItems" | "unevaluatedItems" | "contains" => match part {
            Value::Array(subs) => Box::new(subs.iter().zip(items())),
            _ => Box::new(items().map(move |item| (part, item))),
        },
        _ => Box::new(std::iter::empty()),
    }
}

fn fields(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flat_map(Map::iter)
}
