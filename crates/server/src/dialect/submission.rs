//! A submitted turn, independent of the protocol.

use turnkit_core::{
    BlobId, BranchPoint, BusyPolicy, Message, SamplingParams, SessionKey, ToolDefinition, ToolUse, TurnRoute,
};
use turnkit_engine::ContextPaths;

/// A turn that a client submits. Each option of a protocol is a field; `start.rs` passes the fields to the engine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TurnSubmission {
    pub(crate) session: SessionKey,
    /// The agent. If `None`, the agent with which the session was created.
    pub(crate) agent: Option<String>,
    /// Constraints on the provider and model, if the client gives any.
    pub(crate) route: Option<TurnRoute>,
    /// Sampling settings of this turn.
    pub(crate) params: SamplingParams,
    /// Whether this turn may use tools. If `None`, the session's setting applies.
    pub(crate) tools: Option<ToolUse>,
    /// Tools that the client runs itself.
    pub(crate) client_tools: Vec<ToolDefinition>,
    /// The mode of this turn. If `None`, the session's mode applies.
    pub(crate) mode: Option<Box<str>>,
    /// The user's message.
    pub(crate) message: Message,
    /// The uploaded files that the model reads with the message.
    pub(crate) files: Vec<BlobId>,
    /// The files of the host that the model reads with the message.
    pub(crate) context: Option<Box<ContextPaths>>,
    /// The idempotency key, if the body contains one.
    pub(crate) idempotency_key: Option<String>,
    /// The kind of response.
    pub(crate) answer: Answer,
    /// The turn of the session that this turn continues.
    pub(crate) after: BranchPoint,
    /// What happens to the turn while another turn of the session runs. If `None`, the agent's setting applies.
    pub(crate) busy: Option<BusyPolicy>,
    /// Whether a person at the client can decide interactions.
    pub(crate) interact: bool,
}

/// The kind of response to a request that starts a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// A stream of the turn's events, as they happen.
    Stream,
    /// A single response that is not a stream.
    Whole,
}

impl TurnSubmission {
    /// Creates a submission of a message with a stream as its response.
    pub(super) fn new(session: SessionKey, message: Message) -> Self {
        let (params, files, after) = (SamplingParams::default(), Vec::new(), BranchPoint::Head);
        Self {
            session,
            agent: None,
            route: None,
            params,
            tools: None,
            client_tools: Vec::new(),
            mode: None,
            message,
            files,
            context: None,
            idempotency_key: None,
            answer: Answer::Stream,
            after,
            busy: None,
            interact: false,
        }
    }
}
