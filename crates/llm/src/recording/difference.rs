//! Comparison of two JSON values.

use serde_json::Value;

use super::mask::MASKED;

/// Returns the first place where two values differ, as a JSON pointer; the empty pointer means the whole value. Masked
/// text in one value equals any text at the same place in the other.
pub fn first_difference(recorded: &Value, now: &Value) -> Option<String> {
    match (recorded, now) {
        (Value::Object(recorded), Value::Object(now)) => {
            let missing = now.keys().filter(|key| !recorded.contains_key(*key));
            let differing = recorded.iter().filter_map(|(key, value)| match now.get(key) {
                Some(other) => first_difference(value, other).map(|rest| format!("/{}{rest}", escaped(key))),
                None => Some(format!("/{}", escaped(key))),
            });
            differing.chain(missing.map(|key| format!("/{}", escaped(key)))).next()
        }
        (Value::Array(recorded), Value::Array(now)) => {
            let pairs = recorded.iter().zip(now).enumerate();
            let mut differing =
                pairs.filter_map(|(at, (one, other))| Some(format!("/{at}{}", first_difference(one, other)?)));
            let shorter = recorded.len().min(now.len());
            differing.next().or_else(|| (recorded.len() != now.len()).then(|| format!("/{shorter}")))
        }
        (Value::String(recorded), Value::String(now)) if is_masked(recorded, now) || is_masked(now, recorded) => None,
        _ => (recorded != now).then(String::new),
    }
}

/// Reports whether `masked` is `text` with parts of it masked. Masking does not change the length.
fn is_masked(masked: &str, text: &str) -> bool {
    let is_same = |(one, other): (u8, u8)| one == other || one == b'*';
    masked.contains(MASKED) && masked.len() == text.len() && masked.bytes().zip(text.bytes()).all(is_same)
}

/// Escapes a key for a JSON pointer.
fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_first_place_that_differs_is_named() {
        let request = json!({ "model": "small", "messages": [{ "content": "hi" }, { "content": "ho" }] });
        for (now, expected) in [
            (request.clone(), None),
            (json!({ "model": "large", "messages": request["messages"] }), Some("/model")),
            (
                json!({ "model": "small", "messages": [{ "content": "hi" }, { "content": "no" }] }),
                Some("/messages/1/content"),
            ),
            (json!({ "model": "small", "messages": [{ "content": "hi" }] }), Some("/messages/1")),
            (json!({ "model": "small", "messages": request["messages"], "a/b": 1 }), Some("/a~1b")),
            (json!({ "messages": request["messages"] }), Some("/model")),
            (json!(null), Some("")),
        ] {
            assert_eq!(first_difference(&request, &now).as_deref(), expected, "{now}");
        }
        for (one, other, expected) in [
            ("my key is ********", "my key is 12345678", None),
            ("my key is 12345678", "my key is ********", None),
            ("my key is ********", "my sea is 12345678", Some("")),
            ("/********/ 1", "/********/ 2", Some("")),
            ("********", "another text", Some("")),
        ] {
            assert_eq!(first_difference(&json!(one), &json!(other)).as_deref(), expected, "{one} {other}");
        }
    }
}
