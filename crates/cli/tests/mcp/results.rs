//! What calls bring besides the texts of the table: structured content, progress, the environment, and a page.

use serde_json::Value;
use tokio::io::AsyncWriteExt as _;

use crate::packages::Packages;
use crate::servers::{Server, Transport};
use crate::slow_page::SlowPage;
use crate::workspace::{Workspace, outcome};

const BOTH: [Transport; 2] = [Transport::Pipes, Transport::Http];

#[tokio::test]
async fn structured_content_is_data() {
    let Some(packages) = Packages::installed() else { return };
    for transport in BOTH {
        let workspace = Workspace::with_servers(&packages, &[Server::Everything], transport, "").await;
        let arguments = r#"{"location":"Chicago"}"#;
        let words = ["mcp", "call", "everything", "get-structured-content", arguments, "--json"];
        let called = workspace.run(&words).await;
        let result: Value = serde_json::from_str(&called.stdout).unwrap_or_else(|error| panic!("{error}: {called:?}"));
        assert_eq!(result["structured_content"]["temperature"], 36, "{transport:?}: {result}");
        let content: Value = serde_json::from_str(result["content"].as_str().unwrap()).unwrap();
        assert_eq!(content, result["structured_content"], "{transport:?}");
    }
}

#[tokio::test]
async fn images_are_saved_where_the_user_wants_them() {
    let Some(packages) = Packages::installed() else { return };
    let workspace = Workspace::with_servers(&packages, &[Server::Everything], Transport::Pipes, "").await;
    let folder = workspace.path().join("pictures");
    let save = folder.to_str().unwrap();
    let words = ["mcp", "call", "everything", "get-tiny-image", "--save", save, "--json"];
    let called = workspace.run(&words).await;
    let result: Value = serde_json::from_str(&called.stdout).unwrap_or_else(|error| panic!("{error}: {called:?}"));
    let path = folder.join("everything__get-tiny-image-1.png");
    assert_eq!(result["saved"], serde_json::json!([path]), "{result}");
    let content = std::fs::read(&path).unwrap();
    assert!(content.starts_with(b"\x89PNG") && content.len() == 4033, "{} bytes", content.len());
}

#[tokio::test]
async fn progress_is_reported_while_a_call_runs() {
    let Some(packages) = Packages::installed() else { return };
    for transport in BOTH {
        let workspace = Workspace::with_servers(&packages, &[Server::Everything], transport, "").await;
        let arguments = r#"{"duration":0.4,"steps":4}"#;
        let called = workspace.run(&["mcp", "call", "everything", "trigger-long-running-operation", arguments]).await;
        let reports: Vec<&str> = called.stderr.lines().collect();
        // The last report and the result come at the same time.
        let all = ["1 of 4", "2 of 4", "3 of 4", "4 of 4"];
        assert!(all.starts_with(&reports) && reports.len() >= 3, "{transport:?}: {called:?}");
    }
}

#[tokio::test]
async fn a_server_sees_only_the_path_of_the_environment() {
    let Some(packages) = Packages::installed() else { return };
    let workspace = Workspace::with_servers(&packages, &[Server::Everything], Transport::Pipes, "").await;
    let called = workspace.run(&["mcp", "call", "everything", "get-env"]).await;
    let seen: Value = serde_json::from_str(&called.stdout).unwrap_or_else(|error| panic!("{error}: {called:?}"));
    assert_eq!(seen.as_object().unwrap().keys().collect::<Vec<_>>(), ["PATH"], "{seen}");
}

#[tokio::test]
async fn a_page_is_fetched() {
    let Some(packages) = Packages::installed() else { return };
    for transport in BOTH {
        let workspace = Workspace::with_servers(&packages, &[Server::Fetch], transport, "").await;
        let page = SlowPage::start().await;
        let call = workspace.start(&["mcp", "call", "fetch", "fetch", &page.arguments()]);
        let mut connection = page.requested().await;
        // Not HTML, for which the server would run Node.js.
        let response = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 12\r\n\r\nHello, page!";
        connection.write_all(response).await.unwrap();
        let called = outcome(call).await;
        assert_eq!(called.code, Some(0), "{transport:?}: {called:?}");
        assert!(called.stdout.contains("Hello, page!"), "{transport:?}: {called:?}");
    }
}
