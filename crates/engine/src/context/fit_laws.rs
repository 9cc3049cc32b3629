//! Property tests of the changes that make a request small enough.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use turnkit_core::ports::ModelLimits;
use turnkit_core::{ChatRequest, Entry, History, Message, Part, Role};

use super::prune::tests::{Made, tools, turn};
use super::{ContextSettings, Fill, FitAction, Pruning, TokenRatios, fit, push};

/// The maximum number of changes before a step.
const MAX_FITS: usize = 4;

/// Builds turns of rounds; each round is given as the number of characters of its result. The last turn has no answer
/// yet.
fn history(turns: &[Vec<usize>]) -> History {
    let mut messages: Vec<Message> = Vec::new();
    for rounds in turns {
        let results: Vec<[Made<'_>; 1]> =
            rounds.iter().map(|size| [("read", r#"{"path":"a.rs"}"#, Ok("x".repeat(*size)))]).collect();
        let rounds: Vec<&[Made<'_>]> = results.iter().map(<[_; 1]>::as_slice).collect();
        messages.extend(turn(&rounds).iter().map(|entry| entry.message().clone()));
        messages.push(Message::new(Role::Assistant, vec![Part::text("Done.")]));
    }
    messages.pop();
    let mut history = History::of(messages);
    history.reopen_turn(history.branch_len().saturating_sub(1));
    history
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2_000) })]

    #[test]
    fn before_each_step_at_most_four_changes_lead_to_a_call_or_to_the_end_of_the_turn(
        turns in vec(vec(0..8_000_usize, 0..6), 1..12),
        window in 200..30_000_u32,
        largest_window in prop::option::of(200..60_000_u32),
        instructions in 0..20_000_usize,
        (max_messages, keep_results) in (0..12_u32, 0..6_u32),
        compact_at in 1..=100_u8,
        pruning in select(vec![Pruning::Never, Pruning::Pressure, Pruning::Always]),
        (summarise, has_compactor, has_optional) in (any::<bool>(), any::<bool>(), any::<bool>()),
        summary in prop::option::of(0..4_000_usize),
        step in 1..8_u16,
    ) {
        let settings =
            ContextSettings { max_messages, compact_at, summarise, pruning, keep_results, ..ContextSettings::default() };
        let limits = Some(ModelLimits { window, largest_window, max_output: None });
        let (ratios, instructions) = (TokenRatios::default(), Some("x".repeat(instructions).into()));
        let mut request =
            ChatRequest { instructions, history: history(&turns), tools: tools().into(), ..ChatRequest::default() };
        let (mut may, mut fits) = ((true, has_optional), 0);
        loop {
            let fill = Fill::new(&request, limits, u64::from(window), &ratios);
            match fit(&request, settings, step, limits, Some(&fill), may, has_compactor) {
                None | Some(FitAction::Reject(_)) => break,
                Some(FitAction::Rewrite(rewrite)) => push(&mut request.history, Entry::new(rewrite.change)),
                Some(FitAction::DropOptional(_)) => {
                    // Dropping optional items changes no message.
                    (may.1, request.instructions) = (false, None);
                    continue;
                }
                Some(FitAction::Summarise(cut)) => {
                    may.0 = false;
                    // The compactor may fail, or return a summary that is empty or too large.
                    let made = summary.map(|size| cut.summary(&"x".repeat(size), false));
                    if let Some(Ok((message, _))) = made {
                        push(&mut request.history, Entry::new(message));
                    }
                }
            }
            fits += 1;
            prop_assert!(fits <= MAX_FITS, "{} messages after {fits} changes", request.history.len());
        }
    }
}
