//! Tests of sessions: creating, listing, changing, forking, deleting and reading them.

use serde_json::{Value, json};
use turnkit_testkit::{Gate, Reply};

use crate::client::Client;
use crate::running::Setup;

async fn made(client: &Client, body: Value) -> Value {
    let reply = client.post("/api/v1/sessions", &body).await;
    assert_eq!(reply.status, 201, "{}", reply.body);
    reply.json()
}

fn path_of(session: &Value) -> String {
    format!("/api/v1/sessions/{}", session["id"].as_str().unwrap())
}

/// Returns the messages, oldest first, each with its role and its text.
async fn transcript(client: &Client, session: &str) -> Vec<String> {
    let list = client.get(&format!("/api/v1/sessions/{session}/messages")).await.json();
    let messages = list["data"].as_array().unwrap().iter().rev();
    messages.map(|message| format!("{}: {}", message["role"].as_str().unwrap(), message["parts"][0]["text"])).collect()
}

#[tokio::test]
async fn pinned_sessions_are_listed_first_and_archived_ones_only_if_they_are_asked_for() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let mut paths = Vec::new();
    for title in ["first", "second", "third"] {
        let session = made(&server.client, json!({ "title": title })).await;
        assert_eq!((&session["pinned"], &session["archived"]), (&json!(false), &json!(false)));
        paths.push(path_of(&session));
        server.clock.advance(std::time::Duration::from_secs(1));
    }
    let edit = async |path: &str, body: Value| {
        let edited = server.client.request("PATCH", path).json(&body).send().await;
        assert_eq!(edited.status, 200, "{}", edited.body);
        edited.json()
    };
    let titles = async |query: &str| -> Vec<String> {
        let list = server.client.get(&format!("/api/v1/sessions{query}")).await.json();
        list["data"].as_array().unwrap().iter().map(|one| one["title"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(edit(&paths[0], json!({ "pinned": true })).await["pinned"], true);
    assert_eq!(edit(&paths[1], json!({ "archived": true })).await["archived"], true);
    for (query, expected) in [
        ("", &["first", "third"][..]),
        ("?archived=false", &["first", "third"]),
        ("?archived=true", &["second"]),
        ("?q=second", &["second"]),
        ("?q=second&archived=false", &[]),
        ("?limit=1", &["first"]),
    ] {
        assert_eq!(titles(query).await, expected, "{query}");
    }
    assert_eq!(server.client.get("/api/v1/sessions?archived=1").await.field(), "archived");
    let id = paths[1].rsplit('/').next().unwrap();
    server.client.run_turn(Some(id), "Hi").await;
    assert_eq!(titles("").await, ["first", "second", "third"], "a message takes it out of the archive");
    assert_eq!(edit(&paths[0], json!({ "pinned": null })).await["pinned"], false);
    assert_eq!(titles("").await, ["second", "third", "first"]);
}

#[tokio::test]
async fn a_session_is_made_shown_changed_and_deleted() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let params = json!({ "max_tokens": 800, "stop": ["END"] });
    let body = json!({
        "name": "trip", "title": "Lisbon", "agent": "translator", "metadata": { "a": 1 }, "prompt": "terse",
        "params": params, "tools": "none", "mode": "plan",
    });
    let session = made(&server.client, body.clone()).await;
    for (field, value) in body.as_object().unwrap() {
        assert_eq!(&session[field], value, "{field}");
    }
    assert_eq!((&session["turns"], &session["usage"]["output"]), (&json!(0), &json!(0)));
    let path = path_of(&session);
    assert_eq!(server.client.get(&path).await.json(), session);

    let edit = |body: Value| server.client.request("PATCH", &path).json(&body).send();
    let edited = edit(json!({ "title": "Porto", "metadata": { "b": [2] } })).await;
    assert_eq!(edited.status, 200, "{}", edited.body);
    let edited = edited.json();
    assert_eq!((&edited["name"], &edited["title"]), (&json!("trip"), &json!("Porto")));
    assert_eq!(edited["metadata"], json!({ "b": [2] }), "metadata is replaced");
    let cooler = edit(json!({ "params": { "temperature": 0.5, "thinking": "off" } })).await.json();
    assert_eq!(cooler["params"], json!({ "temperature": 0.5, "thinking": "off" }), "params are replaced");
    assert_eq!(edit(json!({ "name": "journey" })).await.json()["name"], "journey");
    assert_eq!(edit(json!({})).await.json()["name"], "journey");
    assert_eq!([&edited["prompt"], &edited["tools"], &edited["mode"]], ["terse", "none", "plan"]);
    for (field, cleared) in [
        ("name", Value::Null),
        ("prompt", Value::Null),
        ("title", json!("")),
        ("metadata", json!({})),
        ("params", Value::Null),
        ("tools", Value::Null),
        ("mode", Value::Null),
    ] {
        assert_eq!(edit(json!({ field: null })).await.json()[field], cleared, "{field}");
    }

    let gone = server.client.request("DELETE", &path).send().await;
    assert_eq!((gone.status, gone.body.as_str()), (204, ""));
    assert_eq!(server.client.get(&path).await.status, 404);
    assert_eq!(server.client.request("DELETE", &path).send().await.status, 404);
}

#[tokio::test]
async fn messages_that_change_the_model_context_are_shown_on_request() {
    let server = Setup::always(Reply::text("Hello there")).max_messages(2).run().await;
    let (_, session) = server.client.run_turn(None, "One").await;
    server.client.run_turn(Some(&session), "Two").await;
    let said = [r#"user: "One""#, r#"assistant: "Hello there""#, r#"user: "Two""#, r#"assistant: "Hello there""#];
    assert_eq!(transcript(&server.client, &session).await, said);
    let path = format!("/api/v1/sessions/{session}/messages");
    assert_eq!(server.client.get(&format!("{path}?context=0")).await.json(), server.client.get(&path).await.json());
    let all = server.client.get(&format!("{path}?context=1")).await.json();
    let change = json!({ "type": "summary", "text": "", "covers": 2 });
    assert_eq!((&all["data"][1]["mark"], &all["data"][1]["parts"]), (&json!("summary"), &json!([change])));
    assert_eq!(all["data"].as_array().unwrap().len(), 5);
    let refused = server.client.get(&format!("{path}?context=yes")).await;
    assert_eq!((refused.status, refused.json()["error"]["details"]["field"].as_str()), (422, Some("context")));
    let sent: Vec<_> = server.provider.calls().iter().map(|call| call.request.history.len()).collect();
    assert_eq!(sent, [1, 1]);
}

#[tokio::test]
async fn a_session_without_settings_has_the_first_agent_and_no_name() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let session = made(&server.client, json!({})).await;
    assert_eq!((&session["agent"], &session["name"]), (&json!("assistant"), &Value::Null));
    server.client.run_turn(session["id"].as_str(), "Hello").await;
    assert_eq!(server.client.get(&path_of(&session)).await.json()["turns"], 1);
}

#[tokio::test]
async fn a_name_is_of_one_session_only() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    made(&server.client, json!({ "name": "trip" })).await;
    let other = made(&server.client, json!({})).await;
    let taken = server.client.post("/api/v1/sessions", &json!({ "name": "trip" })).await;
    assert_eq!((taken.status, taken.field().as_str()), (422, "name"));
    let taken = server.client.request("PATCH", &path_of(&other)).json(&json!({ "name": "trip" })).send().await;
    assert_eq!((taken.status, taken.field().as_str()), (422, "name"));
    // Other protocols find the same session by its name.
    let body = json!({ "session_id": "trip", "message": "Hello" });
    server.client.request("POST", "/chat").json(&body).events().await.rest().await;
    assert_eq!(server.client.get("/api/v1/sessions").await.json()["data"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn sessions_are_listed_last_used_first_in_pages_and_without_those_of_one_turn() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let mut sessions = Vec::new();
    for number in 0..3 {
        server.clock.advance(std::time::Duration::from_secs(1));
        sessions.insert(0, server.client.run_turn(None, &number.to_string()).await.1);
    }
    let body = json!({ "messages": [{ "role": "user", "content": "Hello" }] });
    server.client.request("POST", "/api/chat/stream").json(&body).events().await.rest().await;
    let ids = |list: &Value| -> Vec<String> {
        let sessions = list["data"].as_array().unwrap().iter();
        sessions.map(|session| session["id"].as_str().unwrap().to_owned()).collect()
    };
    let first = server.client.get("/api/v1/sessions?limit=2").await.json();
    assert_eq!(ids(&first), sessions[..2]);
    let next = first["next"].as_str().unwrap();
    let second = server.client.get(&format!("/api/v1/sessions?limit=2&cursor={next}")).await.json();
    assert_eq!((ids(&second), &second["next"]), (sessions[2..].to_vec(), &Value::Null));
}

#[tokio::test]
async fn sessions_are_searched_for_words() {
    let server = Setup::always(Reply::text("Take the train")).run().await;
    let (turn, trip) = server.client.run_turn(None, "To Lisbon").await;
    server.client.run_turn(None, "To Porto").await;
    let listed = async |query: &str| server.client.get(&format!("/api/v1/sessions?{query}")).await;
    let found = listed("q=train%20LISB").await.json();
    assert_eq!(found["data"].as_array().unwrap().len(), 1, "{found}");
    assert_eq!(found["data"][0]["id"], json!(trip));
    assert_eq!(found["data"][0]["match"], json!({ "turn_id": turn, "number": 1, "excerpt": "To Lisbon" }));
    assert_eq!(listed("q=madrid").await.json()["data"], json!([]));

    let first = listed("q=train&limit=1").await.json();
    let rest = listed(&format!("q=train&limit=1&cursor={}", first["next"].as_str().unwrap())).await.json();
    assert_eq!((&rest["data"][0]["id"], &rest["next"]), (&json!(trip), &Value::Null));
    for refused in ["q=", "q=--", "q=train&name=trip"] {
        let refused = listed(refused).await;
        assert_eq!((refused.status, refused.field().as_str()), (422, "q"));
    }
}

#[tokio::test]
async fn the_turns_of_a_session_are_searched_for_words() {
    let server = Setup::always(Reply::text("Take the train")).run().await;
    let (first, trip) = server.client.run_turn(None, "To Lisbon").await;
    server.client.run_turn(Some(&trip), "And back").await;
    let (third, _) = server.client.run_turn(Some(&trip), "Via Porto").await;
    server.client.run_turn(None, "Another train").await;
    let search = async |query: &str| server.client.get(&format!("/api/v1/sessions/{trip}/search?{query}")).await;
    let lisbon = json!({ "turn_id": first, "number": 1, "excerpt": "To Lisbon" });
    assert_eq!(search("q=train%20LISB").await.json(), json!({ "data": [lisbon], "next": null }));
    assert_eq!(search("q=madrid").await.json(), json!({ "data": [], "next": null }));

    let newest = search("q=train&limit=2").await.json();
    assert_eq!((&newest["data"][0]["turn_id"], &newest["data"][1]["number"]), (&json!(third), &json!(2)));
    let rest = search(&format!("q=train&limit=2&cursor={}", newest["next"].as_str().unwrap())).await.json();
    assert_eq!((&rest["data"][0]["turn_id"], &rest["next"]), (&json!(first), &Value::Null));
    for refused in ["", "q=", "q=--"] {
        let refused = search(refused).await;
        assert_eq!((refused.status, refused.field().as_str()), (422, "q"));
    }
    assert_eq!(search("q=train&cursor=x").await.status, 404);
}

#[tokio::test]
async fn a_session_is_found_by_its_name() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let body = json!({ "session_id": "trip to Lisbon", "message": "Hello" });
    server.client.request("POST", "/chat").json(&body).events().await.rest().await;
    server.client.run_turn(None, "Something else").await;
    let listed = async |query: &str| server.client.get(&format!("/api/v1/sessions?{query}")).await;
    let found = listed("name=trip%20to%20Lisbon").await.json();
    assert_eq!((found["data"].as_array().unwrap().len(), &found["next"]), (1, &Value::Null));
    assert_eq!(found["data"][0]["name"], "trip to Lisbon");
    assert_eq!(listed("name=trip").await.json(), json!({ "data": [], "next": null }));
    let wrong = listed("name=").await;
    assert_eq!((wrong.status, wrong.field().as_str()), (422, "name"));
}

#[tokio::test]
async fn messages_are_listed_newest_first_in_pages() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let (first, session) = server.client.run_turn(None, "One").await;
    let (second, _) = server.client.run_turn(Some(&session), "Two").await;
    let path = format!("/api/v1/sessions/{session}/messages?limit=3");
    let page = server.client.get(&path).await.json();
    let told = |list: &Value| -> Vec<(String, String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let messages = list["data"].as_array().unwrap().iter();
        messages
            .map(|message| (text(&message["turn_id"]), text(&message["role"]), text(&message["parts"][0]["text"])))
            .collect()
    };
    let line = |turn: &str, role: &str, text: &str| (turn.to_owned(), role.to_owned(), text.to_owned());
    let expected = [
        line(&second, "assistant", "Hello there"),
        line(&second, "user", "Two"),
        line(&first, "assistant", "Hello there"),
    ];
    assert_eq!(told(&page), expected);
    let rest = server.client.get(&format!("{path}&cursor={}", page["next"].as_str().unwrap())).await.json();
    assert_eq!((told(&rest), &rest["next"]), (vec![line(&first, "user", "One")], &Value::Null));
}

