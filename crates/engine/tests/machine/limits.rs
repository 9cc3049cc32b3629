//! Tests of the limits of a turn.

use insta::assert_snapshot;
use turnkit_core::FinishReason;
use turnkit_engine::machine::{Limits, OnLimit};

use crate::trace::Ask::{Look, Send, SendIfAllowed, Unknown};
use crate::trace::Trace;

#[test]
fn the_last_round_runs_and_then_the_turn_stops() {
    let limits = Limits { max_rounds: 1, ..Limits::default() };
    assert_snapshot!(Trace::with(limits).answers("", &[Look]).finishes(&[0]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 look()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      holds
    > run tools: 0
    < finished
      says tool: 0 = ok
      says assistant: notice max_tool_rounds
      logs tool finished: 0 in 5 ms
      logs error max_tool_rounds (Turn)
      logs turn ended: limit, 10 + 2 tokens, 1 steps
      commits, ends
    > done: limit
    ");
}

#[test]
fn after_the_last_round_the_model_may_answer_without_tools() {
    let limits = Limits { max_rounds: 1, on_limit: OnLimit::Answer, ..Limits::default() };
    assert_snapshot!(Trace::with(limits).answers("", &[Look]).finishes(&[0]).answers("So far.", &[]).end(), @r#"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 look()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      holds
    > run tools: 0
    < finished
      says tool: 0 = ok
      logs tool finished: 0 in 5 ms
      commits
    > call model: step 2 attempt 1 without tools
    < answered
      says assistant: "So far."
      logs step 2 ended: Stop, 10 + 2 tokens
      logs turn ended: limit, 20 + 4 tokens, 2 steps
      commits, ends
    > done: limit
    "#);
}

#[test]
fn a_model_that_calls_on_after_the_last_round_is_stopped() {
    let limits = Limits { max_rounds: 1, on_limit: OnLimit::Answer, ..Limits::default() };
    assert_snapshot!(Trace::with(limits).answers("", &[Look]).finishes(&[0]).answers("More!", &[Send]).end(), @r#"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 look()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      holds
    > run tools: 0
    < finished
      says tool: 0 = ok
      logs tool finished: 0 in 5 ms
      commits
    > call model: step 2 attempt 1 without tools
    < answered
      says assistant: "More!"; 0 send()
      says tool: 0 = TooManyCalls: Error executing send: this turn has used up its tool calls; answer with what you have
      says assistant: notice max_tool_rounds
      logs step 2 ended: ToolCalls, 10 + 2 tokens
      logs tool finished: 0 in 0 ms
      logs error max_tool_rounds (Turn)
      logs turn ended: limit, 20 + 4 tokens, 2 steps
      commits, ends
    > done: limit
    "#);
}

#[test]
fn calls_beyond_the_limit_are_refused_and_the_model_is_to_answer() {
    let limits = Limits { max_calls: 1, ..Limits::default() };
    assert_snapshot!(Trace::with(limits).answers("", &[Look, Send]).finishes(&[0]).answers("Fine.", &[]).end(), @r#"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 look(); 1 send()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      holds
    > run tools: 0
    < finished
      says tool: 0 = ok; 1 = TooManyCalls: Error executing send: this turn has used up its tool calls; answer with what you have
      logs tool finished: 0 in 5 ms
      logs tool finished: 1 in 0 ms
      commits
    > call model: step 2 attempt 1
    < answered
      says assistant: "Fine."
      logs step 2 ended: Stop, 10 + 2 tokens
      logs turn ended: completed, 20 + 4 tokens, 2 steps
      commits, ends
    > done: completed
    "#);
}

#[test]
fn a_call_cut_by_the_output_limit_does_not_run() {
    let trace = Trace::new().answers_and_stops("", &[Look, Send], FinishReason::Length, &[1]);
    assert_snapshot!(trace.finishes(&[0]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 look(); 1 send()
      logs step 1 ended: Length, 10 + 2 tokens
      logs tool started: 0
      holds
    > run tools: 0
    < finished
      says tool: 0 = ok; 1 = Incomplete: Error executing send: the call was cut off before its arguments were complete; it did not run
      logs tool finished: 0 in 5 ms
      logs tool finished: 1 in 0 ms
      commits
    > call model: step 2 attempt 1
    ");
}

#[test]
fn a_paused_answer_is_continued_in_the_next_step() {
    let trace = Trace::new().answers_and_stops("I search.", &[], FinishReason::Pause, &[]);
    assert_snapshot!(trace.answers("Found.", &[]).end(), @r#"
    > call model: step 1 attempt 1
    < answered
      says assistant: "I search."
      logs step 1 ended: Pause, 10 + 2 tokens
      commits
    > call model: step 2 attempt 1
    < answered
      says assistant: "Found."
      logs step 2 ended: Stop, 10 + 2 tokens
      logs turn ended: completed, 20 + 4 tokens, 2 steps
      commits, ends
    > done: completed
    "#);
}

#[test]
fn pauses_count_as_rounds() {
    let pauses = |on_limit| {
        let limits = Limits { max_rounds: 2, on_limit, ..Limits::default() };
        let trace = Trace::with(limits).answers_and_stops("One.", &[], FinishReason::Pause, &[]);
        trace.answers_and_stops("Two.", &[], FinishReason::Pause, &[])
    };
    assert_snapshot!(pauses(OnLimit::Stop).end(), @r#"
    > call model: step 1 attempt 1
    < answered
      says assistant: "One."
      logs step 1 ended: Pause, 10 + 2 tokens
      commits
    > call model: step 2 attempt 1
    < answered
      says assistant: "Two."; notice max_tool_rounds (interrupted)
      logs step 2 ended: Pause, 10 + 2 tokens
      logs error max_tool_rounds (Turn)
      logs turn ended: limit, 20 + 4 tokens, 2 steps
      commits, ends
    > done: limit
    "#);
    let closing = pauses(OnLimit::Answer).answers_and_stops("Three.", &[], FinishReason::Pause, &[]);
    assert_snapshot!(closing.end(), @r#"
    > call model: step 1 attempt 1
    < answered
      says assistant: "One."
      logs step 1 ended: Pause, 10 + 2 tokens
      commits
    > call model: step 2 attempt 1
    < answered
      says assistant: "Two."
      logs step 2 ended: Pause, 10 + 2 tokens
      commits
    > call model: step 3 attempt 1 without tools
    < answered
      says assistant: "Three." (interrupted)
      logs step 3 ended: Pause, 10 + 2 tokens
      logs turn ended: limit, 30 + 6 tokens, 3 steps
      commits, ends
    > done: limit
    "#);
}

#[test]
fn a_paused_answer_with_calls_runs_them() {
    let trace = Trace::new().answers_and_stops("", &[Look], FinishReason::Pause, &[]);
    assert_snapshot!(trace.end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 look()
      logs step 1 ended: Pause, 10 + 2 tokens
      logs tool started: 0
      holds
    > run tools: 0
    ");
}

#[test]
fn a_call_that_keeps_failing_alike_is_refused_and_then_the_turn_ends() {
    let told = (0..5).fold(Trace::new(), |trace, _| trace.answers("", &[Unknown]).finishes(&[])).end();
    let results = told.lines().filter(|line| line.starts_with("  says tool"));
    let end = told.lines().skip_while(|line| *line != "  says assistant: notice loop");
    assert_snapshot!(results.chain(end).collect::<Vec<_>>().join("\n"), @"
      says tool: 0 = UnknownTool: Error executing fly: there is no such tool
      says tool: 0 = UnknownTool: Error executing fly: there is no such tool
      says tool: 0 = UnknownTool: Error executing fly: there is no such tool
      says tool: 0 = Repeated: Error executing fly: it failed the same way three times in a row, so it did not run again; do something else, or answer with what you have
      says tool: 0 = Repeated: Error executing fly: it failed the same way three times in a row, so it did not run again; do something else, or answer with what you have
      says assistant: notice loop
      logs tool finished: 0 in 0 ms
      logs error loop (Turn)
      logs turn ended: limit, 50 + 10 tokens, 5 steps
      commits, ends
    > done: limit
    ");
}

#[test]
fn a_call_that_waits_beside_two_that_take_turns_is_cancelled_with_the_turn() {
    let rounds = (0..2).fold(Trace::new(), |trace, _| trace.answers("", &[Look, Unknown]).finishes(&[0]));
    let told = rounds.answers("", &[Look, Unknown, SendIfAllowed]).finishes(&[0]).end();
    let last = told.lines().skip_while(|line| !line.contains("2 = "));
    assert_snapshot!(last.collect::<Vec<_>>().join("\n"), @"
      says tool: 2 = Cancelled: Error executing send: cancelled before it ran
      says assistant: notice loop
      logs tool finished: 0 in 5 ms
      logs tool finished: 1 in 0 ms
      logs resolved 2.0: Denied { by: Cancelled, note: None }
      logs tool finished: 2 in 0 ms
      logs error loop (Turn)
      logs turn ended: limit, 30 + 6 tokens, 3 steps
      commits, ends
    > done: limit
    ");
}

#[test]
fn a_resumed_turn_remembers_its_failed_calls() {
    let trace = (0..3).fold(Trace::new(), |trace, _| trace.answers("", &[Unknown]).finishes(&[]));
    let told = trace.resumes(1, 0).answers("", &[Unknown]).finishes(&[]).end();
    assert!(told.contains("says tool: 0 = Repeated"), "{told}");
}

#[test]
fn a_round_that_asks_a_question_ends_no_turn_as_a_loop() {
    let rounds = (0..2).fold(Trace::new(), |trace, _| trace.answers("", &[Look, Unknown]).finishes(&[0]));
    let asked = rounds.answers("", &[Look, Unknown, Send]).asks_of(2, "When?", &[0]);
    assert_eq!(asked.machine.waiting().len(), 1);
    let told = asked.end();
    let after_question = told.lines().skip_while(|line| *line != "  asks 2.0 Question");
    assert_snapshot!(after_question.collect::<Vec<_>>().join("\n"), @"
      asks 2.0 Question
      commits, waits
    > await: 2
    ");
}
