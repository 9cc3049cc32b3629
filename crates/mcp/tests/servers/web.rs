//! Real servers over HTTP, and what clients see of them.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rmcp::model::ProtocolVersion;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::time::timeout;
use turnkit_core::ports::ToolSource as _;
use turnkit_core::{Reply, ToolAnswer, ToolError, ToolImage};
use turnkit_mcp::{HttpServer, McpState, Transport, Trust};
use turnkit_net::Target;

use crate::support::{Reports, call, call_with, client, names, pass, server, settings, tool, until, with};
use crate::tickets::{NAMES, Tickets};

/// The values of a header of all requests, `None` where it was missing.
pub(crate) type Seen = Arc<Mutex<Vec<Option<String>>>>;

/// Starts a server of tickets, and records the header `x-owner` of its requests.
pub(crate) async fn serve(tickets: Tickets) -> (SocketAddr, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let seen = Seen::default();
    let keeps = Arc::clone(&seen);
    let config = StreamableHttpServerConfig::default().with_sse_retry(None);
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(tickets.clone()), sessions, config);
    tokio::spawn(async move {
        while let Ok((socket, _)) = listener.accept().await {
            let (service, keeps) = (service.clone(), Arc::clone(&keeps));
            let answer = service_fn(move |request: Request<Incoming>| {
                let owner = request.headers().get("x-owner").map(|owner| owner.to_str().unwrap().to_owned());
                keeps.lock().unwrap().push(owner);
                let service = service.clone();
                async move { Ok::<_, Infallible>(service.handle(request).await) }
            });
            tokio::spawn(async move {
                _ = http1::Builder::new().serve_connection(TokioIo::new(socket), answer).await;
            });
        }
    });
    (address, seen)
}

/// The protocols that the tests speak: with sessions, and without.
const PROTOCOLS: [ProtocolVersion; 2] = [ProtocolVersion::V_2025_11_25, ProtocolVersion::V_2026_07_28];

#[tokio::test]
async fn tools_of_all_pages_are_offered_and_the_set_stays_the_same() {
    for protocol in PROTOCOLS {
        let (address, _) = serve(Tickets::new(protocol.clone())).await;
        let server = server(settings(address));
        assert_eq!(server.status().state, McpState::NotStarted);
        assert!(server.known_tools(None).is_none());
        let tools = server.tools(None).await.unwrap();
        assert_eq!(names(&tools), NAMES);
        assert!(Arc::ptr_eq(&tools, &server.tools(None).await.unwrap()));
        assert!(Arc::ptr_eq(&tools, &server.known_tools(None).unwrap()));
        let McpState::Ready(info) = server.status().state else { unreachable!("the server is ready") };
        assert_eq!(
            (info.protocol.as_str(), info.tools.len(), info.left_out.len()),
            (protocol.as_str(), NAMES.len(), 0)
        );
        assert_eq!(info.server.as_deref(), Some("tickets[0m 1.2"));
    }
}

