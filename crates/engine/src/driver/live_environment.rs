//! The environment of a running turn: clients, the clock, the store and the process.

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::Arc;

use tokio::time::{Instant, Sleep};
use tokio_util::sync::CancellationToken;
use turnkit_core::ports::{
    BlobStore, CallContext, Clock, CompactError, Compacted, GrantQuery, LlmProvider, PinStore, TurnStore,
};
use turnkit_core::{
    CallUid, ChatRequest, ChildTurn, Claim, ClaimedTurn, Day, LiveTurn, NewChild, NewWait, Part, Prices, ProviderError,
    Scope, Session, SteeringMessage, StopReason, StopSignal, StoreError, Timestamp, ToolErrorKind, ToolPin, TurnId,
    TurnLog, Usage, WaitId,
};

use super::compaction_job::CompactionJob;
use super::contents;
use super::environment::{ChildInput, Environment, SubAgents, UsageSoFar};
use super::grants::{Granted, Ungranted, kept_in};
use super::interruption::Interruption;
use crate::budget::{Budget, BudgetUsage, Budgets, LimitedQuantity, Verdict};
use crate::context::{CompactionCut, FitAction, Rewrite, ask_for_text};
use crate::title::TitleAnswer;
use crate::tools::{Round, RunnableCall, TIMEOUT_GRACE};

/// Receives turns that ended because another turn took their messages, and the time of their end.
pub(crate) type OnSteered<'a> = &'a (dyn Fn(&[TurnId], Timestamp) + Send + Sync);

/// Called when questions to people were stored.
pub(crate) type OnAsked<'a> = &'a (dyn Fn() + Send + Sync);

/// The environment of a running turn.
pub(crate) struct LiveEnvironment<'a> {
    pub(crate) live: Arc<LiveTurn>,
    /// Raised when the turn is to stop; absent if the host keeps the turn.
    pub(crate) stop: Option<&'a StopSignal>,
    /// Cancelled when the process stops; absent if the host keeps the turn.
    pub(crate) halt: Option<&'a CancellationToken>,
    /// The limits on usage.
    pub(crate) budgets: Option<&'a Budgets>,
    /// Reports the usage of the user's other turns.
    pub(crate) store: Option<(&'a dyn TurnStore, &'a Claim)>,
    /// Holds the uploaded files of the turn's user; absent if the host keeps the turn.
    pub(crate) files: Option<(&'a dyn BlobStore, &'a Scope)>,
    /// Called with turns that ended because this one took their messages, and the time of their end; absent if the host
    /// keeps the turn.
    pub(crate) on_steered: Option<OnSteered<'a>>,
    /// Called when the turn's questions to people were stored; absent if the host keeps the turn.
    pub(crate) on_asked: Option<OnAsked<'a>>,
    /// Holds the accepted definitions of tools; absent if the host keeps the turn.
    pub(crate) pins: Option<(&'a dyn PinStore, &'a Scope)>,
    pub(crate) clock: &'a dyn Clock,
    /// Starts sub-agents; absent if the host keeps the turn.
    pub(crate) sub_agents: Option<&'a dyn SubAgents>,
}

