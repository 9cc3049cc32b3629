//! A token request that several callers wait for.

use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Instant;

use super::access_token::AccessToken;
use super::error::Failure;

/// A token request in a task of its own, so that no caller ends it for the others. Dropping it ends the task.
pub(super) struct Refresh {
    outcome: watch::Receiver<Outcome>,
    _task: JoinSet<()>,
}

/// The result of a request, and when it was known.
#[derive(Clone)]
pub(super) struct Outcome {
    pub(super) result: Result<AccessToken, Failure>,
    pub(super) at: Instant,
}

/// The wait of one caller for the result.
pub(super) struct Waiter(watch::Receiver<Outcome>);

impl Refresh {
    /// Starts a request. If its task is lost, as when its runtime stops, `lost` is the result.
    pub(super) fn start(
        lost: Failure,
        request: impl Future<Output = Result<AccessToken, Failure>> + Send + 'static,
    ) -> Self {
        let (sender, outcome) = watch::channel(Outcome { result: Err(lost), at: Instant::now() });
        let mut task = JoinSet::new();
        task.spawn(async move {
            let result = request.await;
            sender.send_replace(Outcome { result, at: Instant::now() });
        });
        Self { outcome, _task: task }
    }

    /// Returns the outcome, if there is one.
    pub(super) fn outcome(&self) -> Option<Outcome> {
        // An error means that the task has ended.
        let is_running = matches!(self.outcome.has_changed(), Ok(false));
        (!is_running).then(|| self.outcome.borrow().clone())
    }

    pub(super) fn waiter(&self) -> Waiter {
        Waiter(self.outcome.clone())
    }
}

impl Waiter {
    pub(super) async fn result(mut self) -> Result<AccessToken, Failure> {
        // An error means that the task has ended without a result: the initial one counts.
        let _ = self.0.changed().await;
        let outcome = self.0.borrow();
        outcome.result.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::error::TokenError;

    fn error(status: u16) -> Failure {
        Failure::of_caller(TokenError::Unavailable { host: "login.example".to_owned(), status })
    }

    #[tokio::test]
    async fn all_waiters_get_the_result_also_those_that_come_late() {
        let refresh = Refresh::start(error(500), async { Err(error(503)) });
        assert!(refresh.outcome().is_none());
        let (first, second) = tokio::join!(refresh.waiter().result(), refresh.waiter().result());
        assert_eq!([first, second, refresh.waiter().result().await], [503; 3].map(|status| Err(error(status))));
        assert_eq!(refresh.outcome().unwrap().result, Err(error(503)));
    }

    #[test]
    fn a_request_whose_runtime_has_stopped_is_lost() {
        let runtime = || tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let refresh = runtime().block_on(async { Refresh::start(error(500), std::future::pending()) });
        assert_eq!(refresh.outcome().unwrap().result, Err(error(500)));
        assert_eq!(runtime().block_on(refresh.waiter().result()), Err(error(500)));
    }
}
