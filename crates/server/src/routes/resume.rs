//! The position from which a client resumes a stream.

use axum::http::HeaderMap;
use turnkit_core::{Cursor, Fence};

use crate::error::ApiError;

/// The header that a browser's `EventSource` sends when it reconnects.
const LAST_EVENT_ID: &str = "last-event-id";

/// A cursor that names no event, because turns are numbered from 1.
const UNKNOWN: Cursor = Cursor { fence: Fence(0), turn: 0, seq: 0, frame: 0 };

/// Returns the cursor of the last event that the client received, if the request contains one.
///
/// `Last-Event-ID` takes precedence over `?after=`, because a browser repeats its original URL. An empty text counts as
/// absent. A text that is not a cursor names a position that this server does not know. Starting from the beginning
/// could send events twice, so such a client receives a snapshot.
pub(crate) fn resume_cursor(headers: &HeaderMap, after: Option<&str>) -> Result<Option<Cursor>, ApiError> {
    let mut ids = headers.get_all(LAST_EVENT_ID).iter();
    let id = ids.next();
    if ids.next().is_some() {
        return Err(ApiError::field("last-event-id", "the header is given twice"));
    }
    // A value that is not text is not a cursor either.
    let id = id.map(|id| id.to_str().unwrap_or("?")).filter(|id| !id.is_empty());
    let text = id.or(after.filter(|after| !after.is_empty()));
    Ok(text.map(cursor_or_unknown))
}

/// Parses a cursor. A text that is not a cursor names a position that this server does not know.
pub(crate) fn cursor_or_unknown(text: &str) -> Cursor {
    text.parse().unwrap_or(UNKNOWN)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_header_wins_and_an_invalid_cursor_is_unknown() {
        let cursor = |text: &str| Some(text.parse().unwrap());
        for (header, after, expected) in [
            (None, None, None),
            (Some(""), None, None),
            (None, Some(""), None),
            (Some("1-2-3"), None, cursor("1-2-3")),
            (None, Some("1-2-3"), cursor("1-2-3")),
            (Some("1-2-4-1"), Some("1-2-3"), cursor("1-2-4-1")),
            (Some(""), Some("1-2-3"), cursor("1-2-3")),
            (Some("4"), Some("1-2-3"), Some(UNKNOWN)),
            (Some("-1"), None, Some(UNKNOWN)),
            (Some("1-2-18446744073709551616"), None, Some(UNKNOWN)),
            (None, Some("1\n2"), Some(UNKNOWN)),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(id) = header {
                headers.insert(LAST_EVENT_ID, HeaderValue::from_str(id).unwrap());
            }
            assert_eq!(resume_cursor(&headers, after).unwrap(), expected, "{header:?} {after:?}");
        }
    }

    #[test]
    fn two_headers_are_refused() {
        let mut headers = HeaderMap::new();
        headers.append(LAST_EVENT_ID, HeaderValue::from_static("1-2-3"));
        headers.append(LAST_EVENT_ID, HeaderValue::from_static("1-2-4"));
        assert!(resume_cursor(&headers, None).is_err());
    }
}
