//! Runs each target of `cargo xtask fuzz` for two seconds without coverage guidance, on mutated answers from our
//! fixtures.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failing helper is a failing test")]

mod by_the_book;
mod laws;
mod mutation;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::{Duration, Instant};

use mutation::Mutations;
use turnkit_llm::Wire;

const TIME: Duration = Duration::from_secs(2);

/// Returns the streams of our fixtures for these wires.
fn seeds(wires: &[Wire]) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let folders = wires.iter().map(|wire| root.join(wire.name().replace('-', "_")));
    let mut cases: Vec<_> =
        folders.flat_map(|folder| fs::read_dir(folder).unwrap()).map(|case| case.unwrap().path()).collect();
    cases.sort();
    let bodies = cases.iter().flat_map(|case| [case.join("response.sse"), case.join("response.json")]);
    bodies.filter_map(|body| fs::read(body).ok()).collect()
}

/// Checks a property on a deterministic sequence of mutations. An input that violates it is saved.
fn fuzz(target: &str, wires: &[Wire], law: fn(&[u8])) {
    let start = Instant::now();
    let mut tried = 0_u32;
    for input in Mutations::of(seeds(wires)) {
        if let Err(broken) = catch_unwind(AssertUnwindSafe(|| law(&input))) {
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{target}"));
            fs::write(&file, &input).unwrap();
            let said = broken.downcast_ref::<String>().map(String::as_str).unwrap_or("it panicked");
            panic!("{said}\ninput: {0}\nagain: cargo xtask fuzz {target} --input {0}", file.display());
        }
        tried += 1;
        if start.elapsed() > TIME {
            break;
        }
    }
    assert!(tried > 100, "only {tried} inputs were tried");
}

#[test]
fn events_of_any_bytes_are_those_of_the_standard() {
    fuzz("sse", &Wire::ALL, laws::sse);
}

#[test]
fn any_answer_of_chat_completions_is_a_typed_outcome() {
    fuzz("openai_chat", &[Wire::OpenaiChat], laws::openai_chat);
}

#[test]
fn any_answer_of_responses_is_a_typed_outcome() {
    fuzz("openai_responses", &[Wire::OpenaiResponses], laws::openai_responses);
}

#[test]
fn any_answer_of_messages_is_a_typed_outcome() {
    fuzz("anthropic", &[Wire::Anthropic], laws::anthropic);
}

#[test]
fn any_answer_of_generate_content_is_a_typed_outcome() {
    fuzz("gemini", &[Wire::Gemini], laws::gemini);
}
