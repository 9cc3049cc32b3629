//! Decoder of server-sent events: bytes in, events out, however the bytes were split.
//!
//! ```
//! use turnkit_llm::sse::{Event, SseDecoder, SseError};
//!
//! let mut decoder = SseDecoder::default();
//! let mut seen = Vec::new();
//! for read in [&b"data: he"[..], &b"llo\r"[..], &b"\n\r\n"[..]] {
//!     let pushed: Result<(), SseError> = decoder.push(read, |event: Event<'_>| {
//!         seen.push(event.text().into_owned());
//!         Ok(())
//!     });
//!     pushed.unwrap();
//! }
//! assert_eq!(seen, ["hello"]);
//! ```

use std::borrow::Cow;

use turnkit_core::{ProviderError, ProviderErrorKind};

/// The largest event, and the longest line, in bytes.
pub const MAX_EVENT: usize = 8 * 1024 * 1024;

/// One event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event<'a> {
    /// Its type; empty when the stream names none.
    pub name: &'a str,
    /// Its data lines, joined by line feeds.
    pub data: &'a [u8],
    /// The last id in the stream, from this event or an earlier one; empty if there was none.
    pub id: &'a str,
}

impl<'a> Event<'a> {
    /// Returns the data as text; invalid UTF-8 is replaced by U+FFFD.
    pub fn text(&self) -> Cow<'a, str> {
        text(self.data)
    }
}

/// A stream that cannot be decoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SseError {
    /// An event or a line is larger than [`MAX_EVENT`]. The decoder must not be used again.
    #[error("an event is larger than the limit of 8 MiB")]
    TooLarge,
}

impl From<SseError> for ProviderError {
    fn from(error: SseError) -> Self {
        Self::new(ProviderErrorKind::BadResponse, error.to_string())
    }
}

/// Decodes one stream in linear time. Follows the HTML standard, with two exceptions that providers need: an event
/// counts even if the stream ends before its blank line, and so does an object on the line after an empty `data:`.
#[derive(Debug, Clone, Default)]
pub struct SseDecoder {
    /// The beginning of a line whose end has not arrived.
    line: Vec<u8>,
    data: Vec<u8>,
    has_data: bool,
    name: String,
    id: String,
    /// A line ended in CR: an LF right after it belongs to the same line end.
    after_cr: bool,
    /// Set after the first line, which may begin with a byte order mark.
    begun: bool,
}

impl SseDecoder {
    /// Decodes the next bytes and passes each complete event to `on_event`.
    ///
    /// # Errors
    /// An event is too large, or `on_event` failed; the rest of `bytes` is ignored.
    pub fn push<E: From<SseError>>(
        &mut self,
        bytes: &[u8],
        mut on_event: impl FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut rest = bytes;
        if self.after_cr && !rest.is_empty() {
            self.after_cr = false;
            rest = rest.strip_prefix(b"\n").unwrap_or(rest);
        }
        while let Some(end) = memchr::memchr2(b'\r', b'\n', rest) {
            self.check_size(end)?;
            let (line, ending) = rest.split_at(end);
            rest = match ending {
                [b'\r', b'\n', rest @ ..] => rest,
                [b'\r'] => {
                    self.after_cr = true;
                    &[]
                }
                [_, rest @ ..] => rest,
                [] => &[],
            };
            match self.whole_event(line, rest) {
                Some((data, after)) => {
                    rest = after;
                    self.begun = true;
                    self.give(data, &mut on_event)?;
                }
                None => self.whole_line(line, &mut on_event)?,
            }
        }
        self.check_size(rest.len())?;
        self.line.extend_from_slice(rest);
        Ok(())
    }

    /// Ends the stream. Passes an event that was not followed by a blank line to `on_event`.
    ///
    /// # Errors
    /// The event is too large, or `on_event` failed.
    pub fn finish<E: From<SseError>>(&mut self, mut on_event: impl FnMut(Event<'_>) -> Result<(), E>) -> Result<(), E> {
        self.whole_line(b"", &mut on_event)?;
        self.dispatch(&mut on_event)
    }

    /// Returns the data of an event that consists of this one line, and the bytes after its blank line. Nearly every
    /// event has this form and need not be copied.
    fn whole_event<'a>(&self, line: &'a [u8], rest: &'a [u8]) -> Option<(&'a [u8], &'a [u8])> {
        let data = line.strip_prefix(b"data:").filter(|_| self.line.is_empty() && !self.has_data)?;
        let after = rest.strip_prefix(b"\n").or_else(|| rest.strip_prefix(b"\r\n"))?;
        Some((data.strip_prefix(b" ").unwrap_or(data), after))
    }

