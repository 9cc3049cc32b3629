//! Taking up turns whose owner died, or could not write.

use std::time::Duration;

use turnkit_core::{StoreError, TurnId};

use super::TurnService;

/// The first pause before a turn that could not be saved is taken up again; it doubles up to the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

impl TurnService {
    /// Takes up every turn that an earlier process left unfinished. Gives how many.
    ///
    /// # Errors
    /// Storage failed; turns taken up before that run.
    pub async fn resume_unfinished(&self) -> Result<usize, StoreError> {
        let parts = &self.inner.parts;
        let sweep = self.sweep();
        let mut taken = 0;
        for turn in parts.store.unfinished(&sweep).await? {
            if let Some(claimed) = parts.store.claim(&sweep, turn, parts.clock.now()).await? {
                self.start(Box::new(claimed), None);
                taken += 1;
            }
        }
        Ok(taken)
    }

    /// Takes up one turn that nobody runs.
    pub(super) async fn take_up(&self, turn: TurnId) {
        let parts = &self.inner.parts;
        match parts.store.claim(&self.sweep(), turn, parts.clock.now()).await {
            Ok(Some(claimed)) => self.start(Box::new(claimed), None),
            Ok(None) => {}
            Err(error) => {
                tracing::error!(%turn, %error, "could not take up the turn");
                self.retry_later(turn);
            }
        }
    }

    /// Takes the turn up again once storage works.
    pub(super) fn retry_later(&self, turn: TurnId) {
        let service = self.clone();
        self.inner.tasks.spawn(async move {
            let mut pause = FIRST_PAUSE;
            loop {
                tokio::select! {
                    biased;
                    () = service.inner.halt.cancelled() => return,
                    () = tokio::time::sleep(pause) => {}
                }
                let parts = &service.inner.parts;
                match parts.store.claim(&service.sweep(), turn, parts.clock.now()).await {
                    Ok(Some(claimed)) => return service.start(Box::new(claimed), None),
                    Ok(None) => return,
                    Err(_) => pause = (pause * 2).min(LONGEST_PAUSE),
                }
            }
        });
    }
}
