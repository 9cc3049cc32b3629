//! Server-sent event frames, as an encoder writes them for one reader.

mod origin;

use bytes::Bytes;
use serde::Serialize;

use crate::{Cursor, Fence, SessionId, TurnEvent};

/// The initial buffer capacity: enough for a typical write.
const USUAL_BYTES: usize = 1_024;

/// The frames of one stream. Frames may carry cursors, and a reader may resume from one: the frames it has received are
/// not written again.
///
/// ```
/// use turnkit_core::Frames;
///
/// let mut frames = Frames::new(false);
/// frames.text(Some("text"), "two\nlines");
/// frames.json(None, &serde_json::json!({"type": "done"}));
/// assert_eq!(frames.take(), "event: text\ndata: two\ndata: lines\n\ndata: {\"type\":\"done\"}\n\n");
/// ```
#[derive(Debug)]
pub struct Frames {
    bytes: Vec<u8>,
    /// Whether frames carry their cursor.
    ids: bool,
    /// The session of the next frames, if their data name it.
    session: Option<SessionId>,
    /// The cursor of the next frame; `None` before the first event.
    next: Option<Cursor>,
    /// The last frame that the reader has received.
    seen: Option<Cursor>,
    ended: bool,
}

impl Frames {
    /// Creates the frames for a reader from the start of a turn. If `ids` is set, frames carry their cursors as `id:`
    /// lines.
    pub fn new(ids: bool) -> Self {
        Self { bytes: Vec::new(), ids, session: None, next: None, seen: None, ended: false }
    }

    /// Skips all frames up to and including the one named by `cursor`, which the reader has received. A reader that has
    /// one frame of an event also has the event's earlier frames.
    pub fn skip_through(&mut self, cursor: Cursor) {
        self.seen = Some(cursor);
    }

    /// Starts the frames of `event`, in the session's turn number `turn`.
    pub fn begin(&mut self, turn: u32, event: &TurnEvent) {
        self.next = Some(event.cursor(turn));
    }

    /// Starts a snapshot of the state at `cursor`, followed by later events. No frame is skipped, whatever the reader
    /// has received before.
    pub fn start_snapshot(&mut self, cursor: Cursor) {
        self.next = Some(cursor);
        self.seen = None;
    }

    /// Sets the session of the next frames, in a stream of several sessions. The data of their JSON begin with the
    /// fields `session_id` and, in place of an `id:` line, `cursor`. Frames without a session are written unchanged.
    pub fn set_session(&mut self, session: Option<SessionId>) {
        self.session = session;
    }

    /// Starts frames outside the log. They have no cursor and are never skipped.
    pub fn start_outside_log(&mut self) {
        self.next = None;
    }

    /// Writes one frame with plain text as data. Each line becomes a `data:` line. The text must not contain a carriage
    /// return.
    pub fn text(&mut self, event: Option<&str>, data: &str) {
        let cursor = self.next_id();
        if !self.head(event) {
            return;
        }
        self.write_id(cursor);
        // Tokens are short, so comparing each byte is faster than a search.
        for line in data.as_bytes().split(|byte| *byte == b'\n') {
            self.bytes.extend_from_slice(b"data: ");
            self.bytes.extend_from_slice(line);
            self.bytes.extend_from_slice(b"\n");
        }
        self.bytes.extend_from_slice(b"\n");
    }

    /// Writes one frame with JSON as data, on a single line under every definition of a line end.
    pub fn json<T: Serialize + ?Sized>(&mut self, event: Option<&str>, data: &T) {
        let (before, cursor) = (self.bytes.len(), self.next_id());
        if !self.head(event) {
            return;
        }
        if self.session.is_none() {
            self.write_id(cursor);
        }
        self.bytes.extend_from_slice(b"data: ");
        let start = self.bytes.len();
        let written = match self.session {
            None => serde_json::to_writer(&mut self.bytes, data).is_ok(),
            Some(session) => origin::write(&mut self.bytes, (session, cursor), data).is_ok(),
        };
        if !written {
            // Only maps with non-string keys fail, and data with a session that are no object. It is better to write no
            // frame than half of one.
            self.bytes.truncate(before);
            return;
        }
        keep_on_one_line(&mut self.bytes, start);
        self.bytes.extend_from_slice(b"\n\n");
    }

    /// Writes a comment line. Readers ignore it, but it keeps the connection from looking dead.
    pub fn comment(&mut self) {
        self.bytes.extend_from_slice(b":\n\n");
    }

    /// Returns `true` if the last event begun has a frame, written or skipped.
    pub fn has_frame(&self) -> bool {
        self.next.is_some_and(|next| next.frame > 0)
    }

