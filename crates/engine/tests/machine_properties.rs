//! Property tests of the turn machine, driven by scripts of all possible inputs: answers of any shape, failures,
//! decisions, cancellations, and the death of its owner at any boundary.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use std::collections::{HashMap, HashSet};

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Map;
use turnkit_core::ports::CompactionCalls;
use turnkit_core::{
    Answer, Arguments, CallRecord, CallState, CallUid, ChildReport, ChildTurn, DecidedWait, FinishReason, KnownOutcome,
    Message, Part, PartialAnswer, ProviderError, ProviderErrorKind, RawJson, Recorded, Resolution, Role, SessionId,
    Timestamp, Tokens, ToolCall, ToolErrorKind, ToolQuestion, ToolResult, TurnId, TurnStatus, Usage, WaitId, WaitKind,
};
use turnkit_engine::machine::{
    CallKind, Compaction, Effects, FinishedCall, Input, InterruptedCall, Limits, OnLimit, Plan, Resumption, Step,
    ToolRequest, TurnMachine, Verdict,
};

const CASES: u32 = 10_000;
const DEADLINE: Timestamp = Timestamp::from_millis(900_000);
/// The maximum number of calls in one answer.
const MAX_CALLS: usize = 8;
/// The maximum size of a stored machine with that many calls, in bytes: a call can hold an approval, the report of a
/// sub-agent and the reason of a refusal.
const MAX_BYTES: usize = 512 + MAX_CALLS * 800;

/// A sequence of numbered choices. When it is exhausted, picks return the first choice, which leads to the end.
struct Tape<'a>(std::slice::Iter<'a, u16>);

impl Tape<'_> {
    fn pick(&mut self, choices: usize) -> usize {
        self.0.next().map_or(0, |number| usize::from(*number) % choices)
    }

    fn one_in(&mut self, choices: usize) -> bool {
        self.pick(choices) == choices - 1
    }
}

/// A turn with its durable state.
struct Turn {
    machine: TurnMachine,
    saved: RawJson,
    held: Effects,
    durable: Effects,
    attempts: u16,
    deaths: u32,
    limits: Limits,
    kinds: HashMap<CallUid, CallKind>,
    forbidden: HashSet<CallUid>,
    runs: HashMap<CallUid, u32>,
}

impl Turn {
    fn new(limits: Limits) -> Self {
        let machine = TurnMachine::new(limits, DEADLINE);
        Self {
            saved: machine.store().unwrap(),
            machine,
            held: Effects::default(),
            durable: Effects::default(),
            attempts: 1,
            deaths: 0,
            limits,
            kinds: HashMap::new(),
            forbidden: HashSet::new(),
            runs: HashMap::new(),
        }
    }

    /// Runs a turn from its start to its end.
    fn run_tape(limits: Limits, tape: &[u16]) -> Self {
        let mut tape = Tape(tape.iter());
        let mut turn = Self::new(limits);
        while turn.durable.end.is_none() {
            let now = if tape.one_in(32) { DEADLINE } else { Timestamp::default() };
            let step = turn.machine.next(now);
            assert_eq!(turn.machine.next(now), step, "asking twice gives the same answer");
            if tape.one_in(16) {
                turn.deaths += 1;
                turn.resume();
                continue;
            }
            let input = turn.next_input(&step, &mut tape);
            turn.take(input, &mut tape);
        }
        turn
    }

