//! A scripted response of the fake upstream.

use std::time::Duration;

use serde_json::{Value, json};

use crate::Gate;

/// A response, built in the order it happens on the wire.
///
/// The first group of methods appends content. The second group adds faults to the content so far; positions are byte
/// offsets in the body.
///
/// ```
/// use serde_json::json;
/// use turnkit_testkit::{Gate, Response};
///
/// let split_inside_characters = Response::text("čau 👋").split_every(1);
/// let windows = Response::text("hi").comment("PROCESSING").crlf();
/// let cut = Response::text("Hello there").cut_at(200);
/// let calls = Response::calls(&[("call_1", "lookup", r#"{"key":"a"}"#), ("call_2", "lookup", r#"{"key":"b"}"#)]);
/// let stalls = Response::stream().delta(json!({ "content": "so" })).wait(&Gate::new()).finish("stop").done();
/// ```
#[derive(Debug, Clone)]
pub struct Response {
    status: u16,
    headers: Vec<(String, String)>,
    acts: Vec<Act>,
    framing: Framing,
}

/// How the client learns the end of the body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Framing {
    Chunked,
    /// The declared length: that of the body without faults.
    Length(usize),
}

/// One step of writing a response.
#[derive(Debug, Clone)]
pub(super) enum Act {
    Send(Vec<u8>),
    Sleep(Duration),
    Wait(Gate),
    Hang,
    Cut,
    Reset,
}

impl Response {
    /// Creates a complete streamed answer of one text, word by word, with usage and `[DONE]`.
    pub fn text(text: &str) -> Self {
        let begun = Self::stream().delta(json!({ "role": "assistant", "content": "" }));
        let said = text.split_inclusive(' ').fold(begun, |response, word| response.delta(json!({ "content": word })));
        said.finish("stop").usage(10, 5).done()
    }

    /// Creates a complete streamed answer of tool calls, each `(id, name, arguments)`, with usage and `[DONE]`.
    pub fn calls(calls: &[(&str, &str, &str)]) -> Self {
        let begun = Self::stream().delta(json!({ "role": "assistant", "content": null }));
        let said = calls.iter().enumerate().fold(begun, |response, (index, (id, name, arguments))| {
            let head =
                json!({ "index": index, "id": id, "type": "function", "function": { "name": name, "arguments": "" } });
            let rest = json!({ "index": index, "function": { "arguments": arguments } });
            response.delta(json!({ "tool_calls": [head] })).delta(json!({ "tool_calls": [rest] }))
        });
        said.finish("tool_calls").usage(10, 5).done()
    }

    /// Creates an error response in the shape of the wire format.
    pub fn status(status: u16, message: &str) -> Self {
        Self::json(status, &json!({ "error": { "message": message, "type": "error", "code": null } }))
    }

    /// Creates a response that is not streamed, with `body` as JSON.
    pub fn json(status: u16, body: &Value) -> Self {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        let body = body.to_string().into_bytes();
        let framing = Framing::Length(body.len());
        Self { status, headers, acts: vec![Act::Send(body)], framing }
    }

    /// Creates an empty stream.
    pub fn stream() -> Self {
        let headers = vec![("content-type".to_owned(), "text/event-stream".to_owned())];
        Self { status: 200, headers, acts: Vec::new(), framing: Framing::Chunked }
    }

    /// Adds a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Appends a chunk with one choice, whose `delta` is the given value.
    #[must_use]
    #[expect(clippy::needless_pass_by_value, reason = "a script reads best with json!(…) in place")]
    pub fn delta(self, delta: Value) -> Self {
        self.event(&chunk(json!([{ "index": 0, "delta": delta, "finish_reason": null }]), Value::Null))
    }

    /// Appends a chunk with a finish reason.
    #[must_use]
    pub fn finish(self, reason: &str) -> Self {
        self.event(&chunk(json!([{ "index": 0, "delta": {}, "finish_reason": reason }]), Value::Null))
    }

    /// Appends a chunk without choices that reports usage.
    #[must_use]
    pub fn usage(self, input: u64, output: u64) -> Self {
        let usage = json!({ "prompt_tokens": input, "completion_tokens": output, "total_tokens": input + output });
        self.event(&chunk(json!([]), usage))
    }

    /// Appends the end marker `[DONE]`.
    #[must_use]
    pub fn done(self) -> Self {
        self.raw(b"data: [DONE]\n\n")
    }

    /// Appends an event with `data` as JSON.
    #[must_use]
    pub fn event(self, data: &Value) -> Self {
        self.raw(format!("data: {data}\n\n").as_bytes())
    }

    /// Appends an error inside the stream, in the shape of the wire format.
    #[must_use]
    pub fn error(self, message: &str, code: &str) -> Self {
        self.event(&json!({ "error": { "message": message, "code": code } }))
    }

