//! Questions of a chat that are decided, at its prompt and elsewhere.

use turnkit_testkit::{FakeUpstream, Gate, Response};

use crate::approving::{ASKS, QUESTION, asking_of, calls, listed};
use crate::progress;
use crate::prompt::Terminal;
use crate::question_prompts::{CLERKS, configure};
use crate::support::Place;

const WITHDRAWN: &str = "the question is withdrawn; press Enter to continue";

/// Three calls that need approval.
const SUMS: [(&str, &str, &str); 3] = [
    ("c1", "calculator", r#"{"expression":"6*7"}"#),
    ("c2", "calculator", r#"{"expression":"1+1"}"#),
    ("c3", "calculator", r#"{"expression":"2+3"}"#),
];

#[tokio::test]
async fn of_several_open_questions_those_decided_elsewhere_are_withdrawn_at_once() {
    for is_below in [false, true] {
        let task = Response::calls(&[("c1", "task", r#"{"prompt":"Add.","agent":"clerk"}"#)]);
        let script = match is_below {
            false => vec![Response::calls(&SUMS), Response::text("All done")],
            true => vec![task, Response::calls(&SUMS), Response::text("Added."), Response::text("All done")],
        };
        let (upstream, place) = asking_of(script).await;
        if is_below {
            configure(&place, CLERKS);
        }
        let server = place.serve().await;
        let mut terminal = Terminal::start(&place, &["chat"]);
        terminal.enter("one", QUESTION).await;
        let pending = listed(&place, &[]).await;
        let ids: Vec<&str> = pending.iter().map(|one| one["id"].as_str().unwrap()).collect();
        assert_eq!(ids.len(), 3, "below: {is_below}");
        let requests = upstream.requests().len();
        // The second question has not been asked yet.
        for (id, words) in [(ids[1], &["--approve"][..]), (ids[0], &["--deny", "--note", "said elsewhere"])] {
            let resolved = place.run(&[&["interactions", "resolve", id], words].concat()).await;
            assert_eq!(resolved.code, Some(0), "{resolved:?}");
        }
        terminal.shows(WITHDRAWN).await;
        terminal.shows("denied: said elsewhere").await;
        terminal.shows_after(r#"? calculator {"expression":"1+1"}: "#, "  approved").await;
        assert_eq!(upstream.requests().len(), requests, "the turn still waits; below: {is_below}");

        terminal.enter("", r#"? calculator {"expression":"2+3"}: "#).await;
        terminal.shows_after("2+3", QUESTION).await;
        assert!(!terminal.shown().contains("1+1"), "{}", terminal.shown());
        terminal.enter("d not this", "All done").await;
        let is_repeated = ["denied: said elsewhere", "approved"].iter().any(|line| terminal.shown().contains(line));
        assert!(!is_repeated, "{}", terminal.shown());
        terminal.leave().await;

        let decided = listed(&place, &["--all"]).await;
        let decided = decided.iter().filter(|one| one["kind"] == "approval");
        let decided: Vec<&str> = decided.map(|one| one["decided"]["decision"].as_str().unwrap()).collect();
        assert_eq!(decided, ["denied", "approved", "denied"], "below: {is_below}");
        server.stop().await;
    }
}

#[tokio::test]
async fn a_question_that_expires_is_withdrawn_while_its_turn_waits_for_a_sub_agent() {
    let gate = Gate::new();
    let both = [SUMS[0], ("c2", "task", r#"{"prompt":"Wait.","agent":"clerk"}"#)];
    let waits = Response::stream().wait(&gate).followed_by(Response::text("Waited."));
    let upstream = FakeUpstream::start([Response::calls(&both), waits, Response::text("All done")]).await.unwrap();
    let place = Place::asking(&upstream);
    let agents = CLERKS.replace(r#"["task"]"#, r#"["task", "calculator"]"#);
    configure(&place, &format!("\n[permissions]\napproval_ttl_s = 3\n{ASKS}{agents}"));
    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("plan", QUESTION).await;
    terminal.shows(WITHDRAWN).await;
    terminal.shows("expired").await;
    terminal.press("\r", "").await;
    gate.open();
    terminal.shows("All done").await;
    assert!(!terminal.shown().contains("expired"), "{}", terminal.shown());
    terminal.leave().await;
}

#[tokio::test]
async fn a_decision_names_its_call_unless_it_is_directly_below_its_question() {
    let script = [Response::calls(&SUMS[..2]), Response::text("first"), calls(), Response::text("second")];
    let (_upstream, place) = asking_of(script).await;
    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("one", QUESTION).await;
    terminal.enter("a", r#"? calculator {"expression":"1+1"}: "#).await;
    terminal.shows_after("1+1", QUESTION).await;
    terminal.enter("a", "first").await;
    for (_, name, arguments) in &SUMS[..2] {
        let named = format!("  {name} {arguments}: approved");
        assert!(terminal.shown().contains(&named), "{named}: {}", terminal.shown());
    }
    terminal.enter("two", QUESTION).await;
    terminal.enter("a", "second").await;
    assert!(terminal.shown().contains("  approved"), "{}", terminal.shown());
    terminal.leave().await;
}

#[tokio::test]
async fn a_decision_below_the_result_of_another_call_names_its_own() {
    let both = [SUMS[0], ("c2", "build", "{}")];
    let upstream = FakeUpstream::start([Response::calls(&both), Response::text("All is built.")]).await.unwrap();
    let place = progress::place(&upstream);
    configure(&place, ASKS);
    let server = place.serve().await;
    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("build it", QUESTION).await;
    let id = listed(&place, &[]).await[0]["id"].as_str().unwrap().to_owned();
    let (turn, _) = id.split_once('.').unwrap();
    let mut follower = Terminal::start(&place, &["turns", "tail", turn]);
    place.write("go", "");
    follower.shows("compiling built").await;
    terminal.enter("a", "All is built.").await;
    let (_, below) = terminal.shown().split_once("compiling built").unwrap();
    assert!(below.contains(r#"  calculator {"expression":"6*7"}: approved"#), "{below}");
    terminal.leave().await;
    follower.shows("All is built.").await;
    follower.ends().await;
    server.stop().await;
}
