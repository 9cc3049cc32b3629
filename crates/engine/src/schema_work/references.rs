//! Where the references of a schema lead, and what else of it is limited before it is compiled.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;
use serde_json::Value;

use super::pointer_to;

/// The keyword that refers to another part of the schema.
pub(super) const REFERENCE: &str = "$ref";
/// Keywords whose targets depend on where a check comes from. Only descriptions of schemas use them.
const DYNAMIC: [&str; 2] = ["$dynamicRef", "$recursiveRef"];
/// The most different references. Compilation and checks descend from one to the next.
const MAX_REFERENCES: usize = 1_000;
/// The most bytes of a reference, which is followed often.
const MAX_REFERENCE_BYTES: usize = 1_000;
/// The most keywords about what is unevaluated. If they are nested, each doubles the work.
const MAX_UNEVALUATED: usize = 8;
/// The most regular expressions, each of which may take a megabyte.
const MAX_PATTERNS: usize = 100;

/// Reports whether a keyword is about what the parts beside it have not evaluated.
pub(super) fn is_unevaluated(keyword: &str) -> bool {
    matches!(keyword, "unevaluatedProperties" | "unevaluatedItems")
}

/// The references of a schema.
#[derive(Default)]
pub(super) struct References {
    /// The JSON Pointers of the parts to which they lead.
    targets: HashMap<String, String>,
    unevaluated: usize,
    patterns: usize,
}

/// What a schema contains. Data in it, such as examples, counts like schemas: only the validator can tell the two apart.
#[derive(Default)]
struct Survey<'a> {
    references: Vec<&'a str>,
    /// The JSON Pointers of the parts that have addresses of their own; that of the schema is empty.
    addresses: HashMap<&'a str, String>,
    dialects: Vec<&'a str>,
    /// Whether a part has an `id` that is a text, which is an address in draft 4.
    has_ids: bool,
    unevaluated: usize,
    patterns: usize,
}

impl References {
    /// Looks through a schema.
    ///
    /// # Errors
    /// A reference leads to no part of the schema, or there is too much of something.
    pub(super) fn of(schema: &Value) -> Result<Self, String> {
        let mut survey = Survey::default();
        survey.add(schema, &mut String::new())?;
        if survey.unevaluated > MAX_UNEVALUATED {
            return Err(format!("has more than {MAX_UNEVALUATED} keywords about what is unevaluated"));
        }
        if survey.patterns > MAX_PATTERNS {
            return Err(format!("has more than {MAX_PATTERNS} regular expressions"));
        }
        let Survey { unevaluated, patterns, .. } = survey;
        let mut references = Self { targets: HashMap::new(), unevaluated, patterns };
        for reference in &survey.references {
            if !references.targets.contains_key(*reference) {
                let target = survey.resolve(reference, schema)?;
                references.targets.insert((*reference).to_owned(), target);
            }
            if references.targets.len() > MAX_REFERENCES {
                return Err(format!("refers to more than {MAX_REFERENCES} parts"));
            }
        }
        Ok(references)
    }

    /// Reports whether a part may be applied to the same value more than once.
    pub(super) fn may_repeat(&self) -> bool {
        !self.targets.is_empty() || self.unevaluated > 0
    }

    /// Reports whether the steps of a check are at most the product of the sizes of schema and value.
    pub(super) fn are_linear(&self) -> bool {
        !self.may_repeat() && self.patterns == 0
    }

    /// Returns the part to which the value of a `$ref` leads.
    pub(super) fn target<'a>(&self, reference: &Value, schema: &'a Value) -> Option<&'a Value> {
        schema.pointer(self.targets.get(reference.as_str()?)?)
    }
}

impl<'a> Survey<'a> {
    /// Adds the value at `pointer`.
    fn add(&mut self, value: &'a Value, pointer: &mut String) -> Result<(), String> {
        let length = pointer.len();
        match value {
            Value::Object(fields) => {
                for (name, field) in fields {
                    self.note(name, field, pointer)?;
                    pointer.push_str(&pointer_to(name));
                    self.add(field, pointer)?;
                    pointer.truncate(length);
                }
            }
            Value::Array(items) => {
                for (place, item) in items.iter().enumerate() {
                    pointer.push('/');
                    pointer.push_str(&place.to_string());
                    self.add(item, pointer)?;
                    pointer.truncate(length);
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Notes a field of the object at `pointer`.
    fn note(&mut self, name: &'a str, field: &'a Value, pointer: &str) -> Result<(), String> {
        self.unevaluated += usize::from(is_unevaluated(name));
        match (name, field) {
            (REFERENCE, Value::String(reference)) => self.references.push(reference),
            (name, Value::String(_)) if DYNAMIC.contains(&name) => return Err(format!("uses `{name}`")),
            ("$schema", Value::String(dialect)) => self.dialects.push(dialect),
            ("$id", Value::String(address)) => {
                let earlier = self.addresses.insert(address, pointer.to_owned());
                if earlier.is_some() {
                    return Err(format!("has two parts with the `$id` {address:?}"));
                }
            }
            ("id", Value::String(_)) => self.has_ids |= !pointer.is_empty(),
            ("pattern", Value::String(_)) => self.patterns += 1,
            ("patternProperties", Value::Object(patterns)) => self.patterns += patterns.len(),
            _ => {}
        }
        Ok(())
    }

    /// Returns the JSON Pointer of the part to which a reference leads.
    fn resolve(&self, reference: &str, schema: &Value) -> Result<String, String> {
        let unknown = || format!("refers to {reference:?}, which is no part of it");
        if reference.len() > MAX_REFERENCE_BYTES {
            return Err(format!("has a reference of more than {MAX_REFERENCE_BYTES} bytes"));
        }
        if self.has_ids && self.dialects.iter().any(|dialect| dialect.contains("draft-04")) {
            return Err("has references and parts with an `id` of their own".to_owned());
        }
        // Other addresses than names could depend on the part in which the reference is.
        if self.addresses.iter().any(|(address, pointer)| !pointer.is_empty() && !is_name(address)) {
            return Err("has references and parts with an `$id` that is more than a name".to_owned());
        }
        if let Some(pointer) = self.addresses.get(reference).filter(|_| !reference.starts_with('#')) {
            return Ok(pointer.clone());
        }
        let own = schema.get("$id").and_then(Value::as_str).unwrap_or_default().trim_end_matches('#');
        let fragment = reference.strip_prefix(own).unwrap_or(reference).strip_prefix('#').ok_or_else(unknown)?;
        if self.addresses.values().any(|pointer| !pointer.is_empty()) {
            // Within a part with an address of its own, such a reference begins at that part.
            return Err("has references by path and parts with an `$id` of their own".to_owned());
        }
        let pointer = percent_decode_str(fragment).decode_utf8().map_err(|_| unknown())?;
        // A name in place of a path is no pointer.
        schema.pointer(&pointer).map(|_| pointer.clone().into_owned()).ok_or_else(unknown)
    }
}

fn is_name(address: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !address.is_empty() && address.bytes().all(is_plain)
}
