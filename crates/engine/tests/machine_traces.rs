//! What the machine says and writes, turn by turn: each trace is one turn from its start to its end.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::fmt::Write as _;

use insta::assert_snapshot;
use serde_json::Map;
use turnkit_core::{
    Answer, Arguments, CallUid, Data, FinishReason, Message, Part, Partial, ProviderError, ProviderErrorKind, RawJson,
    Recorded, Role, Timestamp, ToolCall, ToolErrorKind, ToolResult, TurnId, TurnStatus, Usage,
};
use turnkit_engine::machine::{
    CallKind, Effects, Finished, Input, Limits, OnLimit, OnStreamFailure, Plan, Step, TurnMachine, Verdict,
};

/// A turn and the trace of what came of it.
struct Trace {
    machine: TurnMachine,
    now: Timestamp,
    text: String,
}

/// A call and what is to become of it.
#[derive(Clone, Copy)]
enum Ask {
    Look,
    Set,
    Send,
    SendIfAllowed,
    Unknown,
    Broken,
}

use Ask::{Broken, Look, Send, SendIfAllowed, Set, Unknown};

impl Ask {
    fn name(self) -> &'static str {
        match self {
            Look | Broken => "look",
            Set => "set",
            Send | SendIfAllowed => "send",
            Unknown => "fly",
        }
    }

    fn plan(self) -> Plan {
        let kind = match self {
            Look | Broken | Unknown => CallKind::ReadOnly,
            Set => CallKind::Idempotent,
            Send | SendIfAllowed => CallKind::Once,
        };
        let verdict = match self {
            Look | Set | Send => Verdict::Run,
            SendIfAllowed => Verdict::Ask,
            Unknown => Verdict::Refuse(ToolErrorKind::UnknownTool, "there is no such tool".to_owned()),
            Broken => Verdict::Refuse(ToolErrorKind::InvalidArguments, "not valid JSON".to_owned()),
        };
        Plan { kind, verdict }
    }
}

impl Trace {
    fn new() -> Self {
        Self::with(Limits::default())
    }

    fn with(limits: Limits) -> Self {
        let machine = TurnMachine::new(limits, Timestamp::from_millis(60_000));
        Self { machine, now: Timestamp::default(), text: String::new() }
    }

