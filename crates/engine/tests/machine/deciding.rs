//! Tests of calls that wait for a decision.

use insta::assert_snapshot;
use turnkit_core::{Arguments, KnownOutcome, Resolution, TurnStatus};

use crate::trace::Ask::{Look, Send, SendIfAllowed, Set, Show, Unknown};
use crate::trace::Trace;

#[test]
fn an_approved_call_runs_and_a_denied_one_does_not() {
    let trace = Trace::new().answers("", &[SendIfAllowed, SendIfAllowed]).decides(0, None).finishes(&[0]);
    assert_snapshot!(trace.decides(1, Some("not today")).finishes(&[]).end(), @r#"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send(); 1 send()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      asks 0.0 Approval
      asks 1.0 Approval
      commits, waits
    > await: 0 1
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
      commits, waits
    > await: 1
    < denied
      logs resolved 1.0: Denied { by: Person, note: Some("not today") }
      commits
    > run tools: none
    < finished
      says tool: 1 = Denied: Error executing send: the user denied it. The user says: not today
      logs tool finished: 1 in 0 ms
      commits
    > call model: step 2 attempt 1
    "#);
}

#[test]
fn calls_that_need_no_decision_run_before_the_turn_waits() {
    let trace = Trace::new().answers("", &[SendIfAllowed, Look, Unknown]).finishes(&[1]);
    assert_snapshot!(trace.decides(0, Some("no")).finishes(&[]).end(), @r#"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send(); 1 look(); 2 fly()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 1
      asks 0.0 Approval
      commits
    > run tools: 1
    < finished
      says tool: 1 = ok; 2 = UnknownTool: Error executing fly: there is no such tool
      logs tool finished: 1 in 5 ms
      logs tool finished: 2 in 0 ms
      commits, waits
    > await: 0
    < denied
      logs resolved 0.0: Denied { by: Person, note: Some("no") }
      commits
    > run tools: none
    < finished
      says tool: 0 = Denied: Error executing send: the user denied it. The user says: no
      logs tool finished: 0 in 0 ms
      commits
    > call model: step 2 attempt 1
    "#);
}

#[test]
fn a_decision_of_a_call_that_was_decided_changes_nothing() {
    let trace = Trace::new().answers("", &[SendIfAllowed]).decides(0, Some("no"));
    assert_snapshot!(trace.decides(0, None).end(), @r#"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      asks 0.0 Approval
      commits, waits
    > await: 0
    < denied
      logs resolved 0.0: Denied { by: Person, note: Some("no") }
      commits
    > run tools: none
    < approved
      holds
    > run tools: none
    "#);
}

#[test]
fn all_decisions_are_one_checkpoint() {
    let trace = Trace::new().answers("", &[SendIfAllowed, Look, SendIfAllowed]).finishes(&[1]);
    assert_snapshot!(trace.resolves("approved", &Resolution::APPROVED).finishes(&[0, 2]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send(); 1 look(); 2 send()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 1
      asks 0.0 Approval
      asks 2.0 Approval
      commits
    > run tools: 1
    < finished
      says tool: 1 = ok
      logs tool finished: 1 in 5 ms
      commits, waits
    > await: 0 2
    < approved
      logs resolved 0.0: Approved { arguments: None, note: None, grant: None }
      logs tool started: 0
      logs resolved 2.0: Approved { arguments: None, note: None, grant: None }
      logs tool started: 2
      receipt 0 Started
      receipt 2 Started
      commits
    > run tools: 0 2
    < finished
      says tool: 0 = ok; 2 = ok
      logs tool finished: 0 in 5 ms
      logs tool finished: 2 in 5 ms
      receipt 0 Done
      receipt 2 Done
      commits
    > call model: step 2 attempt 1
    ");
}

#[test]
fn a_call_whose_tool_asks_runs_again_once_the_question_is_answered() {
    let trace = Trace::new().answers("", &[Send, Look]).asks_of(0, "When?", &[1]);
    let answer = Resolution::Answered { answer: serde_json::json!("noon") };
    assert_snapshot!(trace.resolves("answered", &answer).finishes(&[0]).end(), @r#"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send(); 1 look()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      logs tool started: 0
      logs tool started: 1
      receipt 0 Started
      commits
    > run tools: 0 1
    < asked
      says tool: 1 = ok
      logs tool finished: 1 in 5 ms
      asks 0.0 Question
      commits, waits
    > await: 0
    < answered
      logs resolved 0.0: Answered { answer: String("noon") }
      commits
    > run tools: 0
    < finished
      says tool: 0 = ok
      logs tool finished: 0 in 5 ms
      receipt 0 Done
      commits
    > call model: step 2 attempt 1
    "#);
}

#[test]
fn a_call_of_the_client_waits_for_its_result() {
    let returned = Resolution::returned(true, "shown");
    let trace = Trace::new().answers("", &[Show]);
    assert_snapshot!(trace.resolves("returned", &returned).finishes(&[]).end(), @r#"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 show()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      asks 0.0 ClientTool
      commits, waits
    > await: 0
    < returned
      logs resolved 0.0: Returned { ok: true, content: "shown", shortened: None }
      commits
    > run tools: none
    < finished
      says tool: 0 = shown
      logs tool finished: 0 in 0 ms
      commits
    > call model: step 2 attempt 1
    "#);
}

#[test]
fn decisions_of_another_wait_of_the_call_change_nothing() {
    let outcome = |outcome| Resolution::Outcome { outcome, note: None };
    let approved = Trace::new().answers("", &[SendIfAllowed]).decides(0, None);
    // The approval decides the call's first wait, and is delivered again along with the decisions of the second.
    let asked = approved.resumes_and_asks(2).decides(0, None);
    assert_snapshot!(asked.resolves("done", &outcome(KnownOutcome::Done)).finishes(&[]).end(), @"
    > call model: step 1 attempt 1
    < answered
      says assistant: 0 send()
      logs step 1 ended: ToolCalls, 10 + 2 tokens
      asks 0.0 Approval
      commits, waits
    > await: 0
    < approved
      logs resolved 0.0: Approved { arguments: None, note: None, grant: None }
      logs tool started: 0
      receipt 0 Started
      commits
    > run tools: 0
    < resumed 2
      logs retracted from 10, attempt 2, 0 lost
      asks 0.1 Outcome
      commits, waits
    > await: 0
    < approved
      holds
    > await: 0
    < done
      logs resolved 0.1: Outcome { outcome: Done, note: None }
      commits
    > run tools: none
    < finished
      says tool: 0 = the server stopped while this ran, and the user says that it took effect
      logs tool finished: 0 in 0 ms
      receipt 0 Done
      commits
    > call model: step 2 attempt 1
    ");
}

#[test]
fn a_call_with_an_unknown_outcome_runs_again_if_a_person_says_so() {
    let retry = Resolution::Outcome { outcome: KnownOutcome::Retry, note: Some("I looked".to_owned()) };
    let trace = Trace::new().answers("", &[Send, Set]).resumes_and_asks(2).finishes(&[1]);
    assert_snapshot!(trace.resolves("told", &retry).finishes(&[0]).end(), @r#"
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
    < resumed 2
      logs retracted from 10, attempt 2, 0 lost
      asks 0.0 Outcome
      commits
    > run tools: 1
    < finished
      says tool: 1 = ok
      logs tool finished: 1 in 5 ms
      receipt 1 Done
      commits, waits
    > await: 0
    < told
      logs resolved 0.0: Outcome { outcome: Retry, note: Some("I looked") }
      commits
    > run tools: 0
    < finished
      says tool: 0 = ok
      logs tool finished: 0 in 5 ms
      receipt 0 Done
      commits
    > call model: step 2 attempt 1
    "#);
}

#[test]
fn a_person_reports_the_outcome_of_a_call_that_was_running() {
    for (outcome, read, receipt) in [
        (KnownOutcome::Done, "0 = the server stopped while this ran, and the user says that it took effect", "Done"),
        (
            KnownOutcome::Failed,
            "0 = Failed: Error executing send: the server stopped while it ran, and the user says that it had no effect",
            "Failed",
        ),
    ] {
        let resolution = Resolution::Outcome { outcome, note: Some("I looked".to_owned()) };
        let trace = Trace::new().answers("", &[Send]).resumes_and_asks(2).resolves("told", &resolution);
        let told = trace.finishes(&[]).end();
        assert!(told.contains(&format!("says tool: {read}. The user says: I looked\n")), "{told}");
        assert!(told.contains(&format!("receipt 0 {receipt}\n")), "{told}");
        assert!(told.ends_with("> call model: step 2 attempt 1\n"), "{told}");
    }
}

#[test]
fn a_turn_that_stops_denies_its_pending_calls() {
    for status in [TurnStatus::Cancelled, TurnStatus::Interrupted] {
        let told = Trace::new().answers("", &[SendIfAllowed]).stops(status, None, &[]).end();
        let by = if status == TurnStatus::Cancelled { "Cancelled" } else { "Superseded" };
        assert!(told.contains(&format!("resolved 0.0: Denied {{ by: {by}, note: None }}")), "{told}");
        assert!(told.contains("cancelled before it ran"), "{told}");
    }
}

#[test]
fn a_decision_that_does_not_fit_its_wait_runs_nothing() {
    let outcome = Resolution::Outcome { outcome: KnownOutcome::Retry, note: None };
    let told = Trace::new().answers("", &[SendIfAllowed]).resolves("retry", &outcome).end();
    assert!(told.ends_with("> run tools: none\n"), "{told}");
    let asked = Trace::new().answers("", &[Send]).resumes_and_asks(2);
    let told = asked.resolves("approved", &Resolution::APPROVED).end();
    assert!(told.ends_with("> run tools: none\n"), "{told}");
}

#[test]
fn changed_arguments_and_a_note_are_kept_until_the_call_has_run() {
    let arguments = Some(Arguments("{\"to\":\"me\"}".to_owned()));
    let approved = Resolution::Approved { arguments, note: Some("only me".to_owned()), grant: None };
    let machine = Trace::new().answers("", &[SendIfAllowed]).resolves("approved", &approved).machine;
    let stored = machine.store().unwrap();
    assert!(stored.get().contains("{\\\"to\\\":\\\"me\\\"}") && stored.get().contains("only me"), "{}", stored.get());
}
