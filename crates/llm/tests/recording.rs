//! Tests the recordings of exchanges with a provider on a real socket.
#![expect(clippy::unwrap_used, reason = "a failing helper is a failing test")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use futures_util::StreamExt;
use serde_json::{Value, json};
use turnkit_core::ports::{CallContext, LlmProvider};
use turnkit_core::{ChatRequest, History, Message, ModelName, Params, ProviderError, ToolChoice, TurnId};
use turnkit_llm::recording::Recorder;
use turnkit_llm::{Endpoint, Provider, Secret, Wire};
use turnkit_testkit::{FakeUpstream, Gate, Response};

const KEY: &str = "sk-proj-0123456789";

fn request(text: &str) -> ChatRequest {
    ChatRequest {
        model: None,
        instructions: None,
        history: History::of([Message::user(text)]),
        tools: Arc::new([]),
        params: Params::default(),
        tool_choice: ToolChoice::Auto,
        route: None,
    }
}

fn call(step: u16) -> CallContext {
    CallContext { turn: TurnId::default(), step, attempt: 1 }
}

fn provider(base_url: &str, folder: &Path) -> Provider {
    let endpoint = Endpoint {
        base_url: Some(base_url.to_owned()),
        api_key: Some(Secret::new(KEY)),
        models: vec![ModelName("small".into())],
        ..Endpoint::new("main", Wire::OpenaiChat)
    };
    Provider::new(endpoint).unwrap().recorded_by(Arc::new(Recorder::start(folder).unwrap()))
}

async fn follow(provider: &Provider, step: u16, text: &str) -> Result<(), ProviderError> {
    let mut opened = provider.stream(request(text), &call(step)).await?;
    while let Some(batch) = opened.deltas.next().await {
        batch?;
    }
    Ok(())
}

/// Returns the exchanges in a folder of recordings, in order. The folder must contain nothing else.
fn exchanges(folder: &Path) -> Vec<PathBuf> {
    let Ok(found) = fs::read_dir(folder.join("openai_chat")) else { return Vec::new() };
    let mut found: Vec<PathBuf> = found.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

fn json_of(folder: &Path, name: &str) -> Value {
    serde_json::from_slice(&fs::read(folder.join(name)).unwrap()).unwrap()
}

/// Reports whether any file below `folder` contains any eight consecutive characters of the key.
fn leaks(folder: &Path) -> bool {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).any(|path| {
        if path.is_dir() {
            return leaks(&path);
        }
        let text = fs::read(path).unwrap();
        KEY.as_bytes().windows(8).any(|run| text.windows(8).any(|found| found == run))
    })
}

#[tokio::test]
async fn an_exchange_is_kept_byte_for_byte_in_a_folder_of_its_own() {
    for pieces in [1, 7, 10_000] {
        let answer = Response::text("čau 👋 and more").comment("ping").crlf().header("x-request-id", "r1");
        let body = answer.body();
        let upstream = FakeUpstream::start([answer.split_every(pieces)]).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let recorded = provider(&upstream.base_url(), folder.path());
        follow(&recorded, 3, "hi").await.unwrap();
        drop(recorded);

        let found = exchanges(folder.path());
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].ends_with(format!("openai_chat/{}-003-1-1", TurnId::default())), "{found:?}");
        assert_eq!(fs::read(found[0].join("response.sse")).unwrap(), body, "in pieces of {pieces}");
        assert_eq!(json_of(&found[0], "request.json"), upstream.requests()[0].json());
        let said = json_of(&found[0], "exchange.json");
        let expected = json!({
            "version": 1,
            "turn": TurnId::default(),
            "step": 3,
            "attempt": 1,
            "provider": "main",
            "model": "small",
            "api": "openai-chat",
            "url": format!("{}/chat/completions", upstream.base_url()),
            "status": 200,
            "headers": { "content-type": "text/event-stream", "x-request-id": "r1" },
            "body": "response.sse",
            "ended": "whole",
            "masked": 0,
        });
        assert_eq!(said, expected);
    }
}