    /// Picks one of the possible inputs after a step.
    fn next_input(&mut self, step: &Step, tape: &mut Tape<'_>) -> Input {
        match step {
            Step::CallModel { step, .. } => match tape.pick(10) {
                8 => Input::HandedOver { call: None, finished: vec![] },
                9 => {
                    let said = (!tape.one_in(3)).then(|| partial(self.answer(*step, tape).0));
                    Input::HandedOver { call: Some(InterruptedCall { partial: said, since: 3 }), finished: vec![] }
                }
                6 => {
                    let error = ProviderError::new(ProviderErrorKind::Network, "the connection broke");
                    let (answer, plans) = self.answer(*step, tape);
                    let partial = (!tape.one_in(3)).then(|| partial(answer));
                    Input::ModelFailed { error, partial, plans, since: Some(3) }
                }
                7 => {
                    let said = partial(self.answer(*step, tape).0);
                    stop(tape, Some(said), vec![])
                }
                5 if tape.one_in(2) => {
                    let summary = Err("the model wrote no summary".to_owned());
                    let usage = Usage { output: 3, ..Usage::default() };
                    let calls = Some(CompactionCalls { provider: "p".into(), model: "m".into(), usage });
                    Input::CompactionFinished(Box::new(Compaction {
                        messages: 4,
                        tokens_before: 90,
                        summary,
                        calls,
                        ms: 5,
                    }))
                }
                _ => {
                    let (answer, plans) = self.answer(*step, tape);
                    Input::Answered { answer, plans }
                }
            },
            Step::RunTools(calls) => {
                self.run(calls);
                let mut finished: Vec<FinishedCall> = calls.iter().map(|uid| finished(*uid, tape)).collect();
                if tape.one_in(4) {
                    finished.reverse();
                }
                if tape.one_in(8) {
                    finished.truncate(tape.pick(finished.len() + 1));
                    if tape.one_in(2) { Input::HandedOver { call: None, finished } } else { stop(tape, None, finished) }
                } else {
                    Input::ToolsFinished(finished)
                }
            }
            Step::Await(calls) => match tape.pick(4) {
                3 => stop(tape, None, vec![]),
                choice => {
                    let mut waiting = self.machine.waiting();
                    assert_eq!(waiting.iter().map(|(id, _)| id.call).collect::<Vec<_>>(), *calls);
                    // The store returns all decisions at once; a host may return only some.
                    if tape.one_in(2) {
                        waiting = vec![waiting[tape.pick(waiting.len())]];
                    }
                    Input::Resolved(waiting.into_iter().map(|wait| self.decide(wait, choice, tape)).collect())
                }
            },
            Step::Expire => Input::Stop { status: TurnStatus::Expired, error: None, partial: None, finished: vec![] },
            Step::Compact { .. } | Step::WriteTitle { .. } => panic!("a turn with a message is a chore"),
            Step::Done(_) => panic!("a turn that goes on is done"),
        }
    }

    fn decide(&mut self, (id, kind): (WaitId, WaitKind), choice: usize, tape: &mut Tape<'_>) -> DecidedWait {
        let outcomes = [KnownOutcome::Retry, KnownOutcome::Done, KnownOutcome::Failed];
        let (note, outcome) = (tape.one_in(2).then(|| "not today".to_owned()), outcomes[tape.pick(3)]);
        let resolution = match kind {
            _ if choice == 2 => Resolution::denied(note),
            WaitKind::Approval => Resolution::Approved { arguments: None, note, grant: None },
            WaitKind::Outcome => Resolution::Outcome { outcome, note },
            WaitKind::Question => Resolution::Answered { answer: "noon".into() },
            WaitKind::ClientTool => Resolution::returned(tape.one_in(2), "shown"),
            WaitKind::Child => Resolution::Child(Box::new(report(id.call.turn))),
        };
        // A call whose question was answered or declined runs again.
        let retries = matches!(resolution, Resolution::Outcome { outcome: KnownOutcome::Retry, .. });
        if retries || matches!(kind, WaitKind::Question | WaitKind::Child) {
            self.runs.insert(id.call, 0);
        } else if kind == WaitKind::Outcome || choice == 2 {
            self.forbidden.insert(id.call);
        }
        DecidedWait { id, resolution, binding: [7; 32] }
    }

    fn answer(&mut self, step: u16, tape: &mut Tape<'_>) -> (Answer, Vec<Plan>) {
        let (mut parts, mut plans, mut cut) = (Vec::new(), Vec::new(), Vec::new());
        if tape.one_in(2) {
            parts.push(Part::text("word "));
        }
        for ordinal in 0..tape.pick(MAX_CALLS + 1) {
            let uid = CallUid { turn: TurnId::default(), step, ordinal: u16::try_from(ordinal).unwrap() };
            let kind = [CallKind::ReadOnly, CallKind::Idempotent, CallKind::Once][tape.pick(3)];
            let verdict = match tape.pick(7) {
                4 => Verdict::Ask,
                6 => Verdict::Client,
                5 => Verdict::Refuse(ToolErrorKind::UnknownTool, "there is no tool of this name".to_owned()),
                _ => Verdict::Run,
            };
            self.forbidden.remove(&uid); // cut in an attempt that died
            if tape.one_in(8) {
                cut.push(uid);
                self.forbidden.insert(uid);
            }
            if matches!(verdict, Verdict::Refuse(..) | Verdict::Client) {
                self.forbidden.insert(uid);
            }
            self.kinds.insert(uid, kind);
            parts.push(call(uid));
            plans.push(Plan { uid, kind, verdict });
        }
        if tape.one_in(4) {
            plans.reverse();
        }
        let finish = [FinishReason::Stop, FinishReason::Length, FinishReason::ContentFilter][tape.pick(3)].clone();
        let usage = Usage { output: 7, raw: RawJson::parse("{\"o\":7}").ok(), ..Usage::default() };
        let usage = if tape.one_in(4) { Usage::unmetered() } else { usage };
        (Answer { parts, finish, usage, cut }, plans)
    }

