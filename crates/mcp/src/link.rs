//! The connection to a server on behalf of one owner, opened when it is needed.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::connection::Connection;
use crate::endpoint::Endpoint;
use crate::failure::{RequestFailure, StartFault};
use crate::flight::Flight;
use crate::secrets::Secrets;
use crate::settings::McpServerSettings;
use crate::text::seconds;

/// The shortest and the longest time between a failure and the next start.
const BACKOFF: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));
/// How long a connection must have existed for its end to be no failure of the server.
const STABLE: Duration = Duration::from_secs(60);

/// The connection to a server on behalf of one owner. The first caller opens it, and others wait for the same start. A
/// failed start is not repeated before some time has passed.
pub(crate) struct Link {
    settings: Arc<McpServerSettings>,
    name: Arc<str>,
    endpoint: Endpoint,
    secrets: Secrets,
    state: Mutex<State>,
}

struct State {
    phase: Phase,
    /// The number of starts, which tells the result of an earlier one apart.
    starts: u64,
    /// The number of failures since the last connection that was stable.
    failures: u32,
    used: Instant,
}

enum Phase {
    Idle,
    Starting(Flight<Started>),
    Ready(Arc<Connection>),
    Failing { why: Arc<str>, retry_at: Instant },
}

type Started = Result<Arc<Connection>, FailedStart>;

/// A start that failed.
#[derive(Clone)]
struct FailedStart {
    why: Arc<str>,
    /// Whether there was no access token, which says nothing about the server.
    lacks_token: bool,
}

/// The reason for which a server cannot be used now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unavailable {
    pub(crate) why: Arc<str>,
    /// When the server is started again at the earliest.
    pub(crate) retry_in: Duration,
}

/// The state of a connection, for operators.
pub(crate) enum LinkStatus {
    Idle,
    Starting,
    Ready(Arc<Connection>),
    Failing(Unavailable),
}

/// The connection for a caller: it is open, is being started, or is unavailable for now.
enum Acquired {
    Open(Arc<Connection>),
    Starting(u64, Flight<Started>),
    Unavailable(Unavailable),
}

impl Link {
    pub(crate) fn new(settings: Arc<McpServerSettings>, endpoint: Endpoint) -> Self {
        let name = settings.name().into();
        let state = State { phase: Phase::Idle, starts: 0, failures: 0, used: Instant::now() };
        Self { settings, name, secrets: endpoint.secrets.clone(), endpoint, state: Mutex::new(state) }
    }

    /// Returns the connection if it is open now.
    pub(crate) fn open(&self) -> Option<Arc<Connection>> {
        match &self.lock().phase {
            Phase::Ready(connection) if connection.is_open() => Some(Arc::clone(connection)),
            _ => None,
        }
    }

    /// Returns the open connection, after a start if there is none.
    ///
    /// # Errors
    /// The server cannot be used now.
    pub(crate) async fn connection(self: &Arc<Self>) -> Result<Arc<Connection>, Unavailable> {
        self.record_use();
        // A user who has no token now may have one a moment later, so this is no failure of the server.
        self.endpoint.check_caller().map_err(|missing| Unavailable::now(&missing))?;
        let (start, flight) = match self.acquire() {
            Acquired::Open(connection) => return Ok(connection),
            Acquired::Starting(start, flight) => (start, flight),
            Acquired::Unavailable(unavailable) => return Err(unavailable),
        };
        match flight.result().await {
            Some(Ok(connection)) => Ok(connection),
            Some(Err(failed)) => Err(self.lock().unavailable(failed.why)),
            None => {
                let why: Arc<str> = "its start was interrupted".into();
                self.finish(start, Err(FailedStart { why: Arc::clone(&why), lacks_token: false }));
                Err(self.lock().unavailable(why))
            }
        }
    }

    /// Waits until there is an access token for the next request, if the server needs one.
    ///
    /// # Errors
    /// There is no token, so the request cannot be sent.
    pub(crate) async fn wait_for_token(&self) -> Result<(), RequestFailure> {
        self.endpoint.wait_for_token().await.map_err(|failure| RequestFailure::without_token(&failure))
    }