#[tokio::test]
async fn an_exchange_records_its_outcome_and_the_received_bytes() {
    let text = Response::text("Half of it is here");
    let body = text.body();
    let buffered = json!({ "choices": [{ "message": { "content": "Hello." }, "finish_reason": "stop" }] });
    for (response, status, kept, ended) in [
        (text.clone().cut_at(250), 200, body[..250].to_vec(), "provider_truncated"),
        (text.clone().reset_at(250), 200, body[..250].to_vec(), "provider_network"),
        (Response::json(200, &buffered), 200, buffered.to_string().into_bytes(), "whole"),
        (Response::status(429, "slow down").header("retry-after", "2"), 429, Vec::new(), "whole"),
    ] {
        let whole = response.body();
        let upstream = FakeUpstream::start([response]).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let recorded = provider(&upstream.base_url(), folder.path());
        let answered = follow(&recorded, 1, "hi").await;
        drop(recorded);
        let found = exchanges(folder.path());
        let said = json_of(&found[0], "exchange.json");
        assert_eq!(said["status"], status);
        let name = said["body"].as_str().unwrap();
        let kept = if kept.is_empty() { whole } else { kept };
        assert_eq!(fs::read(found[0].join(name)).unwrap(), kept, "{said}");
        let told = said["ended"]["failed"]["kind"].as_str().or(said["ended"].as_str());
        assert_eq!(told, Some(ended), "{said} {answered:?}");
        assert_eq!(said["headers"]["retry-after"].as_str(), (status == 429).then_some("2"));
    }
}

