//! Decodes recorded exchanges with real providers and compares the result with that of a plain reader of whole bodies.
//!
//! The comparison adjusts for known differences. A refusal is separate from the text in the recording; here it is part
//! of the text and makes the finish a refusal. A call without an id gets one. Usage is counted as its vendor means it.
//!
//! The recordings are not part of the repository. They are read from `TURNKIT_FIXTURES`, or from `../shared/fixtures`
//! beside the workspace. Without them the tests print that they are skipped, or fail if `TURNKIT_CORPUS` is `require`.
#![expect(clippy::unwrap_used, reason = "a recording that cannot be read is a failing test")]

mod support;

use serde_json::{Value, json};
use support::recording::{Recording, recordings};
use support::{Outcome, buffered, cut_at, first_terminator, runnable, streamed};
use turnkit_core::{
    Answer, ChatRequest, FinishReason, History, Message, Part, ProviderErrorKind, Role, ToolDefinition,
};
use turnkit_llm::Wire;
use turnkit_llm::profile::ModelProfile;
use turnkit_llm::wire::{ErrorResponse, Vendor};

/// Bodies up to this size are cut at every tenth byte, larger ones at [`MAX_CUTS`] evenly spaced points.
const SMALL: usize = 64 * 1024;
/// The number of recordings, and the number of streamed answers among them.
const ALL: usize = 768;
const STREAMED_ANSWERS: usize = 313;
/// The number of complete answers of Responses.
const RESPONSES_ANSWERS: usize = 152;
const MAX_CUTS: usize = 2_000;

impl Recording {
    fn is_answer(&self) -> bool {
        self.status < 400
    }

    fn decode(&self) -> Outcome {
        if self.is_stream { streamed(self.wire, [self.body.as_slice()]) } else { buffered(self.wire, &self.body) }
    }

    fn compare(&self) -> Result<(), String> {
        if !self.is_answer() {
            return self.refusal();
        }
        let (outcome, expected) = (self.decode(), &self.expected);
        match expected["outcome"].as_str().unwrap() {
            "ok" => answer(&outcome.map_err(|broken| format!("{:?}", broken.error))?, expected, self.wire),
            wanted => failure(wanted, &outcome, expected),
        }
    }

    /// Checks a response whose status is not a success.
    fn refusal(&self) -> Result<(), String> {
        let error = self.wire.classify(&ErrorResponse { status: self.status, retry_after: None, body: &self.body });
        let message = self.expected["error"]["message"].as_str().unwrap_or_default();
        let hidden = matches!(error.kind, ProviderErrorKind::Auth | ProviderErrorKind::KeyInvalid);
        agree("message", hidden || error.message.contains(message), &error.message, &message)
    }
}

/// Runs `check` on each of the `count` recordings selected by `is_for`, and lists all failures.
fn each(count: usize, is_for: impl Fn(&Recording) -> bool, check: impl Fn(&Recording) -> Result<(), String>) {
    let Some(recordings) = recordings() else { return };
    let checked: Vec<_> = recordings.iter().filter(|recording| is_for(recording)).collect();
    let failed: Vec<_> = checked
        .iter()
        .filter_map(|recording| {
            Some(format!("{} {}: {}", recording.wire.name(), recording.name, check(recording).err()?))
        })
        .collect();
    assert_eq!(checked.len(), count, "recordings");
    assert!(failed.is_empty(), "{} of {} differ:\n{}", failed.len(), checked.len(), failed.join("\n"));
}

fn is_streamed_answer(recording: &Recording) -> bool {
    recording.is_stream && recording.is_answer()
}

#[test]
fn recorded_answers_decode_to_their_content() {
    each(ALL, |_| true, Recording::compare);
}

#[test]
fn recorded_streams_mean_the_same_in_small_pieces() {
    each(STREAMED_ANSWERS, is_streamed_answer, |recording| {
        let whole = recording.decode();
        for size in 1..=7 {
            let pieces = streamed(recording.wire, recording.body.chunks(size));
            agree(&format!("pieces of {size}"), pieces == whole, &pieces, &whole)?;
        }
        Ok(())
    });
}

#[test]
fn recorded_streams_mean_the_same_with_other_line_ends_comments_and_a_byte_order_mark() {
    each(STREAMED_ANSWERS, is_streamed_answer, |recording| {
        let whole = recording.decode();
        let text = String::from_utf8_lossy(&recording.body).replace("\r\n", "\n");
        let commented = format!("\u{FEFF}: first\n{}", text.replace("\n\n", "\n\n: ping\n\n:\n"));
        for body in
            [text.replace('\n', "\r\n"), text.replace('\n', "\r"), commented.clone(), commented.replace('\n', "\r\n")]
        {
            let same = streamed(recording.wire, [body.as_bytes()]);
            agree("framing", same == whole, &same, &whole)?;
        }
        Ok(())
    });
}

