//! Our side of a connection, which receives the notifications of a server.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rmcp::ClientHandler;
use rmcp::model::{
    ClientCapabilities, ClientConfig, Implementation, ProgressNotificationParam, ProgressToken, ProtocolVersion,
};
use rmcp::service::{NotificationContext, RoleClient};
use tokio::sync::broadcast;

use crate::secrets::Secrets;

/// The number of progress reports that wait for the calls they belong to. The oldest are dropped.
const REPORTS: usize = 64;
/// The number of characters of a progress report.
const REPORT_CHARS: usize = 500;
/// The number of characters of a log message.
const LOG_CHARS: usize = 1_000;

/// Our side of a connection. It offers servers nothing: no sampling, no roots, and no questions while a call runs.
pub(crate) struct Client {
    name: Arc<str>,
    secrets: Secrets,
    notifications: Arc<Notifications>,
}

/// The notifications that a server has sent: changes of its list of tools, and the progress of calls.
pub(crate) struct Notifications {
    list_changes: AtomicU64,
    progress: broadcast::Sender<Report>,
}

/// A progress report of a call.
#[derive(Clone)]
pub(crate) struct Report {
    pub(crate) token: ProgressToken,
    pub(crate) text: String,
}

impl Client {
    /// Creates our side of a connection to the server with this name. `secrets` are removed from what it passes on.
    pub(crate) fn new(name: Arc<str>, secrets: Secrets, notifications: Arc<Notifications>) -> Self {
        Self { name, secrets, notifications }
    }
}

impl Notifications {
    pub(crate) fn new() -> Self {
        Self { list_changes: AtomicU64::new(0), progress: broadcast::Sender::new(REPORTS) }
    }

    /// Returns how often the list of tools has changed.
    pub(crate) fn list_changes(&self) -> u64 {
        self.list_changes.load(Ordering::Acquire)
    }

    /// Records that the list of tools has changed.
    pub(crate) fn list_changed(&self) {
        self.list_changes.fetch_add(1, Ordering::AcqRel);
    }

    /// Receives the progress reports of all calls from now on.
    pub(crate) fn progress(&self) -> broadcast::Receiver<Report> {
        self.progress.subscribe()
    }
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let us = Implementation::new("turnkit", env!("CARGO_PKG_VERSION"));
        let config = ClientConfig::new(ClientCapabilities::default(), us);
        config.with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }

    async fn on_progress(&self, progress: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let text = match (progress.message, progress.total) {
            (Some(message), _) => self.secrets.line(&message, REPORT_CHARS),
            (None, Some(total)) => format!("{} of {total}", progress.progress),
            (None, None) => progress.progress.to_string(),
        };
        // Fails if no call is running.
        _ = self.notifications.progress.send(Report { token: progress.progress_token, text });
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.notifications.list_changed();
    }

    #[expect(deprecated, reason = "servers of all protocols so far log with it")]
    async fn on_logging_message(
        &self,
        message: rmcp::model::LoggingMessageNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        let logged = message.data.as_str().map_or_else(|| message.data.to_string(), str::to_owned);
        let line = self.secrets.line(&logged, LOG_CHARS);
        tracing::debug!(server = &*self.name, level = ?message.level, line, "a server logged");
    }
}