    /// Records that the machine lets these calls run.
    fn run(&mut self, calls: &[CallUid]) {
        assert!(calls.is_sorted(), "calls run in order");
        for uid in calls {
            assert!(!self.forbidden.contains(uid), "{uid} is cut, refused or denied");
            let runs = self.runs.entry(*uid).or_default();
            *runs += 1;
            match self.kinds[uid] {
                CallKind::ReadOnly => {}
                CallKind::Idempotent => assert!(self.has_receipt(*uid), "{uid} runs without a receipt"),
                CallKind::Once => {
                    assert_eq!(*runs, 1, "{uid} runs again");
                    assert!(self.has_receipt(*uid), "{uid} runs without a receipt");
                }
            }
        }
    }

    fn has_receipt(&self, uid: CallUid) -> bool {
        self.durable.receipts.iter().any(|receipt| receipt.uid == uid && receipt.state == CallState::Started)
    }

    /// Applies an input the way the driver does. If the machine requests a checkpoint, writing it may reveal that the
    /// turn was asked to stop.
    fn take(&mut self, input: Input, tape: &mut Tape<'_>) {
        let before = self.machine.clone();
        let effects = self.apply(&input);
        if !effects.commit {
            self.held = std::mem::take(&mut self.held).then(effects);
            return;
        }
        if tape.one_in(16) && !matches!(input, Input::Stop { .. }) {
            self.machine = before;
            let effects = self.apply(&input.stopped(TurnStatus::Cancelled));
            assert_eq!(effects.end.as_ref().map(|end| end.0), Some(TurnStatus::Cancelled));
            self.commit(effects);
        } else {
            self.commit(effects);
        }
    }

    /// Applies an input to the machine and to a stored and restored copy, which must behave identically.
    fn apply(&mut self, input: &Input) -> Effects {
        let stored = self.machine.store().unwrap();
        let mut twin = TurnMachine::restore(&stored).unwrap();
        let effects = self.machine.apply(input);
        assert_eq!((twin.apply(input), &twin), (effects.clone(), &self.machine));
        assert_eq!(self.machine.has_ended(), effects.end.is_some());
        if !self.machine.has_ended() {
            let waits = matches!(self.machine.next(Timestamp::default()), Step::Await(_));
            assert_eq!(effects.waiting, waits && effects.commit, "a turn waits if it has nothing else to do");
        }
        effects
    }

    fn commit(&mut self, effects: Effects) {
        let is_handed_over = effects.handed_over;
        let held = std::mem::take(&mut self.held);
        self.durable = std::mem::take(&mut self.durable).then(held).then(effects);
        self.saved = self.machine.store().unwrap();
        self.attempts = 1;
        if is_handed_over {
            return self.resume();
        }
        self.deaths = 0;
        let mut saved: serde_json::Value = self.saved.read().unwrap();
        saved.as_object_mut().unwrap().remove("unfinished");
        assert!(saved.to_string().len() < MAX_BYTES, "{saved}");
        check_pairs(&self.durable.messages, self.durable.end.is_some());
    }

    /// The owner dies, and the next one continues from the durable state.
    fn resume(&mut self) {
        self.machine = TurnMachine::restore(&self.saved).unwrap();
        self.held = Effects::default();
        self.attempts += 1;
        let waited = matches!(self.machine.next(Timestamp::default()), Step::Await(_));
        let (attempt, lost_calls) =
            (self.machine.attempt() + self.attempts - 1, self.deaths - self.machine.counted_deaths());
        let most = self.limits.max_attempts;
        let attempt_limit_reached = (self.deaths >= most.into()).then_some(most);
        let can_ask = self.limits.max_calls.is_multiple_of(2);
        let resumption = Resumption { attempt, lost_calls, attempt_limit_reached, last_seq: 9, can_ask };
        let effects = self.apply(&Input::Resumed(resumption));
        let retracted = effects.log.iter().any(|recorded| matches!(recorded, Recorded::Retracted { .. }));
        assert_eq!(retracted, !waited, "events that no follower saw are not retracted");
        if effects.commit { self.commit(effects) } else { self.held = effects }
    }
}