#[tokio::test]
async fn results_of_tools_are_text_and_data_and_their_errors_are_read_by_the_model() {
    for protocol in PROTOCOLS {
        let (address, _) = serve(Tickets::new(protocol)).await;
        let server = server(settings(address));
        let find = call(&tool(&server, "find").await, &json!({ "id": 7 })).await.unwrap();
        assert_eq!(find.content, "ticket 7");
        let picture = call(&tool(&server, "picture").await, &json!({})).await.unwrap();
        let broken = "[image, image/png, 5 bytes: not shown, its content is text/plain, not PNG, JPEG, GIF or WebP]";
        assert_eq!(picture.content, format!("three\n[image, image/png, 16 bytes]\n{broken}"));
        assert_eq!(picture.images.iter().map(ToolImage::media_type).collect::<Vec<_>>(), ["image/png"]);
        assert_eq!(picture.data.unwrap().payload.get(), r#"{"open":3}"#);
        let refused = call(&tool(&server, "refuse").await, &json!({})).await;
        assert_eq!(refused, Err(ToolError::Failed("there is no ticket 9".to_owned())));
        let wrong = call(&tool(&server, "find").await, &json!([1])).await;
        assert!(matches!(wrong, Err(ToolError::InvalidArguments(_))), "{wrong:?}");
    }
}

#[tokio::test]
async fn hints_of_a_server_that_is_not_trusted_do_not_count() {
    let (address, _) = serve(Tickets::new(ProtocolVersion::LATEST)).await;
    for (trust, reads) in [(Trust::None, false), (Trust::Annotations, true), (Trust::Full, true)] {
        let mut settings = settings(address);
        settings.trust = trust;
        let server = server(settings);
        assert_eq!(tool(&server, "find").await.definition().flags.read_only, reads, "{trust:?}");
        assert_eq!((server.trust(), server.tool_pattern().as_str()), (trust, "tickets__*"));
    }
}

#[tokio::test]
async fn progress_of_a_call_is_reported_without_credentials() {
    for protocol in PROTOCOLS {
        let tickets = Tickets::new(protocol);
        let (address, _) = serve(tickets.clone()).await;
        let http = HttpServer::new(client(), Target::new(&format!("http://{address}/mcp")).unwrap());
        let http = http.with_header("authorization", "Bearer key-12345").unwrap();
        let report = tool(&server(with(Transport::Http(http))), "report").await;
        // The server goes on when the report has arrived.
        let reports = Reports { arrived: Arc::clone(&tickets.state.go_on), ..Reports::default() };
        let output = call_with(&report, &json!({}), None, &reports).await.unwrap();
        assert_eq!(output.content, "reported");
        assert_eq!(*reports.texts.lock().unwrap(), ["half done by (secret)"]);
    }
}

#[tokio::test]
async fn a_dropped_call_is_cancelled() {
    for protocol in PROTOCOLS {
        let tickets = Tickets::new(protocol);
        let (address, _) = serve(tickets.clone()).await;
        let server = server(settings(address));
        let wait = tool(&server, "wait").await;
        let arguments = json!({});
        tokio::select! {
            biased;
            outcome = call(&wait, &arguments) => unreachable!("the call has ended: {outcome:?}"),
            () = tickets.state.go_on.notified() => {}
        }
        tickets.state.was_cancelled.notified().await;
    }
}

#[tokio::test]
async fn a_changed_list_is_read_again() {
    let (address, _) = serve(Tickets::new(ProtocolVersion::V_2025_11_25)).await;
    let server = server(settings(address));
    let before = server.tools(None).await.unwrap();
    call(&tool(&server, "change").await, &json!({})).await.unwrap();
    pass(Duration::from_secs(31)).await;
    let changed = async {
        loop {
            let after = server.tools(None).await.unwrap();
            if !Arc::ptr_eq(&before, &after) {
                return after;
            }
            tokio::task::yield_now().await;
        }
    };
    let after = timeout(Duration::from_secs(10), changed).await.unwrap();
    assert_eq!(names(&after).last(), Some(&"tickets__reopen"));
}

#[tokio::test]
async fn a_question_of_a_server_is_answered_after_a_restart() {
    let tickets = Tickets::new(ProtocolVersion::LATEST);
    let (address, _) = serve(tickets).await;
    let asked = call(&tool(&server(settings(address)), "ask").await, &json!({ "id": 7 })).await;
    let Err(ToolError::NeedsAnswer(question)) = asked else { unreachable!("there is no question: {asked:?}") };
    assert_eq!(question.text, "The server tickets asks: Why?");
    // As it is stored with the question, and loaded by another process.
    let state = serde_json::to_string(&question.state).unwrap();
    for (reply, content) in [
        (Reply::Answered(json!({ "why": "done" })), r#"closed: {"action":"accept","content":{"why":"done"}}"#),
        (Reply::Declined { note: None }, r#"closed: {"action":"decline"}"#),
    ] {
        let answer = ToolAnswer { reply, state: serde_json::from_str(&state).unwrap() };
        let ask = tool(&server(settings(address)), "ask").await;
        let output = call_with(&ask, &json!({ "id": 7 }), Some(&answer), &Reports::default()).await.unwrap();
        assert_eq!(output.content, content);
    }
}

#[tokio::test]
async fn a_session_ends_with_its_server() {
    let tickets = Tickets::new(ProtocolVersion::V_2025_11_25);
    let (address, seen) = serve(tickets.clone()).await;
    let server = server(settings(address));
    let close = tool(&server, "close").await;
    call(&close, &json!({})).await.unwrap();
    assert_eq!(tickets.state.closed.load(Ordering::SeqCst), 1);
    let before = seen.lock().unwrap().len();
    drop((server, close));
    // The request that deletes the session.
    until(|| seen.lock().unwrap().len() > before).await;
}
