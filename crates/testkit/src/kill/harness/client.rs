//! The client's state: its requests and everything it was shown, across all lives of the host.

use std::collections::{BTreeMap, BTreeSet};

use turnkit_core::{CallUid, Cursor, TurnId};

use super::person::Person;
use super::violation::{Check, Violation};
use crate::kill::Task;
use crate::kill::protocol::{Command, Line, Request, TurnWait};

/// A client that reconnects after each death of the host.
#[derive(Debug, Default)]
pub(super) struct Client {
    pub(super) orders: Vec<Order>,
    pub(super) turns: BTreeMap<TurnId, Watched>,
    pub(super) take_overs: Vec<TakeOver>,
    pub(super) violations: Vec<Violation>,
    /// The person who decides the waits of turns.
    pub(super) person: Person,
    /// Turns shown as a snapshot, which does not contain their sub-agents. The client asks for these separately.
    unclear: BTreeSet<TurnId>,
    /// The current life of the host, counted from 0.
    life: usize,
    /// Requests of this life without a response, by the name of their task.
    unanswered: BTreeSet<String>,
}

/// A request that was sent once or several times.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) request: Request,
    pub(super) turn: Option<TurnId>,
}

/// A turn that was acknowledged, or the announced turn of a sub-agent.
#[derive(Debug)]
pub(super) struct Watched {
    /// The task of the turn.
    pub(super) task: Task,
    /// The life in which the client first learned of the turn.
    pub(super) since: usize,
    pub(super) seen: Vec<Seen>,
    pub(super) ended: bool,
}

/// An event or a snapshot that the client was shown.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub(super) life: usize,
    pub(super) cursor: Cursor,
    pub(super) what: Shown,
}

#[derive(Debug, Clone)]
pub(super) enum Shown {
    Event { name: String, step: Option<u16>, content: String },
    View { content: String },
}

/// A turn that another worker took over.
#[derive(Debug, Clone, Copy)]
pub(super) struct TakeOver {
    pub(super) turn: TurnId,
    pub(super) fence: u32,
    pub(super) seq: u32,
    released: bool,
}

impl Client {
    /// Creates a client with this person.
    pub(super) fn new(person: Person) -> Self {
        Self { person, ..Self::default() }
    }

    /// Returns the commands to send when the host has started. They submit the new requests, resubmit every request
    /// without an acknowledgement and one that was acknowledged, and follow each unfinished turn from its last known
    /// event.
    pub(super) fn begin(&mut self, life: usize, requests: &[Request]) -> Vec<Command> {
        self.life = life;
        self.unanswered.clear();
        self.person.begin();
        let again = |order: &&Order| order.request.key.is_some();
        let missing = self.orders.iter().filter(again).filter(|order| order.turn.is_none());
        let acknowledged = self.orders.iter().filter(again).filter(|order| order.turn.is_some()).take(1);
        let mut send: Vec<Request> = missing.chain(acknowledged).map(|order| order.request.clone()).collect();
        send.extend_from_slice(requests);
        self.orders.extend(requests.iter().map(|request| Order { request: request.clone(), turn: None }));
        self.unanswered.extend(send.iter().map(|request| request.task.name.clone()));
        let mut commands = vec![Command::List];
        commands.extend(self.unclear.iter().map(|turn| Command::Children { turn: *turn }));
        let unfinished = self.turns.iter().filter(|(_, turn)| !turn.ended);
        commands.extend(unfinished.map(|(id, turn)| turn.follow(*id)));
        commands.extend(send.into_iter().map(Command::Accept));
        commands
    }

