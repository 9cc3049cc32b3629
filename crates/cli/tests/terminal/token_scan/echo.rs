//! An MCP server that repeats the credentials of its requests wherever it can.

use serde_json::{Value, json};

use super::http::{HttpServer, Reply, Request};

/// The tools that only read, so that their errors are read by the model. Each repeats the credentials in another place.
pub(super) const READING: [&str; 9] =
    ["echo", "fail", "error", "long_error", "link", "progress", "broken", "garbled", "refused"];
/// The tool that changes something, and whose outcome is unknown.
pub(super) const CHANGING: &str = "unsure";

/// Starts the server.
pub(super) async fn start() -> HttpServer {
    HttpServer::start(answer).await
}

fn answer(request: &Request) -> Reply {
    let message: Value = serde_json::from_str(&request.body).unwrap_or_default();
    let sent = request.header("authorization").unwrap_or_default();
    match message["method"].as_str() {
        // As servers of an older protocol do.
        Some("server/discover") => plain(400, request),
        Some("initialize") => result(
            &message,
            &json!({
                "protocolVersion": "2025-06-18",
                "capabilities": { "tools": {}, "logging": {} },
                "serverInfo": { "name": sent, "version": sent },
                "instructions": request.head,
            }),
        ),
        Some("tools/list") => result(&message, &json!({ "tools": tools(sent) })),
        Some("tools/call") => called(&message, request, sent),
        None if message.is_null() => plain(405, request),
        _ => plain(202, request),
    }
}

fn tools(sent: &str) -> Vec<Value> {
    let tool = |name: &str, reads: bool| {
        let header = json!({ "type": "string", "description": sent, "default": sent });
        json!({
            "name": name,
            "description": format!("Repeats {sent}"),
            "inputSchema": { "type": "object", "properties": { "header": header } },
            "annotations": { "readOnlyHint": reads, "title": sent },
        })
    };
    let token = sent.split_once(' ').map_or(sent, |(_, token)| token);
    let named = [tool(CHANGING, false), tool(&format!("use-{token}"), true)];
    READING.iter().map(|name| tool(name, true)).chain(named).collect()
}

fn called(message: &Value, request: &Request, sent: &str) -> Reply {
    let text = json!({ "type": "text", "text": request.head });
    let failed = |code: i32, why: &str| {
        let error = json!({ "code": code, "message": why, "data": { "head": request.head } });
        Reply::json(200, &json!({ "jsonrpc": "2.0", "id": message["id"], "error": error }))
    };
    match message["params"]["name"].as_str().unwrap_or_default() {
        "echo" => result(message, &json!({ "content": [text], "structuredContent": { "head": request.head } })),
        "fail" => result(message, &json!({ "content": [text], "isError": true })),
        "error" => failed(-32603, &request.head),
        // An error is cut after 4,000 characters, which is within the credentials.
        "long_error" => failed(-32000, &format!("{}{sent}", "x".repeat(3_950))),
        // An address is cut after 500 characters.
        "link" => {
            let address = format!("https://files.example/{}?access_token={sent}", "x".repeat(430));
            result(message, &json!({ "content": [{ "type": "resource_link", "name": sent, "uri": address }] }))
        }
        "progress" => progress(message, request, &text),
        "garbled" => Reply { status: 200, media_type: "application/json", body: format!("{{\"result\":\"{sent}\"") },
        "refused" => plain(401, request),
        _ => plain(500, request),
    }
}

/// Answers with a stream: a report of progress, a line for the log, and the result.
fn progress(message: &Value, request: &Request, text: &Value) -> Reply {
    let token = &message["params"]["_meta"]["progressToken"];
    let progress = json!({ "progressToken": token, "progress": 1, "message": request.head });
    let log = json!({ "level": "error", "data": { "head": request.head } });
    let messages = [
        json!({ "jsonrpc": "2.0", "method": "notifications/progress", "params": progress }),
        json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": log }),
        json!({ "jsonrpc": "2.0", "id": message["id"], "result": { "content": [text] } }),
    ];
    let body = messages.iter().map(|message| format!("event: message\ndata: {message}\n\n")).collect();
    Reply { status: 200, media_type: "text/event-stream", body }
}

fn result(message: &Value, result: &Value) -> Reply {
    Reply::json(200, &json!({ "jsonrpc": "2.0", "id": message["id"], "result": result }))
}

/// Answers with the request itself.
fn plain(status: u16, request: &Request) -> Reply {
    let body = if status == 202 { String::new() } else { request.head.clone() };
    Reply { status, media_type: "text/plain", body }
}
