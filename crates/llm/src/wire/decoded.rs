//! A recorded response, and what it says: for people who look at one, and for bug reports.

use serde::{Serialize, Serializer};
use turnkit_core::{
    Answer, Arguments, CallUid, FinishReason, Fold, Part, Partial, ProviderError, ProviderErrorKind, RawJson, ToolCall,
    TurnId,
};

use super::decode::BYTE_ORDER_MARK;
use super::{AnswerDecoder, Counted, ErrorResponse, Vendor, Wire};
use crate::profile::MarkupRules;

/// A response as somebody kept it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecordedResponse<'a> {
    /// Its HTTP status; absent: one of success.
    pub status: Option<u16>,
    /// How its body is to be read; absent: as [`Framing::of`] the body.
    pub framing: Option<Framing>,
    /// What is looked for in its text, as for the model it is of.
    pub markup: MarkupRules,
    /// Its body.
    pub body: &'a [u8],
}

impl RecordedResponse<'_> {
    /// How its body is read. Who asked for a stream may get one JSON value all the same: a failure, or the list of all
    /// events, which is how Google streams unless it is asked for events.
    fn framing(&self) -> Framing {
        let is_json = || matches!(self.body.trim_ascii().first(), Some(b'{' | b'['));
        match self.framing {
            Some(Framing::Buffered) => Framing::Buffered,
            Some(Framing::Streamed) if !is_json() => Framing::Streamed,
            _ => Framing::of(self.body),
        }
    }
}

/// How the body of an answer is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// Server-sent events.
    Streamed,
    /// One JSON value.
    Buffered,
}

impl Framing {
    /// What a body looks like: events if one of its lines is a field or a comment of one, which no line of JSON is, or if
    /// nothing was said at all.
    pub fn of(body: &[u8]) -> Self {
        let body = body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(body);
        let is_field = |line: &[u8]| {
            line.starts_with(b":") || [&b"data:"[..], b"event:", b"id:", b"retry:"].iter().any(|f| line.starts_with(f))
        };
        if body.split(|byte| matches!(byte, b'\r' | b'\n')).any(is_field) || body.trim_ascii().is_empty() {
            Self::Streamed
        } else {
            Self::Buffered
        }
    }
}

/// What a response says. Its JSON form is what `turnkit wire decode` prints.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecodedResponse {
    /// Whether it is a whole answer.
    pub outcome: Outcome,
    /// What kind of failure it is.
    pub error_kind: Option<ProviderErrorKind>,
    /// One sentence about the failure.
    pub message: Option<String>,
    /// The HTTP status; where it was not told, the one a failure inside the body claims.
    pub status: Option<u16>,
    /// What the model said, refusals included; for a failure, what it had said by then.
    pub text: String,
    /// What is shown of its reasoning.
    pub reasoning: String,
    /// The calls it made, in order. A failure has only those that are whole.
    pub tool_calls: Vec<DecodedCall>,
    /// Why the provider says that it stopped.
    #[serde(serialize_with = "word")]
    pub finish_reason: Option<FinishReason>,
    /// What the provider counted, as it counts.
    pub usage: Option<Counted>,
}

/// Whether a response is a whole answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is.
    Ok,
    /// It is a failure, or ends in one.
    Error,
}

/// One call of a response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DecodedCall {
    /// The provider's id; made up where it gave none.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments the model wrote; a JSON string where they are no JSON.
    pub arguments: RawJson,
}

