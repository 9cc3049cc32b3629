//! Tests of a protocol with several endpoints that uses every feature of an endpoint.

use std::sync::Arc;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::service::Service;
use hyper_util::service::TowerToHyperService;
use serde_json::{Value, json};
use turnkit_broker::InProcess;
use turnkit_core::{ClientCaps, Message, PartKind, SessionKey, Timestamp, TurnView, WorkerId};
use turnkit_engine::{Agent, AgentSettings, Failpoints, Instructions, ServiceParts, TurnService};
use turnkit_testkit::model_store::{Disk, ModelStore};
use turnkit_testkit::{Reply, ScriptedProvider, SeededIds, VirtualClock};

use crate::dialect::{
    Answer, DIALECTS, Dialect, Endpoint, EndpointDocs, Head, StreamContext, TurnSubmission, schema_of,
};
use crate::error::{ApiError, ErrorCode};
use crate::guard::Guard;
use crate::routes::chat;
use crate::{Server, ServerParts, Settings};

/// The agent is in the path, the session in the query, the kind of response in a header, and the message is the body.
static DIALECT: Dialect = Dialect {
    name: "several",
    caps: ClientCaps { interact: false, resume: true },
    encoder: |reader| (DIALECTS[0].encoder)(reader),
    ids: false,
    shows_session_label: true,
    endpoints: &[
        Endpoint {
            path: "/agents/{agent}",
            decode,
            whole: Some(whole),
            error_response: in_plain_text,
            docs: docs("ask"),
        },
        Endpoint {
            path: "/agents/{agent}/receipts",
            decode,
            whole: None,
            error_response: IntoResponse::into_response,
            docs: docs("ask_for_a_receipt"),
        },
    ],
};

const fn docs(operation_id: &'static str) -> EndpointDocs {
    EndpointDocs {
        operation_id,
        summary: "",
        description: "",
        schema: schema_of::<String>,
        request: "{}",
        receipt: None,
        stream: "",
    }
}

fn decode(head: &Head<'_>, body: &[u8]) -> Result<TurnSubmission, ApiError> {
    let agent = head.uri.path().split('/').nth(2).unwrap().to_owned();
    let session = match head.uri.query() {
        Some(name) => SessionKey::Name(name.parse().map_err(|_| ApiError::field("session", "not a name"))?),
        None => SessionKey::New,
    };
    let message: String = serde_json::from_slice(body).map_err(|_| ApiError::new(ErrorCode::InvalidJson, "no text"))?;
    let answer = if head.accepts("text/event-stream") { Answer::Stream } else { Answer::Whole };
    Ok(TurnSubmission { agent: Some(agent), answer, ..TurnSubmission::new(session, Message::user(message)) })
}

fn whole(context: &StreamContext, view: &TurnView) -> Response {
    let texts = view.parts.iter().filter(|part| part.kind == PartKind::Text).map(|part| part.text.as_str());
    Json(json!({ "session": context.session_label, "text": texts.collect::<String>() })).into_response()
}

fn in_plain_text(error: ApiError) -> Response {
    let text = Body::from(error.message().to_owned());
    let mut response = error.into_response();
    *response.body_mut() = text;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain"));
    response
}

/// A complete response.
struct Answered {
    status: StatusCode,
    headers: HeaderMap,
    body: String,
}

