//! The `traceparent` header, which makes a turn part of its caller's trace, as defined by W3C Trace Context.

use axum::http::HeaderMap;
use turnkit_core::TraceId;

/// The name of the header. Each route that reads it documents it.
pub(crate) const TRACE_PARENT: &str = "traceparent";
/// The description of the header in the OpenAPI document.
pub(crate) const ABOUT_TRACE_PARENT: &str =
    "The caller's W3C trace context: the turn joins its trace. An invalid header is ignored.";

/// The length of version, trace id, parent id and flags, including hyphens. Later versions may append fields.
const KNOWN_BYTES: usize = 55;

/// Returns the trace of the caller. If the header is absent, repeated or invalid, returns `None`; as the standard
/// demands, the request is handled all the same.
pub(crate) fn caller_trace(headers: &HeaderMap) -> Option<TraceId> {
    let mut values = headers.get_all(TRACE_PARENT).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => read(value.to_str().ok()?),
        _ => None,
    }
}

fn read(text: &str) -> Option<TraceId> {
    let (known, appended) = text.split_at_checked(KNOWN_BYTES)?;
    let mut fields = known.split('-');
    let (version, trace, parent, flags) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let is_known = match version {
        "00" => appended.is_empty(),
        "ff" => false,
        _ => appended.is_empty() || appended.starts_with('-'),
    };
    let is_parent = is_hexadecimal(parent, 16) && parent.bytes().any(|digit| digit != b'0');
    let is_valid = is_known && is_hexadecimal(version, 2) && is_parent && is_hexadecimal(flags, 2);
    trace.parse().ok().filter(|_| is_valid)
}

/// Reports whether `text` is exactly `digits` lower-case hexadecimal digits.
fn is_hexadecimal(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|digit| digit.is_ascii_digit() || (b'a'..=b'f').contains(&digit))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    #[test]
    fn a_valid_header_names_a_trace_and_any_other_none() {
        for (header, is_valid) in [
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", true),
            // A later version may have more fields, and more flags.
            ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-ff", true),
            ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-the-future-brings", true),
            ("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01what", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more", false),
            ("ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
            ("0-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
            ("0x-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", false),
            ("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01", false),
            ("00-00000000000000000000000000000000-00f067aa0ba902b7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-012", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00F067AA0BA902B7-01", false),
            ("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0g", false),
            ("00_4bf92f3577b34da6a3ce929d0e0e4736_00f067aa0ba902b7_01", false),
            ("4bf92f3577b34da6a3ce929d0e0e4736", false),
            ("", false),
        ] {
            let headers = HeaderMap::from_iter([(TRACE_PARENT.parse().unwrap(), HeaderValue::from_static(header))]);
            let expected = is_valid.then(|| TRACE.parse().unwrap());
            assert_eq!(caller_trace(&headers), expected, "{header}");
        }
    }

    #[test]
    fn a_header_that_is_sent_twice_names_no_trace() {
        let mut headers = HeaderMap::new();
        for parent in ["00f067aa0ba902b7", "00f067aa0ba902b8"] {
            headers.append(TRACE_PARENT, format!("00-{TRACE}-{parent}-01").parse().unwrap());
        }
        assert_eq!(caller_trace(&headers), None);
        assert_eq!(caller_trace(&HeaderMap::new()), None);
    }
}
