//! Tests of authentication: only valid keys and the operator have access.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use turnkit_core::ports::KeyStore;
use turnkit_server::{AuthMode, KeyBody, List, RateLimit, Settings};
use turnkit_testkit::Gate;
use turnkit_testkit::model_store::{Disk, ModelStore, Pause};

use crate::running::Running;

#[tokio::test]
async fn without_a_key_only_health_is_served_and_every_rejection_is_the_same() {
    for head in [
        &[][..],
        &["authorization: Bearer tk_unknown"],
        &["authorization: Bearer WRONG"],
        &["authorization: Basic YTpi"],
        &["authorization: Bearer"],
        &["x-api-key: tk_unknown"],
        &["authorization: Bearer KEY", "x-api-key: TOKEN"],
    ] {
        // Each case has its own server, because the response changes after too many failures.
        let server = Running::locked().await;
        for path in ["/healthz", "/readyz"] {
            assert_eq!(server.ask("GET", path, &[], "").await.status, 200, "{path}");
        }
        let key = server.key_for("ada").await.key;
        let wrong = format!("{}x", &key[..key.len() - 1]);
        let filled = |line: &&str| line.replace("KEY", &key).replace("TOKEN", &server.token).replace("WRONG", &wrong);
        let filled: Vec<String> = head.iter().map(filled).collect();
        let lines: Vec<&str> = filled.iter().map(String::as_str).collect();
        for (method, path) in
            [("GET", "/metrics"), ("POST", "/api/v1/keys"), ("GET", "/api/v1/probe"), ("GET", "/none")]
        {
            let reply = server.ask(method, path, &lines, "").await;
            assert_eq!((reply.status, reply.code().as_str()), (401, "unauthenticated"), "{method} {path} {head:?}");
            assert_eq!(reply.header("www-authenticate"), Some("Bearer realm=\"turnkit\""));
            let message = reply.json()["error"]["message"].as_str().unwrap().to_owned();
            assert_eq!(message, "send a key that is known: Authorization: Bearer KEY, or x-api-key: KEY");
        }
    }
}

#[tokio::test]
async fn a_key_is_sent_in_either_form() {
    let server = Running::locked().await;
    let key = server.key_for("ada").await.key;
    let (bearer, plain) = (format!("Authorization: bearer {key}"), format!("X-API-Key: {key}"));
    for head in [&[&*bearer][..], &[&*plain], &[&*bearer, &*plain]] {
        assert_eq!(server.ask("GET", "/api/v1/providers", head, "").await.status, 200, "{head:?}");
    }
}

#[tokio::test]
async fn a_key_in_the_query_is_none() {
    let server = Running::locked().await;
    let key = server.key_for("ada").await.key;
    assert_eq!(server.ask("GET", &format!("/metrics?api_key={key}&key={key}"), &[], "").await.status, 401);
}

#[tokio::test]
async fn without_authentication_any_credential_counts_as_none() {
    let server = Running::open().await;
    for head in [&[][..], &["authorization: Bearer sk-anything"], &["authorization: Basic YTpi"]] {
        assert_eq!(server.ask("GET", "/metrics", head, "").await.status, 200, "{head:?}");
    }
}

#[tokio::test]
async fn no_body_is_read_before_authentication() {
    let server = Running::locked().await;
    let head = "POST /api/v1/keys HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    for framing in ["content-length: 900000", "content-length: 9000000000", "transfer-encoding: chunked"] {
        let mut wire = server.wire().await;
        wire.send(format!("{head}expect: 100-continue\r\n{framing}\r\n\r\n")).await;
        assert_eq!(wire.reply().await.status, 401, "{framing}");
    }
    // An authenticated client is asked to send the body.
    let mut wire = server.wire().await;
    let token = &server.token;
    wire.send(format!("{head}authorization: Bearer {token}\r\nexpect: 100-continue\r\ncontent-length: 12\r\n\r\n"))
        .await;
    assert_eq!(wire.reply().await.status, 100);
    wire.send(r#"{"name":"a"}"#).await;
    assert_eq!(wire.reply().await.status, 201);
}

#[tokio::test]
async fn open_routes_read_no_body() {
    let server = Running::locked().await;
    for (path, status) in [("POST /healthz", 405), ("GET /readyz", 200)] {
        let mut wire = server.wire().await;
        let head = format!("{path} HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\n");
        wire.send(format!("{head}content-length: 900000\r\n\r\n")).await;
        assert_eq!(wire.reply().await.status, status, "{path}");
    }
}

