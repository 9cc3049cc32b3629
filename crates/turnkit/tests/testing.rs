//! Recordings are made once, replayed without a provider, and refused when they are stale.
#![expect(clippy::unwrap_used, reason = "a missing answer fails the test")]

use std::path::Path;
use std::sync::Arc;

use turnkit::core::ModelName;
use turnkit::llm::{Endpoint, Secret, Wire};
use turnkit::testing::{Call, RecordedError, RecordedProvider, Reply, ScriptedProvider, transcript};
use turnkit::{Agent, AgentSession, LlmProvider as _};
use turnkit_testkit::{FakeUpstream, Response, SeededIds};

/// The key that the recording run has. No recording may hold it.
const KEY: &str = "sk-a-key-of-the-recording-run";

fn endpoint(base_url: &str) -> Endpoint {
    Endpoint {
        base_url: Some(base_url.to_owned()),
        api_key: Some(Secret::new(KEY.to_owned())),
        models: vec![ModelName("small".into())],
        ..Endpoint::new("main", Wire::OpenaiChat)
    }
}

/// An endpoint that nothing answers at.
fn nowhere() -> Endpoint {
    Endpoint { api_key: None, ..endpoint("http://127.0.0.1:9/v1") }
}

fn provider(endpoint: Endpoint, folder: &Path) -> RecordedProvider {
    RecordedProvider::with_endpoint(endpoint, folder).unwrap()
}

async fn ask_twice(mut session: AgentSession) -> Vec<String> {
    session.ask("What is the capital of Portugal?").await.unwrap();
    session.ask("And of Spain?").await.unwrap();
    transcript(session.state().history.iter().map(|entry| entry.message()))
}

/// Records a session of two turns in `folder`.
async fn record(folder: &Path) -> Vec<String> {
    let upstream = FakeUpstream::start([Response::text("Lisbon."), Response::text("Madrid.")]).await.unwrap();
    let agent = Agent::with_provider(provider(endpoint(&upstream.base_url()), folder));
    // Ids of one millisecond are random, and a fake upstream is quicker than that.
    let agent = agent.engine(|builder| builder.ids(SeededIds::new(7)));
    ask_twice(agent.session()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_recorded_session_is_replayed_without_the_provider_any_number_of_times() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("capitals");
    let recorded = record(&folder).await;
    assert_eq!(recorded[3], "assistant: Madrid.");
    for _ in 0..2 {
        let agent = Agent::with_provider(provider(nowhere(), &folder));
        assert_eq!(ask_twice(agent.session()).await, recorded);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_recording_holds_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("capitals");
    record(&folder).await;
    let mut files = 0;
    for exchange in std::fs::read_dir(folder.join("openai_chat")).unwrap() {
        for file in std::fs::read_dir(exchange.unwrap().path()).unwrap() {
            assert!(!std::fs::read_to_string(file.unwrap().path()).unwrap().contains(KEY));
            files += 1;
        }
    }
    assert_eq!(files, 6, "two exchanges of three files");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_changed_request_fails_with_its_place_unless_changes_are_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("capitals");
    record(&folder).await;
    let ask = async |provider: RecordedProvider| Agent::with_provider(provider).ask("What is a lighthouse?").await;

    let error = ask(provider(nowhere(), &folder)).await.unwrap_err().to_string();
    assert!(
        error.contains("turn 1 differs from the recording in the request of step 1, at /messages/0/content"),
        "{error}"
    );
    assert!(error.contains("to record again"), "{error}");
    let answer = ask(provider(nowhere(), &folder).allow_changed_requests()).await.unwrap();
    assert_eq!(answer.text(), "Lisbon.");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_turn_that_was_not_recorded_fails_with_that_reason() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("capitals");
    record(&folder).await;
    let mut session = Agent::with_provider(provider(nowhere(), &folder)).session();
    session.ask("What is the capital of Portugal?").await.unwrap();
    session.ask("And of Spain?").await.unwrap();
    let error = session.ask("And of France?").await.unwrap_err().to_string();
    assert!(error.contains("turn 3 is not recorded"), "{error}");
}

#[test]
fn without_a_recording_a_model_that_cannot_be_asked_is_an_error_that_names_the_folder() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("capitals");
    let error = RecordedProvider::open("nobody:small", &folder).err().unwrap();
    assert!(matches!(error, RecordedError::NotRecorded { .. }), "{error}");
    assert!(error.to_string().contains("capitals") && error.to_string().contains("no vendor `nobody`"), "{error}");
    assert!(!folder.exists());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_recorded_failure_names_the_folder_to_delete() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("capitals");
    let upstream = FakeUpstream::start([Response::status(401, "wrong key")]).await.unwrap();
    Agent::with_provider(provider(endpoint(&upstream.base_url()), &folder)).ask("Hello?").await.unwrap_err();

    let error = Agent::with_provider(provider(nowhere(), &folder)).ask("Hello?").await.unwrap_err().to_string();
    assert!(error.contains("HTTP 401") && error.contains("capitals, delete it to record again"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_empty_folder_is_not_a_recording_yet() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("capitals");
    drop(provider(nowhere(), &folder));
    assert!(folder.exists());
    assert_eq!(record(&folder).await[1], "assistant: Lisbon.");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_replayed_model_has_the_window_of_the_recorded_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("capitals");
    let with_window = |endpoint: Endpoint| Endpoint { models: vec![ModelName("gpt-5-mini".into())], ..endpoint };
    let upstream = FakeUpstream::start([Response::text("Lisbon.")]).await.unwrap();
    let recording = Arc::new(provider(with_window(endpoint(&upstream.base_url())), &folder));
    Agent::with_provider(Arc::clone(&recording)).ask("What is the capital of Portugal?").await.unwrap();
    let recorded = recording.limits(None, None);
    drop(recording);
    assert_eq!(provider(with_window(nowhere()), &folder).limits(None, None), recorded);
    assert!(recorded.is_some_and(|limits| limits.window > 100_000), "{recorded:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn exchanges_of_another_endpoint_are_refused_when_they_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("capitals");
    record(&folder).await;
    let other = Endpoint { id: "other".to_owned(), ..nowhere() };
    let error = RecordedProvider::with_endpoint(other, &folder).err().unwrap();
    assert!(matches!(error, RecordedError::OtherEndpoint { .. }), "{error}");
}

#[tokio::test]
async fn a_scripted_provider_keeps_the_requests_it_received() {
    let model = Arc::new(ScriptedProvider::new([Reply::text("Lisbon."), Reply::text("Madrid.")]));
    let transcript = ask_twice(Agent::with_provider(Arc::clone(&model)).session()).await;
    let received: Vec<_> = model.calls().iter().map(Call::transcript).collect();
    assert_eq!(received, [transcript[..1].to_vec(), transcript[..3].to_vec()]);
}
