//! The pending interactions of a turn and of the turns below it, as JSON: the data of a `pending` frame.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnkit_core::{InteractionRequest, SessionId, TurnId, Wait, WaitQuestion};

/// The pending interactions of a turn and of the sub-agents' turns below it: the data of a `pending` frame, which is
/// not an event of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PendingEvent")]
pub struct PendingBody {
    /// The followed turn.
    pub turn_id: TurnId,
    /// The interactions that can be decided now; empty once none is left.
    pub interactions: Vec<PendingInteractionBody>,
}

/// A pending interaction of one turn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PendingInteraction")]
pub struct PendingInteractionBody {
    /// The session of the waiting turn.
    pub session_id: SessionId,
    /// The waiting turn: the followed turn or one below it.
    pub turn_id: TurnId,
    /// The interaction to decide.
    #[serde(flatten)]
    pub request: InteractionRequest,
}

impl PendingBody {
    /// Returns the JSON of the pending interactions of `turn` and of the turns below it.
    pub fn new(turn: TurnId, waits: &[Wait]) -> Self {
        Self { turn_id: turn, interactions: waits.iter().cloned().map(PendingInteractionBody::from).collect() }
    }
}

impl From<Wait> for PendingInteractionBody {
    fn from(wait: Wait) -> Self {
        let Wait { id, session, parent: _, kind, question, created_at: _, expires_at, decided: _ } = wait;
        let WaitQuestion { name, arguments, reason, preview, question, grantable: _, child } = question;
        let question = question.map(|question| Box::new(question.without_state()));
        let uid = id.call;
        let request =
            InteractionRequest { id, kind, uid, name, arguments, reason, preview, question, child, expires_at };
        Self { session_id: session, turn_id: uid.turn, request }
    }
}
