//! Changes of users' sessions and interactions, for their followers.
//!
//! Only changes by this process are reported. If several processes share a store, a follower also needs those of the
//! others, which the broker would have to carry like the changes of sessions.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use turnkit_core::{Scope, SessionId, Signal, Watch};

/// The most changes that are kept for a follower that does not read them.
const MAX_UNREAD: usize = 1024;

/// A change of a user's sessions or interactions. It does not contain the new state, which is read from the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UserChange {
    /// The session was created or changed, or a turn of it began or ended.
    Session(SessionId),
    /// The session was deleted.
    Removed(SessionId),
    /// The open interactions have changed.
    Interactions,
    /// Open interactions of this session have expired. The session may belong to another user.
    Expired(SessionId),
    /// More changes than could be kept.
    Missed,
}

/// The followers of users. Reporting a change to nobody costs a single load.
#[derive(Default)]
pub(super) struct UserChanges {
    followers: Mutex<HashMap<Scope, Vec<Arc<Mailbox>>>>,
    /// The number of followers.
    count: AtomicUsize,
}

/// The changes that a follower has not read.
#[derive(Default)]
pub(super) struct Mailbox {
    unread: Mutex<VecDeque<UserChange>>,
    signal: Arc<Signal>,
}

impl UserChanges {
    /// Adds a follower of a user, until it is [removed](Self::remove).
    pub(super) fn add(&self, scope: &Scope) -> Arc<Mailbox> {
        let mailbox = Arc::<Mailbox>::default();
        self.lock().entry(scope.clone()).or_default().push(Arc::clone(&mailbox));
        self.count.fetch_add(1, Ordering::SeqCst);
        mailbox
    }

    /// Removes a follower.
    pub(super) fn remove(&self, scope: &Scope, mailbox: &Arc<Mailbox>) {
        self.count.fetch_sub(1, Ordering::SeqCst);
        let mut followers = self.lock();
        let Some(of_user) = followers.get_mut(scope) else { return };
        of_user.retain(|other| !Arc::ptr_eq(other, mailbox));
        if of_user.is_empty() {
            followers.remove(scope);
        }
    }

    /// Reports a change to the followers of its user. The change is already stored.
    pub(super) fn report(&self, scope: &Scope, change: UserChange) {
        if !self.has_followers() {
            return;
        }
        let of_user = self.lock().get(scope).cloned().unwrap_or_default();
        of_user.iter().for_each(|mailbox| mailbox.put(change));
    }

    /// Reports that open interactions of a session have expired, to the followers of all users.
    pub(super) fn report_expired(&self, session: SessionId) {
        if !self.has_followers() {
            return;
        }
        let of_all: Vec<_> = self.lock().values().flatten().cloned().collect();
        of_all.iter().for_each(|mailbox| mailbox.put(UserChange::Expired(session)));
    }

    /// Reports whether there is any follower.
    pub(super) fn has_followers(&self) -> bool {
        self.count.load(Ordering::SeqCst) > 0
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Scope, Vec<Arc<Mailbox>>>> {
        self.followers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Mailbox {
    /// Starts a watch for new changes.
    pub(super) fn watch(&self) -> Watch {
        self.signal.watch()
    }

    /// Takes the oldest change.
    pub(super) fn take(&self) -> Option<UserChange> {
        self.lock().pop_front()
    }

    /// Adds a change, unless the follower will read about it anyway.
    fn put(&self, change: UserChange) {
        {
            let mut unread = self.lock();
            if unread.contains(&change) || unread.contains(&UserChange::Missed) {
                return;
            }
            if unread.len() == MAX_UNREAD {
                unread.clear();
                unread.push_back(UserChange::Missed);
            } else {
                unread.push_back(change);
            }
        }
        self.signal.raise();
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<UserChange>> {
        self.unread.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn session(number: u128) -> SessionId {
        SessionId(Uuid::from_u128(number))
    }

    fn unread(mailbox: &Mailbox) -> Vec<UserChange> {
        std::iter::from_fn(|| mailbox.take()).collect()
    }

    #[test]
    fn a_change_is_reported_to_the_followers_of_its_user_and_once_until_it_is_read() {
        let (changes, [ada, bob]) = (UserChanges::default(), ["ada", "bob"].map(|user| Scope::new("local", user)));
        changes.report(&ada, UserChange::Interactions);
        let mailboxes = [changes.add(&ada), changes.add(&ada), changes.add(&bob)];
        let reported = [UserChange::Session(session(1)), UserChange::Interactions, UserChange::Removed(session(1))];
        for change in reported.iter().chain(&reported) {
            changes.report(&ada, *change);
        }
        assert_eq!(mailboxes.each_ref().map(|mailbox| unread(mailbox)), [reported.to_vec(), reported.to_vec(), vec![]]);
        changes.remove(&ada, &mailboxes[0]);
        changes.report(&ada, UserChange::Interactions);
        changes.report_expired(session(2));
        let expired = UserChange::Expired(session(2));
        let expected = [vec![], vec![UserChange::Interactions, expired], vec![expired]];
        assert_eq!(mailboxes.each_ref().map(|mailbox| unread(mailbox)), expected);
        changes.remove(&ada, &mailboxes[1]);
        changes.remove(&bob, &mailboxes[2]);
        assert!(!changes.has_followers() && changes.lock().is_empty());
    }

    #[test]
    fn a_follower_that_does_not_read_is_told_that_it_missed_changes() {
        let (changes, scope) = (UserChanges::default(), Scope::local());
        let mailbox = changes.add(&scope);
        for number in 0..10_000 {
            changes.report(&scope, UserChange::Session(session(number)));
            assert!(mailbox.lock().len() <= MAX_UNREAD);
        }
        assert_eq!(unread(&mailbox), [UserChange::Missed]);
    }
}
