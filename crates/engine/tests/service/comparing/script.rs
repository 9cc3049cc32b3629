//! A session of 200 turns that read files. It is the same in each run.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, ToolDefinition, ToolError, ToolFlags, ToolOutput};
use turnkit_testkit::Reply;

const TURNS: usize = 200;
/// The number of files. Some are read often.
const FILES: u64 = 120;
/// The size above which the other libraries are configured to make room: the default limit of an agent in the model's
/// window.
const LIMIT: u64 = super::WINDOW as u64 * 85 / 100 - 4_096;

const WORDS: &str = "the service reads files from a folder and writes what it finds into tables while users wait for \
    answers about orders that were changed by another process before their transaction had ended so the result must be \
    checked again whenever a version number differs from the one which was stored with it";

/// The messages of the user, the answers of the model, and the results of its tool.
#[derive(Serialize)]
pub(super) struct Script {
    pub(super) instructions: String,
    limit: u64,
    tool: Value,
    /// The reply to each request for a summary.
    pub(super) summary: String,
    pub(super) turns: Vec<Turn>,
}

#[derive(Serialize)]
pub(super) struct Turn {
    pub(super) user: String,
    rounds: Vec<Round>,
    answer: String,
}

/// An answer with calls.
#[derive(Serialize)]
struct Round {
    text: String,
    calls: Vec<Call>,
}

#[derive(Serialize)]
struct Call {
    arguments: Value,
    result: String,
}

impl Script {
    pub(super) fn new() -> Self {
        let mut dice = Dice(7);
        let files: Vec<String> = (0..FILES).map(|_| dice.file()).collect();
        let turns = (0..TURNS).map(|_| {
            let rounds = (0..dice.below(4)).map(|_| {
                let calls = (0..1 + dice.below(2)).map(|_| {
                    let file = dice.below(FILES);
                    let arguments = json!({ "path": format!("src/module_{file}.rs") });
                    Call { arguments, result: files[file as usize].clone() }
                });
                let calls = calls.collect();
                Round { text: dice.text(12), calls }
            });
            let rounds = rounds.collect();
            Turn { user: dice.text(40), rounds, answer: dice.text(150) }
        });
        let turns = turns.collect();
        Self {
            instructions: dice.text(400),
            limit: LIMIT,
            tool: json!({
                "name": "read_file",
                "description": "Reads a file of the project.",
                "parameters": {
                    "type": "object",
                    "properties": { "path": { "type": "string", "description": "The path of the file." } },
                    "required": ["path"],
                },
            }),
            summary: dice.text(250),
            turns,
        }
    }

    /// Returns the answer of the model in a step of a turn.
    pub(super) fn answer(&self, turn: usize, step: u16) -> Reply {
        let turn = &self.turns[turn];
        match turn.rounds.get(usize::from(step) - 1) {
            Some(round) => {
                let reply = Reply::new().say(&round.text);
                round.calls.iter().fold(reply, |reply, call| reply.call("read_file", call.arguments.clone()))
            }
            None => Reply::text(&turn.answer),
        }
    }
}

/// The tool used by a script.
pub(super) struct ReadFile {
    definition: ToolDefinition,
    files: BTreeMap<String, String>,
}

impl ReadFile {
    pub(super) fn of(script: &Script) -> Self {
        let text = |name: &str| script.tool[name].as_str().unwrap();
        let parameters = script.tool["parameters"].to_string();
        let definition = ToolDefinition::new(text("name"), text("description"), &parameters).unwrap();
        let calls = script.turns.iter().flat_map(|turn| &turn.rounds).flat_map(|round| &round.calls);
        let files = calls.map(|call| (call.arguments.to_string(), call.result.clone())).collect();
        Self { definition: definition.with_flags(ToolFlags::read_only()), files }
    }
}

impl Tool for ReadFile {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, arguments: &'a RawJson, _: ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        let content = self.files.get(arguments.get()).map(|content| content.as_str().into());
        let missing = || ToolError::Failed("no such file".to_owned());
        Box::pin(std::future::ready(content.ok_or_else(missing)))
    }
}

/// A pseudo-random generator with the same sequence in each run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    /// Returns a text of at most about `most` words, and at least half as many.
    fn text(&mut self, most: u64) -> String {
        let words: Vec<&str> = WORDS.split_whitespace().collect();
        let count = most / 2 + self.below(most / 2 + 1);
        let chosen: Vec<&str> = (0..count).map(|_| words[self.below(words.len() as u64) as usize]).collect();
        chosen.join(" ")
    }

    /// Returns lines of a program.
    fn file(&mut self) -> String {
        let lines = 5 + self.below(60);
        let line = |number: u64, text: String| format!("    let value_{number} = read(\"{text}\", {number})?;\n");
        (0..lines).map(|number| line(number, self.text(6))).collect()
    }
}
