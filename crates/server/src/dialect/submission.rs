//! A submitted turn, independent of the protocol.

use turnkit_core::{
    BlobId, BranchPoint, BusyPolicy, Message, SamplingParams, SessionKey, ToolDefinition, ToolUse, TurnRoute,
};
use turnkit_engine::ContextPaths;

/// A turn that a client submits. Each option that a protocol offers is a field; `start.rs` passes them to the engine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TurnSubmission {
    /// The session.
    pub(crate) session: SessionKey,
    /// The agent; absent: the one the session was begun with.
    pub(crate) agent: Option<String>,
    /// Constraints on the provider and model, if the client gives any.
    pub(crate) route: Option<TurnRoute>,
    /// Sampling settings of this turn.
    pub(crate) params: SamplingParams,
    /// Whether this turn may use tools; absent: as the session has it.
    pub(crate) tools: Option<ToolUse>,
    /// Tools that the client runs itself.
    pub(crate) client_tools: Vec<ToolDefinition>,
    /// The mode of this turn; absent: as the session has it.
    pub(crate) mode: Option<Box<str>>,
    /// The user's message.
    pub(crate) message: Message,
    /// The uploaded files that the model is to read with it.
    pub(crate) files: Vec<BlobId>,
    /// The files of this machine that the model is to read with it.
    pub(crate) context: Option<Box<ContextPaths>>,
    /// The client's name for this request, if the body gives one.
    pub(crate) idempotency_key: Option<String>,
    /// The kind of answer.
    pub(crate) answer: Answer,
    /// The turn of the session that it continues.
    pub(crate) after: BranchPoint,
    /// What becomes of it while another turn of the session runs; absent: as the agent has it.
    pub(crate) busy: Option<BusyPolicy>,
    /// Whether a person at the client can decide about calls.
    pub(crate) interact: bool,
}

/// The answer to a request that starts a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The events of the turn, as they happen.
    Stream,
    /// One response that is not a stream.
    Whole,
}

impl TurnSubmission {
    /// Creates a submission of a message that is answered with a stream.
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
