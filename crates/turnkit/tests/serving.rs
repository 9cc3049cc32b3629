//! The HTTP server inside a host's process.
#![expect(clippy::unwrap_used, reason = "a failed expectation is how a test speaks")]

use std::net::TcpListener;
use std::time::Duration;

use turnkit::axum::{Router, routing::get};
use turnkit::http::AuthMode;
use turnkit::{Agent, ServeError, Server, Turnkit};
use turnkit_testkit::{Reply, ScriptedProvider};

async fn open(folder: &tempfile::TempDir, replies: impl IntoIterator<Item = Reply>) -> Turnkit {
    let url = format!("sqlite:{}", folder.path().join("app.db").display());
    let agent = Agent::with_provider(ScriptedProvider::new(replies));
    Turnkit::open(url).agent("assistant", agent).await.unwrap()
}

#[tokio::test]
async fn the_host_serves_its_agents_beside_routes_of_its_own_on_the_same_sessions() {
    let folder = tempfile::tempdir().unwrap();
    let turnkit = open(&folder, [Reply::text("Noon."), Reply::text("One.")]).await;
    let diary = turnkit.session("diary").unwrap();
    diary.ask("What time is it?").await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let routes = Router::new().route("/hello", get(|| async { "Hello from the host." }));
    let server = Server::new(turnkit).routes(routes);
    let serves = server.serve_until(listener, async { drop(stopped.await) }, Duration::from_secs(5));
    let asks = async {
        let client = reqwest::Client::new();
        let text = async |path: &str| client.get(format!("{url}{path}")).send().await.unwrap().text().await.unwrap();
        assert_eq!(text("/hello").await, "Hello from the host.");
        assert!(text("/api/v1/sessions").await.contains(r#""name":"diary""#));
        let said = client.post(format!("{url}/chat")).header("content-type", "application/json");
        let said = said.body(r#"{"session_id":"diary","message":"And now?"}"#).send().await.unwrap();
        assert!(said.text().await.unwrap().contains("data: One."));
        let unknown = client.get(format!("{url}/nothing")).send().await.unwrap();
        assert_eq!(unknown.status(), 404);
        drop(stop);
    };
    let (served, ()) = tokio::join!(serves, asks);
    assert!(served.unwrap(), "no turn was left");
    assert_eq!(diary.messages().await.unwrap().len(), 4);
}

#[tokio::test]
async fn an_address_that_others_can_reach_needs_keys() {
    let folder = tempfile::tempdir().unwrap();
    let turnkit = open(&folder, []).await;
    let refused = Server::new(turnkit.clone()).serve("0.0.0.0:0").await.unwrap_err();
    assert!(matches!(refused, ServeError::Open(_)) && refused.to_string().contains("AuthMode::ApiKey"), "{refused}");
    let listener = TcpListener::bind("0.0.0.0:0").unwrap();
    let server = Server::new(turnkit).settings(|settings| settings.auth = AuthMode::ApiKey);
    let served = server.serve_until(listener, async {}, Duration::ZERO).await;
    assert!(served.unwrap(), "it served until it was stopped at once");
}
