//! The work of a check against a schema, counted before the check is made.

mod applied;
mod references;
mod unfolded;

#[cfg(test)]
mod tests;

use serde_json::Value;

use applied::{in_place, to_parts};
use references::References;

/// The most steps of a check.
const MAX_STEPS: usize = 1_000_000;
/// The steps of a check after which its mistakes are not listed: the validator collects all of them, at most one for each
/// step, before it returns the first.
pub(crate) const FEW_STEPS: usize = 200_000;
/// The most parts of a schema that are applied within one another: the validator descends as deep.
const MAX_DEPTH: usize = 512;
/// A regular expression with look-around or back-references may read the text again at each of its places: its steps are
/// the square of the length, divided by this.
const BACKTRACKING_DIVISOR: usize = 1_000;
/// The steps of a match of a regular expression, without those for the length of the text.
const PATTERN_STEPS: usize = 50;

const TOO_MANY: &str = "needs too many steps to check this value";

/// A schema whose author is not trusted. Several references may lead to the same part, so the work of a check can grow
/// exponentially with the size of the schema, or with the depth of the value.
pub(crate) struct SchemaWork {
    schema: Value,
    size: usize,
    references: References,
}

/// A part of the schema that is applied to a part of the value.
struct Application<'a> {
    schema: &'a Value,
    value: &'a Value,
    depth: usize,
}

impl SchemaWork {
    /// Looks through a schema before it is compiled.
    ///
    /// # Errors
    /// The schema cannot be used, or its compilation could take too much work. The error continues the sentence "the
    /// schema of this tool".
    pub(crate) fn new(schema: Value) -> Result<Self, String> {
        let references = References::of(&schema)?;
        unfolded::check(&schema, &references)?;
        Ok(Self { size: size_of(&schema), references, schema })
    }

    pub(crate) fn schema(&self) -> &Value {
        &self.schema
    }

    /// Returns an upper bound of the steps of a check of this value.
    ///
    /// # Errors
    /// There are too many. The error continues the sentence "the schema of this tool".
    pub(crate) fn steps(&self, value: &Value) -> Result<usize, String> {
        let product = self.size.saturating_mul(size_of(value));
        if self.references.are_linear() && product <= FEW_STEPS {
            return Ok(product);
        }
        let mut open = vec![Application { schema: &self.schema, value, depth: 0 }];
        let mut steps = 0_usize;
        while let Some(next) = open.pop() {
            steps = steps.saturating_add(self.apply(&next, &mut open));
            if steps.saturating_add(open.len()) > MAX_STEPS || next.depth > MAX_DEPTH {
                return Err(TOO_MANY.to_owned());
            }
        }
        Ok(steps)
    }

    /// Adds what the application of a part leads to. Returns the steps of the part itself.
    fn apply<'a>(&'a self, part: &Application<'a>, open: &mut Vec<Application<'a>>) -> usize {
        let Value::Object(keywords) = part.schema else { return 1 };
        let mut steps: usize = 1;
        // The validator applies the parts beside such a keyword again, to find and to mark what they have evaluated.
        let times = 1 + 2 * keywords.keys().filter(|keyword| references::is_unevaluated(keyword)).count();
        for (keyword, sub) in keywords {
            steps = steps.saturating_add(own_steps(keyword, sub, part.value));
            for sub in in_place(keyword, sub, &self.schema, &self.references) {
                open.extend(std::iter::repeat_with(|| part.with(sub, part.value)).take(times));
            }
            for (sub, value) in to_parts(keyword, sub, part.value) {
                open.push(part.with(sub, value));
                if open.len() > MAX_STEPS {
                    return MAX_STEPS;
                }
            }
        }
        steps
    }
}

impl<'a> Application<'a> {
    fn with(&self, schema: &'a Value, value: &'a Value) -> Self {
        Self { schema, value, depth: self.depth + 1 }
    }
}

/// Returns the steps of one keyword, without those of the parts that it applies.
fn own_steps(keyword: &str, part: &Value, value: &Value) -> usize {
    let listed = match part {
        Value::Array(items) => items.len(),
        Value::Object(fields) => fields.len(),
        _ => 1,
    };
    let more = match (keyword, part, value) {
        ("pattern", Value::String(pattern), Value::String(text)) => match_steps(pattern, text),
        ("patternProperties", Value::Object(patterns), Value::Object(fields)) => {
            patterns.keys().flat_map(|pattern| fields.keys().map(move |name| match_steps(pattern, name))).sum()
        }
        ("propertyNames", _, Value::Object(fields)) => {
            fields.keys().map(|name| PATTERN_STEPS + name.len() * name.len() / BACKTRACKING_DIVISOR).sum()
        }
        (_, _, Value::String(text)) => text.len() / 64,
        ("uniqueItems", _, Value::Array(items)) => items.len(),
        _ => 0,
    };
    listed.saturating_add(more)
}

fn match_steps(pattern: &str, text: &str) -> usize {
    let may_backtrack = ["(?=", "(?!", "(?<", "(?>", "(?("].iter().any(|group| pattern.contains(group))
        || pattern.as_bytes().windows(2).any(|pair| pair[0] == b'\\' && (pair[1].is_ascii_digit() || pair[1] == b'k'));
    let length = text.len();
    let matching = if may_backtrack { length.saturating_mul(length) / BACKTRACKING_DIVISOR } else { length / 64 };
    PATTERN_STEPS.saturating_add(matching)
}

/// Returns the JSON Pointer to a field of an object.
pub(crate) fn pointer_to(name: &str) -> String {
    format!("/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// Returns the number of values in a value, including itself.
pub(crate) fn size_of(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(size_of).sum(),
        Value::Object(fields) => fields.values().map(size_of).sum(),
        _ => 0,
    }
}
