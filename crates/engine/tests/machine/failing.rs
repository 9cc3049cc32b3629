//! Tests of model calls that fail.

use insta::assert_snapshot;
use turnkit_core::{FinishReason, ProviderErrorKind};
use turnkit_engine::machine::{Limits, OnStreamFailure};

use crate::trace::Ask::{Look, Send};
use crate::trace::Trace;

#[test]
fn a_provider_that_fails_before_output_fails_the_turn() {
    assert_snapshot!(Trace::new().fails(ProviderErrorKind::Overloaded).end(), @"
    > call model: step 1 attempt 1
    < failed
      says assistant: notice provider_overloaded
      logs error provider_overloaded (Provider, retryable)
      logs turn ended: failed, 0 + 0 tokens, 1 steps
      commits, ends
    > done: failed
    ");
}

#[test]
fn a_provider_that_breaks_off_in_its_text_fails_the_turn_and_the_text_is_kept() {
    assert_snapshot!(Trace::new().fails_after("Once upon", &[], &[]).end(), @r#"
    > call model: step 1 attempt 1
    < failed after output
      says assistant: "Once upon"; notice provider_network (interrupted)
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs error provider_network (Provider, retryable)
      logs turn ended: failed, 10 + 2 tokens, 1 steps
      commits, ends
    > done: failed
    "#);
}

#[test]
fn an_answer_that_breaks_off_is_withdrawn_and_asked_for_again_if_the_agent_wants_that() {
    let limits = Limits { on_stream_failure: OnStreamFailure::Redo, ..Limits::default() };
    let broken = || Trace::with(limits).fails_after("Once upon", &[Send], &[]);
    assert_snapshot!(broken().answers("Twice", &[]).end(), @r#"
    > call model: step 1 attempt 1
    < failed after output
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs retracted from 3, attempt 2, 0 lost
      logs Notice { code: "redone", text: "the answer broke off and is asked for again: it broke" }
      commits
    > call model: step 1 attempt 2
    < answered
      says assistant: "Twice"
      logs step 1 ended: Stop, 10 + 2 tokens
      logs turn ended: completed, 20 + 4 tokens, 1 steps
      commits, ends
    > done: completed
    "#);
    assert_snapshot!(broken().fails_after("Once", &[], &[]).fails_after("On", &[], &[]).end(), @r#"
    > call model: step 1 attempt 1
    < failed after output
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs retracted from 3, attempt 2, 0 lost
      logs Notice { code: "redone", text: "the answer broke off and is asked for again: it broke" }
      commits
    > call model: step 1 attempt 2
    < failed after output
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs retracted from 3, attempt 3, 0 lost
      logs Notice { code: "redone", text: "the answer broke off and is asked for again: it broke" }
      commits
    > call model: step 1 attempt 3
    < failed after output
      says assistant: "On"; notice provider_network (interrupted)
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs error provider_network (Provider, retryable)
      logs turn ended: failed, 30 + 6 tokens, 1 steps
      commits, ends
    > done: failed
    "#);
}

#[test]
fn a_provider_that_breaks_off_in_a_call_fails_the_turn_and_the_call_does_not_run() {
    assert_snapshot!(Trace::new().fails_after("", &[Send], &[0]).end(), @r#"
    > call model: step 1 attempt 1
    < failed after output
      says assistant: 0 send(); notice provider_network (interrupted)
      says tool: 0 = Incomplete: Error executing send: the call was cut off before its arguments were complete; it did not run
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs error provider_network (Provider, retryable)
      logs tool finished: 0 in 0 ms
      logs turn ended: failed, 10 + 2 tokens, 1 steps
      commits, ends
    > done: failed
    "#);
}

#[test]
fn a_provider_that_breaks_off_after_a_whole_call_gets_another_step() {
    assert_snapshot!(Trace::new().fails_after("", &[Send, Look], &[1]).finishes(&[0]).end(), @r#"
    > call model: step 1 attempt 1
    < failed after output
      says assistant: 0 send(); 1 look(); notice provider_network (interrupted)
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs error provider_network (Provider, retryable)
      logs tool started: 0
      receipt 0 Started
      commits
    > run tools: 0
    < finished
      says tool: 0 = ok; 1 = Incomplete: Error executing look: the call was cut off before its arguments were complete; it did not run
      logs tool finished: 0 in 5 ms
      logs tool finished: 1 in 0 ms
      receipt 0 Done
      commits
    > call model: step 2 attempt 1
    "#);
}

#[test]
fn the_content_filter_fails_the_turn_and_the_text_is_kept() {
    assert_snapshot!(Trace::new().answers_and_stops("Well,", &[], FinishReason::ContentFilter, &[]).end(), @r#"
    > call model: step 1 attempt 1
    < answered
      says assistant: "Well,"; notice content_filter
      logs step 1 ended: ContentFilter, 10 + 2 tokens
      logs error content_filter (Provider)
      logs turn ended: failed, 10 + 2 tokens, 1 steps
      commits, ends
    > done: failed
    "#);
}
