//! The fields that name a frame's origin in a stream of several sessions.

use std::io::Write as _;
use std::ops::Range;

use serde::Serialize;

use crate::json::outside_strings;
use crate::{Cursor, SessionId};

/// Writes an object with the fields of `data` after `session_id` and, if there is one, `cursor`. If `data` has such a
/// field itself, it is left out there: an object must not have a field twice.
///
/// # Errors
/// `data` cannot be written, or is not an object. Part of it may have been written.
pub(super) fn write<T: Serialize + ?Sized>(
    bytes: &mut Vec<u8>,
    (session, cursor): (SessionId, Option<Cursor>),
    data: &T,
) -> std::io::Result<()> {
    write!(bytes, "{{\"session_id\":\"{session}\"")?;
    if let Some(cursor) = cursor {
        write!(bytes, ",\"cursor\":\"{cursor}\"")?;
    }
    let start = bytes.len();
    serde_json::to_writer(&mut *bytes, data)?;
    remove(bytes, start, b"\"session_id\":");
    if cursor.is_some() {
        remove(bytes, start, b"\"cursor\":");
    }
    if bytes.get(start..) == Some(b"{}".as_slice()) {
        bytes.remove(start);
        return Ok(());
    }
    match bytes.get_mut(start) {
        Some(first) if *first == b'{' => *first = b',',
        _ => return Err(std::io::Error::other("the data of a frame are not an object")),
    }
    Ok(())
}

/// Removes a field from the object at `start`. `key` is its name as it is written, with the colon.
fn remove(bytes: &mut Vec<u8>, start: usize, key: &[u8]) {
    let Some(object) = bytes.get(start..) else { return };
    let Some(Range { start: from, end }) = field(object, key) else { return };
    let is_last = object.get(end) != Some(&b',');
    // One of the commas around the field goes with it.
    let range = match (from, is_last) {
        (_, false) => from..end + 1,
        (2.., true) => from - 1..end,
        (_, true) => from..end,
    };
    bytes.drain(start + range.start..start + range.end);
}

/// Returns the range of a field of an object.
fn field(object: &[u8], key: &[u8]) -> Option<Range<usize>> {
    let (mut depth, mut start) = (0_usize, 0);
    for (at, byte) in outside_strings(object) {
        match byte {
            b'{' | b'[' => {
                depth += 1;
                if depth == 1 {
                    start = at + 1;
                }
            }
            b',' | b'}' if depth == 1 => {
                if object.get(start..at).is_some_and(|field| field.starts_with(key)) {
                    return Some(start..at);
                }
                start = at + 1;
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use serde_json::value::RawValue;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn the_origin_comes_first_and_no_field_is_there_twice() {
        let session = SessionId(Uuid::from_u128(7));
        let first = r#"{"session_id":"00000000-0000-0000-0000-000000000007""#;
        for (data, cursor, expected) in [
            (r#"{"a":1}"#, None, r#","a":1}"#),
            (r#"{"a":1}"#, Some("3-2-7"), r#","cursor":"3-2-7","a":1}"#),
            ("{}", None, "}"),
            (r#"{"cursor":"x"}"#, Some("3-2-7"), r#","cursor":"3-2-7"}"#),
            (r#"{"cursor":"x"}"#, None, r#","cursor":"x"}"#),
            (r#"{"a":1,"session_id":"x","b":{"session_id":"y"}}"#, None, r#","a":1,"b":{"session_id":"y"}}"#),
            (r#"{"session_id":"x","b":[1,2]}"#, None, r#","b":[1,2]}"#),
            (r#"{"b":"\\\",\"session_id\":\"","session_id":"x"}"#, None, r#","b":"\\\",\"session_id\":\""}"#),
            (
                r#"{"b":[{"cursor":1},"]}"],"cursor":"x"}"#,
                Some("3-2-7"),
                r#","cursor":"3-2-7","b":[{"cursor":1},"]}"]}"#,
            ),
        ] {
            let raw: &RawValue = serde_json::from_str(data).unwrap();
            let mut bytes = Vec::new();
            write(&mut bytes, (session, cursor.map(|cursor| cursor.parse().unwrap())), raw).unwrap();
            assert_eq!(String::from_utf8(bytes).unwrap(), format!("{first}{expected}"), "{data}");
        }
    }

    #[test]
    fn data_that_are_not_an_object_have_no_room_for_an_origin() {
        for data in [json!([1]), json!("text"), json!(null)] {
            assert!(write(&mut Vec::new(), (SessionId::default(), None), &data).is_err(), "{data}");
        }
    }
}
