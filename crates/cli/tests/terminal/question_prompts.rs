//! The prompts at which a person decides a call.

use serde_json::json;
use turnkit_testkit::{FakeUpstream, Gate, Received, Response};

use crate::approving::{QUESTION, asking, asking_of, calls, listed, results};
use crate::prompt::Terminal;
use crate::support::Place;

const LETTERS: &str = "type one of the letters in brackets";

/// An agent that gives work to another one, which writes files.
const WRITERS: &str = r#"
[[agents]]
name = "assistant"
tools = ["task"]

[[agents]]
name = "writer"
description = "writes files"
tools = ["write_file"]

[files]
roots = ["docs"]
"#;

/// An agent that gives work to another one, which does sums.
pub(crate) const CLERKS: &str = r#"
[[agents]]
name = "assistant"
tools = ["task"]

[[agents]]
name = "clerk"
description = "does sums"
tools = ["calculator"]
"#;

/// Adds these lines to the configuration.
pub(crate) fn configure(place: &Place, lines: &str) {
    let configuration = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
    place.write("turnkit.toml", &(configuration + lines));
}

/// Answers as a model whose two sub-agents write a file each, the second one once the gate is open.
fn written_by_two(request: &Received, gate: &Gate) -> Response {
    let body = request.json();
    let messages = body["messages"].as_array().unwrap();
    let is_done = messages.last().unwrap()["role"] == "tool";
    let is_asked = |text: &str| {
        let mut of_user = messages.iter().filter(|message| message["role"] == "user");
        of_user.any(|message| message["content"].to_string().contains(text))
    };
    let writes = |name: &str| {
        let arguments = json!({ "path": format!("{name}.md"), "content": name }).to_string();
        Response::calls(&[("c1", "write_file", &arguments)])
    };
    let task = |name: &str| json!({ "prompt": format!("Write {name}."), "agent": "writer" }).to_string();
    match (is_asked("plan"), is_done) {
        (true, true) => Response::text("All done"),
        (true, false) => Response::calls(&[("c1", "task", &task("HARMLESS")), ("c2", "task", &task("DANGEROUS"))]),
        (false, true) => Response::text("Written."),
        (false, false) if is_asked("HARMLESS") => writes("HARMLESS"),
        (false, false) => Response::stream().wait(gate).followed_by(writes("DANGEROUS")),
    }
}

#[tokio::test]
async fn a_question_that_arrives_while_another_is_open_is_asked_once_that_one_is_decided() {
    let gate = Gate::new();
    let second = gate.clone();
    let upstream = FakeUpstream::with_handler(move |request| written_by_two(request, &second)).await.unwrap();
    let place = Place::asking(&upstream);
    configure(&place, WRITERS);
    let docs = place.path().join("docs");
    std::fs::create_dir(&docs).unwrap();
    let server = place.serve().await;
    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("plan", QUESTION).await;
    assert!(terminal.shown().contains("+HARMLESS"), "{}", terminal.shown());
    gate.open();
    while listed(&place, &[]).await.len() < 2 {
        tokio::task::yield_now().await;
    }
    terminal.enter("what?", LETTERS).await;
    terminal.shows_after(LETTERS, QUESTION).await;
    assert!(!terminal.shown().contains("DANGEROUS"), "{}", terminal.shown());

    terminal.enter("a", "+DANGEROUS").await;
    terminal.shows_after("+DANGEROUS", QUESTION).await;
    let (_, asked) = terminal.shown().split_once("the sub-agent writer asks:").unwrap();
    assert!(asked.contains("sub-agent writer: [a]pprove") && !asked.contains("HARMLESS"), "{asked}");
    assert_eq!(asked.matches("write_file").count(), 1, "{asked}");
    let pending = listed(&place, &[]).await;
    assert!(pending.len() == 1 && pending[0]["arguments"].as_str().unwrap().contains("DANGEROUS"), "{pending:?}");
    terminal.enter("d not now", "All done").await;
    terminal.leave().await;
    assert_eq!(std::fs::read_to_string(docs.join("HARMLESS.md")).unwrap(), "HARMLESS");
    assert!(!docs.join("DANGEROUS.md").exists());
    server.stop().await;
}

#[tokio::test]
async fn a_cancelled_call_of_a_sub_agent_is_shown_as_cancelled_and_its_task_on_a_short_line() {
    let task = json!({ "prompt": format!("Multiply. {}", "x".repeat(300)), "agent": "clerk" }).to_string();
    let (_upstream, place) = asking_of([Response::calls(&[("c1", "task", &task)]), calls()]).await;
    configure(&place, CLERKS);
    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("plan", QUESTION).await;
    let asked = terminal.shown().lines().find(|line| line.contains("? task ")).unwrap();
    assert!(asked.contains("…: a sub-agent works on it"), "{asked}");
    assert!(terminal.shown().contains("sub-agent clerk: [a]pprove"), "{}", terminal.shown());
    terminal.press("\u{3}", "the turn ended: cancelled").await;
    let shown = terminal.shown();
    assert!(shown.lines().any(|line| line.ends_with("…: cancelled")) && !shown.contains("denied"), "{shown}");
    terminal.leave().await;
}

#[tokio::test]
async fn the_prompts_after_the_letter_lead_back_to_the_question() {
    const WHY: &str = "why (the model reads it): ";
    let (upstream, place) = asking(&["first"]).await;
    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("one", QUESTION).await;
    for (letter, prompt, keys) in [
        ("e", "arguments: ", "\u{3}"),
        // Ctrl-D leaves an empty line only.
        ("e", "arguments: ", "\u{15}\u{4}"),
        ("d", WHY, "\u{3}"),
        ("d", WHY, "\u{4}"),
    ] {
        terminal.enter(letter, prompt).await;
        terminal.press(keys, QUESTION).await;
    }
    terminal.enter("a", "first").await;
    terminal.leave().await;
    assert_eq!(results(&upstream), ["42"]);
}

#[tokio::test]
async fn a_note_that_is_too_long_is_refused_at_the_prompt() {
    let (upstream, place) = asking(&["first"]).await;
    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("one", QUESTION).await;
    let note = "x".repeat(4097);
    terminal.enter(&format!("d {note}"), "a note has at most 4096 bytes, and this one has 4097: shorten it").await;
    terminal.enter("d not now", "first").await;
    terminal.leave().await;
    let results = results(&upstream);
    assert!(results.len() == 1 && results[0].contains("not now"), "{results:?}");
}

#[tokio::test]
async fn an_interruption_at_a_withdrawn_question_cancels_the_turn() {
    let (_upstream, place) = asking_of([calls(), Response::stream().hang()]).await;
    let server = place.serve().await;
    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("one", QUESTION).await;
    let id = listed(&place, &[]).await[0]["id"].as_str().unwrap().to_owned();
    let resolved = place.run(&["interactions", "resolve", &id, "--deny"]).await;
    assert_eq!(resolved.code, Some(0), "{resolved:?}");
    terminal.shows("the question is withdrawn; press Enter to continue").await;
    terminal.press("\u{3}", "the turn ended: cancelled").await;
    terminal.leave().await;
    server.stop().await;
}
