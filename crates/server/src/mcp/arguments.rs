//! The parameters of `tools/call`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use turnkit_core::SessionName;

use crate::error::ApiError;
use crate::json::{self, text};

/// The parameters of a call, without its arguments.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CallParams {
    /// The tool.
    pub(super) name: String,
    /// The state of the call that this one continues.
    pub(super) request_state: Option<String>,
    /// The answers to the questions of the call that this one continues.
    #[serde(default)]
    pub(super) input_responses: BTreeMap<String, InputResponse>,
}

/// The answer of a client's user to a question.
#[derive(Deserialize)]
pub(super) struct InputResponse {
    pub(super) action: InputAction,
    /// The content of the form, if the user sent it.
    pub(super) content: Option<Value>,
}

/// What the user did with a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum InputAction {
    /// Sent it.
    Accept,
    /// Declined to answer.
    Decline,
    /// Closed it.
    Cancel,
}

/// The arguments of a call.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    #[serde(deserialize_with = "text::not_blank")]
    pub(super) message: String,
    /// The name or the id of the session to continue.
    #[serde(default, deserialize_with = "text::optional_session_name")]
    pub(super) session: Option<SessionName>,
}

#[derive(Deserialize)]
struct WithParams<T> {
    params: T,
}

#[derive(Deserialize)]
struct WithArguments {
    arguments: Arguments,
}

/// Reads the parameters of a call from the body of its request.
pub(super) fn params(body: &[u8]) -> Result<CallParams, ApiError> {
    json::read(body).map(|WithParams { params }| params)
}

/// Reads the arguments of a call from the body of its request.
pub(super) fn arguments(body: &[u8]) -> Result<Arguments, ApiError> {
    json::read(body).map(|WithParams { params: WithArguments { arguments } }| arguments)
}
