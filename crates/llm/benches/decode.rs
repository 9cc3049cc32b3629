//! Benchmarks of decoding a streamed delta and of encoding a history.
#![expect(clippy::unwrap_used, reason = "input of the benchmark itself")]

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use turnkit_core::{
    Arguments, CallUid, ChatRequest, History, Message, Params, Part, Role, ToolCall, ToolChoice, ToolDefinition,
    ToolResult, TurnId,
};
use turnkit_llm::profile::ModelProfile;
use turnkit_llm::wire::{AnswerDecoder, Vendor, Wire};

const DELTAS: usize = 200;
const WIRE: Wire = Wire::OpenaiChat;

/// A response stream in the format of OpenAI.
fn stream() -> Vec<u8> {
    let mut body = Vec::new();
    for number in 0..DELTAS {
        body.extend_from_slice(
            format!(
                concat!(
                    r#"data: {{"id":"chatcmpl-CYPS1lijGoK8gd9lYzY3r9Sx50nbt","object":"chat.completion.chunk","#,
                    r#""created":1762317021,"model":"gpt-5-nano-2025-08-07","service_tier":"default","#,
                    r#""system_fingerprint":null,"choices":[{{"index":0,"delta":{{"content":" word{}"}},"#,
                    r#""finish_reason":null}}],"usage":null,"obfuscation":"NNpA6Dj2U"}}"#,
                    "\n\n"
                ),
                number % 10
            )
            .as_bytes(),
        );
    }
    body
}

fn decode(c: &mut Criterion) {
    let (body, vendor) = (stream(), Vendor::of(WIRE, "llm.example"));
    let event = body.len() / DELTAS;
    let mut group = c.benchmark_group("decode, per delta");
    group.throughput(Throughput::Elements(DELTAS as u64));
    for (name, read) in [("one event per read", event), ("four events per read", 4 * event), ("16 KiB reads", 16_384)] {
        group.bench_function(name, |b| {
            b.iter(|| {
                let (mut decoder, mut out) = (AnswerDecoder::new(WIRE, &vendor), Vec::new());
                for read in body.chunks(read) {
                    out.clear();
                    decoder.push(read, &mut out).unwrap();
                    black_box(&out);
                }
            });
        });
    }
    group.bench_function("only serde_json::Value, for comparison", |b| {
        b.iter(|| {
            for event in body.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
                black_box(serde_json::from_slice::<serde_json::Value>(&event[b"data: ".len()..]).unwrap());
            }
        });
    });
    group.finish();
}

/// Returns the event that carries one word on each wire.
fn word(wire: Wire) -> &'static str {
    match wire {
        Wire::OpenaiChat => {
            r#"{"id":"chatcmpl-CYPS1l","object":"chat.completion.chunk","created":1762317021,"model":"gpt-5-nano","service_tier":"default","choices":[{"index":0,"delta":{"content":" word"},"finish_reason":null}],"usage":null,"obfuscation":"NNpA6Dj2U"}"#
        }
        Wire::OpenaiResponses => {
            r#"{"type":"response.output_text.delta","sequence_number":9,"item_id":"msg_0ca0ba552749d18c0069414e6a4bd08197b70d83e91162dd13","output_index":1,"content_index":0,"delta":" word","logprobs":[],"obfuscation":"0akkkhrq6x9f"}"#
        }
        Wire::Anthropic => r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" word"}}"#,
        Wire::Gemini => {
            r#"{"candidates":[{"content":{"parts":[{"text":" word"}],"role":"model"},"index":0}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":27,"totalTokenCount":36,"promptTokensDetails":[{"modality":"TEXT","tokenCount":9}]},"modelVersion":"gemini-2.5-flash","responseId":"z3ShaduRDfKP9tMP9r3PqAY"}"#
        }
    }
}

fn decode_each_wire(c: &mut Criterion) {
    for wire in Wire::ALL {
        let event = word(wire);
        let body = format!("data: {event}\n\n").repeat(DELTAS);
        let vendor = Vendor::of(wire, "llm.example");
        let mut group = c.benchmark_group(format!("decode {}, per delta", wire.name()));
        group.throughput(Throughput::ElementsAndBytes { elements: DELTAS as u64, bytes: body.len() as u64 });
        group.bench_function("one event per read", |b| {
            b.iter(|| {
                let (mut decoder, mut out) = (AnswerDecoder::new(wire, &vendor), Vec::new());
                for read in body.as_bytes().chunks(body.len() / DELTAS) {
                    out.clear();
                    decoder.push(read, &mut out).unwrap();
                    black_box(&out);
                }
            });
        });
        group.bench_function("only serde_json::Value, for comparison", |b| {
            b.iter(|| {
                (0..DELTAS).for_each(|_| drop(black_box(serde_json::from_str::<serde_json::Value>(event).unwrap())))
            });
        });
        group.finish();
    }
}

/// A conversation of 100 messages: questions, calls, results, answers.
fn messages() -> Vec<Message> {
    let text = "All happy families are alike; each unhappy family is unhappy in its own way. ".repeat(6);
    let mut messages = Vec::new();
    for step in 1..=25 {
        let uid = CallUid { turn: TurnId::default(), step, ordinal: 0 };
        let call = ToolCall {
            uid,
            provider_id: format!("call_{step}"),
            name: "search".to_owned(),
            arguments: Arguments(r#"{"query":"families"}"#.to_owned()),
            extras: None,
        };
        let result = ToolResult::new(uid, "search", text.clone());
        messages.extend([
            Message::user(text.as_str()),
            Message::new(Role::Assistant, vec![Part::ToolCall(call)]),
            Message::new(Role::Tool, vec![Part::ToolResult(result)]),
            Message::new(Role::Assistant, vec![Part::text(text.as_str())]),
        ]);
    }
    messages
}

fn request(history: History) -> ChatRequest {
    let parameters = r#"{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}"#;
    let tool = ToolDefinition::new("search", "Searches the shelves.", parameters).unwrap();
    ChatRequest {
        model: None,
        route: None,
        instructions: Some("Answer in one sentence.".into()),
        history,
        tools: Arc::new([tool]),
        params: Params::default(),
        tool_choice: ToolChoice::Auto,
    }
}

fn encode_history(c: &mut Criterion) {
    let mut group = c.benchmark_group("encode 100 messages");
    let (warm, vendor) = (request(History::of(messages())), Vendor::of(WIRE, "llm.example"));
    group.throughput(Throughput::Bytes(WIRE.encode(&warm, "small", &ModelProfile::default(), &vendor).len() as u64));
    group.bench_function("warm", |b| {
        b.iter(|| black_box(WIRE.encode(&warm, "small", &ModelProfile::default(), &vendor)))
    });
    group.bench_function("cold", |b| {
        let fresh = || request(History::of(messages()));
        b.iter_batched_ref(
            fresh,
            |request| black_box(WIRE.encode(request, "small", &ModelProfile::default(), &vendor)),
            BatchSize::SmallInput,
        );
    });
    group.finish();
}

criterion_group!(benches, decode, decode_each_wire, encode_history);
criterion_main!(benches);