    /// The model answers: text, then calls.
    fn answers(self, text: &str, asks: &[Ask]) -> Self {
        let finish = if asks.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls };
        self.answers_and_stops(text, asks, finish, &[])
    }

    fn answers_and_stops(self, text: &str, asks: &[Ask], finish: FinishReason, cut: &[u16]) -> Self {
        let Partial { parts, cut, .. } = self.said(text, asks, cut);
        let answer = Answer { parts, finish, usage: usage(), cut };
        self.takes("answered", &Input::Answered { answer, plans: plans(asks) })
    }

    fn fails(self, kind: ProviderErrorKind) -> Self {
        let error = ProviderError::new(kind, "it failed");
        self.takes("failed", &Input::ModelFailed { error, partial: None, plans: vec![], since: None })
    }

    fn fails_after(self, text: &str, asks: &[Ask], cut: &[u16]) -> Self {
        let error = ProviderError::new(ProviderErrorKind::Network, "it broke");
        let partial = Some(self.said(text, asks, cut));
        self.takes("failed after output", &Input::ModelFailed { error, partial, plans: plans(asks), since: Some(3) })
    }

    /// These calls of the step succeed.
    fn finishes(self, ordinals: &[u16]) -> Self {
        let finished = self.finished(ordinals);
        self.takes("finished", &Input::ToolsFinished(finished))
    }

    fn decides(self, ordinal: u16, denied: Option<&str>) -> Self {
        let uid = self.uid(ordinal);
        let input = Input::Decided { uid, denied: denied.map(str::to_owned) };
        self.takes(if denied.is_some() { "denied" } else { "approved" }, &input)
    }

    fn stops(self, status: TurnStatus, partial: Option<Partial>, finished: &[u16]) -> Self {
        let finished = self.finished(finished);
        self.takes("stopped", &Input::Stop { status, error: None, partial, finished })
    }

    fn expires(self) -> Self {
        let late = Self { now: Timestamp::from_millis(60_000), ..self };
        let error = Some(("deadline_exceeded".to_owned(), "too late".to_owned()));
        late.takes("expired", &Input::Stop { status: TurnStatus::Expired, error, partial: None, finished: vec![] })
    }

    /// The owner dies; another one reads what was stored.
    fn resumes(self, attempts: u32) -> Self {
        let machine = TurnMachine::restore(&self.machine.store().unwrap()).unwrap();
        Self { machine, ..self }.takes(&format!("resumed {attempts}"), &Input::Resumed { attempts, last_seq: 9 })
    }

    fn takes(mut self, what: &str, input: &Input) -> Self {
        self.next();
        writeln!(self.text, "< {what}").unwrap();
        let effects = self.machine.apply(input);
        self.write(&effects);
        self
    }

    /// The trace, with what the machine says now.
    fn end(mut self) -> String {
        self.next();
        self.text
    }

    fn next(&mut self) {
        let step = match self.machine.next(self.now) {
            Step::CallModel { step, attempt, tools } => {
                format!("call model: step {step} attempt {attempt}{}", if tools { "" } else { " without tools" })
            }
            Step::RunTools(calls) => format!("run tools: {}", ordinals(&calls)),
            Step::Await(calls) => format!("await: {}", ordinals(&calls)),
            Step::Expire => "expire".to_owned(),
            Step::Done(status) => format!("done: {}", status.as_str()),
        };
        writeln!(self.text, "> {step}").unwrap();
    }

    fn write(&mut self, effects: &Effects) {
        for message in &effects.messages {
            let mark = message.mark.map(|mark| format!(" ({mark:?})").to_lowercase()).unwrap_or_default();
            writeln!(self.text, "  says {}{mark}", said(message)).unwrap();
        }
        for recorded in &effects.log {
            writeln!(self.text, "  logs {}", told(recorded)).unwrap();
        }
        for receipt in &effects.receipts {
            writeln!(self.text, "  receipt {} {:?}", receipt.uid.ordinal, receipt.state).unwrap();
        }
        let flags = [
            (effects.commit, "commits"),
            (effects.waiting, "waits"),
            (!effects.metadata.is_empty(), "sets metadata"),
            (effects.end.is_some(), "ends"),
        ];
        let flags: Vec<&str> = flags.into_iter().filter(|flag| flag.0).map(|flag| flag.1).collect();
        writeln!(self.text, "  {}", if flags.is_empty() { "holds".to_owned() } else { flags.join(", ") }).unwrap();
    }

    fn said(&self, text: &str, asks: &[Ask], cut: &[u16]) -> Partial {
        let calls = asks.iter().enumerate().map(|(ordinal, ask)| {
            Part::ToolCall(ToolCall {
                uid: self.uid(u16::try_from(ordinal).unwrap()),
                provider_id: "call_0".to_owned(),
                name: ask.name().to_owned(),
                arguments: Arguments("{}".to_owned()),
                extras: None,
            })
        });
        let text = (!text.is_empty()).then(|| Part::text(text));
        let cut = cut.iter().map(|ordinal| self.uid(*ordinal)).collect();
        Partial { parts: text.into_iter().chain(calls).collect(), usage: Some(usage()), cut }
    }

    fn finished(&self, ordinals: &[u16]) -> Vec<Finished> {
        ordinals.iter().map(|ordinal| finished(result(self.uid(*ordinal), "ok"))).collect()
    }

    fn uid(&self, ordinal: u16) -> CallUid {
        CallUid { turn: TurnId::default(), step: self.machine.step(), ordinal }
    }
}

fn usage() -> Usage {
    Usage { fresh: 10, output: 2, ..Usage::default() }
}

fn plans(asks: &[Ask]) -> Vec<Plan> {
    asks.iter().map(|ask| ask.plan()).collect()
}

fn result(uid: CallUid, content: &str) -> ToolResult {
    let (name, content) = ("tool".to_owned(), content.to_owned());
    ToolResult { uid, name, ok: true, content, data: None, error: None, truncated: false }
}

fn finished(result: ToolResult) -> Finished {
    Finished { result, ms: 5, metadata: Map::new() }
}