    /// Handles a line of the host and returns the commands to send in response.
    pub(super) fn handle_line(&mut self, line: Line) -> Vec<Command> {
        match line {
            Line::Accepted { task, turn } => return self.accepted(&task, turn).into_iter().collect(),
            Line::Refused { task, why } => {
                self.unanswered.remove(&task);
                self.violation(Check::Lost, format!("{task} was refused: {why}"));
            }
            Line::Event { turn, cursor, name, step, wait, content } => {
                self.saw(turn, &cursor, Shown::Event { name, step, content });
                return wait.map(|wait| self.handle_wait(wait)).unwrap_or_default();
            }
            Line::Resync { turn, cursor, content } => {
                self.saw(turn, &cursor, Shown::View { content });
                // The snapshot does not contain what the turn waits or waited for.
                self.unclear.insert(turn);
                return vec![Command::List, Command::Children { turn }];
            }
            Line::Ended { turn } => self.with(turn, |watched| watched.ended = true),
            Line::Lost { turn, .. } => {
                return self.turns.get(&turn).map(|turns| turns.follow(turn)).into_iter().collect();
            }
            Line::List { waits } => return self.person.read(self.life, &waits).into_iter().collect(),
            Line::Children { turn, waits } => {
                self.unclear.remove(&turn);
                let children = waits.into_iter().filter(|wait| wait.child.is_some());
                return children.flat_map(|wait| self.handle_wait(wait)).collect();
            }
            Line::Decided { wait, refused } => {
                if let Some(why) = refused {
                    self.violation(Check::Decisions, format!("a decision about {wait} was refused: {why}"));
                }
                return self.person.acknowledged(self.life, wait).into_iter().collect();
            }
            Line::TakenOver { turn, fence, seq } => {
                self.take_overs.push(TakeOver { turn, fence, seq, released: false });
            }
            Line::Released { turn } => {
                self.take_overs.iter_mut().filter(|over| over.turn == turn).for_each(|over| over.released = true);
            }
            Line::Listening { .. } => {}
            Line::Failed { why } => self.violation(Check::Lost, why),
        }
        Vec::new()
    }

    /// Handles a wait of a turn: passes it to the person, or follows the sub-agent it is for.
    fn handle_wait(&mut self, wait: TurnWait) -> Vec<Command> {
        let CallUid { turn, step, ordinal } = wait.id.call;
        let Some(child) = wait.child else { return self.person.handle_wait(wait).into_iter().collect() };
        let Some(parent) = self.turns.get(&turn) else { return Vec::new() };
        let task = parent.task.delegated(step, ordinal);
        let watched = Watched { task, since: self.life, seen: Vec::new(), ended: false };
        let is_new = !self.turns.contains_key(&child);
        let watched = self.turns.entry(child).or_insert(watched);
        is_new.then(|| watched.follow(child)).into_iter().collect()
    }

    /// Returns `true` if the client has seen the end of everything it requested.
    pub(super) fn has_seen_everything(&self) -> bool {
        self.unanswered.is_empty()
            && self.unclear.is_empty()
            && self.person.is_done()
            && self.turns.values().all(|turn| turn.ended)
    }

    /// Returns `true` if another worker took turns over, and the old owner has stopped running all of them.
    pub(super) fn is_taken_over(&self) -> bool {
        !self.take_overs.is_empty() && self.unanswered.is_empty() && self.take_overs.iter().all(|over| over.released)
    }

    /// Returns the number of turns acknowledged before this life whose end the client has not seen.
    pub(super) fn carried(&self, life: usize) -> usize {
        self.turns.values().filter(|turn| turn.since < life && !turn.ended).count()
    }

    fn accepted(&mut self, task: &str, turn: TurnId) -> Option<Command> {
        self.unanswered.remove(task);
        let index = self.orders.iter().position(|order| order.request.task.name == task)?;
        match self.orders[index].turn.replace(turn) {
            None => {
                let task = self.orders[index].request.task.clone();
                let watched = Watched { task, since: self.life, seen: Vec::new(), ended: false };
                Some(self.turns.entry(turn).or_insert(watched).follow(turn))
            }
            Some(before) if before == turn => None,
            Some(before) => {
                self.violation(Check::Key, format!("{task} is turn {before}, and with the same key turn {turn}"));
                None
            }
        }
    }

    fn saw(&mut self, turn: TurnId, cursor: &str, what: Shown) {
        let Ok(cursor) = cursor.parse() else {
            return self.violation(Check::Shown, format!("turn {turn}: {cursor} is not a cursor"));
        };
        let seen = Seen { life: self.life, cursor, what };
        self.with(turn, |watched| watched.seen.push(seen));
    }

    fn with(&mut self, turn: TurnId, change: impl FnOnce(&mut Watched)) {
        if let Some(watched) = self.turns.get_mut(&turn) {
            change(watched);
        }
    }

    fn violation(&mut self, check: Check, found: String) {
        self.violations.push(Violation::new(check, found));
    }
}

impl Watched {
    fn follow(&self, turn: TurnId) -> Command {
        Command::Follow { turn, after: self.seen.last().map(|seen| seen.cursor.to_string()) }
    }
}
