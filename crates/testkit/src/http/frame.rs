//! Server-sent events as a client receives them.

use std::io;

use serde_json::Value;

/// One server-sent event, parsed and as raw text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    /// The event name, if present.
    pub event: Option<String>,
    /// The event id, which a client sends as `Last-Event-ID` when it reconnects, if present.
    pub id: Option<String>,
    /// The data, with its lines joined.
    pub data: String,
    /// The raw text of the event, including the empty line at its end.
    pub text: String,
}

impl Frame {
    /// Returns the event name, or an empty string if there is none.
    pub fn name(&self) -> &str {
        self.event.as_deref().unwrap_or_default()
    }

    /// Returns the data parsed as JSON, or null if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.data).unwrap_or_default()
    }

    /// Parses the frame in `text`. Returns `None` for a frame without data, which clients ignore.
    fn parse(text: &str) -> io::Result<Option<Self>> {
        let mut frame = Self { event: None, id: None, data: String::new(), text: text.to_owned() };
        let mut data = Vec::new();
        for line in text.lines() {
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match name {
                "event" => frame.event = Some(value.to_owned()),
                "id" => frame.id = Some(value.to_owned()),
                "data" => data.push(value),
                "" => {}
                _ => return Err(io::Error::other(format!("{line:?} is not a line of an event"))),
            }
        }
        frame.data = data.join("\n");
        Ok((!data.is_empty()).then_some(frame))
    }
}

/// Assembles frames from bytes as they arrive. It is stricter than a browser: lines must end with a line feed alone,
/// and only the fields that the server sends are accepted.
#[derive(Debug, Default)]
pub struct FrameReader {
    waiting: Vec<u8>,
}

impl FrameReader {
    /// Returns the frames that `bytes` complete.
    ///
    /// # Errors
    /// The bytes contain anything other than events in UTF-8.
    pub fn push(&mut self, bytes: &[u8]) -> io::Result<Vec<Frame>> {
        let mut frames = Vec::new();
        let mut from = self.waiting.len().saturating_sub(1);
        self.waiting.extend_from_slice(bytes);
        let mut begin = 0;
        while let Some(at) = self.waiting.get(from..).and_then(|rest| rest.windows(2).position(|two| two == b"\n\n")) {
            let end = from + at + 2;
            let text = std::str::from_utf8(&self.waiting[begin..end]).map_err(io::Error::other)?;
            if text.contains('\r') {
                return Err(io::Error::other(format!("a carriage return in {text:?}")));
            }
            frames.extend(Frame::parse(text)?);
            (begin, from) = (end, end);
        }
        self.waiting.drain(..begin);
        Ok(frames)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STREAM: &[u8] = b":\n\nevent: text\nid: 1-1-2\ndata: two\ndata:  lines\n\n:\n\ndata: {\"a\":1}\n\n";

    #[test]
    fn frames_are_the_same_however_the_bytes_come() {
        for size in 1..=STREAM.len() {
            let mut reader = FrameReader::default();
            let frames: Vec<Frame> = STREAM.chunks(size).flat_map(|bytes| reader.push(bytes).unwrap()).collect();
            assert_eq!(frames.len(), 2);
            assert_eq!((frames[0].name(), frames[0].id.as_deref()), ("text", Some("1-1-2")));
            assert_eq!(frames[0].data, "two\n lines");
            assert_eq!(frames[0].text, "event: text\nid: 1-1-2\ndata: two\ndata:  lines\n\n");
            assert_eq!((frames[1].event.as_deref(), frames[1].json()["a"].as_u64()), (None, Some(1)));
        }
    }

    #[test]
    fn an_invalid_event_is_an_error() {
        for bytes in ["data: a\rb\n\n", "{\"error\":1}\n\n", "retry: 1\n\n"] {
            assert!(FrameReader::default().push(bytes.as_bytes()).is_err(), "{bytes:?}");
        }
    }
}
