//! The examples produce the documented output. They are built with the tests and run as separate programs.
#![expect(clippy::panic, reason = "a failed expectation is how a test speaks")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use turnkit::store::DataDirectory;
use turnkit_testkit::{FakeUpstream, Response};

fn run(example: &str, arguments: &[&Path]) -> String {
    run_at(example, arguments, "")
}

/// Runs an example and redirects its OpenAI requests to `base_url`.
fn run_at(example: &str, arguments: &[&Path], base_url: &str) -> String {
    let path = program(example);
    let output = Command::new(&path)
        .args(arguments)
        .envs([("OPENAI_API_KEY", "key"), ("OPENAI_BASE_URL", base_url)])
        .output()
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(output.status.success(), "{example} failed: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Returns the path of an example's executable.
fn program(example: &str) -> PathBuf {
    let mut path =
        std::env::current_exe().ok().and_then(|exe| exe.parent()?.parent().map(PathBuf::from)).unwrap_or_default();
    path.extend(["examples", example]);
    path
}

#[test]
fn embedding_takes_no_server_and_no_key() {
    let said = run("embed_minimal", &[]);
    assert!(said.contains("[completed]"), "{said}");
    assert!(said.ends_with("the session now has 2 messages\n"), "{said}");
}

#[test]
fn a_host_brings_its_own_tool_with_data_and_memory() {
    let said = run("custom_tool", &[]);
    for line in ["[calculator ", "[sum: 42]", "[sum: 6]", "sums so far: 2"] {
        assert!(said.contains(line), "no {line:?} in: {said}");
    }
    assert_eq!(said.matches("[calculator is approved]").count(), 2, "a turn that waits goes on: {said}");
    assert_eq!(said.matches("[completed]").count(), 2, "each loop over a turn comes to its end: {said}");
    assert_eq!(said.matches("expression").count(), 2, "arguments are shown with their call, not as text: {said}");
}

#[test]
fn a_host_may_let_its_turns_survive_the_process() {
    let folder = std::env::temp_dir().join(format!("turnkit-durable-{}", std::process::id()));
    let said = run("durable", &[&folder]);
    std::fs::remove_dir_all(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    for line in ["You said: \"Hello again.\"", "[2 messages]"] {
        assert!(said.contains(line), "no {line:?} in: {said}");
    }
}

#[tokio::test]
async fn a_host_serves_its_agents_over_http_beside_its_own_routes() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let mut command = tokio::process::Command::new(program("embedded_server"));
    let mut server = command.arg(folder.path()).arg("127.0.0.1:0").kill_on_drop(true).spawn()?;
    let url = loop {
        if let Some(announced) = DataDirectory::announced_server(folder.path()) {
            break announced.url;
        }
        assert!(server.try_wait()?.is_none(), "the example ended");
        tokio::time::sleep(Duration::from_millis(10)).await;
    };
    let client = reqwest::Client::new();
    let said = client.post(format!("{url}/chat")).header("content-type", "application/json");
    let said = said.body(r#"{"message":"Hello!"}"#).send().await?.text().await?;
    assert!(said.contains("\"Hello!\"") && said.contains("event: done"), "{said}");
    let own = client.get(format!("{url}/hello")).send().await?.text().await?;
    assert_eq!(own, "Hello from the host.");
    Ok(server.kill().await?)
}

/// Returns one response per `arguments`, each with a single call of `tool`.
fn calls(tool: &str, arguments: &[&str]) -> Vec<Response> {
    arguments.iter().map(|arguments| Response::calls(&[("call_1", tool, arguments)])).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_agent_gives_work_to_another_one() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let mut script = calls("task", &[r#"{"prompt":"Find letters about the lighthouse.","agent":"researcher"}"#]);
    script.extend(calls("archive", &[r#"{"topic":"the lighthouse"}"#]));
    script.extend([Response::text("Three letters, the last of 1912."), Response::text("The light went out in 1912.")]);
    let upstream = FakeUpstream::start(script).await?;
    let said = run_at("several_agents", &[folder.path()], &upstream.base_url());
    assert_eq!(said, "The light went out in 1912.\n");
    assert!(
        String::from_utf8_lossy(&upstream.requests()[3].body).contains("Three letters"),
        "the writer reads the result"
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn an_agent_is_tested_with_answers_that_were_recorded_once() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    let folder = folder.path().join("lamps");
    let mut script = calls("stock", &[r#"{"item":"lamp"}"#]);
    script.push(Response::text("Four lamps are left."));
    let upstream = FakeUpstream::start(script).await?;
    let recorded = run_at("replay_in_a_test", &[&folder], &upstream.base_url());
    let asked = upstream.requests().len();
    let mut replay = Command::new(program("replay_in_a_test"));
    replay.arg(&folder).env_remove("OPENAI_API_KEY").env("OPENAI_BASE_URL", upstream.base_url());
    let replay = replay.output()?;
    assert!(replay.status.success(), "without a key: {}", String::from_utf8_lossy(&replay.stderr));
    let replayed = String::from_utf8_lossy(&replay.stdout).into_owned();
    assert!(recorded.ends_with("assistant: Four lamps are left.\n"), "{recorded}");
    assert_eq!(replayed, recorded);
    assert_eq!(upstream.requests().len(), asked, "a replay sends nothing");
    Ok(())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 1)]
async fn a_question_is_answered_in_pieces_with_tools_in_a_type_and_with_approval() {
    let text = Response::text;
    let two = |mut first: Vec<Response>, second: Vec<Response>| {
        first.extend(second);
        first
    };
    let plan = [text("I plan."), text(r#"{"steps":["Walk","Eat"],"budget":30}"#)];
    let rent = two(calls("transfer", &[r#"{"to":"landlord","euros":900}"#]), vec![text("The rent is paid.")]);
    let casino = two(calls("transfer", &[r#"{"to":"casino","euros":100}"#]), vec![text("I may not.")]);
    for (example, script, lines) in [
        ("first_answer", vec![text("Blue light scatters.")], &["Blue light scatters.", " tokens, $"][..]),
        ("streaming", vec![text("The Tejo."), text("In Lisbon.")], &["The Tejo.", "In Lisbon.", "[4 messages]"]),
        (
            "typed_tool",
            two(
                calls("weather", &[r#"{"city":"Lisbon","days":9}"#, r#"{"city":"Lisbon","days":2}"#]),
                vec![text("10 %.")],
            ),
            &["10 %."],
        ),
        ("structured_output", plan.into(), &["1. Walk", "2. Eat", "[30 euros]"]),
        (
            "approval",
            two(rent, casino),
            &[r#"[transfer {"to":"landlord","euros":900}?]"#, "The rent is paid.", "casino", "I may not."],
        ),
    ] {
        let upstream = FakeUpstream::start(script).await.unwrap_or_else(|error| panic!("no upstream: {error}"));
        let said = run_at(example, &[], &upstream.base_url());
        for line in lines {
            assert!(said.contains(line), "{example}: no {line:?} in: {said}");
        }
        let sent: String = upstream.requests().iter().map(|request| request.json().to_string()).collect();
        for result in match example {
            "typed_tool" => &["days: expected 1 to 7", "rain_percent"][..],
            "approval" => &["transferred 900 euros to landlord", "The user says: only rent is paid here"],
            "structured_output" => &["json_schema", "Your answer does not match the JSON Schema"],
            _ => &[],
        } {
            assert!(sent.contains(result), "{example}: the model did not read {result:?}: {sent}");
        }
    }
}

#[test]
fn a_host_brings_its_own_provider() {
    assert_eq!(run("own_provider", &[]), "HELLO, WHO IS THERE?\n");
}
