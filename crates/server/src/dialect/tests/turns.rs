//! Generates random turns, written through the log in which turns are stored.

use proptest::collection::vec;
use proptest::prelude::*;
use turnkit_core::{
    CallUid, Chunk, ClientCaps, Data, Delta, Entry, ErrorScope, Fence, FinishReason, Image, LoggedTurn, Message, Part,
    PartKind, RawJson, Recorded, Role, Timestamp, ToolErrorKind, ToolResult, TurnEvent, TurnLog, TurnStatus, Usage,
    replay,
};

use super::script::{NUMBER, SESSION, TURN};

const PIECES: [&str; 10] = ["", "a", " word", "é", "\r", "\n", "\r\n", "\r\r\n\n", "🙂", "\u{2028}data: x"];
const KINDS: [PartKind; 4] = [PartKind::Text, PartKind::ToolCall, PartKind::Text, PartKind::Reasoning];
const STATUSES: [TurnStatus; 6] = [
    TurnStatus::Completed,
    TurnStatus::Failed,
    TurnStatus::Cancelled,
    TurnStatus::Limit,
    TurnStatus::Interrupted,
    TurnStatus::Expired,
];

/// A turn that has ended.
#[derive(Debug)]
pub(super) struct Turn {
    /// The events that a follower received from the start, including those of dead attempts.
    pub(super) live: Vec<TurnEvent>,
    /// The events that the store replays.
    pub(super) stored: Vec<TurnEvent>,
    /// The visible text of the turn, part by part.
    pub(super) texts: Vec<String>,
    pub(super) status: TurnStatus,
}

pub(super) fn turns() -> impl Strategy<Value = Turn> {
    vec(any::<u16>(), 0..120).prop_map(|tape| Writer::begin().write(&mut Tape(tape.iter())))
}

/// A sequence of decisions, one number each. Once they are used up, the first choice is taken.
struct Tape<'a>(std::slice::Iter<'a, u16>);

impl Tape<'_> {
    fn pick(&mut self, choices: usize) -> usize {
        self.0.next().map_or(0, |number| usize::from(*number) % choices)
    }

    fn one_in(&mut self, choices: usize) -> bool {
        self.pick(choices) == choices - 1
    }
}

struct Writer {
    log: TurnLog,
    chunks: Vec<Chunk>,
    /// The number of stored messages of the log.
    stored_messages: usize,
    live: Vec<TurnEvent>,
    /// The sequence number of the last event that followers received.
    followed: u32,
    clock: i64,
}

impl Writer {
    fn begin() -> Self {
        let log = TurnLog::new(SESSION, TURN, NUMBER, Fence(1));
        let mut writer = Self { log, chunks: Vec::new(), stored_messages: 0, live: Vec::new(), followed: 0, clock: 0 };
        writer.log.stage_message(Entry::new(Message::user("Hi")));
        writer.stage([Recorded::turn_started("a")]);
        writer.commit();
        writer
    }

    fn write(mut self, tape: &mut Tape<'_>) -> Turn {
        for step in 1..=u16::try_from(tape.pick(4)).unwrap() {
            while !self.step(step, tape) {
                self.die();
            }
        }
        let status = STATUSES[tape.pick(STATUSES.len())];
        if tape.one_in(2) {
            let scope = [ErrorScope::Provider, ErrorScope::Turn][tape.pick(2)];
            self.stage([error(scope)]);
        }
        self.stage([Recorded::TurnEnded { status, usage: Usage::default(), steps: 1, steered_into: None }]);
        self.commit();
        let stored = replay(&self.stored(), 0);
        let assistant = self.log.messages().iter().filter(|entry| entry.message().role == Role::Assistant);
        let texts = assistant.flat_map(|entry| entry.message().parts.iter().filter_map(Part::as_text));
        Turn { live: self.live, stored, texts: texts.map(str::to_owned).collect(), status }
    }

    /// Runs one model call and its round of tools. Returns `false` if the owner died on the way.
    fn step(&mut self, step: u16, tape: &mut Tape<'_>) -> bool {
        if tape.one_in(4) {
            self.stage([Recorded::Notice { code: "failed_over".to_owned(), text: "another one".to_owned() }]);
        }
        let now = self.now();
        self.log.open_attempt(now, step, "provider", "model");
        self.speak(tape);
        if tape.one_in(8) {
            return false;
        }
        let breaks = tape.one_in(4);
        let parts = if breaks {
            self.log.break_off().unwrap().parts
        } else {
            self.log.show(&Delta::Finish(FinishReason::Stop)).unwrap();
            self.log.answer().unwrap().parts
        };
        self.follow();
        let calls: Vec<CallUid> = parts.iter().filter_map(call).collect();
        self.log.close_attempt((!parts.is_empty()).then(|| u32::try_from(self.log.messages().len()).unwrap()));
        if !parts.is_empty() {
            self.log.stage_message(Entry::new(Message::new(Role::Assistant, parts)));
        }
        self.stage([Recorded::StepEnded {
            step,
            finish: FinishReason::Stop,
            usage: Usage::default(),
            attempts: Vec::new(),
        }]);
        if breaks {
            self.stage([error(ErrorScope::Provider)]);
        }
        self.round(&calls, tape)
    }

