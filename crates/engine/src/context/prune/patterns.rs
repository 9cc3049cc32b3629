//! Classifies tool results by their text.

/// The number of leading bytes in which a failure is reported. Further on, these words may be part of a file that was
/// read.
const FAILURE_BYTES: usize = 200;
/// Phrases that mark a failure anywhere in these bytes, in lower case.
const FAILURES: [&str; 3] = ["error:", "parameter validation failed", "permission denied"];
/// JSON fields that mark a failure in these bytes, unless their value is empty.
const FAILURE_FIELDS: [&str; 2] = ["\"error\":", "\"error_type\":"];
/// Prefixes of empty values.
const NONE: [&str; 5] = ["null", "false", "\"\"", "[]", "{}"];
/// Prefixes of contents that report a failure.
const FAILURES_AT_THE_BEGINNING: [&str; 5] = ["FAILED", "failed to", "Failed to", "not found", "Not found"];
/// The length limit of an empty result. A longer content holds data.
const EMPTY_BYTES: usize = 200;
/// Prefixes of empty results, in lower case.
const EMPTY: [&str; 10] = [
    "no results",
    "no result ",
    "no match",
    "no files",
    "no data",
    "no entries",
    "nothing found",
    "nothing matched",
    "0 results",
    "0 matches",
];

/// Reports whether a content that is not marked as a failure describes one.
pub(super) fn reports_failure(content: &str) -> bool {
    let beginning = lower_case(content, FAILURE_BYTES);
    let has_value = |field| {
        let value = beginning.split_once(field).map(|(_, value)| value.trim_start());
        value.is_some_and(|value| !NONE.iter().any(|none| value.starts_with(none)))
    };
    FAILURES.iter().any(|failure| beginning.contains(failure))
        || FAILURE_FIELDS.iter().any(has_value)
        || FAILURES_AT_THE_BEGINNING.iter().any(|failure| content.trim_start().starts_with(failure))
}

/// Reports whether a content only reports that nothing was found.
pub(super) fn is_empty(content: &str) -> bool {
    content.len() < EMPTY_BYTES && {
        let text = lower_case(content, EMPTY_BYTES);
        EMPTY.iter().any(|empty| text.starts_with(empty))
    }
}

/// Reports whether two contents agree in more than nine tenths of their bytes, compared position by position.
pub(super) fn is_similar(one: &str, other: &str) -> bool {
    let same = one.bytes().zip(other.bytes()).filter(|(one, other)| one == other).count();
    same * 10 > one.len().max(other.len()) * 9
}

/// Returns the first `bytes` bytes of a content in lower case.
fn lower_case(content: &str, bytes: usize) -> String {
    let content = content.trim_start();
    content[..content.floor_char_boundary(bytes)].to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_reports_a_failure_in_its_first_bytes_only() {
        let late = format!("{} Error: disk full", "log line\n".repeat(30));
        for (content, expected) in [
            (r#"{"error": "no such file"}"#, true),
            (r#"{"ok": false, "error_type": "io"}"#, true),
            (r#"{"ok": true, "error": null, "error_type": ""}"#, false),
            ("error: cannot open", true),
            ("Error: cannot open", true),
            ("  Parameter validation failed: path", true),
            ("bash: /root: Permission denied", true),
            ("FAILED 3 tests", true),
            ("failed to connect", true),
            ("not found", true),
            ("Failed logins: 3", false),
            ("the page was not found", false),
            ("the tests that failed to run before now pass", false),
            ("fine", false),
            ("", false),
            (&late, false),
        ] {
            assert_eq!(reports_failure(content), expected, "{content}");
        }
    }

    #[test]
    fn a_short_content_may_report_an_empty_result() {
        let long = format!("No results for {}", "x".repeat(200));
        for (content, expected) in [
            ("No results for 'turnkit' in 14 files.", true),
            ("No matches found", true),
            ("0 results", true),
            ("nothing found in the index", true),
            ("10 results", false),
            ("No resultant force acts on it", false),
            ("", false),
            (&long, false),
        ] {
            assert_eq!(is_empty(content), expected, "{content}");
        }
    }

    #[test]
    fn contents_are_similar_if_more_than_nine_tenths_are_the_same_place_by_place() {
        let ten = "a".repeat(100);
        for (other, expected) in [
            (ten.clone(), true),
            (format!("{}{}", "a".repeat(91), "b".repeat(9)), true),
            (format!("{}{}", "a".repeat(90), "b".repeat(10)), false),
            (format!("{ten}{}", "a".repeat(12)), false),
            (String::new(), false),
        ] {
            assert_eq!(is_similar(&ten, &other), expected, "{other}");
        }
    }
}