    /// Appends an SSE comment.
    #[must_use]
    pub fn comment(self, text: &str) -> Self {
        self.raw(format!(": {text}\n\n").as_bytes())
    }

    /// Appends raw bytes.
    #[must_use]
    pub fn raw(self, bytes: &[u8]) -> Self {
        self.act(Act::Send(bytes.to_vec()))
    }

    /// Sleeps before continuing, in tokio's time.
    #[must_use]
    pub fn sleep(self, duration: Duration) -> Self {
        self.act(Act::Sleep(duration))
    }

    /// Waits at a gate before continuing.
    #[must_use]
    pub fn wait(self, gate: &Gate) -> Self {
        self.act(Act::Wait(gate.clone()))
    }

    /// Sends nothing more and never ends.
    #[must_use]
    pub fn hang(self) -> Self {
        self.act(Act::Hang)
    }

    /// Appends the content of another response.
    #[must_use]
    pub fn followed_by(mut self, rest: Self) -> Self {
        self.acts.extend(rest.acts);
        self
    }

    /// Closes the connection here.
    #[must_use]
    pub fn cut(self) -> Self {
        self.act(Act::Cut)
    }

    /// Resets the connection here.
    #[must_use]
    pub fn reset(self) -> Self {
        self.act(Act::Reset)
    }

    /// Splits the content so far into pieces of this many bytes, each in a separate write. Zero counts as one.
    #[must_use]
    pub fn split_every(mut self, bytes: usize) -> Self {
        let split = |act| match act {
            Act::Send(sent) => sent.chunks(bytes.max(1)).map(|piece| Act::Send(piece.to_vec())).collect(),
            other => vec![other],
        };
        self.acts = self.acts.into_iter().flat_map(split).collect();
        self
    }

    /// Pauses this long after each piece of the content so far.
    #[must_use]
    pub fn pace(mut self, pause: Duration) -> Self {
        self.acts = self.acts.into_iter().flat_map(|act| [act, Act::Sleep(pause)]).collect();
        self
    }

    /// Ends the lines of the content so far with CR and LF.
    #[must_use]
    pub fn crlf(mut self) -> Self {
        let ended = |byte: &u8| if *byte == b'\n' { vec![b'\r', b'\n'] } else { vec![*byte] };
        for act in &mut self.acts {
            if let Act::Send(bytes) = act {
                *bytes = bytes.iter().flat_map(ended).collect();
            }
        }
        self
    }

    /// Sends only the first `bytes` of the body, then closes the connection.
    #[must_use]
    pub fn cut_at(self, bytes: usize) -> Self {
        self.truncated(bytes).cut()
    }

    /// Sends only the first `bytes` of the body, then resets the connection.
    #[must_use]
    pub fn reset_at(self, bytes: usize) -> Self {
        self.truncated(bytes).reset()
    }

    /// Sends only the first `bytes` of the body, then stalls forever.
    #[must_use]
    pub fn hang_at(self, bytes: usize) -> Self {
        self.truncated(bytes).hang()
    }

    /// Returns the body, without pauses and faults.
    pub fn body(&self) -> Vec<u8> {
        let sent = self.acts.iter().filter_map(|act| if let Act::Send(bytes) = act { Some(bytes) } else { None });
        sent.flatten().copied().collect()
    }

    pub(super) fn head(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} {}\r\n", self.status, reason(self.status));
        let framing = match self.framing {
            Framing::Chunked => ("transfer-encoding".to_owned(), "chunked".to_owned()),
            Framing::Length(length) => ("content-length".to_owned(), length.to_string()),
        };
        for (name, value) in self.headers.iter().chain([&framing]) {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        head.into_bytes()
    }

    pub(super) fn is_chunked(&self) -> bool {
        self.framing == Framing::Chunked
    }

    pub(super) fn into_acts(self) -> Vec<Act> {
        self.acts
    }

    fn act(mut self, act: Act) -> Self {
        self.acts.push(act);
        self
    }

    /// Keeps the first `bytes` of the body and the steps between them.
    fn truncated(mut self, bytes: usize) -> Self {
        let mut left = bytes;
        let mut kept = Vec::new();
        for act in self.acts {
            if left == 0 {
                break;
            }
            kept.push(match act {
                Act::Send(mut sent) => {
                    sent.truncate(left);
                    left -= sent.len();
                    Act::Send(sent)
                }
                other => other,
            });
        }
        self.acts = kept;
        self
    }
}

fn chunk(choices: Value, usage: Value) -> Value {
    json!({ "id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": "fake", "choices": choices, "usage": usage })
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        404 => "Not Found",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Status",
    }
}
