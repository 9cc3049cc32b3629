//! Properties that must hold for every input. They are the targets of `cargo xtask fuzz` and of the tests in this
//! folder.

use serde_json::value::RawValue;
use turnkit_core::{
    CallUid, ChatRequest, Delta, Fold, History, Message, Params, Part, ProviderError, Role, ToolCall, ToolChoice,
    ToolDefinition, ToolResult, TurnId, Usage,
};
use turnkit_llm::profile::ModelProfile;
use turnkit_llm::sse::{Event, SseDecoder, SseError};
use turnkit_llm::wire::{AnswerDecoder, Vendor, Wire};

use super::by_the_book::decode_by_the_book;

/// The events equal those of the standard, however the bytes were split.
pub(crate) fn sse(input: &[u8]) {
    let expected = decode_by_the_book(input);
    for reads in cuts(input) {
        let (mut decoder, mut events) = (SseDecoder::default(), Vec::new());
        let mut keep = |event: Event<'_>| -> Result<(), SseError> {
            events.push((event.name.to_owned(), event.text().into_owned()));
            Ok(())
        };
        let read = reads.iter().try_for_each(|read| decoder.push(read, &mut keep));
        assert_eq!(read.and_then(|()| decoder.finish(&mut keep)), Ok(()));
        assert_eq!(events, expected, "in {} reads", reads.len());
    }
}

pub(crate) fn openai_chat(input: &[u8]) {
    answer(Wire::OpenaiChat, input);
}

pub(crate) fn openai_responses(input: &[u8]) {
    answer(Wire::OpenaiResponses, input);
}

pub(crate) fn anthropic(input: &[u8]) {
    answer(Wire::Anthropic, input);
}

pub(crate) fn gemini(input: &[u8]) {
    answer(Wire::Gemini, input);
}

/// An answer is a typed outcome with consistent deltas, independent of how it was split, and the conversation can
/// continue after it.
fn answer(wire: Wire, input: &[u8]) {
    let [whole, others @ ..] = cuts(input).map(|reads| streamed(wire, &reads));
    for other in others {
        assert_eq!(other, whole);
    }
    for (parts, _) in [whole, buffered(wire, input)] {
        can_continue_from(wire, parts);
    }
}

/// The parts of an answer, and how it ended.
type Outcome = (Vec<Part>, Result<Usage, ProviderError>);

fn streamed(wire: Wire, reads: &[&[u8]]) -> Outcome {
    outcome(wire, |decoder, deltas| {
        reads.iter().try_for_each(|read| decoder.push(read, deltas))?;
        decoder.end(deltas)
    })
}

fn buffered(wire: Wire, body: &[u8]) -> Outcome {
    outcome(wire, |decoder, deltas| decoder.body(body, deltas))
}

fn outcome(
    wire: Wire,
    decode: impl FnOnce(&mut AnswerDecoder, &mut Vec<Delta>) -> Result<(), ProviderError>,
) -> Outcome {
    let (mut decoder, mut deltas) = (AnswerDecoder::new(wire, &Vendor::of(wire, "vendor.example")), Vec::new());
    let ended = decode(&mut decoder, &mut deltas);
    let mut fold = Fold::new(TurnId::default(), 1);
    for delta in &deltas {
        assert_eq!(fold.push(delta), Ok(()), "{delta:?} in {deltas:#?}");
    }
    let partial = fold.clone().abandon();
    match ended.and_then(|()| fold.finish()) {
        Ok(answer) => (answer.parts, Ok(answer.usage)),
        Err(error) => (partial.parts, Err(error)),
    }
}

/// Checks that the next request, with a result for every call, is valid JSON.
fn can_continue_from(wire: Wire, parts: Vec<Part>) {
    let result = |call: &ToolCall| {
        let ToolCall { uid, name, .. } = call.clone();
        let content = "42".to_owned();
        Part::ToolResult(ToolResult::new(uid, name, content))
    };
    let said = Message::new(Role::Assistant, parts);
    let results: Vec<Part> = said.calls().map(result).collect();
    let uids: Vec<CallUid> = said.calls().map(|call| call.uid).collect();
    assert!(uids.windows(2).all(|pair| pair[0] < pair[1]), "calls have ids of their own: {uids:?}");
    let request = ChatRequest {
        model: None,
        instructions: None,
        history: History::of([Message::user("go"), said, Message::new(Role::Tool, results), Message::user("on")]),
        tools: ToolDefinition::new("any", "", r#"{"type":"object"}"#).into_iter().collect(),
        params: Params::default(),
        tool_choice: ToolChoice::Auto,
        route: None,
    };
    let body = wire.encode(&request, "small", &ModelProfile::default(), &Vendor::of(wire, "vendor.example"));
    let read = serde_json::from_slice::<&RawValue>(&body);
    assert!(read.is_ok(), "{read:?} in {}", String::from_utf8_lossy(&body));
}

/// Returns the input as one read, byte by byte, and in pieces whose lengths are derived from the input.
fn cuts(input: &[u8]) -> [Vec<&[u8]>; 3] {
    let mut state = input.iter().fold(input.len() as u64, |state, byte| state.wrapping_mul(31) + u64::from(*byte));
    let (mut pieces, mut rest) = (Vec::new(), input);
    while !rest.is_empty() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let (piece, after) = rest.split_at(rest.len().min(1 + (state >> 58) as usize));
        pieces.push(piece);
        rest = after;
    }
    [vec![input], input.chunks(1).collect(), pieces]
}
