//! The environment of a replayed turn: everything from outside happens as recorded.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::pin::Pin;
use std::sync::Arc;

use serde_json::Map;
use tokio::sync::Notify;
use tokio::time::Sleep;
use turnkit_core::ports::{CallContext, Clock, CompactError, Compacted, LlmProvider};
use turnkit_core::{
    CallUid, ChatRequest, ChildTurn, ClaimedTurn, DecidedWait, ErrorScope, EventKind, FinishReason, LiveTurn,
    LoggedTurn, Message, NewChild, NewWait, Part, Prices, ProviderError, Recorded, Role, Session, SteeringMessage,
    StopReason, StoreError, Timestamp, ToolErrorKind, ToolResult, TurnEvent, TurnId, TurnLog, TurnStatus, Usage,
    WaitId,
};

use super::attempts::{Attempt, Attempts};
use super::recorded_interactions::RecordedInteractions;
use super::recorded_title::RecordedTitle;
use super::recorded_tools::refusal;
use super::rewrites::{CompactionOutcome, RecordedCompaction, RecordedRewrite, RecordedRewrites, RewriteKind};
use crate::budget::{LimitedQuantity, Verdict};
use crate::context::{CompactionCut, FitAction, Rewrite};
use crate::driver::{
    BUDGET_USED_UP, CONTEXT_OVERFLOW, ChildInput, CompactionJob, Environment, Granted, Interruption, Ungranted,
    UsageSoFar,
};
use crate::machine::{FinishedCall, NOTHING_TO_COMPACT};
use crate::title::TitleAnswer;
use crate::tools::{Round, RunnableCall};

/// The recorded environment of a turn, up to the death of one of its owners.
pub(super) struct RecordedEnvironment {
    live: Arc<LiveTurn>,
    /// The result of each call.
    results: HashMap<CallUid, RecordedResult>,
    /// The calls that were started.
    started: HashSet<CallUid>,
    attempts: Attempts,
    /// The waits and their decisions.
    interactions: RecordedInteractions,
    /// The messages that the user sent while the turn ran, each with its event.
    steering: Vec<(u32, SteeringMessage)>,
    /// The changes of the messages sent to the model, and the compactions.
    rewrites: RecordedRewrites,
    clock: Arc<dyn Clock>,
    /// The message of the budget error that ended the turn, if one did.
    used_up: Option<String>,
    /// The message of the error that ended the turn because no model could accept its request, if one did.
    rejected: Option<String>,
    /// The outcome of the title that the turn was to write.
    title: Option<RecordedTitle>,
    /// Whether the turn found nothing to summarise.
    had_nothing_to_compact: bool,
    /// The interruption that stopped the turn, if one did.
    stopped: Option<RecordedStop>,
    /// The step and the attempt of the model call that was in progress when the process stopped and handed over the
    /// turn.
    handed_over: Option<(u16, u16)>,
    /// Notified when the turn is stopped or handed over.
    stop: Arc<Notify>,
    /// The last event that the owner made durable, if it died afterwards.
    dies_after: Option<u32>,
    /// Notified when the owner dies.
    death: Notify,
}

/// The recorded result of a call.
struct RecordedResult {
    result: ToolResult,
    ms: u64,
    /// The event that reported it.
    seq: u32,
}

/// One owner of a stored turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Owner {
    /// The last event before it.
    pub(super) begins_after: u32,
    /// The last event that it made durable, if another owner follows.
    pub(super) dies_after: Option<u32>,
}

