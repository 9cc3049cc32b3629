//! Tests of interactions over HTTP.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tempfile::TempDir;
use turnkit_core::{Subject, ToolError, ToolFlags, ToolQuestion};
use turnkit_engine::TaskTool;
use turnkit_testkit::http::Frame;
use turnkit_testkit::tools::{TestTool, pay};
use turnkit_testkit::{Gate, Ledger, Reply};

use crate::client::{Client, Events};
use crate::running::{Running, Setup};

/// Starts a server whose agent asks for approval before it pays. Returns the server and the ledger of payments.
async fn asking() -> (Running, Ledger, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(folder.path().join("paid")).unwrap();
    let pays = || Reply::new().call("pay", json!({ "amount": 5 })).call("pay", json!({ "amount": 7 }));
    let script = [pays(), Reply::text("Done."), pays(), Reply::text("Done again.")];
    let server = Setup::answering(script).tool(pay(ledger.clone())).ask_before("pay");
    (server.locked().run().await, ledger, folder)
}

/// Starts a turn with `interact`, and waits until it has requested two decisions. Returns the stream and the ids of the
/// interactions.
async fn asked(client: &Client) -> (Events, Vec<String>) {
    let body = json!({ "message": "Pay them.", "interact": true });
    let mut events = client.request("POST", "/api/v1/turns").json(&body).events().await;
    let mut ids = Vec::new();
    for _ in 0..2 {
        let requested = data(&events.until(|frame| frame.name() == "interaction.requested").await);
        assert_eq!((&requested["name"], &requested["kind"]), (&json!("pay"), &json!("approval")));
        ids.push(requested["id"].as_str().unwrap().to_owned());
    }
    (events, ids)
}

fn data(frame: &Frame) -> Value {
    serde_json::from_str(&frame.data).unwrap()
}

fn path(id: &str) -> String {
    format!("/api/v1/interactions/{id}")
}

