//! Builds turns by hand, event by event.

use turnkit_core::ports::Detach;
use turnkit_core::{
    Arguments, CallUid, Data, ErrorScope, EventKind, Fence, FinishReason, InteractionRequest, Message, Notice, Part,
    PartId, PartKind, QueuedTurn, RawJson, Reasoning, Resolution, Role, SamplingParams, SessionId, SessionSummary,
    Snapshot, Timestamp, ToolCall, ToolErrorKind, ToolProgress, ToolResult, ToolUse, TraceId, TurnEvent, TurnId,
    TurnKind, TurnSnapshot, TurnStatus, TurnView, Usage, Wait, WaitId, WaitKind, WaitQuestion,
};
use uuid::Uuid;

pub(super) const TURN: TurnId = TurnId(Uuid::from_u128(1));
pub(super) const SESSION: SessionId = SessionId(Uuid::from_u128(2));
/// The turn's number in its session.
pub(super) const NUMBER: u32 = 3;

/// Returns a wait of a turn below.
pub(super) fn wait() -> Wait {
    let call = CallUid { turn: TurnId(Uuid::from_u128(2)), step: 1, ordinal: 0 };
    Wait {
        id: WaitId { call, number: 0 },
        session: SessionId(Uuid::from_u128(3)),
        parent: Some(TURN),
        kind: WaitKind::Approval,
        question: WaitQuestion {
            name: "pay".to_owned(),
            arguments: Arguments("{}".to_owned()),
            reason: "a rule asks for approval".to_owned(),
            preview: None,
            question: None,
            grantable: None,
            child: None,
        },
        created_at: Timestamp::default(),
        expires_at: Timestamp::default(),
        decided: None,
    }
}

/// Returns a progress report of a running call.
pub(super) fn half_done() -> ToolProgress {
    ToolProgress::new(CallUid { turn: TURN, step: 1, ordinal: 0 }, "2 of 4")
}

/// The input of an encoder, in order.
#[derive(Debug, Clone)]
pub(super) enum Happening {
    Event(TurnEvent),
    Resync(Box<Snapshot>),
    Detach(Detach),
}

/// A turn so far. Model output belongs to its last step, and tool events to the calls of that step.
pub(super) struct Script {
    pub(super) happenings: Vec<Happening>,
    pub(super) events: Vec<TurnEvent>,
    /// The messages that the engine stores with these events, each with the event at which it began.
    pub(super) messages: Vec<(u32, Message)>,
    fence: Fence,
    seq: u32,
    step: u16,
    parts: u16,
    calls: u16,
    /// The data of the next call that finishes.
    data: Option<Data>,
    text: String,
}

impl Script {
    /// Starts a turn with a message of the user.
    pub(super) fn begin() -> Self {
        let script = Self {
            happenings: Vec::new(),
            events: Vec::new(),
            messages: vec![(1, Message::user("Hi"))],
            fence: Fence(1),
            seq: 0,
            step: 0,
            parts: 0,
            calls: 0,
            data: None,
            text: String::new(),
        };
        let (agent, input) = ("assistant".to_owned(), vec![Part::text("Hi")]);
        let (trace, kind) = (TraceId::of(TURN), TurnKind::Message);
        script.event(EventKind::TurnStarted { session: SESSION, agent, input, parent: None, trace, kind })
    }

    pub(super) fn event(mut self, kind: EventKind) -> Self {
        self.seq += 1;
        let at = Timestamp::from_millis(1_767_225_600_000 + i64::from(self.seq));
        let event = TurnEvent { seq: self.seq, fence: self.fence, at, kind };
        self.events.push(event.clone());
        self.happenings.push(Happening::Event(event));
        self
    }

    /// The model begins to respond.
    pub(super) fn step(mut self) -> Self {
        (self.step, self.parts, self.calls) = (self.step + 1, 0, 0);
        let step = self.step;
        self.event(EventKind::StepStarted { step, provider: "main".into(), model: "small".into() })
    }

    /// The model writes a text in these pieces.
    pub(super) fn text(mut self, pieces: &[&str]) -> Self {
        let text = pieces.concat();
        self.text.push_str(&text);
        self.part(PartKind::Text, None, pieces, Part::text(text))
    }

