//! The keys of an issuer, kept in memory and read again when they are needed.
//!
//! No task refreshes the keys: the requests that need them do. Requests that need the same keys wait for one read, and
//! if the client of one of them disconnects, the others continue it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};
use tokio::time::Instant;

use super::discovery::{KeyReader, KeySetError};
use super::error::TokenError;
use super::key::Keys;

/// The age at which keys are read again.
const FRESH: Duration = Duration::from_secs(10 * 60);
/// The age up to which keys are used while they cannot be read again.
const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);
/// The least time between two reads, so that tokens with unknown keys cannot make this server flood the issuer.
const INTERVAL: Duration = Duration::from_secs(60);
/// The least time between two reads while there are no keys at all.
const RETRY: Duration = Duration::from_secs(5);
/// The time after which a read whose clients have all disconnected is continued by the next request.
const ABANDONED: Duration = Duration::from_secs(10);

type Reading = Shared<BoxFuture<'static, Result<Arc<Keys>, KeySetError>>>;

/// The keys of an issuer.
pub(super) struct KeySet {
    reader: KeyReader,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    current: Option<Current>,
    /// The read in progress.
    reading: Option<Reading>,
    /// When the last read began.
    began: Option<Instant>,
}

/// The keys that were read last.
#[derive(Clone)]
struct Current {
    keys: Arc<Keys>,
    at: Instant,
}

impl KeySet {
    pub(super) fn new(reader: KeyReader) -> Self {
        Self { reader, state: Mutex::default() }
    }

    /// Returns the keys to verify a token with. Keys that are older than [`FRESH`] are read again first, but if that
    /// fails they are returned all the same.
    pub(super) async fn current(&self) -> Result<Arc<Keys>, TokenError> {
        let now = Instant::now();
        let (known, reading) = {
            let mut state = self.lock();
            let known = state.current.clone().filter(|current| now < current.at + MAX_AGE);
            let reading = match &known {
                Some(current) if now < current.at + FRESH => None,
                // One request waits for the read. The others need not: their keys are good.
                Some(_) if state.is_awaited(now) => None,
                Some(_) => self.read(&mut state, now, INTERVAL),
                None => self.read(&mut state, now, RETRY),
            };
            (known, reading)
        };
        let read = match reading {
            Some(reading) => self.finish(reading).await,
            None => None,
        };
        read.or(known.map(|current| current.keys)).ok_or_else(|| self.unavailable())
    }

    /// Returns keys that are newer than `known`, if they can be read. At most one read begins in each [`INTERVAL`].
    pub(super) async fn newer_than(&self, known: &Arc<Keys>) -> Option<Arc<Keys>> {
        let reading = {
            let mut state = self.lock();
            let current = state.current.as_ref().map(|current| Arc::clone(&current.keys));
            if let Some(newer) = current.filter(|current| !Arc::ptr_eq(current, known)) {
                return Some(newer);
            }
            self.read(&mut state, Instant::now(), INTERVAL)?
        };
        self.finish(reading).await
    }

    /// Returns the read in progress, or begins one if the last began at least `interval` ago.
    fn read(&self, state: &mut State, now: Instant, interval: Duration) -> Option<Reading> {
        if let Some(reading) = &state.reading {
            return Some(reading.clone());
        }
        if state.began.is_some_and(|began| now < began + interval) {
            return None;
        }
        let reader = self.reader.clone();
        let reading = async move { reader.read().await.map(Arc::new) }.boxed().shared();
        (state.began, state.reading) = (Some(now), Some(reading.clone()));
        Some(reading)
    }

    /// Waits for the end of a read, and keeps its keys.
    async fn finish(&self, reading: Reading) -> Option<Arc<Keys>> {
        let read = reading.clone().await;
        let mut state = self.lock();
        // The first request that sees the end keeps the keys.
        let is_first = state.reading.as_ref().is_some_and(|current| current.ptr_eq(&reading));
        if is_first {
            state.reading = None;
        }
        match &read {
            Ok(keys) if is_first => state.current = Some(Current { keys: Arc::clone(keys), at: Instant::now() }),
            Err(error) if is_first => tracing::warn!(%error, "cannot read the keys of the token issuer"),
            _ => {}
        }
        read.ok()
    }

    fn unavailable(&self) -> TokenError {
        let began = self.lock().began;
        let wait = |began: Instant| (began + RETRY).saturating_duration_since(Instant::now());
        TokenError::Unavailable { retry_after: began.map_or(RETRY, wait) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Reports whether a read is in progress that a request waits for.
    fn is_awaited(&self, now: Instant) -> bool {
        self.reading.is_some() && self.began.is_some_and(|began| now < began + ABANDONED)
    }
}
