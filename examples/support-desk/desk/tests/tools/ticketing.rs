//! The tools of the ticketing server.

use serde_json::{Value, json};

use crate::servers::Servers;

fn ids(found: &Value) -> Vec<i64> {
    found["tickets"].as_array().unwrap().iter().map(|ticket| ticket["id"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn tickets_are_found_by_words_status_and_organisation() {
    let servers = Servers::start().await;
    let desk = servers.ticketing().await;
    for (arguments, expected) in [
        (json!({ "query": "PRINTER" }), &[5_i64][..]),
        (json!({ "query": "%" }), &[]),
        (json!({ "status": "pending" }), &[3]),
        (json!({ "organisation_id": 1 }), &[1, 3]),
        (json!({ "organisation_id": 2, "status": "open", "query": "time" }), &[6]),
        (json!({ "limit": 2 }), &[5, 2]),
        (json!({ "query": null, "status": null }), &[5, 2, 1, 6, 3, 4]),
    ] {
        assert_eq!(ids(&desk.call("search_tickets", arguments.clone()).await), expected, "{arguments}");
    }
}

#[tokio::test]
async fn my_tickets_are_those_of_the_user_of_the_token() {
    let servers = Servers::start().await;
    for (user, expected) in [("ana", &[2_i64, 1, 4][..]), ("ben", &[5, 1, 6, 3]), ("chloe", &[2, 6, 3, 4])] {
        let connection = servers.ticketing_for(user).await;
        assert_eq!(ids(&connection.call("my_tickets", json!({})).await), expected, "{user}");
    }
    let desk = servers.ticketing().await;
    assert!(ids(&desk.call("my_tickets", json!({})).await).is_empty(), "the desk itself has no tickets");
}

#[tokio::test]
async fn a_ticket_is_created_changed_and_closed() {
    let servers = Servers::start().await;
    let ana = servers.ticketing_for("ana").await;
    let new = json!({ "title": " No sound ", "description": "In meetings.", "organisation_id": 4 });
    let ticket = ana.call("create_ticket", new).await;
    let id = &ticket["id"];
    assert_eq!(
        [&ticket["title"], &ticket["status"], &ticket["priority"], &ticket["requester"], &ticket["assignee"]],
        [&json!("No sound"), &json!("open"), &json!("normal"), &json!("ana"), &Value::Null]
    );

    let changed = ana.call("update_ticket", json!({ "id": id, "priority": "urgent" })).await;
    assert_eq!([&changed["priority"], &changed["title"]], [&json!("urgent"), &json!("No sound")]);
    let assigned = ana.call("assign_ticket", json!({ "id": id, "assignee": "ben" })).await;
    assert_eq!(assigned["assignee"], "ben");
    let commented = ana.call("add_comment", json!({ "id": id, "text": "Is it muted?" })).await;
    assert_eq!(commented["comments"][0]["author"], "ana");
    for _ in 0..2 {
        let closed = ana.call("close_ticket", json!({ "id": id, "resolution": "It was muted." })).await;
        assert_eq!([&closed["status"], &closed["resolution"]], [&json!("closed"), &json!("It was muted.")]);
    }
    let read = ana.call("get_ticket", json!({ "id": id })).await;
    assert_eq!(read["ticket"]["status"], "closed");
    assert_eq!(read["comments"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_call_that_fails_says_why() {
    let servers = Servers::start().await;
    let desk = servers.ticketing().await;
    let missing = "there is no ticket 99: find one with search_tickets";
    for (tool, arguments, expected) in [
        ("get_ticket", json!({ "id": 99 }), missing),
        ("close_ticket", json!({ "id": 99, "resolution": "done" }), missing),
        ("add_comment", json!({ "id": 99, "text": "hello" }), missing),
        ("add_comment", json!({ "id": 1, "text": " " }), "`text` is empty: write a text"),
        ("get_ticket", json!({}), "the arguments are wrong: missing field `id`"),
        ("search_tickets", json!({ "status": "lost" }), "unknown variant `lost`"),
        ("search_tickets", json!({ "words": "printer" }), "unknown field `words`"),
    ] {
        let text = desk.failure(tool, arguments.clone()).await;
        assert!(text.contains(expected), "{tool} {arguments}: {text}");
    }
    let unknown = rmcp::model::CallToolRequestParams::new("delete_ticket");
    assert!(desk.client().call_tool(unknown).await.is_err(), "a tool that does not exist is no result");
}

#[tokio::test]
async fn changes_survive_a_restart_of_the_server() {
    let servers = Servers::start().await;
    let desk = servers.ticketing().await;
    desk.call("assign_ticket", json!({ "id": 5, "assignee": "chloe" })).await;
    drop(desk);
    let servers = servers.restart_ticketing().await;
    let desk = servers.ticketing().await;
    assert_eq!(desk.call("get_ticket", json!({ "id": 5 })).await["ticket"]["assignee"], "chloe");
}
