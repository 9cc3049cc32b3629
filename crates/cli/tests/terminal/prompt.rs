//! `turnkit chat` at a terminal, line by line.

use std::fs::File as Device;
use std::os::unix::fs::OpenOptionsExt as _;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use serde_json::Value;
use tokio::fs::File;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::Place;

/// The user's end of a terminal. The binary runs at the other end.
pub(crate) struct Terminal {
    keys: File,
    shown: String,
    child: Child,
}

impl Terminal {
    pub(crate) fn start(place: &Place, words: &[&str]) -> Self {
        Self::connect(place.command(words))
    }

    /// Starts the binary at a terminal whose lines can be overwritten.
    pub(crate) fn start_capable(place: &Place, words: &[&str]) -> Self {
        let mut command = place.command(words);
        command.env("TERM", "xterm");
        Self::connect(command)
    }

    /// Starts a command at a terminal.
    pub(crate) fn connect(mut command: Command) -> Self {
        let keys = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&keys).unwrap();
        unlockpt(&keys).unwrap();
        let name = ptsname(&keys, Vec::new()).unwrap();
        // Without this flag, it could become the controlling terminal of the test process.
        let no_terminal_of_this_process = OpenptFlags::NOCTTY.bits().cast_signed();
        let mut options = Device::options();
        options.read(true).write(true).custom_flags(no_terminal_of_this_process);
        let device = options.open(name.to_str().unwrap()).unwrap();
        let again = || device.try_clone().unwrap();
        let child = command.stdin(again()).stdout(again()).stderr(again()).spawn().unwrap();
        Self { keys: File::from_std(Device::from(keys)), shown: String::new(), child }
    }

    /// Enters a line, and waits until `answer` is shown.
    pub(crate) async fn enter(&mut self, line: &str, answer: &str) {
        self.press(&format!("{line}\r"), answer).await;
    }

    /// Presses these keys, and waits until `answer` is shown.
    pub(crate) async fn press(&mut self, keys: &str, answer: &str) {
        self.shown.clear();
        self.keys.write_all(keys.as_bytes()).await.unwrap();
        self.shows(answer).await;
    }

    /// Waits until `answer` is shown.
    pub(crate) async fn shows(&mut self, answer: &str) {
        while !self.shown.contains(answer) {
            self.more().await;
        }
    }

    /// Waits until `second` is shown after `first`.
    pub(crate) async fn shows_after(&mut self, first: &str, second: &str) {
        while !self.shown.split_once(first).is_some_and(|(_, rest)| rest.contains(second)) {
            self.more().await;
        }
    }

    /// Waits until more output is shown.
    pub(crate) async fn more(&mut self) {
        let mut bytes = [0; 1024];
        let read = self.keys.read(&mut bytes).await;
        let read = read.unwrap_or_else(|error| panic!("{error} after {:?}", self.shown));
        assert_ne!(read, 0, "the terminal is closed after {:?}", self.shown);
        self.shown.push_str(&String::from_utf8_lossy(&bytes[..read]));
    }

    /// Returns the output since the last line was entered.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    pub(crate) async fn leave(mut self) {
        self.enter("/quit", "--session ").await;
        self.ends().await;
    }

    /// Kills the command with SIGKILL.
    #[cfg(target_os = "linux")]
    pub(crate) async fn kill(mut self) {
        self.child.kill().await.unwrap();
    }

    /// Waits until the command has ended, which must succeed.
    pub(crate) async fn ends(mut self) {
        assert!(self.child.wait().await.unwrap().success());
    }
}

/// Runs a command repeatedly until its output is as expected.
async fn until(place: &Place, words: &[&str], is_expected: impl Fn(&str) -> bool) {
    let mut shown = String::new();
    for _ in 0..1_000 {
        shown = place.run(words).await.stdout;
        if is_expected(&shown) {
            return;
        }
    }
    panic!("{words:?} shows {shown:?}");
}

