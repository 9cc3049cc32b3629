//! The inputs of a replayed turn: the recorded environment as the driver calls it.

use std::borrow::Cow;
use std::pin::Pin;

use serde_json::Map;
use tokio::time::Sleep;
use turnkit_core::ports::{CallContext, CompactError, Compacted, LlmProvider};
use turnkit_core::{
    CallUid, ChatRequest, ChildTurn, ClaimedTurn, NewChild, NewWait, Part, Prices, ProviderError, Session,
    SteeringMessage, StopReason, StoreError, Timestamp, ToolErrorKind, ToolPin, TurnId, Usage, WaitId,
};

use super::RecordedEnvironment;
use crate::budget::{LimitedQuantity, Verdict};
use crate::context::{CompactionCut, FitAction, Rewrite};
use crate::driver::{ChildInput, CompactionJob, Environment, Granted, Interruption, Ungranted, UsageSoFar};
use crate::machine::FinishedCall;
use crate::replay::recorded_results::RecordedResult;
use crate::replay::recorded_title::RecordedTitle;
use crate::replay::recorded_tools::refusal;
use crate::replay::rewrites::{CompactionOutcome, RecordedCompaction, RecordedRewrite, RewriteKind};
use crate::title::TitleAnswer;
use crate::tools::{Round, RunnableCall};

impl Environment for &RecordedEnvironment {
    fn is_halted(&self) -> bool {
        false
    }

    async fn interrupted(&self, _: Pin<&mut Sleep>) -> Interruption {
        self.stop.notified().await;
        if self.handed_over.is_some() {
            return Interruption::HandedOver;
        }
        self.stopped.map_or(DIVERGED, |stopped| stopped.why)
    }

    fn stopped_waiting(&self, calls: &[CallUid]) -> Option<StopReason> {
        let step = calls.first()?.step;
        match self.stopped.filter(|stopped| stopped.step == step)?.why {
            Interruption::Stopped(reason) => Some(reason),
            Interruption::Expired | Interruption::HandedOver => None,
        }
    }

    fn request(&self, id: WaitId, ask: impl FnOnce() -> NewWait) -> NewWait {
        self.interactions.request(id, ask())
    }

    fn is_steered(&self, _: bool) -> bool {
        self.next_steering().next().is_some()
    }

    async fn steering(&self) -> Result<Vec<SteeringMessage>, StoreError> {
        Ok(self.next_steering().cloned().collect())
    }

    fn end_steered(&self, _: &[TurnId], _: Timestamp) {}

    fn asked(&self) {}

    /// A call that needed approval but was started without a question had been granted.
    async fn granted(&self, _: &Session, calls: Vec<Ungranted>) -> Result<Granted, StoreError> {
        let uids = calls.into_iter().map(|call| call.uid);
        let ran = uids.filter(|uid| self.started.contains(uid) && !self.interactions.asked_to_approve(*uid));
        Ok(Granted::Recorded(ran.collect()))
    }

    async fn unaccepted(&self, parts: &[Part], _: Vec<ToolPin>) -> Vec<String> {
        let calls = parts.iter().filter_map(|part| match part {
            Part::ToolCall(call) => Some(call),
            _ => None,
        });
        calls.filter(|call| self.interactions.asked_as_changed(call.uid)).map(|call| call.name.clone()).collect()
    }

    /// A call that needed approval but was neither asked about nor started was refused.
    fn failed_check(
        &self,
        call: CallUid,
        _: impl FnOnce() -> Option<(ToolErrorKind, String)>,
    ) -> Option<(ToolErrorKind, String)> {
        let was_refused = !self.started.contains(&call) && !self.interactions.asked_to_approve(call);
        let past = self.results.get(&call).filter(|_| was_refused)?;
        refusal(&past.result)
    }

    fn child(&self, _: WaitId, _: &ChildTurn, _: ChildInput) -> Option<NewChild> {
        None
    }

    /// Nothing is stored, so nothing is started.
    fn start(&self, _: ClaimedTurn) {}

    /// A recorded `UsedUp` applies to the last attempt, whose model was not called.
    async fn judge(
        &self,
        call: &CallContext,
        _: UsageSoFar<'_>,
        _: &mut Vec<LimitedQuantity>,
    ) -> Result<Verdict, StoreError> {
        self.survive().await;
        let used_up = self.used_up.as_ref().filter(|_| self.is_last(call));
        Ok(match (used_up, self.attempts.budget_warnings(call.step, call.attempt)) {
            (Some(text), _) => Verdict::UsedUp(text.clone()),
            (None, Some(texts)) => Verdict::Near(texts.to_vec()),
            (None, None) => Verdict::Fine,
        })
    }

    async fn fit(&self, call: &CallContext, _: impl FnOnce() -> Option<FitAction> + Send) -> Option<FitAction> {
        if let Some(recorded) = self.next_rewrite(Some(call)).filter(|recorded| !recorded.is_after_overflow()) {
            return Some(match &recorded.kind {
                RewriteKind::LeftOut(rewrite) => {
                    self.repeat(&recorded.before).await;
                    FitAction::Rewrite(rewrite.clone())
                }
                RewriteKind::Summarised(compaction) => FitAction::Summarise(compaction.cut),
            });
        }
        let text = self.rejected.as_ref().filter(|_| self.is_last(call))?;
        self.repeat(&self.attempts.before_overflow).await;
        Some(FitAction::Reject(text.clone()))
    }

