//! The example `support-desk` for users who sign in: their tokens are exchanged for those of the ticketing server.

use std::path::Path;

use serde_json::{Value, json};
use support_desk_identity_provider::system_clock;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use turnkit_testkit::Response;
use turnkit_testkit::http::HttpClient;

use crate::support::outcome;
use crate::support_desk::{Desk, call, has_completed, missing, turn_of};

const EXAMPLE: &str = include_str!("../../../../examples/support-desk/turnkit-users.toml");

/// The titles of the tickets, each with the users whose tickets they are.
const TICKETS: [(&str, [&str; 2]); 6] = [
    ("Invoices arrive twice", ["ana", "ben"]),
    ("Cannot reset the password", ["ana", "chloe"]),
    ("Export to CSV is slow", ["ben", "chloe"]),
    ("Add a second administrator", ["ana", "chloe"]),
    ("Printer at the front desk is offline", ["ben", "ben"]),
    ("Wrong time zone in reports", ["ben", "chloe"]),
];

async fn desk(configuration: &str, script: impl IntoIterator<Item = Response>) -> Desk {
    Desk::configured(configuration, script, system_clock()).await
}

/// Signs a user in at the identity provider. Returns the token with which the user calls turnkit.
async fn sign_in(desk: &Desk, user: &str) -> String {
    token_for(desk, user, "turnkit").await
}

/// Signs a user in at the identity provider. Returns a token for this audience.
async fn token_for(desk: &Desk, user: &str, audience: &str) -> String {
    let (address, form) = (desk.identity(), format!("user={user}&audience={audience}"));
    let kind = "content-type: application/x-www-form-urlencoded\r\nconnection: close";
    let head = format!("POST /login HTTP/1.1\r\nhost: {address}\r\n{kind}\r\ncontent-length: {}\r\n\r\n", form.len());
    let mut socket = TcpStream::connect(address).await.unwrap();
    socket.write_all((head + &form).as_bytes()).await.unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).await.unwrap();
    let issued: Value = serde_json::from_str(answer.split_once("\r\n\r\n").unwrap().1).unwrap();
    issued["access_token"].as_str().unwrap().to_owned()
}

/// Checks that a result lists the tickets of this user and no others.
fn assert_tickets_of(user: &str, result: &str) {
    for (title, users) in TICKETS {
        assert_eq!(result.contains(title), users.contains(&user), "{user}: {title}: {result}");
    }
}

/// Reports whether a file in a folder has this text.
fn is_stored(folder: &Path, text: &str) -> bool {
    std::fs::read_dir(folder).unwrap().any(|entry| {
        let path = entry.unwrap().path();
        if path.is_dir() {
            return is_stored(&path, text);
        }
        std::fs::read(path).unwrap().windows(text.len()).any(|bytes| bytes == text.as_bytes())
    })
}

#[tokio::test]
async fn each_user_sees_only_their_own_tickets_and_no_token_is_stored_or_logged() {
    let turn = || [call("ticketing__my_tickets", "{}"), Response::text("These are yours.")];
    let desk = desk(EXAMPLE, [turn(), turn(), turn()].concat()).await;
    let server = desk.serve().await;
    let (ana, ben) = (sign_in(&desk, "ana").await, sign_in(&desk, "ben").await);
    for (user, token) in [("ana", &ana), ("ben", &ben), ("ana", &ana)] {
        let events = turn_of(&server.client().with_key(token)).await;
        assert!(has_completed(&events) && missing(&events).is_empty(), "{user}: {events:?}");
        assert_tickets_of(user, &desk.last_result());
        assert!(desk.offered(0).contains("organisations__get_organisation"), "{user}");
    }
    assert_eq!((desk.tokens("token_exchange").await, desk.tokens("client_credentials").await), (json!(2), json!(1)));
    let logged = server.stop().await.stderr;
    for token in [ana, ben] {
        let (_, signature) = token.rsplit_once('.').unwrap();
        assert!(!logged.contains(signature) && !is_stored(desk.place.path(), signature), "{logged}");
    }
}

#[tokio::test]
async fn a_token_of_a_user_for_another_server_is_refused() {
    let desk = desk(EXAMPLE, []).await;
    let server = desk.serve().await;
    for (audience, status) in [("turnkit", 200), ("ticketing", 401)] {
        let client = server.client().with_key(token_for(&desk, "ana", audience).await);
        assert_eq!(client.get("/api/v1/sessions").await.unwrap().status, status, "{audience}");
    }
}

#[tokio::test]
async fn turns_go_on_when_the_identity_provider_signs_with_a_new_key() {
    let turn = || [call("ticketing__my_tickets", "{}"), Response::text("These are yours.")];
    let desk = desk(EXAMPLE, [turn(), turn(), turn()].concat()).await;
    let server = desk.serve().await;
    let (ana, ben) = (sign_in(&desk, "ana").await, sign_in(&desk, "ben").await);
    let tickets_of = async |user: &str, token: &str| {
        let events = turn_of(&server.client().with_key(token)).await;
        assert!(has_completed(&events) && missing(&events).is_empty(), "{user}: {events:?}");
        assert_tickets_of(user, &desk.last_result());
    };
    tickets_of("ana", &ana).await;
    let rotated = HttpClient::new(desk.identity()).post("/rotate", &[], &json!({})).await.unwrap();
    assert!(rotated.json()["kid"].is_string(), "{}", rotated.json());
    // The tokens from before are valid, and that for ben is the first with the new key.
    tickets_of("ana", &ana).await;
    tickets_of("ben", &ben).await;
    assert_eq!(desk.tokens("token_exchange").await, 2);
}