    fn acquire(self: &Arc<Self>) -> Acquired {
        let mut state = self.lock();
        if let Phase::Ready(connection) = &state.phase {
            if connection.is_open() {
                return Acquired::Open(Arc::clone(connection));
            }
            let age = connection.age();
            state.end(age, "the server closes its connections soon after they are opened");
        }
        match &state.phase {
            Phase::Starting(flight) => Acquired::Starting(state.starts, flight.clone()),
            Phase::Failing { why, retry_at } if Instant::now() < *retry_at => {
                Acquired::Unavailable(state.unavailable(Arc::clone(why)))
            }
            _ => {
                state.starts += 1;
                let flight = self.start(state.starts);
                state.phase = Phase::Starting(flight.clone());
                Acquired::Starting(state.starts, flight)
            }
        }
    }

    fn start(self: &Arc<Self>, start: u64) -> Flight<Started> {
        let (link, endpoint) = (Arc::downgrade(self), self.endpoint.clone());
        let (name, limit, secrets) = (Arc::clone(&self.name), self.settings.start_timeout, self.secrets.clone());
        Flight::start(async move {
            let started = Connection::start(&endpoint, &name, limit).await;
            let started: Started = started.map(Arc::new).map_err(|failure| FailedStart {
                why: secrets.removed(failure.why).into(),
                lacks_token: failure.fault == StartFault::NoToken,
            });
            if let Some(link) = link.upgrade() {
                link.finish(start, started.clone());
            }
            started
        })
    }

    fn finish(&self, start: u64, started: Started) {
        let mut state = self.lock();
        if state.starts != start || !matches!(state.phase, Phase::Starting(_)) {
            return;
        }
        match started {
            Ok(connection) => state.phase = Phase::Ready(connection),
            // The source of tokens has pauses of its own.
            Err(failed) if failed.lacks_token => state.fail_until_asked(failed.why),
            Err(failed) => state.fail(failed.why),
        }
    }

    /// Gives up a connection that is of no further use, so that the next caller gets another one.
    pub(crate) fn lost(&self, connection: &Arc<Connection>) {
        let mut state = self.lock();
        if state.is_ready(connection) {
            state.end(connection.age(), "the server ends its sessions soon after they have begun");
        }
    }

    /// Gives up a connection because the server failed. It is not used before the next start.
    pub(crate) fn failed(&self, connection: &Arc<Connection>, why: &str) -> Unavailable {
        let why: Arc<str> = self.secrets.removed(why).into();
        let mut state = self.lock();
        if state.is_ready(connection) {
            state.give_up(connection.age(), Arc::clone(&why));
        }
        state.unavailable(why)
    }

    /// Gives up a connection because there is no access token for its requests. That is no failure of the server, so
    /// the next caller starts it again at once.
    pub(crate) fn lacks_token(&self, connection: &Arc<Connection>, why: &str) -> Unavailable {
        let why: Arc<str> = self.secrets.removed(why).into();
        let mut state = self.lock();
        if state.is_ready(connection) {
            state.fail_until_asked(Arc::clone(&why));
        }
        state.unavailable(why)
    }

    /// Records that the connection is used now.
    pub(crate) fn record_use(&self) {
        self.lock().used = Instant::now();
    }

    /// Returns when the connection was used last. As long as a call is running, that is now.
    pub(crate) fn last_use(&self) -> Instant {
        let mut state = self.lock();
        if matches!(&state.phase, Phase::Ready(connection) if Arc::strong_count(connection) > 1) {
            state.used = Instant::now();
        }
        state.used
    }

    /// Closes the connection, although its tools may still be held. Calls that are running keep it open until they end,
    /// and the next call opens another one. A failed start is not repeated earlier.
    pub(crate) fn close(&self) {
        let state = self.lock();
        if !matches!(state.phase, Phase::Failing { .. }) {
            close(state);
        }
    }

    /// Closes the connection like [`close`](Self::close), and forgets failures, so that the next caller starts the
    /// server.
    pub(crate) fn reset(&self) {
        let mut state = self.lock();
        state.failures = 0;
        close(state);
    }

