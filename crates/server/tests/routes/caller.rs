//! Tests of what a caller can learn about itself, and about the agents, models and tools that it may use.

use serde_json::{Value, json};
use turnkit_core::ports::{BoxFuture, ModelStatus, ProviderDirectory, ProviderStatus};
use turnkit_core::{ModelName, ProviderError};
use turnkit_testkit::tools::pay;
use turnkit_testkit::{Ledger, Reply};

use crate::client::Client;
use crate::running::{Running, Setup};

async fn with_scopes(server: &Running, scopes: &[&str]) -> Client {
    let body = json!({ "name": "laptop", "user": "ada", "scopes": scopes });
    let made = server.operator().post("/api/v1/keys", &body).await;
    server.bearer(made.json()["key"].as_str().unwrap())
}

#[tokio::test]
async fn a_caller_learns_who_it_is_and_what_it_may_do() {
    let server = Setup::always(Reply::text("Hello")).locked().run().await;
    for (scopes, kinds, agents, oversees) in [
        (&["read"][..], json!(["read"]), Value::Null, false),
        (&["agent:translator"], json!(["chat", "read", "decide"]), json!(["translator"]), false),
        (&["read", "admin"], json!(["read", "admin"]), Value::Null, true),
    ] {
        let me = with_scopes(&server, scopes).await.get("/api/v1/me").await.json();
        assert_eq!((&me["user"], &me["tenant"]), (&json!("ada"), &json!("local")), "{scopes:?}");
        assert_eq!((&me["scopes"], &me["agents"]), (&kinds, &agents), "{scopes:?}");
        assert_eq!((&me["oversees"], &me["operator"]), (&json!(oversees), &json!(oversees)), "{scopes:?}");
        assert_eq!(me["key"]["name"], "laptop", "{scopes:?}");
        assert!(me["key"]["id"].is_string() && !me.to_string().contains("tk_"), "{me}");
    }
    let operator = server.operator().get("/api/v1/me").await.json();
    assert_eq!((&operator["operator"], &operator["key"]), (&json!(true), &Value::Null));
    assert_eq!(server.client.get("/api/v1/me").await.status, 401);

    // Without keys, every caller reads the data of all users, and to change what is shared takes the operator's token.
    let open = Setup::always(Reply::text("Hello")).run().await;
    assert_eq!(open.operator().get("/api/v1/me").await.json()["operator"], true);
    let local = open.client.get("/api/v1/me").await.json();
    assert_eq!(
        (&local["user"], &local["oversees"], &local["operator"]),
        (&json!("local"), &json!(true), &json!(false))
    );
    assert_eq!(local["scopes"], json!(["chat", "read", "decide", "metrics"]));
}

#[tokio::test]
async fn a_caller_sees_the_agents_and_tools_that_it_may_use_and_no_others() {
    let folder = tempfile::tempdir().unwrap();
    let paid = pay(Ledger::open(folder.path().join("paid")).unwrap());
    let server = Setup::always(Reply::text("Hello")).tool(paid).ask_before("pay").locked().run().await;
    let (all, one) = (server.user("bob").await, with_scopes(&server, &["agent:translator"]).await);
    let names = |list: Value| -> Vec<String> {
        list["data"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    let (of_all, of_one) = (all.get("/api/v1/agents").await.json(), one.get("/api/v1/agents").await.json());
    assert_eq!(of_all["data"][0], json!({ "name": "assistant", "tools": ["pay"] }));
    assert_eq!(
        (names(of_all), names(of_one)),
        (vec!["assistant".into(), "translator".into()], vec!["translator".into()])
    );
    let next = all.get("/api/v1/agents?limit=1").await.json();
    assert_eq!(
        (&next["next"], names(all.get("/api/v1/agents?cursor=assistant").await.json())),
        (&json!("assistant"), vec!["translator".to_owned()])
    );

    for (client, path, agents) in [
        (&all, "/api/v1/tools", json!(["assistant", "translator"])),
        (&all, "/api/v1/tools?agent=translator", json!(["translator"])),
        (&one, "/api/v1/tools", json!(["translator"])),
    ] {
        let tools = client.get(path).await.json();
        let [tool] = &tools["data"].as_array().unwrap()[..] else { panic!("{path}: {tools}") };
        assert_eq!((&tool["name"], &tool["source"]), (&json!("pay"), &json!("host")), "{path}");
        assert_eq!((&tool["policy"], &tool["agents"]), (&json!("ask"), &agents), "{path}");
        assert!(tool["effects"]["read_only"].is_boolean() && tool["description"].is_string(), "{path}: {tool}");
    }
    assert_eq!(one.get("/api/v1/tools?agent=assistant").await.status, 403);
    assert_eq!(all.get("/api/v1/tools?agent=nobody").await.status, 404);
}

/// Two providers of the same model, of which one cannot see images.
struct TwoOfOneModel;

impl ProviderDirectory for TwoOfOneModel {
    fn providers(&self) -> Vec<ProviderStatus> {
        Vec::new()
    }

    fn models(&self) -> Vec<ModelStatus> {
        let model = |provider: &str| ModelStatus::unknown(provider.into(), ModelName("small".into()));
        vec![ModelStatus { images: false, window: Some(8192), ..model("first") }, model("second")]
    }

    fn thaw<'a>(&'a self, _: &'a str) -> BoxFuture<'a, Option<Result<(), ProviderError>>> {
        Box::pin(std::future::ready(None))
    }
}

#[tokio::test]
async fn a_caller_sees_the_models_that_a_route_may_name_with_their_capabilities() {
    let server = Setup::always(Reply::text("Hello")).providers(TwoOfOneModel).run().await;
    let first = json!({
        "id": "small", "provider": "first", "tools": true, "images": false, "reasoning": true, "context": 8192,
    });
    let second = json!({ "id": "small", "provider": "second", "tools": true, "images": true, "reasoning": true });
    for (path, data, next) in [
        ("/api/v1/models", json!([first, second]), Value::Null),
        ("/api/v1/models?limit=1", json!([first]), json!("first/small")),
        ("/api/v1/models?cursor=first/small", json!([second]), Value::Null),
    ] {
        assert_eq!(server.client.get(path).await.json(), json!({ "data": data, "next": next }), "{path}");
    }
    let without = Setup::always(Reply::text("Hello")).run().await;
    assert_eq!(without.client.get("/api/v1/models").await.json(), json!({ "data": [], "next": null }));
}
