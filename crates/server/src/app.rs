//! What every handler can reach.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;
use turnkit_core::ports::{Clock, IdSource, ProviderDirectory, Store};
use turnkit_engine::TurnService;

use crate::auth::Authentication;
use crate::error::{ApiError, Code};
use crate::metrics::Metrics;
use crate::settings::Settings;

/// The state of the router.
pub(crate) type App = Arc<Shared>;

/// One server's parts, shared by its requests.
pub(crate) struct Shared {
    pub(crate) service: TurnService,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) providers: Option<Arc<dyn ProviderDirectory>>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdSource>,
    pub(crate) settings: Settings,
    pub(crate) authentication: Authentication,
    pub(crate) metrics: Metrics,
    /// No turn is started any more.
    pub(crate) draining: CancellationToken,
    /// Streams end now. [`Principal::gone`](crate::auth::Principal) is cancelled with it.
    pub(crate) stopping: CancellationToken,
}

impl Shared {
    /// Whether a turn may be started.
    pub(crate) fn takes_turns(&self) -> Result<(), ApiError> {
        match self.draining.is_cancelled() {
            true => Err(ApiError::new(Code::Unavailable, "the server is stopping")),
            false => Ok(()),
        }
    }
}
