//! An interaction, as clients see it.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnkit_core::{
    Arguments, ChildPlace, ChildReport, Decided, Denial, GrantScope, InteractionDecision, SessionId, Timestamp,
    ToolQuestion, TurnId, Wait, WaitId, WaitKind, WaitQuestion,
};
use utoipa::ToSchema;

/// A call that waits, or waited, for a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InteractionBody {
    /// Its id: that of the call, and a number.
    #[schema(value_type = String)]
    pub id: WaitId,
    /// What is to be decided: `approval`, whether the call runs; `outcome`, what became of a call that was running when the
    /// server died; `question`, what the tool asks; `client_tool`, the result of a tool that the client runs; `child`, which
    /// nobody decides: the call waits for the end of a sub-agent.
    #[schema(value_type = String)]
    pub kind: WaitKind,
    /// The session.
    #[schema(value_type = uuid::Uuid)]
    pub session_id: SessionId,
    /// The turn that waits.
    #[schema(value_type = uuid::Uuid)]
    pub turn_id: TurnId,
    /// The tool.
    pub name: String,
    /// What the model passes, as it wrote it: JSON in a text, if it wrote JSON.
    #[schema(value_type = String)]
    pub arguments: Arguments,
    /// Why the call does not run without a decision.
    pub reason: String,
    /// What the call would do, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// What the tool asks, if it asks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<QuestionBody>,
    /// The turn of the sub-agent that the call waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub child: Option<ChildPlace>,
    /// Since when it waits.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When it counts as denied if it is still undecided.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// How it was decided; `null` while it is pending.
    #[schema(required)]
    pub decided: Option<DecisionBody>,
}

/// A question of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QuestionBody {
    /// The question, as a sentence.
    pub text: String,
    /// Answers to choose from. Others are allowed too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// JSON Schema of the answer; absent: the answer is a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
}

impl From<ToolQuestion> for QuestionBody {
    fn from(question: ToolQuestion) -> Self {
        let ToolQuestion { text, choices, schema, state: _ } = question;
        Self { text, choices, schema }
    }
}

/// How an interaction was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DecisionBody {
    /// `approved` or `denied`; of an outcome `retry`, `done`, `failed` or `denied`; of a question `answered` or `denied`; of a
    /// client's tool `returned`, `returned_error` or `denied`; of a sub-agent `ended`, or `denied` if its call was stopped.
    #[schema(value_type = String)]
    pub decision: Decided,
    /// Who denied it: `person`, or why it counts as denied: `expired`, `superseded`, `cancelled`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub by: Option<Denial>,
    /// What the call runs with, if the person changed it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub arguments: Option<Arguments>,
    /// What the person says to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The answer to the tool's question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
    /// What the client's tool returned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// Which later calls run without approval too: `session`, or `always` for what the call touches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub grant: Option<GrantScope>,
    /// What came of the turn of the sub-agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub child: Option<Box<ChildReport>>,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

impl From<Wait> for InteractionBody {
    fn from(wait: Wait) -> Self {
        let Wait { id, session, kind, question, created_at, expires_at, decided } = wait;
        let WaitQuestion { name, arguments, reason, preview, question, grantable: _, child } = question;
        let question = question.map(|question| (*question).into());
        let decided = decided.map(|(resolution, at)| {
            let InteractionDecision { decision, by, arguments, note, answer, content, shortened: _, grant, child } =
                resolution.into();
            DecisionBody { decision, by, arguments, note, answer, content, grant, child, at }
        });
        let (session_id, turn_id) = (session, id.call.turn);
        Self {
            id,
            kind,
            session_id,
            turn_id,
            name,
            arguments,
            reason,
            preview,
            question,
            child: child.map(|child| *child),
            created_at,
            expires_at,
            decided,
        }
    }
}
