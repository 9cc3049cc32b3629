//! A cancelled call of `mcp-server-fetch`, which waits for a page.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use tokio::process::Child;
use turnkit_testkit::{FakeUpstream, Response};

use crate::agent::{ask, last_role, offered, provider};
use crate::packages::Packages;
use crate::servers::{Server, Transport};
use crate::slow_page::{SlowPage, closed};
use crate::workspace::{Workspace, outcome};

/// Calls the tool, and cancels the call with Ctrl-C once the page is requested. Returns the connection of that request.
async fn interrupted(workspace: &Workspace, page: &SlowPage) -> tokio::net::TcpStream {
    let call: Child = workspace.start(&["mcp", "call", "fetch", "fetch", &page.arguments()]);
    let connection = page.requested().await;
    let id = call.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)).unwrap();
    kill_process(id, Signal::INT).unwrap();
    let done = outcome(call).await;
    assert_eq!(done.code, Some(1), "{done:?}");
    assert_eq!(done.stderr, "error: fetch__fetch: cancelled; the call may have taken effect\n");
    connection
}

#[tokio::test]
async fn ctrl_c_ends_a_call_over_pipes_and_its_request_for_a_page() {
    let Some(packages) = Packages::installed() else { return };
    let workspace = Workspace::with_servers(&packages, &[Server::Fetch], Transport::Pipes, "").await;
    let page = SlowPage::start().await;
    closed(interrupted(&workspace, &page).await).await;
}

/// The proxy does not pass a cancellation on to the program behind it, so its log has to show that it was told.
#[tokio::test]
async fn ctrl_c_cancels_a_call_at_a_server_over_http() {
    let Some(packages) = Packages::installed() else { return };
    let mut workspace = Workspace::with_servers(&packages, &[Server::Fetch], Transport::Http, "").await;
    let page = SlowPage::start().await;
    let _connection = interrupted(&workspace, &page).await;
    let cancelled = workspace.gateways[0].logs(" cancelled").await;
    assert!(cancelled.is_some(), "the proxy ended");
}

#[tokio::test]
async fn a_cancelled_turn_ends_the_request_for_a_page_and_the_server_remains_for_the_next_turn() {
    let Some(packages) = Packages::installed() else { return };
    let workspace = Workspace::with_servers(&packages, &[], Transport::Pipes, "").await;
    let page = SlowPage::start().await;
    let arguments = page.arguments();
    let upstream = FakeUpstream::with_handler(move |request| {
        let request = request.json();
        match offered(&request).contains(&"fetch__fetch".to_owned()) && last_role(&request) == "user" {
            true => Response::calls(&[("c1", "fetch__fetch", arguments.as_str())]),
            false => Response::text("Done."),
        }
    });
    let upstream = upstream.await.unwrap();
    let server = Server::Fetch.command(&packages, workspace.path());
    let counted = ["/bin/sh", "-c", "echo $$ >> processes; exec \"$0\" \"$@\""].map(str::to_owned);
    let command = [&counted[..], &server[..]].concat();
    workspace.append(&format!("[[mcp]]\nname = \"fetch\"\ncommand = {}\ntrust = \"full\"\n", json!(command)));
    workspace.append(&provider(&upstream, "\"fetch__*\""));

    let serving = workspace.serve().await;
    let client = serving.client();
    for _ in 0..2 {
        let (turn, connection) = ask(&serving, page.requested()).await;
        let cancelled = client.post(&format!("/api/v1/turns/{turn}/cancel"), &[], &json!({})).await.unwrap();
        assert!(cancelled.status < 300, "{:?}", cancelled.json());
        closed(connection).await;
        assert_eq!(serving.end_of(&turn).await["status"], "cancelled");
    }
    let processes = std::fs::read_to_string(workspace.path().join("processes")).unwrap();
    assert_eq!(processes.lines().count(), 1, "the server was started again");
}
