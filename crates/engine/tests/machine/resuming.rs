//! Tests of turns whose owner died.

use insta::assert_snapshot;

use turnkit_core::{
    Arguments, CallUid, Part, PartialAnswer, ProviderError, ProviderErrorKind, Timestamp, ToolCall, TurnId, TurnStatus,
};
use turnkit_engine::machine::{Input, Limits, TurnMachine};

use crate::trace::Ask::{Look, Send, SendIfAllowed, Set};
use crate::trace::Trace;

fn partial(text: &str) -> PartialAnswer {
    Trace::new().partial(text, &[], &[])
}

#[test]
fn resumed_before_the_model_answered() {
    assert_snapshot!(Trace::new().resumes(2, 1).answers("Hello!", &[]).end(), @r#"
    > call model: step 1 attempt 1
    < resumed 2
      logs retracted from 10, attempt 2, 1 lost
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
    assert_snapshot!(Trace::new().answers("", &[Look, Set]).resumes(2, 1).finishes(&[0, 1]).end(), @"
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
      logs retracted from 10, attempt 2, 0 lost
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
    assert_snapshot!(Trace::new().answers("", &[Set, Send]).resumes(2, 1).finishes(&[0]).end(), @"
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
      logs retracted from 10, attempt 2, 0 lost
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
    assert_snapshot!(Trace::new().answers("", &[SendIfAllowed]).resumes(1, 0).decides(0, None).finishes(&[0]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      asks 0.0 Approval
      commits, waits
    > await: 0
    < resumed 1
      holds
    > await: 0
    < approved
      logs resolved 0.0: Approved { arguments: None, note: None, grant: None }
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
    assert_snapshot!(Trace::new().resumes(3, 2).gives_up(3).end(), @"
    > call model: step 1 attempt 1
    < resumed 3
      logs retracted from 10, attempt 3, 2 lost
      holds
    > call model: step 1 attempt 3
    < given up
      says assistant: notice attempts_exhausted
      logs retracted from 10, attempt 4, 3 lost
      logs error attempts_exhausted (Turn, retryable)
      logs turn ended: failed, 0 + 0 tokens, 1 steps
      commits, ends
    > done: failed
    ");
}

#[test]
fn resumed_too_often_while_a_tool_ran_that_must_not_run_twice() {
    assert_snapshot!(Trace::new().answers("", &[Send, Set, SendIfAllowed]).gives_up(3).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send(); 1 set(); 2 send()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      logs tool started: 1
      receipt 0 Started
      receipt 1 Started
      asks 2.0 Approval
      commits
    > run tools: 0 1
    < given up
      says tool: 0 = OutcomeUnknown: Error executing send: its outcome is unknown: the server stopped while it ran; it may have taken effect. Do not repeat it without asking the user; 1 = Cancelled: Error executing set: cancelled while it ran; it may have taken effect; 2 = Cancelled: Error executing send: cancelled before it ran
      says assistant: notice attempts_exhausted
      logs retracted from 10, attempt 4, 0 lost
      logs resolved 2.0: Denied { by: Cancelled, note: None }
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

#[test]
fn output_before_a_stop_is_withdrawn_and_another_answer_replaces_it() {
    assert_snapshot!(Trace::new().hands_over_call(Some(partial("Hel"))).resumes(2, 0).answers("Hello!", &[]).end(), @r#"
    > call model: step 1 attempt 1
    < handed over
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs retracted from 3, attempt 2, 0 lost
      commits
    > call model: step 1 attempt 1
    < resumed 2
      logs retracted from 10, attempt 2, 0 lost
      holds
    > call model: step 1 attempt 2
    < answered
      says assistant: "Hello!"
      logs step 1 ended: Stop, 10 + 2 tokens
      logs turn ended: completed, 20 + 4 tokens, 1 steps
      commits, ends
    > done: completed
    "#);
}

#[test]
fn output_before_a_stop_is_kept_if_the_turn_ends_without_another_answer() {
    let handed_over = || Trace::new().hands_over_call(Some(partial("Hel"))).resumes(2, 0);
    assert_snapshot!(handed_over().stops(TurnStatus::Cancelled, None, &[]).end(), @r#"
    > call model: step 1 attempt 1
    < handed over
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs retracted from 3, attempt 2, 0 lost
      commits
    > call model: step 1 attempt 1
    < resumed 2
      logs retracted from 10, attempt 2, 0 lost
      holds
    > call model: step 1 attempt 2
    < stopped
      says assistant: "Hel" (interrupted)
      logs turn ended: cancelled, 10 + 2 tokens, 1 steps
      commits, ends
    > done: cancelled
    "#);
    assert_snapshot!(handed_over().gives_up(3).end(), @r#"
    > call model: step 1 attempt 1
    < handed over
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs retracted from 3, attempt 2, 0 lost
      commits
    > call model: step 1 attempt 1
    < resumed 2
      logs retracted from 10, attempt 2, 0 lost
      holds
    > call model: step 1 attempt 2
    < given up
      says assistant: "Hel"; notice attempts_exhausted (interrupted)
      logs retracted from 10, attempt 4, 3 lost
      logs error attempts_exhausted (Turn, retryable)
      logs turn ended: failed, 10 + 2 tokens, 1 steps
      commits, ends
    > done: failed
    "#);
    assert_snapshot!(handed_over().fails(ProviderErrorKind::Network).end(), @r#"
    > call model: step 1 attempt 1
    < handed over
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs retracted from 3, attempt 2, 0 lost
      commits
    > call model: step 1 attempt 1
    < resumed 2
      logs retracted from 10, attempt 2, 0 lost
      holds
    > call model: step 1 attempt 2
    < failed
      says assistant: "Hel"; notice provider_network (interrupted)
      logs error provider_network (Provider, retryable)
      logs turn ended: failed, 10 + 2 tokens, 1 steps
      commits, ends
    > done: failed
    "#);
    assert_snapshot!(handed_over().stops(TurnStatus::Cancelled, Some(partial("Hi")), &[]).end(), @r#"
    > call model: step 1 attempt 1
    < handed over
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs retracted from 3, attempt 2, 0 lost
      commits
    > call model: step 1 attempt 1
    < resumed 2
      logs retracted from 10, attempt 2, 0 lost
      holds
    > call model: step 1 attempt 2
    < stopped
      says assistant: "Hi" (cancelled)
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs turn ended: cancelled, 20 + 4 tokens, 1 steps
      commits, ends
    > done: cancelled
    "#);
}

#[test]
fn of_the_outputs_before_two_stops_the_longer_one_is_kept() {
    let twice =
        Trace::new().hands_over_call(Some(partial("Hello, w"))).resumes(2, 0).hands_over_call(Some(partial("Hi")));
    assert_snapshot!(twice.resumes(3, 0).stops(TurnStatus::Cancelled, None, &[]).end(), @r#"
    > call model: step 1 attempt 1
    < handed over
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs retracted from 3, attempt 2, 0 lost
      commits
    > call model: step 1 attempt 1
    < resumed 2
      logs retracted from 10, attempt 2, 0 lost
      holds
    > call model: step 1 attempt 2
    < handed over
      logs step 1 ended: Interrupted, 10 + 2 tokens
      logs retracted from 3, attempt 3, 0 lost
      commits
    > call model: step 1 attempt 2
    < resumed 3
      logs retracted from 10, attempt 3, 0 lost
      holds
    > call model: step 1 attempt 3
    < stopped
      says assistant: "Hello, w" (interrupted)
      logs turn ended: cancelled, 20 + 4 tokens, 1 steps
      commits, ends
    > done: cancelled
    "#);
}

#[test]
fn a_model_call_without_an_answer_before_a_stop_is_lost() {
    assert_snapshot!(Trace::new().hands_over_call(None).resumes(2, 0).answers("Hello!", &[]).end(), @r#"
    > call model: step 1 attempt 1
    < handed over
      logs retracted from 3, attempt 2, 1 lost
      commits
    > call model: step 1 attempt 1
    < resumed 2
      logs retracted from 10, attempt 2, 0 lost
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
fn calls_that_were_over_before_a_stop_do_not_run_again() {
    assert_snapshot!(Trace::new().answers("", &[Send, Send]).hands_over_round(&[0]).resumes(2, 0).end(), @"
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
    < handed over
      says tool: 0 = ok
      logs tool finished: 0 in 5 ms
      receipt 0 Done
      commits
    > run tools: 1
    < resumed 2
      logs retracted from 10, attempt 2, 0 lost
      holds
    > run tools: none
    ");
}

#[test]
fn a_call_that_breaks_off_is_kept_with_its_result_in_place_of_text_that_was_saved() {
    let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
    let call = ToolCall {
        uid,
        provider_id: "call_0".to_owned(),
        name: "look".to_owned(),
        arguments: Arguments::default(),
        extras: None,
    };
    let partial = Some(PartialAnswer { parts: vec![Part::ToolCall(call)], usage: None, cut: vec![uid] });
    let machine = TurnMachine::new(Limits::default(), Timestamp::from_millis(60_000));
    let mut machine = machine.with_unfinished(vec![Part::text("Half an answer")]);
    let error = ProviderError::new(ProviderErrorKind::Network, "it broke");
    let effects = machine.apply(&Input::ModelFailed { error, partial, plans: Vec::new(), since: None });
    let calls = effects.messages.iter().flat_map(|message| message.calls()).map(|call| call.uid);
    let results = effects.messages.iter().flat_map(|message| &message.parts).filter_map(|part| match part {
        Part::ToolResult(result) => Some(result.uid),
        _ => None,
    });
    assert_eq!((calls.collect(), results.collect()), (vec![uid], vec![uid]), "{:?}", effects.messages);
}
