//! The service for the turns of a store: it accepts, runs and resumes them, and lets clients follow them.

mod accept;
mod agents;
mod budget_levels;
mod builder;
mod chore;
mod claimed_run;
mod client_tools;
mod compact;
mod context;
mod delete;
mod edit;
mod files;
mod folder_files;
mod followed;
mod grants;
mod history_cache;
mod lease;
mod log_feed;
mod metrics;
mod pending_waits;
mod regenerate;
mod resume;
mod route;
mod run;
mod run_to_completion;
mod session_feed;
mod snapshot;
mod sub_agents;
mod suspension;
mod tally;
mod transfer;
mod turn_feed;
mod turn_view;
mod unfollowed;
mod user_changes;
mod user_feed;
mod waits;
mod worker;

use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use tokio::runtime::Handle;
use tokio::sync::{Semaphore, watch};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use turnkit_core::ports::{Broker, Clock, IdSource, LlmProvider, ProviderDirectory, Store};
use turnkit_core::{
    CancelOutcome, Recorded, Scope, SessionId, StopReason, StoreError, Sweep, Timestamp, TurnId, TurnLog, TurnRegistry,
    TurnStatus, Usage, WorkerId,
};

pub use accept::{Receipt, TurnRequest};
pub use builder::ServiceBuilder;
pub use compact::CompactRequest;
pub use folder_files::ContextPaths;
pub use followed::FollowFrom;
use history_cache::HistoryCache;
use lease::HeldLease;
pub use log_feed::FollowError;
use metrics::Meter;
pub use metrics::ServiceMetrics;
pub use regenerate::RegenerateRequest;
use run_to_completion::RunToCompletion;
pub use session_feed::{SessionFeed, SessionUpdate};
pub use tally::ServiceCounts;
use tally::{Gauge, Tally};
pub use turn_feed::{FeedItem, TurnFeed, TurnUpdate};
pub use turn_view::RenderedTurn;
use user_changes::UserChanges;
pub use user_feed::{UserFeed, UserUpdate};
pub use waits::ResolveError;

use crate::agent::Agent;
use crate::context::{InstructionCache, TokenRatios};
use crate::failpoint::Failpoints;

/// The parts of a [`TurnService`]. [`TurnService::builder`] has defaults for most of them.
pub struct ServiceParts {
    /// Stores sessions and turns.
    pub store: Arc<dyn Store>,
    /// Connects followers with running turns.
    pub broker: Arc<dyn Broker>,
    /// The provider of all agents.
    pub provider: Arc<dyn LlmProvider>,
    /// The known providers. If present, a turn whose route matches no provider is refused; if absent, it fails when it
    /// runs.
    pub directory: Option<Arc<dyn ProviderDirectory>>,
    /// The agents. The first is the default.
    pub agents: Vec<Agent>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The source of ids.
    pub ids: Arc<dyn IdSource>,
    /// The id of this process in the store: a new one at each start.
    pub worker: WorkerId,
    /// The most turns that run at once.
    pub slots: usize,
    /// How long a turn whose last two owners died waits after the next start. The wait doubles with each further death.
    /// If zero, such turns run at once.
    pub first_suspension: Duration,
    /// Points at which a test may kill the process.
    pub failpoints: Failpoints,
}

/// State shared by all chores.
struct Chores {
    /// The slots of chores. Chores take no slots from other turns.
    slots: Arc<Semaphore>,
    /// Chores that wait for a slot.
    waiting: Gauge,
    /// Cancelled when chores are ended.
    ended: CancellationToken,
}

/// How long turns may take to be handed over when the process stops.
const MAX_HAND_OVER: Duration = Duration::from_secs(10);

/// The most requests that read files of this machine at the same time.
const MAX_FILE_READS: usize = 4;

/// Runs the turns of a store. Cloning gives another handle to the same service.
#[derive(Clone)]
pub struct TurnService {
    inner: Arc<Inner>,
}