    /// Runs some calls and rejects the others. The start of the round is durable at once, or held until its end.
    fn round(&mut self, calls: &[CallUid], tape: &mut Tape<'_>) -> bool {
        let outcomes: Vec<usize> = calls.iter().map(|_| tape.pick(4)).collect();
        let runs = calls.iter().zip(&outcomes).filter(|(_, outcome)| **outcome < 3);
        self.stage(runs.map(|(uid, _)| Recorded::ToolStarted { uid: *uid }).collect::<Vec<_>>());
        let held = tape.one_in(2) && !calls.is_empty();
        if held {
            self.log.reveal();
        } else {
            self.commit();
        }
        self.follow();
        if held && tape.one_in(4) {
            return false;
        }
        let mut order: Vec<usize> = (0..calls.len()).collect();
        if tape.one_in(2) {
            order.reverse();
        }
        let results = calls.iter().zip(&outcomes).map(|(uid, outcome)| result(*uid, *outcome)).collect();
        if !calls.is_empty() {
            self.log.stage_message(Entry::new(Message::new(Role::Tool, results)));
        }
        for index in order {
            let uid = calls[index];
            if outcomes[index] == 1 {
                self.stage([Recorded::Data { uid }]);
            }
            self.stage([Recorded::ToolFinished { uid, ms: 5 }]);
        }
        self.commit();
        true
    }

    /// Writes parts one after the other. Parts left open end with the response.
    fn speak(&mut self, tape: &mut Tape<'_>) {
        for part in 0..u16::try_from(tape.pick(5)).unwrap() {
            let kind = KINDS[tape.pick(KINDS.len())];
            let start =
                if kind == PartKind::ToolCall { Delta::call(part, "id", "tool") } else { Delta::start(part, kind) };
            self.log.show(&start).unwrap();
            for _ in 0..tape.pick(5) {
                self.log.show(&Delta::text(part, PIECES[tape.pick(PIECES.len())])).unwrap();
                if tape.one_in(3) {
                    self.follow();
                }
            }
            if !tape.one_in(3) {
                self.log.show(&Delta::end(part)).unwrap();
            }
        }
    }

    /// The owner dies, and the next owner continues from the stored events.
    fn die(&mut self) {
        self.follow();
        let fence = self.log.fence().next();
        self.log = TurnLog::restore(self.stored(), fence);
        let durable = self.log.last_seq();
        self.followed = durable;
        self.stage([Recorded::Retracted { from_seq: durable + 1, attempt: 2, lost_calls: 0 }]);
        self.log.reveal();
    }

    fn stage(&mut self, news: impl IntoIterator<Item = Recorded>) {
        let now = self.now();
        news.into_iter().for_each(|news| self.log.stage(now, news));
    }

    fn commit(&mut self) {
        self.chunks.push(self.log.pending());
        self.log.commit();
        self.stored_messages = self.log.messages().len();
        self.follow();
    }

    fn follow(&mut self) {
        let news = self.log.events().into_iter().filter(|event| event.seq > self.followed);
        self.live.extend(news);
        self.followed = self.log.last_visible_seq();
    }

    fn stored(&self) -> LoggedTurn {
        let messages = self.log.messages()[..self.stored_messages].to_vec();
        let (caps, chunks) = (ClientCaps::default(), self.chunks.clone());
        LoggedTurn { session: SESSION, turn: TURN, number: NUMBER, caps, messages, chunks }
    }

    fn now(&mut self) -> Timestamp {
        self.clock += 10;
        Timestamp::from_millis(self.clock)
    }
}

fn call(part: &Part) -> Option<CallUid> {
    match part {
        Part::ToolCall(call) => Some(call.uid),
        _ => None,
    }
}

fn result(uid: CallUid, outcome: usize) -> Part {
    let payload = RawJson::parse(r#"{ "b": 1, "a": "\u2028" }"#).unwrap();
    Part::ToolResult(ToolResult {
        ok: outcome < 2,
        data: Some(Data { kind: "chart".to_owned(), payload }),
        error: (outcome >= 2).then_some(ToolErrorKind::Failed),
        images: if outcome < 2 { vec![Image::new("image/png", "blob:x")] } else { Vec::new() },
        ..ToolResult::new(uid, "tool", format!("result {uid}"))
    })
}

fn error(scope: ErrorScope) -> Recorded {
    let (code, message) = ("some_code".to_owned(), "some sentence".to_owned());
    Recorded::Error { code, message, retryable: true, scope, attempts: Vec::new() }
}
