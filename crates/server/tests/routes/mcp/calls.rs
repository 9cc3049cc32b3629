//! Tests of calls of agents.

use serde_json::{Value, json};
use turnkit_core::ProviderErrorKind;
use turnkit_testkit::Reply;
use turnkit_testkit::tools::lookup;

use super::{Peer, code, messages, say, text, turns};
use crate::running::Setup;

#[tokio::test]
async fn a_call_is_answered_with_the_text_of_a_turn_and_the_session_to_continue() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let client = &server.client;
    for (peer, count) in [(Peer::initialized(client).await, 1), (Peer::stateless(client), 4)] {
        let mut events = peer.begin(1, say("Hello")).await;
        let turn = events.header("x-turn-id").to_owned();
        let response = messages(&mut events).await.pop().unwrap();
        assert_eq!((&response["jsonrpc"], &response["id"]), (&json!("2.0"), &json!(1)));
        let (result, structured) = (&response["result"], &response["result"]["structuredContent"]);
        assert_eq!((text(result), result.get("isError")), ("Hello there", None));
        assert_eq!(result.get("resultType").is_some(), count == 4, "only the stateless revision has types of results");
        assert_eq!((&structured["turn"], &structured["status"]), (&json!(turn), &json!("completed")));
        assert_eq!(structured["text"], "Hello there");

        let mut next = say("And again");
        next["arguments"]["session"] = structured["session"].clone();
        let continued = peer.call(2, next).await["structuredContent"].clone();
        assert_eq!(continued["session"], structured["session"]);
        let session = structured["session"].as_str().unwrap();
        let listed = client.get(&format!("/api/v1/turns?session={session}")).await.json();
        assert_eq!(listed["data"].as_array().unwrap().len(), 2, "{listed}");

        let mut named = say("In a session with a name");
        named["arguments"]["session"] = json!("trip");
        assert_eq!(peer.call(3, named).await["structuredContent"]["session"], "trip");
        assert_eq!(turns(client).await, count + 2);
    }
    let called =
        Peer::stateless(client).call(1, json!({ "name": "translator", "arguments": { "message": "Hi" } })).await;
    let turn = called["structuredContent"]["turn"].as_str().unwrap();
    assert_eq!(client.get(&format!("/api/v1/turns/{turn}")).await.json()["agent"], "translator");
}

#[tokio::test]
async fn progress_is_reported_to_a_client_that_asks_for_it() {
    for token in [json!("a token"), json!(7)] {
        let script = [Reply::new().call("lookup", json!({ "key": "a" })), Reply::text("Found.")];
        let server = Setup::answering(script).tool(lookup()).run().await;
        let mut params = say("Look it up.");
        params["_meta"] = json!({ "progressToken": token });
        let mut sent = messages(&mut Peer::stateless(&server.client).begin("call", params).await).await;
        let response = sent.pop().unwrap();
        assert_eq!((&response["id"], text(&response["result"])), (&json!("call"), "Found."));
        for (number, message) in (1..).zip(&sent) {
            assert_eq!((&message["method"], message.get("id")), (&json!("notifications/progress"), None));
            let params = &message["params"];
            assert_eq!((&params["progressToken"], &params["progress"]), (&token, &json!(number)));
        }
        let reported: Vec<&str> = sent.iter().map(|message| message["params"]["message"].as_str().unwrap()).collect();
        assert_eq!(reported, ["step 1", "lookup runs", "lookup is done", "step 2", "Found."]);
    }
}

#[tokio::test]
async fn a_failed_turn_is_a_result_with_its_error() {
    let failing = Reply::new().say("Hel").fail(ProviderErrorKind::BadRequest);
    let server = Setup::always(failing).run().await;
    let result = Peer::stateless(&server.client).call(1, say("Hello")).await;
    assert_eq!((&result["isError"], &result["structuredContent"]["status"]), (&json!(true), &json!("failed")));
    assert!(text(&result).ends_with("\n\nThe answer so far:\nHel"), "{result}");
}

#[tokio::test]
async fn arguments_that_are_invalid_are_an_error_that_the_calling_model_can_correct() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let peer = Peer::stateless(&server.client);
    for (arguments, field) in [
        (json!({}), "params.arguments.message"),
        (json!({ "message": " " }), "params.arguments.message"),
        (json!({ "message": 7 }), "params.arguments.message"),
        (json!({ "message": "a\u{0}" }), "params.arguments.message"),
        (json!({ "message": "Hello", "session": "" }), "params.arguments.session"),
        (json!({ "message": "Hello", "session": "x".repeat(129) }), "params.arguments.session"),
        (json!({ "message": "Hello", "model": "large" }), "params.arguments.model"),
    ] {
        let reply = peer.ask("tools/call", json!({ "name": "assistant", "arguments": arguments })).await;
        let result = reply.json()["result"].clone();
        assert_eq!((reply.status, &result["isError"]), (200, &json!(true)), "{}", reply.body);
        assert!(text(&result).starts_with(&format!("{field}: ")), "{result}");
    }
    assert_eq!(turns(&server.client).await, 0);
}

#[tokio::test]
async fn a_repeated_call_finds_the_turn_of_the_first_one() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let turn = |result: &Value| result["structuredContent"]["turn"].clone();
    let (initialized, stateless) = (Peer::initialized(&server.client).await, Peer::stateless(&server.client));

    // An id names one request of a connection.
    let first = initialized.call(5, say("Hello")).await;
    assert_eq!(turn(&initialized.call(5, say("Hello")).await), turn(&first));
    assert_ne!(turn(&initialized.call("5", say("Hello")).await), turn(&first));
    let other = Peer::initialized(&server.client).await;
    assert_ne!(turn(&other.call(5, say("Hello")).await), turn(&first));
    let body = initialized.body(5, "tools/call", say("Something else"));
    let refused = super::accepting(initialized.request(&body)).send().await;
    assert_eq!((refused.status, code(&refused)), (400, Some(-32600)), "{}", refused.body);

    // Requests without a connection are named by their clients.
    let named = |message: &str| {
        let mut params = say(message);
        params["_meta"] = json!({ "turnkit/idempotencyKey": "order 7" });
        params
    };
    let first = stateless.call(1, named("Hello")).await;
    assert_eq!(turn(&stateless.call(2, named("Hello")).await), turn(&first));
    let body = stateless.body(3, "tools/call", named("Something else"));
    let refused = super::accepting(stateless.request(&body)).send().await;
    assert_eq!((refused.status, code(&refused)), (400, Some(-32600)), "{}", refused.body);
    assert_ne!(turn(&stateless.call(1, say("Hello")).await), turn(&stateless.call(1, say("Hello")).await));
}