#[tokio::test]
async fn a_fork_begins_with_the_messages_of_its_origin_and_diverges() {
    let server = Setup::always(Reply::text("Yes")).run().await;
    let (first, session) = server.client.run_turn(None, "One").await;
    server.client.run_turn(Some(&session), "Two").await;
    let path = format!("/api/v1/sessions/{session}/fork");
    for (body, said, title) in [
        (json!({ "after": first, "title": "Otherwise" }), vec!["user: \"One\"", "assistant: \"Yes\""], "Otherwise"),
        (json!({}), vec!["user: \"One\"", "assistant: \"Yes\"", "user: \"Two\"", "assistant: \"Yes\""], "One"),
    ] {
        let fork = server.client.post(&path, &body).await;
        assert_eq!(fork.status, 201, "{}", fork.body);
        let fork = fork.json();
        assert_eq!((&fork["title"], &fork["agent"]), (&json!(title), &json!("assistant")));
        let id = fork["id"].as_str().unwrap();
        assert_eq!(transcript(&server.client, id).await, said);
        server.client.run_turn(Some(id), "Three").await;
        assert_eq!(transcript(&server.client, &session).await.len(), 4, "the other one stays as it is");
    }
}

#[tokio::test]
async fn a_fork_without_a_body_takes_everything_over() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let (_, session) = server.client.run_turn(None, "Hi").await;
    let fork = server.client.request("POST", &format!("/api/v1/sessions/{session}/fork")).send().await;
    assert_eq!(fork.status, 201, "{}", fork.body);
    let said = transcript(&server.client, fork.json()["id"].as_str().unwrap()).await;
    assert_eq!(said, transcript(&server.client, &session).await);
}

