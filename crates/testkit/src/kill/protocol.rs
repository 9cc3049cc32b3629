//! What client and host say to each other: one JSON object a line.

use serde::{Deserialize, Serialize};
use turnkit_core::{EventKind, Resolution, TurnId, WaitId, WaitKind};

use super::Task;

/// What a client asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum Command {
    /// Start a turn.
    Accept(Request),
    /// Show a turn.
    Follow {
        /// Which.
        turn: TurnId,
        /// The last event that was seen, as its cursor.
        #[serde(default)]
        after: Option<String>,
    },
    /// Say what is to be decided.
    List,
    /// Say what sub-agents a turn has or had.
    Children {
        /// Which turn.
        turn: TurnId,
    },
    /// Decide what a turn waits for.
    Decide {
        /// What.
        wait: WaitId,
        /// How.
        resolution: Resolution,
    },
    /// Finish what runs and end.
    Quit,
}

/// Something that a turn waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asked {
    /// Its identity.
    pub wait: WaitId,
    /// Who decides, and about what.
    pub kind: WaitKind,
    /// The turn of the sub-agent, if it waits for one.
    #[serde(default)]
    pub child: Option<TurnId>,
}

/// A user's input.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Request {
    /// The name of the session.
    pub session: String,
    /// The idempotency key.
    #[serde(default)]
    pub key: Option<String>,
    /// The message.
    pub task: Task,
}

/// What a client is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Line {
    /// The host answers requests.
    Listening {
        /// Where.
        address: String,
    },
    /// The turn is stored.
    Accepted {
        /// The name of its task.
        task: String,
        /// The turn.
        turn: TurnId,
    },
    /// The turn is not stored.
    Refused {
        /// The name of its task.
        task: String,
        /// Why.
        why: String,
    },
    /// Something happened in a turn.
    Event {
        /// The turn.
        turn: TurnId,
        /// Which event.
        cursor: String,
        /// What kind.
        name: String,
        /// The step it belongs to, if it belongs to one.
        #[serde(default)]
        step: Option<u16>,
        /// What the turn waits for, if the event says that.
        #[serde(default)]
        asked: Option<Asked>,
        /// All of it but its time, in the form of [`content`].
        content: String,
    },
    /// A turn as it stands: exact resume was impossible.
    Resync {
        /// The turn.
        turn: TurnId,
        /// The last event in it.
        cursor: String,
        /// All of it, in the form of [`content`].
        content: String,
    },
    /// Nothing follows in this turn.
    Ended {
        /// The turn.
        turn: TurnId,
    },
    /// The turn cannot be followed at the moment.
    Lost {
        /// The turn.
        turn: TurnId,
        /// Why.
        why: String,
    },
    /// What people are to decide now.
    List {
        /// All of it.
        waits: Vec<Asked>,
    },
    /// The sub-agents of a turn.
    Children {
        /// The turn.
        turn: TurnId,
        /// What it waits or waited for.
        waits: Vec<Asked>,
    },
    /// A decision was answered.
    Decided {
        /// What was to be decided.
        wait: WaitId,
        /// Why the decision does not count, if it does not.
        #[serde(default)]
        refused: Option<String>,
    },
    /// Another worker has taken a turn over from its owner, who lives and does not know.
    TakenOver {
        /// The turn.
        turn: TurnId,
        /// The other worker's fence.
        fence: u32,
        /// The last stored event.
        seq: u32,
    },
    /// The old owner of a turn that was taken over has stopped.
    LetGo {
        /// The turn.
        turn: TurnId,
    },
    /// The host cannot do what it is for.
    Failed {
        /// Why.
        why: String,
    },
}

impl Line {
    /// What happened in a turn, and which event it was.
    pub fn event(turn: TurnId, cursor: String, kind: &EventKind) -> Self {
        Self::Event {
            turn,
            cursor,
            name: kind.name().to_owned(),
            step: step(kind),
            asked: asked(kind),
            content: content(kind),
        }
    }
}

fn asked(kind: &EventKind) -> Option<Asked> {
    let EventKind::InteractionRequested { request } = kind else { return None };
    let child = request.child.as_ref().map(|child| child.turn);
    Some(Asked { wait: request.id, kind: request.kind, child })
}

/// All that a value holds, to be compared with what another process saw.
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
