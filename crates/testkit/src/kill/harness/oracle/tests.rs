//! Tests of each check, on a trial without violations and on the same trial with one thing changed.

use std::collections::{BTreeMap, BTreeSet};

use turnkit_core::{
    Arguments, CallUid, Chunk, ClientCaps, Cursor, Entry, Fence, FinishReason, LogEntry, LoggedTurn, Message, Part,
    Recorded, Role, SessionId, Timestamp, ToolCall, ToolErrorKind, ToolResult, TurnId, TurnState, TurnStatus, Usage,
    replay,
};

use super::{Evidence, judge};
use crate::kill::harness::client::{Client, Seen, Shown};
use crate::kill::harness::snapshot::{Contents, Stored};
use crate::kill::harness::violation::Check;
use crate::kill::host::Question;
use crate::kill::protocol::{Line, Request, content};
use crate::kill::{HostTool, Task};

const TURN: TurnId = TurnId(uuid::Uuid::from_u128(1));
const PAY: CallUid = CallUid { turn: TURN, step: 1, ordinal: 0 };
const SESSION: &str = "session";

/// A turn that paid once, whose host was killed after its first checkpoint, and that ended in a second life.
struct Trial {
    client: Client,
    stored: Vec<Contents>,
    questions: Vec<Vec<Question>>,
    effects: BTreeMap<CallUid, usize>,
}

impl Trial {
    fn new() -> Self {
        let task = task();
        let mut client = Client::default();
        client.begin(0, &[Request { session: SESSION.to_owned(), key: Some("key".to_owned()), task: task.clone() }]);
        client.handle_line(Line::Accepted { task: task.name.clone(), turn: TURN });
        let messages = conversation(&task);
        let question = |step| Question { turn: TURN, step };
        let mut trial = Self {
            client,
            stored: vec![
                contents(TurnState::Running, &messages[..2], &chunks()[..2]),
                contents(TurnState::Ended(TurnStatus::Completed), &messages, &chunks()),
            ],
            questions: vec![vec![question(1)], vec![question(2)]],
            effects: [(PAY, 1)].into(),
        };
        let first = trial.seen(0);
        let Some(watched) = trial.client.turns.get_mut(&TURN) else { return trial };
        watched.seen = first;
        trial.show_rest();
        trial
    }

    /// Returns everything the database of a life holds, as shown in that life.
    fn seen(&self, life: usize) -> Vec<Seen> {
        let log = &self.stored[life].turns[&TURN].log;
        let fence =
            |seq| log.chunks.iter().find(|chunk| chunk.to_seq >= seq).map(|chunk| chunk.fence).unwrap_or_default();
        let seen = replay(log, 0).into_iter().map(|event| Seen {
            life,
            cursor: Cursor { fence: fence(event.seq), turn: 1, seq: event.seq, frame: 0 },
            what: Shown::Event { name: event.kind.name().to_owned(), step: Some(1), content: content(&event.kind) },
        });
        seen.collect()
    }

    fn show_rest(&mut self) {
        let rest = self.seen(1);
        if let Some(watched) = self.client.turns.get_mut(&TURN) {
            let shown = watched.seen.len();
            watched.seen.extend(rest.into_iter().skip(shown));
        }
    }

    fn watched(&mut self) -> &mut Vec<Seen> {
        &mut self.client.turns.get_mut(&TURN).expect("the turn was acknowledged").seen
    }

    fn last(&mut self) -> &mut Stored {
        self.stored[1].turns.get_mut(&TURN).expect("the turn is stored")
    }

    fn broken(&self) -> BTreeSet<Check> {
        let Self { client, stored, questions, effects } = self;
        let violations = judge(&Evidence { client, stored, questions, effects });
        violations.into_iter().map(|violation| violation.check).collect()
    }
}