fn approval(call: CallUid) -> DecidedWait {
    DecidedWait { id: WaitId { call, number: 0 }, resolution: Resolution::APPROVED, binding: [7; 32] }
}

fn partial(answer: Answer) -> PartialAnswer {
    PartialAnswer { parts: answer.parts, usage: Some(answer.usage), cut: answer.cut }
}

fn stop(tape: &mut Tape<'_>, partial: Option<PartialAnswer>, finished: Vec<FinishedCall>) -> Input {
    let status = [TurnStatus::Cancelled, TurnStatus::Interrupted, TurnStatus::Failed][tape.pick(3)];
    let error = (status == TurnStatus::Failed).then(|| ("internal".to_owned(), "it broke".to_owned()));
    Input::Stop { status, error, partial, finished }
}

fn call(uid: CallUid) -> Part {
    Part::ToolCall(ToolCall {
        uid,
        provider_id: "call_0".to_owned(),
        name: "search_the_archive".to_owned(),
        arguments: Arguments("{}".to_owned()),
        extras: None,
    })
}

fn finished(uid: CallUid, tape: &mut Tape<'_>) -> FinishedCall {
    let error = [None, Some(ToolErrorKind::Failed), Some(ToolErrorKind::TimedOut)][tape.pick(3)];
    let (name, content) = ("search_the_archive".to_owned(), "found".to_owned());
    let result = ToolResult { ok: error.is_none(), error, ..ToolResult::new(uid, name, content) };
    let request = tape.one_in(8).then(|| match tape.one_in(2) {
        true => ToolRequest::Question(Box::new(ToolQuestion::new("When?"))),
        false => ToolRequest::Turn(Box::new(ChildTurn::new("Book it."))),
    });
    FinishedCall { result, ms: 5, metadata: Map::new(), request }
}

/// Returns the report of a sub-agent that consumed nothing.
fn report(turn: TurnId) -> ChildReport {
    let usage = Usage::default();
    let (session, agent, status) = (SessionId::default(), "clerk".to_owned(), TurnStatus::Completed);
    ChildReport {
        turn,
        session,
        agent,
        status,
        error: None,
        text: "Booked.".to_owned(),
        tokens: Tokens::of(&usage),
        cost: usage.cost,
    }
}

/// Checks that each call has exactly one result, in the tool messages after it, except for calls of a running round.
fn check_pairs(messages: &[Message], over: bool) {
    let mut open: Vec<CallUid> = Vec::new();
    for message in messages {
        match message.role {
            Role::Assistant => {
                assert_eq!(open, [], "calls without a result before the next answer");
                open = message.calls().map(|call| call.uid).collect();
            }
            Role::Tool => {
                let results: Vec<CallUid> = message.parts.iter().map(result_of).collect();
                assert!(!results.is_empty() && results.is_sorted(), "results come in call order");
                for uid in results {
                    let place = open.iter().position(|call| *call == uid);
                    open.remove(place.unwrap_or_else(|| panic!("{uid} has a result too many")));
                }
            }
            role => panic!("the machine writes no message of {role:?}"),
        }
    }
    assert!(!over || open.is_empty(), "the turn is over and {open:?} have no result");
}

fn result_of(part: &Part) -> CallUid {
    match part {
        Part::ToolResult(result) => result.uid,
        other => panic!("{other:?} in a tool message"),
    }
}

fn limits() -> impl Strategy<Value = Limits> {
    (1_u16..5, 0_u32..20, any::<bool>()).prop_map(|(max_rounds, max_calls, answer)| {
        let on_limit = if answer { OnLimit::Answer } else { OnLimit::Stop };
        Limits { max_rounds, max_calls, on_limit, ..Limits::default() }
    })
}

fn turns() -> impl Strategy<Value = Turn> {
    (limits(), vec(any::<u16>(), 0..120)).prop_map(|(limits, tape)| Turn::run_tape(limits, &tape))
}

