//! Tests of which bodies the decoders accept and reject.

use axum::http::{HeaderMap, Uri};
use serde::Deserialize;
use serde_json::json;
use turnkit_core::{
    BlobId, BranchPoint, BusyPolicy, ClientCaps, Image, Message, Part, Role, SamplingParams, SessionId, SessionKey,
    Thinking, ToolDefinition, ToolUse, TurnId,
};
use turnkit_engine::ContextPaths;
use uuid::Uuid;

use super::schemas::{document, faults};
use crate::ApiError;
use crate::dialect::{Answer, Endpoint, Head, TurnSubmission, named};

/// A marker in bodies that must not appear in error messages.
const SENT: &str = "c4n4ry";

/// A body and the expected response. The bytes come from `body`, from `hex`, or from `repeat`: a head, a text that is
/// repeated a number of times, and a tail.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    name: String,
    dialect: String,
    body: Option<String>,
    hex: Option<String>,
    repeat: Option<(String, String, usize, String)>,
    /// 200 if the body is accepted.
    status: u16,
    code: Option<String>,
    field: Option<String>,
}

impl Vector {
    fn bytes(&self) -> Vec<u8> {
        if let Some((head, unit, times, tail)) = &self.repeat {
            return format!("{head}{}{tail}", unit.repeat(*times)).into_bytes();
        }
        let Some(hex) = &self.hex else { return self.body.clone().unwrap().into_bytes() };
        let byte = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        (0..hex.len()).step_by(2).map(byte).collect()
    }
}

#[test]
fn a_body_is_taken_or_refused_with_the_right_status_code_and_field() {
    let vectors = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/post_chat.json"));
    let vectors: Vec<Vector> = serde_json::from_str(vectors).unwrap();
    for vector in &vectors {
        let answer = decode(&vector.dialect, &vector.bytes());
        let got = match &answer {
            Ok(_) => (200, None, None),
            Err(error) => {
                let body = json!(error.body(""));
                assert!(!body.to_string().contains(SENT), "repeats what was sent: {body}");
                let word = |value: &serde_json::Value| value.as_str().map(str::to_owned);
                (status_of(&vector.dialect, error.clone()), word(&body["error"]["code"]), word(&body["error"]["param"]))
            }
        };
        let expected = (vector.status, vector.code.clone(), vector.field.clone());
        assert_eq!(got, expected, "{}, to {}", vector.name, vector.dialect);
    }
}

#[test]
fn a_native_body_that_is_taken_is_as_the_document_says() {
    let vectors = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/post_chat.json"));
    let vectors: Vec<Vector> = serde_json::from_str(vectors).unwrap();
    let document = document();
    let schema = document.pointer("/paths/~1api~1v1~1turns/post/requestBody/content/application~1json/schema").unwrap();
    let taken = vectors.iter().filter(|vector| vector.dialect == "native" && vector.status == 200);
    for vector in taken {
        let body = serde_json::from_slice(&vector.bytes()).unwrap();
        assert_eq!(faults(&document, schema, &body, "body"), Vec::<String>::new(), "{}", vector.name);
    }
}

