//! The conformance suite of the protocol, against `POST /mcp`, against `turnkit mcp`, and against an agent.
//! `tests/mcp/conformance.toml` has what it must find.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use turnkit_testkit::{FakeUpstream, Response};

use crate::agent::{last_role, offered};
use crate::packages::Packages;
use crate::workspace::{Workspace, outcome};

/// One of the agents has the name of the tool that the suite calls to see an error. It is called without a message.
const AGENTS: &str = "[[agents]]\nname = \"assistant\"\n[[agents]]\nname = \"test_error_handling\"\n";

/// The length of the time at the end of the name of a result, with the hyphen before it.
const TIME: usize = "-2026-07-28T00-00-00-000Z".len();

/// The expected results.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expectations {
    run: Vec<Run>,
}

/// A run of the suite.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    /// `server` or `client`.
    of: String,
    /// The revision of the protocol whose requirements are checked.
    revision: String,
    /// The scenarios whose checks succeed.
    passed: BTreeSet<String>,
    /// The checks that fail in scenarios whose other checks succeed.
    #[serde(default)]
    failed_checks: BTreeMap<String, BTreeSet<String>>,
    /// The scenarios whose results say nothing about turnkit.
    not_applicable: Vec<NotApplicable>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NotApplicable {
    #[serde(rename = "why")]
    _why: String,
    scenarios: BTreeSet<String>,
}

/// A check in the results of the suite.
#[derive(Deserialize)]
struct Check {
    id: String,
    status: String,
}

/// What the suite has found in a scenario.
#[derive(Debug, Default)]
struct Found {
    succeeded: usize,
    failed: BTreeSet<String>,
}

fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/mcp")
}

fn expected(of: &str) -> Vec<Run> {
    let text = std::fs::read_to_string(tests().join("conformance.toml")).unwrap();
    let expectations: Expectations = toml::from_str(&text).unwrap_or_else(|error| panic!("conformance.toml: {error}"));
    expectations.run.into_iter().filter(|run| run.of == of).collect()
}

/// Returns the command with which the suite starts a client, which is a script.
fn client(packages: &Packages, script: &str) -> String {
    format!("{} {}", packages.node(), tests().join(script).display())
}

/// Runs the suite with these words and with `model` as the address of a model. Returns what it has found in each
/// scenario.
async fn found(packages: &Packages, workspace: &Workspace, words: &[&str], model: &str) -> BTreeMap<String, Found> {
    let results = tempfile::tempdir_in(workspace.path()).unwrap().keep();
    let mut command = workspace.command(&packages.node());
    command.env("TURNKIT", env!("CARGO_BIN_EXE_turnkit")).env("MODEL", model);
    command.arg(packages.script("conformance")).args(words).arg("--output-dir").arg(&results);
    // Its exit code counts scenarios that do not apply.
    let done = outcome(command.spawn().unwrap()).await;
    let mut found = BTreeMap::new();
    read(&results, "", &mut found);
    assert!(!found.is_empty(), "{done:?}");
    if words.first() == Some(&"server") {
        let named = |name: String| name.strip_prefix("server-").map(str::to_owned).unwrap_or(name);
        found = found.into_iter().map(|(name, result)| (named(name), result)).collect();
    }
    found
}

/// Reads the results in a folder. `name` is its path from that of all results.
fn read(folder: &Path, name: &str, found: &mut BTreeMap<String, Found>) {
    if let Ok(text) = std::fs::read_to_string(folder.join("checks.json")) {
        let checks: Vec<Check> = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let scenario = name.get(..name.len().saturating_sub(TIME)).unwrap_or_default().to_owned();
        let result: &mut Found = found.entry(scenario).or_default();
        for check in checks {
            match &*check.status {
                "SUCCESS" => result.succeeded += 1,
                "FAILURE" => _ = result.failed.insert(check.id),
                _ => {}
            }
        }
        return;
    }
    for entry in std::fs::read_dir(folder).unwrap() {
        let entry = entry.unwrap();
        let inner = entry.file_name().into_string().unwrap();
        let inner = if name.is_empty() { inner } else { format!("{name}/{inner}") };
        if entry.path().is_dir() {
            read(&entry.path(), &inner, found);
        }
    }
}

/// Compares the results of a run with the expected ones.
fn compare(run: &Run, found: &BTreeMap<String, Found>) {
    let Run { of, revision, passed, failed_checks, not_applicable } = run;
    let applies = |name: &String| !not_applicable.iter().any(|group| group.scenarios.contains(name));
    let known = passed.iter().chain(failed_checks.keys());
    let known = known.chain(not_applicable.iter().flat_map(|group| &group.scenarios)).collect::<BTreeSet<_>>();
    assert_eq!(found.keys().collect::<BTreeSet<_>>(), known, "the scenarios of the {of} for {revision}");
    for (name, result) in found.iter().filter(|(name, _)| applies(name)) {
        let failed = failed_checks.get(name).cloned().unwrap_or_default();
        assert_eq!(result.failed, failed, "{name} of the {of} for {revision}");
        assert!(result.succeeded > 0, "{name} of the {of} for {revision} has checked nothing");
    }
}

#[tokio::test]
async fn the_server_passes_the_conformance_suite() {
    let Some(packages) = Packages::installed() else { return };
    let workspace = Workspace::new(AGENTS);
    let serving = workspace.serve().await;
    for run in expected("server") {
        let url = format!("{}/mcp", serving.url);
        let words = ["server", "--requirements", &*run.revision, "--url", &*url];
        let found = found(&packages, &workspace, &words, "").await;
        compare(&run, &found);
    }
}

#[tokio::test]
async fn the_client_passes_the_conformance_suite() {
    let Some(packages) = Packages::installed() else { return };
    let workspace = Workspace::new("");
    let client = client(&packages, "client.cjs");
    for run in expected("client") {
        let words = ["client", "--requirements", &*run.revision, "--command", &*client];
        let found = found(&packages, &workspace, &words, "").await;
        compare(&run, &found);
    }
}

#[tokio::test]
async fn an_agent_passes_on_the_questions_of_the_conformance_suite() {
    let Some(packages) = Packages::installed() else { return };
    let upstream = FakeUpstream::with_handler(|request| {
        let request = request.json();
        let tools = offered(&request);
        let ids: Vec<String> = (0..tools.len()).map(|index| format!("c{index}")).collect();
        let calls: Vec<_> = ids.iter().zip(&tools).map(|(id, tool)| (id.as_str(), tool.as_str(), "{}")).collect();
        match last_role(&request) == "user" && !calls.is_empty() {
            true => Response::calls(&calls),
            false => Response::text("Done."),
        }
    });
    let upstream = upstream.await.unwrap();
    let workspace = Workspace::new("");
    let (scenario, client) = ("sep-2322-client-request-state", client(&packages, "agent.cjs"));
    let words = ["client", "--scenario", scenario, "--command", &*client];
    let found = found(&packages, &workspace, &words, &upstream.base_url()).await;
    assert!(found[scenario].failed.is_empty() && found[scenario].succeeded >= 5, "{found:?}");
}
