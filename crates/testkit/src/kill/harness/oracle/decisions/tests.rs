//! Tests of the checks of decisions and reports, on a trial without violations and on the same trial with one thing
//! changed.

use std::collections::{BTreeMap, BTreeSet};

use turnkit_core::{
    Arguments, CallUid, ChildReport, Chunk, ClientCaps, Cost, Entry, Fence, KnownOutcome, LogEntry, LoggedTurn,
    Message, Part, Recorded, Resolution, Role, SessionId, Timestamp, Tokens, ToolErrorKind, ToolResult, TurnId,
    TurnState, TurnStatus, Usage, Wait, WaitId, WaitKind, WaitQuestion,
};

use crate::kill::harness::client::Client;
use crate::kill::harness::oracle::{Evidence, decisions, effects};
use crate::kill::harness::person::SentDecision;
use crate::kill::harness::snapshot::{Contents, Stored};
use crate::kill::harness::violation::Check;
use crate::kill::host::Question;
use crate::kill::protocol::{Line, Request};
use crate::kill::{HostTool, Task};

const TURN: TurnId = TurnId(uuid::Uuid::from_u128(1));
const APPROVED: WaitId = WaitId { call: call(0), number: 0 };
const DENIED: WaitId = WaitId { call: call(1), number: 0 };
const DELEGATED: WaitId = WaitId { call: call(2), number: 0 };

const fn call(ordinal: u16) -> CallUid {
    CallUid { turn: TURN, step: 1, ordinal }
}

/// A turn that transferred something, was denied a second transfer, and had a sub-agent. Its host was killed after one
/// decision was acknowledged.
struct Trial {
    client: Client,
    stored: Vec<Contents>,
    questions: Vec<Vec<Question>>,
    effects: BTreeMap<CallUid, usize>,
}

impl Trial {
    fn new() -> Self {
        let mut client = Client::default();
        client.begin(0, &[Request { session: "session".to_owned(), key: Some("key".to_owned()), task: task() }]);
        client.handle_line(Line::Accepted { task: task().name, turn: TURN });
        client.person.listed.insert(1, [DENIED].into());
        let made = |resolution, life| SentDecision { resolution, acknowledged_in: Some(life) };
        client.person.decisions =
            [(APPROVED, made(Resolution::APPROVED, 0)), (DENIED, made(Resolution::denied(None), 1))].into();
        let waits = |denied| [wait(APPROVED, Some(Resolution::APPROVED)), wait(DENIED, denied)].into();
        Self {
            client,
            stored: vec![
                Contents { waits: waits(None), ..Contents::default() },
                Contents { waits: waits(Some(Resolution::denied(None))), turns: turns(), ..Contents::default() },
            ],
            questions: vec![vec![Question { turn: TURN, step: 1 }]],
            effects: [(APPROVED.call, 1)].into(),
        }
    }

    fn decision(&mut self) -> &mut SentDecision {
        self.client.person.decisions.get_mut(&APPROVED).expect("it was decided")
    }

    fn log(&mut self) -> &mut Vec<LogEntry> {
        &mut self.last().log.chunks[0].entries
    }

    /// Changes the result of a call.
    fn result(&mut self, ordinal: usize, change: impl FnOnce(&mut ToolResult)) {
        let log = &mut self.last().log;
        let mut results = log.messages[1].message().clone();
        if let Part::ToolResult(result) = &mut results.parts[ordinal] {
            change(result);
        }
        log.messages[1] = Entry::new(results);
    }

    fn last(&mut self) -> &mut Stored {
        self.stored[1].turns.get_mut(&TURN).expect("the turn is stored")
    }

    fn broken(&self) -> BTreeSet<Check> {
        let Self { client, stored, questions, effects: done } = self;
        let evidence = Evidence { client, stored, questions, effects: done };
        let mut violations = client.violations.clone();
        decisions::judge(&evidence, &mut violations);
        effects::judge(&evidence, &mut violations);
        violations.into_iter().map(|violation| violation.check).collect()
    }
}

fn task() -> Task {
    let round = vec![HostTool::Transfer, HostTool::Transfer, HostTool::Delegate];
    Task { name: "task".to_owned(), rounds: vec![round], words: 1, pause_ms: 0, picture: false, person: true }
}

fn wait(id: WaitId, decided: Option<Resolution>) -> (WaitId, Wait) {
    let question = WaitQuestion {
        name: "transfer".to_owned(),
        arguments: Arguments::default(),
        reason: String::new(),
        preview: None,
        question: None,
        grantable: None,
        child: None,
    };
    let wait = Wait {
        id,
        session: SessionId::default(),
        parent: None,
        kind: WaitKind::Approval,
        question,
        created_at: Timestamp::default(),
        expires_at: Timestamp::default(),
        decided: decided.map(|resolution| (resolution, Timestamp::default())),
    };
    (id, wait)
}

