//! The README's table of features names what the code has.

use std::collections::BTreeSet;

use turnkit_engine::{TaskTool, ToolSources};
use turnkit_llm::Wire;
use turnkit_tools::{AskUser, FILE_TOOLS, FetchUrl, NAMES, RunCommand};

use crate::support::Place;

/// Returns the quoted names in a row of the table, up to the first semicolon.
fn row(title: &str) -> BTreeSet<&'static str> {
    let readme = include_str!("../../../../README.md");
    let row = readme.lines().find_map(|line| line.strip_prefix(&format!("| {title} | ")));
    let names = row.unwrap_or_else(|| panic!("no row {title}")).split(';').next().unwrap_or_default();
    names.split('`').skip(1).step_by(2).collect()
}

#[test]
fn its_tools_are_those_that_an_agent_may_have() {
    let others = [FetchUrl::NAME, RunCommand::NAME, AskUser::NAME, TaskTool::NAME];
    let tools = NAMES.iter().chain(FILE_TOOLS).copied().chain(others);
    assert_eq!(row("Tools"), tools.chain([ToolSources::SEARCH, ToolSources::READ_RESULT]).collect());
}

#[test]
fn its_wires_are_those_of_the_provider_crate() {
    assert_eq!(row("Wires"), Wire::ALL.into_iter().map(Wire::name).collect());
}

#[tokio::test]
async fn its_commands_are_those_of_the_help() {
    let help = Place::new().run(&["--help"]).await.stdout;
    let commands = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).unwrap();
    let names = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    assert_eq!(row("Commands"), names.filter(|name| !name.is_empty()).collect());
}

#[test]
fn its_library_features_are_those_of_the_manifest() {
    let manifest: toml::Table = include_str!("../../../turnkit/Cargo.toml").parse().unwrap();
    let features = manifest["features"].as_table().unwrap();
    assert_eq!(
        row("Library features"),
        features.keys().map(String::as_str).filter(|name| *name != "default").collect()
    );
}
