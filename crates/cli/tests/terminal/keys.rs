//! `turnkit keys` as an operator runs it.

use serde_json::{Value, json};
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::{Place, outcome};

#[tokio::test]
async fn keys_are_made_listed_and_revoked_with_and_without_a_server() {
    for served in [false, true] {
        let place = Place::new();
        let server = if served { Some(place.serve().await) } else { None };
        assert_eq!(place.run(&["keys", "ls"]).await.stdout, "");
        let made = place.run(&["keys", "create", "laptop"]).await;
        assert_eq!((made.code, made.stdout.len()), (Some(0), 47), "the key alone, for a script: {made:?}");
        assert!(made.stdout.starts_with("tk_"), "{made:?}");
        let restricted = ["--scope", "agent:support", "--scope", "read"];
        place.run(&[&["keys", "create", "website", "--user", "website"][..], &restricted].concat()).await;

        let listed: Value = serde_json::from_str(&place.run(&["keys", "ls", "--json"]).await.stdout).unwrap();
        let names: Vec<_> = listed["data"].as_array().unwrap().iter().map(|key| (&key["name"], &key["user"])).collect();
        assert_eq!(names, [(&json!("website"), &json!("website")), (&json!("laptop"), &json!("local"))]);
        let scopes = |index: usize| &listed["data"][index]["scopes"];
        assert_eq!((scopes(0), scopes(1)), (&json!(["read", "agent:support"]), &json!(["chat", "read", "decide"])));
        assert!(!listed.to_string().contains(made.stdout.trim()), "a key is shown once");

        let id = listed["data"][1]["id"].as_str().unwrap();
        assert_eq!(place.run(&["keys", "revoke", id]).await.code, Some(0));
        let table = place.run(&["keys", "ls"]).await.stdout;
        assert_eq!(table.lines().filter(|line| line.contains("laptop  revoked ")).count(), 1, "{table}");
        assert!(table.contains("  website  read agent:support  website\n"), "{table}");
        let unknown = place.run(&["keys", "revoke", "01234567-89ab-7cde-8f01-23456789abcd"]).await;
        assert_eq!(unknown.code, Some(1));
        assert!(unknown.stderr.contains("there is no key 01234567-"), "{unknown:?}");
        drop(server);
    }
}

#[tokio::test]
async fn no_key_is_made_beside_a_database_with_another_name() {
    let place = Place::new();
    let url = format!("sqlite:{}", place.path().join("data/app.db").display());
    let run = async |words: &[&str], variables: &[(&str, &str)]| {
        outcome(place.command(words).envs(variables.iter().copied()).spawn().unwrap()).await
    };
    let configured = [("TURNKIT_STORE__URL", url.as_str())];
    assert_eq!(run(&["keys", "create", "laptop"], &configured).await.code, Some(0));
    for words in [&["keys", "create", "phone"][..], &["keys", "ls"]] {
        let refused = run(&[words, &["--data", "data"]].concat(), &[]).await;
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(3), ""), "{refused:?}");
        assert_eq!(refused.stderr.lines().count(), 1, "{refused:?}");
        assert!(refused.stderr.contains("has no turnkit.db, but app.db: "), "{refused:?}");
        assert!(refused.stderr.contains(&format!("TURNKIT_STORE__URL={url}")), "{refused:?}");
    }
    assert!(!place.path().join("data/turnkit.db").exists());
    assert!(run(&["keys", "ls"], &configured).await.stdout.contains("laptop"));
}

#[tokio::test]
async fn an_invalid_name_or_scope_is_rejected() {
    let place = Place::new();
    for scope in ["", "write", "agent:", "chat read"] {
        let refused = place.run(&["keys", "create", "laptop", "--scope", scope]).await;
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{scope:?}");
        assert!(refused.stderr.contains("scopes: no such scope; scopes are chat, read,"), "{refused:?}");
    }
    for name in ["", "a\nb", &"x".repeat(129)] {
        let refused = place.run(&["keys", "create", name]).await;
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{name:?}");
        assert!(refused.stderr.contains("name"), "{refused:?}");
    }
}

#[tokio::test]
async fn a_users_key_reads_the_names_of_providers_and_no_metrics() {
    let upstream = FakeUpstream::start([Response::status(401, "the key ends in 1234")]).await.unwrap();
    let place = Place::asking(&upstream);
    let made = place.run(&["keys", "create", "phone", "--user", "bob", "--json"]).await.stdout;
    let key = serde_json::from_str::<Value>(&made).unwrap()["key"].as_str().unwrap().to_owned();
    let server = place.serve_with(&[], &[("TURNKIT_AUTH__MODE", "api_key")]).await;
    assert_eq!(place.run(&["chat", "-p", "Hello"]).await.code, Some(1), "the provider is frozen by that");

    let elsewhere = Place::new();
    let asked = async |key: &str, words: &[&str]| {
        let words = [words, &["--server", &server.url]].concat();
        outcome(elsewhere.command(&words).env("TURNKIT_API_KEY", key).spawn().unwrap()).await
    };
    assert_eq!(asked(&key, &["providers", "ls"]).await.stdout, "fake  small\n");
    let listed = asked(&key, &["providers", "ls", "--json"]).await.stdout;
    let names = json!({ "data": [{ "id": "fake", "models": ["small"], "tags": [] }], "next": null });
    assert_eq!(serde_json::from_str::<Value>(&listed).unwrap(), names);
    let refused = asked(&key, &["providers", "thaw", "fake"]).await;
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("only the operator"), "{refused:?}");

    let metrics = server.client().with_key(&key).get("/metrics").await.unwrap();
    assert_eq!((metrics.status, &metrics.json()["error"]["code"]), (403, &json!("forbidden")));

    let page = include_str!("../../../../docs/http.md");
    assert!(page.contains("turnkit keys create prometheus --scope metrics > "), "the page describes this command");
    let prometheus = place.run(&["keys", "create", "prometheus", "--scope", "metrics"]).await.stdout;
    let metrics = server.client().with_key(prometheus.trim()).get("/metrics").await.unwrap();
    assert_eq!(metrics.status, 200);
    assert!(String::from_utf8(metrics.body).unwrap().contains("turnkit_provider_frozen{provider=\"fake\"} 1"));
    let admin = place.run(&["keys", "create", "admin", "--scope", "read", "--scope", "admin"]).await.stdout;
    for whole in [asked(admin.trim(), &["providers", "ls"]).await, place.run(&["providers", "ls"]).await] {
        assert!(whole.stdout.starts_with("fake  frozen  small  running 0"), "{whole:?}");
        assert!(whole.stdout.contains("calls 1  failures 1"), "{whole:?}");
    }
}
