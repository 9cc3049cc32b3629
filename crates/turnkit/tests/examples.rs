//! The examples do what they say. They are built with the tests and run as the programs they are.
#![expect(clippy::panic, reason = "a failed expectation is how a test speaks")]

use std::path::{Path, PathBuf};
use std::process::Command;

fn run(example: &str, arguments: &[&Path]) -> String {
    let mut path =
        std::env::current_exe().ok().and_then(|exe| exe.parent()?.parent().map(PathBuf::from)).unwrap_or_default();
    path.extend(["examples", example]);
    let output =
        Command::new(&path).args(arguments).output().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert!(output.status.success(), "{example} failed: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
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
    for line in ["resumed 0 turns", "turn.started", "turn.ended", "You said: \"Hello again.\""] {
        assert!(said.contains(line), "no {line:?} in: {said}");
    }
}