struct Inner {
    parts: ServiceParts,
    cache: HistoryCache,
    /// The instructions of sessions whose agent has a pipeline.
    instructions: InstructionCache,
    /// Ratios of counted to estimated tokens, by model.
    ratios: TokenRatios,
    slots: Arc<Semaphore>,
    chores: Chores,
    /// The followers of users.
    user_changes: UserChanges,
    /// Permits for requests that read files of this machine: each file is in memory until it is stored.
    file_reads: Semaphore,
    tally: Tally,
    meter: Meter,
    /// The lease, which gives the right to own turns.
    lease: HeldLease,
    /// Suspended turns, which this process claims after a pause.
    suspended: Mutex<HashSet<TurnId>>,
    /// Wakes the task that denies waits when they expire. Set once the task has been started.
    expiry: OnceLock<watch::Sender<()>>,
    tasks: TaskTracker,
    /// Cancelled once no turn is accepted any more.
    closing: CancellationToken,
    /// Cancelled to hand over all running turns. They are resumed at the next start.
    halt: CancellationToken,
}

impl TurnService {
    /// The default of [`ServiceParts::first_suspension`].
    pub const FIRST_SUSPENSION: Duration = Duration::from_secs(5);

    /// Creates a service that runs nothing yet. Call [`resume_unfinished`](Self::resume_unfinished) once before
    /// accepting turns.
    pub fn new(parts: ServiceParts) -> Self {
        let most = parts.slots.clamp(1, Semaphore::MAX_PERMITS);
        let slots = Arc::new(Semaphore::new(most));
        let chores = Chores {
            slots: Arc::new(Semaphore::new(Self::slots_of_chores(most))),
            waiting: Gauge::default(),
            ended: CancellationToken::new(),
        };
        let (cache, tally, meter) = (HistoryCache::default(), Tally::default(), Meter::default());
        let (instructions, ratios) = (InstructionCache::default(), TokenRatios::default());
        let user_changes = UserChanges::default();
        let (lease, suspended) = (HeldLease::default(), Mutex::default());
        let (tasks, closing, halt) = (TaskTracker::new(), CancellationToken::new(), CancellationToken::new());
        Self {
            inner: Arc::new(Inner {
                parts,
                cache,
                instructions,
                ratios,
                slots,
                chores,
                user_changes,
                file_reads: Semaphore::new(MAX_FILE_READS),
                tally,
                meter,
                lease,
                suspended,
                expiry: OnceLock::new(),
                tasks,
                closing,
                halt,
            }),
        }
    }

