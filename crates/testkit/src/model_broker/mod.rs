//! A broker that simulates several processes in one: the protocol of [`turnkit_broker::protocol`] over a carrier in
//! memory.
//!
//! The [`Carrier`] loses, delays, repeats and reorders messages at random. With a [`BrokerFlaw`] a process breaks one
//! promise, to check that tests notice. Time is tokio's, which a test may pause.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap().block_on(async {
//! use turnkit_core::ports::Broker;
//! use turnkit_core::{Fence, LiveTurn, SessionId, Timestamp, TurnId, TurnLog, WorkerId};
//! use turnkit_testkit::model_broker::{Carrier, ModelBroker};
//!
//! let (carrier, turn) = (Carrier::new(7), TurnId::default());
//! let [owner, reader] = ["owner", "reader"].map(|name| WorkerId(name.into()));
//! let (runs, reads) = (ModelBroker::start(&carrier, owner.clone()), ModelBroker::start(&carrier, reader));
//! runs.turns().open(turn, LiveTurn::new(TurnLog::new(SessionId::default(), turn, 1, Fence(4))), Timestamp::default());
//! let mirror = reads.follow(turn, &owner).await.unwrap();
//! assert_eq!(mirror.read(TurnLog::fence), Fence(4));
//! # });
//! ```

mod carrier;
mod flaw;

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::JoinSet;
use tokio::time::interval;
use turnkit_broker::protocol::{Envelope, Message, Node};
use turnkit_core::ports::{BoxFuture, Broker, Clock as _};
use turnkit_core::{
    BrokerError, LiveTurn, LogPosition, SessionId, Signal, StopReason, Timestamp, TurnId, TurnRegistry, WorkerId,
};

pub use self::carrier::{Carrier, CarrierFaults};
pub use self::flaw::BrokerFlaw;
use crate::VirtualClock;

/// The broker of one simulated process. Dropping it simulates the death of the process.
pub struct ModelBroker {
    process: Arc<Process>,
    /// The task that sends and receives envelopes.
    _task: JoinSet<()>,
}

struct Process {
    id: WorkerId,
    turns: TurnRegistry,
    node: Mutex<Node>,
    carrier: Carrier,
    clock: VirtualClock,
    flaw: Option<BrokerFlaw>,
}

impl ModelBroker {
    /// Starts a process. Must be called within a tokio runtime.
    pub fn start(carrier: &Carrier, id: WorkerId) -> Self {
        Self::start_with_flaw(carrier, id, None)
    }

    /// Starts a process that breaks a promise if `flaw` is set. Must be called within a tokio runtime.
    pub fn start_with_flaw(carrier: &Carrier, id: WorkerId, flaw: Option<BrokerFlaw>) -> Self {
        carrier.join(&id);
        let process = Arc::new(Process {
            turns: TurnRegistry::default(),
            node: Mutex::new(Node::new(id.clone())),
            carrier: carrier.clone(),
            clock: VirtualClock::following_tokio(Timestamp::from_millis(1_800_000_000_000)),
            id,
            flaw,
        });
        let mut task = JoinSet::new();
        task.spawn(Arc::clone(&process).serve());
        Self { process, _task: task }
    }
}

impl Drop for ModelBroker {
    fn drop(&mut self) {
        self.process.carrier.leave(&self.process.id);
    }
}

impl Process {
    async fn serve(self: Arc<Self>) {
        let mut ticks = interval(Node::TICK);
        loop {
            tokio::select! {
                biased;
                letter = self.carrier.receive(&self.id) => {
                    self.carrier.until_running(&self.id).await;
                    self.receive(&letter);
                }
                envelopes = poll_fn(|context| self.node().poll_envelopes(self.clock.now(), context)) => {
                    self.carrier.until_running(&self.id).await;
                    for (recipient, envelope) in envelopes {
                        self.carrier.send(&self.id, &recipient, &self.sent(envelope));
                    }
                }
                _ = ticks.tick() => {
                    self.carrier.until_running(&self.id).await;
                    self.node().tick(self.clock.now());
                }
            }
        }
    }

    /// Returns the envelope as a process with this flaw sends it.
    fn sent(&self, mut envelope: Envelope) -> Envelope {
        if self.flaw == Some(BrokerFlaw::LostStop) {
            envelope.messages.retain(|message| !matches!(message, Message::Stop { .. }));
        }
        envelope
    }

    fn receive(&self, letter: &str) {
        // The carrier does not alter envelopes, so parsing does not fail.
        let Ok(Envelope { from, mut messages }) = serde_json::from_str(letter) else { return };
        for message in &mut messages {
            match (self.flaw, message) {
                (Some(BrokerFlaw::IgnoredGap), Message::Operations(batch)) => batch.after = LogPosition::default(),
                (Some(BrokerFlaw::RepeatTaken), Message::Operations(batch)) => {
                    if let Some(Ok(mirror)) = self.node().answer(batch.turn, &from) {
                        flaw::renumber(batch, &mirror);
                    }
                }
                _ => {}
            }
        }
        let envelope = Envelope { from, messages };
        let received = self.node().receive(envelope, self.clock.now(), |turn| self.turns.find(turn));
        received.changed.iter().for_each(|signal| signal.raise());
        for (turn, reason) in received.stops {
            if !self.turns.stop(turn, reason) && self.turns.find(turn).is_none() {
                self.turns.forget_stop(turn);
            }
        }
    }

    fn node(&self) -> MutexGuard<'_, Node> {
        self.node.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Broker for ModelBroker {
    fn turns(&self) -> &TurnRegistry {
        &self.process.turns
    }

    fn stop(&self, turn: TurnId, owner: &WorkerId, reason: StopReason) {
        self.process.node().stop(turn, owner, reason);
    }

    fn follow<'a>(&'a self, turn: TurnId, owner: &'a WorkerId) -> BoxFuture<'a, Result<Arc<LiveTurn>, BrokerError>> {
        Box::pin(async move {
            loop {
                let mut answered = self.process.node().follow(turn, owner, self.process.clock.now());
                if let Some(answer) = self.process.node().answer(turn, owner) {
                    return answer;
                }
                answered.changed().await;
                // If there is no answer, another caller has sent a new request in the meantime.
                if let Some(answer) = self.process.node().answer(turn, owner) {
                    return answer;
                }
            }
        })
    }

    fn changes(&self, session: SessionId) -> Arc<Signal> {
        self.process.node().changes(session)
    }

    fn changed(&self, session: SessionId) {
        let signal = self.process.node().changed(session);
        signal.into_iter().for_each(|signal| signal.raise());
    }
}
