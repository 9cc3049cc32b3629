//! Idle connections that wait for their next request.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::ClientOptions;
use crate::connection::Connection;

/// The idle connections of a client, by origin: scheme, host and port. No task monitors them: expired connections are
/// closed when the next one is taken or put back.
#[derive(Debug)]
pub(crate) struct Pool {
    idle: Mutex<HashMap<Arc<str>, Waiting>>,
    timeout: Duration,
    per_host: usize,
}

/// The idle connections of one origin, in the order they were put back.
type Waiting = VecDeque<Idle>;

#[derive(Debug)]
struct Idle {
    connection: Connection,
    since: Instant,
}

impl Pool {
    pub(crate) fn new(options: &ClientOptions) -> Self {
        Self { idle: Mutex::default(), timeout: options.idle_timeout, per_host: options.idle_per_host }
    }

    /// Takes the most recently used connection to `origin` that is still open.
    pub(crate) fn take(&self, origin: &str) -> Option<Connection> {
        std::iter::from_fn(|| self.last(origin)).find_map(|mut connection| connection.is_ready().then_some(connection))
    }

    /// Keeps a connection if it can be reused.
    pub(crate) fn put(&self, origin: &Arc<str>, mut connection: Connection) {
        if !connection.is_ready() {
            return;
        }
        let mut idle = self.lock();
        let mut closed = self.expired(&mut idle);
        let waiting = idle.entry(Arc::clone(origin)).or_default();
        waiting.push_back(Idle { connection, since: Instant::now() });
        if waiting.len() > self.per_host {
            closed.extend(waiting.pop_front());
        }
        idle.retain(|_, waiting| !waiting.is_empty());
        // Release the lock before closing the sockets.
        drop(idle);
        drop(closed);
    }

    fn last(&self, origin: &str) -> Option<Connection> {
        let mut idle = self.lock();
        let closed = self.expired(&mut idle);
        let last = idle.get_mut(origin).and_then(VecDeque::pop_back);
        drop(idle);
        drop(closed);
        last.map(|idle| idle.connection)
    }

    /// Removes connections that have been idle for too long.
    fn expired(&self, idle: &mut HashMap<Arc<str>, Waiting>) -> Vec<Idle> {
        let now = Instant::now();
        let mut expired = Vec::new();
        for waiting in idle.values_mut() {
            while let Some(first) = waiting.pop_front_if(|first| now - first.since >= self.timeout) {
                expired.push(first);
            }
        }
        expired
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, Waiting>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
