//! What a user asks for, and all that must come of it.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnkit_core::{CallUid, ChatRequest, Message, Role, TurnId};

use super::Chore;
use super::chore::{ANSWER, SHOWN};
use crate::Reply;

/// What a user asks for. Every answer of the model follows from it and the step, so that a turn says the same after its
/// process was killed, and what it must have said can be told without it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Tells it from all other tasks.
    pub name: String,
    /// What the model calls, round by round, before it answers.
    pub rounds: Vec<Vec<Chore>>,
    /// How many words each answer has.
    pub words: u16,
    /// How long the model is silent after the first word of each answer, in milliseconds.
    #[serde(default)]
    pub pause_ms: u64,
    /// Whether the user uploads a picture first. Clients of pipes send it with the message.
    #[serde(default)]
    pub picture: bool,
    /// Whether a person is there who can be asked.
    #[serde(default)]
    pub person: bool,
}

impl Task {
    /// The user's message.
    ///
    /// # Errors
    /// Never; the signature leaves room for what serde may refuse.
    pub fn message(&self) -> serde_json::Result<Message> {
        Ok(Message::user(serde_json::to_string(self)?))
    }

    /// The picture that the user uploads: the beginning of a PNG file, and the task's name.
    pub fn picture(&self) -> Option<Vec<u8>> {
        self.picture.then(|| [b"\x89PNG\r\n\x1a\n", self.name.as_bytes()].concat())
    }

    /// The task a message asks for, if it does.
    pub fn of(message: &Message) -> Option<Self> {
        if message.role == Role::User { serde_json::from_str(&message.text()).ok() } else { None }
    }

    /// The task a model is asked to work on: that of the last user message.
    pub fn asked(request: &ChatRequest) -> Option<Self> {
        let messages: Vec<_> = request.history.iter().collect();
        messages.iter().rev().find_map(|entry| Self::of(entry.message()))
    }

    /// How many answers the model gives.
    pub fn steps(&self) -> u16 {
        u16::try_from(self.rounds.len() + 1).unwrap_or(u16::MAX)
    }

    /// What the model calls in `step`, which counts from 1; nothing in the last one.
    pub fn calls(&self, step: u16) -> &[Chore] {
        self.rounds.get(usize::from(step).wrapping_sub(1)).map_or(&[], Vec::as_slice)
    }

    /// Whether what `step` calls changes nothing.
    pub fn only_looks(&self, step: u16) -> bool {
        let calls = self.calls(step);
        !calls.is_empty() && !calls.iter().any(|chore| chore.changes())
    }

    /// What the model says in `step`.
    pub fn said(&self, step: u16) -> String {
        (1..=self.words).fold(format!("{}, step {step}:", self.name), |said, word| format!("{said} word{word}"))
    }

    /// The model's answer in `step`.
    pub fn reply(&self, step: u16) -> Reply {
        let said = self.said(step);
        let mut words = said.split_inclusive(' ');
        let mut reply = words.next().into_iter().fold(Reply::new().usage(10, 5), Reply::say);
        if self.pause_ms > 0 {
            reply = reply.sleep(Duration::from_millis(self.pause_ms));
        }
        reply = words.fold(reply, Reply::say);
        for (ordinal, chore) in (0..).zip(self.calls(step)) {
            reply = reply.call(chore.tool(), arguments(*chore, &self.key(step, ordinal)));
        }
        reply
    }

    /// What the sub-agent does that a call of this place is for.
    pub fn delegated(&self, step: u16, ordinal: u16) -> Self {
        delegated(&self.key(step, ordinal))
    }

    /// What its sub-agents do.
    pub fn below(&self) -> impl Iterator<Item = Self> {
        let of_step = move |step| {
            let calls = (0..).zip(self.calls(step)).filter(|(_, chore)| **chore == Chore::Delegate);
            calls.map(move |(ordinal, _)| self.delegated(step, ordinal))
        };
        (1..=self.steps()).flat_map(of_step)
    }

    /// What the results of the calls of `step` hold if they succeed, in order.
    pub fn results(&self, step: u16) -> impl Iterator<Item = (Chore, String)> {
        (0..).zip(self.calls(step)).map(move |(ordinal, chore)| (*chore, result(*chore, &self.key(step, ordinal))))
    }

    /// The calls that change something, as the turn that makes them names them, and what they change.
    pub fn changes(&self, turn: TurnId) -> impl Iterator<Item = (CallUid, Chore, String)> {
        self.all_results(turn).filter(|(_, chore, _)| chore.changes())
    }

    /// All calls, as the turn that makes them names them, and what their results hold if they succeed.
    pub fn all_results(&self, turn: TurnId) -> impl Iterator<Item = (CallUid, Chore, String)> {
        (1..=self.steps()).flat_map(move |step| {
            let results = (0..).zip(self.results(step));
            results.map(move |(ordinal, (chore, what))| (CallUid { turn, step, ordinal }, chore, what))
        })
    }

    /// Tells a call from all other calls.
    fn key(&self, step: u16, ordinal: u16) -> String {
        format!("{}.{step}.{ordinal}", self.name)
    }
}

fn arguments(chore: Chore, key: &str) -> Value {
    match chore {
        Chore::Pay | Chore::Transfer => json!({ "amount": 5 }),
        Chore::Upsert | Chore::Replace => json!({ "key": key, "value": 7 }),
        Chore::Lookup | Chore::Ask | Chore::Show => json!({ "key": key }),
        Chore::Delegate => json!({ "prompt": json!(delegated(key)).to_string() }),
    }
}

fn result(chore: Chore, key: &str) -> String {
    match chore {
        Chore::Pay => "paid 5".to_owned(),
        Chore::Transfer => "transferred 5".to_owned(),
        Chore::Upsert | Chore::Replace => format!("{key} = 7"),
        Chore::Lookup => format!("value of {key}"),
        Chore::Ask => ANSWER.to_owned(),
        Chore::Show => SHOWN.to_owned(),
        Chore::Delegate => {
            let task = delegated(key);
            task.said(task.steps())
        }
    }
}

/// What the sub-agent of a call does: something that a person is asked about.
fn delegated(key: &str) -> Task {
    let rounds = vec![vec![Chore::Transfer]];
    Task { name: key.to_owned(), rounds, words: 3, pause_ms: 0, picture: false, person: true }
}
