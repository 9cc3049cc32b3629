//! Tests with the client of the protocol's own library, over HTTP and over pipes, in every revision.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ClientRequest,
    ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationCapability, FormElicitationCapability,
    Implementation, ProgressNotificationParam, ProtocolVersion,
};
use rmcp::service::{NotificationContext, PeerRequestOptions, RequestContext, RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::async_rw::AsyncRwTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, ClientLifecycleMode, ErrorData, RoleClient, serve_client_with_lifecycle};
use serde_json::{Value, json};
use tokio::sync::Notify;
use turnkit_core::ports::{Store, TurnPage};
use turnkit_core::{EventKind, Scope, TurnStatus};
use turnkit_engine::{FeedItem, FollowFrom, TurnService};
use turnkit_testkit::tools::{lookup, pay};
use turnkit_testkit::{Gate, Ledger, Reply};

use crate::running::{Piped, Running, Setup};

/// The ways in which a client reaches a server.
#[derive(Debug, Clone, Copy)]
enum Way {
    Http,
    Pipe,
}

const WAYS: [Way; 2] = [Way::Http, Way::Pipe];

/// The newest revision with a handshake, and the one without.
static LIFECYCLES: [ProtocolVersion; 2] = [ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28];

/// A client, connected to a server.
struct Connected {
    client: RunningService<RoleClient, User>,
    host: Host,
}

/// The server, which ends when it is dropped.
enum Host {
    Http(Running),
    Pipe(Piped),
}

/// The user of a client, and what the client shows to them.
#[derive(Clone)]
struct User {
    version: ProtocolVersion,
    /// The content of the forms that the user sends; `None` if the client cannot show forms.
    answer: Option<Value>,
    reports: Arc<Reports>,
}

/// The progress reports that have arrived, by their numbers. The library passes them on in any order.
#[derive(Default)]
struct Reports {
    texts: Mutex<BTreeMap<u64, String>>,
    arrived: Notify,
}

impl User {
    fn of(version: &ProtocolVersion) -> Self {
        Self { version: version.clone(), answer: None, reports: Arc::default() }
    }

    /// Waits for this many reports, and returns them in their order.
    async fn reported(&self, count: usize) -> Vec<String> {
        loop {
            let arrived = self.reports.arrived.notified();
            let texts: Vec<String> = self.reports.texts.lock().unwrap().values().cloned().collect();
            if texts.len() >= count {
                return texts;
            }
            arrived.await;
        }
    }
}

impl ClientHandler for User {
    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        if self.answer.is_some() {
            capabilities.elicitation = Some(ElicitationCapability::new().with_form(FormElicitationCapability::new()));
        }
        let config = ClientConfig::new(capabilities, Implementation::new("a test", "1"));
        config.with_protocol_version(self.version.clone())
    }

    async fn on_progress(&self, progress: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let text = progress.message.unwrap_or_default();
        self.reports.texts.lock().unwrap().insert(progress.progress as u64, text);
        self.reports.arrived.notify_one();
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        assert!(matches!(request, ElicitRequestParams::FormElicitationParams { .. }), "{request:?}");
        let answer = self.answer.clone().unwrap();
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(answer))
    }
}

impl Connected {
    async fn new(way: Way, setup: Setup, user: User) -> Self {
        let lifecycle = match user.version.has_initialize() {
            true => ClientLifecycleMode::Initialize,
            false => ClientLifecycleMode::Discover { preferred_versions: vec![user.version.clone()] },
        };
        match way {
            Way::Http => {
                let running = setup.run().await;
                let url = format!("http://{}/mcp", running.address);
                let config = StreamableHttpClientTransportConfig::with_uri(url);
                let http = reqwest::Client::builder().no_proxy().build().unwrap();
                let transport = StreamableHttpClientTransport::with_client(http, config);
                let client = serve_client_with_lifecycle(user, transport, lifecycle).await.unwrap();
                Self { client, host: Host::Http(running) }
            }
            Way::Pipe => {
                let (piped, pipe) = setup.pipe().await;
                let (read, write) = tokio::io::split(pipe);
                let transport = AsyncRwTransport::new_client(read, write);
                let client = serve_client_with_lifecycle(user, transport, lifecycle).await.unwrap();
                Self { client, host: Host::Pipe(piped) }
            }
        }
    }

    async fn call(&self, tool: &'static str, arguments: Value) -> Result<CallToolResult, ServiceError> {
        self.client.call_tool(params(tool, &arguments)).await
    }

    /// Returns how the only turn of the server ended, once it has.
    async fn end_of_turn(&self) -> TurnStatus {
        let (service, store) = self.host.parts();
        let scope = Scope::local();
        let page = TurnPage { session: None, state: None, limit: 2, after: None, ..TurnPage::default() };
        let turns = store.turns(&scope, page).await.unwrap().turns;
        assert_eq!(turns.len(), 1, "{turns:?}");
        let mut feed = service.follow(&scope, turns[0].id, FollowFrom::Start).await.unwrap();
        let mut end = None;
        while let Some(item) = feed.next().await.unwrap() {
            if let FeedItem::Event(event) = item
                && let EventKind::TurnEnded { status, .. } = event.kind
            {
                end = Some(status);
            }
        }
        end.unwrap()
    }
}