    pub(super) fn reasoning(self, pieces: &[&str]) -> Self {
        let part = Part::Reasoning(Reasoning { text: pieces.concat(), opaque: None });
        self.part(PartKind::Reasoning, None, pieces, part)
    }

    /// A text begins but does not end.
    pub(super) fn unfinished(mut self, piece: &str) -> Self {
        let id = PartId { step: self.step, part: self.parts };
        self.parts += 1;
        self.text.push_str(piece);
        let started = EventKind::PartStarted { id, kind: PartKind::Text, name: None };
        self.event(started).event(EventKind::PartDelta { id, text: piece.into() })
    }

    /// The model calls a tool.
    pub(super) fn call(mut self, name: &str) -> Self {
        let uid = self.uid(self.calls);
        self.calls += 1;
        let (provider_id, arguments) = (format!("call_{}", self.calls), Arguments("{}".to_owned()));
        let call = ToolCall { uid, provider_id, name: name.to_owned(), arguments, extras: None };
        self.part(PartKind::ToolCall, Some(name), &["{}"], Part::ToolCall(call))
    }

    pub(super) fn step_ended(self, finish: FinishReason) -> Self {
        let step = self.step;
        let usage = Usage { fresh: 5, output: 2, ..Usage::default() };
        self.event(EventKind::StepEnded { step, finish, usage, attempts: Vec::new() })
    }

    /// The call at this position in its step runs.
    pub(super) fn tool_started(self, call: u16, name: &str) -> Self {
        let uid = self.uid(call);
        self.event(EventKind::ToolStarted { uid, name: name.to_owned(), arguments: Arguments("{}".to_owned()) })
    }

    /// The call at this position in its step waits for approval.
    pub(super) fn requested(self, call: u16, name: &str) -> Self {
        let uid = self.uid(call);
        let request = InteractionRequest {
            id: WaitId { call: uid, number: 0 },
            kind: WaitKind::Approval,
            uid,
            name: name.to_owned(),
            arguments: Arguments("{}".to_owned()),
            reason: "a rule asks for approval".to_owned(),
            preview: Some("12:00\n12:01".to_owned()),
            question: None,
            child: None,
            expires_at: Timestamp::from_millis(1_767_830_400_000),
        };
        self.event(EventKind::InteractionRequested { request: Box::new(request) })
    }

    /// A person decides an interaction.
    pub(super) fn resolved(self, call: u16, resolution: Resolution) -> Self {
        let id = WaitId { call: self.uid(call), number: 0 };
        self.event(EventKind::InteractionResolved { id, decision: Box::new(resolution.into()) })
    }

    pub(super) fn data(mut self, call: u16, kind: &str, payload: &str) -> Self {
        let (uid, payload) = (self.uid(call), RawJson::parse(payload).unwrap());
        self.data = Some(Data { kind: kind.to_owned(), payload: payload.clone() });
        self.event(EventKind::Data { uid, kind: kind.to_owned(), payload })
    }

    pub(super) fn tool_done(self, call: u16, name: &str, content: &str) -> Self {
        self.tool_finished(call, name, content, None)
    }

    pub(super) fn tool_failed(self, call: u16, name: &str, kind: ToolErrorKind) -> Self {
        self.tool_finished(call, name, "secret detail", Some(kind))
    }

    /// The model receives a steering message of the user in its next step.
    pub(super) fn steered(mut self, text: &str) -> Self {
        let message = Message::user(text).steering();
        let (steering, input) = (TurnId(Uuid::from_u128(9)), message.parts.clone());
        self.messages.push((self.seq, message));
        self.event(EventKind::Steered { steering, input })
    }

    pub(super) fn notice(self, code: &str, text: &str) -> Self {
        self.event(EventKind::Notice { code: code.to_owned(), text: text.to_owned() })
    }

    /// A compaction of the history ends.
    pub(super) fn compacted(self, failure: Option<&str>) -> Self {
        self.event(EventKind::Compacted {
            messages: 4,
            tokens_before: 900,
            tokens_after: failure.is_none().then_some(120),
            failure: failure.map(str::to_owned),
            provider: Some("main".into()),
            model: Some("small".into()),
            usage: Box::new(Usage { fresh: 5, output: 2, ..Usage::default() }),
            ms: 7,
        })
    }

