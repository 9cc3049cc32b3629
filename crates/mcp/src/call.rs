//! Calls of a server's tools. A call that may not run twice is sent once, whatever happens to its answer.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, JsonObject, ServerResult};
use tokio::time::{Instant, sleep};
use turnkit_core::ports::ToolContext;
use turnkit_core::{ToolError, ToolOutput};
use turnkit_net::timeout;

use crate::content;
use crate::dispatch::Dispatch;
use crate::failure::RequestFailure;
use crate::input_required::{Needed, needed, with_answer};
use crate::link::Link;
use crate::request;
use crate::text::seconds;

/// The time before a server is called again at its request.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// A call of a server's tool.
pub(crate) struct Call<'a> {
    pub(crate) link: &'a Arc<Link>,
    /// The name of the tool, as the server knows it.
    pub(crate) tool: &'a str,
    /// Whether the call may run twice.
    pub(crate) may_repeat: bool,
    /// Whether the call changes nothing, so that it does not matter whether it ran.
    pub(crate) reads_only: bool,
    pub(crate) context: ToolContext<'a>,
}

impl Call<'_> {
    /// Runs the call. As long as its time limit is not over, a server may ask to be called again later.
    ///
    /// # Errors
    /// The call failed, its outcome is unknown, or the server needs an answer of a person first.
    pub(crate) async fn run(&self, arguments: JsonObject) -> Result<ToolOutput, ToolError> {
        let first = CallToolRequestParams::new(self.tool.to_owned()).with_arguments(arguments);
        let mut params = match self.context.answer {
            Some(answer) => with_answer(first.clone(), answer)?,
            None => first.clone(),
        };
        let (server, secrets) = (self.link.settings().name(), self.link.secrets());
        let (begun, mut doubt) = (Instant::now(), None);
        loop {
            let state = match self.result(&params, &mut doubt).await? {
                ServerResult::CallToolResult(result) => return content::output(result, secrets),
                ServerResult::EmptyResult(_) | ServerResult::TaskAckResult(_) => return Ok(ToolOutput::default()),
                ServerResult::InputRequiredResult(result) => match needed(server, secrets, result)? {
                    Needed::Answer(question) => return Err(ToolError::NeedsAnswer(question)),
                    Needed::Retry(state) => {
                        doubt.get_or_insert_with(|| "the server had begun with the call".to_owned());
                        state
                    }
                },
                _ => return Err(self.unknown("the server returned an unexpected result")),
            };
            if begun.elapsed() + RETRY_DELAY > self.link.settings().timeout {
                return Err(self.unknown("the server did not finish the call within its time limit"));
            }
            sleep(RETRY_DELAY).await;
            params = first.clone().with_request_state(state);
        }
    }

    /// Sends the request, and once more if its outcome is unknown and it may run twice. `doubt` is the reason why an
    /// earlier request of the call may have had an effect: a later one without effect does not disprove it.
    async fn result(
        &self,
        params: &CallToolRequestParams,
        doubt: &mut Option<String>,
    ) -> Result<ServerResult, ToolError> {
        let mut sent = self.attempt(params).await;
        if self.may_repeat
            && let Err(RequestFailure::Unknown { why, .. }) = &sent
        {
            doubt.get_or_insert_with(|| why.clone());
            sent = self.attempt(params).await;
        }
        sent.map_err(|failure| match (failure, doubt) {
            (RequestFailure::WithoutEffect { .. }, Some(why)) => self.unknown(why),
            (RequestFailure::WithoutEffect { why, .. }, None) => {
                ToolError::Failed(format!("the call did not run: {why}"))
            }
            (RequestFailure::Answered(error), _) => error,
            (RequestFailure::Unclear(why), None) if self.may_repeat => ToolError::Failed(why),
            (RequestFailure::Unclear(why), _) => self.unknown(&why),
            (RequestFailure::Unknown { why, .. }, _) => self.unknown(&why),
        })
    }

    async fn attempt(&self, params: &CallToolRequestParams) -> Result<ServerResult, RequestFailure> {
        let connection = self.link.connection().await;
        let refused = |why: String| RequestFailure::WithoutEffect { why, is_lost: false, lacks_token: false };
        let connection = connection.map_err(|unavailable| refused(unavailable.to_string()))?;
        self.link.wait_for_token().await?;
        let (limit, dispatch) = (self.link.settings().timeout, Dispatch::default());
        let call = request::call(&connection, params.clone(), &dispatch, self.context.progress);
        let sent = timeout(limit, call).await.unwrap_or_else(|_| Err(late(limit, &dispatch)));
        if sent.as_ref().is_err_and(RequestFailure::is_lost) {
            self.link.lost(&connection);
        }
        sent
    }

    /// Returns the error of a call that the server may have run.
    fn unknown(&self, why: &str) -> ToolError {
        if self.reads_only {
            return ToolError::Failed(why.to_owned());
        }
        let server = self.link.settings().name();
        let (tool, why) = (self.link.secrets().removed(self.tool), self.link.secrets().removed(why));
        tracing::warn!(server, tool = &*tool, reason = &*why, "the outcome of a call is unknown");
        ToolError::OutcomeUnknown { reason: Some(why.into_owned()) }
    }
}

/// Returns the failure of a request without an answer within this time. A server that refuses the first access token
/// leaves the request to wait for another one.
fn late(limit: Duration, dispatch: &Dispatch) -> RequestFailure {
    let limit = seconds(limit);
    match dispatch.give_up() {
        true => {
            let why = format!("there was no access token that the server accepts within {limit}");
            RequestFailure::WithoutEffect { why, is_lost: false, lacks_token: true }
        }
        false => RequestFailure::Unknown { why: format!("there was no answer within {limit}"), is_lost: false },
    }
}
