//! Mirrors of turns that run in other processes.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use turnkit_core::{
    BrokerError, Fence, LiveTurn, LogBatch, LogPosition, Mirror, MirrorError, Signal, Timestamp, TurnId, TurnLog,
    Watch, WorkerId,
};

use super::{FollowRequest, Message};

/// Interval between renewals of a follow request.
const RENEWAL_INTERVAL: Duration = Duration::from_secs(5);
/// How long to wait for an answer before the request is sent again.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(500);
/// How long an owner may be silent before its turns are given up and their followers look for another owner.
const OWNER_TIMEOUT: Duration = Duration::from_secs(2);
/// How long a mirror without followers is kept.
const UNUSED_TTL: Duration = Duration::from_secs(5);

/// Mirrors by turn, and the time of the last envelope from each of their owners.
#[derive(Debug, Default)]
pub(super) struct Mirrors {
    followed: BTreeMap<TurnId, Followed>,
    last_contact: BTreeMap<WorkerId, Timestamp>,
}

#[derive(Debug)]
struct Followed {
    owner: WorkerId,
    answer: Answer,
    /// Set when operations are missing.
    is_behind: bool,
    begun_at: Timestamp,
    asked_at: Timestamp,
    /// When the mirror was last seen with a follower.
    used_at: Timestamp,
    /// Raised when the answer is known.
    answered: Arc<Signal>,
}

#[derive(Debug)]
enum Answer {
    Pending,
    Mirror(Mirror),
    /// The process that was asked does not run the turn.
    Unknown,
}

impl Mirrors {
    /// Follows a turn. The watch is raised when the [`answer`](Self::answer) is known. Returns the message to send to
    /// the owner, unless a request is already pending.
    pub(super) fn follow(&mut self, turn: TurnId, owner: &WorkerId, now: Timestamp) -> (Watch, Option<Message>) {
        if let Some(followed) = self.followed.get_mut(&turn).filter(|followed| followed.serves(owner)) {
            followed.used_at = now;
            return (followed.answered.watch(), None);
        }
        let followed = Followed {
            owner: owner.clone(),
            answer: Answer::Pending,
            is_behind: false,
            begun_at: now,
            asked_at: now,
            used_at: now,
            answered: Signal::new(),
        };
        let (watch, request) = (followed.answered.watch(), followed.request(turn));
        if let Some(mut before) = self.followed.insert(turn, followed) {
            before.give_up();
        }
        (watch, Some(request))
    }

    /// Returns the mirror of a followed turn, or the reason why there is none; `None` while the answer is pending.
    pub(super) fn answer(&self, turn: TurnId, owner: &WorkerId) -> Option<Result<Arc<LiveTurn>, BrokerError>> {
        match self.followed.get(&turn).filter(|followed| followed.owner == *owner).map(|followed| &followed.answer) {
            Some(Answer::Pending) => None,
            Some(Answer::Mirror(mirror)) => Some(Ok(Arc::clone(mirror.live()))),
            Some(Answer::Unknown) => Some(Err(BrokerError::NotOwner(owner.clone()))),
            None => Some(Err(BrokerError::Unreachable(owner.clone()))),
        }
    }

    /// Records that an envelope from a process arrived.
    pub(super) fn record_contact(&mut self, from: &WorkerId, now: Timestamp) {
        if self.followed.values().any(|followed| followed.owner == *from) {
            self.last_contact.insert(from.clone(), now);
        }
    }

    /// Applies operations of a turn to its mirror. Returns the message to send to the owner: a follow request if
    /// operations are missing, or a leave if the turn has ended.
    pub(super) fn apply(&mut self, from: &WorkerId, batch: LogBatch, now: Timestamp) -> Option<Message> {
        let turn = batch.turn;
        let followed = self.followed.get_mut(&turn).filter(|followed| followed.owner == *from && followed.is_open())?;
        let (before, was_behind) = (followed.position(), followed.is_behind);
        let applied = match &mut followed.answer {
            Answer::Mirror(mirror) => mirror.apply(batch),
            Answer::Pending => Mirror::begin(batch).map(|mirror| {
                followed.answer = Answer::Mirror(mirror);
                followed.used_at = now;
                followed.answered.raise();
            }),
            Answer::Unknown => return None,
        };
        match applied {
            Ok(()) => {
                // A repeated batch does not fill the gap.
                followed.is_behind &= followed.position() == before;
                (!followed.is_open()).then_some(Message::Leave(turn))
            }
            Err(MirrorError::Gap { .. }) => {
                followed.is_behind = true;
                (!was_behind).then(|| followed.ask(turn, now))
            }
            // The mirror has ended. Its followers look up the owner and find this one out of date.
            Err(MirrorError::OtherOwner(_) | MirrorError::Misfit(_)) => {
                if let Some(mut followed) = self.followed.remove(&turn) {
                    followed.give_up();
                }
                None
            }
        }
    }