#[tokio::test]
async fn pending_interactions_are_listed_and_decided_and_the_stream_continues() {
    let (server, ledger, _folder) = asking().await;
    let ada = server.user("ada").await;
    let (mut events, ids) = asked(&ada).await;

    let listed = ada.get("/api/v1/interactions").await.json();
    let data_of = |list: &Value| list["data"].as_array().unwrap().clone();
    let pending = data_of(&listed);
    assert_eq!(pending.iter().map(|one| one["id"].as_str().unwrap()).collect::<Vec<_>>(), ids, "{listed}");
    let turn = pending[0]["turn_id"].as_str().unwrap();
    let expected = json!({ "name": "pay", "arguments": r#"{"amount":7}"#, "kind": "approval", "decided": null });
    expected.as_object().unwrap().iter().for_each(|(key, value)| assert_eq!(pending[1][key], *value));
    assert_eq!(ada.get(&format!("/api/v1/turns/{turn}")).await.json()["state"], "waiting");
    assert_eq!(ada.get(&path(&ids[0])).await.json(), pending[0]);
    let page = ada.get("/api/v1/interactions?limit=1").await.json();
    assert_eq!((data_of(&page), &page["next"]), (pending[..1].to_vec(), &json!(ids[0])));
    let page = ada.get(&format!("/api/v1/interactions?turn={turn}&cursor={}", ids[0])).await.json();
    assert_eq!((data_of(&page), &page["next"]), (pending[1..].to_vec(), &Value::Null));
    let turns = format!("/api/v1/sessions/{}/turns", pending[0]["session_id"].as_str().unwrap());
    let drawn = ada.get(&turns).await.json()["data"][0].clone();
    let waits = drawn["waits"].as_array().unwrap();
    assert_eq!(waits.iter().map(|wait| wait["id"].as_str().unwrap()).collect::<Vec<_>>(), ids, "{drawn}");
    assert_eq!((&waits[1]["arguments"], &waits[1]["decided"]), (&json!(r#"{"amount":7}"#), &Value::Null));
    assert_eq!(drawn["tools"], json!([]));

    let edited = json!({ "decision": "approve", "arguments": { "amount": 4 }, "note": "only four" });
    let approved = ada.post(&path(&ids[0]), &edited).await;
    assert_eq!(approved.status, 200, "{}", approved.body);
    let decided = &approved.json()["decided"];
    assert_eq!((&decided["decision"], &decided["note"]), (&json!("approved"), &json!("only four")));
    assert_eq!(decided["arguments"], r#"{"amount":4}"#);
    let denied = json!({ "decision": "deny", "note": "not her" });
    for _ in 0..2 {
        let reply = ada.post(&path(&ids[1]), &denied).await;
        assert_eq!((reply.status, &reply.json()["decided"]["by"]), (200, &json!("person")), "{}", reply.body);
    }
    let at = ada.get(&path(&ids[1])).await.json()["decided"]["at"].as_str().unwrap().to_owned();
    // A decision with another note is a different one.
    for different in [json!({ "decision": "approve" }), json!({ "decision": "deny" })] {
        let other = ada.post(&path(&ids[1]), &different).await;
        assert_eq!((other.status, other.code()), (409, "already_decided".to_owned()));
        let says = format!("the interaction already has a different decision: it was denied at {at}");
        assert_eq!(other.json()["error"]["message"], says);
    }

    let rest = events.rest().await;
    let names: Vec<&str> = rest.iter().map(Frame::name).collect();
    assert_eq!(names.last(), Some(&"turn.ended"), "{names:?}");
    let resolved: Vec<_> = rest.iter().filter(|frame| frame.name() == "interaction.resolved").map(data).collect();
    let told: Vec<_> =
        resolved.iter().map(|one| (one["id"].as_str().unwrap(), one["decision"].as_str().unwrap())).collect();
    assert_eq!(told, [(&*ids[0], "approved"), (&*ids[1], "denied")]);
    assert_eq!(ledger.effects().unwrap().into_iter().map(|effect| effect.what).collect::<Vec<_>>(), ["paid 4"]);
    assert_eq!(data_of(&ada.get("/api/v1/interactions").await.json()), [Value::Null; 0]);
    let all = data_of(&ada.get("/api/v1/interactions?state=all").await.json());
    assert_eq!(all.iter().map(|one| &one["decided"]["decision"]).collect::<Vec<_>>(), ["approved", "denied"]);
    let drawn = ada.get(&turns).await.json()["data"][0].clone();
    let decided: Vec<_> =
        drawn["waits"].as_array().unwrap().iter().map(|wait| wait["decided"]["decision"].clone()).collect();
    assert_eq!(decided, ["approved", "denied"]);
    assert_eq!(
        (&drawn["tools"][0]["arguments"], &drawn["tools"][1]["error"]),
        (&json!(r#"{"amount":4}"#), &json!("denied"))
    );
    assert!(drawn["tools"][0]["ms"].is_u64(), "{drawn}");
}

#[tokio::test]
async fn a_decision_is_the_owners_is_one_that_fits_and_comes_in_time() {
    let (server, ledger, _folder) = asking().await;
    let (ada, bob) = (server.user("ada").await, server.user("bob").await);
    let (mut events, ids) = asked(&ada).await;
    let approve = json!({ "decision": "approve" });
    let unknown = "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01.1.0.0";
    for (client, id) in [(&bob, &*ids[0]), (&ada, unknown), (&ada, "7"), (&ada, &format!("{}1", ids[0]))] {
        let refused = client.post(&path(id), &approve).await;
        assert_eq!((refused.status, refused.code()), (404, "not_found".to_owned()), "{id}");
        assert_eq!(client.get(&path(id)).await.status, 404, "{id}");
    }
    assert_eq!(bob.get("/api/v1/interactions?state=all").await.json()["data"], json!([]));
    for (body, field) in [
        (json!({}), "decision"),
        (json!({ "decision": "maybe" }), "decision"),
        (json!({ "outcome": "done" }), "decision"),
        (json!({ "decision": "approve", "outcome": "done" }), "outcome"),
        (json!({ "decision": "approve_always", "outcome": "done" }), "outcome"),
        (json!({ "decision": "approve_forever" }), "decision"),
        (json!({ "decision": "deny", "arguments": {} }), "arguments"),
        (json!({ "decision": "approve", "arguments": [] }), "arguments"),
        (json!({ "decision": "approve", "arguments": "{}" }), "arguments"),
        (json!({ "decision": "deny", "note": "n".repeat(4097) }), "note"),
        (json!({ "decision": "deny", "note": "a\u{0}b" }), "note"),
        (json!({ "decision": "deny", "why": "" }), "why"),
        (json!({ "answer": "yes" }), "decision"),
        (json!({ "result": "done" }), "decision"),
        (json!({ "decision": "deny", "answer": "no" }), "answer"),
        (json!({ "result": 1, "error": "no" }), "error"),
        (json!({ "answer": "yes", "note": "really" }), "note"),
        (json!({ "answer": { "a\u{0}": 1 } }), "answer"),
        (json!({ "error": "a\u{0}b" }), "error"),
    ] {
        let refused = ada.post(&path(&ids[0]), &body).await;
        assert_eq!((refused.status, refused.field()), (422, field.to_owned()), "{body}: {}", refused.body);
    }
    assert_eq!(ada.get("/api/v1/interactions?state=done").await.field(), "state");
    assert_eq!(ada.get(&path(&ids[0])).await.json()["decided"], Value::Null);

    let turn = ada.get(&path(&ids[0])).await.json()["turn_id"].as_str().unwrap().to_owned();
    ada.request("POST", &format!("/api/v1/turns/{turn}/cancel")).send().await;
    let late = ada.post(&path(&ids[0]), &approve).await;
    assert_eq!((late.status, late.code()), (410, "too_late".to_owned()));
    assert_eq!(ada.get(&path(&ids[0])).await.json()["decided"]["by"], "cancelled");
    assert_eq!(events.rest().await.last().map(Frame::name), Some("turn.ended"));
    assert_eq!(ledger.effects().unwrap().len(), 0);
}

#[tokio::test]
async fn arguments_that_the_tool_does_not_accept_are_refused_and_decide_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(folder.path().join("paid")).unwrap();
    let pay = pay(ledger).touching(|arguments| match arguments.read::<BTreeMap<String, u32>>() {
        Ok(_) => Ok(Subject::None),
        Err(_) => Err(ToolError::InvalidArguments("amount must be a number".to_owned())),
    });
    let script = [Reply::new().call("pay", json!({ "amount": 5 })), Reply::text("Done.")];
    let server = Setup::answering(script).tool(pay).ask_before("pay").locked().run().await;
    let ada = server.user("ada").await;
    let body = json!({ "message": "Pay.", "interact": true });
    let mut events = ada.request("POST", "/api/v1/turns").json(&body).events().await;
    let requested = data(&events.until(|frame| frame.name() == "interaction.requested").await);
    let id = requested["id"].as_str().unwrap();
    for decision in ["approve", "approve_session", "approve_always"] {
        let changed = json!({ "decision": decision, "arguments": { "amount": "five" } });
        let refused = ada.post(&path(id), &changed).await;
        assert_eq!((refused.status, refused.field()), (422, "arguments".to_owned()), "{}", refused.body);
        let says = "arguments: invalid arguments: amount must be a number";
        assert_eq!(refused.json()["error"]["message"], says);
    }
    assert_eq!(ada.get(&path(id)).await.json()["decided"], Value::Null);
    assert_eq!(ada.get("/api/v1/grants").await.json()["data"], json!([]));
}

#[tokio::test]
async fn only_a_client_that_declares_interaction_is_asked() {
    let (server, ledger, _folder) = asking().await;
    let ada = server.user("ada").await;
    let (turn, _) = ada.run_turn(None, "Pay them.").await;
    assert_eq!(ada.get("/api/v1/interactions?state=all").await.json()["data"], json!([]));
    let again = ada.request("POST", &format!("/api/v1/turns/{turn}/regenerate")).json(&json!({ "interact": true }));
    let mut events = again.events().await;
    events.until(|frame| frame.name() == "interaction.requested").await;
    assert_eq!(ada.get("/api/v1/interactions").await.json()["data"].as_array().map(Vec::len), Some(2));
    assert_eq!(ledger.effects().unwrap().len(), 0);
}

#[tokio::test]
async fn a_stream_lists_pending_decisions_at_its_start_and_at_each_change() {
    let (folder, gate) = (tempfile::tempdir().unwrap(), Gate::new());
    let pays = Reply::new().call("pay", json!({ "amount": 5 })).call("pay", json!({ "amount": 7 }));
    let script = [pays, Reply::new().wait(&gate).say("Done.")];
    let paid = pay(Ledger::open(folder.path().join("paid")).unwrap());
    let server = Setup::answering(script).tool(paid).ask_before("pay").locked().run().await;
    let ada = server.user("ada").await;
    let (mut events, ids) = asked(&ada).await;
    let turn = ids[0].split('.').next().unwrap();
    let is_pending = |frame: &Frame| frame.name() == "pending";
    let told = |frame: &Frame| {
        assert_eq!(frame.id, None, "it is beside the log");
        let pending = data(frame);
        assert_eq!(pending["turn_id"], turn);
        let interactions = pending["interactions"].as_array().unwrap().clone();
        interactions.iter().map(|one| one["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(told(&events.until(is_pending).await), ids);

    let follow = format!("/api/v1/turns/{turn}/events");
    let mut again = ada.request("GET", &follow).events().await;
    let has_asked = |frame: &Frame| frame.name() == "interaction.requested" && data(frame)["id"] == ids[1].as_str();
    let cursor = again.until(has_asked).await.id.unwrap();
    let mut late = ada.request("GET", &follow).header("last-event-id", &cursor).events().await;
    assert_eq!(told(&late.next().await.unwrap()), ids, "a client that comes later is told at once");
    let session = ada.get(&path(&ids[0])).await.json()["session_id"].as_str().unwrap().to_owned();
    let mut session = ada.request("GET", &format!("/api/v1/sessions/{session}/events")).events().await;
    assert_eq!(told(&session.until(is_pending).await), ids);

    let approve = json!({ "decision": "approve" });
    assert_eq!(ada.post(&path(&ids[0]), &approve).await.status, 200);
    for stream in [&mut events, &mut late, &mut session] {
        assert_eq!(told(&stream.until(is_pending).await), ids[1..], "the other one still waits");
    }
    assert_eq!(ada.post(&path(&ids[1]), &approve).await.status, 200);
    for stream in [&mut events, &mut late, &mut session] {
        assert_eq!(told(&stream.until(is_pending).await), [""; 0]);
    }
    gate.open();
}

/// Starts a turn that waits for the answer to a question with this schema, and for the result of a tool of the client.
/// Returns the stream, and the requests by their kind.
async fn asked_both(schema: Value) -> (Running, Client, Events, BTreeMap<String, Value>) {
    let asks = TestTool::new("book", ToolFlags::default(), move |_, context| {
        let schema = Some(schema.clone());
        let question = ToolQuestion { schema, choices: vec!["9".to_owned()], ..ToolQuestion::new("At what hour?") };
        let outcome = context.answer.map(|answer| format!("{:?}", answer.reply).into());
        Box::pin(std::future::ready(outcome.ok_or_else(|| ToolError::NeedsAnswer(Box::new(question)))))
    });
    let calls = Reply::new().call("book", json!({})).call("show", json!({ "of": "rain" }));
    let server = Setup::answering([calls, Reply::text("Done.")]).tool(asks).run().await;
    let ada = server.user("ada").await;
    let tools = json!([{ "name": "show", "description": "Shows a chart.", "parameters": { "type": "object" } }]);
    let body = json!({ "message": "Book and show.", "interact": true, "client_tools": tools });
    let mut events = ada.request("POST", "/api/v1/turns").json(&body).events().await;
    let mut ids = BTreeMap::new();
    for _ in 0..2 {
        let requested = data(&events.until(|frame| frame.name() == "interaction.requested").await);
        ids.insert(requested["kind"].as_str().unwrap().to_owned(), requested.clone());
    }
    (server, ada, events, ids)
}

/// Returns the results of the calls in the rest of a stream, whose turn completes.
async fn results(mut events: Events) -> Vec<String> {
    let rest = events.rest().await;
    assert_eq!(data(rest.last().unwrap())["status"], "completed");
    let results = rest.iter().filter(|frame| frame.name() == "tool.finished").map(data);
    results.map(|result| result["content"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_question_is_answered_and_a_tool_of_the_client_returns_over_http() {
    let (_server, ada, events, ids) = asked_both(json!({ "type": "integer" })).await;
    let question = json!({ "text": "At what hour?", "choices": ["9"], "schema": { "type": "integer" } });
    assert_eq!((&ids["question"]["question"], &ids["client_tool"]["name"]), (&question, &json!("show")));
    let (question, client_tool) = (ids["question"]["id"].as_str().unwrap(), ids["client_tool"]["id"].as_str().unwrap());
    assert_eq!(ada.get(&path(question)).await.json()["question"], ids["question"]["question"]);
    for (id, body, field) in [
        (question, json!({ "answer": "nine" }), "answer"),
        (question, json!({ "result": 9 }), "decision"),
        (client_tool, json!({ "answer": 9 }), "decision"),
        (client_tool, json!({ "decision": "approve" }), "decision"),
    ] {
        let refused = ada.post(&path(id), &body).await;
        assert_eq!((refused.status, refused.field()), (422, field.to_owned()), "{body}: {}", refused.body);
    }
    let answered = ada.post(&path(question), &json!({ "answer": 9 })).await;
    assert_eq!((answered.status, &answered.json()["decided"]["answer"]), (200, &json!(9)), "{}", answered.body);
    let returned = ada.post(&path(client_tool), &json!({ "result": { "shown": true } })).await;
    let decided = &returned.json()["decided"];
    let expected = (&json!("returned"), &json!(r#"{"shown":true}"#));
    assert_eq!((&decided["decision"], &decided["content"]), expected, "{}", returned.body);
    assert_eq!(results(events).await, ["Answered(Number(9))", r#"{"shown":true}"#]);
}

#[tokio::test]
async fn null_is_an_answer_and_a_result() {
    let (_server, ada, events, ids) = asked_both(json!({ "type": ["integer", "null"] })).await;
    for (kind, given, decision) in
        [("question", json!({ "answer": null }), "answered"), ("client_tool", json!({ "result": null }), "returned")]
    {
        let id = ids[kind]["id"].as_str().unwrap();
        let both = ada.post(&path(id), &json!({ "answer": null, "result": null })).await;
        assert_eq!((both.status, both.field()), (422, "result".to_owned()), "{}", both.body);
        let decided = ada.post(&path(id), &given).await;
        assert_eq!((decided.status, &decided.json()["decided"]["decision"]), (200, &json!(decision)), "{given}");
    }
    assert_eq!(results(events).await, ["Answered(Null)", "null"]);
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_passes_no_tools_and_no_tool_has_a_name_that_is_taken() {
    let (server, _ledger, _folder) = asking().await;
    let ada = server.user("ada").await;
    for (name, interact) in [("show", false), ("pay", true)] {
        let body = json!({ "message": "Go.", "interact": interact, "client_tools": [{ "name": name }] });
        let refused = ada.post("/api/v1/turns", &body).await;
        assert_eq!((refused.status, refused.field()), (422, "client_tools".to_owned()), "{}", refused.body);
    }
}

#[tokio::test]
async fn an_approval_may_cover_later_calls_and_its_grant_is_listed_and_revoked() {
    let (server, ledger, _folder) = asking().await;
    let (ada, bob) = (server.user("ada").await, server.user("bob").await);
    let (mut events, ids) = asked(&ada).await;
    for (id, decision, grant) in [(&ids[0], "approve_session", "session"), (&ids[1], "approve_always", "always")] {
        for _ in 0..2 {
            let approved = ada.post(&path(id), &json!({ "decision": decision })).await;
            assert_eq!(
                (approved.status, &approved.json()["decided"]["grant"]),
                (200, &json!(grant)),
                "{}",
                approved.body
            );
        }
        let other = ada.post(&path(id), &json!({ "decision": "approve" })).await;
        assert_eq!((other.status, other.code()), (409, "already_decided".to_owned()));
    }
    let rest = events.rest().await;
    let resolved: Vec<_> = rest.iter().filter(|frame| frame.name() == "interaction.resolved").map(data).collect();
    assert_eq!(resolved.iter().map(|one| &one["grant"]).collect::<Vec<_>>(), ["session", "always"]);

    let listed = ada.get("/api/v1/grants").await.json();
    let grants = listed["data"].as_array().unwrap();
    let session = ada.get(&path(&ids[0])).await.json()["session_id"].clone();
    assert_eq!(grants.iter().map(|grant| &grant["session_id"]).collect::<Vec<_>>(), [&Value::Null, &session]);
    assert!(grants.iter().all(|grant| grant["tool"] == "pay" && grant["untrusted"] == false), "{listed}");
    let page = ada.get("/api/v1/grants?limit=1").await.json();
    assert_eq!((&page["data"][0], &page["next"]), (&grants[0], &grants[0]["id"]));
    let page = ada.get(&format!("/api/v1/grants?cursor={}", grants[0]["id"].as_str().unwrap())).await.json();
    assert_eq!((page["data"].as_array().map(Vec::as_slice), &page["next"]), (Some(&grants[1..]), &Value::Null));
    ada.run_turn(None, "Pay them again.").await;
    assert_eq!(ledger.effects().unwrap().len(), 4, "nobody had to be asked");

    assert_eq!(bob.get("/api/v1/grants").await.json()["data"], json!([]));
    let cursor = format!("/api/v1/grants?cursor={}", grants[0]["id"].as_str().unwrap());
    assert_eq!((bob.get(&cursor).await.status, ada.get(&cursor).await.status), (404, 200));
    for (client, status) in [(&bob, 404), (&ada, 204), (&ada, 404)] {
        let place = format!("/api/v1/grants/{}", grants[0]["id"].as_str().unwrap());
        assert_eq!(client.request("DELETE", &place).send().await.status, status);
    }
    assert_eq!(ada.get("/api/v1/grants").await.json()["data"], json!([grants[1]]));
}

/// A client that only lists sees the same as one that follows the turn.
#[tokio::test]
async fn an_interaction_of_a_sub_agent_is_listed_with_the_turn_and_the_session_above_it() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(folder.path().join("paid")).unwrap();
    let script = [
        Reply::new().call("task", json!({ "prompt": "Pay Bob." })),
        Reply::new().call("pay", json!({ "amount": 5 })),
        Reply::text("Paid."),
        Reply::text("Done."),
    ];
    let server = Setup::answering(script).tool(TaskTool::new([("assistant", "")])).tool(pay(ledger.clone()));
    let server = server.ask_before("pay").locked().run().await;
    let ada = server.user("ada").await;
    let body = json!({ "message": "Have Bob paid.", "interact": true });
    let mut events = ada.request("POST", "/api/v1/turns").json(&body).events().await;
    let is_asked = |frame: &Frame| frame.name() == "pending" && !data(frame)["interactions"][0].is_null();
    let pending = data(&events.until(is_asked).await);
    let (above, asked) = (pending["turn_id"].as_str().unwrap(), &pending["interactions"][0]);
    let (below, session) = (asked["turn_id"].as_str().unwrap(), asked["session_id"].as_str().unwrap());
    assert_ne!(above, below);
    let turn = ada.get(&format!("/api/v1/turns/{above}")).await.json();
    assert_eq!(turn.get("parent_turn_id"), None, "{turn}");
    assert_eq!(ada.get(&format!("/api/v1/turns/{below}")).await.json()["parent_turn_id"], above);

    let session_above = turn["session_id"].as_str().unwrap();
    let queries = [("turn", above), ("turn", below), ("session", session_above), ("session", session)];
    for (filter, id) in queries {
        let listed = ada.get(&format!("/api/v1/interactions?{filter}={id}")).await.json();
        let found = listed["data"].as_array().unwrap();
        assert_eq!(found.len(), 1, "{filter}={id}: {listed}");
        assert_eq!((&found[0]["id"], &found[0]["parent_turn_id"]), (&asked["id"], &json!(above)));
    }
    let all = ada.get(&format!("/api/v1/interactions?state=all&turn={above}")).await.json();
    let kinds: Vec<_> = all["data"].as_array().unwrap().iter().map(|one| &one["kind"]).collect();
    assert_eq!(kinds, ["child", "approval"], "{all}");

    let refused = ada.post("/api/v1/turns", &json!({ "message": "Me too.", "session_id": session })).await;
    assert_eq!((refused.status, refused.field()), (422, "session_id".to_owned()), "{}", refused.body);
    let id = asked["id"].as_str().unwrap();
    assert_eq!(ada.post(&path(id), &json!({ "decision": "approve" })).await.status, 200);
    assert_eq!(events.rest().await.last().map(Frame::name), Some("turn.ended"));
    assert_eq!(ledger.effects().unwrap().len(), 1);
}
