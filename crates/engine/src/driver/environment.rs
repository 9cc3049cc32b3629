//! What reaches a turn from outside, besides the answers of its model.

use std::pin::Pin;

use tokio::time::Sleep;
use turnkit_core::ports::{CallContext, CompactError, Compacted, LlmProvider};
use turnkit_core::{
    CallUid, ChatRequest, ChildTurn, Claimed, Context, NewChild, NewWait, Prices, ProviderError, Session,
    SteeringMessage, StopReason, StoreError, Timestamp, TurnId, Usage, WaitId,
};

use super::Interruption;
use super::compaction_job::CompactionJob;
use super::grants::{Granted, Ungranted};
use crate::budget::{Limited, Verdict};
use crate::context::{CompactionCut, Fit, Rewrite};
use crate::title::TitleAnswer;
use crate::tools::{Round, RunnableCall};

/// The seam between the driver and the outside. A turn that runs has a [`LiveEnvironment`](super::LiveEnvironment); a
/// stored turn that is replayed has one that repeats what is recorded.
pub(crate) trait Environment: Sync {
    /// Reports whether the process stops.
    fn is_halted(&self) -> bool;

    /// Waits for what interrupts a model call. `expiry` completes at the turn's deadline.
    fn interrupted(&self, expiry: Pin<&mut Sleep>) -> impl Future<Output = Interruption> + Send;

    /// Returns why the turn is to stop while it waits for decisions about `calls`.
    fn stopped_waiting(&self, calls: &[CallUid]) -> Option<StopReason>;

    /// Returns what a call waits for: what `ask` returns or, in a replay, what is recorded.
    fn request(&self, id: WaitId, ask: impl FnOnce() -> NewWait) -> NewWait;

    /// Reports whether messages may wait for the turn: what the store `reported` or, in a replay, what is recorded.
    fn is_steered(&self, reported: bool) -> bool;

    /// Returns the messages that wait for the turn, in order.
    ///
    /// # Errors
    /// The store cannot say, or another worker owns the turn.
    fn steering(&self) -> impl Future<Output = Result<Vec<SteeringMessage>, StoreError>> + Send;

    /// The turns that these messages were accepted as ended at `at`.
    fn end_steered(&self, turns: &[TurnId], at: Timestamp);

    /// Returns what was granted about calls that need approval. `session` holds the grants if its host keeps it.
    ///
    /// # Errors
    /// The store cannot say.
    fn granted(
        &self,
        session: &Session,
        calls: Vec<Ungranted>,
    ) -> impl Future<Output = Result<Granted, StoreError>> + Send;

    /// Makes the turn of a sub-agent that a call waits for. `None` where none is started: in a replay, and where the host keeps
    /// the session.
    fn child(&self, wait: WaitId, turn: &ChildTurn, passed: PassedDown) -> Option<NewChild>;

    /// Lets the turn of a sub-agent begin that was stored.
    fn start(&self, child: Claimed);

    /// Compares what was consumed with the budgets, before a model call. `warned` holds the budgets that the user was
    /// warned of.
    ///
    /// # Errors
    /// The store cannot say what the user's other turns consumed.
    fn judge(
        &self,
        call: &CallContext,
        consumed: UsageSoFar<'_>,
        warned: &mut Vec<Limited>,
    ) -> impl Future<Output = Result<Verdict, StoreError>> + Send;

    /// Returns what becomes of a request that is too large: what `decide` returns or, in a replay, what is recorded.
    fn fit(
        &self,
        call: &CallContext,
        decide: impl FnOnce() -> Option<Fit> + Send,
    ) -> impl Future<Output = Option<Fit>> + Send;

    /// Returns the change of the messages after a request was refused as too large, if there is one: what `decide` returns
    /// or, in a replay, the recorded change.
    fn fit_again(
        &self,
        decide: impl FnOnce() -> Option<Rewrite> + Send,
    ) -> impl Future<Output = Option<Rewrite>> + Send;

    /// Runs tool calls and adds their results to `round`. Returns what interrupted them, if anything did.
    fn run_tools(
        &self,
        round: &mut Round<'_>,
        calls: Vec<RunnableCall>,
        session: &mut Session,
        expiry: Pin<&mut Sleep>,
    ) -> impl Future<Output = Option<Interruption>> + Send;

    /// Puts the contents of uploaded files into a request, in place of their URLs.
    ///
    /// # Errors
    /// The store cannot be reached.
    fn with_contents(&self, request: ChatRequest) -> impl Future<Output = Result<ChatRequest, ProviderError>> + Send;

    /// Returns where a turn that compacts cuts the history; `None` if it has nothing to summarise.
    fn cut(&self, call: &CallContext, decide: impl FnOnce() -> Option<CompactionCut>) -> Option<CompactionCut>;

    /// Has messages summarised. Returns the summary and how long it took, in milliseconds.
    fn compact(&self, job: CompactionJob<'_>) -> impl Future<Output = (Result<Compacted, CompactError>, u64)> + Send;

    /// Returns what the model calls of a compaction that was interrupted consumed; `None` if no model had been asked.
    fn lost_in_compaction(&self, call: &CallContext) -> Option<Usage>;

    /// Asks for a title of the session.
    fn ask_for_title(
        &self,
        request: ChatRequest,
        provider: &dyn LlmProvider,
        call: &CallContext,
    ) -> impl Future<Output = TitleAnswer> + Send;

    /// Returns what the model call for a title that was interrupted consumed; `None` if no model had been asked.
    fn lost_in_title(&self, call: &CallContext) -> Option<Usage>;

    /// Sets what a model call costs at `prices`.
    fn charge(&self, usage: &mut Usage, call: &CallContext, prices: Option<&Prices>);
}

/// Makes and starts the turns of sub-agents of one turn.
pub(crate) trait SubAgents: Sync {
    /// Makes the turn that a call waits for.
    fn make(&self, wait: WaitId, turn: &ChildTurn, passed: PassedDown) -> NewChild;

    /// Runs a turn that was stored and claimed.
    fn start(&self, child: Claimed);
}

/// What a sub-agent gets from the model that calls it, besides the prompt.
#[derive(Debug)]
pub(crate) struct PassedDown {
    /// What it reads of the conversation.
    pub(crate) conversation: Option<Context>,
    /// Whether that model was sent text from outside.
    pub(crate) untrusted: bool,
}

/// The usage that the driver knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct UsageSoFar<'a> {
    /// Of the turn.
    pub(crate) turn: &'a Usage,
    /// Of the turn and the sub-agents that it started.
    pub(crate) with_children: &'a Usage,
    /// Of the session before the turn.
    pub(crate) session_before: &'a Usage,
}