#[tokio::test]
async fn a_sub_agent_acts_for_the_user_of_its_parent_turn() {
    let script = [
        call("task", r#"{"prompt":"Which tickets are mine?"}"#),
        call("ticketing__my_tickets", "{}"),
        Response::text("I found them."),
        Response::text("Done."),
    ];
    let with_task = EXAMPLE.replace("tools = [\"calculator\",", "tools = [\"task\", \"calculator\",");
    let desk = desk(&with_task, script).await;
    let server = desk.serve().await;
    let events = turn_of(&server.client().with_key(sign_in(&desk, "chloe").await)).await;
    assert!(has_completed(&events), "{events:?}");
    assert_tickets_of("chloe", &desk.result(2));
}

#[tokio::test]
async fn an_approved_call_has_the_token_of_the_decision_after_a_restart() {
    let comment = call("ticketing__add_comment", r#"{"id":5,"text":"It works."}"#);
    let desk = desk(EXAMPLE, [comment, Response::text("Done.")]).await;
    let server = desk.serve().await;
    let client = server.client().with_key(sign_in(&desk, "ben").await);
    let asked = json!({ "message": "Go", "interact": true });
    let mut events = client.post_for_events("/api/v1/turns", &[], &asked).await.unwrap();
    let interaction = loop {
        let event = events.next().await.unwrap().unwrap();
        if event.name() == "interaction.requested" {
            break event.json()["id"].as_str().unwrap().to_owned();
        }
    };
    drop(events);
    server.stop().await;

    let server = desk.serve().await;
    let client = server.client().with_key(sign_in(&desk, "ben").await);
    let decided = format!("/api/v1/interactions/{interaction}");
    let decided = client.post(&decided, &[], &json!({ "decision": "approve" })).await.unwrap();
    assert_eq!(decided.status, 200, "{}", decided.json());
    let (turn, _) = interaction.split_once('.').unwrap();
    let events = client.follow(&format!("/api/v1/turns/{turn}/events"), None).await.unwrap().rest().await.unwrap();
    assert!(has_completed(&events), "{events:?}");
    let result = desk.last_result();
    assert!(result.replace(' ', "").contains(r#""author":"ben""#), "{result}");
}

#[tokio::test]
async fn a_caller_with_a_key_reads_why_tools_are_missing_and_the_turn_goes_on() {
    let with_keys = EXAMPLE.replace("mode = \"jwt\"", "mode = \"api_key_or_jwt\"");
    let desk = desk(&with_keys, [Response::text("I cannot read tickets.")]).await;
    let words = ["keys", "create", "laptop", "--user", "ana"];
    let made = outcome(desk.place.command(&words).envs(desk.variables()).spawn().unwrap()).await;
    assert_eq!(made.code, Some(0), "{made:?}");
    let server = desk.serve().await;
    let events = turn_of(&server.client().with_key(made.stdout.trim())).await;
    assert!(has_completed(&events), "{events:?}");
    let missing = missing(&events);
    let expected = "the tools of ticketing are missing: no token of the caller is known: the user must send a request";
    assert!(missing.len() == 1 && missing[0].starts_with(expected), "{missing:?}");
    let offered = desk.offered(0);
    assert!(!offered.is_empty() && offered.iter().all(|name| name.starts_with("organisations__")), "{offered:?}");
    assert_eq!(desk.tokens("token_exchange").await, 0);
}

#[tokio::test]
async fn commands_report_that_a_server_needs_the_token_of_a_caller() {
    let desk = desk(EXAMPLE, []).await;
    for words in [
        &["mcp", "call", "ticketing", "my_tickets", "{}"][..],
        &["permissions", "explain", "ticketing__my_tickets", "{}"],
    ] {
        let done = outcome(desk.place.command(words).envs(desk.variables()).spawn().unwrap()).await;
        assert_eq!(done.code, Some(1), "{done:?}");
        assert!(done.stderr.contains("ticketing: no token of the caller is known"), "{done:?}");
        let way_out = "; only requests to `turnkit serve` have tokens of callers, so try it there";
        assert!(done.stderr.trim_end().ends_with(way_out), "{done:?}");
    }
    let words = ["mcp", "doctor"];
    let examined = outcome(desk.place.command(&words).envs(desk.variables()).spawn().unwrap()).await;
    assert_eq!(examined.code, Some(0), "{examined:?}");
    assert!(examined.stdout.contains("ok    ticketing  not asked, because its tools need the token"), "{examined:?}");
    assert_eq!(desk.tokens("token_exchange").await, 0);
}
