//! The status and the reconnection of servers, for operators.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};
use turnkit_core::Scope;
use turnkit_core::ports::{McpDirectory as _, ToolSource as _};
use turnkit_mcp::{HttpServer, McpInfo, McpServer, McpServerSettings, McpServers, McpState, Transport};
use turnkit_net::Target;

use crate::raw::{Answer, Raw, serve, tools};
use crate::support::{Reports, call_with, client, server, settings, tool, until, with};
use crate::tickets::Tickets;
use crate::web;

/// Starts a server whose tool `find` has another title from the second list on.
async fn changing() -> Raw {
    let lists = AtomicU32::new(0);
    serve(move |_, _| {
        let title = if lists.fetch_add(1, Ordering::SeqCst) == 0 { "Find" } else { "Delete" };
        tools(&json!([listed("find", title), listed("close", "Close")]))
    })
    .await
}

fn listed(name: &str, title: &str) -> Value {
    json!({ "name": name, "title": title, "inputSchema": { "type": "object" } })
}

fn at(raw: &Raw) -> HttpServer {
    HttpServer::new(client(), Target::new(&format!("http://{}/mcp", raw.address)).unwrap())
}

fn info(server: &McpServer) -> McpInfo {
    let McpState::Ready(info) = server.status().state else { unreachable!("the server is ready") };
    info
}

/// Returns the names of the tools, each with whether it has changed.
fn shown(info: &McpInfo) -> Vec<(&str, bool)> {
    info.tools.iter().map(|tool| (tool.name.as_str(), tool.changed.is_some())).collect()
}

#[tokio::test]
async fn a_reconnection_reads_the_tools_again_and_shows_which_have_changed() {
    let raw = changing().await;
    let server = server(settings(raw.address));
    let first = server.tools(None).await.unwrap();
    assert_eq!(shown(&info(&server)), [("tickets__find", false), ("tickets__close", false)]);
    let second = server.reconnect(None).await.unwrap();
    assert!(!Arc::ptr_eq(&first, &second));
    assert_eq!((raw.count("initialize"), raw.count("tools/list")), (2, 2));
    // The request that ends the first session.
    until(|| raw.count("DELETE") == 1).await;
    let third = server.reconnect(None).await.unwrap();
    assert!(Arc::ptr_eq(&second, &third), "nothing has changed since");
    assert_eq!(shown(&info(&server)), [("tickets__find", true), ("tickets__close", false)]);
    assert!(info(&server).list_age.is_some());
}

#[tokio::test]
async fn a_reconnection_does_not_wait_until_a_failed_server_may_be_started_again() {
    let lists = AtomicU32::new(0);
    let raw = serve(move |_, _| match lists.fetch_add(1, Ordering::SeqCst) {
        0 => Answer::Status(500),
        _ => tools(&json!([listed("find", "Find")])),
    })
    .await;
    let server = server(settings(raw.address));
    server.tools(None).await.unwrap_err();
    assert!(matches!(server.status().state, McpState::Failing { .. }));
    assert_eq!(server.reconnect(None).await.unwrap().tools().len(), 1);
}

#[tokio::test]
async fn a_running_call_keeps_its_connection() {
    let tickets = Tickets::new(ProtocolVersion::V_2025_11_25);
    let (address, _) = web::serve(tickets.clone()).await;
    let server = server(settings(address));
    let report = tool(&server, "report").await;
    let (arguments, reports) = (json!({}), Reports::default());
    let reconnecting = async {
        reports.arrived.notified().await;
        server.reconnect(None).await.unwrap();
        tickets.state.go_on.notify_one();
    };
    let (called, ()) = tokio::join!(call_with(&report, &arguments, None, &reports), reconnecting);
    assert_eq!(called.unwrap().content, "reported");
}

#[tokio::test]
async fn the_connections_of_all_users_are_dropped() {
    let raw = changing().await;
    let server = server(with(Transport::Http(at(&raw).with_header("x-owner", "{user}").unwrap())));
    let (anna, ben) = (Scope::new("acme", "anna"), Scope::new("acme", "ben"));
    for scope in [&anna, &ben] {
        server.tools(Some(scope)).await.unwrap();
    }
    server.reconnect(Some(&anna)).await.unwrap();
    until(|| raw.count("DELETE") == 2).await;
    assert_eq!((raw.count("initialize"), server.status().connections), (3, 2));
    assert_eq!(server.tools(Some(&ben)).await.unwrap().tools().len(), 2);
}

#[tokio::test]
async fn a_credential_that_a_server_repeats_is_not_shown() {
    let raw = serve(|_, _| tools(&json!([listed("key-12345", ""), listed("key-12345 x", "")]))).await;
    let http = at(&raw).with_header("authorization", "Bearer key-12345").unwrap();
    let server = server(with(Transport::Http(http)));
    server.tools(None).await.unwrap();
    let info = info(&server);
    let left_out: Vec<&str> = info.left_out.iter().map(|tool| tool.name.as_str()).collect();
    assert_eq!((shown(&info).len(), left_out), (0, vec!["(secret)", "(secret) x"]));
}

#[tokio::test]
async fn servers_are_listed_without_a_start_and_connected_by_name() {
    let raw = changing().await;
    let other = McpServerSettings::new("other", Transport::Http(at(&raw))).unwrap();
    let servers = McpServers::new([server(settings(raw.address)), server(other)]);
    let names: Vec<String> = servers.servers().into_iter().map(|status| status.name).collect();
    assert_eq!((names, raw.count("initialize")), (vec!["tickets".to_owned(), "other".to_owned()], 0));
    let scope = Scope::local();
    assert_eq!(servers.reconnect("nonesuch", &scope).await, None);
    assert_eq!(servers.reconnect("other", &scope).await, Some(Ok(())));
    let states = servers.servers();
    assert_eq!(states[0].state, McpState::NotStarted);
    assert!(matches!(&states[1].state, McpState::Ready(info) if info.server.as_deref() == Some("raw 1")));
}