#[tokio::test]
async fn lists_of_large_things_come_in_parts_of_a_megabyte() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let metadata = json!({ "a": "x".repeat(16_000) });
    for _ in 0..100 {
        made(&server.client, json!({ "metadata": metadata })).await;
    }
    let (mut seen, mut cursor) = (0, String::new());
    loop {
        let part = server.client.get(&format!("/api/v1/sessions?limit=200{cursor}")).await;
        assert!(part.body.len() < 1024 * 1024 + 64, "{} bytes", part.body.len());
        seen += part.json()["data"].as_array().unwrap().len();
        let Some(next) = part.json()["next"].as_str().map(str::to_owned) else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(seen, 100);
}

#[tokio::test]
async fn a_turn_that_is_not_over_cannot_be_forked_after() {
    let gate = Gate::new();
    let server = Setup::always(Reply::new().wait(&gate).say("Hello")).run().await;
    let (turn, session) = server.client.say(None, "Hello").await;
    let refused = server.client.post(&format!("/api/v1/sessions/{session}/fork"), &json!({ "after": turn })).await;
    assert_eq!((refused.status, refused.code().as_str()), (409, "session_busy"));
}

#[tokio::test]
async fn deleting_a_session_cancels_its_turns_first() {
    let gate = Gate::new();
    let server = Setup::always(Reply::new().say("Hello ").wait(&gate)).run().await;
    let (running, session) = server.client.say(None, "One").await;
    let (queued, _) = server.client.say(Some(&session), "Two").await;
    let mut events = server.client.follow(&format!("/api/v1/turns/{running}/events"), None).await;
    events.until(|frame| frame.data.contains("Hello ")).await;
    let gone = server.client.request("DELETE", &format!("/api/v1/sessions/{session}")).send().await;
    assert_eq!(gone.status, 204, "{}", gone.body);
    server.provider.idle().await;
    assert_eq!(events.rest().await.last().unwrap().json()["status"], "cancelled");
    for turn in [running, queued] {
        assert_eq!(server.client.get(&format!("/api/v1/turns/{turn}")).await.status, 404);
    }
}

