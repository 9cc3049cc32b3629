//! Servers that are programs: the test program itself, started for one of the servers below.

use std::collections::BTreeMap;
use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use rmcp::ServiceExt as _;
use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};
use turnkit_core::ports::ToolSource as _;
use turnkit_core::{ToolError, ToolErrorKind};
use turnkit_mcp::{Credentials, McpServer, McpServerSettings, McpState, Transport};
use turnkit_process::LaunchSettings;

use crate::support::{call, names, server, tool, until, with};
use crate::tickets::{NAMES, Tickets};

/// The file to which each server adds its process id, in its working folder.
const STARTS: &str = "starts";

/// Returns the settings of the server `name` below, in this folder.
fn program(name: &str, folder: &Path) -> McpServerSettings {
    let this = std::env::current_exe().unwrap();
    let test = format!("programs::{name}");
    // With two threads, the test program does not write the name of the test before its first line.
    let words = [this.to_str().unwrap(), "--ignored", "--exact", test.as_str(), "--nocapture", "--test-threads=2"];
    let environment = BTreeMap::from([("ONLY".to_owned(), "this".to_owned())]);
    let launch = LaunchSettings { folder: folder.to_owned(), environment, launcher: Vec::new() };
    with(Transport::Stdio { argv: words.map(str::to_owned).into(), launch })
}

/// Returns the process ids of the servers that were started in this folder.
fn started(folder: &Path) -> Vec<u32> {
    let text = std::fs::read_to_string(folder.join(STARTS)).unwrap_or_default();
    text.lines().map(|line| line.parse().unwrap()).collect()
}

fn record(id: u32) {
    let file = std::fs::OpenOptions::new().create(true).append(true).open(STARTS);
    writeln!(file.unwrap(), "{id}").unwrap();
}

/// Reports whether a process runs. One that has ended but was not waited for does not.
fn runs(id: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    status.rsplit(')').next().is_some_and(|rest| !rest.trim().is_empty() && !rest.trim().starts_with('Z'))
}

#[tokio::test]
#[ignore = "a server that other tests start"]
async fn tickets_server() {
    record(std::process::id());
    let running = Tickets::new(ProtocolVersion::LATEST).serve(rmcp::transport::stdio()).await.unwrap();
    _ = running.waiting().await;
    std::process::exit(0);
}

/// Answers requests line by line, in the way of an older protocol. Some servers, like this one, end at a request of a
/// newer one.
#[expect(clippy::print_stdout, reason = "servers speak over their standard output")]
fn answer_lines(mut result: impl FnMut(&str) -> Option<Value>) {
    for line in std::io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let method = message["method"].as_str().unwrap_or_default();
        let info = json!({ "name": "raw", "version": "1" });
        let capabilities = json!({ "tools": {} });
        let result = match method {
            "initialize" => {
                Some(json!({ "protocolVersion": "2024-11-05", "capabilities": capabilities, "serverInfo": info }))
            }
            "server/discover" => std::process::exit(1),
            _ => result(method),
        };
        if let (Some(id), Some(result)) = (message.get("id"), result) {
            println!("{}", json!({ "jsonrpc": "2.0", "id": id, "result": result }));
        }
    }
    std::process::exit(0);
}

/// Returns a list of tools with these names.
fn tools_named(names: &[&str]) -> Option<Value> {
    let tool = |name: &&str| json!({ "name": name, "inputSchema": { "type": "object" } });
    Some(json!({ "tools": names.iter().map(tool).collect::<Vec<_>>() }))
}

#[test]
#[ignore = "a server that other tests start"]
fn environment_server() {
    #[expect(clippy::disallowed_methods, reason = "the environment is what is tested")]
    let variables: Vec<String> = std::env::vars().map(|(name, value)| format!("{name}={value}")).collect();
    answer_lines(|method| match method {
        "tools/list" => tools_named(&["environment"]),
        "tools/call" => Some(json!({ "content": [{ "type": "text", "text": variables.join(",") }] })),
        _ => None,
    });
}

