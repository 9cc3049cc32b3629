//! A turn machine that records a trace of its inputs and effects.

use std::fmt::Write as _;

use serde_json::Map;
use turnkit_core::{
    Answer, Arguments, CallUid, DecidedWait, FinishReason, Message, Part, PartialAnswer, ProviderError,
    ProviderErrorKind, Recorded, Resolution, Role, Timestamp, ToolCall, ToolErrorKind, ToolQuestion, ToolResult,
    TurnId, TurnKind, TurnStatus, Usage, WaitId,
};
use turnkit_engine::machine::{
    CallKind, Effects, FinishedCall, Input, InterruptedCall, Limits, Plan, Resumption, Step, ToolRequest, TurnMachine,
    Verdict,
};

/// A turn, and the trace of its inputs and effects.
pub(crate) struct Trace {
    pub(crate) machine: TurnMachine,
    now: Timestamp,
    text: String,
}

/// A call that the model makes, which determines its outcome.
#[derive(Clone, Copy)]
pub(crate) enum Ask {
    Look,
    Set,
    Send,
    SendIfAllowed,
    /// A call that the client runs.
    Show,
    Unknown,
    Broken,
}

use self::Ask::{Broken, Look, Send, SendIfAllowed, Set, Show, Unknown};

impl Ask {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Look | Broken => "look",
            Set => "set",
            Send | SendIfAllowed => "send",
            Show => "show",
            Unknown => "fly",
        }
    }

    fn plan(self, uid: CallUid) -> Plan {
        let kind = match self {
            Look | Show | Broken | Unknown => CallKind::ReadOnly,
            Set => CallKind::Idempotent,
            Send | SendIfAllowed => CallKind::Once,
        };
        let verdict = match self {
            Look | Set | Send => Verdict::Run,
            SendIfAllowed => Verdict::Ask,
            Show => Verdict::Client,
            Unknown => Verdict::Refuse(ToolErrorKind::UnknownTool, "there is no such tool".to_owned()),
            Broken => Verdict::Refuse(ToolErrorKind::InvalidArguments, "not valid JSON".to_owned()),
        };
        Plan { uid, kind, verdict }
    }
}

impl Trace {
    pub(crate) fn new() -> Self {
        Self::with(Limits::default())
    }

    pub(crate) fn with(limits: Limits) -> Self {
        let machine = TurnMachine::new(limits, Timestamp::from_millis(60_000));
        Self { machine, now: Timestamp::default(), text: String::new() }
    }

    /// Creates a turn that summarises earlier messages.
    pub(crate) fn compacting() -> Self {
        let trace = Self::new();
        Self { machine: trace.machine.with_kind(TurnKind::Compact), ..trace }
    }

    /// Applies an answer of the model: text, then calls.
    pub(crate) fn answers(self, text: &str, asks: &[Ask]) -> Self {
        let finish = if asks.is_empty() { FinishReason::Stop } else { FinishReason::ToolCalls };
        self.answers_and_stops(text, asks, finish, &[])
    }

    pub(crate) fn answers_and_stops(self, text: &str, asks: &[Ask], finish: FinishReason, cut: &[u16]) -> Self {
        let PartialAnswer { parts, cut, .. } = self.partial(text, asks, cut);
        let answer = Answer { parts, finish, usage: usage(), cut };
        let plans = self.plans(asks);
        self.takes("answered", &Input::Answered { answer, plans })
    }

    pub(crate) fn fails(self, kind: ProviderErrorKind) -> Self {
        let error = ProviderError::new(kind, "it failed");
        self.takes("failed", &Input::ModelFailed { error, partial: None, plans: vec![], since: None })
    }

    pub(crate) fn fails_after(self, text: &str, asks: &[Ask], cut: &[u16]) -> Self {
        let error = ProviderError::new(ProviderErrorKind::Network, "it broke");
        let (partial, plans) = (Some(self.partial(text, asks, cut)), self.plans(asks));
        self.takes("failed after output", &Input::ModelFailed { error, partial, plans, since: Some(3) })
    }

    /// Completes these calls of the step successfully.
    pub(crate) fn finishes(self, ordinals: &[u16]) -> Self {
        let finished = self.finished(ordinals);
        self.takes("finished", &Input::ToolsFinished(finished))
    }

