//! `turnkit mcp serve`: agents as tools of the program that starts it.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use turnkit_testkit::{FakeUpstream, Gate, Response};

use crate::support::{Place, outcome};

fn request(id: &Value, method: &str, params: &Value) -> String {
    format!("{}\n", json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }))
}

fn call(id: &Value, message: &str) -> String {
    let arguments = json!({ "message": message });
    request(id, "tools/call", &json!({ "name": "assistant", "arguments": arguments, "_meta": { "progressToken": 1 } }))
}

/// Returns the response with this id.
fn response<'a>(messages: &'a [Value], id: &Value) -> &'a Value {
    messages.iter().find(|message| message["id"] == *id).unwrap_or_else(|| panic!("no response {id}: {messages:?}"))
}

fn read(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[tokio::test]
async fn every_line_of_the_output_is_a_message_and_every_request_is_answered() {
    let handshake = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {} });
    let notified = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    let modern = json!({ "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    } });
    let (first, second, third) = (json!(1), json!("two"), json!(3));
    let input = [
        request(&first, "initialize", &handshake),
        format!("{notified}\n\n"),
        request(&second, "tools/list", &json!({})),
        call(&third, "What is 2 + 2?"),
        request(&json!(4), "server/discover", &modern),
        request(&json!(5), "resources/list", &json!({})),
        "not JSON\n".to_owned(),
        "x".repeat(2 << 20) + "\n",
    ];
    let served = Place::new().pipe(&["mcp", "serve"], &input.concat()).await;
    assert_eq!(served.code, Some(0), "{}", served.stderr);
    assert!(served.stderr.starts_with("no model is configured: the offline responder answers"), "{}", served.stderr);
    let messages = read(&served.stdout);
    assert_eq!(response(&messages, &first)["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(response(&messages, &second)["result"]["tools"][0]["name"], "assistant");
    let result = &response(&messages, &third)["result"];
    assert_eq!(result["content"][0]["text"], "2 + 2 is 4.", "{result}");
    assert_eq!(response(&messages, &json!(4))["result"]["supportedVersions"][0], "2026-07-28");
    assert_eq!(response(&messages, &json!(5))["error"]["code"], -32601);
    let codes = |message: &&Value| message["id"].is_null() && message.get("error").is_some();
    let mut nameless: Vec<i64> =
        messages.iter().filter(codes).map(|message| message["error"]["code"].as_i64().unwrap()).collect();
    nameless.sort_unstable();
    assert_eq!(nameless, [-32700, -32600], "what is not JSON, and what is too long");
    assert!(messages.iter().any(|message| message["method"] == "notifications/progress"), "{messages:?}");
}

#[tokio::test]
async fn a_cancelled_call_has_no_response_and_its_turn_is_cancelled() {
    let gate = Gate::new();
    let halting = Response::stream().delta(json!({ "content": "first " })).wait(&gate);
    let answer = halting.delta(json!({ "content": "second" })).finish("stop").done();
    let upstream = FakeUpstream::start([answer]).await.unwrap();
    let place = Place::asking(&upstream);
    let mut child = place.command(&["mcp", "serve"]).stdin(std::process::Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap()).lines();
    input.write_all(call(&json!(1), "go").as_bytes()).await.unwrap();
    let progress: Value = serde_json::from_str(&output.next_line().await.unwrap().unwrap()).unwrap();
    assert_eq!(progress["params"]["message"], "step 1", "{progress}");
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    input.write_all(format!("{cancelled}\n{}", request(&json!(2), "ping", &json!({}))).as_bytes()).await.unwrap();
    drop(input);
    let mut rest = Vec::new();
    while let Some(line) = output.next_line().await.unwrap() {
        rest.push(serde_json::from_str::<Value>(&line).unwrap());
    }
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert_eq!(response(&rest, &json!(2))["result"], json!({}));
    assert_eq!(outcome(child).await.code, Some(0));
    gate.open();
    let turns: Value = serde_json::from_str(&place.run(&["turns", "ls", "--json"]).await.stdout).unwrap();
    assert_eq!(turns["data"][0]["state"], "cancelled", "{turns}");
}

#[tokio::test]
async fn while_a_server_has_the_data_its_address_is_named_instead() {
    let place = Place::new();
    let server = place.serve().await;
    let refused = place.run(&["mcp", "serve"]).await;
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(3), ""), "{refused:?}");
    assert!(refused.stderr.contains(&format!("{}/mcp", server.url)), "{}", refused.stderr);
    server.stop().await;
}
