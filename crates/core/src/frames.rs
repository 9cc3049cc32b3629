//! Server-sent events, as an encoder writes them for one reader.

use bytes::Bytes;
use serde::Serialize;

use crate::{Cursor, Fence, TurnEvent};

/// Room for what is usually written at once.
const USUAL_BYTES: usize = 1_024;

/// The frames of one stream. Its reader may have been given cursors, and may have come back with one: what it has seen
/// is not written again.
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
    /// What names the next frame; none before the first event.
    next: Option<Cursor>,
    /// The last frame the reader has.
    seen: Option<Cursor>,
    ended: bool,
}

impl Frames {
    /// Frames for a reader from the start of a turn; with their cursors as `id:` lines if it wants `ids`.
    pub fn new(ids: bool) -> Self {
        Self { bytes: Vec::new(), ids, next: None, seen: None, ended: false }
    }

    /// Leaves out all frames up to the one the reader has seen, which is named by `cursor`. A reader that has the frame
    /// of an event has what the event's frames before it said.
    pub fn leave_out_up_to(&mut self, cursor: Cursor) {
        self.seen = Some(cursor);
    }

    /// What is written from now on says what `event` of the session's turn number `turn` means.
    pub fn begin(&mut self, turn: u32, event: &TurnEvent) {
        self.next = Some(event.cursor(turn));
    }

    /// What is written from now on says how things stand at `cursor`, and what comes after: whatever the reader has seen,
    /// nothing of it is left out.
    pub fn begin_at(&mut self, cursor: Cursor) {
        self.next = Some(cursor);
        self.seen = None;
    }

    /// What is written from now on is outside the log: it has no cursor and is never left out.
    pub fn begin_beside_log(&mut self) {
        self.next = None;
    }

    /// One frame with plain text as data. Lines become `data:` lines; a carriage return must not be in it.
    pub fn text(&mut self, event: Option<&str>, data: &str) {
        if !self.head(event) {
            return;
        }
        // A token is short: to look at each of its bytes is quicker than to search.
        for line in data.as_bytes().split(|byte| *byte == b'\n') {
            self.bytes.extend_from_slice(b"data: ");
            self.bytes.extend_from_slice(line);
            self.bytes.extend_from_slice(b"\n");
        }
        self.bytes.extend_from_slice(b"\n");
    }

    /// One frame with JSON as data, on one line for whatever counts as the end of a line.
    pub fn json<T: Serialize + ?Sized>(&mut self, event: Option<&str>, data: &T) {
        let before = self.bytes.len();
        if !self.head(event) {
            return;
        }
        self.bytes.extend_from_slice(b"data: ");
        let start = self.bytes.len();
        if serde_json::to_writer(&mut self.bytes, data).is_err() {
            // Only maps with keys that are not strings fail; no frame is better than half of one.
            self.bytes.truncate(before);
            return;
        }
        keep_on_one_line(&mut self.bytes, start);
        self.bytes.extend_from_slice(b"\n\n");
    }

    /// A line that readers ignore and that keeps the connection from looking dead.
    pub fn comment(&mut self) {
        self.bytes.extend_from_slice(b":\n\n");
    }

    /// Whether what was begun last has a frame, written or left out because the reader has it.
    pub fn says_something(&self) -> bool {
        self.next.is_some_and(|next| next.frame > 0)
    }

    /// The reader has been told the end: its stream closes, and nothing more is written.
    pub fn end(&mut self) {
        self.ended = true;
    }

    /// Whether the reader's stream is over.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// Whether nothing waits to be taken.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// How many bytes wait to be taken.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Everything written since it was last taken, in no more memory than that takes: it lies there for as long as its
    /// reader does not read. A reader that waits costs no buffer.
    pub fn take(&mut self) -> Bytes {
        Bytes::copy_from_slice(&std::mem::take(&mut self.bytes))
    }

    /// Begins a frame; `false` if the reader has it already or has been told the end.
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
        if let Some(cursor) = cursor.filter(|_| self.ids) {
            self.bytes.extend_from_slice(b"id: ");
            self.bytes.extend_from_slice(cursor.text().as_bytes());
            self.bytes.extend_from_slice(b"\n");
        }
        true
    }
}

/// A later owner's events come after those of an earlier one, even where they have the numbers of what was retracted.
fn place_in_log(cursor: Cursor) -> (u32, Fence, u32, u8) {
    (cursor.turn, cursor.fence, cursor.seq, cursor.frame)
}

/// Rids the JSON that begins at `start` of what a reader could take for the end of a line: some split at U+0085, U+2028
/// and U+2029 too, which JSON allows inside strings, where they can be escaped. The others stand outside of strings, where
/// they are white space.
fn keep_on_one_line(bytes: &mut Vec<u8>, start: usize) {
    let may_begin_line_end = |byte: u8| matches!(byte, b'\n' | b'\r' | 0xC2 | 0xE2);
    // All bytes are looked at, which is quicker than to stop at the first.
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

    /// What some reader or other takes for the end of a line.
    const LINE_ENDS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

    fn event(seq: u32) -> TurnEvent {
        let kind = EventKind::PartDelta { id: PartId { step: 1, part: 0 }, text: "x".into() };
        TurnEvent { seq, fence: Fence(3), at: Timestamp::default(), kind }
    }

    #[test]
    fn what_was_taken_occupies_no_more_than_its_bytes() {
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
    fn what_a_reader_has_seen_is_not_written_again() {
        let mut frames = Frames::new(true);
        frames.leave_out_up_to("3-2-7".parse().unwrap());
        for seq in [6, 7, 8] {
            frames.begin(2, &event(seq));
            frames.text(None, "first");
            frames.text(None, "second");
        }
        let written = frames.take();
        assert_eq!(written, "id: 3-2-7-1\ndata: second\n\nid: 3-2-8\ndata: first\n\nid: 3-2-8-1\ndata: second\n\n");
    }

    #[test]
    fn how_things_stand_is_told_to_whoever_had_seen_more() {
        let mut frames = Frames::new(true);
        frames.leave_out_up_to("3-2-7".parse().unwrap());
        frames.begin_at("4-2-5".parse().unwrap());
        frames.text(None, "so far");
        frames.begin(2, &event(6));
        frames.text(None, "next");
        assert_eq!(frames.take(), "id: 4-2-5\ndata: so far\n\nid: 3-2-6\ndata: next\n\n");
    }

    #[test]
    fn what_takes_the_place_of_something_seen_is_written() {
        let mut frames = Frames::new(true);
        frames.leave_out_up_to("3-2-7".parse().unwrap());
        frames.begin(2, &TurnEvent { fence: Fence(4), ..event(5) });
        frames.text(None, "redone");
        assert_eq!(frames.take(), "id: 4-2-5\ndata: redone\n\n");
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
    fn an_event_says_something_once_it_has_a_frame_even_one_the_reader_has() {
        let mut frames = Frames::new(true);
        frames.leave_out_up_to("3-2-7".parse().unwrap());
        for seq in [7, 8] {
            frames.begin(2, &event(seq));
            assert!(!frames.says_something());
            frames.text(None, "x");
            assert!(frames.says_something());
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