    /// Makes the tool of a call ask a question, and completes the calls `ordinals` of the step successfully.
    pub(crate) fn asks_of(self, ordinal: u16, question: &str, ordinals: &[u16]) -> Self {
        let mut finished = self.finished(ordinals);
        let stopped = ToolResult { ok: false, ..result(self.uid(ordinal), "stopped") };
        let request = Some(ToolRequest::Question(Box::new(ToolQuestion::new(question))));
        finished.push(FinishedCall { request, ..crate::trace::finished(stopped) });
        self.takes("asked", &Input::ToolsFinished(finished))
    }

    pub(crate) fn decides(self, ordinal: u16, denied: Option<&str>) -> Self {
        let uid = self.uid(ordinal);
        let resolution = match denied {
            None => Resolution::APPROVED,
            Some(note) => Resolution::denied(Some(note.to_owned())),
        };
        let what = if denied.is_some() { "denied" } else { "approved" };
        self.takes(what, &Input::Resolved(vec![decision(WaitId { call: uid, number: 0 }, resolution)]))
    }

    /// Decides all pending waits with this resolution.
    pub(crate) fn resolves(self, what: &str, resolution: &Resolution) -> Self {
        let decided = self.machine.waiting().into_iter().map(|(id, _)| decision(id, resolution.clone())).collect();
        self.takes(what, &Input::Resolved(decided))
    }

    pub(crate) fn stops(self, status: TurnStatus, partial: Option<PartialAnswer>, finished: &[u16]) -> Self {
        let finished = self.finished(finished);
        self.takes("stopped", &Input::Stop { status, error: None, partial, finished })
    }

    pub(crate) fn expires(self) -> Self {
        let late = Self { now: Timestamp::from_millis(60_000), ..self };
        let error = Some(("deadline_exceeded".to_owned(), "too late".to_owned()));
        late.takes("expired", &Input::Stop { status: TurnStatus::Expired, error, partial: None, finished: vec![] })
    }

    /// The owner dies, and another one restores the stored machine.
    pub(crate) fn resumes(self, attempt: u16, lost_calls: u32) -> Self {
        let resumption = Resumption { attempt, lost_calls, attempt_limit_reached: None, last_seq: 9, can_ask: false };
        self.restored().takes(&format!("resumed {attempt}"), &Input::Resumed(resumption))
    }

    /// The owner of a turn whose user can be asked dies, and another one restores the stored machine.
    pub(crate) fn resumes_and_asks(self, attempt: u16) -> Self {
        let resumption = Resumption { attempt, lost_calls: 0, attempt_limit_reached: None, last_seq: 9, can_ask: true };
        self.restored().takes(&format!("resumed {attempt}"), &Input::Resumed(resumption))
    }

    /// The maximum number of owners has died.
    pub(crate) fn gives_up(self, lost_calls: u32) -> Self {
        let resumption =
            Resumption { attempt: 4, lost_calls, attempt_limit_reached: Some(3), last_seq: 9, can_ask: true };
        self.restored().takes("given up", &Input::Resumed(resumption))
    }

    /// The process stops during a model call.
    pub(crate) fn hands_over_call(self, partial: Option<PartialAnswer>) -> Self {
        let call = Some(InterruptedCall { partial, since: 3 });
        self.takes("handed over", &Input::HandedOver { call, finished: vec![] })
    }

    /// The process stops while tools run. The calls `finished` have ended.
    pub(crate) fn hands_over_round(self, finished: &[u16]) -> Self {
        let finished = self.finished(finished);
        self.takes("handed over", &Input::HandedOver { call: None, finished })
    }

    fn restored(self) -> Self {
        let machine = TurnMachine::restore(&self.machine.store().unwrap()).unwrap();
        Self { machine, ..self }
    }

    pub(crate) fn takes(mut self, what: &str, input: &Input) -> Self {
        self.next();
        writeln!(self.text, "< {what}").unwrap();
        let effects = self.machine.apply(input);
        self.write(&effects);
        self
    }

    /// Returns the trace, including the machine's next step.
    pub(crate) fn end(mut self) -> String {
        self.next();
        self.text
    }

