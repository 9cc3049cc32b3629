//! Decodes the hardest frames that providers send: whole, split at every byte, and truncated at every byte.
//!
//! A case is a folder `fixtures/<wire>/<case>` with a `response.sse` or `response.json` and an `expected.json`.

mod support;

use serde_json::{Map, Value, json};
use support::case::{Case, cases};
use support::{Outcome, buffered, cut_at, first_terminator, runnable, streamed};
use turnkit_core::{Part, Usage};

impl Case {
    fn decode(&self, body: &[u8]) -> Outcome {
        if self.is_stream { streamed(self.wire, [body]) } else { buffered(self.wire, body) }
    }

    /// Returns the outcome of each prefix of the body.
    fn cut_everywhere(&self) -> Vec<(usize, Outcome)> {
        let places = 0..self.body.len();
        if self.is_stream {
            return cut_at(self.wire, &self.body, places).collect();
        }
        places.map(|at| (at, self.decode(&self.body[..at]))).collect()
    }
}

/// Returns an outcome in the format of `expected.json`, which omits zero and empty values.
fn shown(outcome: &Outcome) -> Value {
    let (parts, cut) = match outcome {
        Ok(answer) => (&answer.parts, &answer.cut),
        Err(broken) => (&broken.partial.parts, &broken.partial.cut),
    };
    let mut shown = Map::new();
    shown.insert("parts".to_owned(), parts.iter().map(shown_part).collect());
    match outcome {
        Err(broken) => {
            shown.insert("error".to_owned(), broken.error.kind.code().into());
            shown.extend(broken.partial.usage.iter().map(|usage| ("usage".to_owned(), shown_usage(usage))));
        }
        Ok(answer) => {
            shown.insert("finish".to_owned(), json!(answer.finish));
            if !cut.is_empty() {
                shown.insert("cut".to_owned(), cut.len().into());
            }
            if answer.usage.unmetered_calls == 0 {
                shown.insert("usage".to_owned(), shown_usage(&answer.usage));
            }
        }
    }
    shown.into()
}

fn shown_part(part: &Part) -> Value {
    let mut shown = match part {
        Part::Text(text) => json!({ "text": text.text }),
        Part::Reasoning(reasoning) => json!({ "reasoning": reasoning.text }),
        Part::ProviderTool(tool) => {
            json!({ "provider_tool": { "id": tool.provider_id, "name": tool.name, "input": tool.input } })
        }
        Part::ToolCall(call) => {
            json!({ "call": { "id": call.provider_id, "name": call.name, "arguments": call.arguments } })
        }
        Part::Image(image) => json!({ "image": image.url }),
        other => json!(other),
    };
    if let Some(opaque) = part.opaque() {
        // As text, because data that is sent back must be identical to the byte.
        shown["opaque"] = opaque.data.get().into();
    }
    shown
}

fn shown_usage(usage: &Usage) -> Value {
    let counts = [
        ("fresh", usage.fresh),
        ("cache_read", usage.cache_read),
        ("cache_write", usage.cache_write),
        ("output", usage.output),
        ("reasoning", usage.reasoning),
    ];
    let counted = counts.into_iter().filter(|(_, count)| *count > 0);
    counted.map(|(name, count)| (name.to_owned(), count.into())).collect::<Map<_, _>>().into()
}

#[test]
fn fixtures_decode_to_the_expected_answers() {
    for case in cases() {
        assert_eq!(shown(&case.decode(&case.body)), case.expected, "{}", case.name);
    }
}

#[test]
fn an_answer_is_the_same_for_any_split() {
    for case in cases().iter().filter(|case| case.is_stream) {
        let whole = streamed(case.wire, [case.body.as_slice()]);
        for at in 0..case.body.len() {
            let (head, tail) = case.body.split_at(at);
            assert_eq!(streamed(case.wire, [head, tail]), whole, "{} split at {at}", case.name);
        }
        assert_eq!(streamed(case.wire, case.body.chunks(1)), whole, "{} byte by byte", case.name);
    }
}

#[test]
fn a_truncated_answer_is_never_complete_and_never_runs_a_partial_call() {
    for case in cases() {
        let runs_whole = runnable(&case.decode(&case.body));
        let terminator = first_terminator(case.wire, &case.body);
        for (at, outcome) in case.cut_everywhere() {
            let may_be_whole = if case.is_stream { at >= terminator } else { case.body[at..].trim_ascii().is_empty() };
            assert!(outcome.is_err() || may_be_whole, "{} cut at {at} is whole: {outcome:?}", case.name);
            for call in runnable(&outcome) {
                assert!(runs_whole.contains(&call), "{} cut at {at} runs {call:?}", case.name);
            }
        }
    }
}
