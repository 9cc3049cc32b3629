//! Results of a question: an answer, an answer of a Rust type, a stream of text, or an error that suggests a remedy.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::json;
use turnkit::schemars::{self, JsonSchema};
use turnkit::{Agent, Error, PartKind, RunEvent, TextUpdate, TurnStatus};
use turnkit_core::{Price, Prices, ProviderErrorKind, Rates, Role};
use turnkit_engine::machine::{Limits, OnStreamFailure};
use turnkit_testkit::{Reply, ScriptedProvider};

/// A plan of a day.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Plan {
    /// What to do, in order.
    #[schemars(length(min = 1))]
    steps: Vec<String>,
    hours: Option<u8>,
}

fn scripted(script: impl IntoIterator<Item = Reply>) -> (Agent, Arc<ScriptedProvider>) {
    let provider = Arc::new(ScriptedProvider::new(script));
    (Agent::with_provider(Arc::clone(&provider)), provider)
}

#[tokio::test]
async fn an_answer_has_its_text_its_cost_and_the_messages_of_its_turn() {
    let dollars = |price| Price::dollars(price).unwrap();
    let provider = ScriptedProvider::new([Reply::text("It stays dry.").usage(1_000, 100)]);
    let provider = Arc::new(provider.with_prices(Prices::new("now", Rates::new(dollars(3.0), dollars(15.0)))));
    let agent = Agent::with_provider(Arc::clone(&provider)).instructions("You are concise.");
    let answer = agent.ask("Rain in Lisbon?").await.unwrap();
    assert_eq!((answer.text(), answer.to_string().as_str()), ("It stays dry.", "It stays dry."));
    assert_eq!((answer.usage().output, answer.cost().to_string().as_str()), (100, "$0.0045"));
    let roles: Vec<Role> = answer.messages().map(|message| message.role).collect();
    assert_eq!(roles, [Role::User, Role::Assistant]);
    assert_eq!(provider.calls()[0].request.instructions.as_deref(), Some("You are concise."));
}

#[tokio::test]
async fn an_agent_streams_the_answer_to_a_question_without_a_session() {
    let (agent, _) = scripted([Reply::text("Blue.")]);
    let mut deltas = agent.stream("Which colour?").text_deltas();
    assert_eq!(deltas.next().await.unwrap().unwrap(), "Blue.");
    assert_eq!(deltas.finish().await.unwrap().text(), "Blue.");
}

#[tokio::test]
async fn the_pieces_of_a_streamed_answer_are_its_text() {
    for script in [
        vec![Reply::text("One piece after the other.")],
        vec![Reply::new().think("Hm.").say("I look. ").call("clock", json!({})), Reply::text("It is noon.")],
        vec![Reply::new()],
    ] {
        let (agent, _) = scripted(script);
        let mut session = agent.session();
        let mut deltas = session.stream("Go on").text_deltas();
        let mut text = String::new();
        while let Some(delta) = deltas.next().await {
            text += &delta.unwrap();
        }
        assert_eq!(text, deltas.finish().await.unwrap().text());
    }
}

