//! The conformance suite of the protocol, against `POST /mcp` and against `turnkit mcp`. `tests/mcp/conformance.toml`
//! has what it must find.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

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

/// Runs the suite with these words, and returns what it has found in each scenario.
async fn found(packages: &Packages, workspace: &Workspace, run: &Run, words: &[&str]) -> BTreeMap<String, Found> {
    let results = workspace.path().join(format!("results-{}", run.revision));
    let mut command = workspace.command(&packages.node());
    command.env("TURNKIT", env!("CARGO_BIN_EXE_turnkit"));
    command.arg(packages.script("conformance")).arg(&run.of).args(words);
    command.args(["--requirements", &run.revision, "--output-dir"]).arg(&results);
    // Its exit code counts scenarios that do not apply.
    let done = outcome(command.spawn().unwrap()).await;
    assert!(results.is_dir(), "{done:?}");
    let mut found = BTreeMap::new();
    read(&results, "", &mut found);
    if run.of == "server" {
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
        let found = found(&packages, &workspace, &run, &["--url", &format!("{}/mcp", serving.url)]).await;
        compare(&run, &found);
    }
}

#[tokio::test]
async fn the_client_passes_the_conformance_suite() {
    let Some(packages) = Packages::installed() else { return };
    let workspace = Workspace::new("");
    let client = format!("{} {}", packages.node(), tests().join("client.cjs").display());
    for run in expected("client") {
        let found = found(&packages, &workspace, &run, &["--command", &client]).await;
        compare(&run, &found);
    }
}
