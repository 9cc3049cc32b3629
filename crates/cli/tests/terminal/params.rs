//! Sampling settings of agents, sessions and turns.

use serde_json::{Value, json};
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::Place;
use crate::two_providers::World;

const AGENT: &str = "params = { temperature = 0.1, max_tokens = 10, thinking = \"low\", stop = [\"agent\"] }";

/// Returns the sampling settings in a Chat Completions request.
fn settings(request: &Value) -> Value {
    let field = |name: &str| request.get(name).cloned().unwrap_or_default();
    json!([field("temperature"), field("max_tokens"), field("reasoning_effort"), field("stop")])
}

async fn session(world: &World, params: &Value) -> Value {
    let body = json!({ "params": params });
    let made = world.server.client().post("/api/v1/sessions", &[], &body).await.unwrap();
    assert_eq!(made.status, 201, "{made:?}");
    made.json()
}

#[tokio::test]
async fn a_turn_wins_over_its_session_which_wins_over_the_agent_field_by_field() {
    let world = World::of(vec![Response::text("Hello."); 4], vec![], AGENT).await;
    for (number, (of_session, of_turn, sent)) in [
        (json!({}), json!({}), json!([0.1, 10, "low", ["agent"]])),
        (json!({ "temperature": 0.5, "stop": ["session"] }), json!({}), json!([0.5, 10, "low", ["session"]])),
        (
            json!({ "temperature": 0.5, "max_tokens": 20 }),
            json!({ "max_tokens": 30, "thinking": "high", "stop": ["turn", "\n"] }),
            json!([0.5, 30, "high", ["turn", "\n"]]),
        ),
        (json!({ "thinking": "max" }), json!({ "temperature": 0, "thinking": "off", "stop": [] }), {
            json!([0.0, 10, null, null])
        }),
    ]
    .into_iter()
    .enumerate()
    {
        let session = session(&world, &of_session).await;
        assert_eq!(session.get("params").unwrap_or(&json!({})), &of_session);
        let (turn, _) = world.start(&json!({ "message": "hi", "session_id": session["id"], "params": of_turn })).await;
        world.events(&turn).await;
        assert_eq!(settings(&world.a.requests()[number].json()), sent, "{of_session} {of_turn}");
    }
}

#[tokio::test]
async fn the_settings_of_a_turn_survive_the_death_of_the_server() {
    let hanging = Response::stream().delta(json!({ "content": "Let me " })).hang();
    let world = World::of(vec![hanging, Response::text("Hello."), Response::text("Bye.")], vec![], AGENT).await;
    let session = session(&world, &json!({ "max_tokens": 20 })).await;
    let body = json!({ "message": "hi", "session_id": session["id"], "params": { "temperature": 0.9 } });
    let (client, stream) = (world.server.client(), [("accept", "text/event-stream")]);
    let mut events = client.post_for_events("/api/v1/turns", &stream, &body).await.unwrap();
    let mut turn = None;
    while turn.is_none() {
        let frame = events.next().await.unwrap().unwrap();
        turn = (frame.name() == "part.delta").then(|| frame.json()["turn_id"].as_str().unwrap().to_owned());
    }
    let world = world.kill_and_start().await;
    world.events(&turn.unwrap()).await;
    let (next, _) = world.start(&json!({ "message": "and now?", "session_id": session["id"] })).await;
    world.events(&next).await;
    let sent: Vec<Value> = world.a.requests().iter().map(|request| settings(&request.json())).collect();
    let of_turn = json!([0.9, 20, "low", ["agent"]]);
    assert_eq!(sent, [of_turn.clone(), of_turn, json!([0.1, 20, "low", ["agent"]])]);
}

#[tokio::test]
async fn parameters_that_a_model_does_not_support_are_left_out_with_a_notice() {
    let upstream = FakeUpstream::start([Response::text("Hello.")]).await.unwrap();
    let place = Place::asking(&upstream);
    let provider = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
    let detail =
        "[[providers.models_detail]]\nname = \"small\"\ntemperature = false\nstop = false\ncapabilities = []\n";
    place.write("turnkit.toml", &format!("{provider}{detail}[[agents]]\nname = \"a\"\n{AGENT}\n"));
    let answered = place.run(&["chat", "-p", "Hi"]).await;
    assert_eq!(answered.code, Some(0), "{answered:?}");
    assert_eq!(settings(&upstream.requests()[0].json()), json!([null, 10, null, null]));
    for told in [
        "`temperature` was not sent to small: the model does not support it",
        "`stop` was not sent to small: the model does not support it",
        "`thinking` was not sent to small: the model does not support it",
    ] {
        assert_eq!(answered.stderr.matches(told).count(), 1, "{answered:?}");
    }
}

#[tokio::test]
async fn a_chat_has_settings_of_its_own_here_and_with_a_server() {
    let upstream = FakeUpstream::start([Response::text("Hello."), Response::text("Hello.")]).await.unwrap();
    let place = Place::asking(&upstream);
    let provider = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
    place.write("turnkit.toml", &format!("{provider}[[agents]]\nname = \"a\"\n{AGENT}\n"));
    let chat = ["chat", "--params", r#"{"temperature":0.5,"stop":[]}"#, "-p", "Hi"];
    assert_eq!(place.run(&chat).await.code, Some(0));
    let server = place.serve().await;
    assert_eq!(place.run(&chat).await.code, Some(0));
    assert_eq!(server.stop().await.code, Some(0));
    let sent: Vec<Value> = upstream.requests().iter().map(|request| settings(&request.json())).collect();
    assert_eq!(sent, vec![json!([0.5, 10, "low", null]); 2]);
}

#[tokio::test]
async fn invalid_settings_of_a_chat_are_rejected_by_name() {
    let place = Place::new();
    for (params, why) in [
        ("{", "EOF while parsing"),
        (r#"{"top_k":5}"#, "unknown field `top_k`, expected one of `temperature`, `max_tokens`"),
        (r#"{"temperature":-1}"#, "expected a number of at least 0, such as 0.2"),
        (r#"{"thinking":"much"}"#, "unknown variant `much`"),
        (r#"{"stop":[""]}"#, "params.stop: each stop sequence must be 1 to 255 bytes long"),
    ] {
        let refused = place.run(&["chat", "--params", params, "-p", "Hi"]).await;
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.stderr.contains("'--params <JSON>'") && refused.stderr.contains(why), "{refused:?}");
    }
}