impl Host {
    fn parts(&self) -> (&TurnService, &Arc<dyn Store>) {
        match self {
            Self::Http(running) => (&running.service, &running.store),
            Self::Pipe(piped) => (&piped.service, &piped.store),
        }
    }
}

fn params(tool: &'static str, arguments: &Value) -> CallToolRequestParams {
    CallToolRequestParams::new(tool).with_arguments(arguments.as_object().unwrap().clone())
}

/// Returns the text of a result.
fn text(result: &CallToolResult) -> &str {
    &result.content[0].as_text().unwrap().text
}

#[tokio::test]
async fn every_revision_lists_and_calls_agents_and_reports_progress() {
    for way in WAYS {
        for version in ProtocolVersion::KNOWN_VERSIONS {
            let script = [Reply::new().call("lookup", json!({ "key": "a" })), Reply::text("Found.")];
            let user = User::of(version);
            let connected = Connected::new(way, Setup::answering(script).tool(lookup()), user.clone()).await;
            let info = connected.client.peer().peer_info().unwrap();
            assert_eq!(info.protocol_version, *version, "{way:?}");
            let tools = connected.client.peer().list_all_tools().await.unwrap();
            let names: Vec<&str> = tools.iter().map(|tool| &*tool.name).collect();
            assert_eq!(names, ["assistant", "translator"], "{way:?} {version}");
            let result = connected.call("assistant", json!({ "message": "Look it up.", "session": "trip" })).await;
            let result = result.unwrap();
            assert_eq!((text(&result), result.is_error), ("Found.", None), "{way:?} {version}");
            let structured = result.structured_content.unwrap();
            assert_eq!((&structured["session"], &structured["status"]), (&json!("trip"), &json!("completed")));
            let reported = user.reported(5).await;
            assert_eq!(reported, ["step 1", "lookup runs", "lookup is done", "step 2", "Found."], "{way:?} {version}");
        }
    }
}

#[tokio::test]
async fn a_wrong_call_is_an_error_of_the_protocol_or_a_result_that_the_model_can_correct() {
    for way in WAYS {
        for version in &LIFECYCLES {
            let connected = Connected::new(way, Setup::always(Reply::text("Hello")), User::of(version)).await;
            match connected.call("nobody", json!({ "message": "Hello" })).await {
                Err(ServiceError::McpError(error)) => {
                    assert_eq!(error.code.0, -32602, "{way:?} {version}");
                    assert!(error.message.contains("tools/list"), "{error:?}");
                }
                other => panic!("{way:?} {version}: {other:?}"),
            }
            for (arguments, field) in [
                (json!({}), "params.arguments.message: "),
                (json!({ "message": 7 }), "params.arguments.message: "),
                (json!({ "message": "Hello", "model": "large" }), "params.arguments.model: "),
            ] {
                let result = connected.call("assistant", arguments).await.unwrap();
                assert_eq!(result.is_error, Some(true), "{way:?} {version}");
                assert!(text(&result).starts_with(field), "{result:?}");
            }
            // The connection goes on.
            let result = connected.call("assistant", json!({ "message": "Hello" })).await.unwrap();
            assert_eq!(text(&result), "Hello", "{way:?} {version}");
        }
    }
}

#[tokio::test]
async fn a_cancelled_call_cancels_its_turn() {
    for way in WAYS {
        for version in &LIFECYCLES {
            let gate = Gate::new();
            let setup = Setup::always(Reply::new().say("Hello ").wait(&gate).say("there"));
            let connected = Connected::new(way, setup, User::of(version)).await;
            let request = CallToolRequest::new(params("assistant", &json!({ "message": "Hello" })));
            let request = ClientRequest::CallToolRequest(request);
            let options = PeerRequestOptions::no_options();
            let call = connected.client.peer().send_cancellable_request(request, options).await.unwrap();
            gate.reached().await;
            call.cancel(Some("no longer needed".to_owned())).await.unwrap();
            assert_eq!(connected.end_of_turn().await, TurnStatus::Cancelled, "{way:?} {version}");
            gate.open();
        }
    }
}

#[tokio::test]
async fn a_client_that_shows_forms_decides_in_the_revision_that_has_them_and_others_are_denied() {
    for way in WAYS {
        for (version, answer, paid) in [
            (&LIFECYCLES[1], Some(json!({ "decision": "approve" })), 2),
            (&LIFECYCLES[1], Some(json!({ "decision": "deny", "note": "not now" })), 0),
            (&LIFECYCLES[1], None, 0),
            // A server would ask clients of earlier revisions over a connection that stays open.
            (&LIFECYCLES[0], Some(json!({ "decision": "approve" })), 0),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let ledger = Ledger::open(folder.path().join("paid")).unwrap();
            let pays = Reply::new().call("pay", json!({ "amount": 5 })).call("pay", json!({ "amount": 7 }));
            let setup = Setup::answering([pays, Reply::text("Done.")]).tool(pay(ledger.clone())).ask_before("pay");
            let user = User { answer: answer.clone(), ..User::of(version) };
            let connected = Connected::new(way, setup, user).await;
            let result = connected.call("assistant", json!({ "message": "Pay them." })).await.unwrap();
            assert_eq!(text(&result), "Done.", "{way:?} {version} {answer:?}");
            assert_eq!(ledger.effects().unwrap().len(), paid, "{way:?} {version} {answer:?}");
        }
    }
}
