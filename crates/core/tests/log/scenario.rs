//! A randomly generated turn, as its owner writes it, its store keeps it and its followers read it.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use futures_core::Stream;
use proptest::collection::vec;
use proptest::prelude::*;
use turnkit_core::{
    Arguments, CallUid, Chunk, ClientCaps, Data, Delta, Entry, ErrorScope, FailedAttempt, Fence, FinishReason, Image,
    LiveTurn, LogEntry, LoggedTurn, Message, Notice, Opaque, Part, PartKind, RawJson, Recorded, Role, SessionId,
    StagingMark, Tail, Timestamp, ToolResult, TurnEvent, TurnId, TurnLog, TurnStatus, TurnView, Usage,
};

use crate::remote::Remote;

const PIECES: [&str; 8] = ["", "a", "word ", "é", "日本", "🙂", "{\"a\":", "1}"];
const KINDS: [PartKind; 5] =
    [PartKind::Text, PartKind::ToolCall, PartKind::Reasoning, PartKind::Image, PartKind::ProviderTool];

/// A turn that has ended.
#[derive(Debug)]
pub(crate) struct Scenario {
    pub(crate) live: Arc<LiveTurn>,
    pub(crate) store: Store,
    /// The events that a follower has received and that are now stored.
    pub(crate) shown: Vec<TurnEvent>,
    /// The view that a page builds from everything it received, including dead attempts.
    pub(crate) view: TurnView,
    follower: Tail,
    /// A follower in another process, if any.
    remote: Option<Remote>,
    fence: Fence,
    attempt: u16,
    /// Whether the last step had no output. Only such a step leaves no message, and it ends the turn.
    silent: bool,
    clock: i64,
}

/// The durable part of a turn, as JSON.
#[derive(Debug, Default)]
pub(crate) struct Store {
    messages: Vec<String>,
    chunks: Vec<(Fence, u32, u32, String)>,
}

/// Random decisions, one number each. The first choice is taken once they are used up.
struct Choices<'a>(std::slice::Iter<'a, u16>);

impl Choices<'_> {
    fn pick(&mut self, count: usize) -> usize {
        self.0.next().map_or(0, |number| usize::from(*number) % count)
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.pick(count) == count - 1
    }
}

pub(crate) fn scenarios() -> impl Strategy<Value = Scenario> {
    vec(any::<u16>(), 0..160).prop_map(|choices| Scenario::run(&choices, None))
}

/// Turns with a mirror in another process. Each boundary checks that the mirror equals the original.
pub(crate) fn scenarios_with_a_mirror() -> impl Strategy<Value = Scenario> {
    (vec(any::<u16>(), 0..160), vec(any::<u16>(), 0..160))
        .prop_map(|(choices, chance)| Scenario::run(&choices, Some(chance)))
}

impl Scenario {
    fn run(choices: &[u16], chance: Option<Vec<u16>>) -> Self {
        let mut choices = Choices(choices.iter());
        let log = TurnLog::new(SessionId::default(), TurnId::default(), 7, Fence(1));
        let live = LiveTurn::new(log);
        let mut scenario = Self {
            follower: live.tail(0),
            remote: chance.map(|chance| Remote::of(&live, chance)),
            live,
            store: Store::default(),
            shown: Vec::new(),
            view: TurnView::default(),
            fence: Fence(1),
            attempt: 1,
            silent: false,
            clock: 0,
        };
        scenario.stage(vec![Message::user("Hi 🙂")], vec![Recorded::turn_started("a")]);
        scenario.commit();
        for step in 1..=1 + choices.pick(3) {
            let step = u16::try_from(step).unwrap();
            while !scenario.step(step, &mut choices) {
                scenario.crash();
            }
            if scenario.silent {
                break;
            }
        }
        let status = TurnStatus::Completed;
        let mut end = vec![Recorded::TurnEnded { status, usage: Usage::default(), steps: 1, steered_into: None }];
        let mut said = Vec::new();
        if choices.one_in(3) {
            end.insert(0, error());
            said.push(Message::new(Role::Assistant, vec![notice()]));
        }
        scenario.stage(said, end);
        scenario.commit();
        while scenario.follow(false) {}
        if let Some(remote) = &mut scenario.remote {
            remote.catch_up(&scenario.live);
        }
        scenario
    }