    /// Ends the stream: the reader has received its last frame, and nothing more is written.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// Returns `true` if the stream has ended.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Returns `true` if no bytes are buffered.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Returns the number of buffered bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Takes all buffered bytes, in an allocation of exactly their size, because they stay in memory for as long as the
    /// reader does not read. The frames keep no buffer, so an idle reader costs no memory.
    pub fn take(&mut self) -> Bytes {
        Bytes::copy_from_slice(&std::mem::take(&mut self.bytes))
    }

    /// Begins a frame. Returns `false` if the reader already has it or the stream has ended.
    fn head(&mut self, event: Option<&str>) -> bool {
        if self.ended {
            return false;
        }
        let cursor = self.next;
        if let Some(next) = &mut self.next {
            next.frame = next.frame.saturating_add(1);
        }
        if let (Some(cursor), Some(seen)) = (cursor, self.seen)
            && place_in_log(cursor) <= place_in_log(seen)
        {
            return false;
        }
        if self.bytes.is_empty() {
            self.bytes.reserve(USUAL_BYTES);
        }
        if let Some(event) = event {
            self.bytes.extend_from_slice(b"event: ");
            self.bytes.extend_from_slice(event.as_bytes());
            self.bytes.extend_from_slice(b"\n");
        }
        true
    }

    /// Returns the cursor that the next frame carries, if any.
    fn next_id(&self) -> Option<Cursor> {
        self.next.filter(|_| self.ids)
    }

    fn write_id(&mut self, cursor: Option<Cursor>) {
        if let Some(cursor) = cursor {
            self.bytes.extend_from_slice(b"id: ");
            self.bytes.extend_from_slice(cursor.text().as_bytes());
            self.bytes.extend_from_slice(b"\n");
        }
    }
}

/// Orders cursors by the log. The events of a later owner follow those of an earlier one, even if they reuse the
/// numbers of retracted events.
fn place_in_log(cursor: Cursor) -> (u32, Fence, u32, u8) {
    (cursor.turn, cursor.fence, cursor.seq, cursor.frame)
}

