//! Tests of turns that wait for the user of a client.

use serde_json::{Value, json};
use tempfile::TempDir;
use turnkit_testkit::tools::{ask, pay};
use turnkit_testkit::{Ledger, Reply};

use super::{Peer, code, messages, say, text};
use crate::running::{Running, Setup};

/// Starts a server whose agent asks for approval of two payments.
async fn paying() -> (Running, Ledger, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(folder.path().join("paid")).unwrap();
    let pays = Reply::new().call("pay", json!({ "amount": 5 })).call("pay", json!({ "amount": 7 }));
    let server = Setup::answering([pays, Reply::text("Done.")]).tool(pay(ledger.clone())).ask_before("pay");
    (server.locked().run().await, ledger, folder)
}

fn paid(ledger: &Ledger) -> Vec<String> {
    ledger.effects().unwrap().into_iter().map(|effect| effect.what).collect()
}

/// Returns the ids of the questions of a result.
fn asked(result: &Value) -> Vec<String> {
    assert_eq!(result["resultType"], "input_required", "{result}");
    result["inputRequests"].as_object().unwrap().keys().cloned().collect()
}

/// Returns the parameters of the call that answers the questions of a result.
fn answering(result: &Value, responses: Value) -> Value {
    let mut params = say("Pay them.");
    params["requestState"] = result["requestState"].clone();
    params["inputResponses"] = responses;
    params
}

fn accept(content: &Value) -> Value {
    json!({ "action": "accept", "content": content })
}