#[tokio::test]
async fn a_stream_yields_reasoning_and_events_and_then_the_answer() {
    let (agent, _) = scripted([Reply::new().think("Hm.").say("Yes.")]);
    let mut session = agent.session();
    let mut stream = session.stream("Sure?");
    let (mut kinds, mut events) = (Vec::new(), Vec::new());
    while let Some(event) = stream.next().await {
        match event.unwrap() {
            RunEvent::Delta { kind, .. } => kinds.push(kind),
            RunEvent::Event(event) => events.push(event.kind.name()),
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(kinds, [PartKind::Reasoning, PartKind::Text]);
    assert_eq!((events.first(), events.last()), (Some(&"turn.started"), Some(&"turn.ended")));
    assert!(stream.next().await.is_none());
    assert_eq!(stream.finish().await.unwrap().text(), "Yes.");
}

#[tokio::test]
async fn a_session_is_asked_with_its_earlier_messages_and_outlives_the_process_as_json() {
    let (agent, provider) = scripted([Reply::text("Sunny."), Reply::text("Rainy."), Reply::text("Windy.")]);
    let mut session = agent.session();
    session.ask("Saturday?").await.unwrap();
    session.ask("And on Sunday?").await.unwrap();
    let json = serde_json::to_string(session.state()).unwrap();
    let mut session = agent.resume_session(serde_json::from_str(&json).unwrap());
    let answer = session.ask("Monday?").await.unwrap();
    assert_eq!(answer.messages().count(), 2);
    assert_eq!(
        provider.calls()[2].transcript(),
        ["user: Saturday?", "assistant: Sunny.", "user: And on Sunday?", "assistant: Rainy.", "user: Monday?"]
    );
    assert_eq!(session.into_state().turns, 3);
}

#[tokio::test]
async fn text_that_is_withdrawn_is_taken_back() {
    let limits = Limits { on_stream_failure: OnStreamFailure::Redo, ..Limits::default() };
    let broken = |text: &str| Reply::new().say(text).fail(ProviderErrorKind::Network);
    let look = || Reply::new().say("I look. ").call("clock", json!({}));
    for (script, kept) in [
        (vec![broken("Half "), Reply::text("Whole.")], Some(0)),
        (vec![look(), broken("It is "), Reply::text("It is noon.")], Some("I look. ".len())),
        (vec![look(), Reply::text("It is noon.")], None),
    ] {
        let (agent, _) = scripted(script);
        let agent = agent.engine(|engine| engine.limits(limits));
        let (mut updates, mut text, mut retracted) = (agent.stream("When?").text_updates(), String::new(), None);
        while let Some(update) = updates.next().await {
            match update.unwrap() {
                TextUpdate::Added(piece) => text += &piece,
                TextUpdate::Retracted { kept } => {
                    text.truncate(kept);
                    retracted = Some(kept);
                }
            }
        }
        assert_eq!((text.as_str(), retracted), (updates.finish().await.unwrap().text(), kept));
    }
}

#[tokio::test]
async fn a_dropped_stream_leaves_a_session_that_can_continue() {
    let (agent, provider) = scripted([Reply::text("One two three"), Reply::text("Four.")]);
    let mut session = agent.session();
    let mut deltas = session.stream("Count").text_deltas();
    deltas.next().await.unwrap().unwrap();
    drop(deltas);
    let answer = session.ask("Go on").await.unwrap();
    assert_eq!((answer.text(), answer.messages().count()), ("Four.", 2));
    assert_eq!(provider.calls()[1].transcript().last().map(String::as_str), Some("user: Go on"));
}

#[tokio::test]
async fn questions_without_a_session_and_clones_of_an_agent_share_nothing() {
    let (agent, provider) = scripted((0..4).map(|_| Reply::text("Yes.")));
    let terse = agent.clone().instructions("One word.");
    let mut first = agent.session();
    let mut second = terse.session();
    first.ask("First?").await.unwrap();
    second.ask("Second?").await.unwrap();
    agent.ask("Third?").await.unwrap();
    first.clone().ask("Fourth?").await.unwrap();
    let calls = provider.calls();
    let instructions: Vec<_> = calls.iter().map(|call| call.request.instructions.as_deref()).collect();
    assert_eq!(instructions, [None, Some("One word."), None, None]);
    let sizes: Vec<usize> = calls.iter().map(|call| call.transcript().len()).collect();
    assert_eq!((sizes, first.state().turns), (vec![1, 1, 1, 3], 1));
}

#[tokio::test]
async fn an_answer_of_a_type_is_checked_and_repaired_once() {
    let valid = r#"{"steps":["pack","go"],"hours":2}"#;
    let plan = Plan { steps: vec!["pack".to_owned(), "go".to_owned()], hours: Some(2) };
    for (script, complaint) in [
        (vec![valid], None),
        (vec!["```json\n{\"steps\":[\"pack\",\"go\"],\"hours\":2}\n```"], None),
        (vec!["Sure! First pack.", valid], Some("not JSON: ")),
        (vec![r#"{"steps":["pack"],"hours":"two"}"#, valid], Some("/hours: ")),
        (vec![r#"{"steps":[]}"#, valid], Some("/steps: ")),
        (vec![r#"{"hours":2}"#, valid], Some("\"steps\" is a required property")),
    ] {
        let (agent, provider) = scripted(script.iter().map(|text| Reply::text(text)));
        assert_eq!(agent.ask_for::<Plan>("Plan it").await.unwrap(), plan, "{script:?}");
        let calls = provider.calls();
        let schema = calls[0].request.params.output_schema.as_ref().unwrap();
        assert_eq!(schema.name, "Plan");
        assert!(schema.schema.get().contains("What to do, in order."), "{:?}", schema.schema);
        assert_eq!(calls.len(), script.len());
        if let Some(complaint) = complaint {
            let transcript = calls[1].transcript();
            assert!(transcript[2].starts_with("user: Your answer does not match the JSON Schema: "), "{transcript:?}");
            assert!(transcript[2].contains(complaint), "{transcript:?}");
            assert_eq!(calls[1].request.params.output_schema, calls[0].request.params.output_schema);
        }
    }
}

#[tokio::test]
async fn an_answer_that_matches_no_type_twice_is_an_error_with_its_text() {
    let (agent, provider) = scripted([Reply::text("Pack."), Reply::text(r#"{"steps":7}"#), Reply::text("Fine.")]);
    let mut session = agent.session();
    let error = session.ask_for::<Plan>("Plan it").await.unwrap_err();
    let Error::Output { reason, text } = &error else { panic!("{error:?}") };
    assert!(reason.starts_with("/steps: "), "{reason}");
    assert_eq!(text, r#"{"steps":7}"#);
    session.ask("Never mind").await.unwrap();
    assert_eq!(provider.calls()[2].request.params.output_schema, None);
}

#[tokio::test]
async fn a_type_that_is_not_an_object_is_the_only_field_of_one() {
    #[derive(Debug, PartialEq, serde::Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Way {
        Train,
        Ferry { from: String },
    }

    let (agent, provider) = scripted([
        Reply::text(r#"{"answer":["bread","salt"]}"#),
        Reply::text("true"),
        Reply::text(r#"{"answer":true}"#),
        Reply::text(r#"{"answer":{"ferry":{"from":"Belém"}}}"#),
        Reply::text(r#"{"answer":null}"#),
    ]);
    assert_eq!(agent.ask_for::<Vec<String>>("What to buy?").await.unwrap(), ["bread", "salt"]);
    assert!(agent.ask_for::<bool>("Is it open?").await.unwrap());
    assert_eq!(agent.ask_for::<Way>("How?").await.unwrap(), Way::Ferry { from: "Belém".to_owned() });
    assert_eq!(agent.ask_for::<Option<Plan>>("Is there a plan?").await.unwrap(), None);
    let complaint = &provider.calls()[2].transcript()[2];
    assert!(complaint.contains("is not of type \"object\""), "{complaint}");
}

#[tokio::test]
async fn a_model_name_that_cannot_be_used_is_the_error_of_the_first_question() {
    for (name, remedy) in [
        ("acme:model", "there is no vendor `acme`"),
        ("novita:model", "the environment variable NOVITA_API_KEY is not set"),
        ("vertex:model", "needs the settings project"),
    ] {
        let agent = Agent::new(name).instructions("You are concise.");
        let error = agent.ask("Hello").await.unwrap_err();
        assert!(matches!(error, Error::Model(_)) && error.to_string().contains(remedy), "{error}");
        let mut session = agent.session();
        let error = session.stream("Hello").text_deltas().next().await.unwrap().unwrap_err();
        assert!(matches!(error, Error::Model(_)), "{error}");
        assert_eq!(session.state().turns, 0);
    }
    assert!(Agent::new("offline").ask("Hello").await.is_ok());
}

#[tokio::test]
async fn a_turn_without_a_complete_answer_is_an_error_with_the_reason() {
    for (kind, code, remedy) in [
        (ProviderErrorKind::KeyInvalid, "provider_key_invalid", "check the key of the vendor"),
        (ProviderErrorKind::ModelNotFound, "model_not_found", "check the name of the model"),
        (ProviderErrorKind::Overloaded, "provider_overloaded", "try again later"),
    ] {
        let (agent, _) = scripted([Reply::new().fail(kind), Reply::text("Back.")]);
        let mut session = agent.session();
        let error = session.ask("Hello").await.unwrap_err();
        assert!(matches!(&error, Error::Provider { code: found, .. } if found == code), "{error:?}");
        assert!(error.to_string().ends_with(remedy), "{error}");
        assert_eq!(session.ask("Hello again").await.unwrap().text(), "Back.");
    }
    let (agent, _) = scripted((0..3).map(|_| Reply::new().call("clock", json!({}))));
    let agent = agent.engine(|builder| builder.limits(Limits { max_rounds: 1, ..Limits::default() }));
    let error = agent.ask("Hello").await.unwrap_err();
    assert!(matches!(error, Error::Ended { status: TurnStatus::Limit, .. }), "{error:?}");
}
