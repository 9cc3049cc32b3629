//! Decodes a token in the format of each wire, from a separate read. For comparison, parses the same read to a JSON
//! value.

use std::hint::black_box;

use serde_json::Value;
use turnkit_llm::wire::{AnswerDecoder, Vendor, Wire};

use crate::Outcome;

const OPENAI_CHAT: &str = concat!(
    r#"{"id":"chatcmpl-CYPS1l","object":"chat.completion.chunk","created":1762317021,"model":"gpt-5-nano","#,
    r#""service_tier":"default","system_fingerprint":null,"choices":[{"index":0,"delta":{"content":" word"},"#,
    r#""finish_reason":null}],"usage":null,"obfuscation":"NNpA6Dj2U"}"#,
);
const OPENAI_RESPONSES: &str = concat!(
    r#"{"type":"response.output_text.delta","sequence_number":9,"item_id":"msg_0ca0ba552749d18c0069414e6a4bd0","#,
    r#""output_index":1,"content_index":0,"delta":" word","logprobs":[],"obfuscation":"0akkkhrq6x9f"}"#,
);
const ANTHROPIC: &str = r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":" word"}}"#;
const GEMINI: &str = concat!(
    r#"{"candidates":[{"content":{"parts":[{"text":" word"}],"role":"model"},"index":0}],"usageMetadata":"#,
    r#"{"promptTokenCount":9,"candidatesTokenCount":27,"totalTokenCount":36},"modelVersion":"gemini-2.5-flash","#,
    r#""responseId":"z3ShaduRDfKP9tMP9r3PqAY"}"#,
);

pub(crate) fn openai_chat(tokens: usize) -> Outcome {
    decode(Wire::OpenaiChat, OPENAI_CHAT, tokens)
}

pub(crate) fn openai_responses(tokens: usize) -> Outcome {
    decode(Wire::OpenaiResponses, OPENAI_RESPONSES, tokens)
}

pub(crate) fn anthropic(tokens: usize) -> Outcome {
    decode(Wire::Anthropic, ANTHROPIC, tokens)
}

pub(crate) fn gemini(tokens: usize) -> Outcome {
    decode(Wire::Gemini, GEMINI, tokens)
}

pub(crate) fn openai_chat_as_value(tokens: usize) -> Outcome {
    parse(OPENAI_CHAT, tokens)
}

pub(crate) fn openai_responses_as_value(tokens: usize) -> Outcome {
    parse(OPENAI_RESPONSES, tokens)
}

pub(crate) fn anthropic_as_value(tokens: usize) -> Outcome {
    parse(ANTHROPIC, tokens)
}

pub(crate) fn gemini_as_value(tokens: usize) -> Outcome {
    parse(GEMINI, tokens)
}

fn parse(event: &str, tokens: usize) -> Outcome {
    for _ in 0..tokens {
        black_box(serde_json::from_slice::<Value>(black_box(event.as_bytes()))?);
    }
    Ok(())
}

fn decode(wire: Wire, event: &str, tokens: usize) -> Outcome {
    let vendor = Vendor::of(wire, "llm.example");
    let read = format!("data: {event}\n\n");
    let (mut decoder, mut deltas) = (AnswerDecoder::new(wire, &vendor), Vec::new());
    for _ in 0..tokens {
        deltas.clear();
        decoder.push(read.as_bytes(), &mut deltas)?;
        black_box(&deltas);
    }
    Ok(())
}