#[tokio::test]
async fn only_the_operator_administers_keys() {
    for server in [Running::open().await, Running::locked().await] {
        let made = server.key_for("ada").await;
        let path = format!("/api/v1/keys/{}", made.id);
        for (method, path, body) in
            [("GET", "/api/v1/keys", ""), ("POST", "/api/v1/keys", r#"{"name":"b"}"#), ("DELETE", path.as_str(), "")]
        {
            let reply = server.ask_as(&made.key, method, path, body).await;
            assert_eq!((reply.status, reply.code().as_str()), (403, "forbidden"), "{method} {path}");
        }
        assert_eq!(server.ask_as(&server.token, "GET", "/api/v1/keys", "").await.status, 200);
    }
}

#[tokio::test]
async fn a_key_is_shown_once_and_works_until_it_is_revoked() {
    let server = Running::locked().await;
    let (first, second) = (server.key_for("ada").await, server.key_for("grace").await);
    assert!(first.key.starts_with("tk_") && first.key.len() == 46 && first.key != second.key);
    assert_eq!((first.name.as_str(), first.user.as_str()), ("a key", "ada"));

    let list = server.ask_as(&server.token, "GET", "/api/v1/keys", "").await;
    assert!(!list.body.contains(&first.key) && !list.body.contains("sha256"), "{}", list.body);
    let list: List<KeyBody> = serde_json::from_str(&list.body).unwrap();
    let ids: Vec<&String> = list.data.iter().map(|key| &key.id).collect();
    assert_eq!(ids, [&second.id, &first.id]);

    let path = format!("/api/v1/keys/{}", first.id);
    assert_eq!(server.ask_as(&server.token, "DELETE", &path, "").await.status, 204);
    assert_eq!(server.ask_as(&server.token, "DELETE", &path, "").await.status, 204);
    assert_eq!(server.ask_as(&first.key, "GET", "/api/v1/providers", "").await.status, 401);
    assert_eq!(server.ask_as(&second.key, "GET", "/api/v1/providers", "").await.status, 200);
    let list = server.ask_as(&server.token, "GET", "/api/v1/keys", "").await;
    let list: List<KeyBody> = serde_json::from_str(&list.body).unwrap();
    let revoked: Vec<bool> = list.data.iter().map(|key| key.revoked_at.is_some()).collect();
    assert_eq!(revoked, [false, true]);

    for unknown in ["00000000-0000-7000-8000-000000000000", "1", "%ff", "..%2f..%2fkeys"] {
        let reply = server.ask_as(&server.token, "DELETE", &format!("/api/v1/keys/{unknown}"), "").await;
        assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"), "{unknown}");
    }
}

#[tokio::test]
async fn a_key_that_is_revoked_during_its_creation_is_invalid() {
    let (disk, gate, adds_key) = (Disk::default(), Gate::new(), Arc::new(AtomicBool::new(false)));
    // The key is stored long before its creator receives it.
    let (slow, adding) = (gate.clone(), Arc::clone(&adds_key));
    let store = Arc::new(ModelStore::open(&disk).pausing(move |pause| {
        let waits = pause == Pause::AfterCommit && adding.swap(false, Ordering::SeqCst);
        let slow = slow.clone();
        Box::pin(async move {
            if waits {
                slow.pass().await;
            }
            Ok(())
        })
    }));
    let settings = Settings { auth: AuthMode::ApiKey, ..Settings::default() };
    let server = Running::on(store.clone(), settings).await;
    adds_key.store(true, Ordering::SeqCst);
    let revoked = async {
        gate.reached().await;
        let id = store.keys().await.unwrap()[0].id;
        let reply = server.ask_as(&server.token, "DELETE", &format!("/api/v1/keys/{id}"), "").await;
        assert_eq!(reply.status, 204, "{}", reply.body);
        gate.open();
    };
    let (made, ()) = tokio::join!(server.key_for("ada"), revoked);
    assert_eq!(server.ask_as(&made.key, "GET", "/api/v1/providers", "").await.status, 401);
}

#[tokio::test]
async fn keys_are_listed_newest_first_in_pages() {
    let server = Running::open().await;
    let mut made = Vec::new();
    for user in ["ada", "grace", "mary"] {
        made.insert(0, server.key_for(user).await.id);
    }
    let page = async |query: &str| -> List<KeyBody> {
        let reply = server.ask_as(&server.token, "GET", &format!("/api/v1/keys{query}"), "").await;
        assert_eq!(reply.status, 200, "{}", reply.body);
        serde_json::from_str(&reply.body).unwrap()
    };
    let ids = |list: &List<KeyBody>| list.data.iter().map(|key| key.id.clone()).collect::<Vec<_>>();
    let first = page("?limit=2").await;
    assert_eq!((ids(&first), first.next.as_deref()), (made[..2].to_vec(), Some(&*made[1])));
    let second = page(&format!("?limit=2&cursor={}", made[1])).await;
    assert_eq!((ids(&second), second.next), (made[2..].to_vec(), None));
    for (query, status) in [("?limit=0", 422), ("?limit=x", 422), ("?cursor=x", 404), ("?user=ada", 422)] {
        let reply = server.ask_as(&server.token, "GET", &format!("/api/v1/keys{query}"), "").await;
        assert_eq!(reply.status, status, "{query}");
    }
}

#[tokio::test]
async fn a_key_without_a_user_is_the_local_users() {
    let server = Running::open().await;
    let reply = server.ask_as(&server.token, "POST", "/api/v1/keys", r#"{"name":"mine"}"#).await;
    assert_eq!((reply.status, reply.json()["user"].as_str()), (201, Some("local")));
}

#[tokio::test]
async fn the_streams_of_a_revoked_key_end_and_others_continue() {
    let server = Running::locked().await;
    let (first, second) = (server.key_for("ada").await, server.key_for("grace").await);
    let mut streams = Vec::new();
    for key in [&first.key, &second.key] {
        let made = server.ask_as(key, "POST", "/api/v1/sessions", "{}").await;
        assert_eq!(made.status, 201, "{}", made.body);
        let path = format!("/api/v1/sessions/{}/events", made.json()["id"].as_str().unwrap());
        let mut stream = server.wire().await;
        let host = format!("host: {}\r\nauthorization: Bearer {key}", server.address);
        stream.send(format!("GET {path} HTTP/1.1\r\n{host}\r\n\r\n")).await;
        stream.read_past("event: resync").await;
        streams.push(stream);
    }
    server.ask_as(&server.token, "DELETE", &format!("/api/v1/keys/{}", first.id), "").await;
    // The stream ended properly: the last chunk is there.
    streams[0].read_past("\r\n0\r\n\r\n").await;
    let metrics = server.ask_as(&server.token, "GET", "/metrics", "").await;
    assert!(metrics.body.contains("turnkit_streams 1\n"), "{}", metrics.body);
}

#[tokio::test]
async fn an_upload_ends_when_its_key_is_revoked() {
    let server = Running::locked().await;
    for path in ["/api/v1/files", "/api/v1/sessions/import"] {
        let (made, mut wire) = (server.key_for("ada").await, server.wire().await);
        let head = format!("POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n", made.key);
        wire.send(format!("{head}expect: 100-continue\r\ncontent-length: 9\r\n\r\n")).await;
        assert_eq!(wire.reply().await.status, 100, "{path}");
        wire.send("half").await;
        let revoked = server.ask_as(&server.token, "DELETE", &format!("/api/v1/keys/{}", made.id), "").await;
        assert_eq!(revoked.status, 204, "{path}");
        let reply = wire.reply().await;
        assert_eq!((reply.status, reply.code().as_str()), (401, "unauthenticated"), "{path}: {}", reply.body);
    }
}

#[tokio::test]
async fn only_a_sender_of_many_unknown_keys_is_rate_limited() {
    let server = Running::locked().await;
    let key = server.key_for("ada").await.key;
    let mut answers = std::collections::BTreeMap::new();
    for number in 0..1000 {
        let reply = server.ask_as(&format!("tk_{number}"), "GET", "/metrics", "").await;
        let waits = reply.header("retry-after").is_some_and(|seconds| seconds.parse::<u64>().unwrap() >= 1);
        assert_eq!((reply.status == 429, reply.status == 429), (waits, reply.code() == "rate_limited"));
        *answers.entry(reply.status).or_insert(0) += 1;
    }
    assert!(answers[&429] > 950 && answers[&401] >= 10, "{answers:?}");
    // The address may be that of a proxy with all its clients, so a valid key is still accepted.
    assert_eq!(server.ask_as(&key, "GET", "/api/v1/providers", "").await.status, 200);
    assert_eq!(server.ask("GET", "/metrics", &[], "").await.status, 401, "a missing key does not count as a wrong one");
    assert_eq!(server.ask("GET", "/healthz", &["x-api-key: tk_1"], "").await.status, 200);
}

#[tokio::test]
async fn a_rate_limit_applies_to_a_user_across_all_its_keys() {
    let one = NonZeroU32::MIN;
    let rate_limit = Some(RateLimit { requests_per_second: one, burst: one.saturating_add(1) });
    let server = Running::with(Settings { auth: AuthMode::ApiKey, rate_limit, ..Settings::default() }).await;
    let (first, second, other) =
        (server.key_for("ada").await.key, server.key_for("ada").await.key, server.key_for("grace").await.key);
    let mut statuses = Vec::new();
    for key in [&first, &second, &first, &second, &first, &second] {
        let reply = server.ask_as(key, "GET", "/api/v1/providers", "").await;
        assert_eq!(reply.status == 429, reply.header("retry-after") == Some("1"), "{}", reply.body);
        statuses.push(reply.status);
    }
    assert_eq!(statuses[..2], [200, 200]);
    assert!(statuses.contains(&429), "{statuses:?}");
    assert_eq!(server.ask_as(&other, "GET", "/api/v1/providers", "").await.status, 200);
    for _ in 0..5 {
        assert_eq!(server.ask_as(&server.token, "GET", "/metrics", "").await.status, 200, "the operator may");
    }
}
