//! Every tool of every server, over both transports, by `turnkit mcp`.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::packages::Packages;
use crate::servers::{Server, Transport};
use crate::steps::Expected;
use crate::workspace::Workspace;

/// Lists the tools of a server, calls each, and examines the server.
async fn every_tool_works(server: Server, transport: Transport) {
    let Some(packages) = Packages::installed() else { return };
    let workspace = Workspace::with_servers(&packages, &[server], transport, "").await;
    let name = server.name();
    let listed = workspace.run(&["mcp", "tools", name, "--json"]).await;
    let tools: Value = serde_json::from_str(&listed.stdout).unwrap_or_else(|error| panic!("{error}: {listed:?}"));
    let offered = tools["data"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned());
    let called = server.steps().iter().map(|step| format!("{name}__{}", step.tool));
    assert_eq!(offered.collect::<BTreeSet<_>>(), called.collect::<BTreeSet<_>>());
    assert_eq!(tools["left_out"].as_array().map(Vec::len), Some(0), "{tools}");

    for step in server.steps() {
        let arguments = workspace.with_paths(step.arguments);
        let called = workspace.run(&["mcp", "call", name, step.tool, &arguments]).await;
        let (code, found, texts) = match &step.expected {
            Expected::Shows(texts) => (0, &called.stdout, *texts),
            Expected::Fails(text) => (1, &called.stderr, std::slice::from_ref(text)),
        };
        assert_eq!(called.code, Some(code), "{} {arguments}: {called:?}", step.tool);
        for text in texts {
            assert!(found.contains(*text), "{} {arguments}: no {text:?} in {called:?}", step.tool);
        }
    }

    let examined = workspace.run(&["mcp", "doctor"]).await;
    let expected = format!("ok    {name}  ");
    assert!(examined.stdout.starts_with(&expected), "{examined:?}");
    assert!(examined.stdout.contains(&format!(", protocol {}, ", server.protocol(transport))), "{examined:?}");
}

#[tokio::test]
async fn every_tool_of_the_everything_server_works_over_pipes() {
    every_tool_works(Server::Everything, Transport::Pipes).await;
}

#[tokio::test]
async fn every_tool_of_the_everything_server_works_over_http() {
    every_tool_works(Server::Everything, Transport::Http).await;
}

#[tokio::test]
async fn every_tool_of_the_filesystem_server_works_over_pipes() {
    every_tool_works(Server::Filesystem, Transport::Pipes).await;
}

#[tokio::test]
async fn every_tool_of_the_filesystem_server_works_over_http() {
    every_tool_works(Server::Filesystem, Transport::Http).await;
}

#[tokio::test]
async fn every_tool_of_the_memory_server_works_over_pipes() {
    every_tool_works(Server::Memory, Transport::Pipes).await;
}

#[tokio::test]
async fn every_tool_of_the_memory_server_works_over_http() {
    every_tool_works(Server::Memory, Transport::Http).await;
}

#[tokio::test]
async fn every_tool_of_the_git_server_works_over_pipes() {
    every_tool_works(Server::Git, Transport::Pipes).await;
}

#[tokio::test]
async fn every_tool_of_the_git_server_works_over_http() {
    every_tool_works(Server::Git, Transport::Http).await;
}

#[tokio::test]
async fn every_tool_of_the_time_server_works_over_pipes() {
    every_tool_works(Server::Time, Transport::Pipes).await;
}

#[tokio::test]
async fn every_tool_of_the_time_server_works_over_http() {
    every_tool_works(Server::Time, Transport::Http).await;
}

#[tokio::test]
async fn the_tool_of_the_fetch_server_works_over_pipes() {
    every_tool_works(Server::Fetch, Transport::Pipes).await;
}

#[tokio::test]
async fn the_tool_of_the_fetch_server_works_over_http() {
    every_tool_works(Server::Fetch, Transport::Http).await;
}
