//! Calls that somebody decides.

use insta::assert_snapshot;

use crate::trace::Ask::{Look, SendIfAllowed, Unknown};
use crate::trace::Trace;

#[test]
fn an_approved_call_runs_and_a_denied_one_does_not() {
    let trace = Trace::new().answers("", &[SendIfAllowed, SendIfAllowed]).decides(0, None).finishes(&[0]);
    assert_snapshot!(trace.decides(1, Some("not today")).finishes(&[]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send(); 1 send()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      commits, waits
    > await: 0 1
    < approved
      logs tool started: 0
      receipt 0 Started
      commits
    > run tools: 0
    < finished
      says tool: 0 = ok
      logs tool finished: 0 in 5 ms
      receipt 0 Done
      commits, waits
    > await: 1
    < denied
      commits
    > run tools: none
    < finished
      says tool: 1 = Denied: Error executing send: not today
      logs tool finished: 1 in 0 ms
      commits
    > call model: step 2 attempt 1
    ");
}

#[test]
fn calls_that_need_nobody_run_before_the_turn_waits() {
    let trace = Trace::new().answers("", &[SendIfAllowed, Look, Unknown]).finishes(&[1]);
    assert_snapshot!(trace.decides(0, Some("no")).finishes(&[]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send(); 1 look(); 2 fly()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 1
      commits
    > run tools: 1
    < finished
      says tool: 1 = ok; 2 = UnknownTool: Error executing fly: there is no such tool
      logs tool finished: 1 in 5 ms
      logs tool finished: 2 in 0 ms
      commits, waits
    > await: 0
    < denied
      commits
    > run tools: none
    < finished
      says tool: 0 = Denied: Error executing send: no
      logs tool finished: 0 in 0 ms
      commits
    > call model: step 2 attempt 1
    ");
}

#[test]
fn a_decision_of_a_call_that_was_decided_changes_nothing() {
    let trace = Trace::new().answers("", &[SendIfAllowed]).decides(0, Some("no"));
    assert_snapshot!(trace.decides(0, None).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      commits, waits
    > await: 0
    < denied
      commits
    > run tools: none
    < approved
      holds
    > run tools: none
    ");
}
