//! State of one of the processes that share a store.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use turnkit_core::{BrokerError, LiveTurn, SessionId, Signal, StopReason, Timestamp, TurnId, Watch, WorkerId};

use super::follow_requests::FollowRequests;
use super::mirrors::Mirrors;
use super::watches::Watches;
use super::{Envelope, Message, Recipient};

/// How long an owner with followers may send nothing before it sends a heartbeat.
const HEARTBEAT_AFTER: Duration = Duration::from_secs(1);

/// State machine of one process: the turns it follows, its turns that other processes follow, and the messages to send.
/// The caller passes in the time, and calls [`tick`](Self::tick) a few times per second.
pub struct Node {
    id: WorkerId,
    requests: FollowRequests,
    mirrors: Mirrors,
    watches: Watches,
    outbox: BTreeMap<Recipient, Vec<Message>>,
    sent_at: BTreeMap<WorkerId, Timestamp>,
    /// Waker of the task that sends the envelopes.
    sender: Option<Waker>,
}

/// Actions that an envelope requires of the process, besides sending replies.
#[derive(Default)]
pub struct RequiredActions {
    /// Turns of this process that must stop.
    pub stops: Vec<(TurnId, StopReason)>,
    /// Signals to raise because their sessions have changed.
    pub changed: Vec<Arc<Signal>>,
}

impl Node {
    /// Interval at which to call [`tick`](Self::tick).
    pub const TICK: Duration = Duration::from_millis(250);

    /// Creates the state of a process that follows no turns.
    pub fn new(id: WorkerId) -> Self {
        let (requests, mirrors, watches) = (FollowRequests::default(), Mirrors::default(), Watches::default());
        Self { id, requests, mirrors, watches, outbox: BTreeMap::new(), sent_at: BTreeMap::new(), sender: None }
    }

    /// Follows a turn of another process. When the watch is raised, the caller reads the [`answer`](Self::answer). If
    /// there is none, the caller follows the turn again.
    pub fn follow(&mut self, turn: TurnId, owner: &WorkerId, now: Timestamp) -> Watch {
        let (watch, request) = self.mirrors.follow(turn, owner, now);
        request.into_iter().for_each(|request| self.send(Recipient::Process(owner.clone()), request));
        watch
    }

    /// Returns the mirror of a turn that this process follows, or the reason why there is none; `None` until the owner
    /// has answered.
    pub fn answer(&self, turn: TurnId, owner: &WorkerId) -> Option<Result<Arc<LiveTurn>, BrokerError>> {
        self.mirrors.answer(turn, owner)
    }

    /// Asks the owner of a turn to stop it.
    pub fn stop(&mut self, turn: TurnId, owner: &WorkerId, reason: StopReason) {
        self.send(Recipient::Process(owner.clone()), Message::Stop { turn, reason });
    }

    /// Returns the signal of a session. It is raised at every change that any process announces.
    pub fn changes(&mut self, session: SessionId) -> Arc<Signal> {
        let (signal, announced) = self.watches.watch(session);
        announced.into_iter().for_each(|watch| self.send(Recipient::Everyone, watch));
        signal
    }

    /// Announces that a session has changed. Returns the local signal to raise, if this process watches the session.
    pub fn changed(&mut self, session: SessionId) -> Option<Arc<Signal>> {
        let watchers: Vec<WorkerId> = self.watches.watchers(session).cloned().collect();
        watchers
            .into_iter()
            .for_each(|process| self.send(Recipient::Process(process), Message::SessionChanged(session)));
        self.watches.signal(session)
    }

    /// Handles an envelope from another process. `find` looks up a turn of this process.
    pub fn receive(
        &mut self,
        envelope: Envelope,
        now: Timestamp,
        find: impl Fn(TurnId) -> Option<Arc<LiveTurn>>,
    ) -> RequiredActions {
        let (Envelope { from, messages }, mut required) = (envelope, RequiredActions::default());
        if from == self.id {
            return required;
        }
        self.mirrors.record_contact(&from, now);
        for message in messages {
            let reply = match message {
                Message::Follow(request) => self.requests.add(&from, request, find(request.turn), now),
                Message::Operations(batch) => self.mirrors.apply(&from, batch, now),
                Message::Leave(turn) => {
                    self.requests.remove(&from, turn);
                    None
                }
                Message::Unknown(turn) => {
                    self.mirrors.unknown(&from, turn);
                    None
                }
                Message::Heartbeat => None,
                Message::Stop { turn, reason } => {
                    required.stops.push((turn, reason));
                    None
                }
                Message::Watch(sessions) => {
                    self.watches.add_remote(&from, sessions, now);
                    None
                }
                Message::SessionChanged(session) => {
                    required.changed.extend(self.watches.signal(session));
                    None
                }
            };
            reply.into_iter().for_each(|reply| self.send(Recipient::Process(from.clone()), reply));
        }
        // A newly followed turn has operations to send.
        self.wake_sender();
        required
    }

    /// Renews follow requests and watches, ends those that were not renewed, and sends a heartbeat to followers.
    pub fn tick(&mut self, now: Timestamp) {
        let mut asked = Vec::new();
        self.mirrors.tick(now, |owner, message| asked.push((Recipient::Process(owner.clone()), message)));
        asked.extend(self.watches.tick(now).map(|watch| (Recipient::Everyone, watch)));
        self.requests.expire(now);
        let silent = |process: &&WorkerId| {
            self.sent_at.get(*process).is_none_or(|sent_at| now.since(*sent_at) >= HEARTBEAT_AFTER)
        };
        let mut followers: Vec<WorkerId> = self.requests.followers().filter(silent).cloned().collect();
        followers.dedup();
        self.sent_at.retain(|_, sent_at| now.since(*sent_at) < HEARTBEAT_AFTER);
        asked.extend(followers.into_iter().map(|process| (Recipient::Process(process), Message::Heartbeat)));
        asked.into_iter().for_each(|(recipient, message)| self.send(recipient, message));
    }

    /// Returns the envelopes to send, one for each recipient. The task is woken when there are more.
    pub fn poll_envelopes(&mut self, now: Timestamp, context: &mut Context<'_>) -> Poll<Vec<(Recipient, Envelope)>> {
        let Self { requests, outbox, .. } = self;
        requests.poll(context, |process, message| {
            outbox.entry(Recipient::Process(process.clone())).or_default().push(message);
        });
        if self.outbox.is_empty() {
            self.sender = Some(context.waker().clone());
            return Poll::Pending;
        }
        let outbox = mem::take(&mut self.outbox);
        for recipient in outbox.keys() {
            if let Recipient::Process(process) = recipient {
                self.sent_at.insert(process.clone(), now);
            }
        }
        let envelope = |messages| Envelope { from: self.id.clone(), messages };
        Poll::Ready(outbox.into_iter().map(|(recipient, messages)| (recipient, envelope(messages))).collect())
    }

    fn send(&mut self, recipient: Recipient, message: Message) {
        self.outbox.entry(recipient).or_default().push(message);
        self.wake_sender();
    }

    fn wake_sender(&mut self) {
        self.sender.take().into_iter().for_each(Waker::wake);
    }
}