fn turns() -> BTreeMap<TurnId, Stored> {
    let said = task().delegated(1, 2);
    let results = [
        ("transfer", "transferred 5".to_owned(), None),
        ("transfer", "the user denied it".to_owned(), Some(ToolErrorKind::Denied)),
        ("task", said.said(said.steps()), None),
    ];
    let results = (0..).zip(results).map(|(ordinal, (name, content, error))| {
        let (uid, name, ok) = (call(ordinal), name.to_owned(), error.is_none());
        Part::ToolResult(ToolResult { ok, error, ..ToolResult::new(uid, name, content) })
    });
    let messages = [task().message().expect("a task is JSON"), Message::new(Role::Tool, results.collect())];
    let entries = [requested(), reported()].map(|kind| LogEntry { at: Timestamp::default(), kind }).to_vec();
    let log = LoggedTurn {
        session: SessionId::default(),
        turn: TURN,
        number: 1,
        caps: ClientCaps::default(),
        messages: messages.into_iter().map(Entry::new).collect(),
        chunks: vec![Chunk { fence: Fence(1), from_seq: 1, to_seq: 2, entries }],
    };
    [(TURN, Stored { state: TurnState::Ended(TurnStatus::Completed), log })].into()
}

/// Creates the log entry for the start of the sub-agent.
fn requested() -> Recorded {
    Recorded::InteractionRequested {
        id: DELEGATED,
        kind: WaitKind::Child,
        reason: String::new(),
        preview: None,
        question: None,
        child: None,
        expires_at: Timestamp::default(),
    }
}

/// Creates the log entry for the end of the sub-agent.
fn reported() -> Recorded {
    let report = ChildReport {
        turn: TurnId::default(),
        session: SessionId::default(),
        agent: String::new(),
        status: TurnStatus::Completed,
        error: None,
        text: String::new(),
        tokens: Tokens::of(&Usage::default()),
        cost: Cost::default(),
    };
    Recorded::InteractionResolved { id: DELEGATED, resolution: Box::new(Resolution::Child(Box::new(report))) }
}

fn recorded(kind: Recorded) -> LogEntry {
    LogEntry { at: Timestamp::default(), kind }
}

#[test]
fn a_correct_trial_has_no_violations() {
    assert_eq!(Trial::new().broken(), BTreeSet::new());
}

#[test]
fn each_check_finds_its_violation() {
    type Change = fn(&mut Trial);
    let cases: &[(&str, Check, Change)] = &[
        ("something to decide that was not listed", Check::Decisions, |trial| {
            trial.client.person.listed.insert(1, BTreeSet::new());
        }),
        ("an answered decision that a death undid", Check::Decisions, |trial| {
            trial.stored[0].waits.extend([wait(APPROVED, None)]);
        }),
        ("an answered decision that became another", Check::Decisions, |trial| {
            trial.decision().resolution = Resolution::denied(None);
        }),
        ("an answered decision about something unknown", Check::Decisions, |trial| trial.stored[1].waits.clear()),
        ("a decision that was refused", Check::Decisions, |trial| {
            trial.client.handle_line(Line::Decided { wait: APPROVED, refused: Some("too late".to_owned()) });
        }),
        ("a sub-agent started twice", Check::Reports, |trial| trial.log().push(recorded(requested()))),
        ("a report heard twice", Check::Reports, |trial| trial.log().push(recorded(reported()))),
        ("a report not heard", Check::Reports, |trial| drop(trial.log().pop())),
        ("another report", Check::Reports, |trial| trial.result(2, |result| result.content.clear())),
        ("a sub-agent that no client knows", Check::Reports, |trial| {
            trial.questions[0].push(Question { turn: TurnId::default(), step: 1 });
        }),
        ("an approved call that ran twice", Check::Effects, |trial| *trial.effects.entry(call(0)).or_default() += 1),
        ("an approved call that never ran", Check::Effects, |trial| trial.effects.clear()),
        ("an approved call whose outcome is not said", Check::Effects, |trial| {
            trial.result(0, |result| (result.ok, result.error) = (false, Some(ToolErrorKind::OutcomeUnknown)));
        }),
        ("a denied call that ran", Check::Effects, |trial| {
            trial.effects.insert(call(1), 1);
        }),
    ];
    for (name, check, change) in cases {
        let mut trial = Trial::new();
        change(&mut trial);
        assert!(trial.broken().contains(check), "{name}: {:?}", trial.broken());
    }
}

#[test]
fn a_person_who_saw_the_effect_may_confirm_it_in_place_of_the_result() {
    let mut trial = Trial::new();
    trial.result(0, |result| result.content = "it took effect".to_owned());
    assert_eq!(trial.broken(), [Check::Effects].into());
    let outcome = Resolution::Outcome { outcome: KnownOutcome::Done, note: None };
    let id = WaitId { number: 1, ..APPROVED };
    trial.client.person.decisions.insert(id, SentDecision { resolution: outcome, acknowledged_in: None });
    assert_eq!(trial.broken(), BTreeSet::new());
}
