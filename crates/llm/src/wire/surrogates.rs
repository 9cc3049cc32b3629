//! Repair of lone surrogates. A server that splits an escaped surrogate pair sends JSON that no string can hold.

/// Returns the JSON with each lone escaped surrogate replaced by U+FFFD.
pub(super) fn without_lone_surrogates(json: &str) -> String {
    let mut whole = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let length = match (surrogate(escape), escape.get(6..).and_then(surrogate)) {
            (Some(Half::High), Some(Half::Low)) => 12,
            (Some(_), _) => {
                whole.push('\u{FFFD}');
                rest = &escape[6..];
                continue;
            }
            // The character after the backslash belongs to the escape, even if it is a second backslash.
            (None, _) => 1 + escape[1..].chars().next().map_or(0, char::len_utf8),
        };
        whole.push_str(&escape[..length]);
        rest = &escape[length..];
    }
    whole.push_str(rest);
    whole
}

/// Applies `read` to the JSON. If that fails, applies it again to the JSON without lone surrogates.
pub(super) fn read_repaired<T>(json: &str, mut read: impl FnMut(&str) -> Option<T>) -> Option<T> {
    read(json).or_else(|| read(&without_lone_surrogates(json)))
}

enum Half {
    High,
    Low,
}

fn surrogate(escape: &str) -> Option<Half> {
    match u16::from_str_radix(escape.strip_prefix("\\u")?.get(..4)?, 16).ok()? {
        0xD800..=0xDBFF => Some(Half::High),
        0xDC00..=0xDFFF => Some(Half::Low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_halves_are_replaced() {
        for (json, expected) in [
            (r#""a""#, r#""a""#),
            (r#""\ud83d\ude00""#, r#""\ud83d\ude00""#),
            (r#""\ud83d""#, "\"\u{FFFD}\""),
            (r#""\ude00x""#, "\"\u{FFFD}x\""),
            (r#""\ud83d\ud83d\ude00""#, "\"\u{FFFD}\\ud83d\\ude00\""),
            (r#""\\ud83d\n\u00e9""#, r#""\\ud83d\n\u00e9""#),
            (r#""\ud8"#, r#""\ud8"#),
            ("\\", "\\"),
            ("\\é\\", "\\é\\"),
        ] {
            assert_eq!(without_lone_surrogates(json), expected, "{json}");
        }
    }
}