/// Removes everything from the JSON at `start` that a reader could take for a line end. Some readers also split at
/// U+0085, U+2028 and U+2029. JSON allows these inside strings, where they are escaped. `\n` and `\r` can only stand
/// outside of strings, where they are white space.
fn keep_on_one_line(bytes: &mut Vec<u8>, start: usize) {
    let may_begin_line_end = |byte: u8| matches!(byte, b'\n' | b'\r' | 0xC2 | 0xE2);
    // Checking all bytes without an early exit is faster than stopping at the first match.
    if !bytes.iter().skip(start).fold(false, |found, byte| found | may_begin_line_end(*byte)) {
        return;
    }
    let json = bytes.split_off(start);
    let mut rest = json.as_slice();
    while let [first, after @ ..] = rest {
        rest = match rest {
            [b'\n' | b'\r', after @ ..] => {
                bytes.push(b' ');
                after
            }
            [0xC2, 0x85, after @ ..] => {
                bytes.extend_from_slice(b"\\u0085");
                after
            }
            [0xE2, 0x80, 0xA8, after @ ..] => {
                bytes.extend_from_slice(b"\\u2028");
                after
            }
            [0xE2, 0x80, 0xA9, after @ ..] => {
                bytes.extend_from_slice(b"\\u2029");
                after
            }
            _ => {
                bytes.push(*first);
                after
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{EventKind, PartId, RawJson, Timestamp};

    /// Characters that some readers treat as a line end.
    const LINE_ENDS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

    fn event(seq: u32) -> TurnEvent {
        let kind = EventKind::PartDelta { id: PartId { step: 1, part: 0 }, text: "x".into() };
        TurnEvent { seq, fence: Fence(3), at: Timestamp::default(), kind }
    }

    #[test]
    fn taken_bytes_have_no_spare_capacity() {
        let mut frames = Frames::new(true);
        for seq in 1..=100 {
            frames.begin(1, &event(seq));
            frames.text(None, "a word");
        }
        let taken = frames.take();
        let (bytes, room) = (taken.len(), taken.try_into_mut().map(|taken| taken.capacity()));
        assert_eq!(room, Ok(bytes));
        assert_eq!(frames.bytes.capacity(), 0);
    }

    #[test]
    fn two_frames_of_one_event_have_cursors_of_their_own() {
        let mut frames = Frames::new(true);
        frames.begin(2, &event(7));
        frames.text(Some("a"), "1");
        frames.text(Some("b"), "2");
        assert_eq!(frames.take(), "event: a\nid: 3-2-7\ndata: 1\n\nevent: b\nid: 3-2-7-1\ndata: 2\n\n");
    }

    #[test]
    fn frames_that_the_reader_has_are_not_written_again() {
        let mut frames = Frames::new(true);
        frames.skip_through("3-2-7".parse().unwrap());
        for seq in [6, 7, 8] {
            frames.begin(2, &event(seq));
            frames.text(None, "first");
            frames.text(None, "second");
        }
        let written = frames.take();
        assert_eq!(written, "id: 3-2-7-1\ndata: second\n\nid: 3-2-8\ndata: first\n\nid: 3-2-8-1\ndata: second\n\n");
    }

    #[test]
    fn a_snapshot_is_written_even_if_the_reader_is_ahead() {
        let mut frames = Frames::new(true);
        frames.skip_through("3-2-7".parse().unwrap());
        frames.start_snapshot("4-2-5".parse().unwrap());
        frames.text(None, "so far");
        frames.begin(2, &event(6));
        frames.text(None, "next");
        assert_eq!(frames.take(), "id: 4-2-5\ndata: so far\n\nid: 3-2-6\ndata: next\n\n");
    }

    #[test]
    fn an_event_that_replaces_a_seen_one_is_written() {
        let mut frames = Frames::new(true);
        frames.skip_through("3-2-7".parse().unwrap());
        frames.begin(2, &TurnEvent { fence: Fence(4), ..event(5) });
        frames.text(None, "redone");
        assert_eq!(frames.take(), "id: 4-2-5\ndata: redone\n\n");
    }

    #[test]
    fn a_frame_of_one_of_several_sessions_names_it_in_its_data() {
        let session = SessionId(uuid::Uuid::from_u128(7));
        let mut frames = Frames::new(true);
        frames.set_session(Some(session));
        frames.begin(2, &event(7));
        frames.json(Some("a"), &json!({ "n": 1 }));
        frames.start_outside_log();
        frames.json(Some("b"), &json!({ "n": 2 }));
        frames.set_session(None);
        frames.json(Some("c"), &json!({ "n": 3 }));
        let expected = format!(
            "event: a\ndata: {{\"session_id\":\"{session}\",\"cursor\":\"3-2-7\",\"n\":1}}\n\n\
             event: b\ndata: {{\"session_id\":\"{session}\",\"n\":2}}\n\nevent: c\ndata: {{\"n\":3}}\n\n"
        );
        assert_eq!(frames.take(), expected);
    }

    #[test]
    fn json_stays_on_one_line_and_means_the_same() {
        let raw = RawJson::parse("{\n  \"a\": \"x\u{2028}y\"\r\n}").unwrap();
        let data = json!({ "text": "a\nb\r\u{85}\u{2028}\u{2029}", "raw": "see" });
        for (value, expected) in [
            (serde_json::to_value(&raw).unwrap(), serde_json::to_string(&raw).unwrap()),
            (data.clone(), data.to_string()),
        ] {
            let mut frames = Frames::new(false);
            frames.json(None, &value);
            let written = String::from_utf8(frames.take().to_vec()).unwrap();
            let line = written.strip_prefix("data: ").unwrap().strip_suffix("\n\n").unwrap();
            assert!(!line.contains(LINE_ENDS), "{line}");
            let (meant, wanted): (serde_json::Value, serde_json::Value) =
                (serde_json::from_str(line).unwrap(), serde_json::from_str(&expected).unwrap());
            assert_eq!(meant, wanted);
        }
        let mut frames = Frames::new(false);
        frames.json(None, &raw);
        assert_eq!(frames.take(), "data: {   \"a\": \"x\\u2028y\"  }\n\n");
    }

    #[test]
    fn a_reader_that_has_taken_all_costs_no_buffer() {
        let mut frames = Frames::new(false);
        frames.text(None, &"x".repeat(100_000));
        assert_eq!(frames.len(), 100_008);
        assert_eq!(frames.take().len(), 100_008);
        assert_eq!((frames.len(), frames.bytes.capacity()), (0, 0));
    }

    #[test]
    fn an_event_has_a_frame_even_if_the_reader_already_has_it() {
        let mut frames = Frames::new(true);
        frames.skip_through("3-2-7".parse().unwrap());
        for seq in [7, 8] {
            frames.begin(2, &event(seq));
            assert!(!frames.has_frame());
            frames.text(None, "x");
            assert!(frames.has_frame());
        }
    }

    #[test]
    fn nothing_follows_the_end() {
        let mut frames = Frames::new(false);
        frames.text(None, "last");
        frames.end();
        frames.text(None, "late");
        assert!(frames.has_ended());
        assert_eq!(frames.take(), "data: last\n\n");
    }
}