#[tokio::test]
async fn the_context_of_a_session_shows_each_piece_and_the_request() {
    let server = Setup::always(Reply::text("Hello there")).run().await;
    let session = made(&server.client, json!({ "params": { "temperature": 0.2 } })).await;
    let path = format!("{}/context", path_of(&session));
    let empty = server.client.get(&path).await.json();
    assert_eq!((&empty["agent"], &empty["request"]["messages"]), (&json!("assistant"), &json!([])));

    server.client.run_turn(session["id"].as_str(), "Hi").await;
    let context = server.client.get(&path).await.json();
    let said: Vec<&Value> = context["request"]["messages"].as_array().unwrap().iter().collect();
    let texts: Vec<_> = said.iter().map(|message| (&message["role"], &message["parts"][0]["text"])).collect();
    assert_eq!(texts, [(&json!("user"), &json!("Hi")), (&json!("assistant"), &json!("Hello there"))]);
    let items = context["items"].as_array().unwrap();
    let sum: u64 = items.iter().map(|item| item["tokens"].as_u64().unwrap()).sum();
    assert!(context["used"].as_u64().unwrap() >= sum, "what no provider has counted is taken for larger");
    let tools: Vec<_> = items.iter().filter(|item| item["category"] == "tool").map(|item| &item["source"]).collect();
    assert_eq!(json!(tools), context["request"]["tools"]);
    assert_eq!(context["request"]["params"], json!({ "temperature": 0.2 }));
    assert_eq!(context["prefix"], empty["prefix"], "what was said is not part of it");
    assert_eq!(context["prefix"].as_str().unwrap().len(), 32);

    assert_eq!(server.client.get("/api/v1/sessions/01234567-89ab-7cde-8f01-23456789abcd/context").await.status, 404);
}
