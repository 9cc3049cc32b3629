//! Incremental writing of JSON.

use serde::Serialize;

/// The capacity that the encoding of a message starts with: most messages fit, so they are not moved while they grow.
pub(super) const USUAL_MESSAGE_BYTES: usize = 256;

/// Writes a text. Most texts need no escaping, and checking this first is faster than searching byte by byte for the
/// place.
pub(super) fn write_text(body: &mut Vec<u8>, text: &str) {
    let is_escaped = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    if text.bytes().fold(false, |found, byte| found | is_escaped(byte)) {
        return write_json(body, text);
    }
    body.reserve(text.len() + 2);
    body.push(b'"');
    body.extend_from_slice(text.as_bytes());
    body.push(b'"');
}

/// Writes a text or a number. Both always serialise.
pub(super) fn write_json<T: Serialize + ?Sized>(body: &mut Vec<u8>, value: &T) {
    let written = serde_json::to_writer(&mut *body, value);
    debug_assert!(written.is_ok(), "writing to memory does not fail");
}