    /// Returns the state of the connection.
    pub(crate) fn status(&self) -> LinkStatus {
        let state = self.lock();
        match &state.phase {
            Phase::Idle => LinkStatus::Idle,
            Phase::Starting(_) => LinkStatus::Starting,
            Phase::Ready(connection) if connection.is_open() => LinkStatus::Ready(Arc::clone(connection)),
            Phase::Ready(_) => LinkStatus::Idle,
            Phase::Failing { why, .. } => LinkStatus::Failing(state.unavailable(Arc::clone(why))),
        }
    }

    /// Returns the credentials that are sent to the server.
    pub(crate) fn secrets(&self) -> &Secrets {
        &self.secrets
    }

    /// Returns the settings of the server.
    pub(crate) fn settings(&self) -> &McpServerSettings {
        &self.settings
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn close(mut state: MutexGuard<'_, State>) {
    let closed = std::mem::replace(&mut state.phase, Phase::Idle);
    drop(state);
    // After the lock is free, because it may end a program.
    drop(closed);
}

impl State {
    fn is_ready(&self, connection: &Arc<Connection>) -> bool {
        matches!(&self.phase, Phase::Ready(current) if Arc::ptr_eq(current, connection))
    }

    /// Records that a connection has ended. The first one that ends early is replaced at once.
    fn end(&mut self, age: Duration, why: &str) {
        if age >= STABLE {
            self.failures = 0;
        } else if self.failures > 0 {
            return self.fail(why.into());
        } else {
            self.failures = 1;
        }
        self.phase = Phase::Idle;
    }

    /// Records that the server has failed over a connection of this age.
    fn give_up(&mut self, age: Duration, why: Arc<str>) {
        if age >= STABLE {
            self.failures = 0;
        }
        self.fail(why);
    }

    fn fail(&mut self, why: Arc<str>) {
        self.failures = self.failures.saturating_add(1);
        self.phase = Phase::Failing { why, retry_at: Instant::now() + backoff(self.failures) };
    }

    /// Records a failure that is not that of the server, which is started again for the next caller.
    fn fail_until_asked(&mut self, why: Arc<str>) {
        self.phase = Phase::Failing { why, retry_at: Instant::now() };
    }

    fn unavailable(&self, why: Arc<str>) -> Unavailable {
        let retry_in = match &self.phase {
            Phase::Failing { retry_at, .. } => retry_at.saturating_duration_since(Instant::now()),
            _ => Duration::ZERO,
        };
        Unavailable { why, retry_in }
    }
}

/// Returns the time between this failure in a row and the next start.
fn backoff(failures: u32) -> Duration {
    let (shortest, longest) = BACKOFF;
    shortest.saturating_mul(2_u32.saturating_pow(failures.saturating_sub(1))).min(longest)
}

impl Unavailable {
    /// Returns the error of a server that can be tried again at any time.
    fn now(why: &dyn fmt::Display) -> Self {
        Self { why: why.to_string().into(), retry_in: Duration::ZERO }
    }
}

impl fmt::Display for Unavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.retry_in.is_zero() {
            true => write!(f, "{}", self.why),
            false => write!(f, "{}; it is tried again in {} at the earliest", self.why, seconds(self.retry_in)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_between_starts_grows_to_a_minute() {
        let seconds: Vec<u64> = [1, 2, 3, 6, 7, 8, 1_000].map(|failures| backoff(failures).as_secs()).into();
        assert_eq!(seconds, [1, 2, 4, 32, 60, 60, 60]);
    }

    #[test]
    fn a_connection_that_ends_early_is_replaced_at_once_but_only_once() {
        let mut state = State { phase: Phase::Idle, starts: 1, failures: 0, used: Instant::now() };
        let early = Duration::from_secs(1);
        for (age, failures, is_failing) in
            [(early, 1, false), (early, 2, true), (early, 3, true), (STABLE, 0, false), (early, 1, false)]
        {
            state.end(age, "");
            assert_eq!((state.failures, matches!(state.phase, Phase::Failing { .. })), (failures, is_failing));
        }
    }

    #[test]
    fn failures_before_a_stable_connection_do_not_count_when_the_server_fails_over_it() {
        let mut state = State { phase: Phase::Idle, starts: 1, failures: 6, used: Instant::now() };
        for (age, failures) in [(Duration::ZERO, 7), (STABLE, 1), (Duration::ZERO, 2)] {
            state.give_up(age, "".into());
            assert_eq!(state.failures, failures, "{age:?}");
        }
    }
}
