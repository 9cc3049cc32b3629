//! Commands for MCP servers. The server of these tests is `turnkit` itself, which offers its agents as tools.

use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use turnkit_testkit::{FakeUpstream, Gate, Response};

use crate::support::{Place, outcome, signal};

/// Returns a folder whose configuration has a program as the server `desk`.
fn with_a_server() -> Place {
    with_a_server_after("")
}

/// Returns a folder whose configuration has a program as the server `desk`, which first runs these commands.
fn with_a_server_after(commands: &str) -> Place {
    let place = Place::new();
    place.write("desk.toml", "[[agents]]\nname = \"clerk\"\ndescription = \"Answers questions.\"\n");
    // Each process has data of its own, because the one before may not have released its lock yet.
    let script = format!("{commands}exec \"$0\" mcp serve --config desk.toml --data desk-$$");
    let words = json!(["/bin/sh", "-c", script, env!("CARGO_BIN_EXE_turnkit")]);
    place.write("turnkit.toml", &format!("[[mcp]]\nname = \"desk\"\ncommand = {words}\n"));
    place
}

#[tokio::test]
async fn a_server_is_listed_examined_and_called_from_the_terminal() {
    let place = with_a_server();
    let listed = place.run(&["mcp", "ls"]).await;
    assert_eq!(listed.stdout, "desk  /bin/sh  trust none  no agent lists desk__*\n", "{listed:?}");
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 2, "nothing was started");

    let tools = place.run(&["mcp", "tools", "desk"]).await;
    assert_eq!(tools.code, Some(0), "{tools:?}");
    assert!(tools.stdout.starts_with("desk__clerk  destructive, open world  Answers questions."), "{tools:?}");
    let tools: Value = serde_json::from_str(&place.run(&["mcp", "tools", "--json"]).await.stdout).unwrap();
    assert_eq!(tools["data"][0]["parameters"]["type"], "object", "{tools}");

    let examined = place.run(&["mcp", "doctor"]).await;
    assert_eq!(examined.code, Some(0), "{examined:?}");
    assert!(examined.stdout.starts_with("ok    desk  1 tool, protocol "), "{examined:?}");

    let arguments = r#"{"message": "What is 2 + 2?"}"#;
    for tool in ["clerk", "desk__clerk"] {
        let called = place.run(&["mcp", "call", "desk", tool, arguments]).await;
        assert_eq!(called.code, Some(0), "{called:?}");
        assert!(called.stdout.starts_with("2 + 2 is 4.") && called.stdout.ends_with('\n'), "{called:?}");
    }
    let piped = place.pipe(&["mcp", "call", "desk", "clerk", "-", "--json"], arguments).await;
    let result: Value = serde_json::from_str(&piped.stdout).unwrap();
    assert!(result["content"].as_str().unwrap().starts_with("2 + 2 is 4."), "{result}");
}

#[tokio::test]
async fn doctor_waits_for_a_server_that_starts_slowly() {
    let report = with_a_server_after("/bin/sleep 6; ").run(&["doctor"]).await;
    assert!(report.stdout.contains("ok    mcp            desk: 1 tool\n"), "{report:?}");
}

#[tokio::test]
async fn a_wrong_call_and_an_error_of_a_tool_have_exit_codes_and_one_line_each() {
    let place = with_a_server();
    for (words, code, message) in [
        (&["desk", "clerk", "[]"][..], 2, "the arguments must be a JSON object"),
        (&["desk", "clerk", "{"], 2, "the arguments are not valid JSON"),
        (&["desks", "clerk"], 2, "there is no MCP server `desks`; the servers are desk"),
        (&["desk", "boss"], 2, "desk has no tool `boss`; `turnkit mcp tools desk` lists them"),
        (&["desk", "clerk", "{\"message\": 1}"], 1, "desk__clerk: "),
    ] {
        let called = place.run(&[&["mcp", "call"][..], words].concat()).await;
        assert_eq!((called.code, called.stdout.as_str()), (Some(code), ""), "{words:?}: {called:?}");
        let error = called.stderr.lines().last().unwrap_or_default();
        assert!(error.starts_with(&format!("error: {message}")), "{words:?}: {called:?}");
    }
}

#[tokio::test]
async fn a_server_that_cannot_be_used_is_named_with_what_to_do() {
    let place = Place::new();
    place.write("turnkit.toml", "[[mcp]]\nname = \"down\"\nurl = \"http://user:s3cret@127.0.0.1:1/mcp?key=s3cret\"\n");
    let examined = place.run(&["mcp", "doctor"]).await;
    assert_eq!(examined.code, Some(1), "{examined:?}");
    assert!(examined.stdout.starts_with("fail  down  "), "{examined:?}");
    assert!(examined.stdout.contains("check that a server runs at http://127.0.0.1:1/mcp, and"), "{examined:?}");
    let tools = place.run(&["mcp", "tools"]).await;
    assert_eq!((tools.code, tools.stdout.as_str()), (Some(1), ""), "{tools:?}");
    assert!(tools.stderr.contains("error: down: "), "{tools:?}");
    let called = place.run(&["mcp", "call", "down", "find"]).await;
    assert_eq!(called.code, Some(1), "{called:?}");
    let listed = place.run(&["mcp", "ls"]).await;
    for outcome in [examined, tools, called, listed] {
        assert!(!outcome.stdout.contains("s3cret") && !outcome.stderr.contains("s3cret"), "{outcome:?}");
    }
}

