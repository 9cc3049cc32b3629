//! Servers that lie, break the protocol, or are down.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::Poll;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::time::timeout;
use turnkit_core::ports::{ToolSet, ToolSource as _};
use turnkit_core::{ToolError, ToolErrorKind};
use turnkit_mcp::{LeftOutTool, McpServer, McpState};

use crate::raw::{Answer, Raw, serve, tools};
use crate::support::{call, names, pass, server, settings, tool, unknown, until};

fn listed(name: &str, annotations: Value) -> Value {
    json!({ "name": name, "inputSchema": { "type": "object" }, "annotations": annotations })
}

/// The two tools of most servers here: one that only reads, and one that may not run twice.
fn two() -> Value {
    json!([listed("find", json!({ "readOnlyHint": true })), listed("close", json!({}))])
}

#[tokio::test]
async fn tools_with_hostile_names_and_schemas_are_left_out_with_the_reason() {
    let long = "x".repeat(200);
    let raw = serve(move |_, _| {
        tools(&json!([
            listed("find", json!({})),
            listed("find", json!({ "title": "another one" })),
            listed("", json!({})),
            listed(&long, json!({})),
            listed("a b", json!({})),
            listed("a\u{202e}b\n", json!({})),
            { "name": "list", "inputSchema": { "type": "array" } },
            { "name": "fetch", "inputSchema": { "type": "object", "items": { "$ref": "http://x/" } } },
        ]))
    })
    .await;
    let server = server(settings(raw.address));
    assert_eq!(names(&server.tools(None).await.unwrap()), ["tickets__find"]);
    let McpState::Ready(info) = server.status().state else { unreachable!("the server is ready") };
    let left_out: Vec<(&str, bool)> =
        info.left_out.iter().map(|LeftOutTool { name, why }| (name.as_str(), why.contains("name"))).collect();
    let cut = format!("{}…", "x".repeat(100));
    let unnamed = ["find", "", cut.as_str(), "a b", "ab"].map(|name| (name, true));
    let unusable = ["list", "fetch"].map(|name| (name, false));
    assert_eq!(left_out, [&unnamed[..], &unusable[..]].concat());
}

#[tokio::test]
async fn endless_pages_and_too_many_tools_are_bounded() {
    let same = serve(|_, _| Answer::Result(json!({ "tools": [], "nextCursor": "again" }))).await;
    let error = server(settings(same.address)).tools(None).await.unwrap_err();
    assert!(error.0.contains("its pages have no end"), "{error}");

    let pages = AtomicU32::new(0);
    let many = serve(move |_, _| {
        let page = pages.fetch_add(1, Ordering::SeqCst);
        let tools: Vec<Value> = (0..300).map(|number| listed(&format!("t{page}-{number}"), json!({}))).collect();
        Answer::Result(json!({ "tools": tools, "nextCursor": page.to_string() }))
    })
    .await;
    let server = server(settings(many.address));
    assert_eq!(server.tools(None).await.unwrap().tools().len(), 2_000);
    assert!(matches!(server.status().state, McpState::Ready(info) if info.left_out.len() == 1));
    assert_eq!(many.count("tools/list"), 7);
}

#[tokio::test]
async fn fifty_that_ask_at_the_same_time_start_a_server_once() {
    let raw = serve(|_, _| tools(&two())).await;
    let server = server(settings(raw.address));
    let asked: Vec<_> = (0..50)
        .map(|_| {
            let server = server.clone();
            tokio::spawn(async move { server.tools(None).await.unwrap() })
        })
        .collect();
    let mut sets: Vec<Arc<ToolSet>> = Vec::new();
    for task in asked {
        sets.push(task.await.unwrap());
    }
    assert!(sets.iter().all(|set| Arc::ptr_eq(set, &sets[0])));
    assert_eq!((raw.count("initialize"), raw.count("tools/list")), (1, 1));
}

#[tokio::test]
async fn a_start_goes_on_without_those_that_waited_for_it() {
    let raw = serve(|_, _| tools(&two())).await;
    let server = server(settings(raw.address));
    // Dropped at its first wait, when the start has begun.
    assert!(futures_util::poll!(server.tools(None)).is_pending());
    until(|| matches!(server.status().state, McpState::Ready(_))).await;
    assert_eq!(server.tools(None).await.unwrap().tools().len(), 2);
    assert_eq!(raw.count("initialize"), 1);
}