impl Answered {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// Returns a function that sends requests through the guards to the routes of the protocol. The model always gives the
/// same response.
async fn server() -> impl AsyncFn(&str, &[(&str, &str)], &str) -> Answered {
    let store = Arc::new(ModelStore::open(&Disk::default()));
    let clock = Arc::new(VirtualClock::following_tokio(Timestamp::from_millis(1_800_000_000_000)));
    let ids = Arc::new(SeededIds::new(1));
    let agent = |name: &str| Agent {
        name: name.to_owned(),
        flow: Arc::new(Instructions::default()),
        tools: Vec::new(),
        settings: AgentSettings::default(),
    };
    let service = TurnService::new(ServiceParts {
        store: store.clone(),
        broker: Arc::new(InProcess::default()),
        provider: Arc::new(ScriptedProvider::answering(|_, _| Some(Reply::text("It is 42.")))),
        directory: None,
        agents: vec![agent("assistant"), agent("translator")],
        clock: clock.clone(),
        ids: ids.clone(),
        worker: WorkerId("test".into()),
        slots: 8,
        first_suspension: TurnService::FIRST_SUSPENSION,
        failpoints: Failpoints::default(),
    });
    let settings = Settings::default();
    let parts =
        ServerParts { service, store, providers: None, mcp_servers: None, recordings: None, clock, ids, settings };
    let app = Arc::clone(Server::new(parts).await.unwrap().app());
    let (routes, scopes) = chat::routes(&DIALECT).into_parts();
    let router = TowerToHyperService::new(Guard::new(Arc::clone(&app), scopes).closed(routes).with_state(app));
    async move |uri: &str, headers: &[(&str, &str)], body: &str| {
        let mut request = Request::builder().method(Method::POST).uri(uri);
        for (name, value) in [("host", "localhost"), ("content-type", "application/json")].iter().chain(headers) {
            request = request.header(*name, *value);
        }
        let response: Response = router.call(request.body(Body::from(body.to_owned())).unwrap()).await.unwrap();
        let (head, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.unwrap();
        Answered { status: head.status, headers: head.headers, body: String::from_utf8(body.to_vec()).unwrap() }
    }
}

#[tokio::test]
async fn a_decoder_sees_path_query_headers_and_body() {
    let ask = server().await;
    let streamed = ask("/agents/translator?talk", &[("accept", "text/event-stream")], r#""What is 6 x 7?""#).await;
    assert_eq!(
        (streamed.status, streamed.header("content-type")),
        (StatusCode::OK, "text/event-stream"),
        "{}",
        streamed.body
    );
    assert!(
        streamed.body.contains(r#""agent":"translator""#) && streamed.body.contains("What is 6 x 7?"),
        "{}",
        streamed.body
    );
}

#[tokio::test]
async fn an_endpoint_answers_with_a_stream_with_the_whole_turn_or_with_a_receipt() {
    let ask = server().await;
    let whole = ask("/agents/assistant?talk", &[], r#""What is 6 x 7?""#).await;
    assert_eq!((whole.status, whole.json()), (StatusCode::OK, json!({ "session": "talk", "text": "It is 42." })));
    let receipt = ask("/agents/assistant/receipts?talk", &[], r#""And 6 x 8?""#).await;
    assert_eq!(receipt.status, StatusCode::ACCEPTED);
    assert_eq!(receipt.json()["turn_id"], receipt.header("x-turn-id"));
    let stream = ask("/agents/assistant/receipts", &[("accept", "text/event-stream")], r#""And 6 x 9?""#).await;
    assert!(stream.body.starts_with("event: turn.started\n"), "{}", stream.body);
    assert!(!whole.header("x-turn-id").is_empty() && !stream.header("x-turn-id").is_empty());
}

#[tokio::test]
async fn an_endpoint_rejects_in_its_own_form() {
    let ask = server().await;
    let plain = ask("/agents/nobody", &[], r#""Hello""#).await;
    assert_eq!((plain.status, plain.header("content-type")), (StatusCode::NOT_FOUND, "text/plain"));
    assert_eq!(plain.body, "agent: there is no such agent; the agents are assistant, translator");
    assert!(!plain.header("x-request-id").is_empty(), "the guards finish it as every response");
    let usual = ask("/agents/nobody/receipts", &[], r#""Hello""#).await;
    assert_eq!((usual.status, usual.header("content-type")), (StatusCode::NOT_FOUND, "application/json"));
    assert_eq!(usual.json()["error"]["code"], "not_found");
}
