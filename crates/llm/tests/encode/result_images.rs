//! Tests images of tool results.

use serde_json::{Value, json};
use turnkit_core::{Image, Message, Part, Role, ToolResult};
use turnkit_llm::wire::{Vendor, Wire};

use super::{assistant, call, known, request, result};

const URL: &str = "data:image/png;base64,iVBORw==";
const FIRST: &str = "toolu_0000000001";
const SECOND: &str = "toolu_0000000002";

/// Returns a result with this number of images.
fn seen(ordinal: u16, content: &str, images: usize) -> Message {
    let Part::ToolResult(result) = result(ordinal, content) else { unreachable!() };
    let images = vec![Image::new("image/png", URL); images];
    Message::new(Role::Tool, vec![Part::ToolResult(ToolResult { images, ..result })])
}

/// Returns the calls of an answer, results that are written one after the other, and a message of the user.
fn history(first: Message, second: Message) -> Vec<Message> {
    let calls = assistant(vec![call(0, FIRST, "{}"), call(1, SECOND, "{}")]);
    vec![Message::user("Look."), calls, first, second, Message::user("And?")]
}

/// Returns what a body holds after the calls.
fn sent(wire: Wire, history: Vec<Message>) -> Value {
    let (host, maker, model, path, before) = match wire {
        Wire::OpenaiChat => ("api.openai.com", "openai", "gpt-4o", "/messages", 2),
        Wire::OpenaiResponses => ("api.openai.com", "openai", "gpt-5", "/input", 3),
        Wire::Anthropic => ("api.anthropic.com", "anthropic", "claude-sonnet-4-5", "/messages", 2),
        Wire::Gemini => ("generativelanguage.googleapis.com", "google", "gemini-2.5-flash", "/contents", 2),
    };
    let body = wire.encode(&request(history), model, &known(maker, model), &Vendor::of(wire, host));
    let body: Value = serde_json::from_slice(&body).unwrap();
    body.pointer(path).unwrap().as_array().unwrap()[before..].to_vec().into()
}

fn image_url() -> Value {
    json!({ "type": "image_url", "image_url": { "url": URL } })
}

fn block() -> Value {
    json!({ "type": "image", "source": { "type": "base64", "media_type": "image/png", "data": "iVBORw==" } })
}

fn lead() -> Value {
    json!({ "type": "text", "text": "The images of the tool results, in order:" })
}

#[test]
fn images_of_results_are_sent_over_every_wire_as_it_allows() {
    let input = json!({ "type": "input_image", "image_url": URL });
    let inline = json!({ "inlineData": { "mimeType": "image/png", "data": "iVBORw==" } });
    let response = |id: &str, output: &str| {
        let response = json!({ "id": id, "name": "add", "response": { "output": output } });
        json!({ "functionResponse": response })
    };
    let last = json!({ "type": "text", "text": "And?", "cache_control": { "type": "ephemeral" } });
    for (wire, expected) in [
        (
            Wire::OpenaiChat,
            json!([
                { "role": "tool", "tool_call_id": FIRST, "content": "a" },
                { "role": "tool", "tool_call_id": SECOND, "content": "b" },
                { "role": "user", "content": [lead(), image_url(), image_url()] },
                { "role": "user", "content": "And?" },
            ]),
        ),
        (
            Wire::OpenaiResponses,
            json!([
                { "type": "function_call_output", "call_id": FIRST, "output": [
                    { "type": "input_text", "text": "a" }, input, input,
                ] },
                { "type": "function_call_output", "call_id": SECOND, "output": "b" },
                { "type": "message", "role": "user", "content": [{ "type": "input_text", "text": "And?" }] },
            ]),
        ),
        (
            Wire::Anthropic,
            json!([{ "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": FIRST, "content": [
                    { "type": "text", "text": "a" }, block(), block(),
                ] },
                { "type": "tool_result", "tool_use_id": SECOND, "content": "b" },
                last,
            ] }]),
        ),
        (
            Wire::Gemini,
            json!([
                { "role": "user", "parts": [response(FIRST, "a"), inline, inline, response(SECOND, "b")] },
                { "role": "user", "parts": [{ "text": "And?" }] },
            ]),
        ),
    ] {
        assert_eq!(sent(wire, history(seen(0, "a", 2), seen(1, "b", 0))), expected, "{wire:?}");
    }
}

#[test]
fn images_follow_the_last_result_of_each_answer_over_chat_completions() {
    let mut long = history(seen(0, "a", 1), seen(1, "b", 1));
    long.truncate(4);
    long.extend([assistant(vec![call(0, FIRST, "{}")]), seen(0, "c", 1)]);
    let tool = |id: &str, content: &str| json!({ "role": "tool", "tool_call_id": id, "content": content });
    let images = |images: usize| {
        let content: Vec<Value> = std::iter::once(lead()).chain(vec![image_url(); images]).collect();
        json!({ "role": "user", "content": content })
    };
    let sent = sent(Wire::OpenaiChat, long);
    assert_eq!(sent[0], tool(FIRST, "a"));
    assert_eq!(sent[1], tool(SECOND, "b"));
    assert_eq!(sent[2], images(2));
    assert_eq!(sent[3]["role"], "assistant");
    assert_eq!(sent[4], tool(FIRST, "c"));
    assert_eq!((&sent[5], sent.get(6)), (&images(1), None));
}

#[test]
fn a_result_without_text_has_images_only_over_anthropic() {
    let sent = sent(Wire::Anthropic, history(seen(0, " ", 1), seen(1, "b", 0)));
    assert_eq!(sent[0]["content"][0]["content"], json!([block()]));
}
