//! A server with two providers.

use serde_json::{Value, json};
use turnkit_testkit::http::Frame;
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::{Place, Server};

/// A server with the providers `a` and then `b`. Each has a tag and a model of its own, and charges.
pub(crate) struct World {
    pub(crate) place: Place,
    pub(crate) server: Server,
    pub(crate) a: FakeUpstream,
    pub(crate) b: FakeUpstream,
}

impl World {
    pub(crate) async fn of(a: Vec<Response>, b: Vec<Response>, agent: &str) -> Self {
        let (a, b) = (FakeUpstream::start(a).await.unwrap(), FakeUpstream::start(b).await.unwrap());
        let place = Place::new();
        let provider = |id: &str, url: &str| {
            format!(
                "[[providers]]\nid = \"{id}\"\napi = \"openai-chat\"\nbase_url = \"{url}\"\napi_key = \"secret-key\"\n\
                 models = [\"{id}-model\"]\ntags = [\"{id}\"]\ntimeouts = {{ first_event_ms = 1500, idle_ms = 1500 }}\n\
                 [[providers.models_detail]]\nname = \"{id}-model\"\nprices = {{ input = 3, output = 15, cache_read = 0.3, cache_write = 3.75 }}\n\n"
            )
        };
        let agent = format!("[[agents]]\nname = \"assistant\"\n{agent}\n");
        place.write("turnkit.toml", &(provider("a", &a.base_url()) + &provider("b", &b.base_url()) + &agent));
        let server = place.serve().await;
        Self { place, server, a, b }
    }

    /// Returns the body of a turn's stream in a dialect.
    pub(crate) async fn turn(&self, dialect: &str) -> String {
        let (path, body) = match dialect {
            "native" => ("/api/v1/turns", json!({ "message": "hi" })),
            "named" => ("/chat", json!({ "message": "hi" })),
            "typed" => ("/api/chat/stream", json!({ "messages": [{ "role": "user", "content": "hi" }] })),
            _ => ("/chat/stream", json!({ "sessionId": "s", "message": "hi" })),
        };
        let answer = self.server.client().post(path, &[("accept", "text/event-stream")], &body).await.unwrap();
        assert_eq!(answer.status, 200, "{answer:?}");
        String::from_utf8(answer.body).unwrap()
    }

    /// Starts a turn. Returns its id and that of its session.
    pub(crate) async fn start(&self, body: &Value) -> (String, String) {
        let begun = self.server.client().post("/api/v1/turns", &[], body).await.unwrap().json();
        let id = |name: &str| begun[name].as_str().unwrap_or_else(|| panic!("{begun}")).to_owned();
        (id("turn_id"), id("session_id"))
    }

    /// Returns all events of a turn, after it has ended.
    pub(crate) async fn events(&self, turn: &str) -> Vec<Frame> {
        let path = format!("/api/v1/turns/{turn}/events");
        self.server.client().follow(&path, None).await.unwrap().rest().await.unwrap()
    }

    /// Kills the server, and starts another one.
    pub(crate) async fn kill_and_start(self) -> Self {
        let Self { place, server, a, b } = self;
        server.kill().await;
        let server = place.serve().await;
        Self { place, server, a, b }
    }

    pub(crate) async fn providers(&self) -> Value {
        let listed = self.place.run(&["providers", "ls", "--json"]).await;
        serde_json::from_str::<Value>(&listed.stdout).unwrap()["data"].clone()
    }
}