#[test]
#[ignore = "a server that other tests start"]
fn noisy_server() {
    record(std::process::id());
    answer_lines(|method| match method {
        "tools/list" => {
            println!("Listing tools…\n{{\n[1, 2]\n");
            eprintln!("listing \u{1b}[31mtools\u{1b}[0m");
            tools_named(&["flood", "die"])
        }
        "tools/call" => {
            println!("{}", "x".repeat(17 * 1024 * 1024));
            None
        }
        _ => None,
    });
}

#[test]
#[ignore = "a server that other tests start"]
fn flooding_server() {
    record(std::process::id());
    answer_lines(|method| match method {
        "tools/list" => tools_named(&["flood"]),
        "tools/call" => {
            for _ in 0..10_000 {
                println!("{}", json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }));
            }
            Some(json!({ "content": [] }))
        }
        _ => None,
    });
}

#[test]
#[ignore = "a server that other tests start"]
fn dying_server() {
    record(std::process::id());
    answer_lines(|method| match method {
        "tools/list" => tools_named(&["die"]),
        "tools/call" => std::process::exit(3),
        _ => None,
    });
}

#[test]
#[ignore = "a server that other tests start"]
fn broken_server() {
    record(std::process::id());
    eprintln!("no database at \u{1b}[31mlocalhost");
    std::process::exit(2);
}

