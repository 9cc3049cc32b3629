//! Server-sent events in the body of a response.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::StreamExt as _;
use futures_util::stream::{self, BoxStream};
use rmcp::transport::streamable_http_client::SseError;
use sse_stream::Sse;
use turnkit_net::{Body, NetError};

use crate::flood::MessageRate;

/// Returns the events of a body. An event of more than `max` bytes ends the stream with an error. So do too many events
/// at a time, which also set `flooded`.
pub(crate) fn events(body: Body, max: usize, flooded: &Arc<AtomicBool>) -> BoxStream<'static, Result<Sse, SseError>> {
    let reader = (body, Decoder::new(max), MessageRate::new(), Arc::clone(flooded));
    stream::unfold(Some(reader), |reader| async move {
        let (mut body, mut decoder, mut rate, flooded) = reader?;
        loop {
            if let Some(event) = decoder.ready.pop_front() {
                if let Err(flood) = rate.count() {
                    flooded.store(true, Ordering::Release);
                    return Some((Err(SseError::Body(Box::new(flood))), None));
                }
                return Some((Ok(event), Some((body, decoder, rate, flooded))));
            }
            let read = match body.next().await? {
                Ok(bytes) => decoder.take(&bytes),
                Err(error) => Err(error),
            };
            if let Err(error) = read {
                return Some((Err(SseError::Body(Box::new(error))), None));
            }
        }
    })
    .boxed()
}

/// Decodes events. It ignores fields that it does not know and values that it cannot read, as browsers do.
struct Decoder {
    max: usize,
    line: Vec<u8>,
    event: Sse,
    /// The size of the current event without its current line.
    size: usize,
    is_first_line: bool,
    /// The last line ended with a carriage return, which a line feed may follow.
    after_return: bool,
    ready: VecDeque<Sse>,
}

impl Decoder {
    fn new(max: usize) -> Self {
        let (line, event, ready) = (Vec::new(), Sse::default(), VecDeque::new());
        Self { max, line, event, size: 0, is_first_line: true, after_return: false, ready }
    }

    fn take(&mut self, mut bytes: &[u8]) -> Result<(), NetError> {
        if self.after_return && !bytes.is_empty() {
            self.after_return = false;
            bytes = bytes.strip_prefix(b"\n").unwrap_or(bytes);
        }
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\n' | b'\r')) {
            let (line, rest) = bytes.split_at(end);
            self.keep(line)?;
            self.end_line();
            let after = &rest[1..];
            bytes = match rest.starts_with(b"\r") {
                true if after.is_empty() => {
                    self.after_return = true;
                    after
                }
                true => after.strip_prefix(b"\n").unwrap_or(after),
                false => after,
            };
        }
        self.keep(bytes)
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<(), NetError> {
        if self.size + self.line.len() + bytes.len() > self.max {
            return Err(NetError::TooLarge);
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&line);
        let is_first = std::mem::replace(&mut self.is_first_line, false);
        let text = if is_first { text.strip_prefix('\u{feff}').unwrap_or(&*text) } else { &*text };
        if text.is_empty() {
            self.size = 0;
            let event = std::mem::take(&mut self.event);
            if event != Sse::default() {
                self.ready.push_back(event);
            }
        } else if !text.starts_with(':') {
            self.size += line.len();
            let (field, value) = text.split_once(':').unwrap_or((text, ""));
            self.set(field, value.strip_prefix(' ').unwrap_or(value));
        }
    }

    fn set(&mut self, field: &str, value: &str) {
        match field {
            "data" => match &mut self.event.data {
                Some(data) => {
                    data.push('\n');
                    data.push_str(value);
                }
                none => *none = Some(value.to_owned()),
            },
            "event" => self.event.event = Some(value.to_owned()),
            "id" if !value.contains('\0') => self.event.id = Some(value.to_owned()),
            "retry" => self.event.retry = value.parse().ok(),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\u{feff}: hello\ndata: one\n\nid: 7\r\nevent: message\r\ndata:two\r\ndata:  three\r\n\r\n\
                        retry: 10\rdata: ö\r\r\nunknown: x\nno colon\nretry: soon\n\ndata: unfinished\n";

    fn decoded(text: &[u8], piece: usize) -> Vec<Sse> {
        let mut decoder = Decoder::new(1_000);
        for bytes in text.chunks(piece) {
            decoder.take(bytes).unwrap();
        }
        decoder.ready.into()
    }

    #[test]
    fn events_are_the_same_however_they_are_cut() {
        let expected = [
            Sse::default().data("one"),
            Sse::default().data("two\n three").id("7").event("message"),
            Sse::default().data("ö").retry(10),
        ];
        for piece in 1..=TEXT.len() {
            assert_eq!(decoded(TEXT.as_bytes(), piece), expected, "{piece}");
        }
    }

    #[test]
    fn an_event_is_bounded_and_comments_do_not_add_up() {
        let mut decoder = Decoder::new(100);
        for _ in 0..1_000 {
            decoder.take(b": still here\n").unwrap();
            decoder.take(b"data: 1234567890\n\n").unwrap();
        }
        assert_eq!(decoder.ready.len(), 1_000);
        let endless = |piece: &[u8]| {
            let mut decoder = Decoder::new(100);
            (0..1_000).try_for_each(|_| decoder.take(piece))
        };
        for piece in [&b"x"[..], b"data: x\n", b"data: x\r\n", b"data: x\r"] {
            assert_eq!(endless(piece), Err(NetError::TooLarge));
        }
    }
}