    fn next(&mut self) {
        let step = match self.machine.next(self.now) {
            Step::CallModel { step, attempt, tools } => {
                format!("call model: step {step} attempt {attempt}{}", if tools { "" } else { " without tools" })
            }
            Step::Compact { step, attempt } => format!("compact: step {step} attempt {attempt}"),
            Step::WriteTitle { step, attempt } => format!("title: step {step} attempt {attempt}"),
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
            writeln!(self.text, "  says {}{mark}", describe_message(message)).unwrap();
        }
        for recorded in &effects.log {
            writeln!(self.text, "  logs {}", describe_record(recorded)).unwrap();
        }
        for receipt in &effects.receipts {
            writeln!(self.text, "  receipt {} {:?}", receipt.uid.ordinal, receipt.state).unwrap();
        }
        for (id, kind) in &effects.waits {
            writeln!(self.text, "  asks {}.{} {kind:?}", id.call.ordinal, id.number).unwrap();
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

    pub(crate) fn partial(&self, text: &str, asks: &[Ask], cut: &[u16]) -> PartialAnswer {
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
        PartialAnswer { parts: text.into_iter().chain(calls).collect(), usage: Some(usage()), cut }
    }

    pub(crate) fn finished(&self, ordinals: &[u16]) -> Vec<FinishedCall> {
        ordinals.iter().map(|ordinal| finished(result(self.uid(*ordinal), "ok"))).collect()
    }

    pub(crate) fn plans(&self, asks: &[Ask]) -> Vec<Plan> {
        (0..).zip(asks).map(|(ordinal, ask)| ask.plan(self.uid(ordinal))).collect()
    }

    pub(crate) fn uid(&self, ordinal: u16) -> CallUid {
        CallUid { turn: TurnId::default(), step: self.machine.step(), ordinal }
    }
}

fn decision(id: WaitId, resolution: Resolution) -> DecidedWait {
    DecidedWait { id, resolution, binding: [7; 32] }
}

pub(crate) fn usage() -> Usage {
    Usage { fresh: 10, output: 2, ..Usage::default() }
}

pub(crate) fn result(uid: CallUid, content: &str) -> ToolResult {
    let (name, content) = ("tool".to_owned(), content.to_owned());
    ToolResult::new(uid, name, content)
}

pub(crate) fn finished(result: ToolResult) -> FinishedCall {
    FinishedCall { result, ms: 5, metadata: Map::new(), request: None }
}

pub(crate) fn ordinals(calls: &[CallUid]) -> String {
    let ordinals: Vec<String> = calls.iter().map(|uid| uid.ordinal.to_string()).collect();
    if ordinals.is_empty() { "none".to_owned() } else { ordinals.join(" ") }
}

pub(crate) fn describe_message(message: &Message) -> String {
    let parts = message.parts.iter().map(|part| match part {
        Part::Text(text) => format!("{:?}", text.text),
        Part::ToolCall(call) => format!("{} {}()", call.uid.ordinal, call.name),
        Part::Notice(notice) => format!("notice {}", notice.code),
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

pub(crate) fn describe_record(recorded: &Recorded) -> String {
    match recorded {
        Recorded::StepEnded { step, finish, usage, .. } => {
            format!("step {step} ended: {finish:?}, {} + {} tokens", usage.fresh, usage.output)
        }
        Recorded::Compacted { messages, failure, usage, .. } => {
            let outcome = failure.as_deref().unwrap_or("done");
            let calls = usage.unmetered_calls;
            format!("compacted {messages}: {outcome}, {} + {} tokens, {calls} unmetered", usage.fresh, usage.output)
        }
        Recorded::InteractionResolved { id, resolution } => {
            format!("resolved {}.{}: {resolution:?}", id.call.ordinal, id.number)
        }
        Recorded::ToolStarted { uid } => format!("tool started: {}", uid.ordinal),
        Recorded::ToolFinished { uid, ms } => format!("tool finished: {} in {ms} ms", uid.ordinal),
        Recorded::Data { uid } => format!("data of {}", uid.ordinal),
        Recorded::Retracted { from_seq, attempt, lost_calls } => {
            format!("retracted from {from_seq}, attempt {attempt}, {lost_calls} lost")
        }
        Recorded::Error { code, retryable, scope, .. } => {
            format!("error {code} ({scope:?}{})", if *retryable { ", retryable" } else { "" })
        }
        Recorded::TurnEnded { status, usage, steps, steered_into: None } => {
            format!("turn ended: {}, {} + {} tokens, {steps} steps", status.as_str(), usage.fresh, usage.output)
        }
        other => format!("{other:?}"),
    }
}
