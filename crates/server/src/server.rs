//! The server: its parts put together.

use std::sync::Arc;

use axum::Router;
use tokio_util::sync::CancellationToken;
use turnkit_core::StoreError;
use turnkit_core::ports::{Clock, IdSource, SessionStore, TurnStore};
use turnkit_engine::TurnService;

use crate::app::{App, Shared};
use crate::metrics::Metrics;
use crate::routes;
use crate::settings::Settings;

/// What a [`Server`] is made of.
pub struct ServerParts {
    /// Runs turns.
    pub service: TurnService,
    /// Where sessions are read and edited.
    pub sessions: Arc<dyn SessionStore>,
    /// Where turns are read.
    pub turns: Arc<dyn TurnStore>,
    /// What time it is.
    pub clock: Arc<dyn Clock>,
    /// Where ids come from.
    pub ids: Arc<dyn IdSource>,
    /// What the operator decided.
    pub settings: Settings,
}

/// Answers requests.
pub struct Server {
    app: App,
}

impl Server {
    /// A server that does not answer yet.
    ///
    /// # Errors
    /// The API keys could not be read.
    pub async fn new(parts: ServerParts) -> Result<Self, StoreError> {
        let ServerParts { service, sessions, turns, clock, ids, settings } = parts;
        let metrics = Metrics::new(settings.version);
        let (draining, stopping) = (CancellationToken::new(), CancellationToken::new());
        let shared = Shared { service, sessions, turns, clock, ids, settings, metrics, draining, stopping };
        Ok(Self { app: Arc::new(shared) })
    }

    /// All routes behind all guards, for a host that has an accept loop of its own.
    pub fn router(&self) -> Router {
        let (router, _document) = routes::open().merge(routes::router()).split_for_parts();
        router.with_state(Arc::clone(&self.app))
    }
}