    /// Cancels a turn. Work done so far is kept. A turn that has not started ends at once.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    pub async fn cancel(&self, scope: &Scope, turn: TurnId) -> Result<CancelOutcome, StoreError> {
        let (service, scope) = (self.clone(), scope.clone());
        self.run_to_completion(async move { service.request_cancel(&scope, turn).await }).await
    }

    /// Cancels a turn without waiting for the outcome, for a caller that is being dropped. Failures are only logged;
    /// the turn then runs to its end.
    pub fn cancel_in_background(&self, scope: &Scope, turn: TurnId) {
        let (service, scope) = (self.clone(), scope.clone());
        let cancelled = async move {
            if let Err(error) = service.request_cancel(&scope, turn).await {
                tracing::warn!(%turn, %error, "could not cancel a turn that its client gave up");
            }
        };
        // Outside of a runtime, the process is ending, and its turns with it.
        if let Ok(runtime) = Handle::try_current() {
            self.inner.tasks.spawn_on(cancelled, &runtime);
        }
    }

    /// Returns the current load of the service, and its totals since the start.
    pub fn counts(&self) -> ServiceCounts {
        self.inner.tally.counts()
    }

    /// Returns how long turns and their parts took, and what they consumed.
    pub fn metrics(&self) -> ServiceMetrics {
        self.inner.meter.metrics()
    }

    /// Returns how many tokens each model counts for an estimated token, as far as models have answered in this
    /// process.
    pub fn token_ratios(&self) -> BTreeMap<Arc<str>, f64> {
        self.inner.ratios.all()
    }

    /// Reports whether new turns are accepted: the service is not closed, and its lease is not in doubt. A service
    /// whose lease was taken by another process closes itself.
    pub fn accepts_turns(&self) -> bool {
        !self.inner.tasks.is_closed() && self.inner.lease.check().is_ok()
    }

    /// Rejects new turns from now on. Accepted turns continue, except for chores, which are cancelled.
    pub fn close(&self) {
        self.inner.tasks.close();
        self.inner.closing.cancel();
        self.end_chores();
    }

    /// Rejects new turns and waits at most `patience` for accepted ones to finish. Returns `true` if all did. Calls in
    /// progress are waited for too: their callers must keep polling them, or drop them.
    pub async fn finish(&self, patience: Duration) -> bool {
        self.close();
        tokio::time::timeout(patience, self.inner.tasks.wait()).await.is_ok()
    }

    /// Lets turns [`finish`](Self::finish) for at most `patience`, then hands over the rest, to be resumed at the next
    /// start. A follower of such a turn waits for that, so a server disconnects its followers first. Returns `true` if
    /// all turns finished.
    pub async fn drain(&self, patience: Duration) -> bool {
        let finished = self.finish(patience).await;
        self.inner.halt.cancel();
        let handed_over = tokio::time::timeout(MAX_HAND_OVER, self.inner.tasks.wait()).await;
        if handed_over.is_err() {
            tracing::error!("turns could not be handed over in time: storage does not answer");
        }
        finished
    }

    /// Waits until the service runs no more turns because it was [drained](Self::drain). Followers of unfinished turns
    /// then wait in vain.
    pub async fn drained(&self) {
        self.inner.halt.cancelled().await;
    }

    pub(super) async fn request_cancel(&self, scope: &Scope, turn: TurnId) -> Result<CancelOutcome, StoreError> {
        let (parts, reason) = (&self.inner.parts, StopReason::Cancelled);
        let at = parts.clock.now();
        let outcome = parts.store.request_stop(scope, turn, reason, at).await?;
        match outcome {
            CancelOutcome::Stopping => self.stop(scope, turn, reason).await,
            CancelOutcome::EndedUnstarted => self.dropped(scope, turn, reason, at).await,
            CancelOutcome::AlreadyEnded => {}
        }
        Ok(outcome)
    }

    /// Reports a turn that ended in its session's queue. Its followers see the end in memory: the session may be
    /// deleted before they read the store.
    pub(super) async fn dropped(&self, scope: &Scope, turn: TurnId, reason: StopReason, at: Timestamp) {
        let parts = &self.inner.parts;
        self.inner.tally.ended(reason.status());
        let session = match self.show_end(turn, (reason.status(), None), at) {
            Some(session) => Ok(session),
            None => parts.store.turn(scope, turn).await.map(|record| record.session),
        };
        // The turn is missing only if its session was just deleted. The deletion signals that change itself.
        if let Ok(session) = session {
            self.session_changed(scope, session);
        }
    }

    /// Reports turns that ended in the queue because the running turn, `into`, took their messages.
    fn steered(&self, session: SessionId, into: TurnId, turns: &[TurnId], at: Timestamp) {
        for turn in turns {
            self.inner.tally.ended(TurnStatus::Completed);
            self.show_end(*turn, (TurnStatus::Completed, Some(into)), at);
        }
        self.inner.parts.broker.changed(session);
    }

    /// Shows the ends of turns whose messages `into` took, as recorded in its log: the response to the commit may have
    /// been lost.
    fn show_ends_of_steered(&self, into: TurnId, log: &TurnLog) {
        for entry in log.entries() {
            if let Recorded::Steered { steering, .. } = entry.kind {
                self.show_end(steering, (TurnStatus::Completed, Some(into)), entry.at);
            }
        }
    }

    /// Shows the end of a turn that never began to its followers in memory. Returns its session if there may be
    /// followers.
    fn show_end(
        &self,
        turn: TurnId,
        (status, steered_into): (TurnStatus, Option<TurnId>),
        at: Timestamp,
    ) -> Option<SessionId> {
        let live = self.turns().find(turn).filter(|live| !live.read(TurnLog::has_ended))?;
        let session = live.write(|log| {
            log.stage(at, Recorded::TurnEnded { status, usage: Usage::default(), steps: 0, steered_into });
            log.commit();
            log.session()
        });
        self.turns().withdraw(turn, &live, self.inner.parts.clock.now());
        Some(session)
    }

    /// Returns the registry of the turns of this process.
    fn turns(&self) -> &TurnRegistry {
        self.inner.parts.broker.turns()
    }

    /// Runs `work` to its end even if the caller hangs up, so that this process knows every change made to the store.
    fn run_to_completion<F: Future<Output: Send> + Send + 'static>(&self, work: F) -> RunToCompletion<F> {
        RunToCompletion::new(work, &self.inner.tasks)
    }

    fn sweep(&self) -> Sweep {
        Sweep::new(self.inner.parts.worker.clone())
    }
}

/// Returns the error of a service that is closed.
fn stopping() -> StoreError {
    StoreError::Unavailable("the server is stopping".to_owned())
}