#[test]
fn a_native_request_names_a_session_and_files_by_id_and_may_say_images() {
    let body = r#"{
        "session_id": "00000000-0000-0000-0000-000000000007", "agent": "helper", "idempotency_key": "k",
         "params": {"temperature": 0.2, "max_tokens": 800, "thinking": "low", "stop": ["END"]}, "tools": "none", "mode": "plan",
         "on_busy": "interrupt",
         "interact": true, "client_tools": [{"name": "show", "parameters": {"type": "object"}}, {"name": "hide"}],
         "parts": [{"type": "text", "text": "What is this?"}, {"type": "image", "media_type": "image/png", "url": "HTTPS://x/y"}],
         "files": ["00000000-0000-0000-0000-000000000009"]
    }"#;
    let image = Image::new("image/png", "HTTPS://x/y");
    let submission = TurnSubmission {
        session: SessionKey::Id(SessionId(Uuid::from_u128(7))),
        agent: Some("helper".to_owned()),
        route: None,
        params: SamplingParams {
            temperature: Some(0.2),
            max_tokens: Some(800),
            thinking: Some(Thinking::Low),
            stop: Some(vec!["END".into()]),
        },
        tools: Some(ToolUse::None),
        client_tools: [("show", r#"{"type": "object"}"#), ("hide", "{}")]
            .map(|(name, schema)| ToolDefinition::new(name, "", schema).unwrap())
            .to_vec(),
        mode: Some("plan".into()),
        message: Message::new(Role::User, vec![Part::text("What is this?"), Part::Image(image)]),
        files: vec![BlobId(Uuid::from_u128(9))],
        context: None,
        idempotency_key: Some("k".to_owned()),
        answer: Answer::Whole,
        after: BranchPoint::Head,
        busy: Some(BusyPolicy::Interrupt),
        interact: true,
    };
    assert_eq!(decode("native", body.as_bytes()).unwrap(), submission);
    let new = TurnSubmission {
        session: SessionKey::New,
        agent: None,
        route: None,
        params: SamplingParams::default(),
        tools: None,
        client_tools: Vec::new(),
        mode: None,
        message: Message::user("hi"),
        files: Vec::new(),
        context: None,
        idempotency_key: None,
        answer: Answer::Whole,
        after: BranchPoint::Head,
        busy: None,
        interact: false,
    };
    assert_eq!(decode("native", br#"{"message":"hi","session_id":null}"#).unwrap(), new);
}

#[test]
fn a_native_request_names_paths_and_holds_images() {
    let context = json!({
        "files": ["a.md"], "images": ["b.png", "data:image/png;base64,iVBORw=="], "tree": ".",
    });
    let submission = decode("native", json!({ "message": "hi", "context": context }).to_string().as_bytes()).unwrap();
    let paths =
        ContextPaths { files: vec!["a.md".to_owned()], images: vec!["b.png".to_owned()], tree: Some(".".to_owned()) };
    assert_eq!(submission.context, Some(Box::new(paths)));
    let image = Part::Image(Image::at("data:image/png;base64,iVBORw=="));
    assert_eq!(submission.message, Message::new(Role::User, vec![image, Part::text("hi")]));

    for (context, field) in [
        (json!({}), None),
        (json!({ "documents": ["7"] }), Some("context.documents")),
        (json!({ "images": ["a", "data:text/html;base64,aGk="] }), Some("context.images[1]")),
        (json!({ "images": ["data:image/png;base64,%%%"] }), Some("context.images[0]")),
        (json!({ "files": "a.md" }), Some("context.files")),
    ] {
        let answer = decode("native", json!({ "message": "hi", "context": context }).to_string().as_bytes());
        let wrong = answer.as_ref().err().map(|error| json!(error.body(""))["error"]["param"].clone());
        assert_eq!(wrong, field.map(|field| json!(field)), "{context}");
        assert!(answer.is_err() || answer.is_ok_and(|submission| submission.context.is_none()), "{context}");
    }
}

#[test]
fn a_native_request_continues_the_head_a_turn_or_nothing() {
    let turn = BranchPoint::After(TurnId(Uuid::from_u128(7)));
    for (after, expected) in [
        ("", Ok(BranchPoint::Head)),
        (r#","after":null"#, Ok(BranchPoint::Beginning)),
        (r#","after":"00000000-0000-0000-0000-000000000007""#, Ok(turn)),
        (r#","after":"1""#, Err("after: the session has no such turn")),
        (r#","after":1"#, Err("after: must be a string")),
    ] {
        let decoded = decode("native", format!(r#"{{"message":"hi"{after}}}"#).as_bytes());
        let found = decoded.as_ref().map(|submission| submission.after).map_err(|error| error.message());
        assert_eq!(found, expected, "{after}");
    }
}

#[test]
fn an_image_is_one_or_is_refused() {
    for (media_type, url, wrong) in [
        ("image/png", "https://example.org/a.png?b=c", None),
        ("image/svg+xml", "https://[::1]:8443/", None),
        ("IMAGE/PNG", "DATA:image/png;base64,iVBORw==", None),
        ("text/html", "https://example.org/", Some("media_type")),
        ("image/", "https://example.org/", Some("media_type")),
        ("image/png; q=1", "https://example.org/", Some("media_type")),
        ("", "https://example.org/", Some("media_type")),
        ("image/png", "https:", Some("url")),
        ("image/png", "https://", Some("url")),
        ("image/png", "https:///a.png", Some("url")),
        ("image/png", "https://a b/", Some("url")),
        ("image/png", "http://example.org/a.png", Some("url")),
        ("image/png", "file:///etc/passwd", Some("url")),
        ("image/png", "data:image/jpeg;base64,iVBORw==", Some("url")),
        ("image/png", "data:image/png,iVBORw==", Some("url")),
        ("image/png", "data:image/png;base64,", Some("url")),
        ("image/png", "data:image/png;base64,%%%", Some("url")),
        ("image/png", "", Some("url")),
    ] {
        let part = json!({ "type": "image", "media_type": media_type, "url": url });
        let answer = decode("native", json!({ "parts": [part] }).to_string().as_bytes());
        let field = answer.err().map(|error| json!(error.body(""))["error"]["param"].as_str().unwrap().to_owned());
        assert_eq!(field, wrong.map(|name| format!("parts[0].{name}")), "{media_type} {url}");
    }
}

#[test]
fn a_named_request_calls_its_session_as_it_likes() {
    let submission = decode("named", br#"{"session_id":"my talk","message":" hi\n"}"#).unwrap();
    assert_eq!(submission.session, SessionKey::Name("my talk".parse().unwrap()));
    assert_eq!(submission.message, Message::user(" hi\n"));
    let submission = decode("named", br#"{"message":"hi"}"#).unwrap();
    assert_eq!(submission.session, SessionKey::New);
}

#[test]
fn a_relay_request_calls_its_session_as_it_likes() {
    let submission = decode("relay", br#"{"sessionId":"s","message":"hi","userId":"another user"}"#).unwrap();
    assert_eq!(submission.session, SessionKey::Name("s".parse().unwrap()));
    assert_eq!(submission.message, Message::user("hi"));
}

#[test]
fn a_typed_request_brings_the_whole_conversation() {
    let body = br#"{"messages":[
        {"role":"system","content":"Be brief."}, {"role":"user","content":"hi"},
        {"role":"assistant","content":"Hello."}, {"role":"user","content":"and?"}
    ]}"#;
    let submission = decode("typed", body).unwrap();
    let message = |role, text| Message::new(role, vec![Part::text(text)]);
    let before =
        vec![message(Role::System, "Be brief."), message(Role::User, "hi"), message(Role::Assistant, "Hello.")];
    assert_eq!((submission.session, submission.message), (SessionKey::Ephemeral(before), Message::user("and?")));
    let alone = decode("typed", br#"{"messages":[{"role":"user","content":"hi"}]}"#).unwrap();
    assert_eq!(alone.session, SessionKey::Ephemeral(Vec::new()));
}

#[test]
fn no_client_can_decide_a_call_and_all_but_one_can_come_back() {
    for (name, resume) in [("native", true), ("named", true), ("typed", false), ("relay", true)] {
        assert_eq!(named(name).unwrap().caps, ClientCaps { interact: false, resume }, "{name}");
    }
    assert!(named("other").is_none());
}

/// Returns the status that a client of the protocol receives.
fn status_of(dialect: &str, error: ApiError) -> u16 {
    (endpoint(dialect).error_response)(error).status().as_u16()
}

fn decode(dialect: &str, body: &[u8]) -> Result<TurnSubmission, ApiError> {
    let head = Head { headers: &HeaderMap::new(), uri: &Uri::from_static("/") };
    (endpoint(dialect).decode)(&head, body)
}

fn endpoint(dialect: &str) -> &'static Endpoint {
    &named(dialect).unwrap().endpoints[0]
}