#[test]
fn recorded_streams_that_are_cut_are_errors_and_run_no_half_call() {
    each(STREAMED_ANSWERS, is_streamed_answer, |recording| {
        let body = &recording.body;
        let whole = runnable(&recording.decode());
        let end = first_terminator(recording.wire, body).min(body.len());
        let step = if body.len() <= SMALL { 10 } else { body.len().div_ceil(MAX_CUTS) };
        for (at, outcome) in cut_at(recording.wire, body, (0..end).step_by(step)) {
            agree(&format!("cut at {at}"), outcome.is_err(), &outcome, &"an error")?;
            let half = runnable(&outcome).into_iter().find(|call| !whole.contains(call));
            agree(&format!("cut at {at}"), half.is_none(), &half, &"no half call")?;
        }
        Ok(())
    });
}

#[test]
fn recorded_items_go_back_as_they_came() {
    let answers = |recording: &Recording| {
        recording.wire == Wire::OpenaiResponses && recording.is_answer() && recording.expected["outcome"] == "ok"
    };
    each(RESPONSES_ANSWERS, answers, |recording| {
        let answer = recording.decode().map_err(|broken| format!("{:?}", broken.error))?;
        let mut said = Message::new(Role::Assistant, answer.parts);
        for (ordinal, part) in (0..).zip(&mut said.parts) {
            if let Part::ToolCall(call) = part {
                call.uid.ordinal = ordinal;
            }
        }
        let history = History::of([Message::user("Go on."), said]);
        let tools = [ToolDefinition::new("any", "", r#"{"type":"object"}"#).unwrap()].into();
        let request = ChatRequest { history, tools, ..ChatRequest::default() };
        let vendor = Vendor::of(recording.wire, "vendor.example");
        let sent: Value =
            serde_json::from_slice(&recording.wire.encode(&request, "model", &ModelProfile::default(), &vendor))
                .unwrap();
        // Calls of custom tools are sent back as function calls.
        let (wanted, custom): (Vec<_>, Vec<_>) =
            recording.output_items().into_iter().partition(|item| item["type"] != "custom_tool_call");
        let is_custom = |item: &Value| custom.iter().any(|custom| custom["call_id"] == item["call_id"]);
        let sent = sent["input"].as_array().unwrap().iter().skip(1);
        let sent = sent.filter(|item| is_message_or_call(item) && !is_custom(item));
        let (sent, wanted): (Vec<_>, Vec<_>) =
            (sent.map(without_nulls).collect(), wanted.iter().map(without_nulls).collect());
        agree("items", sent == wanted, &sent, &wanted)
    });
}

fn is_message_or_call(item: &Value) -> bool {
    ["message", "function_call", "custom_tool_call"].iter().any(|kind| item["type"] == *kind)
}

fn without_nulls(item: &Value) -> Value {
    let mut item = item.clone();
    if let Value::Object(item) = &mut item {
        item.retain(|_, value| !value.is_null());
    }
    item
}

impl Recording {
    /// Returns the messages and calls of a recorded answer of Responses, in order and unchanged.
    fn output_items(&self) -> Vec<Value> {
        let text = String::from_utf8_lossy(&self.body);
        let items: Vec<Value> = if self.is_stream {
            let data = text.lines().filter_map(|line| serde_json::from_str(line.strip_prefix("data:")?).ok());
            let done = data.filter(|event: &Value| event["type"] == "response.output_item.done");
            done.map(|event| event["item"].clone()).collect()
        } else {
            let body: Value = serde_json::from_str(&text).unwrap();
            body["output"].as_array().unwrap().clone()
        };
        items.into_iter().filter(is_message_or_call).collect()
    }
}

fn failure(wanted: &str, outcome: &Outcome, expected: &Value) -> Result<(), String> {
    let Err(broken) = outcome else { return Err(format!("{wanted} became an answer")) };
    let support::Broken { error, partial } = broken.as_ref();
    agree("truncation", (wanted == "truncated") == (error.kind == ProviderErrorKind::Truncated), error, &wanted)?;
    agree("text", text(&partial.parts) == expected["text"], &text(&partial.parts), &expected["text"])?;
    agree("reasoning", reasoning(&partial.parts) == expected["reasoning"], &partial.parts, &expected["reasoning"])
}

fn answer(answer: &Answer, expected: &Value, wire: Wire) -> Result<(), String> {
    // A refusal is part of the model's text.
    let said = format!("{}{}", expected["text"].as_str().unwrap(), expected["refusal"].as_str().unwrap());
    agree("text", answer.text() == said, &answer.text(), &said)?;
    let thought = reasoning(&answer.parts);
    agree("reasoning", thought == expected["reasoning"], &thought, &expected["reasoning"])?;
    calls(&answer.parts, &expected["tool_calls"])?;
    agree("cut calls", answer.cut.is_empty(), &answer.cut, &"none")?;
    kept(&answer.parts, expected, wire)?;
    finish(answer, expected)?;
    usage(answer, expected, wire)
}

fn text(parts: &[Part]) -> String {
    parts.iter().filter_map(Part::as_text).collect()
}

fn reasoning(parts: &[Part]) -> String {
    parts.iter().filter(|part| matches!(part, Part::Reasoning(_))).map(Part::streamed).collect()
}

fn calls(parts: &[Part], expected: &Value) -> Result<(), String> {
    let expected = expected.as_array().unwrap();
    let calls: Vec<_> = parts.iter().filter(|part| matches!(part, Part::ToolCall(_))).collect();
    agree("calls", calls.len() == expected.len(), &calls, expected)?;
    for (part, expected) in calls.into_iter().zip(expected) {
        let Part::ToolCall(call) = part else { continue };
        let is_custom = expected["kind"] == "custom";
        let arguments = call.arguments.json().ok().and_then(|json| json.read::<Value>().ok());
        let found = json!({
            // An id that the provider omitted is generated.
            "id": Some(&call.provider_id).filter(|_| !expected["id"].is_null()),
            "name": call.name,
            "kind": expected["kind"],
            "arguments_valid": arguments.is_some() || is_custom,
            "arguments": arguments.unwrap_or_else(|| call.arguments.0.clone().into()),
        });
        agree("call", found == *expected && !call.provider_id.is_empty(), &found, expected)?;
    }
    Ok(())
}

/// Checks the data that is sent back to the vendor, and the vendor's own tools.
fn kept(parts: &[Part], expected: &Value, wire: Wire) -> Result<(), String> {
    let opaque: String = parts.iter().filter_map(|part| Some(part.opaque()?.data.get())).collect();
    for signature in expected["signatures"].as_array().unwrap() {
        let json = signature.to_string();
        agree("signature", opaque.contains(json.trim_matches('"')), &opaque, signature)?;
    }
    let media = parts.iter().filter_map(|part| match part {
        Part::Image(image) if wire == Wire::Gemini => Some(image.media_type.as_str()),
        _ => None,
    });
    let media: Value = media.collect();
    agree("media", expected.get("media").unwrap_or(&json!([])) == &media, &media, &expected["media"])?;
    let tools = parts.iter().filter_map(|part| match part {
        Part::ProviderTool(tool) if !tool.name.ends_with("_result") => Some(tool.name.as_str()),
        _ => None,
    });
    let tools: Value = tools.collect();
    agree("tools of the provider", tools == expected["server_tools"], &tools, &expected["server_tools"])
}

fn finish(answer: &Answer, expected: &Value) -> Result<(), String> {
    let wanted = match expected["finish_reason"].as_str() {
        Some("stop") | None if !expected["tool_calls"].as_array().unwrap().is_empty() => FinishReason::ToolCalls,
        Some("stop") | None if expected["refusal"] != "" => FinishReason::Refusal,
        Some("stop") | None => FinishReason::Stop,
        Some("length") => FinishReason::Length,
        Some("tool_calls") => FinishReason::ToolCalls,
        Some("content_filter") => FinishReason::ContentFilter,
        Some("refusal") => FinishReason::Refusal,
        Some("pause") => FinishReason::Pause,
        Some(other) => FinishReason::Other(other.into()),
    };
    agree("finish", answer.finish == wanted, &answer.finish, &wanted)
}

fn usage(answer: &Answer, expected: &Value, wire: Wire) -> Result<(), String> {
    let (ours, theirs) = (&answer.usage, &expected["usage"]);
    if theirs["input"].is_null() && theirs["output"].is_null() {
        return agree("usage", ours.unmetered_calls == 1, ours, theirs);
    }
    let number = |name: &str| theirs[name].as_u64().unwrap_or(0);
    // Only Anthropic counts cached input separately.
    let cached = if wire == Wire::Anthropic { 0 } else { ours.cache_read + ours.cache_write };
    // Gemini counts the results of its own tools and thoughts separately.
    let (beside_input, beside_output) =
        if wire == Wire::Gemini { (number("tool_input"), number("reasoning")) } else { (0, 0) };
    // Some vendors do not include reasoning in the output, which shows in their total.
    let output =
        number("total").checked_sub(number("input")).filter(|&rest| rest == number("output") + number("reasoning"));
    let same = ours.fresh + cached == number("input") + beside_input
        && ours.output == output.unwrap_or(number("output") + beside_output)
        // Some vendors report more cached than sent tokens, or more reasoning than output. Ours never exceed the total.
        && (wire == Wire::Anthropic || ours.cache_read == number("cache_read").min(number("input")))
        && ours.cache_write == number("cache_write")
        && ours.reasoning == number("reasoning").min(ours.output);
    agree("usage", same, ours, theirs)
}

fn agree(what: &str, same: bool, ours: &dyn std::fmt::Debug, theirs: &dyn std::fmt::Debug) -> Result<(), String> {
    if same { Ok(()) } else { Err(format!("{what}: {ours:?}, expected {theirs:?}")) }
}
