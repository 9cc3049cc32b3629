//! Tests of pages of a session's turns.

use std::time::Duration;

use serde_json::{Value, json};
use turnkit_core::{Data, RawJson, ToolFlags, ToolOutput};
use turnkit_testkit::Reply;
use turnkit_testkit::tools::{TestTool, lookup};

use crate::client::Client;
use crate::running::Setup;

async fn part(client: &Client, session: &str, query: &str) -> Value {
    let reply = client.get(&format!("/api/v1/sessions/{session}/turns{query}")).await;
    assert_eq!(reply.status, 200, "{}", reply.body);
    reply.json()
}

fn numbers(part: &Value) -> Vec<u64> {
    part["data"].as_array().unwrap().iter().map(|turn| turn["number"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn turns_are_read_before_after_and_around_a_number_or_an_id() {
    let server = Setup::always(Reply::text("So be it.")).run().await;
    let client = &server.client;
    let (mut turns, mut session) = (Vec::new(), None);
    for number in 1..=7 {
        let (turn, id) = client.run_turn(session.as_deref(), &format!("say {number}")).await;
        (turns, session) = ([turns, vec![turn]].concat(), Some(id));
    }
    let session = session.unwrap();
    let third = &turns[2];
    for (query, found, before, after) in [
        ("".to_owned(), &[1, 2, 3, 4, 5, 6, 7][..], json!(null), json!(null)),
        ("?limit=3".to_owned(), &[5, 6, 7], json!(5), json!(null)),
        ("?limit=3&before=5".to_owned(), &[2, 3, 4], json!(2), json!(4)),
        ("?limit=3&before=2".to_owned(), &[1], json!(null), json!(1)),
        ("?limit=3&after=4".to_owned(), &[5, 6, 7], json!(5), json!(null)),
        ("?limit=2&after=0".to_owned(), &[1, 2], json!(null), json!(2)),
        ("?limit=3&around=4".to_owned(), &[3, 4, 5], json!(3), json!(5)),
        ("?limit=3&around=7".to_owned(), &[5, 6, 7], json!(5), json!(null)),
        (format!("?limit=1&around={third}"), &[3], json!(3), json!(3)),
        (format!("?limit=1&before={third}"), &[2], json!(2), json!(2)),
        (format!("?limit=1&after={third}"), &[4], json!(4), json!(4)),
    ] {
        let part = part(client, &session, &query).await;
        assert_eq!((numbers(&part), &part["before"], &part["after"]), (found.to_vec(), &before, &after), "{query}");
        assert_eq!(part["turns"], json!(7));
    }
    for (query, status) in [
        ("?before=2&after=4", 422),
        ("?after=2&around=4", 422),
        ("?before=x", 422),
        ("?limit=101", 422),
        ("?around=0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01", 404),
    ] {
        let reply = client.get(&format!("/api/v1/sessions/{session}/turns{query}")).await;
        assert_eq!(reply.status, status, "{query}: {}", reply.body);
    }
}

/// A page shows the same view of the last turn as the stream of the session.
#[tokio::test]
async fn a_turn_of_a_part_is_drawn_from_its_events_and_later_from_its_messages() {
    let server = Setup::answering([
        Reply::new().say("Let me see. ").call("lookup", json!({ "key": "a" })),
        Reply::text("It is a."),
        Reply::text("Hello."),
    ])
    .tool(lookup())
    .run()
    .await;
    let client = &server.client;
    let (turn, session) = client.run_turn(None, "Look it up.").await;
    let mut drawn = part(client, &session, "").await["data"][0].clone();
    let own = ["state", "after"].map(|field| drawn.as_object_mut().unwrap().remove(field).unwrap());
    assert_eq!(own, [json!("completed"), Value::Null]);
    assert_eq!(drawn["turn_id"], json!(turn));
    assert_ne!(drawn["steps"][0]["model"], Value::Null);

    let shown = drawn;
    server.clock.advance(Duration::from_secs(25 * 60 * 60));
    server.service.delete_expired().await.unwrap();
    // The in-memory copy is dropped when another turn ends.
    client.run_turn(None, "Another").await;
    let kept = part(client, &session, "").await["data"][0].clone();
    // A client that opens the session gets the same view.
    let mut feed = client.follow(&format!("/api/v1/sessions/{session}/events"), None).await;
    let opened = feed.next().await.unwrap().json()["turn"].clone();
    let mut view = kept.clone();
    view.as_object_mut().unwrap().retain(|field, _| !["state", "after"].contains(&field.as_str()));
    assert_eq!(view, opened);
    assert_eq!((&kept["seq"], &kept["steps"][0]["began_at"]), (&json!(0), &Value::Null));
    assert_eq!(kept["steps"].as_array().unwrap().len(), 2);
    for step in [0, 1] {
        for field in ["step", "provider", "model", "finish_reason", "usage", "cost"] {
            assert_eq!(kept["steps"][step][field], shown["steps"][step][field], "{step} {field}");
        }
    }
    assert_eq!(kept["tools"][0]["ms"], shown["tools"][0]["ms"]);
    for field in ["input", "agent", "accepted_at", "ended_at", "usage", "status"] {
        assert_eq!(kept[field], shown[field], "{field}");
    }
    let texts = |turn: &Value| -> Vec<Value> {
        turn["parts"].as_array().unwrap().iter().map(|part| part["text"].clone()).collect()
    };
    assert_eq!(texts(&kept), texts(&shown));
    assert_eq!(kept["tools"][0]["content"], json!("value of a"));
}

#[tokio::test]
async fn a_page_ends_before_it_is_too_large_and_the_next_continues_there() {
    let server = Setup::always(Reply::text(&"a".repeat(64 * 1024))).run().await;
    let client = &server.client;
    let (_, session) = client.run_turn(None, "1").await;
    for number in 2..=9 {
        client.run_turn(Some(&session), &number.to_string()).await;
    }
    for (query, first, last, before, after) in [
        ("", 3, 9, json!(3), Value::Null),
        ("?before=3", 1, 2, Value::Null, json!(2)),
        ("?around=5", 2, 8, json!(2), json!(8)),
        ("?after=0", 1, 7, Value::Null, json!(7)),
    ] {
        let part = part(client, &session, query).await;
        let found = (numbers(&part), &part["before"], &part["after"]);
        assert_eq!(found, ((first..=last).collect(), &before, &after), "{query}");
    }
}

#[tokio::test]
async fn long_texts_are_truncated_in_a_page_and_complete_when_requested_alone() {
    let (long, argument) = ("ä".repeat(40 * 1024), "b".repeat(70 * 1024));
    let server = Setup::answering([
        Reply::new()
            .say("Let me see. ")
            .call("lookup", json!({ "key": "a" }))
            .call("lookup", json!({ "key": argument })),
        Reply::text(&long),
    ])
    .tool(lookup())
    .run()
    .await;
    let client = &server.client;
    let (turn, session) = client.run_turn(None, "Look it up.").await;
    let cut = &part(client, &session, "").await["data"][0];
    assert_eq!(cut["parts"][3]["text"].as_str(), Some(&*"ä".repeat(32 * 1024)));
    assert_eq!((&cut["parts"][3]["more"], &cut["parts"][0]["more"]), (&json!(true), &Value::Null));
    assert_eq!((&cut["tools"][1]["more"], &cut["tools"][0]["more"]), (&json!(true), &Value::Null));
    assert_eq!(cut["tools"][1]["arguments"].as_str().unwrap().len(), 64 * 1024);

    let whole = async |part: &str| client.get(&format!("/api/v1/turns/{turn}/parts/{part}")).await;
    let text = whole("2.0").await.json();
    assert_eq!((text["part"]["text"].as_str(), &text["tool"]), (Some(&*long), &Value::Null));
    let call = whole("1.2").await.json();
    assert_eq!(call["part"]["text"].as_str(), Some(&*json!({ "key": argument }).to_string()));
    assert_eq!(call["part"]["text"], call["tool"]["arguments"]);
    assert!(call["tool"]["content"].as_str().unwrap().starts_with("value of b"));
    assert_eq!(whole("1.1").await.json()["tool"]["content"], json!("value of a"));
    for unknown in ["1.3", "9.0", "x"] {
        assert_eq!(whole(unknown).await.status, 404, "{unknown}");
    }
}

#[tokio::test]
async fn data_of_a_call_is_the_same_bytes_in_a_part_of_the_turns_and_alone() {
    const PAYLOAD: &str = r#"{"z":1e400,"a":0.10}"#;
    let measure = TestTool::new("measure", ToolFlags::read_only(), |_, _| {
        let payload = RawJson::parse(PAYLOAD).unwrap();
        let data = Some(Data { kind: "reading".to_owned(), payload });
        Box::pin(async { Ok(ToolOutput { data, ..ToolOutput::from("done") }) })
    });
    let replies = [Reply::new().call("measure", json!({})), Reply::text("Much.")];
    let server = Setup::answering(replies).tool(measure).run().await;
    let (turn, session) = server.client.run_turn(None, "Measure it.").await;
    for path in [format!("/api/v1/sessions/{session}/turns"), format!("/api/v1/turns/{turn}/parts/1.0")] {
        let reply = server.client.get(&path).await;
        assert_eq!((reply.status, reply.body.contains(PAYLOAD)), (200, true), "{path}: {}", reply.body);
    }
}

#[tokio::test]
async fn long_texts_of_users_and_of_messages_from_elsewhere_are_cut_too() {
    let server = Setup::always(Reply::text("So be it.")).run().await;
    let client = &server.client;
    let long = "x".repeat(100 << 10);
    let input = async |turn: &str| client.get(&format!("/api/v1/turns/{turn}/input")).await.json();
    let whole = json!({ "type": "text", "text": long });
    let (turn, session) = client.run_turn(None, &long).await;
    let asked = &part(client, &session, "").await["data"][0];
    assert_eq!((asked["input"][0]["text"].as_str().map(str::len), &asked["more"]), (Some(64 << 10), &json!(true)));
    assert_eq!(input(&turn).await, json!({ "parts": [whole] }));

    for (count, shown) in [(4, 3), (12, 7)] {
        let said: Value = (0..count).map(|_| json!({ "role": "user", "content": long })).collect();
        let mut stream = client.request("POST", "/api/chat/stream").json(&json!({ "messages": said })).events().await;
        let turn = stream.header("x-turn-id").to_owned();
        stream.rest().await;
        let session = client.get(&format!("/api/v1/turns/{turn}")).await.json()["session_id"].clone();
        let first = &part(client, session.as_str().unwrap(), "?after=0&limit=1").await["data"][0];
        let messages = first["messages"].as_array().unwrap();
        assert!(messages.iter().all(|message| message["parts"][0]["text"].as_str().unwrap().len() == 64 << 10));
        assert_eq!((messages.len(), &first["more"]), (shown, &json!(true)), "{count}");
        let turn = first["turn_id"].as_str().unwrap();
        assert_eq!(input(turn).await, json!({ "parts": vec![&whole; count - 1] }));
    }
}