#[tokio::test]
async fn a_key_in_a_command_line_or_a_path_is_not_shown() {
    let place = Place::new();
    let script = "echo \\\"no $1\\\" >&2; exit 2";
    place.write(
        "turnkit.toml",
        &format!(
            "[[mcp]]\nname = \"web\"\nurl = \"http://127.0.0.1:1/${{WEB_KEY}}/mcp\"\n\n\
             [[mcp]]\nname = \"files\"\ncommand = [\"/bin/sh\", \"-c\", \"{script}\", \"sh\", \"${{FILES}}\"]\n"
        ),
    );
    let variables = [("WEB_KEY", "web-s3cret"), ("FILES", "files-s3cret")];
    for (command, expected) in [
        ("ls", &["web  http://127.0.0.1:1/(secret)/mcp  "][..]),
        ("doctor", &["a server runs at http://127.0.0.1:1/(secret)/mcp", "it last wrote: no (secret)"]),
    ] {
        let child = place.command(&["mcp", command]).envs(variables).spawn().unwrap();
        let shown = outcome(child).await;
        assert!(expected.iter().all(|part| shown.stdout.contains(part)), "{shown:?}");
        assert!(!shown.stdout.contains("s3cret") && !shown.stderr.contains("s3cret"), "{shown:?}");
    }
}

#[tokio::test]
async fn ctrl_c_cancels_the_call_at_the_server() {
    let gate = Gate::new();
    let halting = Response::stream().delta(json!({ "content": "first " })).wait(&gate);
    let answer = halting.delta(json!({ "content": "second" })).finish("stop").done();
    let upstream = FakeUpstream::start([answer]).await.unwrap();
    let served = Place::asking(&upstream);
    let server = served.serve().await;
    let place = Place::new();
    place.write("turnkit.toml", &format!("[[mcp]]\nname = \"desk\"\nurl = \"{}/mcp\"\n", server.url));
    let mut child = place.start(&["mcp", "call", "desk", "assistant", "{\"message\": \"go\"}"]);
    let mut reports = BufReader::new(child.stderr.take().unwrap()).lines();
    while let Some(report) = reports.next_line().await.unwrap() {
        if report.contains("step 1") {
            break;
        }
    }
    signal(&child, Signal::INT);
    assert_eq!(child.wait().await.unwrap().code(), Some(1));
    let error = reports.next_line().await.unwrap().unwrap_or_default();
    assert_eq!(error, "error: desk__assistant: cancelled; the call may have taken effect");
    gate.open();
    server.stop().await;
    let turns: Value = serde_json::from_str(&served.run(&["turns", "ls", "--json"]).await.stdout).unwrap();
    assert_eq!(turns["data"][0]["state"], "cancelled", "{turns}");
}

#[tokio::test]
async fn servers_of_another_program_are_printed_as_sections_without_their_secrets() {
    let place = Place::new();
    let servers = json!({ "mcpServers": {
        "old": { "type": "sse", "url": "https://old.example.com/" },
        "tickets": {
            "url": "https://tickets.example.com/mcp", "headers": { "Authorization": "Bearer s3cret" }, "icon": "x.png",
        },
    } });
    place.write("mcp.json", &servers.to_string());
    let imported = place.run(&["mcp", "import", "mcp.json"]).await;
    assert_eq!(imported.code, Some(1), "one server is left out: {imported:?}");
    assert_eq!(
        imported.stdout,
        "[[mcp]]\nname = \"tickets\"\nurl = \"https://tickets.example.com/mcp\"\nauth = { type = \"bearer\", token = \
         \"${TICKETS_TOKEN}\" }\n"
    );
    for part in ["`mcpServers.tickets.icon`", "`mcpServers.old.type`: `sse`", "TICKETS_TOKEN"] {
        assert!(imported.stderr.contains(part), "{part}: {imported:?}");
    }
    assert!(!imported.stderr.contains("s3cret"), "{imported:?}");
    assert!(!place.has_data());

    place.write("turnkit.toml", &imported.stdout);
    let listed = place.run(&["mcp", "ls"]).await;
    assert_eq!(
        listed.stdout, "tickets  https://tickets.example.com/mcp  trust none  no agent lists tickets__*\n",
        "{listed:?}"
    );
    let missing = place.run(&["mcp", "import", "absent.json"]).await;
    assert_eq!(missing.code, Some(2), "{missing:?}");
}