fn sent(body: &Value) -> Vec<&str> {
    body["messages"].as_array().unwrap().iter().skip(1).map(|said| said["content"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn the_conversation_continues_from_another_branch_here_and_at_a_server() {
    for served in [false, true] {
        let answers = ["first", "second", "third", "fourth"].map(Response::text);
        let upstream = FakeUpstream::start(answers).await.unwrap();
        let place = Place::asking(&upstream);
        let server = if served { Some(place.serve().await) } else { None };

        let mut terminal = Terminal::start(&place, &["chat"]);
        terminal.enter("/branches", "the session has no messages yet").await;
        terminal.enter("one", "first").await;
        terminal.enter("two", "second").await;
        terminal.enter("/undo", "are undone").await;
        terminal.enter("edited", "third").await;
        terminal.enter("/switch 9", "the session has no turn 9").await;
        terminal.enter("/switch 2", "the next message continues turn 2: two").await;
        terminal.enter("/branches", "edited").await;
        terminal.enter("more", "fourth").await;
        terminal.leave().await;

        let session = place.last_session().await;
        let shown = place.run(&["sessions", "show", &session]).await.stdout;
        assert_eq!(shown, "> one\nfirst\n> two\nsecond\n> more\nfourth\n", "served: {served}");
        let listed = place.run(&["sessions", "branches", &session]).await.stdout;
        let listed: Vec<_> = listed.lines().map(|line| (&line[..6], line.split_once("Z  ").unwrap().1)).collect();
        assert_eq!(listed, [("*    4", "more"), ("     3", "edited")], "served: {served}");
        let switched = place.run(&["sessions", "switch", &session, "3"]).await;
        assert!(switched.stderr.contains("the next message continues turn 3: edited"), "{switched:?}");
        let branches = place.run(&["sessions", "branches", &session, "--json"]).await.stdout;
        let branches: Value = serde_json::from_str(&branches).unwrap();
        let heads: Vec<_> = branches.as_array().unwrap().iter().map(|end| (&end["number"], &end["head"])).collect();
        assert_eq!(heads, [(&4.into(), &false.into()), (&3.into(), &true.into())], "served: {served}");
        let shown = place.run(&["sessions", "show", &session]).await.stdout;
        assert_eq!(shown, "> one\nfirst\n> edited\nthird\n", "served: {served}");
        if let Some(server) = server {
            server.stop().await;
        }
    }
}

#[tokio::test]
async fn the_last_message_is_answered_again_and_undone_here_and_at_a_server() {
    for served in [false, true] {
        let answers = ["first", "second", "third", "fourth"].map(Response::text);
        let upstream = FakeUpstream::start(answers).await.unwrap();
        let place = Place::asking(&upstream);
        let server = if served { Some(place.serve().await) } else { None };

        let mut terminal = Terminal::start(&place, &["chat"]);
        terminal.enter("/undo", "there is no message yet").await;
        terminal.enter("one", "first").await;
        terminal.enter("two", "second").await;
        terminal.enter("/retry", "third").await;
        terminal.enter("/undo", "are undone").await;
        terminal.enter("edited", "fourth").await;
        terminal.leave().await;

        let session = place.last_session().await;
        let shown = place.run(&["sessions", "show", &session]).await.stdout;
        assert_eq!(shown, "> one\nfirst\n> edited\nfourth\n", "served: {served}");
        let requests = upstream.requests();
        let bodies: Vec<Value> = requests.iter().map(|request| request.json()).collect();
        let expected = [&["one"][..], &["one", "first", "two"], &["one", "first", "two"], &["one", "first", "edited"]];
        assert_eq!(bodies.iter().map(sent).collect::<Vec<_>>(), expected, "served: {served}");
        if let Some(server) = server {
            server.stop().await;
        }
    }
}

#[tokio::test]
async fn earlier_messages_are_summarised_from_the_prompt_and_by_a_command_here_and_at_a_server() {
    let long = |text: &str| format!("{}{text}", "word ".repeat(50));
    for served in [false, true] {
        let answers = [&*long("first"), &long("second"), "They met.", &long("third"), "They talked.", "fourth"];
        let upstream = FakeUpstream::start(answers.map(Response::text)).await.unwrap();
        let place = Place::asking(&upstream);
        let server = if served { Some(place.serve().await) } else { None };

        let mut terminal = Terminal::start(&place, &["chat"]);
        terminal.enter("/compact", "there is no message yet").await;
        for (text, answer) in [("one", "first"), ("two", "second")] {
            terminal.enter(&long(text), answer).await;
        }
        terminal.enter("/compact", "takes the place of 2 earlier messages").await;
        terminal.enter(&long("three"), "third").await;
        terminal.leave().await;

        let session = place.last_session().await;
        let compacted = place.run(&["sessions", "compact", &session]).await;
        assert!(compacted.stderr.contains("takes the place of 2 earlier messages"), "{compacted:?}");
        assert_eq!(compacted.code, Some(0), "served: {served}");
        let exported = place.run(&["sessions", "export", &session, "--format", "md"]).await.stdout;
        assert_eq!(exported.matches("## User").count(), 3, "nobody said that messages are summarised: {exported}");
        place.run(&["chat", "-p", "--session", &session, "four"]).await;
        let requests = upstream.requests();
        let last = requests.last().unwrap().json();
        let summary = "Summary of the conversation so far:\nThey talked.";
        assert_eq!(sent(&last), [summary, &long("three"), &long("third"), "four"], "served: {served}");
        if let Some(server) = server {
            server.stop().await;
        }
    }
}

#[tokio::test]
async fn a_conversation_is_summarised_in_the_background_before_it_fills_the_window() {
    let long = |text: &str| format!("{}{text}", "word ".repeat(111));
    let answers = [&*long("first"), &long("second"), &long("third"), "They met.", "fourth"];
    let upstream = FakeUpstream::start(answers.map(Response::text)).await.unwrap();
    let place = Place::asking(&upstream);
    let agent =
        "[[agents]]\nname = \"assistant\"\ninstructions = \"Be brief.\"\ntools = []\ncontext = { budget = 2_000 }\n";
    let providers = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
    place.write("turnkit.toml", &format!("{providers}{agent}"));
    let server = place.serve().await;

    let mut terminal = Terminal::start(&place, &["chat"]);
    for (text, answer) in [("one", "first"), ("two", "second"), ("three", "third")] {
        terminal.enter(&long(text), answer).await;
    }
    // The next message would stop the compaction.
    until(&place, &["turns", "ls"], |shown| shown.matches("completed").count() == 4).await;
    // The branch ends with the compaction, whose notice is not a user's message.
    let session = place.last_session().await;
    let listed = place.run(&["sessions", "branches", &session]).await.stdout;
    assert!(
        listed.starts_with("*    4 ") && listed.contains("word word") && !listed.contains("summarised"),
        "{listed}"
    );
    let shown = place.run(&["sessions", "context", &session, "--json"]).await.stdout;
    assert!(shown.contains("They met.") && !shown.contains("precompact"), "{shown}");
    terminal.enter("four", "fourth").await;
    terminal.enter("/undo", "are undone").await;
    // The compaction is not the last message.
    terminal.enter("/undo", "are undone").await;
    terminal.leave().await;
    let exported = place.run(&["sessions", "export", &session, "--format", "md"]).await.stdout;
    assert!(exported.contains("two") && !exported.contains("three"), "{exported}");

    let requests = upstream.requests();
    assert_eq!(requests.len(), 5);
    let last = requests.last().unwrap().json();
    let sent = sent(&last);
    assert_eq!(sent.first(), Some(&"Summary of the conversation so far:\nThey met."), "{sent:?}");
    assert_eq!(sent.last(), Some(&"four"));
    assert!(sent.len() < 7, "{sent:?}");
    server.stop().await;
}

#[tokio::test]
async fn a_conversation_gets_a_title_of_its_model_which_is_no_part_of_it() {
    let upstream = FakeUpstream::start(["To Lisbon.", "A trip to Lisbon", "Soon."].map(Response::text)).await.unwrap();
    let place = Place::asking(&upstream);
    let agent =
        "[[agents]]\nname = \"assistant\"\ninstructions = \"Be brief.\"\ntools = []\ncontext = { titles = true }\n";
    let providers = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
    place.write("turnkit.toml", &format!("{providers}{agent}"));
    let server = place.serve().await;

    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("Where to?", "To Lisbon.").await;
    // The next message would stop the title.
    until(&place, &["sessions", "ls"], |shown| shown.contains("A trip to Lisbon")).await;
    terminal.enter("When?", "Soon.").await;
    terminal.leave().await;

    let requests = upstream.requests();
    assert_eq!(requests.len(), 3);
    assert_eq!(sent(&requests[2].json()), ["Where to?", "To Lisbon.", "When?"]);
    let session = place.last_session().await;
    let exported = place.run(&["sessions", "export", &session, "--format", "md"]).await.stdout;
    assert!(exported.starts_with("# A trip to Lisbon\n") && !exported.contains("title"), "{exported}");
    server.stop().await;
}