impl std::fmt::Debug for Turn {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {:#?}", self.limits, self.durable.log)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    /// The laws for single steps and boundaries are checked while the turn runs.
    #[test]
    fn the_laws_hold_for_every_turn(turn in turns()) {
        it_ends_once_and_last(&turn)?;
        receipts_are_started_once_and_settled_once(&turn)?;
        its_usage_is_the_sum_of_its_steps_and_compactions(&turn)?;
        the_log_tells_each_call_once(&turn)?;
        limits_hold(&turn)?;
    }

    #[test]
    fn news_for_a_turn_that_is_over_change_nothing(limits in limits(), tape in vec(any::<u16>(), 0..40)) {
        let (mut turn, mut tape) = (Turn::run_tape(limits, &tape), Tape(tape.iter()));
        let (answer, plans) = turn.answer(1, &mut tape);
        let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
        let before = turn.machine.clone();
        for input in [
            Input::Answered { answer, plans },
            stop(&mut tape, None, vec![finished(uid, &mut Tape([].iter()))]),
            Input::ToolsFinished(vec![finished(uid, &mut Tape([].iter()))]),
            Input::Resolved(vec![approval(uid)]),
            Input::HandedOver { call: None, finished: vec![] },
            Input::Overflowed { change: Message::user("hi"), code: String::new(), text: String::new() },
            Input::Resumed(Resumption { attempt: 2, lost_calls: 1, attempt_limit_reached: None, last_seq: 1, can_ask: true }),
        ] {
            prop_assert_eq!(turn.machine.apply(&input), Effects::default());
            prop_assert_eq!(&turn.machine, &before);
        }
    }

