//! A recorded response and its decoded content, for inspection and bug reports.

use serde::{Serialize, Serializer};
use turnkit_core::{
    Answer, Arguments, CallUid, FinishReason, Fold, Part, PartialAnswer, ProviderError, ProviderErrorKind, RawJson,
    ToolCall, TurnId,
};

use super::decode::BYTE_ORDER_MARK;
use super::{AnswerDecoder, ErrorResponse, ReportedTokens, Vendor, Wire};
use crate::profile::MarkupRules;

/// A response as it was recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RecordedResponse<'a> {
    /// The HTTP status; `None` means success.
    pub status: Option<u16>,
    /// The framing of the body; `None` selects [`Framing::of`] the body.
    pub framing: Option<Framing>,
    /// The markup to extract from the text, according to the model.
    pub markup: MarkupRules,
    /// The body.
    pub body: &'a [u8],
}

impl RecordedResponse<'_> {
    /// Returns the framing of the body. A request for a stream may still get one JSON value: a failure, or the list of
    /// all events, which is how Google streams unless the request asks for events.
    fn framing(&self) -> Framing {
        let is_json = || matches!(self.body.trim_ascii().first(), Some(b'{' | b'['));
        match self.framing {
            Some(Framing::Buffered) => Framing::Buffered,
            Some(Framing::Streamed) if !is_json() => Framing::Streamed,
            _ => Framing::of(self.body),
        }
    }
}

/// The framing of an answer's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// Server-sent events.
    Streamed,
    /// One JSON value.
    Buffered,
}

impl Framing {
    /// Detects the framing of a body. It is a stream of events if it is empty, or if one of its lines is an event field
    /// or comment, which no line of JSON is.
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

/// The content of a response. `turnkit wire decode` prints its JSON form.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DecodedResponse {
    /// Whether the answer is complete.
    pub outcome: Outcome,
    /// The kind of the failure.
    pub error_kind: Option<ProviderErrorKind>,
    /// One sentence about the failure.
    pub message: Option<String>,
    /// The HTTP status. If it is unknown, the status that a failure inside the body claims.
    pub status: Option<u16>,
    /// The text of the answer, including refusals. For a failure, the text up to it.
    pub text: String,
    /// The visible part of the reasoning.
    pub reasoning: String,
    /// The tool calls, in order. A failure has only the complete ones.
    pub tool_calls: Vec<DecodedCall>,
    /// The finish reason reported by the provider.
    #[serde(serialize_with = "word")]
    pub finish_reason: Option<FinishReason>,
    /// The token counts reported by the provider.
    pub usage: Option<ReportedTokens>,
}

/// Whether a response is a complete answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is complete.
    Ok,
    /// It is a failure, or ends in one.
    Error,
}

/// One tool call of a response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DecodedCall {
    /// The provider's id; generated if the provider gave none.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// The arguments from the model; a JSON string if they are not valid JSON.
    pub arguments: RawJson,
}

impl Wire {
    /// Decodes a response over this wire. Any bytes decode to an answer or a failure.
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
            Ok(answer) => DecodedResponse::whole(self, &answer, decoder.provider_finish_reason(answer.finish.clone())),
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

    fn failed(wire: Wire, error: &ProviderError, before: &PartialAnswer) -> Self {
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

fn nothing() -> PartialAnswer {
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

/// Serialises a finish reason. One that this version does not know becomes `other`.
fn word<S: Serializer>(reason: &Option<FinishReason>, serializer: S) -> Result<S::Ok, S::Error> {
    match reason {
        Some(FinishReason::Other(_)) => serializer.serialize_str("other"),
        known => known.serialize(serializer),
    }
}
