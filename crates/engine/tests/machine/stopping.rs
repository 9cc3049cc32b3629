//! Tests of turns that are stopped before they are complete.

use insta::assert_snapshot;
use turnkit_core::{Answer, FinishReason, PartialAnswer, TurnStatus};
use turnkit_engine::machine::Input;

use crate::trace::Ask::{Look, Send, SendIfAllowed};
use crate::trace::{Trace, usage};

#[test]
fn cancelled_before_the_model_spoke() {
    assert_snapshot!(Trace::new().stops(TurnStatus::Cancelled, None, &[]).end(), @"
    > call model: step 1 attempt 1
    < stopped
      logs turn ended: cancelled, 0 + 0 tokens, 1 steps
      commits, ends
    > done: cancelled
    ");
}

#[test]
fn cancelled_while_the_model_spoke() {
    let trace = Trace::new();
    let partial = trace.partial("I will", &[Look, Send], &[1]);
    assert_snapshot!(trace.stops(TurnStatus::Cancelled, Some(partial), &[]).end(), @r#"
    > call model: step 1 attempt 1
    < stopped
      says assistant: "I will"; 0 look(); 1 send() (cancelled)
      says tool: 0 = Cancelled: Error executing look: cancelled before it ran; 1 = Incomplete: Error executing send: the call was cut off before its arguments were complete; it did not run
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs tool finished: 0 in 0 ms
      logs tool finished: 1 in 0 ms
      logs turn ended: cancelled, 10 + 2 tokens, 1 steps
      commits, ends
    > done: cancelled
    "#);
}

#[test]
fn cancelled_while_tools_run() {
    let trace = Trace::new().answers("", &[Send, Send, Look]);
    assert_snapshot!(trace.stops(TurnStatus::Cancelled, None, &[0]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send(); 1 send(); 2 look()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      logs tool started: 1
      logs tool started: 2
      receipt 0 Started
      receipt 1 Started
      commits
    > run tools: 0 1 2
    < stopped
      says tool: 0 = ok; 1 = Cancelled: Error executing send: cancelled while it ran; it may have taken effect; 2 = Cancelled: Error executing look: cancelled before it ran
      logs tool finished: 0 in 5 ms
      logs tool finished: 1 in 0 ms
      logs tool finished: 2 in 0 ms
      logs turn ended: cancelled, 10 + 2 tokens, 1 steps
      receipt 0 Done
      receipt 1 Unknown
      commits, ends
    > done: cancelled
    ");
}

#[test]
fn cancelled_while_it_waits() {
    let trace = Trace::new().answers("", &[SendIfAllowed]);
    assert_snapshot!(trace.stops(TurnStatus::Cancelled, None, &[]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      asks 0.0 Approval
      commits, waits
    > await: 0
    < stopped
      says tool: 0 = Cancelled: Error executing send: cancelled before it ran
      logs resolved 0.0: Denied { by: Cancelled, note: None }
      logs tool finished: 0 in 0 ms
      logs turn ended: cancelled, 10 + 2 tokens, 1 steps
      commits, ends
    > done: cancelled
    ");
}

#[test]
fn a_cancel_that_was_first_keeps_the_answer_it_overtook() {
    let trace = Trace::new();
    let PartialAnswer { parts, cut, .. } = trace.partial("All of it.", &[Send], &[]);
    let answer = Answer { parts, finish: FinishReason::ToolCalls, usage: usage(), cut };
    let answered = Input::Answered { answer, plans: trace.plans(&[Send]) };
    assert_snapshot!(trace.takes("answered, stopped first", &answered.stopped(TurnStatus::Cancelled)).end(), @r#"
    > call model: step 1 attempt 1
    < answered, stopped first
      says assistant: "All of it."; 0 send() (cancelled)
      says tool: 0 = Cancelled: Error executing send: cancelled before it ran
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs tool finished: 0 in 0 ms
      logs turn ended: cancelled, 10 + 2 tokens, 1 steps
      commits, ends
    > done: cancelled
    "#);
}

#[test]
fn superseded_by_another_message() {
    assert_snapshot!(Trace::new().answers("", &[Look]).stops(TurnStatus::Interrupted, None, &[0]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 look()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      holds
    > run tools: 0
    < stopped
      says tool: 0 = ok
      logs tool finished: 0 in 5 ms
      logs turn ended: interrupted, 10 + 2 tokens, 1 steps
      commits, ends
    > done: interrupted
    ");
}

#[test]
fn the_deadline_passes_before_the_model_is_asked() {
    assert_snapshot!(Trace::new().expires().end(), @"
    > expire
    < expired
      says assistant: notice deadline_exceeded
      logs error deadline_exceeded (Turn)
      logs turn ended: expired, 0 + 0 tokens, 1 steps
      commits, ends
    > done: expired
    ");
}

#[test]
fn the_deadline_passes_while_tools_run() {
    assert_snapshot!(Trace::new().answers("", &[Send]).expires().end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      receipt 0 Started
      commits
    > expire
    < expired
      says tool: 0 = Cancelled: Error executing send: cancelled while it ran; it may have taken effect
      says assistant: notice deadline_exceeded
      logs tool finished: 0 in 0 ms
      logs error deadline_exceeded (Turn)
      logs turn ended: expired, 10 + 2 tokens, 1 steps
      receipt 0 Unknown
      commits, ends
    > done: expired
    ");
}
