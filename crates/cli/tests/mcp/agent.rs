//! Agents with the tools of the servers.

use serde_json::{Value, json};
use turnkit_testkit::{FakeUpstream, Response};

use crate::packages::Packages;
use crate::servers::{Server, Transport};
use crate::workspace::{Serving, Workspace};

/// How often a turn is started while servers are not ready. Each turn waits for them for a time.
const TURNS: usize = 60;

/// Returns the configuration of an agent with these tools, whose model is `upstream`.
pub(crate) fn provider(upstream: &FakeUpstream, tools: &str) -> String {
    let url = upstream.base_url();
    format!(
        "[[providers]]\nid = \"fake\"\napi = \"openai-chat\"\nbase_url = \"{url}\"\napi_key = \"secret\"\n\
         models = [\"small\"]\n[[agents]]\nname = \"assistant\"\ntools = [{tools}]\n"
    )
}

/// Returns the names of the tools in a request to the model.
pub(crate) fn offered(request: &Value) -> Vec<String> {
    let tools = request["tools"].as_array().cloned().unwrap_or_default();
    tools.iter().map(|tool| tool["function"]["name"].as_str().unwrap_or_default().to_owned()).collect()
}

/// Returns the role of the last message in a request to the model.
pub(crate) fn last_role(request: &Value) -> String {
    let last = request["messages"].as_array().and_then(|messages| messages.last());
    last.and_then(|message| message["role"].as_str()).unwrap_or_default().to_owned()
}

/// Starts turns until one leads to `event`, because a turn runs without the tools of servers that are not ready.
/// Returns that turn.
pub(crate) async fn ask<T>(serving: &Serving, event: impl Future<Output = T>) -> (String, T) {
    let mut event = std::pin::pin!(event);
    for _ in 0..TURNS {
        let turn = serving.say("Go").await;
        tokio::select! {
            happened = &mut event => return (turn, happened),
            _ = serving.end_of(&turn) => {}
        }
    }
    panic!("the tools of the servers were not offered")
}

/// Runs a turn that calls tools of several servers at once.
async fn an_agent_calls_several_servers(transport: Transport) {
    let Some(packages) = Packages::installed() else { return };
    let upstream = FakeUpstream::with_handler(|request| {
        let request = request.json();
        let offered = offered(&request);
        let is_offered = |server: &Server| offered.iter().any(|tool| tool.starts_with(&format!("{}__", server.name())));
        match last_role(&request) == "user" && Server::ALL.iter().all(is_offered) {
            true => Response::calls(&[
                ("c1", "everything__get-sum", r#"{"a":2,"b":3}"#),
                ("c2", "memory__read_graph", "{}"),
                ("c3", "time__convert_time", r#"{"source_timezone":"UTC","time":"12:00","target_timezone":"UTC"}"#),
            ]),
            false => Response::text("Done."),
        }
    });
    let upstream = upstream.await.unwrap();
    let workspace = Workspace::with_servers(&packages, &Server::ALL, transport, "trust = \"full\"").await;
    let tools: Vec<String> = Server::ALL.iter().map(|server| format!("\"{}__*\"", server.name())).collect();
    workspace.append(&provider(&upstream, &tools.join(", ")));
    let serving = workspace.serve().await;
    for _ in 0..TURNS {
        let turn = serving.say("Go").await;
        assert_eq!(serving.end_of(&turn).await["status"], "completed");
        let last = upstream.requests().last().unwrap().json();
        if last_role(&last) != "tool" {
            continue;
        }
        let messages = last["messages"].as_array().unwrap();
        let results: Vec<&Value> = messages.iter().filter(|message| message["role"] == json!("tool")).collect();
        for (result, expected) in results.iter().zip(["The sum of 2 and 3 is 5.", "entities", "T12:00:00+00:00"]) {
            assert!(result["content"].as_str().unwrap_or_default().contains(expected), "{expected}: {result}");
        }
        assert_eq!(results.len(), 3, "{last}");
        return;
    }
    panic!("the tools of the servers were not offered")
}

#[tokio::test]
async fn an_agent_calls_several_servers_over_pipes() {
    an_agent_calls_several_servers(Transport::Pipes).await;
}

#[tokio::test]
async fn an_agent_calls_several_servers_over_http() {
    an_agent_calls_several_servers(Transport::Http).await;
}
