//! The carrier: an unreliable transport of envelopes between processes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};
use turnkit_broker::protocol::{Envelope, Recipient};
use turnkit_core::WorkerId;

use crate::dice::Dice;

/// The maximum number of bytes in transit to a process. Further envelopes are lost.
const MAX_BYTES: usize = 1024 * 1024;

/// Connects the processes of one model broker. Clones share the carrier.
#[derive(Clone)]
pub struct Carrier(Arc<Mutex<State>>);

/// The faults of a carrier. By default each envelope arrives once, in order and without delay.
#[derive(Debug, Clone, Copy, Default)]
pub struct CarrierFaults {
    /// The percentage of envelopes that are lost.
    pub lost: u64,
    /// The percentage of envelopes that arrive twice.
    pub repeated: u64,
    /// The maximum delay of an envelope. Later envelopes overtake earlier ones.
    pub delay: Duration,
}

impl CarrierFaults {
    /// A high rate of every fault.
    pub const HEAVY: Self = Self { lost: 30, repeated: 20, delay: Duration::from_millis(300) };
}

struct State {
    dice: Dice,
    faults: CarrierFaults,
    mailboxes: BTreeMap<WorkerId, Mailbox>,
    /// The number of envelopes sent. It orders envelopes that arrive at the same time.
    sent: u64,
}

#[derive(Default)]
struct Mailbox {
    /// Envelopes in transit as JSON, by arrival time.
    on_the_way: BTreeMap<(Instant, u64), String>,
    bytes: usize,
    is_paused: bool,
    changed: Arc<Notify>,
}

impl Carrier {
    /// Creates a carrier without faults. `seed` determines its random numbers.
    pub fn new(seed: u64) -> Self {
        let (dice, faults) = (Dice::new(seed), CarrierFaults::default());
        Self(Arc::new(Mutex::new(State { dice, faults, mailboxes: BTreeMap::new(), sent: 0 })))
    }

    /// Sets the faults of envelopes sent from now on.
    pub fn set_faults(&self, faults: CarrierFaults) {
        self.lock().faults = faults;
    }

    /// Pauses a process, or lets it continue. Envelopes sent to a paused process wait, up to a limit.
    pub fn pause(&self, process: &WorkerId, is_paused: bool) {
        if let Some(mailbox) = self.lock().mailboxes.get_mut(process) {
            mailbox.is_paused = is_paused;
            mailbox.changed.notify_one();
        }
    }

    pub(super) fn join(&self, process: &WorkerId) {
        self.lock().mailboxes.insert(process.clone(), Mailbox::default());
    }

    pub(super) fn leave(&self, process: &WorkerId) {
        self.lock().mailboxes.remove(process);
    }

    /// Sends an envelope as JSON.
    pub(super) fn send(&self, from: &WorkerId, recipient: &Recipient, envelope: &Envelope) {
        let Ok(letter) = serde_json::to_string(envelope) else { return };
        let now = Instant::now();
        let mut guard = self.lock();
        let State { dice, faults, mailboxes, sent } = &mut *guard;
        for (process, mailbox) in mailboxes {
            let is_meant = match recipient {
                Recipient::Process(meant) => meant == process,
                Recipient::Everyone => from != process,
            };
            if !is_meant || dice.chance(faults.lost) {
                continue;
            }
            for _ in 0..=u64::from(dice.chance(faults.repeated)) {
                if mailbox.bytes + letter.len() > MAX_BYTES && mailbox.bytes > 0 {
                    break;
                }
                *sent += 1;
                mailbox.bytes += letter.len();
                let delay = dice.millis(1 + u64::try_from(faults.delay.as_millis()).unwrap_or(u64::MAX));
                mailbox.on_the_way.insert((now + delay, *sent), letter.clone());
                mailbox.changed.notify_one();
            }
        }
    }

    /// Waits until the next envelope arrives.
    pub(super) async fn receive(&self, process: &WorkerId) -> String {
        loop {
            let (next, changed) = {
                let mut state = self.lock();
                // A process that has left has no mailbox, and waits forever.
                let mut none = Mailbox::default();
                let mailbox = state.mailboxes.get_mut(process).unwrap_or(&mut none);
                let next = mailbox.on_the_way.first_key_value().map(|((at, _), _)| *at);
                if next.is_some_and(|at| at <= Instant::now())
                    && let Some((_, letter)) = mailbox.on_the_way.pop_first()
                {
                    mailbox.bytes -= letter.len();
                    return letter;
                }
                (next, Arc::clone(&mailbox.changed))
            };
            match next {
                Some(at) => tokio::select! {
                    biased;
                    () = changed.notified() => {}
                    () = sleep_until(at) => {}
                },
                None => changed.notified().await,
            }
        }
    }

    /// Waits until the process is not paused.
    pub(super) async fn until_running(&self, process: &WorkerId) {
        loop {
            let changed = match self.lock().mailboxes.get(process) {
                Some(mailbox) if mailbox.is_paused => Arc::clone(&mailbox.changed),
                _ => return,
            };
            changed.notified().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
