//! The size of a schema with its references written out, as far as all of it is applied to the same value.

use std::collections::HashMap;

use serde_json::Value;

use super::applied::in_place;
use super::references::References;
use super::{MAX_DEPTH, TOO_MANY};

/// The most parts that are applied to one value.
const MAX_PARTS: usize = 10_000;

/// What is applied to the same value as a part.
#[derive(Clone, Copy)]
struct Extent {
    /// The number of parts, with the part itself.
    parts: usize,
    /// The most of them that are within one another.
    depth: usize,
}

/// The extents of parts; `None` while one is counted.
type Counted = HashMap<*const Value, Option<Extent>>;

/// Checks each part of a schema. The compilation of some keywords, and each check, follow these references.
///
/// # Errors
/// A part is applied to a value too often, or leads back to itself without descending into the value.
pub(super) fn check(schema: &Value, references: &References) -> Result<(), String> {
    if !references.may_repeat() {
        return Ok(());
    }
    let mut counted = Counted::new();
    check_parts(schema, schema, references, &mut counted)
}

fn check_parts(part: &Value, schema: &Value, references: &References, counted: &mut Counted) -> Result<(), String> {
    count(part, schema, references, 0, counted)?;
    match part {
        Value::Object(fields) => fields.values().try_for_each(|sub| check_parts(sub, schema, references, counted)),
        Value::Array(items) => items.iter().try_for_each(|sub| check_parts(sub, schema, references, counted)),
        _ => Ok(()),
    }
}

fn count(
    part: &Value,
    schema: &Value,
    references: &References,
    above: usize,
    counted: &mut Counted,
) -> Result<Extent, String> {
    let mut extent = Extent { parts: 1, depth: 1 };
    let Value::Object(keywords) = part else { return Ok(extent) };
    match counted.get(&std::ptr::from_ref(part)) {
        Some(Some(known)) => return Ok(*known),
        Some(None) => return Err("has a part that refers to itself".to_owned()),
        None if above > MAX_DEPTH => return Err(TOO_MANY.to_owned()),
        None => counted.insert(part, None),
    };
    for (keyword, sub) in keywords {
        for sub in in_place(keyword, sub, schema, references) {
            let within = count(sub, schema, references, above + 1, counted)?;
            extent.parts = extent.parts.saturating_add(within.parts);
            extent.depth = extent.depth.max(within.depth + 1);
        }
    }
    if extent.parts > MAX_PARTS || extent.depth > MAX_DEPTH {
        return Err(TOO_MANY.to_owned());
    }
    counted.insert(part, Some(extent));
    Ok(extent)
}
