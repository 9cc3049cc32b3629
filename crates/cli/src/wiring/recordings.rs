//! The recordings that operators look at on a server.

use std::path::PathBuf;
use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use turnkit_core::ports::{
    BoxFuture, ExchangeList, ExchangePage, RecordedTurn, RecordedTurnPage, RecordingDirectory, RecordingError,
    ReplayReport,
};
use turnkit_core::{Scope, TurnId};
use turnkit_llm::recording::{Recordings, RecordingsError, recorded_exchanges, recorded_turns};

use super::Installation;
use super::replay::Replays;
use crate::failure::Failure;

/// The most replays at a time. Each holds a whole turn in memory.
const MAX_REPLAYS: usize = 1;

/// The folder of the recordings of this process.
struct RecordingFolder {
    folder: PathBuf,
    replays: Replays,
    running: Arc<Semaphore>,
}

impl Installation {
    /// Returns the recordings, if exchanges are recorded.
    pub(super) fn recordings(&self) -> Option<Arc<dyn RecordingDirectory>> {
        let folder = self.resolved.record.clone()?;
        let running = Arc::new(Semaphore::new(MAX_REPLAYS));
        Some(Arc::new(RecordingFolder { folder, replays: self.replays(), running }))
    }
}

impl RecordingFolder {
    async fn replay_in_turn(&self, scope: &Scope, turn: TurnId) -> Result<ReplayReport, RecordingError> {
        let permit = Arc::clone(&self.running).acquire_owned().await;
        let permit = permit.map_err(|error| RecordingError::NotReplayable(error.to_string()))?;
        let folder = self.folder.clone();
        let recordings = blocking(move || Recordings::read(&folder, turn).map_err(|error| unreadable(&error))).await?;
        let prepared = self.replays.prepare(scope, turn, recordings).await;
        let prepared = prepared.map_err(|failure| not_replayable(&failure))?;
        let handle = Handle::current();
        // A replay computes from its beginning to its end, so it must not keep the threads of requests busy.
        blocking(move || {
            let replayed = handle.block_on(prepared.run());
            drop(permit);
            replayed.map_err(|failure| not_replayable(&failure))
        })
        .await
    }
}

impl RecordingDirectory for RecordingFolder {
    fn recorded_turns(&self, page: RecordedTurnPage) -> BoxFuture<'_, Result<Vec<RecordedTurn>, RecordingError>> {
        let folder = self.folder.clone();
        Box::pin(blocking(move || recorded_turns(&folder, page).map_err(|error| unreadable(&error))))
    }

    fn exchanges(&self, turn: TurnId, page: ExchangePage) -> BoxFuture<'_, Result<ExchangeList, RecordingError>> {
        let folder = self.folder.clone();
        Box::pin(blocking(move || recorded_exchanges(&folder, turn, page).map_err(|error| unreadable(&error))))
    }

    fn replay<'a>(&'a self, scope: &'a Scope, turn: TurnId) -> BoxFuture<'a, Result<ReplayReport, RecordingError>> {
        Box::pin(self.replay_in_turn(scope, turn))
    }
}

fn unreadable(error: &RecordingsError) -> RecordingError {
    RecordingError::Unreadable(error.to_string())
}

fn not_replayable(failure: &Failure) -> RecordingError {
    RecordingError::NotReplayable(failure.to_string())
}

/// Runs `read` on a thread that may block.
#[expect(clippy::disallowed_methods, reason = "reads files for operators, and replays turns that compute throughout")]
async fn blocking<T: Send + 'static>(
    read: impl FnOnce() -> Result<T, RecordingError> + Send + 'static,
) -> Result<T, RecordingError> {
    let done = tokio::task::spawn_blocking(read).await;
    done.unwrap_or_else(|error| Err(RecordingError::Unreadable(error.to_string())))
}
