//! A connection to a server.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rmcp::model::{ProtocolVersion, ServerPeerInfo, SubscriptionFilter};
use rmcp::service::{Peer, RoleClient, RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientLifecycleMode, serve_client_with_lifecycle};
use tokio::sync::broadcast;
use tokio::task::JoinSet;
use tokio::time::Instant;
use turnkit_net::timeout;

use crate::client::{Client, Notifications, Report};
use crate::endpoint::{Endpoint, Place};
use crate::failure::{RequestFailure, StartFailure, StartFault};
use crate::http::HttpTransport;
use crate::secrets::Secrets;
use crate::stdio::{ServerPipes, ServerProgram};
use crate::text::seconds;

/// The maximum size of a message, in bytes. Results hold pictures and files as text.
const MAX_MESSAGE: usize = 16 * 1024 * 1024;
/// The number of calls over HTTP that run at the same time.
const MAX_REQUESTS: usize = 256;
/// How often the stream of an answer is resumed after it was cut.
const MAX_RESUMPTIONS: usize = 5;

/// A connection to a server, after its handshake. Dropping it closes it, and kills the server if it is a program.
pub(crate) struct Connection {
    // Dropped first, so that a program does not see its pipes close and start to clean up.
    program: Option<ServerProgram>,
    service: Service,
    notifications: Arc<Notifications>,
    secrets: Secrets,
    subscription: JoinSet<()>,
    started: Instant,
    /// Whether the server has sent too many messages over HTTP. Those of a program end its output.
    flooded: Arc<AtomicBool>,
}

impl Connection {
    /// Connects to a server within this time limit, which does not include the wait for an access token.
    ///
    /// # Errors
    /// The server cannot be used.
    pub(crate) async fn start(endpoint: &Endpoint, name: &Arc<str>, limit: Duration) -> Result<Self, StartFailure> {
        endpoint.wait_for_token().await.map_err(|failure| StartFailure::without_token(&failure, &endpoint.secrets))?;
        match timeout(limit, Self::negotiate(endpoint, name)).await {
            Ok(connected) => connected,
            Err(_) => {
                let why = format!("it was not ready within {}", seconds(limit));
                Err(StartFailure { why, fault: StartFault::Server })
            }
        }
    }

    /// Starts with the newest protocol. Some servers of older ones end or break at its first request; those are started
    /// once more in the old way.
    async fn negotiate(endpoint: &Endpoint, name: &Arc<str>) -> Result<Self, StartFailure> {
        let preferred_versions = vec![ProtocolVersion::LATEST];
        let newest = ClientLifecycleMode::Auto { preferred_versions, legacy_version: None };
        match Self::open(endpoint, name, newest).await {
            Err(failure) if failure.fault == StartFault::OlderProtocol => {
                Self::open(endpoint, name, ClientLifecycleMode::Initialize).await
            }
            opened => opened,
        }
    }

    async fn open(endpoint: &Endpoint, name: &Arc<str>, mode: ClientLifecycleMode) -> Result<Self, StartFailure> {
        let notifications = Arc::new(Notifications::new());
        let secrets = endpoint.secrets.clone();
        let client = Client::new(Arc::clone(name), secrets.clone(), Arc::clone(&notifications));
        let (program, service, flooded) = match &endpoint.place {
            Place::Program { argv, launch } => {
                let started = ServerProgram::start(name, argv, launch, secrets.clone(), MAX_MESSAGE);
                let (program, pipes) = started.map_err(|why| StartFailure { why, fault: StartFault::Server })?;
                (Some(program), open_pipes(client, pipes, mode, &secrets).await?, Arc::default())
            }
            Place::Http { client: http, target, tokens } => {
                let http = HttpTransport::new(http.clone(), Arc::clone(target), tokens.clone(), MAX_MESSAGE);
                let flooded = http.flooded();
                (None, open_http(client, target.host(), http, mode, &secrets).await?, flooded)
            }
        };
        let (subscription, started) = (JoinSet::new(), Instant::now());
        let mut connection = Self { program, service, notifications, secrets, subscription, started, flooded };
        connection.subscribe();
        Ok(connection)
    }

