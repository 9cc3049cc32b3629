//! Tools that the operator adds: programs and HTTP requests.

use std::time::Duration;

use serde_json::{Value, json};
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::{Place, answers_once, outcome, response};

const TOOLS: &str = r#"
[[tools.command]]
name = "greet"
description = "Greets."
parameters = { properties = { who = { type = "string" } }, required = ["who"] }
run = ["./greet.sh", "{who}"]
env = { GREETING = "${GREETING}" }
read_only = true

[[tools.command]]
name = "wait"
parameters = '{"properties":{"file":{"type":"string"}},"required":["file"]}'
run = ["sh", "-c", "sleep 1000 & echo $! > child; echo $$ > pid; wait", "{file}"]
timeout_s = 1

[[tools.http]]
name = "ticket"
description = "Creates a ticket."
method = "POST"
url = "http://ADDRESS/projects/{project}"
auth = { type = "bearer", token = "${TOKEN}" }
body = { title = "{title}" }
parameters = { properties = { project = {}, title = {} }, required = ["project"] }

[[permissions.rules]]
tool = "ticket"
host = "127.0.0.1"
decision = "allow"

[[permissions.rules]]
tool = "wait"
decision = "allow"
"#;

fn place_at(provider: &str, address: &str) -> Place {
    let place = Place::asking_at(provider);
    let file = place.path().join("turnkit.toml");
    let configuration = std::fs::read_to_string(&file).unwrap();
    std::fs::write(file, configuration + &TOOLS.replace("ADDRESS", address)).unwrap();
    let script = place.path().join("greet.sh");
    std::fs::write(&script, "#!/bin/sh\necho \"$GREETING, $1, in $(basename \"$(pwd)\") with ${OTHER-nothing}\"\n")
        .unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(script, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    place
}

/// Returns the result of a call that the model reads.
async fn result_of(tool: &str, arguments: &Value, address: &str) -> (Place, String, Value) {
    let calls = Response::calls(&[("c1", tool, &arguments.to_string())]);
    let upstream = FakeUpstream::start([calls, Response::text("Done.")]).await.unwrap();
    let place = place_at(&upstream.base_url(), address);
    let variables = [("GREETING", "Hello"), ("TOKEN", "hidden"), ("OTHER", "hidden"), ("PATH", "/usr/bin:/bin")];
    let done = outcome(place.command(&["chat", "-p", "Go"]).envs(variables).spawn().unwrap()).await;
    assert_eq!(done.code, Some(0), "{done:?}");
    let requests = upstream.requests();
    let last = requests.last().unwrap().json()["messages"].as_array().unwrap().last().unwrap().clone();
    (place, last["content"].as_str().unwrap().to_owned(), requests[0].json())
}

#[tokio::test]
async fn an_agent_that_lists_no_tools_has_those_that_the_operator_adds() {
    let (_place, result, first) = result_of("greet", &json!({ "who": "you; echo $TOKEN" }), "127.0.0.1:1").await;
    assert!(result.starts_with("Hello, you; echo $TOKEN, in ") && result.ends_with(" with nothing\n"), "{result}");
    let tools = first["tools"].as_array().unwrap();
    let names: Vec<&str> = tools.iter().map(|tool| tool["function"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["calculator", "clock", "greet", "wait", "ticket"]);
    assert!(!first.to_string().contains("hidden"));
}

#[tokio::test]
async fn a_request_is_sent_with_its_credentials() {
    let (address, received) = answers_once(response(201, "application/json", "{\"id\":7,\"token\":\"hidden\"}"));
    let arguments = json!({ "project": "a b/c", "title": "It's \"new\"" });
    let (_place, result, first) = result_of("ticket", &arguments, &address.to_string()).await;
    assert_eq!(result, "{\"id\":7,\"token\":\"(secret)\"}");
    let head = received();
    assert!(head.starts_with("POST /projects/a%20b%2Fc HTTP/1.1\r\n"), "{head}");
    assert!(head.contains("authorization: Bearer hidden\r\n"), "{head}");
    assert!(!first.to_string().contains("hidden"));
}

/// The author of a text that a program reads may have instructed the model to call another tool.
#[tokio::test]
async fn output_of_a_program_is_untrusted_text_if_configured() {
    for (setting, expected) in [("", "the connection was refused"), ("repeats = true\n", "no person can be asked")] {
        let calls = [("greet", r#"{"who":"you"}"#), ("ticket", r#"{"project":"p"}"#)];
        let calls = calls.map(|(tool, arguments)| Response::calls(&[("c1", tool, arguments)]));
        let upstream = FakeUpstream::start(calls.into_iter().chain([Response::text("Done.")])).await.unwrap();
        let place = place_at(&upstream.base_url(), "127.0.0.1:1");
        let file = place.path().join("turnkit.toml");
        let configuration = std::fs::read_to_string(&file).unwrap();
        let read_only = "read_only = true\n";
        std::fs::write(file, configuration.replace(read_only, &format!("{read_only}{setting}"))).unwrap();
        let variables = [("GREETING", "Hello"), ("TOKEN", "hidden"), ("PATH", "/usr/bin:/bin")];
        let done = outcome(place.command(&["chat", "-p", "Go"]).envs(variables).spawn().unwrap()).await;
        assert_eq!(done.code, Some(0), "{done:?}");
        let last = upstream.requests().last().unwrap().json()["messages"].as_array().unwrap().last().unwrap().clone();
        assert!(last["content"].as_str().unwrap().contains(expected), "{setting}: {last}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_that_takes_too_long_is_killed_with_its_children() {
    let (place, result, _) = result_of("wait", &json!({ "file": "x" }), "127.0.0.1:1").await;
    assert!(result.contains("\"code\":\"TIMEOUT\""), "{result}");
    ends(written_id(&place, "pid").await).await;
    ends(written_id(&place, "child").await).await;
}

/// A program ends with its turnkit process, however that ends.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_program_ends_when_turnkit_is_killed() {
    let calls = Response::calls(&[("c1", "wait", r#"{"file":"x"}"#)]);
    let upstream = FakeUpstream::start([calls]).await.unwrap();
    let place = place_at(&upstream.base_url(), "127.0.0.1:1");
    let variables = [("GREETING", "Hello"), ("TOKEN", "hidden"), ("PATH", "/usr/bin:/bin")];
    let file = place.path().join("turnkit.toml");
    let configuration = std::fs::read_to_string(&file).unwrap().replace("timeout_s = 1", "timeout_s = 1000");
    std::fs::write(file, configuration).unwrap();
    let mut chat = place.command(&["chat", "-p", "Go"]).envs(variables).spawn().unwrap();
    let id = written_id(&place, "pid").await;
    chat.start_kill().unwrap();
    chat.wait().await.unwrap();
    ends(id).await;
}

/// Returns the process id that a program wrote into a file.
#[cfg(target_os = "linux")]
pub(crate) async fn written_id(place: &Place, file: &str) -> u32 {
    loop {
        let text = std::fs::read_to_string(place.path().join(file)).unwrap_or_default();
        match text.strip_suffix('\n') {
            Some(id) => return id.parse().unwrap(),
            None => tokio::time::sleep(Duration::from_millis(5)).await,
        }
    }
}

/// Waits until a process has ended, which it does within two seconds. It may still be a zombie whose exit status was
/// not collected.
#[cfg(target_os = "linux")]
pub(crate) async fn ends(id: u32) {
    let stat = || std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let ending = async {
        while stat().rsplit_once(") ").is_some_and(|(_, rest)| !rest.starts_with('Z')) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let ended = tokio::time::timeout(Duration::from_secs(2), ending).await;
    assert!(ended.is_ok(), "process {id} still runs: {}", stat());
}

#[tokio::test]
async fn the_decision_about_a_call_of_an_added_tool_is_explained() {
    let place = place_at("http://127.0.0.1:1/v1", "127.0.0.1:9");
    for (tool, arguments, decision, subject, preview) in [
        ("greet", json!({ "who": "a b" }), "allow", json!({ "argv": ["./greet.sh", "a b"] }), "./greet.sh 'a b'"),
        ("greet", json!({ "who": "-rf" }), "deny", Value::Null, ""),
        ("greet", json!({}), "deny", Value::Null, ""),
        (
            "ticket",
            json!({ "project": "p/q" }),
            "allow",
            json!({ "url": "http://127.0.0.1:9/projects/p%2Fq" }),
            "POST http://127.0.0.1:9/projects/p%2Fq\n{}",
        ),
        ("ticket", json!({ "project": ".." }), "deny", Value::Null, ""),
        ("ticket", json!({ "project": "../admin" }), "deny", Value::Null, ""),
    ] {
        let explain = ["permissions", "explain", tool, &arguments.to_string(), "--json"];
        let explained = outcome(place.command(&explain).env("GREETING", "x").spawn().unwrap()).await;
        let found: Value = serde_json::from_str(&explained.stdout).unwrap_or_else(|_| panic!("{explained:?}"));
        let shown = (&found["decision"], &found["subject"], found["preview"].as_str().unwrap_or_default());
        assert_eq!(shown, (&json!(decision), &subject, preview), "{found}");
    }
}
