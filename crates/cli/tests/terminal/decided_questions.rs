//! Questions of a chat that are decided, at its prompt and elsewhere.

use turnkit_testkit::{FakeUpstream, Response};

use crate::approving::{ASKS, QUESTION, asking_of, calls, listed};
use crate::progress;
use crate::prompt::Terminal;
use crate::question_prompts::configure;

/// Two calls that need approval.
const SUMS: [(&str, &str, &str); 2] =
    [("c1", "calculator", r#"{"expression":"6*7"}"#), ("c2", "calculator", r#"{"expression":"1+1"}"#)];

#[tokio::test]
async fn a_decision_names_its_call_unless_it_is_directly_below_its_question() {
    let script = [Response::calls(&SUMS), Response::text("first"), calls(), Response::text("second")];
    let (_upstream, place) = asking_of(script).await;
    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("one", QUESTION).await;
    terminal.enter("a", r#"? calculator {"expression":"1+1"}: "#).await;
    terminal.shows_after("1+1", QUESTION).await;
    terminal.enter("a", "first").await;
    for (_, name, arguments) in &SUMS {
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
