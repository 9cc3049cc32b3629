//! The progress of a running call, as shown to people and programs.

use std::os::unix::fs::PermissionsExt as _;

use turnkit_testkit::{FakeUpstream, Response};

use crate::approving::{ASKS, QUESTION, listed};
use crate::prompt::Terminal;
use crate::support::Place;

const TOOL: &str = r#"
[[tools.command]]
name = "build"
run = ["./build.sh"]
read_only = true
"#;

/// A program that reports its progress, and continues once the file `go` exists.
const PROGRAM: &str = "#!/bin/sh
echo 'compiling'; printf '1 of 2\\r2 of 2\\r' >&2
while [ ! -e go ]; do sleep 0.02; done
echo 'built'
";

/// A program whose next line waits for a file each.
const STEPS: &str = "#!/bin/sh
for file in begin go end; do
    while [ ! -e $file ]; do sleep 0.02; done
    echo \"after $file\"
done
";

/// Returns a folder with the tool `build`, whose program ends once the file `go` exists.
pub(crate) fn place(upstream: &FakeUpstream) -> Place {
    let place = Place::asking(upstream);
    let file = place.path().join("turnkit.toml");
    let configuration = std::fs::read_to_string(&file).unwrap();
    std::fs::write(file, configuration + TOOL).unwrap();
    let program = place.path().join("build.sh");
    std::fs::write(&program, PROGRAM).unwrap();
    std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).unwrap();
    place
}

#[tokio::test]
async fn the_last_output_of_a_program_is_on_the_last_line_of_the_terminal_here_and_at_a_server() {
    for served in [false, true] {
        let answers = [Response::calls(&[("c1", "build", "{}")]), Response::text("All is built.")];
        let upstream = FakeUpstream::start(answers).await.unwrap();
        let place = place(&upstream);
        let server = if served { Some(place.serve().await) } else { None };
        let mut terminal = Terminal::start_capable(&place, &["chat"]);
        terminal.enter("build it", "  … 2 of 2").await;
        assert!(!terminal.shown().contains('→'), "{}", terminal.shown());
        std::fs::write(place.path().join("go"), "").unwrap();
        terminal.shows("All is built.").await;
        let after = terminal.shown().split("  … 2 of 2").last().unwrap();
        let erased = after.find("\r\u{1b}[K").unwrap_or_else(|| panic!("{after:?}"));
        assert!(erased < after.find("compiling built").unwrap_or_else(|| panic!("{after:?}")), "{after:?}");
        terminal.leave().await;
        let last = upstream.requests().last().unwrap().json()["messages"].as_array().unwrap().last().unwrap().clone();
        assert_eq!(last["content"], "compiling\nbuilt\n", "served: {served}");
        if let Some(server) = server {
            server.stop().await;
        }
    }
}

#[tokio::test]
async fn progress_is_not_written_over_the_prompt_of_an_open_question() {
    const LETTERS: &str = "type one of the letters in brackets";
    let both = [("c1", "calculator", r#"{"expression":"6*7"}"#), ("c2", "build", "{}")];
    let upstream = FakeUpstream::start([Response::calls(&both), Response::text("All is built.")]).await.unwrap();
    let place = place(&upstream);
    let configuration = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
    place.write("turnkit.toml", &(configuration + ASKS));
    place.write("build.sh", STEPS);
    let server = place.serve().await;
    let mut terminal = Terminal::start_capable(&place, &["chat"]);
    terminal.enter("build it", QUESTION).await;
    let id = listed(&place, &[]).await[0]["id"].as_str().unwrap().to_owned();
    let (turn, _) = id.split_once('.').unwrap();
    let mut follower = Terminal::start_capable(&place, &["turns", "tail", turn]);
    place.write("begin", "");
    follower.shows("  … after begin").await;
    terminal.enter("what?", LETTERS).await;
    terminal.shows_after(LETTERS, QUESTION).await;
    assert!(!terminal.shown().contains('…'), "{}", terminal.shown());

    terminal.enter("a", "a").await;
    while !listed(&place, &[]).await.is_empty() {
        tokio::task::yield_now().await;
    }
    place.write("go", "");
    terminal.shows("  … after go").await;
    place.write("end", "");
    terminal.shows("All is built.").await;
    terminal.leave().await;
    follower.shows("All is built.").await;
    follower.ends().await;
    server.stop().await;
}

#[tokio::test]
async fn progress_is_not_written_without_a_terminal() {
    let answers = [Response::calls(&[("c1", "build", "{}")]), Response::text("All is built.")];
    let upstream = FakeUpstream::start(answers).await.unwrap();
    let place = place(&upstream);
    std::fs::write(place.path().join("go"), "").unwrap();
    let done = place.run(&["chat", "-p", "build it"]).await;
    assert_eq!(done.stdout, "All is built.\n");
    assert!(!done.stderr.contains("2 of 2"), "{}", done.stderr);
}