    pub(super) fn error(mut self, scope: ErrorScope, code: &str, message: &str) -> Self {
        let (code, message) = (code.to_owned(), message.to_owned());
        let notice = Notice { code: code.clone(), text: message.clone(), error: true };
        self.push_message(Role::Assistant, Part::Notice(notice));
        self.event(EventKind::Error { code, message, retryable: false, scope, attempts: Vec::new() })
    }

    /// The owner dies. The events after `durable` are not in the log, and the next owner restarts from there.
    pub(super) fn dies_after(mut self, durable: u32) -> Self {
        self.events.retain(|event| event.seq <= durable);
        self.messages.retain(|(seq, _)| *seq <= durable);
        (self.fence, self.seq, self.step) = (self.fence.next(), durable, self.step - 1);
        self.text.clear();
        self.event(EventKind::Retracted { from_seq: durable + 1, attempt: 2, lost_calls: 0 })
    }

    /// A client reconnects and receives a snapshot, without any earlier events.
    pub(super) fn resync(mut self) -> Self {
        let session = SessionSummary {
            id: SESSION,
            name: Some("my talk".parse().unwrap()),
            agent: "assistant".into(),
            title: "Hi".into(),
            turns: 4,
            created_at: Timestamp::from_millis(1_767_225_600_000),
            last_active: Timestamp::from_millis(1_767_225_660_000),
            usage: Usage::default(),
            metadata: serde_json::Map::new(),
            head: None,
            prompt: None,
            params: SamplingParams::default(),
            tools: ToolUse::Auto,
            mode: None,
            listed: true,
            pinned: false,
            archived: false,
        };
        let view = TurnView::of(&self.events);
        let cursor = self.events.last().unwrap().cursor(NUMBER);
        let waiting = QueuedTurn {
            id: TurnId(Uuid::from_u128(9)),
            number: NUMBER + 1,
            input: Message::user("And?"),
            steering: false,
        };
        let turn = Some(TurnSnapshot { id: TURN, number: NUMBER, view });
        let (messages, queue) = (vec![Message::user("Before")], vec![waiting]);
        let snapshot = Snapshot { session, messages, earlier: Some((1, 7)), turn, queue, cursor };
        self.happenings = vec![Happening::Resync(Box::new(snapshot))];
        self
    }

    pub(super) fn detach(mut self, why: Detach) -> Self {
        self.happenings.push(Happening::Detach(why));
        self
    }

    pub(super) fn ended(self, status: TurnStatus) -> Self {
        let (text, steps) = (self.text.clone(), self.step);
        let usage = Usage { fresh: 5, output: 2, ..Usage::default() }.into();
        let trace = TraceId::of(TURN);
        self.event(EventKind::TurnEnded { status, text, final_text: None, usage, steps, trace, steered_into: None })
    }

    fn part(mut self, kind: PartKind, name: Option<&str>, pieces: &[&str], part: Part) -> Self {
        let id = PartId { step: self.step, part: self.parts };
        self.parts += 1;
        let mut script = self.event(EventKind::PartStarted { id, kind, name: name.map(Into::into) });
        for piece in pieces {
            script = script.event(EventKind::PartDelta { id, text: (*piece).into() });
        }
        script.push_message(Role::Assistant, part.clone());
        script.event(EventKind::PartEnded { id, part })
    }

    /// Adds a part to the last message if its author is `role`, or else to a new message.
    fn push_message(&mut self, role: Role, part: Part) {
        match self.messages.last_mut().filter(|(_, last)| last.role == role) {
            Some((_, last)) => last.parts.push(part),
            None => self.messages.push((self.seq, Message::new(role, vec![part]))),
        }
    }

    fn tool_finished(mut self, call: u16, name: &str, content: &str, error: Option<ToolErrorKind>) -> Self {
        let (uid, name, content) = (self.uid(call), name.to_owned(), content.to_owned());
        let result = ToolResult {
            ok: error.is_none(),
            data: self.data.take(),
            error,
            ..ToolResult::new(uid, name.clone(), content.clone())
        };
        self.push_message(Role::Tool, Part::ToolResult(result));
        let (ok, images) = (error.is_none(), Vec::new());
        self.event(EventKind::ToolFinished { uid, name, ok, content, error, images, ms: 7 })
    }

    fn uid(&self, ordinal: u16) -> CallUid {
        CallUid { turn: TURN, step: self.step, ordinal }
    }
}