/// The interruption that stopped a turn.
#[derive(Debug, Clone, Copy)]
struct RecordedStop {
    why: Interruption,
    step: u16,
    attempt: u16,
    /// Whether the step's calls were running. Otherwise its model call was.
    in_tools: bool,
}

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

    /// A call that needed approval but was started without a question had been granted.
    async fn granted(&self, _: &Session, calls: Vec<Ungranted>) -> Result<Granted, StoreError> {
        let uids = calls.into_iter().map(|call| call.uid);
        let ran = uids.filter(|uid| self.started.contains(uid) && !self.interactions.asked_to_approve(*uid));
        Ok(Granted::Recorded(ran.collect()))
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

impl RecordedEnvironment {
    pub(super) fn of(
        turn: &LoggedTurn,
        stored: &[TurnEvent],
        live: Arc<LiveTurn>,
        owner: Owner,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let took: HashMap<CallUid, (u64, u32)> = stored.iter().filter_map(took).collect();
        let parts = turn.messages.iter().flat_map(|entry| &entry.message().parts);
        let results = parts.filter_map(|part| match part {
            Part::ToolResult(result) => {
                let (ms, seq) = took.get(&result.uid).copied()?;
                Some((result.uid, RecordedResult { result: result.clone(), ms, seq }))
            }
            _ => None,
        });
        let mut attempts = Attempts::of(stored);
        let rewrites = RecordedRewrites::of(std::mem::take(&mut attempts.rewrites), &turn.messages);
        Self {
            live,
            clock,
            rewrites,
            interactions: RecordedInteractions::of(stored),
            steering: stored.iter().filter_map(steering).collect(),
            results: results.collect(),
            started: stored.iter().filter_map(started).collect(),
            used_up: stored.iter().find_map(|event| error(&event.kind, BUDGET_USED_UP)),
            rejected: stored.iter().find_map(|event| error(&event.kind, CONTEXT_OVERFLOW)),
            title: RecordedTitle::of(stored),
            had_nothing_to_compact: stored.iter().any(|event| is_notice(&event.kind, NOTHING_TO_COMPACT)),
            stopped: stopped(stored, attempts.last()),
            attempts,
            handed_over: handed_over(stored, owner),
            stop: Arc::default(),
            dies_after: owner.dies_after,
            death: Notify::new(),
        }
    }

    /// Returns the decisions of these waits, as far as they were decided.
    pub(super) fn decisions(&self, waits: &[NewWait]) -> Vec<DecidedWait> {
        self.interactions.decisions(waits)
    }

    pub(super) fn live(&self) -> &Arc<LiveTurn> {
        &self.live
    }

    /// Returns the notification of the owner's death.
    pub(super) fn death(&self) -> &Notify {
        &self.death
    }

    /// Returns the recorded attempt at a step, or `None` if no provider began to answer it.
    pub(super) fn attempt(&self, step: u16, attempt: u16) -> Option<&Attempt> {
        self.attempts.find(step, attempt)
    }

    /// Reports whether only the end of the turn is recorded after this call.
    fn is_last(&self, call: &CallContext) -> bool {
        self.attempts.is_last(call.step, call.attempt)
            && self.attempt(call.step, call.attempt).is_none()
            && self.next_rewrite(Some(call)).is_none()
    }

    /// Repeats the notices that became durable along with a change of the messages.
    async fn repeat(&self, before: &[(String, String)]) {
        self.survive().await;
        let now = self.clock.now();
        self.live.write(|log| {
            for (code, text) in before.iter().cloned() {
                log.stage(now, Recorded::Notice { code, text });
            }
        });
    }

    /// Returns the messages that joined the turn right after the last event of the log.
    fn next_steering(&self) -> impl Iterator<Item = &SteeringMessage> {
        let next = self.live.read(TurnLog::last_seq).saturating_add(1);
        let from = self.steering.partition_point(|(seq, _)| *seq < next);
        let messages = (next..).zip(&self.steering[from..]);
        messages.take_while(|(expected, (seq, _))| expected == seq).map(|(_, (_, message))| message)
    }

    /// Returns the next recorded change of the messages sent to the model, if no other event was recorded before it.
    fn next_rewrite(&self, call: Option<&CallContext>) -> Option<&RecordedRewrite> {
        self.live.read(|log| self.rewrites.next(log, call.map(|call| (call.step, call.attempt))))
    }

    /// Returns the signal to fire at the end of the recorded answer, if the turn was stopped or handed over there.
    pub(super) fn stops_in(&self, step: u16, attempt: u16) -> Option<Arc<Notify>> {
        if self.handed_over == Some((step, attempt)) {
            return Some(Arc::clone(&self.stop));
        }
        let stopped = self.stopped.filter(|stopped| !stopped.in_tools)?;
        ((stopped.step, stopped.attempt) == (step, attempt)).then(|| Arc::clone(&self.stop))
    }

    /// Waits forever if the recorded owner died at this point.
    pub(super) async fn survive(&self) {
        let durable = self.live.read(|log| log.pending().from_seq.saturating_sub(1));
        if self.dies_after.is_some_and(|last| durable >= last) {
            self.death.notify_one();
            std::future::pending::<()>().await;
        }
    }
}

/// The end of a turn that has diverged from the stored one.
const DIVERGED: Interruption = Interruption::Stopped(StopReason::Cancelled);

/// Returns the message of an error of the turn itself, not of its provider.
fn error(event: &EventKind, wanted: &str) -> Option<String> {
    match event {
        EventKind::Error { code, message, scope: ErrorScope::Turn, .. } if code == wanted => Some(message.clone()),
        _ => None,
    }
}

fn is_notice(event: &EventKind, wanted: &str) -> bool {
    matches!(event, EventKind::Notice { code, .. } if code == wanted)
}

fn steering(event: &TurnEvent) -> Option<(u32, SteeringMessage)> {
    match &event.kind {
        EventKind::Steered { steering, input } => {
            let message = Message::new(Role::User, input.clone());
            Some((event.seq, SteeringMessage { turn: *steering, message }))
        }
        _ => None,
    }
}

fn started(event: &TurnEvent) -> Option<CallUid> {
    match &event.kind {
        EventKind::ToolStarted { uid, .. } => Some(*uid),
        _ => None,
    }
}

fn took(event: &TurnEvent) -> Option<(CallUid, (u64, u32))> {
    match &event.kind {
        EventKind::ToolFinished { uid, ms, .. } => Some((*uid, (*ms, event.seq))),
        _ => None,
    }
}

/// Returns the step and the attempt in which an owner handed over the turn. The log of such an owner ends with a
/// retraction that is not its first event: a retraction at the beginning withdraws the output of the previous owner.
fn handed_over(stored: &[TurnEvent], owner: Owner) -> Option<(u16, u16)> {
    let last = owner.dies_after.filter(|last| *last > owner.begins_after + 1)?;
    let at = stored.iter().position(|event| event.seq == last)?;
    let EventKind::Retracted { attempt, .. } = &stored[at].kind else { return None };
    let step = stored[..at].iter().rev().find_map(|event| match &event.kind {
        EventKind::StepStarted { step, .. } => Some(*step),
        EventKind::ToolFinished { uid, .. } => Some(uid.step.saturating_add(1)),
        _ => None,
    });
    Some((step.unwrap_or(1), attempt.saturating_sub(1)))
}

/// Returns the interruption that stopped the turn, from its last event, in an attempt at its last step.
fn stopped(stored: &[TurnEvent], attempt: u16) -> Option<RecordedStop> {
    let EventKind::TurnEnded { status, steps, .. } = &stored.last()?.kind else { return None };
    let why = match status {
        TurnStatus::Cancelled => Interruption::Stopped(StopReason::Cancelled),
        TurnStatus::Interrupted => Interruption::Stopped(StopReason::Superseded),
        TurnStatus::Expired => Interruption::Expired,
        TurnStatus::Completed | TurnStatus::Failed | TurnStatus::Limit => return None,
    };
    // If the step ended by itself or because its provider failed, it had ended before the turn was stopped.
    let ended =
        stored.iter().rposition(|event| matches!(&event.kind, EventKind::StepEnded { step, .. } if step == steps));
    let in_tools = ended.is_some_and(|at| {
        let finish = stored.get(at).map(|event| &event.kind);
        let broke_off = matches!(finish, Some(EventKind::StepEnded { finish: FinishReason::Interrupted, .. }));
        let failed = stored
            .get(at + 1)
            .is_some_and(|next| matches!(next.kind, EventKind::Error { scope: ErrorScope::Provider, .. }));
        !broke_off || failed
    });
    Some(RecordedStop { why, step: *steps, attempt, in_tools })
}