    #[test]
    fn unexpected_inputs_leave_the_turn_consistent(
        limits in limits(), tape in vec(any::<u16>(), 0..60), stray in vec((any::<u8>(), 1_u16..4, 0_u16..4), 0..6),
    ) {
        let mut turn = Turn::new(limits);
        let mut tape = Tape(tape.iter());
        let mut stray = stray.into_iter();
        while turn.durable.end.is_none() {
            let asked = turn.machine.next(Timestamp::default());
            let stray = if tape.one_in(2) { stray.next() } else { None };
            let input = match stray {
                None => turn.next_input(&asked, &mut tape),
                Some((what, step, ordinal)) => {
                    let uid = CallUid { turn: TurnId::default(), step: step + 100, ordinal };
                    match what % 4 {
                        0 if !matches!(asked, Step::CallModel { .. }) => {
                            let (answer, plans) = turn.answer(uid.step, &mut tape);
                            Input::Answered { answer, plans }
                        }
                        1 if !matches!(asked, Step::CallModel { .. }) => {
                            let said = partial(turn.answer(uid.step, &mut tape).0);
                            stop(&mut tape, Some(said), vec![])
                        }
                        2 => Input::Resolved(vec![approval(uid)]),
                        _ => Input::ToolsFinished(vec![finished(uid, &mut tape)]),
                    }
                }
            };
            turn.take(input, &mut tape);
        }
    }
}

fn it_ends_once_and_last(turn: &Turn) -> Result<(), TestCaseError> {
    let ended = |recorded: &Recorded| matches!(recorded, Recorded::TurnEnded { .. });
    prop_assert_eq!(turn.durable.log.iter().filter(|recorded| ended(recorded)).count(), 1);
    prop_assert!(turn.durable.log.last().is_some_and(ended));
    let status = turn.durable.end.as_ref().map(|end| end.0).unwrap();
    prop_assert_eq!(turn.machine.next(DEADLINE), Step::Done(status));
    Ok(())
}

fn receipts_are_started_once_and_settled_once(turn: &Turn) -> Result<(), TestCaseError> {
    let mut receipts: HashMap<CallUid, Vec<CallState>> = HashMap::new();
    for CallRecord { uid, state, .. } in &turn.durable.receipts {
        receipts.entry(*uid).or_default().push(*state);
    }
    for (uid, states) in receipts {
        let settled = matches!(states[..], [CallState::Started, settled] if settled != CallState::Started);
        prop_assert!(settled, "{}: {:?}", uid, states);
        prop_assert_ne!(turn.kinds[&uid], CallKind::ReadOnly);
    }
    Ok(())
}

fn its_usage_is_the_sum_of_its_steps_and_compactions(turn: &Turn) -> Result<(), TestCaseError> {
    let mut steps = Usage::default();
    for recorded in &turn.durable.log {
        match recorded {
            Recorded::StepEnded { usage, .. } => steps.add(usage),
            Recorded::Compacted { usage, .. } => steps.add(usage),
            _ => {}
        }
    }
    let lost: u32 = turn.durable.log.iter().map(lost_calls).sum();
    let consumed = &turn.durable.end.as_ref().unwrap().1;
    (0..lost).for_each(|_| steps.add(&Usage::unmetered()));
    prop_assert_eq!(consumed, &steps);
    let told = matches!(turn.durable.log.last(), Some(Recorded::TurnEnded { usage, .. }) if *usage == steps);
    prop_assert!(told);
    Ok(())
}

fn lost_calls(recorded: &Recorded) -> u32 {
    if let Recorded::Retracted { lost_calls, .. } = recorded { *lost_calls } else { 0 }
}

fn the_log_tells_each_call_once(turn: &Turn) -> Result<(), TestCaseError> {
    let (mut started, mut over) = (HashSet::new(), Vec::new());
    for recorded in &turn.durable.log {
        match recorded {
            Recorded::ToolStarted { uid } => prop_assert!(started.insert(*uid) && !over.contains(uid)),
            Recorded::ToolFinished { uid, .. } => over.push(*uid),
            _ => {}
        }
    }
    let results = turn.durable.messages.iter().filter(|message| message.role == Role::Tool);
    let results: Vec<CallUid> = results.flat_map(|message| &message.parts).map(result_of).collect();
    prop_assert_eq!(&over, &results);
    prop_assert!(started.iter().all(|uid| over.contains(uid)));
    Ok(())
}

fn limits_hold(turn: &Turn) -> Result<(), TestCaseError> {
    let Limits { max_rounds, max_calls, on_limit, .. } = turn.limits;
    let closing = u16::from(on_limit == OnLimit::Answer);
    prop_assert!(turn.machine.step() <= max_rounds + closing);
    prop_assert!(turn.runs.keys().all(|uid| uid.step <= max_rounds));
    let started = turn.durable.log.iter().filter(|recorded| matches!(recorded, Recorded::ToolStarted { .. }));
    prop_assert!(started.count() <= max_calls as usize);
    Ok(())
}

#[test]
fn the_largest_limits_do_not_overflow_the_step() {
    let limits = Limits { max_rounds: u16::MAX, max_calls: u32::MAX, on_limit: OnLimit::Answer, ..Limits::default() };
    let mut turn = Turn::new(limits);
    let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
    let answer = Answer { parts: vec![call(uid)], finish: FinishReason::Stop, usage: Usage::default(), cut: vec![] };
    let plans = vec![Plan { uid, kind: CallKind::ReadOnly, verdict: Verdict::Run }];
    let answered = Input::Answered { answer, plans };
    let finished = Input::ToolsFinished(vec![finished(uid, &mut Tape([].iter()))]);
    let mut steps = 0_u32;
    while !turn.machine.has_ended() {
        steps += 1;
        assert_eq!(u32::from(turn.machine.step()), steps);
        turn.machine.apply(&answered);
        turn.machine.apply(&finished);
    }
    assert_eq!(steps, u32::from(u16::MAX));
}

#[test]
fn the_stored_machine_does_not_grow_with_the_steps() {
    let limits = Limits { max_rounds: 1_000, max_calls: 10_000, ..Limits::default() };
    let mut turn = Turn::new(limits);
    let uid = |step, ordinal| CallUid { turn: TurnId::default(), step, ordinal };
    for step in 1..=999 {
        let parts: Vec<Part> = (0..8).map(|ordinal| call(uid(step, ordinal))).collect();
        let answer = Answer { parts, finish: FinishReason::ToolCalls, usage: Usage::default(), cut: vec![] };
        let plan = |ordinal| Plan { uid: uid(step, ordinal), kind: CallKind::Once, verdict: Verdict::Run };
        let plans = (0..8).map(plan).collect();
        turn.machine.apply(&Input::Answered { answer, plans });
        assert!(turn.machine.store().unwrap().get().len() < MAX_BYTES);
        let mut tape = Tape([].iter());
        let results = (0..8).map(|ordinal| finished(uid(step, ordinal), &mut tape)).collect();
        turn.machine.apply(&Input::ToolsFinished(results));
        let stored = turn.machine.store().unwrap();
        assert!(stored.get().len() < 512, "{} bytes after step {step}: {}", stored.get().len(), stored.get());
    }
}