impl Wire {
    /// What a response over this wire says. Any bytes are an answer or a failure.
    ///
    /// ```
    /// use turnkit_llm::wire::{RecordedResponse, Wire};
    ///
    /// let body = br#"{"choices":[{"message":{"content":"hello"},"finish_reason":"stop"}]}"#;
    /// let decoded = Wire::OpenaiChat.decode(&RecordedResponse { body, ..RecordedResponse::default() });
    /// assert_eq!(decoded.text, "hello");
    /// ```
    pub fn decode(self, response: &RecordedResponse<'_>) -> DecodedResponse {
        if let Some(status) = response.status.filter(|status| !(200..300).contains(status)) {
            let refused = ErrorResponse { status, retry_after: None, body: response.body };
            return DecodedResponse::failed(self, &self.classify(&refused), &nothing());
        }
        let decoded = self.decode_answer(response);
        DecodedResponse { status: response.status.or(decoded.status), ..decoded }
    }

    fn decode_answer(self, response: &RecordedResponse<'_>) -> DecodedResponse {
        let body = response.body.strip_prefix(BYTE_ORDER_MARK).unwrap_or(response.body);
        let response = RecordedResponse { body, ..*response };
        let mut decoder = AnswerDecoder::new(self, &Vendor::unknown(self, "")).with_markup(response.markup);
        let mut deltas = Vec::new();
        let read = match response.framing() {
            Framing::Buffered => decoder.body(response.body, &mut deltas),
            Framing::Streamed => decoder.push(response.body, &mut deltas).and_then(|()| decoder.end(&mut deltas)),
        };
        let mut fold = Fold::new(TurnId::default(), 1);
        let folded = deltas.iter().try_for_each(|delta| fold.push(delta)).map_err(ProviderError::from);
        let partial = fold.clone();
        match folded.and(read).and_then(|()| fold.finish()) {
            Ok(answer) => DecodedResponse::whole(self, &answer, decoder.told_finish(answer.finish.clone())),
            Err(error) => DecodedResponse::failed(self, &error, &partial.abandon()),
        }
    }
}

impl DecodedResponse {
    fn whole(wire: Wire, answer: &Answer, finish_reason: Option<FinishReason>) -> Self {
        Self {
            outcome: Outcome::Ok,
            error_kind: None,
            message: None,
            status: None,
            text: answer.text(),
            reasoning: reasoning(&answer.parts),
            tool_calls: calls(&answer.parts, &[]),
            finish_reason,
            usage: Some(&answer.usage).filter(|usage| usage.unmetered_calls == 0).map(|usage| wire.counted(usage)),
        }
    }

    fn failed(wire: Wire, error: &ProviderError, before: &Partial) -> Self {
        Self {
            outcome: Outcome::Error,
            error_kind: Some(error.kind),
            message: Some(error.message.clone()),
            status: error.status,
            text: before.parts.iter().filter_map(Part::as_text).collect(),
            reasoning: reasoning(&before.parts),
            tool_calls: calls(&before.parts, &before.cut),
            finish_reason: None,
            usage: before.usage.as_ref().map(|usage| wire.counted(usage)),
        }
    }
}

fn nothing() -> Partial {
    Fold::new(TurnId::default(), 1).abandon()
}

fn reasoning(parts: &[Part]) -> String {
    parts.iter().filter(|part| matches!(part, Part::Reasoning(_))).map(Part::streamed).collect()
}

fn calls(parts: &[Part], cut: &[CallUid]) -> Vec<DecodedCall> {
    let calls = parts.iter().filter_map(|part| match part {
        Part::ToolCall(call) => Some(call),
        _ => None,
    });
    calls.filter(|call| !cut.contains(&call.uid)).filter_map(DecodedCall::of).collect()
}

impl DecodedCall {
    fn of(call: &ToolCall) -> Option<Self> {
        let Arguments(written) = &call.arguments;
        let arguments = call.arguments.json().or_else(|_| RawJson::of(written)).ok()?;
        Some(Self { id: call.provider_id.clone(), name: call.name.clone(), arguments })
    }
}

/// A word that this version does not know is `other`.
fn word<S: Serializer>(reason: &Option<FinishReason>, serializer: S) -> Result<S::Ok, S::Error> {
    match reason {
        Some(FinishReason::Other(_)) => serializer.serialize_str("other"),
        known => known.serialize(serializer),
    }
}
