//! Where a reader that comes back goes on.

use axum::http::HeaderMap;
use turnkit_core::{Cursor, Fence};

use crate::error::ApiError;

/// What a browser's `EventSource` sends when it reconnects.
const LAST_EVENT_ID: &str = "last-event-id";

/// Names no event, because turns are numbered from 1.
const NOWHERE: Cursor = Cursor { fence: Fence(0), turn: 0, seq: 0, frame: 0 };

/// The last thing a reader has seen, if it says. `Last-Event-ID` wins over `?after=`, because a browser repeats the
/// address it was given. An empty text says nothing. A text that is no cursor names something this server does not
/// know: to begin at the start could tell the reader twice what it has, so it gets a snapshot.
pub(crate) fn seen(headers: &HeaderMap, after: Option<&str>) -> Result<Option<Cursor>, ApiError> {
    let mut ids = headers.get_all(LAST_EVENT_ID).iter();
    let id = ids.next();
    if ids.next().is_some() {
        return Err(ApiError::field("last-event-id", "the header is given twice"));
    }
    // What is not text is no cursor either.
    let id = id.map(|id| id.to_str().unwrap_or("?")).filter(|id| !id.is_empty());
    let text = id.or(after.filter(|after| !after.is_empty()));
    Ok(text.map(|text| text.parse().unwrap_or(NOWHERE)))
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn the_header_wins_and_what_is_no_cursor_is_nowhere() {
        let cursor = |text: &str| Some(text.parse().unwrap());
        for (header, after, expected) in [
            (None, None, None),
            (Some(""), None, None),
            (None, Some(""), None),
            (Some("1-2-3"), None, cursor("1-2-3")),
            (None, Some("1-2-3"), cursor("1-2-3")),
            (Some("1-2-4-1"), Some("1-2-3"), cursor("1-2-4-1")),
            (Some(""), Some("1-2-3"), cursor("1-2-3")),
            (Some("4"), Some("1-2-3"), Some(NOWHERE)),
            (Some("-1"), None, Some(NOWHERE)),
            (Some("1-2-18446744073709551616"), None, Some(NOWHERE)),
            (None, Some("1\n2"), Some(NOWHERE)),
        ] {
            let mut headers = HeaderMap::new();
            if let Some(id) = header {
                headers.insert(LAST_EVENT_ID, HeaderValue::from_str(id).unwrap());
            }
            assert_eq!(seen(&headers, after).unwrap(), expected, "{header:?} {after:?}");
        }
    }

    #[test]
    fn two_headers_are_refused() {
        let mut headers = HeaderMap::new();
        headers.append(LAST_EVENT_ID, HeaderValue::from_static("1-2-3"));
        headers.append(LAST_EVENT_ID, HeaderValue::from_static("1-2-4"));
        assert!(seen(&headers, None).is_err());
    }
}
