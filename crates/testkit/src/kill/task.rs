//! A user's task, and its expected outcome.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use turnkit_core::{CallUid, ChatRequest, Message, Role, TurnId};

use super::HostTool;
use super::host_tool::{ANSWER, SHOWN};
use crate::Reply;

/// A user's task. Every answer of the model is determined by the task and the step. A turn therefore produces the same
/// answers after its process was killed, and the expected answers are known in advance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// A name unlike that of any other task.
    pub name: String,
    /// The calls of the model before its final answer, round by round.
    pub rounds: Vec<Vec<HostTool>>,
    /// The number of words of each answer.
    pub words: u16,
    /// How long the model is silent after the first word of each answer, in milliseconds.
    #[serde(default)]
    pub pause_ms: u64,
    /// Whether the user uploads a picture first. Clients over pipes send it with the message.
    #[serde(default)]
    pub picture: bool,
    /// Whether the turn has a person who can be asked.
    #[serde(default)]
    pub person: bool,
}

impl Task {
    /// Creates the user's message.
    ///
    /// # Errors
    /// Never; the signature leaves room for what serde may refuse.
    pub fn message(&self) -> serde_json::Result<Message> {
        Ok(Message::user(serde_json::to_string(self)?))
    }

    /// Returns the picture that the user uploads: the signature of a PNG file, followed by the task's name.
    pub fn picture(&self) -> Option<Vec<u8>> {
        self.picture.then(|| [b"\x89PNG\r\n\x1a\n", self.name.as_bytes()].concat())
    }

    /// Parses the task in a message, if it contains one.
    pub fn from_message(message: &Message) -> Option<Self> {
        if message.role == Role::User { serde_json::from_str(&message.text()).ok() } else { None }
    }

    /// Returns the task that a model is asked to do: the one in the last user message.
    pub fn asked(request: &ChatRequest) -> Option<Self> {
        let messages: Vec<_> = request.history.iter().collect();
        messages.iter().rev().find_map(|entry| Self::from_message(entry.message()))
    }

    /// Returns the number of answers of the model.
    pub fn steps(&self) -> u16 {
        u16::try_from(self.rounds.len() + 1).unwrap_or(u16::MAX)
    }

    /// Returns the calls of the model in `step`, which counts from 1. The last step has none.
    pub fn calls(&self, step: u16) -> &[HostTool] {
        self.rounds.get(usize::from(step).wrapping_sub(1)).map_or(&[], Vec::as_slice)
    }

    /// Returns `true` if `step` has calls and none of them changes anything.
    pub fn only_looks(&self, step: u16) -> bool {
        let calls = self.calls(step);
        !calls.is_empty() && !calls.iter().any(|tool| tool.changes())
    }

    /// Returns the text of the model's answer in `step`.
    pub fn said(&self, step: u16) -> String {
        (1..=self.words).fold(format!("{}, step {step}:", self.name), |said, word| format!("{said} word{word}"))
    }

    /// Returns the model's complete answer in `step`, with its calls.
    pub fn reply(&self, step: u16) -> Reply {
        let said = self.said(step);
        let mut words = said.split_inclusive(' ');
        let mut reply = words.next().into_iter().fold(Reply::new().usage(10, 5), Reply::say);
        if self.pause_ms > 0 {
            reply = reply.sleep(Duration::from_millis(self.pause_ms));
        }
        reply = words.fold(reply, Reply::say);
        for (ordinal, tool) in (0..).zip(self.calls(step)) {
            reply = reply.call(tool.name(), arguments(*tool, &self.key(step, ordinal)));
        }
        reply
    }

    /// Returns the task of the sub-agent started by the call at this place.
    pub fn delegated(&self, step: u16, ordinal: u16) -> Self {
        delegated(&self.key(step, ordinal))
    }

    /// Returns the tasks of all sub-agents.
    pub fn below(&self) -> impl Iterator<Item = Self> {
        let of_step = move |step| {
            let calls = (0..).zip(self.calls(step)).filter(|(_, tool)| **tool == HostTool::Delegate);
            calls.map(move |(ordinal, _)| self.delegated(step, ordinal))
        };
        (1..=self.steps()).flat_map(of_step)
    }

    /// Returns the calls of `step`, in order, with the contents of their results if they succeed.
    pub fn results(&self, step: u16) -> impl Iterator<Item = (HostTool, String)> {
        (0..).zip(self.calls(step)).map(move |(ordinal, tool)| (*tool, result(*tool, &self.key(step, ordinal))))
    }

    /// Returns the calls of `turn` that change something, with their ids and the contents of their results.
    pub fn changes(&self, turn: TurnId) -> impl Iterator<Item = (CallUid, HostTool, String)> {
        self.all_results(turn).filter(|(_, tool, _)| tool.changes())
    }

    /// Returns all calls of `turn`, with their ids and the contents of their results if they succeed.
    pub fn all_results(&self, turn: TurnId) -> impl Iterator<Item = (CallUid, HostTool, String)> {
        (1..=self.steps()).flat_map(move |step| {
            let results = (0..).zip(self.results(step));
            results.map(move |(ordinal, (tool, what))| (CallUid { turn, step, ordinal }, tool, what))
        })
    }

    /// Returns a key unlike that of any other call.
    fn key(&self, step: u16, ordinal: u16) -> String {
        format!("{}.{step}.{ordinal}", self.name)
    }
}

fn arguments(tool: HostTool, key: &str) -> Value {
    match tool {
        HostTool::Pay | HostTool::Transfer => json!({ "amount": 5 }),
        HostTool::Upsert | HostTool::Replace => json!({ "key": key, "value": 7 }),
        HostTool::Lookup | HostTool::Ask | HostTool::Show => json!({ "key": key }),
        HostTool::Delegate => json!({ "prompt": json!(delegated(key)).to_string() }),
    }
}

fn result(tool: HostTool, key: &str) -> String {
    match tool {
        HostTool::Pay => "paid 5".to_owned(),
        HostTool::Transfer => "transferred 5".to_owned(),
        HostTool::Upsert | HostTool::Replace => format!("{key} = 7"),
        HostTool::Lookup => format!("value of {key}"),
        HostTool::Ask => ANSWER.to_owned(),
        HostTool::Show => SHOWN.to_owned(),
        HostTool::Delegate => {
            let task = delegated(key);
            task.said(task.steps())
        }
    }
}

/// Returns the task of a call's sub-agent: a call that needs the person's approval.
fn delegated(key: &str) -> Task {
    let rounds = vec![vec![HostTool::Transfer]];
    Task { name: key.to_owned(), rounds, words: 3, pause_ms: 0, picture: false, person: true }
}
