//! Measures the requests of a session in tokens.

use std::collections::HashMap;
use std::sync::Arc;

use serde_json::json;
use tiktoken_rs::o200k_base_singleton;
use turnkit_core::{ChatRequest, Entry, Message, Part, Role};

/// The tokens around a message.
const PER_MESSAGE: u64 = 4;

/// Requests as lists of segments: the tools, the instructions, and each message.
#[derive(Default)]
pub(super) struct Sent {
    numbers: HashMap<String, usize>,
    tokens: Vec<Vec<u32>>,
    /// The segments of the entries sent before, by the addresses of the entries.
    entries: HashMap<usize, (Arc<Entry>, Vec<usize>)>,
    requests: Vec<Vec<usize>>,
}

/// The measured requests of a session.
#[derive(Debug)]
pub(super) struct HistogramSnapshot {
    pub(super) requests: usize,
    /// The tokens of all requests.
    pub(super) sent: u64,
    /// The tokens that are also a prefix of an earlier request.
    pub(super) served: u64,
    /// The tokens of the largest request.
    pub(super) largest: u64,
}

impl Sent {
    /// Adds a request, and returns its tokens.
    pub(super) fn add(&mut self, request: &ChatRequest) -> u64 {
        let tools = request.tools.iter().map(|tool| {
            let parameters: serde_json::Value = serde_json::from_str(tool.parameters.get()).unwrap();
            json!({ "name": tool.name, "description": tool.description, "parameters": parameters }).to_string()
        });
        let instructions = request.instructions.iter().map(|text| format!("system\n{text}"));
        let mut segments: Vec<usize> = tools.chain(instructions).map(|text| self.number(&text)).collect();
        for entry in request.history.iter() {
            let of_entry = match self.entries.get(&Arc::as_ptr(entry).addr()) {
                Some((_, known)) => known.clone(),
                None => {
                    let new: Vec<_> = segments_of(entry.message()).iter().map(|text| self.number(text)).collect();
                    self.entries.insert(Arc::as_ptr(entry).addr(), (Arc::clone(entry), new.clone()));
                    new
                }
            };
            segments.extend(of_entry);
        }
        self.push(segments)
    }

    /// Adds a request of another library.
    pub(super) fn add_segments(&mut self, segments: &[String]) {
        let segments = segments.iter().map(|text| self.number(text)).collect();
        self.push(segments);
    }

    fn push(&mut self, segments: Vec<usize>) -> u64 {
        let tokens = segments.iter().map(|segment| self.size(*segment)).sum();
        self.requests.push(segments);
        tokens
    }

    fn number(&mut self, text: &str) -> usize {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        self.tokens.push(o200k_base_singleton().encode_ordinary(text));
        self.numbers.insert(text.to_owned(), self.tokens.len() - 1);
        self.tokens.len() - 1
    }

    fn size(&self, segment: usize) -> u64 {
        PER_MESSAGE + self.tokens[segment].len() as u64
    }

    pub(super) fn measure(&self) -> HistogramSnapshot {
        let sizes: Vec<u64> =
            self.requests.iter().map(|request| request.iter().map(|segment| self.size(*segment)).sum()).collect();
        let served = (0..self.requests.len()).map(|number| {
            let (request, earlier) = (&self.requests[number], &self.requests[..number]);
            earlier.iter().map(|earlier| self.common(request, earlier)).max().unwrap_or_default()
        });
        HistogramSnapshot {
            requests: sizes.len(),
            sent: sizes.iter().sum(),
            served: served.sum(),
            largest: sizes.iter().copied().max().unwrap_or_default(),
        }
    }

    /// Returns the tokens of the common prefix of two requests.
    fn common(&self, one: &[usize], other: &[usize]) -> u64 {
        let same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
        let whole: u64 = one[..same].iter().map(|segment| self.size(*segment)).sum();
        let (Some(one), Some(other)) = (one.get(same), other.get(same)) else { return whole };
        let pairs = self.tokens[*one].iter().zip(&self.tokens[*other]);
        whole + pairs.take_while(|(one, other)| one == other).count() as u64
    }
}

impl HistogramSnapshot {
    /// Returns a row of the table.
    pub(super) fn row(&self, name: &str) -> String {
        let Self { requests, sent, served, largest } = self;
        let share = *served as f64 * 100.0 / *sent as f64;
        format!("| {name} | {requests} | {sent} | {share:.1} % | {} | {largest} |", sent - served)
    }
}

/// Returns the segments of a message as a model reads it. Each result is a segment of its own.
fn segments_of(message: &Message) -> Vec<String> {
    let results = message.parts.iter().filter_map(|part| match part {
        Part::ToolResult(result) => Some(format!("tool\n{}", result.content)),
        _ => None,
    });
    if message.role == Role::Tool {
        return results.collect();
    }
    let role = if message.role == Role::Assistant { "assistant" } else { "user" };
    let text = message.summary().map_or_else(|| message.text(), |summary| summary.text.clone());
    let calls = message.calls().map(|call| format!("\n{} {}", call.name, call.arguments.0));
    vec![format!("{role}\n{text}{}", calls.collect::<String>())]
}
