//! The JSON of an interaction.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use turnkit_core::{
    Arguments, ChildId, ChildReport, Denial, GrantScope, InteractionResolution, ResolutionKind, SessionId, Timestamp,
    ToolQuestion, TurnId, Wait, WaitId, WaitKind, WaitQuestion,
};
use utoipa::ToSchema;

/// A tool call that waits, or waited, for a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InteractionBody {
    /// The id of the interaction: the call's id and a number.
    #[schema(value_type = String)]
    pub id: WaitId,
    /// The kind of decision. `approval`: whether the call runs. `outcome`: the result of a call that was running when
    /// the server died. `question`: the answer to the tool's question. `client_tool`: the result of a tool that the
    /// client runs. `child`: none, because the call waits for the end of a sub-agent.
    #[schema(value_type = String)]
    pub kind: WaitKind,
    /// The session.
    #[schema(value_type = uuid::Uuid)]
    pub session_id: SessionId,
    /// The waiting turn.
    #[schema(value_type = uuid::Uuid)]
    pub turn_id: TurnId,
    /// The parent turn, if the waiting turn is that of a sub-agent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<uuid::Uuid>)]
    pub parent_turn_id: Option<TurnId>,
    /// The name of the tool.
    pub name: String,
    /// The arguments exactly as the model wrote them: JSON in a string, if the model wrote JSON.
    #[schema(value_type = String)]
    pub arguments: Arguments,
    /// Why the call needs a decision before it can run.
    pub reason: String,
    /// A description of the call's effect, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// The tool's question, if the tool asks one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<QuestionBody>,
    /// The turn of the sub-agent that the call waits for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub child: Option<ChildId>,
    /// When the interaction was created.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// When the interaction counts as denied if it is still undecided.
    #[schema(value_type = String, format = DateTime)]
    pub expires_at: Timestamp,
    /// The decision; `null` while the interaction is pending.
    #[schema(required)]
    pub decided: Option<ResolutionBody>,
}

/// A question of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QuestionBody {
    /// The question, as a sentence.
    pub text: String,
    /// Suggested answers. Other answers are accepted, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<String>,
    /// The JSON Schema of the answer. If absent, the answer is a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
}

impl From<ToolQuestion> for QuestionBody {
    fn from(question: ToolQuestion) -> Self {
        let ToolQuestion { text, choices, schema, state: _ } = question;
        Self { text, choices, schema }
    }
}

/// The decision on an interaction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = DecisionBody)]
pub struct ResolutionBody {
    /// `approved` or `denied`. For an outcome: `retry`, `done`, `failed` or `denied`. For a question: `answered` or
    /// `denied`. For a client's tool: `returned`, `returned_error` or `denied`. For a sub-agent: `ended`, or `denied`
    /// if its call was stopped.
    #[schema(value_type = String)]
    pub decision: ResolutionKind,
    /// The source of a denial: `person`, or the reason why it counts as denied: `expired`, `superseded`, `cancelled` or
    /// `headless` (no person could be asked).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub by: Option<Denial>,
    /// The arguments with which the call runs, if the person changed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub arguments: Option<Arguments>,
    /// The person's note to the model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The answer to the tool's question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Value>,
    /// The result of the client's tool.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The grant for later calls: `session`, or `always` for the subject that the call touches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub grant: Option<GrantScope>,
    /// The result of the sub-agent's turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub child: Option<Box<ChildReport>>,
    /// When the decision was made.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
}

impl InteractionBody {
    /// Returns the error message for a decision that differs from the one that was made before. Names that one, and its
    /// time.
    pub fn already_decided(&self) -> String {
        const DIFFERENT: &str = "the interaction already has a different decision";
        let Some(ResolutionBody { decision, at, .. }) = &self.decided else { return DIFFERENT.to_owned() };
        let name = decision.as_str();
        match decision {
            ResolutionKind::Approved | ResolutionKind::Denied | ResolutionKind::Answered => {
                format!("{DIFFERENT}: it was {name} at {at}")
            }
            _ => format!("{DIFFERENT}: it was decided as `{name}` at {at}"),
        }
    }
}

impl From<Wait> for InteractionBody {
    fn from(wait: Wait) -> Self {
        let Wait { id, session, parent, kind, question, created_at, expires_at, decided } = wait;
        let WaitQuestion { name, arguments, reason, preview, question, grantable: _, child } = question;
        let question = question.map(|question| (*question).into());
        let decided = decided.map(|(resolution, at)| {
            let InteractionResolution { decision, by, arguments, note, answer, content, shortened: _, grant, child } =
                resolution.into();
            ResolutionBody { decision, by, arguments, note, answer, content, grant, child, at }
        });
        let (session_id, turn_id) = (session, id.call.turn);
        Self {
            id,
            kind,
            session_id,
            turn_id,
            parent_turn_id: parent,
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
