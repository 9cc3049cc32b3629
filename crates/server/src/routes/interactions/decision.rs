//! The JSON of a decision on an interaction, as clients send it.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use turnkit_core::{Arguments, GrantScope, KnownOutcome, Resolution, json_contains_nul};
use utoipa::ToSchema;

use crate::error::ApiError;
use crate::json::text::{check_without_nul, invalid, optional_without_nul};

/// The longest note, in bytes.
const NOTE_BYTES: usize = 4096;
/// The error for a request without a decision.
const MISSING: &str = "missing";

/// A client's decision.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DecisionRequest {
    /// For an approval: whether the call runs. `approve_session` also allows later calls of the tool in the session;
    /// `approve_always` also allows calls with the same subject, in all sessions of the user. `deny` means, for
    /// an outcome, that the outcome stays unknown; for a question, that the person does not answer; for a client's
    /// tool, that the client did not run it.
    #[schema(inline)]
    decision: Option<Choice>,
    /// For an outcome: the result of the call.
    #[schema(inline)]
    outcome: Option<KnownOutcomeBody>,
    /// The arguments that replace the model's, if the call is approved.
    #[serde(default, deserialize_with = "read_arguments")]
    #[schema(value_type = Option<Object>)]
    arguments: Option<Arguments>,
    /// For a question: the answer, in the form of the question's schema or, without a schema, as text. `null` is an
    /// answer if the schema allows it.
    #[serde(default, deserialize_with = "read_json")]
    #[schema(value_type = Option<Value>)]
    answer: Option<Value>,
    /// For a client's tool: the returned value. The model reads a text unchanged, and any other value as JSON, also
    /// `null`.
    #[serde(default, deserialize_with = "read_json")]
    #[schema(value_type = Option<Value>)]
    result: Option<Value>,
    /// For a client's tool: why it failed.
    #[serde(default, deserialize_with = "optional_without_nul")]
    error: Option<String>,
    /// A note for the model.
    #[serde(default, deserialize_with = "read_note")]
    #[schema(max_length = 4096)]
    note: Option<String>,
}

/// Whether a call may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Choice {
    Approve,
    ApproveSession,
    ApproveAlways,
    Deny,
}

impl Choice {
    /// Returns the grant for later calls.
    fn grant(self) -> Option<GrantScope> {
        match self {
            Self::ApproveSession => Some(GrantScope::Session),
            Self::ApproveAlways => Some(GrantScope::Always),
            Self::Approve | Self::Deny => None,
        }
    }
}

/// The known outcome of a call: it is to run again, it took effect, or it had no effect.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum KnownOutcomeBody {
    Retry,
    Done,
    Failed,
}

impl DecisionRequest {
    /// Returns the decision, if the request contains exactly one.
    pub(super) fn resolution(self) -> Result<Resolution, ApiError> {
        self.check()?;
        let Self { decision, outcome, arguments, answer, result, error, note } = self;
        let returned = result.map(|result| if let Value::String(text) = result { text } else { result.to_string() });
        let returned = returned.map(|content| Resolution::returned(true, content));
        let failed = error.map(|content| Resolution::returned(false, content));
        let answered = answer.map(|answer| Resolution::Answered { answer });
        if let Some(resolution) = answered.or(returned).or(failed) {
            return Ok(resolution);
        }
        match (decision, outcome) {
            (Some(Choice::Deny), _) => Ok(Resolution::denied(note)),
            (Some(choice), _) => Ok(Resolution::Approved { arguments, note, grant: choice.grant() }),
            (None, Some(outcome)) => Ok(Resolution::Outcome { outcome: outcome.into(), note }),
            (None, None) => Err(ApiError::field("decision", MISSING)),
        }
    }

    /// Checks that the request contains exactly one kind of decision, and only fields that belong to it.
    fn check(&self) -> Result<(), ApiError> {
        let given = [
            ("decision", self.decision.is_some()),
            ("outcome", self.outcome.is_some()),
            ("answer", self.answer.is_some()),
            ("result", self.result.is_some()),
            ("error", self.error.is_some()),
        ];
        let mut given = given.into_iter().filter(|(_, is_given)| *is_given).map(|(name, _)| name);
        let first = given.next().ok_or_else(|| ApiError::field("decision", MISSING))?;
        if let Some(second) = given.next() {
            return Err(ApiError::field(second, format!("give {first} or {second}, not both")));
        }
        if self.arguments.is_some() && matches!(self.decision, None | Some(Choice::Deny)) {
            return Err(ApiError::field("arguments", "arguments can only be replaced when the call is approved"));
        }
        if self.note.is_some() && !matches!(first, "decision" | "outcome") {
            return Err(ApiError::field("note", "only a decision or an outcome has a note"));
        }
        Ok(())
    }
}

impl From<KnownOutcomeBody> for KnownOutcome {
    fn from(body: KnownOutcomeBody) -> Self {
        match body {
            KnownOutcomeBody::Retry => Self::Retry,
            KnownOutcomeBody::Done => Self::Done,
            KnownOutcomeBody::Failed => Self::Failed,
        }
    }
}

/// Reads arguments exactly as sent. They must be an object.
fn read_arguments<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Arguments>, D::Error> {
    let Some(sent) = Option::<&'de [u8]>::deserialize(deserializer)? else { return Ok(None) };
    let _: Map<String, Value> = serde_json::from_slice(sent).map_err(|_| invalid("must be an object"))?;
    let text = std::str::from_utf8(sent).map_err(|_| invalid("must be an object"))?;
    Ok(Some(Arguments(text.to_owned())))
}

fn read_note<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let Some(note) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    if note.len() > NOTE_BYTES {
        return Err(invalid(&format!("must be at most {NOTE_BYTES} bytes")));
    }
    // A blank note counts as absent.
    Ok(Some(check_without_nul(note)?).filter(|note| !note.trim().is_empty()))
}

/// Reads any JSON value without NUL characters. An explicit `null` is a value, too.
fn read_json<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    let sent = <&'de [u8]>::deserialize(deserializer)?;
    let value: Value = serde_json::from_slice(sent).map_err(|_| invalid("cannot be read"))?;
    if json_contains_nul(&value) { Err(invalid("contains a NUL character")) } else { Ok(Some(value)) }
}