#[tokio::test]
async fn a_server_that_is_down_is_named_with_the_time_of_the_next_try() {
    let gone = {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        listener.local_addr().unwrap()
    };
    let down = server(settings(gone));
    let raw = serve(|_, _| tools(&two())).await;
    let error = down.tools(None).await.unwrap_err().0;
    assert!(error.contains("the connection was refused; it is tried again in 1 second at the earliest"), "{error}");
    assert!(matches!(down.status().state, McpState::Failing { .. }));
    // Other servers are not concerned.
    assert_eq!(server(settings(raw.address)).tools(None).await.unwrap().tools().len(), 2);
}

#[tokio::test]
async fn a_refused_start_says_what_is_wrong() {
    for (status, why) in
        [(401, "credentials"), (403, "credentials"), (404, "no server at this address"), (302, "which is not followed")]
    {
        let address = crate::proxy::always(status).await;
        let error = server(settings(address)).tools(None).await.unwrap_err().0;
        assert!(error.contains(&status.to_string()) && error.contains(why), "{error}");
    }
}

#[tokio::test]
async fn answers_that_cannot_be_read_leave_the_outcome_unknown() {
    let message = |id: Value| json!({ "jsonrpc": "2.0", "id": id, "result": { "content": [] } }).to_string();
    let large = json!({ "jsonrpc": "2.0", "id": 0, "result": { "x": "x".repeat(17 * 1024 * 1024) } }).to_string();
    for (kind, body) in [
        ("application/json", "not JSON".to_owned()),
        ("application/json", "{}".to_owned()),
        ("application/json", "[]".to_owned()),
        ("application/json", message(json!(12_345))),
        ("application/json", message(Value::Null)),
        ("application/json", large.clone()),
        ("text/html", "<html>".to_owned()),
        ("text/event-stream", String::new()),
        ("text/event-stream", "data: not JSON\n\n".to_owned()),
        ("text/event-stream", format!("data: {large}\n\n")),
    ] {
        let length = body.len();
        let raw = serve(move |method, _| match method {
            "tools/list" => tools(&two()),
            _ => Answer::Body(kind, body.clone().into_bytes()),
        })
        .await;
        let server = server(settings(raw.address));
        let outcome = call(&tool(&server, "close").await, &json!({})).await;
        assert_eq!(outcome.unwrap_err().kind(), ToolErrorKind::OutcomeUnknown, "{kind} {length}");
        assert_eq!(raw.count("tools/call"), 1, "{kind} {length}");
    }
}

#[tokio::test]
async fn a_lost_session_leaves_the_outcome_unknown_and_only_a_call_that_reads_is_repeated() {
    for (name, calls) in [("close", 1), ("find", 2)] {
        let asked = AtomicU32::new(0);
        let raw = serve(move |method, _| match method {
            "tools/list" => tools(&two()),
            _ if asked.fetch_add(1, Ordering::SeqCst) == 0 => Answer::Status(404),
            _ => Answer::Result(json!({ "content": [{ "type": "text", "text": "found" }] })),
        })
        .await;
        let server = server(settings(raw.address));
        let outcome = call(&tool(&server, name).await, &json!({})).await;
        match name {
            "close" => assert_eq!(outcome, Err(unknown("the server has ended the session"))),
            _ => assert_eq!(outcome.unwrap().content, "found"),
        }
        assert_eq!((raw.count("tools/call"), raw.count("initialize")), (calls, calls), "{name}");
        // The next turn gets a new session.
        assert_eq!(server.tools(None).await.unwrap().tools().len(), 2);
        assert_eq!(raw.count("initialize"), 2);
    }
}

#[tokio::test]
async fn a_session_that_a_server_refuses_with_status_400_is_given_up() {
    for (id, code, sessions) in [
        (Some(Value::Null), -32_000, 2),
        (Some(json!("server-error")), -32_600, 2),
        (None, -32_000, 2),
        (None, -32_602, 1),
    ] {
        let sent = id.clone();
        let raw = serve(move |method, _| match method {
            "tools/list" => tools(&two()),
            _ => Answer::Error(400, sent.clone(), code),
        })
        .await;
        let server = server(settings(raw.address));
        let outcome = call(&tool(&server, "close").await, &json!({})).await;
        match sessions {
            1 => assert_eq!(outcome, Err(ToolError::InvalidArguments("the server reports: gone".to_owned()))),
            _ => assert!(matches!(&outcome, Err(ToolError::Failed(why)) if why.contains("did not run")), "{outcome:?}"),
        }
        assert_eq!(server.tools(None).await.unwrap().tools().len(), 2);
        assert_eq!((raw.count("tools/call"), raw.count("initialize")), (1, sessions), "{id:?} {code}");
    }
}