fn ordinals(calls: &[CallUid]) -> String {
    let ordinals: Vec<String> = calls.iter().map(|uid| uid.ordinal.to_string()).collect();
    if ordinals.is_empty() { "none".to_owned() } else { ordinals.join(" ") }
}

fn said(message: &Message) -> String {
    let parts = message.parts.iter().map(|part| match part {
        Part::Text(text) => format!("{:?}", text.text),
        Part::ToolCall(call) => format!("{} {}()", call.uid.ordinal, call.name),
        Part::ToolResult(result) => {
            let error = result.error.map(|kind| format!("{kind:?}: ")).unwrap_or_default();
            format!("{} = {error}{}", result.uid.ordinal, result.content)
        }
        other => format!("{other:?}"),
    });
    let parts: Vec<String> = parts.collect();
    let role = match message.role {
        Role::Assistant => "assistant",
        Role::Tool => "tool",
        Role::User => "user",
        Role::System => "system",
    };
    format!("{role}: {}", parts.join("; "))
}

fn told(recorded: &Recorded) -> String {
    match recorded {
        Recorded::StepEnded { step, finish, usage } => {
            format!("step {step} ended: {finish:?}, {} + {} tokens", usage.fresh, usage.output)
        }
        Recorded::ToolStarted { uid } => format!("tool started: {}", uid.ordinal),
        Recorded::ToolFinished { uid, ms } => format!("tool finished: {} in {ms} ms", uid.ordinal),
        Recorded::Data { uid } => format!("data of {}", uid.ordinal),
        Recorded::Retracted { from_seq, attempt } => format!("retracted from {from_seq}, attempt {attempt}"),
        Recorded::Error { code, retryable, scope, .. } => {
            format!("error {code} ({scope:?}{})", if *retryable { ", retryable" } else { "" })
        }
        Recorded::TurnEnded { status, usage, steps } => {
            format!("turn ended: {}, {} + {} tokens, {steps} steps", status.as_str(), usage.fresh, usage.output)
        }
        other => format!("{other:?}"),
    }
}

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
fn a_mixed_round_has_receipts_only_for_what_changes_something() {
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
fn data_is_told_before_the_end_of_its_call_and_metadata_are_set() {
    let trace = Trace::new().answers("", &[Look]);
    let data = Data { kind: "chart".to_owned(), payload: RawJson::parse("[1]").unwrap() };
    let result = ToolResult { data: Some(data), ..result(trace.uid(0), "drawn") };
    let metadata = [("seen".to_owned(), true.into())].into_iter().collect();
    let finished = Finished { metadata, ..finished(result) };
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
      logs step 2 ended: ToolCalls, 10 + 2 tokens
      logs tool finished: 0 in 0 ms
      logs error max_tool_rounds (Turn)
      logs turn ended: limit, 20 + 4 tokens, 2 steps
      commits, ends
    > done: limit
    "#);
}

#[test]
fn calls_beyond_the_limit_are_told_to_finish() {
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
fn a_provider_that_fails_before_output_fails_the_turn() {
    assert_snapshot!(Trace::new().fails(ProviderErrorKind::Overloaded).end(), @"
    > call model: step 1 attempt 1
    < failed
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
      says assistant: "Once upon" (interrupted)
      logs step 1 ended: Other("interrupted"), 10 + 2 tokens
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
      logs step 1 ended: Other("interrupted"), 10 + 2 tokens
      logs retracted from 3, attempt 2
      logs Notice { code: "redone", text: "the answer broke off and is asked for again: it broke" }
      holds
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
      logs step 1 ended: Other("interrupted"), 10 + 2 tokens
      logs retracted from 3, attempt 2
      logs Notice { code: "redone", text: "the answer broke off and is asked for again: it broke" }
      holds
    > call model: step 1 attempt 2
    < failed after output
      logs step 1 ended: Other("interrupted"), 10 + 2 tokens
      logs retracted from 3, attempt 3
      logs Notice { code: "redone", text: "the answer broke off and is asked for again: it broke" }
      holds
    > call model: step 1 attempt 3
    < failed after output
      says assistant: "On" (interrupted)
      logs step 1 ended: Other("interrupted"), 10 + 2 tokens
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
      says assistant: 0 send() (interrupted)
      says tool: 0 = Incomplete: Error executing send: the call was cut off before its arguments were complete; it did not run
      logs step 1 ended: Other("interrupted"), 10 + 2 tokens
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
      says assistant: 0 send(); 1 look() (interrupted)
      logs step 1 ended: Other("interrupted"), 10 + 2 tokens
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
      says assistant: "Well,"
      logs step 1 ended: ContentFilter, 10 + 2 tokens
      logs error content_filter (Provider)
      logs turn ended: failed, 10 + 2 tokens, 1 steps
      commits, ends
    > done: failed
    "#);
}

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
    let partial = trace.said("I will", &[Look, Send], &[1]);
    assert_snapshot!(trace.stops(TurnStatus::Cancelled, Some(partial), &[]).end(), @r#"
    > call model: step 1 attempt 1
    < stopped
      says assistant: "I will"; 0 look(); 1 send() (cancelled)
      says tool: 0 = Cancelled: Error executing look: cancelled before it ran; 1 = Incomplete: Error executing send: the call was cut off before its arguments were complete; it did not run
      logs step 1 ended: Other("interrupted"), 10 + 2 tokens
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
      commits, waits
    > await: 0
    < stopped
      says tool: 0 = Cancelled: Error executing send: cancelled before it ran
      logs tool finished: 0 in 0 ms
      logs turn ended: cancelled, 10 + 2 tokens, 1 steps
      commits, ends
    > done: cancelled
    ");
}

#[test]
fn a_cancel_that_was_first_keeps_the_answer_it_overtook() {
    let trace = Trace::new();
    let Partial { parts, cut, .. } = trace.said("All of it.", &[Send], &[]);
    let answer = Answer { parts, finish: FinishReason::ToolCalls, usage: usage(), cut };
    let answered = Input::Answered { answer, plans: plans(&[Send]) };
    assert_snapshot!(trace.takes("answered, stopped first", &answered.stopped(TurnStatus::Cancelled)).end(), @r#"
    > call model: step 1 attempt 1
    < answered, stopped first
      says assistant: "All of it."; 0 send() (cancelled)
      says tool: 0 = Cancelled: Error executing send: cancelled before it ran
      logs step 1 ended: Other("interrupted"), 10 + 2 tokens
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
      logs tool finished: 0 in 0 ms
      logs error deadline_exceeded (Turn)
      logs turn ended: expired, 10 + 2 tokens, 1 steps
      receipt 0 Unknown
      commits, ends
    > done: expired
    ");
}

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

#[test]
fn a_machine_of_another_version_is_refused() {
    let stored = TurnMachine::new(Limits::default(), Timestamp::default()).store().unwrap();
    let newer = RawJson::parse(&stored.get().replace("\"version\":1", "\"version\":2")).unwrap();
    assert_snapshot!(TurnMachine::restore(&newer).unwrap_err(), @"this turn was written by an incompatible version: journal version 2, expected 1");
    for broken in ["{}", "null", "{\"version\":1}", "{\"version\":\"1\"}"] {
        assert!(TurnMachine::restore(&RawJson::parse(broken).unwrap()).is_err(), "{broken}");
    }
}

#[test]
fn the_stored_form_of_a_machine() {
    let machine = Trace::new().answers("", &[Send, SendIfAllowed, Unknown]).machine;
    assert_snapshot!(machine.store().unwrap().get(), @r#"{"version":1,"state":{"tools":{"calls":[{"uid":"00000000-0000-0000-0000-000000000000.1.0","name":"send","kind":"once","status":"started","receipt":true},{"uid":"00000000-0000-0000-0000-000000000000.1.1","name":"send","kind":"once","status":"asked"},{"uid":"00000000-0000-0000-0000-000000000000.1.2","name":"fly","kind":"read_only","status":{"refused":{"kind":"unknown_tool","why":"there is no such tool"}}}]}},"step":1,"attempt":1,"calls_made":3,"closing":false,"limits":{"max_rounds":25,"max_calls":100,"on_limit":"stop"},"deadline":"1970-01-01T00:01:00.000Z","usage":{"fresh":10,"cache_read":0,"cache_write":0,"output":2,"reasoning":0,"unmetered_calls":0,"cost":{"nano_usd":0,"unpriced_calls":0}}}"#);
}