#[tokio::test]
async fn a_waiting_turn_asks_the_clients_user_and_continues_with_the_answers() {
    let (server, ledger, _folder) = paying().await;
    let waiting = Peer::eliciting(&server.user("ada").await).call(1, say("Pay them.")).await;
    let ids = asked(&waiting);
    assert_eq!(ids.len(), 2, "{waiting}");
    let form = &waiting["inputRequests"][&ids[0]];
    assert_eq!((&form["method"], &form["params"]["mode"]), (&json!("elicitation/create"), &json!("form")));
    let choices = &form["params"]["requestedSchema"]["properties"]["decision"]["enum"];
    assert_eq!(choices.as_array().unwrap()[..2], [json!("approve"), json!("deny")]);
    assert!(form["params"]["message"].as_str().unwrap().contains(r#"{"amount":5}"#), "{form}");

    // The client was started again: it knows what it sends back and nothing else.
    let peer = Peer::eliciting(&server.user("ada").await);
    let still = peer.call(1, answering(&waiting, json!({}))).await;
    assert_eq!(asked(&still), ids, "without answers, the turn waits");
    let one = json!({ ids[0].as_str(): accept(&json!({ "decision": "approve" })) });
    let waiting = peer.call(2, answering(&waiting, one.clone())).await;
    assert_eq!(asked(&waiting), ids[1..]);
    let other = json!({ ids[1].as_str(): accept(&json!({ "decision": "deny", "note": "not her" })) });
    let result = peer.call(3, answering(&waiting, other)).await;
    assert_eq!((text(&result), &result["resultType"]), ("Done.", &json!("complete")));
    assert_eq!(paid(&ledger), ["paid 5"]);

    // The first answer again: the decision stays, and the turn has ended.
    let again = peer.call(4, answering(&waiting, one)).await;
    assert_eq!(text(&again), "Done.");
}

#[tokio::test]
async fn a_user_who_declines_denies_the_call() {
    for action in ["decline", "cancel"] {
        let (server, ledger, _folder) = paying().await;
        let peer = Peer::eliciting(&server.user("ada").await);
        let waiting = peer.call(1, say("Pay them.")).await;
        let responses: serde_json::Map<String, Value> =
            asked(&waiting).into_iter().map(|id| (id, json!({ "action": action }))).collect();
        let result = peer.call(2, answering(&waiting, responses.into())).await;
        assert_eq!((text(&result), paid(&ledger).len()), ("Done.", 0), "{action}");
    }
}

#[tokio::test]
async fn a_state_of_another_user_or_tool_is_refused() {
    let (server, ledger, _folder) = paying().await;
    let (ada, bob) = (server.user("ada").await, server.user("bob").await);
    let (ada, bob) = (Peer::eliciting(&ada), Peer::eliciting(&bob));
    let waiting = ada.call(1, say("Pay them.")).await;
    let ids = asked(&waiting);
    let approved = json!({ ids[0].as_str(): accept(&json!({ "decision": "approve" })) });
    let theirs = answering(&waiting, approved.clone());
    let mut of_another_tool = theirs.clone();
    of_another_tool["name"] = json!("translator");
    let mut forged = theirs.clone();
    forged["requestState"] = json!("1.0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01.0");
    let mut not_one = theirs.clone();
    not_one["requestState"] = json!("what?");
    let unknown = "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01.1.0.0";
    let another_wait = answering(&waiting, json!({ unknown: accept(&json!({ "decision": "approve" })) }));
    let no_choice = answering(&waiting, json!({ ids[0].as_str(): accept(&json!({ "decision": "perhaps" })) }));
    for (peer, params) in [
        (&bob, theirs),
        (&ada, of_another_tool),
        (&ada, forged),
        (&ada, not_one),
        (&ada, another_wait),
        (&ada, no_choice),
    ] {
        let refused = peer.ask("tools/call", params.clone()).await;
        assert_eq!((refused.status, code(&refused)), (200, Some(-32602)), "{params}: {}", refused.body);
    }
    assert_eq!(paid(&ledger).len(), 0);
    let listed = ada.client.get("/api/v1/interactions").await.json();
    assert_eq!(listed["data"].as_array().unwrap().len(), 2, "{listed}");
}

#[tokio::test]
async fn answers_decide_nothing_if_one_of_them_is_invalid() {
    let folder = tempfile::tempdir().unwrap();
    let ledger = Ledger::open(folder.path().join("paid")).unwrap();
    let unknown = "0299a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01.1.0.0";
    let approve = json!({ "decision": "approve" });
    let payments = Reply::new().call("pay", json!({ "amount": 5 })).call("pay", json!({ "amount": 7 }));
    let questions = Reply::new().call("ask", json!({ "key": "Which one?" })).call("ask", json!({ "key": "Where?" }));
    for (calls, valid, invalid, of) in [
        (&payments, &approve, json!({ "decision": "perhaps" }), None),
        (&payments, &approve, approve.clone(), Some(unknown)),
        (&questions, &json!({ "answer": "this" }), json!({ "answer": 7 }), None),
    ] {
        let script = [calls.clone(), Reply::text("Done.")];
        let setup = Setup::answering(script).tool(pay(ledger.clone())).tool(ask()).ask_before("pay");
        let server = setup.run().await;
        let peer = Peer::eliciting(&server.client);
        let waiting = peer.call(1, say("Pay them.")).await;
        let ids = asked(&waiting);
        // The server reads the answers in the order of their ids.
        let responses = json!({ ids[0].as_str(): accept(valid), of.unwrap_or(&ids[1]): accept(&invalid) });
        let refused = peer.ask("tools/call", answering(&waiting, responses)).await;
        assert_eq!((refused.status, code(&refused)), (200, Some(-32602)), "{}", refused.body);
        let still = peer.call(2, answering(&waiting, json!({}))).await;
        assert_eq!(asked(&still), ids, "{invalid}: no interaction is decided");
        assert_eq!(paid(&ledger).len(), 0);
    }
}

#[tokio::test]
async fn a_state_without_answers_is_for_keys_that_may_read() {
    let (server, _ledger, _folder) = paying().await;
    let waiting = Peer::eliciting(&server.user("ada").await).call(1, say("Pay them.")).await;
    let without = answering(&waiting, json!({}));
    let with_scopes = async |scopes: Value| {
        let body = json!({ "name": "a key", "user": "ada", "scopes": scopes });
        let made = server.operator().post("/api/v1/keys", &body).await.json();
        Peer::eliciting(&server.bearer(made["key"].as_str().unwrap()))
    };
    let refused = with_scopes(json!(["chat"])).await.ask("tools/call", without.clone()).await;
    let result = &refused.json()["result"];
    assert_eq!((refused.status, &result["isError"]), (200, &json!(true)), "{}", refused.body);
    assert!(text(result).contains("`read`"), "{}", refused.body);
    let still = with_scopes(json!(["chat", "read"])).await.call(1, without).await;
    assert_eq!(asked(&still), asked(&waiting));
}

#[tokio::test]
async fn a_client_that_cannot_ask_gets_the_answer_of_a_model_that_was_denied() {
    for stateless in [true, false] {
        let (server, ledger, _folder) = paying().await;
        let ada = server.user("ada").await;
        let peer = if stateless { Peer::stateless(&ada) } else { Peer::initialized(&ada).await };
        let result = peer.call(1, say("Pay them.")).await;
        assert_eq!((text(&result), paid(&ledger).len()), ("Done.", 0), "{stateless}");
    }
}

#[tokio::test]
async fn a_question_of_a_tool_is_answered_with_a_text() {
    let script = [Reply::new().call("ask", json!({ "key": "Which one?" })), Reply::text("Thanks.")];
    let server = Setup::answering(script).tool(ask()).run().await;
    let peer = Peer::eliciting(&server.client);
    let waiting = peer.call(1, say("Choose.")).await;
    let ids = asked(&waiting);
    assert_eq!(waiting["inputRequests"][&ids[0]]["params"]["message"], "Which one?");
    let mut params = answering(&waiting, json!({ ids[0].as_str(): accept(&json!({ "answer": "this" })) }));
    params["_meta"] = json!({ "progressToken": 1 });
    let mut sent = messages(&mut peer.begin(2, params).await).await;
    assert_eq!(text(&sent.pop().unwrap()["result"]), "Thanks.");
    let reported: Vec<&Value> = sent.iter().map(|message| &message["params"]["message"]).collect();
    assert!(!reported.contains(&&json!("step 1")), "reports of the first call are not repeated: {reported:?}");
    assert!(reported.contains(&&json!("step 2")), "{reported:?}");
}