    /// Runs one model call and its round of tools. Returns `false` if the owner died in between.
    fn step(&mut self, step: u16, choices: &mut Choices<'_>) -> bool {
        let now = self.now();
        let notice = choices.one_in(4);
        self.live.write(|log| {
            if notice {
                log.stage(now, Recorded::Notice { code: "failed_over".to_owned(), text: "another one".to_owned() });
            }
            log.open_attempt(now, step, "provider", "model");
        });
        self.stream(choices);
        if choices.one_in(6) {
            return false;
        }
        let parts = if choices.one_in(3) {
            self.live.write(TurnLog::break_off).unwrap().parts
        } else {
            self.live.write(|log| log.show(&Delta::Finish(FinishReason::Stop))).unwrap();
            self.live.read(TurnLog::answer).unwrap().parts
        };
        self.maybe_follow(choices);
        self.silent = parts.is_empty();
        let calls: Vec<CallUid> = parts.iter().filter_map(call).collect();
        let messages = if parts.is_empty() { vec![] } else { vec![Message::new(Role::Assistant, parts)] };
        let usage = Usage { output: 3, raw: RawJson::parse(r#"{ "out" : 3 }"#).ok(), ..Usage::default() };
        let attempts = choices.one_in(4).then(failed).into_iter().collect();
        let mut entries = vec![Recorded::StepEnded { step, finish: FinishReason::Stop, usage, attempts }];
        entries.extend(calls.iter().map(|uid| Recorded::ToolStarted { uid: *uid }));
        self.stage(messages.clone(), entries.clone());
        if choices.one_in(4) {
            self.stage(messages, entries); // staged again, because the first boundary was not written
        }
        if choices.one_in(6) {
            return false;
        }
        let held = choices.one_in(2) && !calls.is_empty();
        if held {
            self.live.write(TurnLog::reveal)
        } else {
            self.commit()
        }
        self.maybe_follow(choices);
        calls.is_empty() || self.round(&calls, held, choices)
    }

    fn round(&mut self, calls: &[CallUid], held: bool, choices: &mut Choices<'_>) -> bool {
        if choices.one_in(3) {
            let (now, code, text) = (self.now(), "halfway".to_owned(), "the calls are running".to_owned());
            self.live.write(|log| {
                log.stage(now, Recorded::Notice { code, text });
                log.reveal();
            });
            self.maybe_follow(choices);
        }
        if choices.one_in(6) {
            if held {
                return false;
            }
            self.crash();
        }
        let results = calls.iter().map(|uid| result(*uid));
        let mut entries = Vec::new();
        for uid in calls {
            entries.extend([Recorded::Data { uid: *uid }, Recorded::ToolFinished { uid: *uid, ms: 5 }]);
        }
        self.stage(vec![Message::new(Role::Tool, results.collect())], entries);
        self.commit();
        self.maybe_follow(choices);
        if choices.one_in(3) {
            self.steer();
            self.maybe_follow(choices);
        }
        true
    }

    /// Adds a user message that was sent while the calls ran.
    fn steer(&mut self) {
        let place = self.live.read(|log| u32::try_from(log.messages().len()).unwrap());
        let steered = Recorded::Steered { steering: TurnId::default(), message: place };
        self.stage(vec![Message::user("Rather this").steering()], vec![steered]);
        self.commit();
    }

    /// Streams valid deltas of parts that may interleave. The follower reads now and then.
    fn stream(&mut self, choices: &mut Choices<'_>) {
        let (mut parts, mut open) = (0, Vec::new());
        for _ in 0..choices.pick(24) {
            let delta = match choices.pick(8) {
                0 | 1 => {
                    open.push(parts);
                    parts += 1;
                    match KINDS[choices.pick(KINDS.len())] {
                        PartKind::ToolCall => Delta::call(parts - 1, "call_0", "tool"),
                        PartKind::ProviderTool => Delta::provider_tool(parts - 1, "srv_0", "web_search"),
                        kind => Delta::start(parts - 1, kind),
                    }
                }
                3 if !open.is_empty() => {
                    let data = RawJson::parse("{\"signature\":\"Eo\"}").unwrap();
                    Delta::opaque(open[choices.pick(open.len())], Opaque { vendor: "maker".to_owned(), data })
                }
                2 if !open.is_empty() => Delta::end(open.remove(choices.pick(open.len()))),
                _ if !open.is_empty() => {
                    Delta::text(open[choices.pick(open.len())], PIECES[choices.pick(PIECES.len())])
                }
                _ => Delta::Usage(Usage::default()),
            };
            self.live.write(|log| log.show(&delta)).unwrap();
            self.maybe_follow(choices);
        }
    }

    /// Stages a boundary that is not visible yet, after removing any earlier staged entries.
    fn stage(&mut self, messages: Vec<Message>, entries: Vec<Recorded>) {
        let now = self.now();
        let visible = self.live.read(TurnLog::events);
        self.live.write(|log| {
            log.unstage(StagingMark::default());
            let place = u32::try_from(log.messages().len()).unwrap();
            log.close_attempt((!messages.is_empty()).then_some(place));
            messages.into_iter().for_each(|message| {
                log.stage_message(Entry::new(message));
            });
            entries.into_iter().for_each(|recorded| log.stage(now, recorded));
        });
        assert_eq!(self.live.read(TurnLog::events), visible, "what is staged is invisible");
        assert!(self.live.read(TurnLog::last_seq) > self.live.read(TurnLog::last_visible_seq));
        self.follow_remotely();
    }

    fn commit(&mut self) {
        let (chunk, messages) = self.live.read(|log| (log.pending(), log.messages().to_vec()));
        self.store.write(chunk, &messages);
        self.live.write(TurnLog::commit);
        self.follow_remotely();
        self.attempt = 1;
    }

    /// Simulates the death of the owner. The next owner continues from the stored state.
    fn crash(&mut self) {
        self.live.close();
        while self.follow(false) {}
        self.fence = self.fence.next();
        self.attempt += 1;
        let log = TurnLog::restore(self.store.turn(), self.fence);
        let durable = log.last_seq();
        self.shown.retain(|event| event.seq <= durable);
        let chance = self.remote.take().map(|remote| remote.end(&self.live));
        self.live = LiveTurn::new(log);
        self.remote = chance.map(|chance| Remote::of(&self.live, chance));
        self.follower = self.live.tail(self.shown.last().map_or(0, |event| event.seq));
        let (now, attempt) = (self.now(), self.attempt);
        self.live.write(|log| {
            log.stage(now, Recorded::Retracted { from_seq: durable + 1, attempt, lost_calls: 0 });
            log.reveal();
        });
    }

    fn maybe_follow(&mut self, choices: &mut Choices<'_>) {
        self.follow_remotely();
        match choices.pick(4) {
            0 => drop(self.follow(false)),
            1 => drop(self.follow(true)),
            _ => {}
        }
    }

    fn follow_remotely(&mut self) {
        if let Some(remote) = &mut self.remote {
            remote.step(&self.live);
        }
    }

    /// Reads all available events, or one. Returns `true` if there was any.
    fn follow(&mut self, one: bool) -> bool {
        let mut context = Context::from_waker(Waker::noop());
        let mut batch = Vec::new();
        if one {
            if let Poll::Ready(event) = Pin::new(&mut self.follower).poll_next(&mut context) {
                batch.extend(event);
            }
        } else {
            let _ = self.follower.poll_batch(&mut context, &mut batch);
        }
        batch.iter().for_each(|event| self.view.apply(event));
        let any = !batch.is_empty();
        self.shown.append(&mut batch);
        any
    }

    fn now(&mut self) -> Timestamp {
        self.clock += 10;
        Timestamp::from_millis(self.clock)
    }
}

impl Store {
    fn write(&mut self, chunk: Chunk, messages: &[Arc<Entry>]) {
        let entries = serde_json::to_string(&chunk.entries).unwrap();
        self.chunks.push((chunk.fence, chunk.from_seq, chunk.to_seq, entries));
        let new = &messages[self.messages.len()..];
        self.messages.extend(new.iter().map(|entry| serde_json::to_string(entry.message()).unwrap()));
    }

    /// Reads the turn back from the store.
    pub(crate) fn turn(&self) -> LoggedTurn {
        let message = |json: &String| Entry::new(serde_json::from_str(json).unwrap());
        let chunk = |(fence, from_seq, to_seq, json): &(Fence, u32, u32, String)| {
            let entries: Vec<LogEntry> = serde_json::from_str(json).unwrap();
            Chunk { fence: *fence, from_seq: *from_seq, to_seq: *to_seq, entries }
        };
        LoggedTurn {
            session: SessionId::default(),
            turn: TurnId::default(),
            number: 7,
            caps: ClientCaps::default(),
            messages: self.messages.iter().map(message).collect(),
            chunks: self.chunks.iter().map(chunk).collect(),
        }
    }
}

fn call(part: &Part) -> Option<CallUid> {
    match part {
        Part::ToolCall(call) => Some(call.uid),
        _ => None,
    }
}

fn result(uid: CallUid) -> Part {
    let payload = RawJson::parse(r#"{"b":1,  "a":2}"#).unwrap();
    Part::ToolResult(ToolResult {
        data: Some(Data { kind: "chart".to_owned(), payload }),
        images: vec![Image::new("image/png", format!("blob:{}", uid.turn))],
        ..ToolResult::new(uid, "tool", format!("done {uid} {:?}", Arguments::default()))
    })
}

const ERROR: [&str; 2] = ["provider_network", "the connection broke"];

fn error() -> Recorded {
    let [code, message] = ERROR.map(str::to_owned);
    Recorded::Error { code, message, retryable: true, scope: ErrorScope::Provider, attempts: vec![failed()] }
}

fn failed() -> FailedAttempt {
    FailedAttempt { provider: "other".into(), model: "model".into(), code: ERROR[0].into(), ms: 7 }
}

/// The notice by which the error is stored with the messages.
fn notice() -> Part {
    let [code, text] = ERROR.map(str::to_owned);
    Part::Notice(Notice { code, text, error: true })
}