#[tokio::test]
async fn an_error_that_a_gateway_may_report_leaves_the_outcome_of_a_change_unknown() {
    for (code, is_unknown) in [(-32_000, true), (-32_001, true), (-32_603, true), (-32_601, false), (-32_050, false)] {
        let raw = serve(move |method, _| match method {
            "tools/list" => tools(&two()),
            _ => Answer::Error(200, None, code),
        })
        .await;
        let server = server(settings(raw.address));
        let reported = || Err(ToolError::Failed("the server reports: gone".to_owned()));
        let closed = if is_unknown { Err(unknown("the server reports: gone")) } else { reported() };
        assert_eq!(call(&tool(&server, "close").await, &json!({})).await, closed, "{code}");
        assert_eq!(call(&tool(&server, "find").await, &json!({})).await, reported(), "{code}");
        assert_eq!((raw.count("tools/call"), raw.count("initialize")), (2, 1), "{code}");
    }
}

#[tokio::test]
async fn what_is_known_about_a_call_that_failed_decides_whether_it_runs_again() {
    let failed = |why: &str| Err(ToolError::Failed(why.to_owned()));
    let refused = "the call did not run: the server refused the request with status 422";
    let lost = "the call did not run: the server refused the request with status 400, perhaps because it has ended the \
                session";
    for (answer, closes, outcome) in [(400, 1, failed(lost)), (422, 1, failed(refused))] {
        for name in ["close", "find"] {
            let raw = serve(move |method, _| match method {
                "tools/list" => tools(&two()),
                _ => Answer::Status(answer),
            })
            .await;
            assert_eq!(call(&tool(&server(settings(raw.address)), name).await, &json!({})).await, outcome, "{name}");
            assert_eq!(raw.count("tools/call"), closes, "{name}");
        }
    }
    for (status, finds) in [(Some(500), 2), (Some(502), 2), (Some(302), 2), (None, 2)] {
        let raw = serve(move |method, _| match (method, status) {
            ("tools/list", _) => tools(&two()),
            (_, Some(status)) => Answer::Status(status),
            (_, None) => Answer::Nothing,
        })
        .await;
        let mut settings = settings(raw.address);
        settings.timeout = Duration::from_millis(200);
        let server = server(settings);
        let closed = call(&tool(&server, "close").await, &json!({})).await;
        assert_eq!(closed.unwrap_err().kind(), ToolErrorKind::OutcomeUnknown, "{status:?}");
        assert_eq!(raw.count("tools/call"), 1, "{status:?}");
        let found = call(&tool(&server, "find").await, &json!({})).await;
        assert!(matches!(found, Err(ToolError::Failed(_))), "{found:?}");
        assert_eq!(raw.count("tools/call"), 1 + finds, "{status:?}");
    }
}

#[tokio::test]
async fn a_call_that_may_have_run_is_not_reported_as_one_that_did_not() {
    let read = Err(ToolError::Failed("the server answered with status 500".to_owned()));
    for (hints, asks_again, outcome) in [
        (json!({ "readOnlyHint": true }), false, read),
        (json!({ "idempotentHint": true }), false, Err(unknown("the server answered with status 500"))),
        (json!({}), true, Err(unknown("the server had begun with the call"))),
    ] {
        let (asked, tool_hints) = (AtomicU32::new(0), hints.clone());
        let raw = serve(move |method, _| match method {
            "tools/list" => tools(&json!([listed("set", tool_hints.clone())])),
            _ if asked.fetch_add(1, Ordering::SeqCst) > 0 => Answer::Status(422),
            _ if asks_again => again(),
            _ => Answer::Status(500),
        })
        .await;
        assert_eq!(call(&tool(&server(settings(raw.address)), "set").await, &json!({})).await, outcome, "{hints}");
        assert_eq!(raw.count("tools/call"), 2, "{hints}");
    }
}

/// Answers that the call must be made again later.
fn again() -> Answer {
    Answer::Result(json!({ "resultType": "input_required", "requestState": "s" }))
}

#[tokio::test]
async fn a_server_may_ask_to_be_called_again_later_until_the_time_limit() {
    let asked = AtomicU32::new(0);
    let raw = serve(move |method, _| match method {
        "tools/list" => tools(&two()),
        _ if asked.fetch_add(1, Ordering::SeqCst) < 8 => again(),
        _ => Answer::Result(json!({ "content": [{ "type": "text", "text": "closed" }] })),
    })
    .await;
    let close = tool(&server(settings(raw.address)), "close").await;
    let hurry = async {
        for calls in 1..=8 {
            until(|| raw.count("tools/call") >= calls).await;
            pass(Duration::from_secs(1)).await;
        }
    };
    let arguments = json!({});
    let (outcome, ()) = tokio::join!(call(&close, &arguments), hurry);
    assert_eq!(outcome.unwrap().content, "closed");
    assert_eq!(raw.count("tools/call"), 9);
}