#[tokio::test]
async fn dropped_and_unanswered_exchanges_are_recorded() {
    let upstream = FakeUpstream::start([Response::stream().delta(json!({ "content": "so" })).hang()]).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let recorded = provider(&upstream.base_url(), folder.path());
    drop(recorded.stream(request("hi"), &call(1)).await.unwrap());
    upstream.wait_abandoned().await;
    let nobody = upstream.base_url();
    drop((recorded, upstream));

    let refused = provider(&nobody, folder.path());
    assert!(follow(&refused, 2, "hi").await.is_err());
    drop(refused);

    let found = exchanges(folder.path());
    let (dropped, unanswered) = (json_of(&found[0], "exchange.json"), json_of(&found[1], "exchange.json"));
    assert_eq!((&dropped["ended"], &dropped["body"]), (&json!("dropped"), &json!("response.sse")));
    assert!(fs::read_to_string(found[0].join("response.sse")).unwrap().contains("\"so\""));
    assert_eq!(unanswered["ended"]["failed"]["kind"], "provider_network", "{unanswered}");
    assert_eq!((&unanswered["status"], &unanswered["body"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
async fn no_part_of_a_key_is_in_a_recording_wherever_it_was_echoed() {
    let upstream = FakeUpstream::start([
        Response::status(401, &format!("Incorrect API key provided: {KEY}. Or {}…", &KEY[..12])),
        Response::text(&format!("Your key is {KEY}, is it not?")).header("x-request-id", KEY).split_every(5),
        Response::status(404, &format!("no such key {}", &KEY[5..])),
    ])
    .await
    .unwrap();
    let folder = tempfile::tempdir().unwrap();
    let recorded = provider(&upstream.base_url(), folder.path());
    assert!(follow(&recorded, 1, "hi").await.is_err());
    follow(&recorded, 2, &format!("My key is {KEY}.")).await.unwrap();
    assert!(follow(&recorded, 3, "hi").await.is_err());
    drop(recorded);
    assert_eq!(exchanges(folder.path()).len(), 3);
    assert!(!leaks(folder.path()));
    let said = json_of(&exchanges(folder.path())[0], "exchange.json");
    assert_eq!(said["masked"], KEY.len() + 12);
}

#[tokio::test]
async fn a_key_in_the_address_is_masked_whether_it_is_the_user_or_the_password() {
    for user in [KEY.to_owned(), format!("{KEY}:"), format!("me:{KEY}"), format!("{KEY}:x-oauth-basic")] {
        let upstream = FakeUpstream::start([Response::text(&format!("Your key is {KEY}."))]).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let address = upstream.base_url().replace("http://", &format!("http://{user}@"));
        let endpoint = Endpoint {
            base_url: Some(address),
            models: vec![ModelName("small".into())],
            ..Endpoint::new("main", Wire::OpenaiChat)
        };
        let recorder = Arc::new(Recorder::start(folder.path()).unwrap());
        let recorded = Provider::new(endpoint).unwrap().recorded_by(recorder);
        follow(&recorded, 1, &format!("My key is {KEY}.")).await.unwrap();
        drop(recorded);
        assert_eq!(exchanges(folder.path()).len(), 1, "{user}");
        assert!(!leaks(folder.path()), "{user}");
    }
}

#[tokio::test]
async fn concurrent_exchanges_and_those_of_one_attempt_are_distinguished() {
    const MANY: usize = 50;
    let answers = (0..MANY).map(|number| Response::text(&format!("answer {number} to all")).split_every(3));
    let upstream = FakeUpstream::start(answers).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let recorded = provider(&upstream.base_url(), folder.path());
    let all = (0..MANY).map(|_| follow(&recorded, 1, "hi"));
    assert!(futures_util::future::join_all(all).await.iter().all(Result::is_ok));
    drop(recorded);
    let found = exchanges(folder.path());
    assert_eq!(found.len(), MANY);
    let mut bodies: Vec<Vec<u8>> = found.iter().map(|folder| fs::read(folder.join("response.sse")).unwrap()).collect();
    bodies.sort();
    bodies.dedup();
    assert_eq!(bodies.len(), MANY, "each answer is in a folder of its own");
}

#[tokio::test]
async fn a_failed_recording_does_not_fail_the_answer() {
    let gate = Gate::new();
    let answer = Response::stream().delta(json!({ "content": "so" })).wait(&gate).delta(json!({ "content": " it is" }));
    let upstream = FakeUpstream::start([answer.finish("stop").done(), Response::text("again")]).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let recorded = provider(&upstream.base_url(), folder.path());
    let mut opened = recorded.stream(request("hi"), &call(1)).await.unwrap();
    let is_begun = || exchanges(folder.path()).first().is_some_and(|folder| folder.join("response.sse").exists());
    while !is_begun() {
        tokio::task::yield_now().await;
    }
    while fs::remove_dir_all(folder.path().join("openai_chat")).is_err() {}
    gate.open();
    while let Some(batch) = opened.deltas.next().await {
        batch.unwrap();
    }
    drop(opened);
    follow(&recorded, 2, "hi").await.unwrap();
    drop(recorded);
    let found = exchanges(folder.path());
    assert_eq!(found.len(), 1, "only the second is whole: {found:?}");
    assert_eq!(json_of(&found[0], "exchange.json")["step"], 2);
}

#[test]
fn a_folder_that_cannot_be_written_to_is_refused_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let refused = Recorder::start(&file.join("below")).unwrap_err().to_string();
    assert!(refused.starts_with("nothing can be recorded in ") && refused.contains("file"), "{refused}");
}

#[cfg(unix)]
#[tokio::test]
async fn a_recording_is_private_to_its_user() {
    use std::os::unix::fs::PermissionsExt;
    let upstream = FakeUpstream::start([Response::text("hi")]).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("recordings");
    let recorded = provider(&upstream.base_url(), &place);
    follow(&recorded, 1, "hi").await.unwrap();
    drop(recorded);
    for path in [place.clone(), exchanges(&place)[0].clone()] {
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o077, 0, "{path:?}");
    }
}
