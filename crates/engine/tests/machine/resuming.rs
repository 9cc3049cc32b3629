//! Turns whose owner died.

use insta::assert_snapshot;

use crate::trace::Ask::{Look, Send, SendIfAllowed, Set};
use crate::trace::Trace;

#[test]
fn resumed_before_the_model_answered() {
    assert_snapshot!(Trace::new().resumes(2).answers("Hello!", &[]).end(), @r#"
    > call model: step 1 attempt 1
    < resumed 2
      logs retracted from 10, attempt 2
      holds
    > call model: step 1 attempt 2
    < answered
      says assistant: "Hello!"
      logs step 1 ended: Stop, 10 + 2 tokens
      logs turn ended: completed, 10 + 2 tokens, 1 steps
      commits, ends
    > done: completed
    "#);
}

#[test]
fn resumed_while_reading_tools_ran() {
    assert_snapshot!(Trace::new().answers("", &[Look, Set]).resumes(2).finishes(&[0, 1]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 look(); 1 set()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      logs tool started: 1
      receipt 1 Started
      commits
    > run tools: 0 1
    < resumed 2
      logs retracted from 10, attempt 2
      holds
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
fn resumed_while_a_tool_ran_that_must_not_run_twice() {
    assert_snapshot!(Trace::new().answers("", &[Set, Send]).resumes(2).finishes(&[0]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 set(); 1 send()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      logs tool started: 1
      receipt 0 Started
      receipt 1 Started
      commits
    > run tools: 0 1
    < resumed 2
      logs retracted from 10, attempt 2
      holds
    > run tools: 0
    < finished
      says tool: 0 = ok; 1 = OutcomeUnknown: Error executing send: its outcome is unknown: the server stopped while it ran; it may have taken effect. Do not repeat it without asking the user
      logs tool finished: 0 in 5 ms
      logs tool finished: 1 in 0 ms
      receipt 0 Done
      receipt 1 Unknown
      commits
    > call model: step 2 attempt 1
    ");
}

#[test]
fn resumed_while_it_waits() {
    assert_snapshot!(Trace::new().answers("", &[SendIfAllowed]).resumes(1).decides(0, None).finishes(&[0]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      commits, waits
    > await: 0
    < resumed 1
      holds
    > await: 0
    < approved
      logs tool started: 0
      receipt 0 Started
      commits
    > run tools: 0
    < finished
      says tool: 0 = ok
      logs tool finished: 0 in 5 ms
      receipt 0 Done
      commits
    > call model: step 2 attempt 1
    ");
}

#[test]
fn resumed_too_often() {
    assert_snapshot!(Trace::new().resumes(3).resumes(4).end(), @"
    > call model: step 1 attempt 1
    < resumed 3
      logs retracted from 10, attempt 3
      holds
    > call model: step 1 attempt 3
    < resumed 4
      logs error attempts_exhausted (Turn, retryable)
      logs turn ended: failed, 0 + 0 tokens, 1 steps
      commits, ends
    > done: failed
    ");
}

#[test]
fn resumed_too_often_while_a_tool_ran_that_must_not_run_twice() {
    assert_snapshot!(Trace::new().answers("", &[Send, Set, SendIfAllowed]).resumes(4).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send(); 1 set(); 2 send()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      logs tool started: 1
      receipt 0 Started
      receipt 1 Started
      commits
    > run tools: 0 1
    < resumed 4
      says tool: 0 = OutcomeUnknown: Error executing send: its outcome is unknown: the server stopped while it ran; it may have taken effect. Do not repeat it without asking the user; 1 = Cancelled: Error executing set: cancelled while it ran; it may have taken effect; 2 = Cancelled: Error executing send: cancelled before it ran
      logs tool finished: 0 in 0 ms
      logs tool finished: 1 in 0 ms
      logs tool finished: 2 in 0 ms
      logs error attempts_exhausted (Turn, retryable)
      logs turn ended: failed, 10 + 2 tokens, 1 steps
      receipt 0 Unknown
      receipt 1 Unknown
      commits, ends
    > done: failed
    ");
}