#[tokio::test]
async fn a_call_that_the_server_has_begun_and_does_not_finish_has_an_unknown_outcome() {
    let raw = serve(|method, _| match method {
        "tools/list" => tools(&two()),
        _ => again(),
    })
    .await;
    let mut settings = settings(raw.address);
    settings.timeout = Duration::from_millis(1_500);
    let server = server(settings);
    let late = "the server did not finish the call within its time limit";
    for (name, outcome) in [("close", unknown(late)), ("find", ToolError::Failed(late.to_owned()))] {
        assert_eq!(call(&tool(&server, name).await, &json!({})).await, Err(outcome), "{name}");
    }
}

#[tokio::test]
async fn a_list_that_cannot_be_read_again_is_not_used_any_more() {
    let lists = AtomicU32::new(0);
    let raw = serve(move |_, _| match lists.fetch_add(1, Ordering::SeqCst) {
        0 => Answer::Result(json!({ "tools": two(), "ttlMs": 0 })),
        _ => Answer::Status(500),
    })
    .await;
    let server = server(settings(raw.address));
    let tools = server.tools(None).await.unwrap();
    assert_eq!(tools.tools().len(), 2);
    assert!(Arc::ptr_eq(&tools, &server.tools(None).await.unwrap()));
    pass(Duration::from_secs(31)).await;
    assert!(Arc::ptr_eq(&tools, &server.tools(None).await.unwrap()));
    until(|| matches!(server.status().state, McpState::Failing { .. })).await;
    let error = server.tools(None).await.unwrap_err().0;
    assert!(error.contains("its tools cannot be listed: the server answered with status 500"), "{error}");
}

#[tokio::test]
async fn no_turn_waits_for_a_list_that_has_become_old() {
    let lists = AtomicU32::new(0);
    let raw = serve(move |_, _| match lists.fetch_add(1, Ordering::SeqCst) {
        0 => Answer::Result(json!({ "tools": two(), "ttlMs": 0 })),
        _ => Answer::Nothing,
    })
    .await;
    let server = server(settings(raw.address));
    let tools = server.tools(None).await.unwrap();
    pass(Duration::from_secs(31)).await;
    for _ in 0..50 {
        let Poll::Ready(again) = futures_util::poll!(server.tools(None)) else { unreachable!("the turn waits") };
        assert!(Arc::ptr_eq(&tools, &again.unwrap()));
    }
    until(|| raw.count("tools/list") == 2).await;
}

#[tokio::test]
async fn a_server_that_announces_changes_all_the_time_is_asked_twice_a_minute() {
    let raw = serve(|method, message| match method {
        "tools/list" => tools(&two()),
        _ => {
            let change = json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" });
            let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": { "content": [] } });
            Answer::Body("text/event-stream", format!("data: {change}\n\ndata: {answer}\n\n").into_bytes())
        }
    })
    .await;
    let server = server(settings(raw.address));
    let close = tool(&server, "close").await;
    for lists in [1, 2, 3] {
        for _ in 0..5 {
            call(&close, &json!({})).await.unwrap();
            server.tools(None).await.unwrap();
        }
        assert_eq!(raw.count("tools/list"), lists);
        pass(Duration::from_secs(31)).await;
        asked(&server, &raw, lists + 1).await;
    }
}

#[tokio::test]
async fn a_server_that_floods_a_connection_with_messages_loses_it() {
    let raw = serve(|method, message| match method {
        "tools/list" => tools(&two()),
        _ => {
            let change = json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" });
            let answer = json!({ "jsonrpc": "2.0", "id": message["id"], "result": { "content": [] } });
            let flood = format!("data: {change}\n\n").repeat(10_000);
            Answer::Body("text/event-stream", format!("{flood}data: {answer}\n\n").into_bytes())
        }
    })
    .await;
    let server = server(settings(raw.address));
    let flooded = call(&tool(&server, "close").await, &json!({})).await;
    assert_eq!(flooded.unwrap_err().kind(), ToolErrorKind::OutcomeUnknown);
    assert_eq!(server.tools(None).await.unwrap().tools().len(), 2);
    assert_eq!(raw.count("initialize"), 2);
}

/// Asks for the tools until the server has been asked for them this many times.
async fn asked(server: &McpServer, raw: &Raw, lists: usize) {
    let asks = async {
        while raw.count("tools/list") < lists {
            server.tools(None).await.unwrap();
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_secs(10), asks).await.unwrap();
}
