//! Writing JSON piece by piece.

use serde::Serialize;

/// Writes a text or a number; these always serialise.
pub(super) fn write_json<T: Serialize + ?Sized>(body: &mut Vec<u8>, value: &T) {
    let written = serde_json::to_writer(&mut *body, value);
    debug_assert!(written.is_ok(), "writing to memory does not fail");
}
