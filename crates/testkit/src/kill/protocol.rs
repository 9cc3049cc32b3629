//! The protocol between client and host: one JSON object per line.

use serde::{Deserialize, Serialize};
use turnkit_core::{EventKind, Resolution, TurnId, WaitId, WaitKind};

use super::Task;

/// A command of the client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// Start a turn.
    Accept(Request),
    /// Follow a turn.
    Follow {
        /// The turn to follow.
        turn: TurnId,
        /// The cursor of the last event that the client has seen.
        #[serde(default)]
        after: Option<String>,
    },
    /// List the waits that people are to decide.
    List,
    /// List the sub-agents that a turn has or had.
    Children {
        /// The parent turn.
        turn: TurnId,
    },
    /// Decide a wait of a turn.
    Decide {
        /// The wait to decide.
        wait: WaitId,
        /// The decision.
        resolution: Resolution,
    },
    /// Finish the running turns, then exit.
    Quit,
}

/// A wait of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TurnWait {
    /// The id of the wait.
    pub id: WaitId,
    /// The kind of the wait, which says who decides it.
    pub kind: WaitKind,
    /// The turn of the sub-agent, if the wait is for one.
    #[serde(default)]
    pub child: Option<TurnId>,
}

/// A request with a user's task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The name of the session.
    pub session: String,
    /// The idempotency key.
    #[serde(default)]
    pub key: Option<String>,
    /// The task in the message.
    pub task: Task,
}

/// A line that the host sends to its client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Line {
    /// The host serves requests.
    Listening {
        /// The address it listens on.
        address: String,
    },
    /// The turn is stored.
    Accepted {
        /// The name of its task.
        task: String,
        /// The turn.
        turn: TurnId,
    },
    /// The turn was refused, and is not stored.
    Refused {
        /// The name of its task.
        task: String,
        /// The reason.
        why: String,
    },
    /// An event of a turn.
    Event {
        /// The turn.
        turn: TurnId,
        /// The cursor of the event.
        cursor: String,
        /// The kind of event.
        name: String,
        /// The step that the event belongs to, if any.
        #[serde(default)]
        step: Option<u16>,
        /// The wait that the event announces, if any.
        #[serde(default)]
        wait: Option<TurnWait>,
        /// The whole event except its time, in the form of [`content`].
        content: String,
    },
    /// A snapshot of a turn, because exact resume was impossible.
    Resync {
        /// The turn.
        turn: TurnId,
        /// The cursor of the last event in the snapshot.
        cursor: String,
        /// The whole snapshot, in the form of [`content`].
        content: String,
    },
    /// The turn has ended, and nothing follows.
    Ended {
        /// The turn.
        turn: TurnId,
    },
    /// The turn cannot be followed at the moment.
    Lost {
        /// The turn.
        turn: TurnId,
        /// The reason.
        why: String,
    },
    /// The waits that people are to decide now.
    List {
        /// All pending waits.
        waits: Vec<TurnWait>,
    },
    /// The sub-agents of a turn.
    Children {
        /// The parent turn.
        turn: TurnId,
        /// All waits of the turn, decided or not.
        waits: Vec<TurnWait>,
    },
    /// A decision was acknowledged or refused.
    Decided {
        /// The wait.
        wait: WaitId,
        /// The reason if the decision was refused.
        #[serde(default)]
        refused: Option<String>,
    },
    /// Another worker has taken a turn over from its owner, which is alive and unaware of it.
    TakenOver {
        /// The turn.
        turn: TurnId,
        /// The fence of the other worker.
        fence: u32,
        /// The number of the last stored event.
        seq: u32,
    },
    /// The old owner of a turn that was taken over has stopped running it.
    Released {
        /// The turn.
        turn: TurnId,
    },
    /// The host failed.
    Failed {
        /// The reason.
        why: String,
    },
}

impl Line {
    /// Creates the line for an event of a turn.
    pub fn event(turn: TurnId, cursor: String, kind: &EventKind) -> Self {
        Self::Event {
            turn,
            cursor,
            name: kind.name().to_owned(),
            step: step(kind),
            wait: wait(kind),
            content: content(kind),
        }
    }
}

fn wait(kind: &EventKind) -> Option<TurnWait> {
    let EventKind::InteractionRequested { request } = kind else { return None };
    let child = request.child.as_ref().map(|child| child.turn);
    Some(TurnWait { id: request.id, kind: request.kind, child })
}

/// Returns the complete content of a value as text, to compare it with what another process saw.
pub fn content(value: &impl std::fmt::Debug) -> String {
    format!("{value:?}")
}

fn step(kind: &EventKind) -> Option<u16> {
    match kind {
        EventKind::StepStarted { step, .. } | EventKind::StepEnded { step, .. } => Some(*step),
        EventKind::PartStarted { id, .. } | EventKind::PartDelta { id, .. } | EventKind::PartEnded { id, .. } => {
            Some(id.step)
        }
        EventKind::ToolStarted { uid, .. } | EventKind::ToolFinished { uid, .. } | EventKind::Data { uid, .. } => {
            Some(uid.step)
        }
        _ => None,
    }
}
