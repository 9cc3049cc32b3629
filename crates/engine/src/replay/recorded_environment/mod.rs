//! The environment of a replayed turn: everything from outside happens as recorded.

mod inputs;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tokio::sync::Notify;
use turnkit_core::ports::{CallContext, Clock};
use turnkit_core::{
    CallUid, DecidedWait, ErrorScope, EventKind, LiveTurn, LoggedTurn, Message, NewWait, ProviderError, Recorded, Role,
    SteeringMessage, TurnEvent, TurnLog,
};

use super::attempts::{Attempt, Attempts};
use super::recorded_interactions::RecordedInteractions;
use super::recorded_owner::Owner;
use super::recorded_results::{RecordedResult, recorded_results};
use super::recorded_stop::RecordedStop;
use super::recorded_title::RecordedTitle;
use super::rewrites::{RecordedRewrite, RecordedRewrites};
use crate::driver::{BUDGET_USED_UP, CONTEXT_OVERFLOW};
use crate::machine::NOTHING_TO_COMPACT;

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

impl RecordedEnvironment {
    pub(super) fn new(
        turn: &LoggedTurn,
        stored: &[TurnEvent],
        live: Arc<LiveTurn>,
        owner: Owner,
        clock: Arc<dyn Clock>,
    ) -> Self {
        let mut attempts = Attempts::from_events(stored);
        let rewrites = RecordedRewrites::new(std::mem::take(&mut attempts.rewrites), &turn.messages);
        Self {
            live,
            clock,
            rewrites,
            interactions: RecordedInteractions::from_events(stored),
            steering: stored.iter().filter_map(steering).collect(),
            results: recorded_results(turn, stored),
            started: stored.iter().filter_map(started).collect(),
            used_up: stored.iter().find_map(|event| error(&event.kind, BUDGET_USED_UP)),
            rejected: stored.iter().find_map(|event| error(&event.kind, CONTEXT_OVERFLOW)),
            title: RecordedTitle::from_events(stored),
            had_nothing_to_compact: stored.iter().any(|event| is_notice(&event.kind, NOTHING_TO_COMPACT)),
            stopped: RecordedStop::from_events(stored, attempts.last()),
            attempts,
            handed_over: owner.handed_over(stored),
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

    /// Returns the error of a model call with its recorded attempts. They are recorded with the last call of a turn, which
    /// has those of earlier calls of its step, too.
    pub(super) fn as_recorded(&self, error: ProviderError, step: u16, attempt: u16) -> ProviderError {
        let attempts = match self.attempts.is_last(step, attempt) {
            true => self.attempts.unanswered.clone(),
            false => Vec::new(),
        };
        ProviderError { attempts, ..error }
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