    async fn fit_again(&self, _: impl FnOnce() -> Option<Rewrite> + Send) -> Option<Rewrite> {
        let recorded = self.next_rewrite(None).filter(|recorded| recorded.is_after_overflow())?;
        let RewriteKind::LeftOut(rewrite) = &recorded.kind else { return None };
        self.repeat(&recorded.before).await;
        Some(rewrite.clone())
    }

    async fn run_tools(
        &self,
        round: &mut Round<'_>,
        calls: Vec<RunnableCall>,
        _: &mut Cow<'_, Session>,
        _: Pin<&mut Sleep>,
    ) -> Option<Interruption> {
        self.survive().await;
        let mut why = None;
        for runnable in &calls {
            let (call, number) = (runnable.call.get(), runnable.times_waited);
            let uid = call.uid;
            let asked = self.interactions.asked(WaitId { call: uid, number });
            let stopped = self.stopped.filter(|stopped| stopped.in_tools && stopped.step == uid.step);
            why = why.or(stopped.map(|stopped| stopped.why));
            if let Some((request, seq)) = asked {
                match self.dies_after.is_some_and(|last| seq > last) {
                    true => why = why.or(Some(Interruption::HandedOver)),
                    false => round.finished.push(FinishedCall::asking(call, request, 0)),
                }
                continue;
            }
            match self.results.get(&uid) {
                Some(past) if stopped.is_some() && past.result.error == Some(ToolErrorKind::Cancelled) => {}
                // The owner handed over the turn before the call ended.
                Some(past) if self.dies_after.is_some_and(|last| past.seq > last) => {
                    why = why.or(Some(Interruption::HandedOver));
                }
                Some(past) => {
                    let RecordedResult { result, ms, .. } = past;
                    round.finished.push(FinishedCall {
                        result: result.clone(),
                        ms: *ms,
                        metadata: Map::new(),
                        request: None,
                    });
                }
                // The stored turn did not make this call, so its result is unknown.
                None => why = why.or(Some(DIVERGED)),
            }
        }
        why
    }

    /// Returns the request unchanged, because no provider is asked.
    async fn with_contents(&self, request: ChatRequest) -> Result<ChatRequest, ProviderError> {
        Ok(request)
    }

    /// Returns the recorded cut. An interrupted compaction has no recorded cut, and its summary is not read.
    fn cut(&self, call: &CallContext, _: impl FnOnce() -> Option<CompactionCut>) -> Option<CompactionCut> {
        if self.had_nothing_to_compact {
            return None;
        }
        let recorded = self.next_rewrite(Some(call)).and_then(RecordedRewrite::compaction);
        Some(recorded.map_or(CompactionCut::recorded(None, 0, 0), |compaction| compaction.cut))
    }

    /// Returns the recorded summary. If none is recorded, waits to be interrupted: the turn was stopped or handed over.
    async fn compact(&self, job: CompactionJob<'_>) -> (Result<Compacted, CompactError>, u64) {
        self.survive().await;
        let of_owner = |compaction: &RecordedCompaction| self.dies_after.is_none_or(|last| compaction.seq <= last);
        let recorded = self.next_rewrite(Some(job.call));
        let recorded = recorded.and_then(|recorded| Some((recorded, recorded.compaction()?)));
        if let Some((recorded, compaction)) = recorded.filter(|(_, compaction)| of_owner(compaction)) {
            self.repeat(&recorded.before).await;
            if let CompactionOutcome::Done(outcome) = &compaction.outcome {
                return (outcome.clone(), compaction.ms);
            }
        }
        self.stop.notify_one();
        std::future::pending().await
    }

    /// Returns the recorded usage. Without a record, no model was asked.
    fn lost_in_compaction(&self, call: &CallContext) -> Option<Usage> {
        match &self.next_rewrite(Some(call))?.compaction()?.outcome {
            CompactionOutcome::Stopped(usage) => Some(usage.clone()),
            CompactionOutcome::Done(_) => None,
        }
    }

    /// Returns the recorded title. If none is recorded, waits to be interrupted.
    async fn ask_for_title(&self, _: ChatRequest, _: &dyn LlmProvider, _: &CallContext) -> TitleAnswer {
        self.survive().await;
        match self.title.clone().filter(|title| title.is_done && self.dies_after.is_none()) {
            Some(RecordedTitle { answer, calls, .. }) => (answer, calls),
            None => {
                self.stop.notify_one();
                std::future::pending().await
            }
        }
    }

    /// Returns the recorded usage. Without a record, no model was asked.
    fn lost_in_title(&self, _: &CallContext) -> Option<Usage> {
        self.title.as_ref().filter(|title| !title.is_done)?.calls.as_ref().map(|calls| calls.usage.clone())
    }

    /// Charges the recorded cost, at the prices of that time, if the call ended.
    fn charge(&self, usage: &mut Usage, call: &CallContext, prices: Option<&Prices>) {
        usage.charge(prices);
        let recorded = self.attempt(call.step, call.attempt).and_then(|attempt| attempt.cost.clone());
        if let Some((cost, prices)) = recorded {
            (usage.cost, usage.prices) = (cost, prices);
        }
    }
}

/// The end of a turn that has diverged from the stored one.
const DIVERGED: Interruption = Interruption::Stopped(StopReason::Cancelled);
