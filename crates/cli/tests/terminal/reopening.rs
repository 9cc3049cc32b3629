//! A chat that opens a session with an unfinished turn.

use turnkit_testkit::FakeUpstream;

use crate::approving::{QUESTION, asking, listed, results};
use crate::prompt::Terminal;
use crate::support::{Place, Server};

const CHAT: [&str; 3] = ["chat", "--session", "s"];
const UNFINISHED: &str = "the session has a turn that has not ended; here it is from its start";

/// Starts a chat whose first turn waits for a decision, and leaves it.
async fn left_waiting(answers: &[&str], served: bool) -> (FakeUpstream, Place, Option<Server>) {
    let (upstream, place) = asking(answers).await;
    let server = if served { Some(place.serve().await) } else { None };
    let mut terminal = Terminal::start(&place, &CHAT);
    terminal.enter("one", QUESTION).await;
    terminal.enter("\u{4}", "the question stays open").await;
    terminal.ends().await;
    (upstream, place, server)
}

#[tokio::test]
async fn a_reopened_chat_asks_the_open_question_and_shows_the_answer_here_and_at_a_server() {
    for served in [false, true] {
        let (upstream, place, server) = left_waiting(&["first", "second"], served).await;
        let mut terminal = Terminal::start(&place, &CHAT);
        terminal.shows(QUESTION).await;
        for shown in [UNFINISHED, r#"? calculator {"expression":"6*7"}: "#] {
            assert!(terminal.shown().contains(shown), "{shown}: {}", terminal.shown());
        }
        terminal.enter("a", "first").await;
        terminal.enter("two", QUESTION).await;
        terminal.enter("d not now", "second").await;
        terminal.leave().await;
        let results = results(&upstream);
        assert!(results.len() == 2 && results[0] == "42" && results[1].contains("not now"), "{results:?}");
        if let Some(server) = server {
            server.stop().await;
        }
    }
}

#[tokio::test]
async fn a_message_in_print_mode_does_not_end_a_turn_that_waits_for_a_decision() {
    for served in [false, true] {
        let (upstream, place, server) = left_waiting(&["first"], served).await;
        for mode in ["-p", "--json"] {
            let refused = place.run(&["chat", mode, "--session", "s", "two"]).await;
            assert_eq!((refused.code, refused.stdout.as_str()), (Some(1), ""), "{refused:?}");
            let errors: Vec<&str> = refused.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
            assert_eq!(errors.len(), 1, "{refused:?}");
            for said in ["waits for 1 decision", "`turnkit chat --session ", "`turnkit interactions ls`"] {
                assert!(errors[0].contains(said), "{said}: {refused:?}");
            }
        }
        assert_eq!(listed(&place, &[]).await.len(), 1, "served: {served}");
        assert_eq!(upstream.requests().len(), 1, "served: {served}");
        let mut terminal = Terminal::start(&place, &CHAT);
        terminal.shows(QUESTION).await;
        terminal.enter("a", "first").await;
        terminal.leave().await;
        if let Some(server) = server {
            server.stop().await;
        }
    }
}

#[tokio::test]
async fn a_reopened_chat_shows_the_rest_of_a_turn_whose_decision_was_made_meanwhile() {
    let (upstream, place, _) = left_waiting(&["first", "second"], false).await;
    let id = listed(&place, &[]).await[0]["id"].as_str().unwrap().to_owned();
    let resolved = place.run(&["interactions", "resolve", &id, "--approve"]).await;
    assert_eq!(resolved.code, Some(0), "{resolved:?}");
    let mut terminal = Terminal::start(&place, &CHAT);
    terminal.shows("first").await;
    for shown in ["resumed 1 unfinished turn", UNFINISHED, "  approved", "42"] {
        assert!(terminal.shown().contains(shown), "{shown}: {}", terminal.shown());
    }
    assert!(!terminal.shown().contains(QUESTION), "{}", terminal.shown());
    terminal.enter("two", QUESTION).await;
    terminal.enter("a", "second").await;
    terminal.leave().await;
    assert_eq!(results(&upstream), ["42", "42"]);
}

/// A call that must not run twice.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_reopened_chat_asks_for_the_outcome_of_a_call_that_was_killed() {
    use turnkit_testkit::Response;

    const TOOL: &str = r#"
[[tools.command]]
name = "wait"
parameters = '{"properties":{"file":{"type":"string"}},"required":["file"]}'
run = ["sh", "-c", "echo $$ > \"$0\"; sleep 1000", "{file}"]
timeout_s = 1000

[[permissions.rules]]
tool = "wait"
decision = "allow"
"#;
    let call = Response::calls(&[("c1", "wait", r#"{"file":"begun"}"#)]);
    let upstream = FakeUpstream::start([call, Response::text("It is done.")]).await.unwrap();
    let place = Place::asking(&upstream);
    let file = place.path().join("turnkit.toml");
    let configuration = std::fs::read_to_string(&file).unwrap();
    std::fs::write(file, configuration + TOOL).unwrap();
    let start = || {
        let mut command = place.command(&CHAT);
        command.env("PATH", "/usr/bin:/bin");
        Terminal::connect(command)
    };
    let mut terminal = start();
    terminal.enter("one", "wait {").await;
    while !place.path().join("begun").exists() {
        tokio::task::yield_now().await;
    }
    terminal.kill().await;

    let mut terminal = start();
    terminal.shows("[r]un it again, it took effect: [d]one").await;
    for shown in ["resumed 1 unfinished turn", UNFINISHED, "wait {"] {
        assert!(terminal.shown().contains(shown), "{shown}: {}", terminal.shown());
    }
    terminal.enter("d", "It is done.").await;
    terminal.leave().await;
    assert_eq!((upstream.requests().len(), results(&upstream).len()), (2, 1));
}
