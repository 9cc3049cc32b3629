//! Replies to the interactions of a turn while its events are read.

use std::future::poll_fn;
use std::task::Poll;

use turnkit_core::ports::BoxFuture;
use turnkit_core::{Wait, WaitId, WaitKind};
use turnkit_engine::ResolveError;

use super::installation::Installation;
use crate::Error;
use crate::interaction::{decide, unfit};

/// The running interaction handlers, each with the call that it decides.
pub(super) struct Replies<'a> {
    installation: &'a Installation,
    running: Vec<(WaitId, BoxFuture<'a, Result<(), Error>>)>,
}

impl<'a> Replies<'a> {
    pub(super) fn new(installation: &'a Installation) -> Self {
        Self { installation, running: Vec::new() }
    }

    /// Starts the handler of `agent` for each new waiting call, and drops the handlers of calls that no longer wait.
    pub(super) fn update(&mut self, agent: &str, waits: Vec<Wait>) {
        self.running.retain(|(id, _)| waits.iter().any(|wait| wait.id == *id));
        for wait in waits {
            // The client runs its own tools and a sub-agent ends by itself, so neither needs a reply from the host.
            let is_for_host = !matches!(wait.kind, WaitKind::Child | WaitKind::ClientTool) && wait.decided.is_none();
            if is_for_host && self.running.iter().all(|(id, _)| *id != wait.id) {
                self.running.push((wait.id, Box::pin(reply(self.installation, agent.to_owned(), wait))));
            }
        }
    }

    /// Waits until the next handler has replied and its reply is stored. Never returns while no handler runs.
    ///
    /// This method is cancel safe.
    pub(super) async fn next(&mut self) -> Result<(), Error> {
        poll_fn(|context| {
            let replied = self.running.iter_mut().enumerate().find_map(|(place, (_, reply))| {
                let Poll::Ready(replied) = reply.as_mut().poll(context) else { return None };
                Some((place, replied))
            });
            let Some((place, replied)) = replied else { return Poll::Pending };
            drop(self.running.swap_remove(place));
            Poll::Ready(replied)
        })
        .await
    }
}

/// Decides a waiting call. If another resolution was stored first, that one applies.
async fn reply(installation: &Installation, agent: String, wait: Wait) -> Result<(), Error> {
    let Installation { service, scope, handlers, .. } = installation;
    let resolution = decide(handlers.get(&agent), wait.kind, wait.question).await;
    match service.resolve(scope, wait.id, resolution).await {
        // Only the service knows which arguments the tool accepts.
        Err(ResolveError::Invalid(error)) => service.resolve(scope, wait.id, unfit(&error)).await?,
        resolved => resolved?,
    };
    Ok(())
}
