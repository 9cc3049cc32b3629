//! The tokens of several callers.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

use super::slot::Slot;
use super::subject_token::SubjectToken;

/// The largest number of callers whose tokens are kept.
const MAX_SUBJECTS: usize = 256;
/// How long the tokens of a caller are kept without use.
const MAX_IDLE: Duration = Duration::from_secs(5 * 60);

/// The slots of the most recent callers, by the SHA-256 of their own tokens. No task removes old ones: that happens at
/// the next use.
#[derive(Default)]
pub(super) struct Subjects {
    entries: Mutex<HashMap<[u8; 32], Entry>>,
}

struct Entry {
    slot: Arc<Slot>,
    used_at: Instant,
    /// The end of the caller's own token, if it is known.
    ends_at: Option<Instant>,
}

impl Subjects {
    /// Returns the slot of a caller; `None` if its own token has expired.
    pub(super) fn slot(&self, subject: &SubjectToken<'_>) -> Option<Arc<Slot>> {
        let now = Instant::now();
        let key: [u8; 32] = Sha256::digest(subject.text).into();
        let mut entries = self.lock();
        let mut dropped: Vec<Entry> =
            entries.extract_if(|_, entry| !entry.is_kept(now)).map(|(_, entry)| entry).collect();
        let slot = if has_ended(subject.ends_at, now) {
            dropped.extend(entries.remove(&key));
            None
        } else {
            if entries.len() >= MAX_SUBJECTS && !entries.contains_key(&key) {
                let oldest = entries.iter().min_by_key(|(_, entry)| entry.used_at).map(|(key, _)| *key);
                dropped.extend(oldest.and_then(|oldest| entries.remove(&oldest)));
            }
            let new = || Entry { slot: Arc::default(), used_at: now, ends_at: None };
            let entry = entries.entry(key).or_insert_with(new);
            entry.used_at = now;
            entry.ends_at = entry.ends_at.into_iter().chain(subject.ends_at).min();
            Some(Arc::clone(&entry.slot))
        };
        // Release the lock before ending the tasks of dropped entries.
        drop(entries);
        drop(dropped);
        slot
    }

    /// Returns the slots of all callers.
    pub(super) fn slots(&self) -> Vec<Arc<Slot>> {
        self.lock().values().map(|entry| Arc::clone(&entry.slot)).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<[u8; 32], Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Entry {
    fn is_kept(&self, now: Instant) -> bool {
        now < self.used_at + MAX_IDLE && !has_ended(self.ends_at, now)
    }
}

fn has_ended(ends_at: Option<Instant>, now: Instant) -> bool {
    ends_at.is_some_and(|end| end <= now)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_kept(subjects: &Subjects, token: &str, slot: &Arc<Slot>) -> bool {
        Arc::ptr_eq(&subjects.slot(&SubjectToken::new(token)).unwrap(), slot)
    }

    #[tokio::test(start_paused = true)]
    async fn the_caller_that_was_idle_longest_makes_room() {
        let subjects = Subjects::default();
        let slot = |number: usize| subjects.slot(&SubjectToken::new(&format!("token-{number}"))).unwrap();
        let (first, second) = (slot(0), slot(1));
        for number in 2..MAX_SUBJECTS {
            tokio::time::advance(Duration::from_millis(1)).await;
            slot(number);
        }
        assert!(is_kept(&subjects, "token-0", &first));
        slot(MAX_SUBJECTS);
        assert_eq!(subjects.slots().len(), MAX_SUBJECTS);
        assert!(is_kept(&subjects, "token-0", &first));
        assert!(!is_kept(&subjects, "token-1", &second));
    }

    #[tokio::test(start_paused = true)]
    async fn a_caller_is_forgotten_when_idle_or_when_its_own_token_ends() {
        for (left, after, expected) in [
            (None, 299, true),
            (None, 300, false),
            (Some(60), 59, true),
            (Some(60), 60, false),
            (Some(u64::MAX), 299, true),
        ] {
            let (subjects, new) = (Subjects::default(), SubjectToken::new("token"));
            let subject = left.map_or(new, |left| new.valid_for(Duration::from_secs(left)));
            let slot = subjects.slot(&subject).unwrap();
            tokio::time::advance(Duration::from_secs(after)).await;
            assert_eq!(is_kept(&subjects, "token", &slot), expected, "{left:?} {after}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_expired_caller_has_no_slot_and_the_earliest_known_end_counts() {
        let (subjects, new) = (Subjects::default(), SubjectToken::new("token"));
        let slot = subjects.slot(&new.valid_for(Duration::from_secs(60))).unwrap();
        assert!(is_kept(&subjects, "token", &slot));
        tokio::time::advance(Duration::from_secs(60)).await;
        assert!(!is_kept(&subjects, "token", &slot));
        assert!(subjects.slot(&new.valid_for(Duration::ZERO)).is_none());
        assert!(subjects.slots().is_empty());
    }
}
