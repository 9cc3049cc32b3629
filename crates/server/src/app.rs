//! The state shared by all handlers.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use turnkit_core::ports::{Clock, IdSource, McpDirectory, ProviderDirectory, RecordingDirectory, Store};
use turnkit_engine::TurnService;

use crate::auth::Authentication;
use crate::error::{ApiError, ErrorCode};
use crate::metrics::Metrics;
use crate::running_calls::RunningCalls;
use crate::settings::Settings;

/// The state of the router.
pub(crate) type App = Arc<Shared>;

/// The components of one server, shared by its requests.
pub(crate) struct Shared {
    pub(crate) service: TurnService,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) providers: Option<Arc<dyn ProviderDirectory>>,
    pub(crate) mcp_servers: Option<Arc<dyn McpDirectory>>,
    pub(crate) recordings: Option<Arc<dyn RecordingDirectory>>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdSource>,
    pub(crate) settings: Settings,
    pub(crate) authentication: Authentication,
    pub(crate) metrics: Metrics,
    pub(crate) running_calls: RunningCalls,
    /// Cancelled when the server starts to drain. From then on, no new turn is started.
    pub(crate) draining: CancellationToken,
    /// Cancelled when open streams must end. [`Principal::access_ended`](crate::auth::Principal) is cancelled with it.
    pub(crate) stopping: CancellationToken,
}

impl Shared {
    /// Returns an error if new turns are no longer accepted because the server is draining.
    pub(crate) fn accepts_turns(&self) -> Result<(), ApiError> {
        match self.draining.is_cancelled() {
            true => Err(ApiError::new(ErrorCode::Unavailable, "the server is stopping")),
            false => Ok(()),
        }
    }
}