/// Has a process of its own, which would outlive it.
#[test]
#[ignore = "a server that other tests start"]
fn parent_server() {
    record(std::process::id());
    let mut sleep = Command::new("/bin/sleep");
    let child = sleep.arg("1000").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    record(child.unwrap().id());
    answer_lines(|method| if method == "tools/list" { tools_named(&["x"]) } else { None });
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    (folder, path)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_is_started_when_its_tools_are_first_needed_once_for_all_that_ask() {
    let (_folder, path) = folder();
    let server = server(program("tickets_server", &path));
    assert_eq!(server.status().state, McpState::NotStarted);
    assert!(started(&path).is_empty());
    let ask = |server: McpServer| tokio::spawn(async move { server.tools(None).await.unwrap() });
    let asked: Vec<_> = (0..50).map(|_| ask(server.clone())).collect();
    for task in asked {
        assert_eq!(names(&task.await.unwrap()), NAMES);
    }
    assert_eq!(started(&path).len(), 1);
    assert_eq!(call(&tool(&server, "find").await, &json!({ "id": 7 })).await.unwrap().content, "ticket 7");
}

#[tokio::test]
async fn a_program_gets_only_the_environment_that_it_is_given() {
    let (_folder, path) = folder();
    let environment = tool(&server(program("environment_server", &path)), "environment").await;
    let variables = call(&environment, &json!({})).await.unwrap().content;
    assert_eq!(variables, "ONLY=this");
}

#[tokio::test]
async fn credentials_in_the_environment_of_a_program_are_removed_from_what_it_writes() {
    let (_folder, path) = folder();
    let mut settings = program("environment_server", &path);
    let Transport::Stdio { launch, .. } = &mut settings.transport else { unreachable!("the server is a program") };
    for (name, value) in [
        ("NODE_ENV", "production"),
        ("OTHER", "with other-12345"),
        ("PATH", "/usr/bin:/bin"),
        ("TOKEN", "secret-12345"),
        ("TZ", "Europe/Berlin"),
    ] {
        launch.environment.insert(name.to_owned(), value.to_owned());
    }
    settings.credentials = Credentials::new(["other-12345".to_owned()]);
    let environment = tool(&server(settings), "environment").await;
    let variables = call(&environment, &json!({})).await.unwrap().content;
    let mut variables: Vec<&str> = variables.split(',').collect();
    variables.sort_unstable();
    assert_eq!(
        variables,
        [
            "NODE_ENV=production",
            "ONLY=this",
            "OTHER=with (secret)",
            "PATH=/usr/bin:/bin",
            "TOKEN=(secret)",
            "TZ=Europe/Berlin",
        ]
    );

    let mut settings = program("broken_server", &path);
    let Transport::Stdio { launch, .. } = &mut settings.transport else { unreachable!("the server is a program") };
    launch.environment.insert("DATABASE_KEY".to_owned(), "localhost".to_owned());
    let error = server(settings).tools(None).await.unwrap_err().0;
    assert!(error.contains("no database at [31m(secret)"), "{error}");
}

#[tokio::test]
async fn no_process_is_left_when_a_server_is_dropped() {
    let (_folder, path) = folder();
    let server = server(program("parent_server", &path));
    let tools = server.tools(None).await.unwrap();
    let processes = started(&path);
    // The server is started twice: its first process ends at the request of a newer protocol.
    let (parent, child) = (processes[processes.len() - 2], processes[processes.len() - 1]);
    assert!(runs(parent) && runs(child));
    drop((server, tools));
    until(|| !processes.iter().any(|id| runs(*id))).await;
}

#[tokio::test]
async fn noise_is_ignored_and_an_endless_line_ends_the_server() {
    let (_folder, path) = folder();
    let server = server(program("noisy_server", &path));
    let flood = tool(&server, "flood").await;
    assert_eq!(call(&flood, &json!({})).await.unwrap_err().kind(), ToolErrorKind::OutcomeUnknown);
    // The next turn starts it again.
    let before = started(&path).len();
    assert_eq!(names(&server.tools(None).await.unwrap()), ["tickets__flood", "tickets__die"]);
    assert!(started(&path).len() > before);
}

#[tokio::test]
async fn a_program_that_floods_its_output_with_messages_is_ended() {
    let (_folder, path) = folder();
    let server = server(program("flooding_server", &path));
    let flood = tool(&server, "flood").await;
    assert_eq!(call(&flood, &json!({})).await.unwrap_err().kind(), ToolErrorKind::OutcomeUnknown);
    let before = started(&path);
    assert_eq!(names(&server.tools(None).await.unwrap()), ["tickets__flood"]);
    assert!(started(&path).len() > before.len());
    until(|| !before.iter().any(|id| runs(*id))).await;
}

#[tokio::test]
async fn a_program_that_ends_during_a_call_leaves_its_outcome_unknown() {
    let (_folder, path) = folder();
    let server = server(program("dying_server", &path));
    let die = tool(&server, "die").await;
    assert_eq!(call(&die, &json!({})).await.unwrap_err().kind(), ToolErrorKind::OutcomeUnknown);
    // A server that ends again soon after its start is not started again at once.
    assert_eq!(call(&die, &json!({})).await.unwrap_err().kind(), ToolErrorKind::OutcomeUnknown);
    let started_twice = started(&path).len();
    let failed = call(&die, &json!({})).await;
    assert!(matches!(&failed, Err(ToolError::Failed(why)) if why.starts_with("the call did not run: ")), "{failed:?}");
    assert_eq!(started(&path).len(), started_twice);
}

#[tokio::test]
async fn a_program_that_cannot_start_is_reported_with_its_last_line() {
    let (_folder, path) = folder();
    let broken = server(program("broken_server", &path));
    let error = broken.tools(None).await.unwrap_err().0;
    let expected = "it closed the connection before it was ready; it last wrote: no database at [31mlocalhost";
    assert!(error.starts_with(expected), "{error}");
    let attempts = started(&path).len();
    assert!(broken.tools(None).await.unwrap_err().0.starts_with(expected));
    assert_eq!(started(&path).len(), attempts, "a failed start is not repeated at once");
}

#[tokio::test(start_paused = true)]
async fn a_failed_start_is_repeated_after_some_time() {
    let (_folder, path) = folder();
    let file = path.join("server");
    let launch = LaunchSettings { folder: path, environment: BTreeMap::new(), launcher: Vec::new() };
    let argv = vec![file.to_str().unwrap().to_owned()];
    let server = server(with(Transport::Stdio { argv, launch }));
    let missing = server.tools(None).await.unwrap_err().0;
    assert!(missing.contains("cannot be started") && missing.contains("in 1 second at"), "{missing}");
    std::fs::write(&file, "no program").unwrap();
    // The reason of the first failure, because there was no second one.
    assert_eq!(server.tools(None).await.unwrap_err().0, missing);
    tokio::time::advance(Duration::from_secs(1)).await;
    let denied = server.tools(None).await.unwrap_err().0;
    assert!(denied.contains("Permission denied") && denied.contains("in 2 seconds"), "{denied}");
}
