//! What the decoders take and what they refuse.

use axum::response::IntoResponse;
use serde::Deserialize;
use turnkit_core::{Image, Message, Part, Role, SessionId, SessionKey};
use uuid::Uuid;

use crate::dialect::{Asked, named};
use crate::{ApiError, Code};

/// Stands in bodies where it must not come back.
const SENT: &str = "c4n4ry";

/// A body and the answer to it. The bytes are those of `body`, of `hex`, or of `repeat`: a head, something so many
/// times, a tail.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    name: String,
    dialect: String,
    body: Option<String>,
    hex: Option<String>,
    repeat: Option<(String, String, usize, String)>,
    /// 200 if it is accepted.
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
                let body = error.body("");
                assert!(!body.to_string().contains(SENT), "repeats what was sent: {body}");
                let word = |value: &serde_json::Value| value.as_str().map(str::to_owned);
                (
                    status_of(&vector.dialect, error.clone()),
                    word(&body["error"]["code"]),
                    word(&body["error"]["details"]["field"]),
                )
            }
        };
        let expected = (vector.status, vector.code.clone(), vector.field.clone());
        assert_eq!(got, expected, "{}, to {}", vector.name, vector.dialect);
    }
}

#[test]
fn a_native_request_names_a_session_by_id_and_may_say_images() {
    let body = r#"{
        "session_id": "00000000-0000-0000-0000-000000000007", "agent": "helper", "idempotency_key": "k",
        "parts": [{"type": "text", "text": "What is this?"}, {"type": "image", "media_type": "image/png", "url": "HTTPS://x/y"}]
    }"#;
    let image = Image { media_type: "image/png".to_owned(), url: "HTTPS://x/y".to_owned(), opaque: None };
    let asked = Asked {
        session: SessionKey::Id(SessionId(Uuid::from_u128(7))),
        agent: Some("helper".to_owned()),
        message: Message::new(Role::User, vec![Part::text("What is this?"), Part::Image(image)]),
        idempotency_key: Some("k".to_owned()),
        called: None,
    };
    assert_eq!(decode("native", body.as_bytes()).unwrap(), asked);
    let new = Asked {
        session: SessionKey::New,
        agent: None,
        message: Message::user("hi"),
        idempotency_key: None,
        called: None,
    };
    assert_eq!(decode("native", br#"{"message":"hi","session_id":null}"#).unwrap(), new);
}

#[test]
fn a_named_request_calls_its_session_as_it_likes() {
    let asked = decode("named", br#"{"session_id":"my talk","message":" hi\n"}"#).unwrap();
    assert_eq!(asked.session, SessionKey::Name("my talk".parse().unwrap()));
    assert_eq!((asked.called.as_deref(), asked.message), (Some("my talk"), Message::user(" hi\n")));
    let asked = decode("named", br#"{"message":"hi"}"#).unwrap();
    assert_eq!((asked.session, asked.called), (SessionKey::New, None));
}

#[test]
fn a_relay_request_calls_its_session_as_it_likes() {
    let asked = decode("relay", br#"{"sessionId":"s","message":"hi","userId":"somebody else"}"#).unwrap();
    assert_eq!(asked.session, SessionKey::Name("s".parse().unwrap()));
    assert_eq!((asked.called.as_deref(), asked.message), (Some("s"), Message::user("hi")));
}

#[test]
fn a_typed_request_brings_the_whole_conversation() {
    let body = br#"{"messages":[
        {"role":"system","content":"Be brief."}, {"role":"user","content":"hi"},
        {"role":"assistant","content":"Hello."}, {"role":"user","content":"and?"}
    ]}"#;
    let asked = decode("typed", body).unwrap();
    let said = |role, text| Message::new(role, vec![Part::text(text)]);
    let before = vec![said(Role::System, "Be brief."), said(Role::User, "hi"), said(Role::Assistant, "Hello.")];
    assert_eq!((asked.session, asked.message), (SessionKey::Ephemeral(before), Message::user("and?")));
    let alone = decode("typed", br#"{"messages":[{"role":"user","content":"hi"}]}"#).unwrap();
    assert_eq!(alone.session, SessionKey::Ephemeral(Vec::new()));
}

#[test]
fn who_may_answer_questions_and_who_may_come_back() {
    let caps = |name: &str, ext| {
        let caps = (named(name).unwrap().caps)(ext);
        (caps.interact, caps.resume)
    };
    for (name, strict, extended) in [
        ("native", (true, true), (true, true)),
        ("named", (false, true), (true, true)),
        ("typed", (false, false), (false, false)),
        ("relay", (false, true), (true, true)),
    ] {
        assert_eq!((caps(name, false), caps(name, true)), (strict, extended), "{name}");
    }
    assert!(named("other").is_none());
}

/// The status a client of the protocol gets.
fn status_of(dialect: &str, error: ApiError) -> u16 {
    let wrong = named(dialect).unwrap().door.wrong;
    let error = if error.code() == Code::InvalidRequest { error.with_status(wrong) } else { error };
    error.into_response().status().as_u16()
}

fn decode(dialect: &str, body: &[u8]) -> Result<Asked, ApiError> {
    (named(dialect).unwrap().decode)(body)
}
