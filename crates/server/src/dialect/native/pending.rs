//! What a turn and the turns below it wait for, as JSON: the data of a `pending` frame.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use turnkit_core::{InteractionRequest, SessionId, TurnId, Wait, WaitQuestion};

/// What a turn and those of sub-agents below it wait for: the data of a `pending` frame, which is no event of the log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PendingEvent")]
pub struct PendingJson {
    /// The turn that is followed.
    pub turn_id: TurnId,
    /// What can be decided now; empty once nothing can.
    pub interactions: Vec<PendingInteractionJson>,
}

/// What one turn waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "PendingInteraction")]
pub struct PendingInteractionJson {
    /// The session of the turn that waits.
    pub session_id: SessionId,
    /// The turn that waits: the one that is followed, or one below it.
    pub turn_id: TurnId,
    /// What is to be decided.
    #[serde(flatten)]
    pub request: InteractionRequest,
}

impl PendingJson {
    /// The JSON of what `turn` and those below it wait for.
    pub fn of(turn: TurnId, waits: &[Wait]) -> Self {
        Self { turn_id: turn, interactions: waits.iter().cloned().map(PendingInteractionJson::from).collect() }
    }
}

impl From<Wait> for PendingInteractionJson {
    fn from(wait: Wait) -> Self {
        let Wait { id, session, kind, question, created_at: _, expires_at, decided: _ } = wait;
        let WaitQuestion { name, arguments, reason, preview, question, grantable: _, child } = question;
        let question = question.map(|question| Box::new(question.without_state()));
        let uid = id.call;
        let request =
            InteractionRequest { id, kind, uid, name, arguments, reason, preview, question, child, expires_at };
        Self { session_id: session, turn_id: uid.turn, request }
    }
}
