//! Tests of rounds of tool calls.

use insta::assert_snapshot;
use turnkit_core::{Answer, Data, FinishReason, PartialAnswer, RawJson, ToolErrorKind, ToolResult};
use turnkit_engine::machine::{FinishedCall, Input};

use crate::trace::Ask::{Broken, Look, Send, Set, Unknown};
use crate::trace::{Trace, finished, result, usage};

#[test]
fn a_plain_turn() {
    assert_snapshot!(Trace::new().answers("Hello!", &[]).end(), @r#"
    > call model: step 1 attempt 1
    < answered
      says assistant: "Hello!"
      logs step 1 ended: Stop, 10 + 2 tokens
      logs turn ended: completed, 10 + 2 tokens, 1 steps
      commits, ends
    > done: completed
    "#);
}

#[test]
fn an_empty_answer() {
    assert_snapshot!(Trace::new().answers("", &[]).end(), @"
    > call model: step 1 attempt 1
    < answered
      logs step 1 ended: Stop, 10 + 2 tokens
      logs turn ended: completed, 10 + 2 tokens, 1 steps
      commits, ends
    > done: completed
    ");
}

#[test]
fn a_plan_counts_for_the_call_it_names_and_for_no_other() {
    let trace = Trace::new();
    let asks = [Send, Unknown, Look, Look];
    let PartialAnswer { parts, cut, .. } = trace.partial("", &asks, &[]);
    let answer = Answer { parts, finish: FinishReason::ToolCalls, usage: usage(), cut };
    let mut plans = trace.plans(&asks);
    plans.remove(0);
    plans.reverse();
    let trace = trace.takes("answered, without a plan for the first", &Input::Answered { answer, plans });
    assert_snapshot!(trace.finishes(&[2, 3]).end(), @"
    > call model: step 1 attempt 1
    < answered, without a plan for the first
      says assistant: 0 send(); 1 fly(); 2 look(); 3 look()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 2
      logs tool started: 3
      holds
    > run tools: 2 3
    < finished
      says tool: 0 = Cancelled: Error executing send: cancelled before it ran; 1 = UnknownTool: Error executing fly: there is no such tool; 2 = ok; 3 = ok
      logs tool finished: 0 in 0 ms
      logs tool finished: 1 in 0 ms
      logs tool finished: 2 in 5 ms
      logs tool finished: 3 in 5 ms
      commits
    > call model: step 2 attempt 1
    ");
}

#[test]
fn a_round_that_only_reads_is_held_until_its_results_are_there() {
    assert_snapshot!(Trace::new().answers("Let me see.", &[Look, Look]).finishes(&[0, 1]).answers("Found.", &[]).end(), @r#"
    > call model: step 1 attempt 1
    < answered
      says assistant: "Let me see."; 0 look(); 1 look()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      logs tool started: 1
      holds
    > run tools: 0 1
    < finished
      says tool: 0 = ok; 1 = ok
      logs tool finished: 0 in 5 ms
      logs tool finished: 1 in 5 ms
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
fn a_round_that_changes_something_commits_before_it_runs() {
    assert_snapshot!(Trace::new().answers("", &[Send, Set]).finishes(&[0, 1]).answers("Sent.", &[]).end(), @r#"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send(); 1 set()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      logs tool started: 1
      receipt 0 Started
      receipt 1 Started
      commits
    > run tools: 0 1
    < finished
      says tool: 0 = ok; 1 = ok
      logs tool finished: 0 in 5 ms
      logs tool finished: 1 in 5 ms
      receipt 0 Done
      receipt 1 Done
      commits
    > call model: step 2 attempt 1
    < answered
      says assistant: "Sent."
      logs step 2 ended: Stop, 10 + 2 tokens
      logs turn ended: completed, 20 + 4 tokens, 2 steps
      commits, ends
    > done: completed
    "#);
}

#[test]
fn a_mixed_round_has_receipts_only_for_calls_with_effects() {
    assert_snapshot!(Trace::new().answers("", &[Look, Send]).finishes(&[0, 1]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 look(); 1 send()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      logs tool started: 1
      receipt 1 Started
      commits
    > run tools: 0 1
    < finished
      says tool: 0 = ok; 1 = ok
      logs tool finished: 0 in 5 ms
      logs tool finished: 1 in 5 ms
      receipt 1 Done
      commits
    > call model: step 2 attempt 1
    ");
}

#[test]
fn results_are_written_in_call_order() {
    assert_snapshot!(Trace::new().answers("", &[Look, Unknown, Look]).finishes(&[2, 0]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 look(); 1 fly(); 2 look()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      logs tool started: 2
      holds
    > run tools: 0 2
    < finished
      says tool: 0 = ok; 1 = UnknownTool: Error executing fly: there is no such tool; 2 = ok
      logs tool finished: 0 in 5 ms
      logs tool finished: 1 in 0 ms
      logs tool finished: 2 in 5 ms
      commits
    > call model: step 2 attempt 1
    ");
}

#[test]
fn an_unknown_tool_is_refused_and_the_model_reads_why() {
    assert_snapshot!(Trace::new().answers("", &[Unknown]).finishes(&[]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 fly()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      holds
    > run tools: none
    < finished
      says tool: 0 = UnknownTool: Error executing fly: there is no such tool
      logs tool finished: 0 in 0 ms
      commits
    > call model: step 2 attempt 1
    ");
}

#[test]
fn invalid_arguments_are_refused_and_the_model_reads_why() {
    assert_snapshot!(Trace::new().answers("", &[Broken]).finishes(&[]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 look()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      holds
    > run tools: none
    < finished
      says tool: 0 = InvalidArguments: Error executing look: not valid JSON
      logs tool finished: 0 in 0 ms
      commits
    > call model: step 2 attempt 1
    ");
}

#[test]
fn data_is_logged_before_the_end_of_its_call_and_metadata_are_set() {
    let trace = Trace::new().answers("", &[Look]);
    let data = Data { kind: "chart".to_owned(), payload: RawJson::parse("[1]").unwrap() };
    let result = ToolResult { data: Some(data), ..result(trace.uid(0), "drawn") };
    let metadata = [("seen".to_owned(), true.into())].into_iter().collect();
    let finished = FinishedCall { metadata, ..finished(result) };
    assert_snapshot!(trace.takes("finished", &Input::ToolsFinished(vec![finished])).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 look()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      holds
    > run tools: 0
    < finished
      says tool: 0 = drawn
      logs data of 0
      logs tool finished: 0 in 5 ms
      commits, sets metadata
    > call model: step 2 attempt 1
    ");
}

#[test]
fn a_tool_that_fails_does_not_end_the_turn() {
    let trace = Trace::new().answers("", &[Send, Send]);
    let failed = |ordinal, kind| {
        finished(ToolResult { ok: false, error: Some(kind), ..result(trace.uid(ordinal), "Error executing send: no") })
    };
    let finished = vec![failed(0, ToolErrorKind::Failed), failed(1, ToolErrorKind::TimedOut)];
    assert_snapshot!(trace.takes("finished", &Input::ToolsFinished(finished)).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send(); 1 send()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      logs tool started: 1
      receipt 0 Started
      receipt 1 Started
      commits
    > run tools: 0 1
    < finished
      says tool: 0 = Failed: Error executing send: no; 1 = TimedOut: Error executing send: no
      logs tool finished: 0 in 5 ms
      logs tool finished: 1 in 5 ms
      receipt 0 Failed
      receipt 1 Unknown
      commits
    > call model: step 2 attempt 1
    ");
}