    /// Asks to be told of changes of the list of tools. Servers of older protocols tell without being asked.
    fn subscribe(&mut self) {
        let announces = self.info().is_some_and(|info| {
            info.capabilities.tools.as_ref().is_some_and(|tools| tools.list_changed.unwrap_or_default())
        });
        if !announces || !self.is_modern() {
            return;
        }
        let (peer, notifications) = (self.peer().clone(), Arc::clone(&self.notifications));
        self.subscription.spawn(async move {
            let filter = SubscriptionFilter::builder().tools_list_changed().build();
            // Without a subscription, the list is read again when it has become old.
            let Ok(mut changes) = peer.listen(filter).await else { return };
            while let Ok(Some(_)) = changes.next().await {
                notifications.list_changed();
            }
            notifications.list_changed();
        });
    }

    /// Returns our end of the connection.
    pub(crate) fn peer(&self) -> &Peer<RoleClient> {
        self.service.peer()
    }

    /// Returns what the server has said about itself.
    pub(crate) fn info(&self) -> Option<Arc<ServerPeerInfo>> {
        self.peer().peer_info()
    }

    /// Reports whether each request stands for itself, as since protocol 2026-07-28.
    pub(crate) fn is_modern(&self) -> bool {
        self.info().is_some_and(|info| !info.protocol_version.has_initialize())
    }

    /// Classifies the failure of a request. All answers of a program arrive over one stream, its output.
    pub(crate) fn failure(&self, error: ServiceError) -> RequestFailure {
        RequestFailure::of(error, self.program.is_some(), &self.secrets)
    }

    /// Reports whether the connection can take requests.
    pub(crate) fn is_open(&self) -> bool {
        !self.peer().is_transport_closed() && !self.flooded.load(Ordering::Acquire)
    }

    /// Returns how long the connection has existed.
    pub(crate) fn age(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns how often the list of tools has changed.
    pub(crate) fn list_changes(&self) -> u64 {
        self.notifications.list_changes()
    }

    /// Receives the progress reports of all calls from now on.
    pub(crate) fn progress(&self) -> broadcast::Receiver<Report> {
        self.notifications.progress()
    }
}

type Service = RunningService<RoleClient, Client>;

async fn open_pipes(
    client: Client,
    pipes: ServerPipes,
    mode: ClientLifecycleMode,
    secrets: &Secrets,
) -> Result<Service, StartFailure> {
    let ServerPipes { input, output, last_line } = pipes;
    let transport = AsyncRwTransport::new_client(output, input).with_max_line_length(MAX_MESSAGE);
    let service = serve_client_with_lifecycle(client, transport, mode).await;
    service.map_err(|error| StartFailure::of(&error, &last_line.as_remark(), secrets))
}

async fn open_http(
    client: Client,
    host: &str,
    transport: HttpTransport,
    mode: ClientLifecycleMode,
    secrets: &Secrets,
) -> Result<Service, StartFailure> {
    let mut resumptions = ExponentialBackoff::default();
    resumptions.max_times = Some(MAX_RESUMPTIONS);
    // Nothing is sent again when a session is lost: whether a call may be is decided where it was made.
    // The address is that of the transport. Its query may hold a key, which nothing else needs to know.
    let mut config = StreamableHttpClientTransportConfig::with_uri(host)
        .reinit_on_expired_session(false)
        .max_concurrent_requests(MAX_REQUESTS);
    config.retry_config = Arc::new(resumptions);
    let transport = StreamableHttpClientTransport::with_client(transport, config);
    let service = serve_client_with_lifecycle(client, transport, mode).await;
    service.map_err(|error| StartFailure::of(&error, "", secrets))
}