    /// Records that a process does not run the turn.
    pub(super) fn unknown(&mut self, from: &WorkerId, turn: TurnId) {
        let Some(followed) = self.followed.get_mut(&turn).filter(|followed| followed.owner == *from) else { return };
        followed.give_up();
    }

    /// Removes mirrors without followers and those of silent owners. Passes requests that are due for renewal to
    /// `send`.
    pub(super) fn tick(&mut self, now: Timestamp, mut send: impl FnMut(&WorkerId, Message)) {
        let last_contact = &self.last_contact;
        self.followed.retain(|turn, followed| {
            let heard_at = last_contact.get(&followed.owner).copied().unwrap_or_default().max(followed.begun_at);
            if followed.is_over(now) || (followed.is_open() && now.since(heard_at) >= OWNER_TIMEOUT) {
                followed.end(|owner| send(owner, Message::Leave(*turn)));
                return false;
            }
            let due = if followed.is_waiting() { ANSWER_TIMEOUT } else { RENEWAL_INTERVAL };
            if followed.is_open() && now.since(followed.asked_at) >= due {
                let request = followed.ask(*turn, now);
                send(&followed.owner, request);
            }
            true
        });
        let followed = &self.followed;
        self.last_contact.retain(|owner, _| followed.values().any(|followed| followed.owner == *owner));
    }
}

impl Followed {
    /// Reports whether another follower can join this mirror. If not, the owner must be asked again.
    fn serves(&self, owner: &WorkerId) -> bool {
        let is_usable = match &self.answer {
            Answer::Pending => true,
            Answer::Mirror(mirror) => !mirror.live().is_closed() || mirror.live().read(TurnLog::has_ended),
            Answer::Unknown => false,
        };
        self.owner == *owner && is_usable
    }

    /// Reports whether the owner is still expected to send operations.
    fn is_open(&self) -> bool {
        match &self.answer {
            Answer::Pending => true,
            Answer::Mirror(mirror) => !mirror.live().is_closed(),
            Answer::Unknown => false,
        }
    }

    fn is_waiting(&self) -> bool {
        self.is_behind || matches!(self.answer, Answer::Pending)
    }

    /// Reports whether the mirror has had no follower for so long that none is expected.
    fn is_over(&mut self, now: Timestamp) -> bool {
        if matches!(&self.answer, Answer::Mirror(mirror) if mirror.live().follower_counts().current > 0) {
            self.used_at = now;
        }
        now.since(self.used_at) >= UNUSED_TTL
    }

    fn ask(&mut self, turn: TurnId, now: Timestamp) -> Message {
        self.asked_at = now;
        self.request(turn)
    }

    fn request(&self, turn: TurnId) -> Message {
        let fence = match &self.answer {
            Answer::Mirror(mirror) => mirror.live().read(TurnLog::fence),
            Answer::Pending | Answer::Unknown => Fence::default(),
        };
        Message::Follow(FollowRequest { turn, fence, after: self.position() })
    }

    fn position(&self) -> LogPosition {
        match &self.answer {
            Answer::Mirror(mirror) => mirror.position(),
            Answer::Pending | Answer::Unknown => LogPosition::default(),
        }
    }

    /// Detaches the mirror, so that its followers look for the owner again, and wakes the callers that await the answer.
    fn give_up(&mut self) {
        if let Answer::Mirror(mirror) = std::mem::replace(&mut self.answer, Answer::Unknown) {
            mirror.detach();
        }
        self.answered.raise();
    }

    fn end(&mut self, leave: impl FnOnce(&WorkerId)) {
        let is_open = self.is_open();
        self.give_up();
        if is_open {
            leave(&self.owner);
        }
    }
}