    /// Handles the last piece of a line.
    fn whole_line<E>(&mut self, piece: &[u8], on_event: &mut impl FnMut(Event<'_>) -> Result<(), E>) -> Result<(), E> {
        if self.line.is_empty() {
            return self.read_line(piece, on_event);
        }
        let mut line = std::mem::take(&mut self.line);
        line.extend_from_slice(piece);
        let read = self.read_line(&line, on_event);
        line.clear();
        self.line = line;
        read
    }

    fn read_line<E>(
        &mut self,
        mut line: &[u8],
        on_event: &mut impl FnMut(Event<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        if !self.begun {
            self.begun = true;
            line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch(on_event);
        }
        let colon = memchr::memchr(b':', line);
        let (field, value) = colon.map_or((line, &b""[..]), |at| (&line[..at], &line[at + 1..]));
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                if self.has_data {
                    self.data.push(b'\n');
                }
                self.has_data = true;
                self.data.extend_from_slice(value);
            }
            b"event" => text(value).as_ref().clone_into(&mut self.name),
            b"id" if !value.contains(&0) => text(value).as_ref().clone_into(&mut self.id),
            // One gateway writes `data:`, a line end, and then the data.
            _ if self.has_data && self.data.is_empty() && line.trim_ascii_start().starts_with(b"{") => {
                self.data.extend_from_slice(line);
            }
            _ => {}
        }
        Ok(())
    }

    /// Handles a blank line, which completes the event.
    fn dispatch<E>(&mut self, on_event: &mut impl FnMut(Event<'_>) -> Result<(), E>) -> Result<(), E> {
        if !std::mem::take(&mut self.has_data) {
            self.name.clear();
            return Ok(());
        }
        let mut data = std::mem::take(&mut self.data);
        let given = self.give(&data, on_event);
        data.clear();
        self.data = data;
        given
    }

    fn give<E>(&mut self, data: &[u8], on_event: &mut impl FnMut(Event<'_>) -> Result<(), E>) -> Result<(), E> {
        let given = on_event(Event { name: &self.name, data, id: &self.id });
        self.name.clear();
        given
    }

    fn check_size(&self, more: usize) -> Result<(), SseError> {
        let size = self.line.len() + self.data.len() + more;
        if size > MAX_EVENT { Err(SseError::TooLarge) } else { Ok(()) }
    }
}

/// Converts the bytes to text. `String::from_utf8_lossy` has the same result, but checks each byte even if all are
/// valid.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(decoder: &mut SseDecoder, bytes: &[u8]) -> Result<usize, SseError> {
        let mut events = 0;
        let count = |_: Event<'_>| {
            events += 1;
            Ok::<(), SseError>(())
        };
        decoder.push(bytes, count).map(|()| events)
    }

    #[test]
    fn an_event_has_a_limit_in_one_line_or_in_many() {
        let line = vec![b'a'; MAX_EVENT / 4];
        let mut one_line = SseDecoder::default();
        push(&mut one_line, b"data: ").unwrap();
        let pushed: Vec<_> = (0..5).map(|_| push(&mut one_line, &line)).collect();
        assert_eq!(pushed[..3], [Ok(0), Ok(0), Ok(0)]);
        assert_eq!(pushed[4], Err(SseError::TooLarge));

        let mut many_lines = SseDecoder::default();
        let line = [b"data: ", line.as_slice(), b"\n"].concat();
        let pushed: Vec<_> = (0..5).map(|_| push(&mut many_lines, &line)).collect();
        assert_eq!(pushed[..3], [Ok(0), Ok(0), Ok(0)]);
        assert_eq!(pushed[4], Err(SseError::TooLarge));

        let mut many_events = SseDecoder::default();
        let event = [line.as_slice(), b"\n"].concat();
        assert!((0..10).all(|_| push(&mut many_events, &event) == Ok(1)));
    }

    #[test]
    fn an_id_holds_until_the_next_one() {
        let mut ids = Vec::new();
        let stream = "data: a\n\nid: 1-1-1\ndata: b\n\ndata: c\n\nid: x\0\nid\ndata: d\n\n";
        let keep = |event: Event<'_>| {
            ids.push(event.id.to_owned());
            Ok::<(), SseError>(())
        };
        SseDecoder::default().push(stream.as_bytes(), keep).unwrap();
        assert_eq!(ids, ["", "1-1-1", "1-1-1", ""]);
    }

    #[test]
    fn empty_lines_and_comments_are_ignored() {
        assert_eq!(push(&mut SseDecoder::default(), "\n: ping\n\r\n".repeat(100_000).as_bytes()), Ok(0));
    }
}