fn conversation(task: &Task) -> Vec<Message> {
    let pay = ToolCall {
        uid: PAY,
        provider_id: "call_1".to_owned(),
        name: "pay".to_owned(),
        arguments: Arguments(r#"{"amount":5}"#.to_owned()),
        extras: None,
    };
    let paid = ToolResult::new(PAY, "pay", "paid 5");
    let says = |parts| Message::new(Role::Assistant, parts);
    vec![
        task.message().expect("a task is JSON"),
        says(vec![Part::text(task.said(1)), Part::ToolCall(pay)]),
        Message::new(Role::Tool, vec![Part::ToolResult(paid)]),
        says(vec![Part::text(task.said(2))]),
    ]
}

fn chunks() -> Vec<Chunk> {
    let started = Recorded::turn_started("worker");
    let step =
        |step| Recorded::StepEnded { step, finish: FinishReason::Stop, usage: Usage::default(), attempts: Vec::new() };
    let ended =
        Recorded::TurnEnded { status: TurnStatus::Completed, usage: Usage::default(), steps: 2, steered_into: None };
    vec![
        chunk(1, 1, vec![started]),
        chunk(1, 2, vec![step(1), Recorded::ToolStarted { uid: PAY }]),
        chunk(2, 4, vec![Recorded::ToolFinished { uid: PAY, ms: 0 }]),
        chunk(2, 5, vec![step(2), ended]),
    ]
}

fn chunk(fence: u32, from_seq: u32, kinds: Vec<Recorded>) -> Chunk {
    let entries: Vec<_> = kinds.into_iter().map(|kind| LogEntry { at: Timestamp::default(), kind }).collect();
    Chunk { fence: Fence(fence), from_seq, to_seq: from_seq + entries.len() as u32 - 1, entries }
}

fn contents(state: TurnState, messages: &[Message], chunks: &[Chunk]) -> Contents {
    let log = LoggedTurn {
        session: SessionId::default(),
        turn: TURN,
        number: 1,
        caps: ClientCaps::default(),
        messages: messages.iter().cloned().map(Entry::new).collect(),
        chunks: chunks.to_vec(),
    };
    Contents {
        integrity: "ok".to_owned(),
        broken_files: Vec::new(),
        waits: BTreeMap::new(),
        turns: [(TURN, Stored { state, log })].into(),
        sessions: [(SESSION.to_owned(), messages.to_vec())].into(),
    }
}

#[test]
fn a_correct_trial_has_no_violations() {
    assert_eq!(Trial::new().broken(), BTreeSet::new());
}

#[test]
fn each_check_finds_its_violation() {
    type Change = fn(&mut Trial);
    let cases: &[(&str, Check, Change)] = &[
        ("a turn that is gone after a death", Check::Lost, |trial| trial.stored[0].turns.clear()),
        ("a turn that did not end well", Check::Lost, |trial| {
            trial.last().state = TurnState::Ended(TurnStatus::Failed)
        }),
        ("a turn that is in no session", Check::Lost, |trial| trial.stored[1].sessions.clear()),
        ("a turn that ended twice", Check::Terminal, |trial| {
            let ended = trial.last().log.chunks[3].entries[1].kind.clone();
            trial.last().log.chunks.push(chunk(2, 7, vec![ended]));
        }),
        ("a message twice", Check::Messages, |trial| {
            let said = trial.stored[1].sessions[SESSION][3].clone();
            trial.stored[1].sessions.insert(SESSION.to_owned(), [conversation(&task()), vec![said]].concat());
        }),
        ("a turn twice", Check::Messages, |trial| {
            let twice = [conversation(&task()), conversation(&task())].concat();
            trial.stored[1].sessions.insert(SESSION.to_owned(), twice);
        }),
        ("an effect twice", Check::Effects, |trial| *trial.effects.entry(PAY).or_default() += 1),
        ("a success without an effect", Check::Effects, |trial| trial.effects.clear()),
        ("an effect without a call", Check::Effects, |trial| {
            trial.effects.insert(CallUid { turn: TurnId::default(), ..PAY }, 1);
        }),
        ("an unknown outcome of a call that no death found running", Check::Effects, |trial| {
            let log = &mut trial.last().log;
            let mut results = log.messages[2].message().clone();
            if let Part::ToolResult(result) = &mut results.parts[0] {
                (result.ok, result.error) = (false, Some(ToolErrorKind::OutcomeUnknown));
            }
            log.messages[2] = Entry::new(results);
            trial.stored[0] = contents(TurnState::Running, &conversation(&task())[..1], &chunks()[..1]);
        }),
        ("an uploaded file that is gone", Check::Files, |trial| {
            trial.stored[0].broken_files.push("not found".to_owned());
        }),
        ("a damaged file", Check::Integrity, |trial| trial.stored[0].integrity = "row 3 missing".to_owned()),
        ("two turns for one key", Check::Key, |trial| {
            trial.client.handle_line(Line::Accepted { task: task().name, turn: TurnId::default() });
        }),
        ("an event that says something else", Check::Shown, |trial| {
            trial.watched()[2].what = Shown::Event { name: String::new(), step: None, content: "else".to_owned() };
        }),
        ("an event that was left out", Check::Shown, |trial| drop(trial.watched().remove(2))),
        ("an event of a dead owner that was not retracted", Check::Shown, |trial| {
            trial.watched()[4].cursor.fence = Fence(1);
        }),
        ("an end that was not shown", Check::Shown, |trial| drop(trial.watched().pop())),
        ("a boundary that was shown too early", Check::Shown, |trial| trial.watched()[3].life = 0),
        ("a stored event that has changed", Check::Stored, |trial| trial.last().log.chunks[1].fence = Fence(9)),
        ("a hole in the log", Check::Stored, |trial| drop(trial.last().log.chunks.remove(2))),
        ("an answer that was paid twice", Check::ModelCalledTwice, |trial| {
            trial.questions[1].push(Question { turn: TURN, step: 1 });
        }),
        ("a write by an owner who had lost the turn", Check::Fence, |trial| {
            trial.client.handle_line(Line::TakenOver { turn: TURN, fence: 3, seq: 3 });
        }),
    ];
    for (name, check, change) in cases {
        let mut trial = Trial::new();
        change(&mut trial);
        assert!(trial.broken().contains(check), "{name}: {:?}", trial.broken());
    }
}

fn task() -> Task {
    Task {
        name: "task".to_owned(),
        rounds: vec![vec![HostTool::Pay]],
        words: 1,
        pause_ms: 0,
        picture: false,
        person: false,
    }
}
