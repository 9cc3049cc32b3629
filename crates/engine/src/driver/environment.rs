//! The inputs of a turn from outside, other than the answers of its model.

use std::borrow::Cow;
use std::pin::Pin;

use tokio::time::Sleep;
use turnkit_core::ports::{CallContext, CompactError, Compacted, LlmProvider};
use turnkit_core::{
    CallUid, ChatRequest, ChildTurn, ClaimedTurn, Context, NewChild, NewWait, Part, Prices, ProviderError, Session,
    SteeringMessage, StopReason, StoreError, Timestamp, ToolErrorKind, ToolPin, TurnId, Usage, WaitId,
};

use super::Interruption;
use super::compaction_job::CompactionJob;
use super::grants::{Granted, Ungranted};
use crate::budget::{LimitedQuantity, Verdict};
use crate::context::{CompactionCut, FitAction, Rewrite};
use crate::title::TitleAnswer;
use crate::tools::{Round, RunnableCall};

/// The interface between the driver and the outside. A running turn uses a [`LiveEnvironment`](super::LiveEnvironment).
/// The replay of a stored turn uses one that repeats what was recorded.
pub(crate) trait Environment: Sync {
    /// Reports whether the process is stopping.
    fn is_halted(&self) -> bool;

    /// Waits for an interruption of a model call. `expiry` completes at the turn's deadline.
    fn interrupted(&self, expiry: Pin<&mut Sleep>) -> impl Future<Output = Interruption> + Send;

    /// Returns the reason for which the turn is to stop while it waits for resolutions of `calls`.
    fn stopped_waiting(&self, calls: &[CallUid]) -> Option<StopReason>;

    /// Returns the wait of a call: the result of `ask` or, in a replay, the recorded one.
    fn request(&self, id: WaitId, ask: impl FnOnce() -> NewWait) -> NewWait;

    /// Reports whether messages may be queued for the turn: as `reported` by the store or, in a replay, as recorded.
    fn is_steered(&self, reported: bool) -> bool;

    /// Returns the messages queued for the turn, in order.
    ///
    /// # Errors
    /// The store cannot be read, or another worker owns the turn.
    fn steering(&self) -> impl Future<Output = Result<Vec<SteeringMessage>, StoreError>> + Send;

    /// Reports that `turns` ended at `at`, because this turn took the messages they were accepted for.
    fn end_steered(&self, turns: &[TurnId], at: Timestamp);

    /// Reports that questions of the turn to people were stored.
    fn asked(&self);

    /// Returns the grants for calls that need approval. `session` holds the grants if its host keeps it.
    ///
    /// # Errors
    /// The store cannot be read.
    fn granted(
        &self,
        session: &Session,
        calls: Vec<Ungranted>,
    ) -> impl Future<Output = Result<Granted, StoreError>> + Send;

    /// Returns the names of the tools whose definitions were not accepted: those among `changed` that the store does
    /// not know as accepted or, in a replay, those of the calls among `parts` that people were asked about because a
    /// definition had changed.
    fn unaccepted(&self, parts: &[Part], changed: Vec<ToolPin>) -> impl Future<Output = Vec<String>> + Send;

    /// Returns why a call that a person would be asked about cannot succeed: the result of `check` or, in a replay, the
    /// recorded refusal.
    fn failed_check(
        &self,
        call: CallUid,
        check: impl FnOnce() -> Option<(ToolErrorKind, String)>,
    ) -> Option<(ToolErrorKind, String)>;

    /// Creates the sub-agent's turn that a call waits for. Returns `None` if none is started: in a replay, or if the
    /// host keeps the session.
    fn child(&self, wait: WaitId, turn: &ChildTurn, passed: ChildInput) -> Option<NewChild>;

    /// Starts a sub-agent's turn that was stored.
    fn start(&self, child: ClaimedTurn);

    /// Compares usage with the budgets before a model call. `warned` holds the limits that the user was already warned
    /// of.
    ///
    /// # Errors
    /// The store cannot report the usage of the user's other turns.
    fn judge(
        &self,
        call: &CallContext,
        consumed: UsageSoFar<'_>,
        warned: &mut Vec<LimitedQuantity>,
    ) -> impl Future<Output = Result<Verdict, StoreError>> + Send;

    /// Returns how to shrink a request that is too large: the result of `decide` or, in a replay, the recorded one.
    fn fit(
        &self,
        call: &CallContext,
        decide: impl FnOnce() -> Option<FitAction> + Send,
    ) -> impl Future<Output = Option<FitAction>> + Send;

    /// Returns the change of the messages after a request was rejected as too large, if there is one: the result of
    /// `decide` or, in a replay, the recorded change.
    fn fit_again(
        &self,
        decide: impl FnOnce() -> Option<Rewrite> + Send,
    ) -> impl Future<Output = Option<Rewrite>> + Send;

    /// Runs tool calls and adds their results to `round`. Returns the interruption, if there was one.
    fn run_tools(
        &self,
        round: &mut Round<'_>,
        calls: Vec<RunnableCall>,
        session: &mut Cow<'_, Session>,
        expiry: Pin<&mut Sleep>,
    ) -> impl Future<Output = Option<Interruption>> + Send;

    /// Replaces the URLs of uploaded files in a request with their contents.
    ///
    /// # Errors
    /// The store cannot be reached.
    fn with_contents(&self, request: ChatRequest) -> impl Future<Output = Result<ChatRequest, ProviderError>> + Send;

    /// Returns where a compacting turn cuts the history, or `None` if there is nothing to summarise.
    fn cut(&self, call: &CallContext, decide: impl FnOnce() -> Option<CompactionCut>) -> Option<CompactionCut>;

    /// Summarises messages. Returns the summary and how long it took, in milliseconds.
    fn compact(&self, job: CompactionJob<'_>) -> impl Future<Output = (Result<Compacted, CompactError>, u64)> + Send;

    /// Returns the usage of the model calls of an interrupted compaction, or `None` if no model was called.
    fn lost_in_compaction(&self, call: &CallContext) -> Option<Usage>;

    /// Requests a title of the session from a model.
    fn ask_for_title(
        &self,
        request: ChatRequest,
        provider: &dyn LlmProvider,
        call: &CallContext,
    ) -> impl Future<Output = TitleAnswer> + Send;

    /// Returns the usage of an interrupted model call for a title, or `None` if no model was called.
    fn lost_in_title(&self, call: &CallContext) -> Option<Usage>;

    /// Sets the cost of a model call at `prices`.
    fn charge(&self, usage: &mut Usage, call: &CallContext, prices: Option<&Prices>);
}

/// Creates and starts the sub-agents' turns of one turn.
pub(crate) trait SubAgents: Sync {
    /// Creates the turn that a call waits for.
    fn make(&self, wait: WaitId, turn: &ChildTurn, passed: ChildInput) -> NewChild;

    /// Runs a turn that was stored and claimed.
    fn start(&self, child: ClaimedTurn);
}

/// The input of a sub-agent from the calling model, besides the prompt.
#[derive(Debug)]
pub(crate) struct ChildInput {
    /// The part of the conversation that the sub-agent reads.
    pub(crate) conversation: Option<Context>,
    /// Whether the calling model was sent untrusted text.
    pub(crate) untrusted: bool,
}

/// Usage known to the driver.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UsageSoFar<'a> {
    /// Usage of the turn.
    pub(crate) turn: &'a Usage,
    /// Usage of the turn and of the sub-agents that it started.
    pub(crate) with_children: &'a Usage,
    /// Usage of the session before the turn.
    pub(crate) session_before: &'a Usage,
}
