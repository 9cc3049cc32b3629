//! Does one operation many times, so that `cargo xtask costs` can count its cost: `costs NAME COUNT`.
//!
//! The difference between two runs with different counts is the cost of the additional operations, without that of
//! startup and shutdown. `costs turns COUNT KIND PROGRAM…` starts the binary under a counting program, and runs turns
//! on it.
#![expect(clippy::print_stderr, reason = "a program that is run by hand when its counts are looked into")]

mod decode;
mod encode;
mod fold;
mod machine;
mod mcp_servers;
mod pool;
mod server;
mod store;
mod turns;
mod upstream;

use std::error::Error;
use std::process::ExitCode;

use turnkit_llm::Strategy;

type Outcome = Result<(), Box<dyn Error>>;

/// A function that does one operation this many times.
type Loop = fn(usize) -> Outcome;

/// The operations, by name.
const LOOPS: &[(&str, Loop)] = &[
    ("decode-openai-chat", decode::openai_chat),
    ("decode-openai-responses", decode::openai_responses),
    ("decode-anthropic", decode::anthropic),
    ("decode-gemini", decode::gemini),
    ("value-openai-chat", decode::openai_chat_as_value),
    ("value-openai-responses", decode::openai_responses_as_value),
    ("value-anthropic", decode::anthropic_as_value),
    ("value-gemini", decode::gemini_as_value),
    ("encode-history", encode::history),
    ("show", fold::show),
    ("show-and-read", fold::show_and_read),
    ("step", machine::step),
    ("step-with-a-call", machine::step_with_a_call),
    ("call", pool::direct),
    ("pool-1", |calls| pool::through(1, Strategy::Priority, calls)),
    ("pool-10", |calls| pool::through(10, Strategy::Priority, calls)),
    ("pool-100", |calls| pool::through(100, Strategy::Priority, calls)),
    ("pool-10-round-robin", |calls| pool::through(10, Strategy::RoundRobin, calls)),
    ("pool-10-random", |calls| pool::through(10, Strategy::Random, calls)),
    ("pool-10-least-loaded", |calls| pool::through(10, Strategy::LeastLoaded, calls)),
    ("pool-10-cost", |calls| pool::through(10, Strategy::Cost, calls)),
    ("pool-100-round-robin", |calls| pool::through(100, Strategy::RoundRobin, calls)),
    ("pool-100-random", |calls| pool::through(100, Strategy::Random, calls)),
    ("pool-100-least-loaded", |calls| pool::through(100, Strategy::LeastLoaded, calls)),
    ("pool-100-cost", |calls| pool::through(100, Strategy::Cost, calls)),
    ("open", store::open),
    ("accept", store::accept),
    ("accept-and-end", store::accept_and_end),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words.as_slice() {
        ["turns", count, kind, counter @ ..] => turns::run(count, kind, counter),
        [name, count] => repeat(name, count),
        _ => Err("expected: NAME COUNT, or turns COUNT KIND PROGRAM…".into()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn repeat(name: &str, count: &str) -> Outcome {
    let names = || LOOPS.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let known = LOOPS.iter().find(|(known, _)| *known == name);
    let (_, run) = known.ok_or_else(|| format!("there is no loop `{name}`; the loops are {}", names()))?;
    run(count.parse()?)
}