impl Environment for LiveEnvironment<'_> {
    fn is_halted(&self) -> bool {
        self.halt.is_some_and(CancellationToken::is_cancelled)
    }

    async fn interrupted(&self, expiry: Pin<&mut Sleep>) -> Interruption {
        tokio::select! {
            biased;
            reason = stopped(self.stop) => Interruption::Stopped(reason),
            () = expired_for_sure(expiry) => Interruption::Expired,
            () = halted(self.halt) => Interruption::HandedOver,
        }
    }

    fn stopped_waiting(&self, _: &[CallUid]) -> Option<StopReason> {
        self.stop.and_then(StopSignal::reason)
    }

    fn request(&self, _: WaitId, ask: impl FnOnce() -> NewWait) -> NewWait {
        ask()
    }

    fn is_steered(&self, reported: bool) -> bool {
        reported
    }

    async fn steering(&self) -> Result<Vec<SteeringMessage>, StoreError> {
        match self.store {
            Some((store, claim)) => store.steering(claim).await,
            None => Ok(Vec::new()),
        }
    }

    fn end_steered(&self, turns: &[TurnId], at: Timestamp) {
        if let Some(on_steered) = self.on_steered {
            on_steered(turns, at);
        }
    }

    fn asked(&self) {
        if let Some(on_asked) = self.on_asked {
            on_asked();
        }
    }

    async fn granted(&self, session: &Session, calls: Vec<Ungranted>) -> Result<Granted, StoreError> {
        let Some((store, claim)) = self.store else { return Ok(Granted::By(kept_in(session))) };
        let calls = calls.into_iter().map(|call| (call.tool, call.subject)).collect();
        store.granted(claim.scope(), GrantQuery { session: session.id, calls }).await.map(Granted::By)
    }

    async fn unaccepted(&self, _: &[Part], changed: Vec<ToolPin>) -> Vec<String> {
        let Some((store, scope)) = self.pins.filter(|_| !changed.is_empty()) else { return Vec::new() };
        let unaccepted = store.unaccepted(scope, changed.clone()).await;
        unaccepted.unwrap_or_else(|error| {
            tracing::warn!(%error, "could not read accepted definitions: calls of changed tools need approval");
            changed.into_iter().map(|definition| definition.tool).collect()
        })
    }

    fn failed_check(
        &self,
        _: CallUid,
        check: impl FnOnce() -> Option<(ToolErrorKind, String)>,
    ) -> Option<(ToolErrorKind, String)> {
        check()
    }

    fn child(&self, wait: WaitId, turn: &ChildTurn, passed: ChildInput) -> Option<NewChild> {
        self.sub_agents.map(|sub_agents| sub_agents.make(wait, turn, passed))
    }

    fn start(&self, child: ClaimedTurn) {
        if let Some(sub_agents) = self.sub_agents {
            sub_agents.start(child);
        }
    }

    async fn judge(
        &self,
        _: &CallContext,
        consumed: UsageSoFar<'_>,
        warned: &mut Vec<LimitedQuantity>,
    ) -> Result<Verdict, StoreError> {
        let Some(budgets) = self.budgets else { return Ok(Verdict::Fine) };
        let turn = consumed.with_children.clone();
        // Usage of sub-agents counts for their own sessions.
        let mut session = consumed.session_before.clone();
        session.add(consumed.turn);
        let today = Day::from(self.clock.now());
        let day = self.consumed_by_user(today, today, budgets.day).await?;
        let user = self.consumed_by_user(Day::FIRST, today, budgets.user).await?;
        Ok(budgets.judge(&BudgetUsage { turn, session, day, user }, warned))
    }

    async fn fit(&self, _: &CallContext, decide: impl FnOnce() -> Option<FitAction> + Send) -> Option<FitAction> {
        decide()
    }

    async fn fit_again(&self, decide: impl FnOnce() -> Option<Rewrite> + Send) -> Option<Rewrite> {
        decide()
    }

    async fn run_tools(
        &self,
        round: &mut Round<'_>,
        calls: Vec<RunnableCall>,
        session: &mut Cow<'_, Session>,
        expiry: Pin<&mut Sleep>,
    ) -> Option<Interruption> {
        tokio::select! {
            biased;
            why = self.interrupted(expiry) => Some(why),
            () = round.run(calls, session) => None,
        }
    }

    async fn with_contents(&self, request: ChatRequest) -> Result<ChatRequest, ProviderError> {
        match self.files {
            Some((store, scope)) => contents::put_into(request, store, scope).await,
            None => Ok(request),
        }
    }

    fn cut(&self, _: &CallContext, decide: impl FnOnce() -> Option<CompactionCut>) -> Option<CompactionCut> {
        decide()
    }

    async fn compact(&self, mut job: CompactionJob<'_>) -> (Result<Compacted, CompactError>, u64) {
        let began = Instant::now();
        let compacted = match self.fill_in(&mut job).await {
            Ok(()) => job.run().await,
            Err(error) => Err(CompactError { message: error.message, calls: None }),
        };
        (compacted, u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX))
    }

    /// Unmetered, because a model may have been called.
    fn lost_in_compaction(&self, _: &CallContext) -> Option<Usage> {
        Some(Usage::unmetered())
    }

    async fn ask_for_title(&self, request: ChatRequest, provider: &dyn LlmProvider, call: &CallContext) -> TitleAnswer {
        let mut calls = None;
        let answer = ask_for_text(request, "title", provider, call, &mut calls).await;
        (answer, calls)
    }

    fn lost_in_title(&self, _: &CallContext) -> Option<Usage> {
        Some(Usage::unmetered())
    }

    fn charge(&self, usage: &mut Usage, _: &CallContext, prices: Option<&Prices>) {
        usage.charge(prices);
    }
}

impl LiveEnvironment<'_> {
    /// Puts the contents of uploaded files into the messages to summarise.
    async fn fill_in(&self, job: &mut CompactionJob<'_>) -> Result<(), ProviderError> {
        let history = job.pieces.history_mut();
        if history.has_blobs() {
            let request = ChatRequest { history: history.clone(), ..ChatRequest::default() };
            *history = self.with_contents(request).await?.history;
        }
        Ok(())
    }

    /// Returns the usage of the user in these days: what is stored, and what this turn has not stored yet. Nothing is
    /// read for a budget without a limit.
    async fn consumed_by_user(&self, from: Day, to: Day, budget: Budget) -> Result<Usage, StoreError> {
        let Some((store, claim)) = self.store.filter(|_| budget.is_limited()) else { return Ok(Usage::default()) };
        let mut usage = store.total_consumed(claim.scope(), from, to).await?;
        self.live.read(TurnLog::pending).calls().for_each(|(_, _, pending)| usage.add(&pending));
        Ok(usage)
    }
}

async fn stopped(stop: Option<&StopSignal>) -> StopReason {
    match stop {
        Some(stop) => stop.raised().await,
        None => std::future::pending().await,
    }
}

async fn halted(halt: Option<&CancellationToken>) {
    match halt {
        Some(halt) => halt.cancelled().await,
        None => std::future::pending().await,
    }
}

/// Waits for the deadline, and then for [`TIMEOUT_GRACE`]. An answer that arrived while the process was paused is read
/// before the turn expires.
async fn expired_for_sure(mut expiry: Pin<&mut Sleep>) {
    expiry.as_mut().await;
    expiry.as_mut().reset(Instant::now() + TIMEOUT_GRACE);
    expiry.await;
}
