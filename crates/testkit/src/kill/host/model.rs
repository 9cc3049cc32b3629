//! The host's model: it follows the task in the user's message and records each question.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use turnkit_core::TurnId;
use turnkit_core::ports::CallContext;

use super::trap::Trap;
use crate::ScriptedProvider;
use crate::kill::Task;

/// One question to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Question {
    /// The turn that asks.
    pub turn: TurnId,
    /// The step that asks.
    pub step: u16,
}

impl Question {
    /// Reads the questions in the file at `path`, oldest first.
    ///
    /// # Errors
    /// The file cannot be read, or contains anything else.
    pub fn read(path: &Path) -> io::Result<Vec<Self>> {
        let text = std::fs::read_to_string(path)?;
        text.lines().map(|line| serde_json::from_str(line).map_err(io::Error::from)).collect()
    }

    fn write(self, mut file: &File) -> io::Result<()> {
        let mut line = serde_json::to_vec(&self)?;
        line.push(b'\n');
        file.write_all(&line)
    }
}

/// Creates a model that writes each question to the file at `path` before it answers.
pub(super) fn model(path: &Path, trap: Arc<Trap>) -> io::Result<ScriptedProvider> {
    let questions = OpenOptions::new().create(true).append(true).open(path)?;
    Ok(ScriptedProvider::answering(move |request, &CallContext { turn, step, .. }| {
        Question { turn, step }.write(&questions).ok()?;
        trap.pass("model.asked");
        Some(Task::asked(request)?.reply(step))
    }))
}
