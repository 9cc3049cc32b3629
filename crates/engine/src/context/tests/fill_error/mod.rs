//! Measures the error of the estimated size of requests against a tokenizer's count.

mod recorded;
mod sessions;
mod tokenizer;

use proptest::test_runner::TestRunner;
use turnkit_core::{ChatRequest, Entry, History, Usage};

use self::sessions::{Kind, Session};
use self::tokenizer::Tokenizer;
use crate::context::{Fill, TokenRatios, fill};

/// The number of sessions of each kind that are measured with each tokenizer.
const SESSIONS: usize = 20;
/// The number of calls from which the estimator learns about a model.
const LEARNING: usize = 3;
const LIMIT: u64 = 10_000_000;

/// Returns the ratio of estimated to counted size for each request of a session. The provider counts each request, and
/// the driver records the counts as it does in a turn.
fn errors(session: &Session, tokenizer: &Tokenizer) -> Vec<f64> {
    let (ratios, mut errors) = (TokenRatios::default(), Vec::new());
    let history = History::of([session.first.clone()]);
    let instructions = Some(session.instructions.as_str().into());
    let mut request = ChatRequest { instructions, history, tools: session.tools.clone(), ..ChatRequest::default() };
    let mut counted = tokenizer.overhead(&request) + tokenizer.message(&session.first);
    for step in &session.steps {
        let fill = Fill::new(&request, None, LIMIT, &ratios);
        let estimated = fill.used() - fill::reserve(&request, None, Some(LIMIT));
        errors.push(estimated as f64 / counted as f64 - 1.0);
        let usage = Usage { fresh: counted, ..Usage::default() };
        if let Some(model) = fill.learn(&usage, "model", &ratios) {
            request.history.set_anchor(usage.input(), fill.overhead, model);
        }
        for message in step {
            counted += tokenizer.message(message);
            request.history.push(Entry::new(message.clone()));
        }
    }
    errors
}

/// Returns the value that `percent` percent of the values do not exceed.
fn percentile(values: &mut [f64], percent: usize) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get((values.len() * percent / 100).min(values.len().saturating_sub(1))).copied().unwrap_or_default()
}

#[test]
fn after_three_calls_the_size_of_a_request_is_known_within_a_tenth_and_before_it_is_not_underestimated() {
    let mut runner = TestRunner::deterministic();
    println!("{:10} {:12} {:>10} {:>12} {:>8}", "kind", "tokenizer", "lowest", "p90 after 3", "worst");
    let mut failed = Vec::new();
    for kind in Kind::ALL {
        let sessions: Vec<_> = std::iter::repeat_with(|| kind.session(&mut runner)).take(SESSIONS).collect();
        for tokenizer in Tokenizer::all() {
            let (mut first, mut later) = (Vec::new(), Vec::new());
            for session in &sessions {
                let mut errors = errors(session, &tokenizer);
                later.extend(errors.split_off(LEARNING).into_iter().map(f64::abs));
                first.extend(errors);
            }
            let lowest = percentile(&mut first, 0);
            let (p90, worst) = (percentile(&mut later, 90), percentile(&mut later, 100));
            println!("{kind:10?} {:12} {lowest:>+10.3} {p90:>12.3} {worst:>8.3}", tokenizer.name);
            if lowest < -0.1 || p90 > 0.1 {
                failed.push((kind, tokenizer.name));
            }
        }
    }
    assert!(failed.is_empty(), "{failed:?}");
}
