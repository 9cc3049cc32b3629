//! Calls that need approval, decided at the terminal and by command.

use serde_json::{Value, json};
use turnkit_testkit::{FakeUpstream, Gate, Response};

use crate::prompt::Terminal;
use crate::support::Place;

pub(crate) const ASKS: &str = "\n[[permissions.rules]]\ntool = \"calculator\"\ndecision = \"ask\"\n";
pub(crate) const QUESTION: &str = "[a]pprove, for the [s]ession, al[w]ays, [e]dit, [d]eny: ";

/// Returns a model that calls the calculator before each of these answers, and a folder whose agent requires approval.
pub(crate) async fn asking(answers: &[&str]) -> (FakeUpstream, Place) {
    asking_of(answers.iter().flat_map(|text| [calls(), Response::text(text)])).await
}

pub(crate) fn calls() -> Response {
    Response::calls(&[("c1", "calculator", r#"{"expression":"6*7"}"#)])
}

pub(crate) async fn asking_of(script: impl IntoIterator<Item = Response>) -> (FakeUpstream, Place) {
    let upstream = FakeUpstream::start(script).await.unwrap();
    let place = Place::asking(&upstream);
    let file = place.path().join("turnkit.toml");
    let configuration = std::fs::read_to_string(&file).unwrap();
    std::fs::write(file, configuration + ASKS).unwrap();
    (upstream, place)
}

/// Returns the result of the last call in each request that continues after one.
pub(crate) fn results(upstream: &FakeUpstream) -> Vec<String> {
    let requests = upstream.requests();
    let last = requests.iter().filter_map(|request| request.json()["messages"].as_array()?.last().cloned());
    last.filter(|message| message["role"] == "tool")
        .map(|message| message["content"].as_str().unwrap().to_owned())
        .collect()
}

pub(crate) async fn listed(place: &Place, words: &[&str]) -> Vec<Value> {
    let list = place.run(&[&["interactions", "ls", "--json"], words].concat()).await;
    let list: Value = serde_json::from_str(&list.stdout).unwrap_or_else(|_| panic!("{list:?}"));
    list["data"].as_array().unwrap().clone()
}

#[tokio::test]
async fn a_person_approves_edits_denies_and_interrupts_at_the_prompt_here_and_at_a_server() {
    for served in [false, true] {
        let (upstream, place) = asking(&["first", "second", "third", "fourth"]).await;
        let server = if served { Some(place.serve().await) } else { None };
        let mut terminal = Terminal::start(&place, &["chat"]);
        terminal.enter("one", QUESTION).await;
        assert!(terminal.shown().contains(r#"? calculator {"expression":"6*7"}: "#), "{}", terminal.shown());
        terminal.enter("what?", "type one of the letters in brackets").await;
        terminal.enter("a", "first").await;
        terminal.enter("two", QUESTION).await;
        terminal.enter("e", "arguments: ").await;
        // The service rejects the arguments; the call is asked about again.
        terminal.enter("\u{15}{\"expression\":5}", "is not of type").await;
        terminal.shows(QUESTION).await;
        terminal.enter("e", "arguments: ").await;
        terminal.enter("\u{15}[1]", "not a JSON object").await;
        // Until the prompt is shown again, the terminal would interpret Ctrl-U itself.
        while !terminal.shown().split_once("not a JSON object").unwrap().1.contains("arguments: [1]") {
            terminal.more().await;
        }
        terminal.enter("\u{15}{\"expression\":\"1+1\"}", "second").await;
        assert!(terminal.shown().contains(r#"calculator {"expression":"1+1"}"#), "{}", terminal.shown());
        terminal.enter("three", QUESTION).await;
        terminal.enter("d", "why (the model reads it): ").await;
        terminal.enter("no sums today", "third").await;
        terminal.enter("four", QUESTION).await;
        terminal.enter("d not now", "fourth").await;
        upstream.push(calls());
        terminal.enter("five", QUESTION).await;
        terminal.enter("\u{3}", "the turn ended: cancelled").await;
        terminal.leave().await;

        let results = results(&upstream);
        let expected = ["42", "2", "no sums today", "not now"];
        assert_eq!(results.len(), expected.len(), "{results:?}");
        let holds = results.iter().zip(expected).all(|(result, expected)| result.contains(expected));
        assert!(holds, "{results:?}");
        assert_eq!(listed(&place, &[]).await, [Value::Null; 0], "served: {served}");
        let decided = listed(&place, &["--all"]).await;
        let decided: Vec<_> = decided.iter().map(|one| (&one["decided"]["decision"], &one["decided"]["by"])).collect();
        let (approved, denied) = (json!("approved"), json!("denied"));
        let (person, cancelled) = (json!("person"), json!("cancelled"));
        let expected = [
            (&approved, &Value::Null),
            (&approved, &Value::Null),
            (&denied, &person),
            (&denied, &person),
            (&denied, &cancelled),
        ];
        assert_eq!(decided, expected, "served: {served}");
        if let Some(server) = server {
            server.stop().await;
        }
    }
}

#[tokio::test]
async fn a_question_names_the_rule_that_asks_by_its_number_in_the_configuration() {
    let (_upstream, place) = asking(&["done"]).await;
    let file = place.path().join("turnkit.toml");
    let other = "[[permissions.rules]]\ntool = \"calculator\"\nagent = \"other\"\ndecision = \"deny\"\n";
    let agents =
        ["assistant", "other"].map(|name| format!("[[agents]]\nname = \"{name}\"\ntools = [\"calculator\"]\n"));
    let configuration = std::fs::read_to_string(&file).unwrap();
    let configuration = configuration.replace(ASKS, &format!("\n{other}{ASKS}{}", agents.concat()));
    std::fs::write(file, configuration).unwrap();
    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("one", QUESTION).await;
    let asks = r#"? calculator {"expression":"6*7"}: rule 2 of the configuration asks for approval"#;
    assert!(terminal.shown().contains(asks), "{}", terminal.shown());
    terminal.enter("a", "done").await;
    terminal.leave().await;
}

#[tokio::test]
async fn input_typed_before_a_question_does_not_answer_it() {
    for start in [Terminal::start, Terminal::start_capable] {
        let gate = Gate::new();
        let script = [Response::stream().wait(&gate).followed_by(calls()), Response::text("done")];
        let (upstream, place) = asking_of(script).await;
        let mut terminal = start(&place, &["chat"]);
        terminal.enter("one", "one").await;
        upstream.wait_for(|counts| counts.requests == 1).await;
        terminal.enter("a yes please", "a yes please").await;
        gate.open();
        terminal.shows(QUESTION).await;
        terminal.enter("d not yet", "done").await;
        terminal.leave().await;
        assert!(results(&upstream)[0].contains("not yet"), "{:?}", results(&upstream));
    }
}

#[tokio::test]
async fn a_call_without_a_preview_is_shown_whole() {
    let sum = format!("{}1", "1+".repeat(300));
    let call = Response::calls(&[("c1", "calculator", &json!({ "expression": sum }).to_string())]);
    let (_upstream, place) = asking_of([call, Response::text("done")]).await;
    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("one", QUESTION).await;
    assert!(terminal.shown().contains(&sum), "{}", terminal.shown());
    terminal.enter("d no", "done").await;
    terminal.leave().await;
}

#[tokio::test]
async fn the_question_before_the_prompt_names_the_call_that_it_is_about() {
    let second = "{\"expression\":\"1+1\u{9b}\u{202e}\"}";
    let both = [("c1", "calculator", r#"{"expression":"6*7"}"#), ("c2", "calculator", second)];
    let (upstream, place) = asking_of([Response::calls(&both), Response::text("first")]).await;
    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("one", QUESTION).await;
    for call in [r#"calculator {"expression":"6*7"}"#, "calculator {\"expression\":\"1+1\u{fffd}\"}"] {
        let is_named = |shown: &str| {
            let asked = shown.rsplit_once(QUESTION).and_then(|(before, _)| before.rsplit_once("? "));
            asked.is_some_and(|(_, asked)| asked.contains(call))
        };
        while !is_named(terminal.shown()) {
            terminal.more().await;
        }
        if call.contains("6*7") {
            terminal.enter("a", QUESTION).await;
        }
    }
    // The line editor gets the arguments with control characters escaped.
    terminal.enter("e", r#"arguments: {"expression":"1+1\u009b\u202e"}"#).await;
    terminal.enter("\u{15}{\"expression\":\"1+1\"}", "first").await;
    terminal.leave().await;
    let results = results(&upstream);
    assert!(results[0].contains("1+1") && results[0].ends_with('2'), "{results:?}");
    let decided = listed(&place, &["--all"]).await;
    assert_eq!(decided.iter().map(|one| one["arguments"].as_str().unwrap()).collect::<Vec<_>>(), [both[0].2, second]);
}

#[tokio::test]
async fn a_question_that_is_decided_elsewhere_is_withdrawn_at_the_prompt() {
    let (upstream, place) = asking(&["first", "second"]).await;
    let server = place.serve().await;
    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("one", QUESTION).await;
    let id = listed(&place, &[]).await[0]["id"].as_str().unwrap().to_owned();
    let resolved = place.run(&["interactions", "resolve", &id, "--deny", "--note", "said elsewhere"]).await;
    assert_eq!(resolved.code, Some(0), "{resolved:?}");
    terminal.shows("first").await;
    assert!(terminal.shown().contains("the question is withdrawn; press Enter to continue"), "{}", terminal.shown());
    // Input at the old question decides nothing and is not sent to the model.
    terminal.enter("a", "not sent, because the question was withdrawn: a").await;
    terminal.enter("two", QUESTION).await;
    terminal.enter("a", "second").await;
    terminal.leave().await;
    let results = results(&upstream);
    assert!(results[0].contains("said elsewhere") && results[1].contains("42") && results.len() == 2, "{results:?}");
    server.stop().await;
}

#[tokio::test]
async fn an_approval_for_the_session_or_for_always_is_not_asked_again_here_and_at_a_server() {
    for served in [false, true] {
        let (upstream, place) = asking(&["first", "second", "third", "fourth", "fifth"]).await;
        let server = if served { Some(place.serve().await) } else { None };
        let mut terminal = Terminal::start(&place, &["chat"]);
        terminal.enter("one", QUESTION).await;
        terminal.enter("s", "first").await;
        let granted = "  approved, also for later calls of calculator in this session";
        assert!(terminal.shown().contains(granted), "{}", terminal.shown());
        terminal.enter("two", "second").await;
        terminal.leave().await;
        let mut terminal = Terminal::start(&place, &["chat"]);
        terminal.enter("three", QUESTION).await;
        terminal.enter("w take care", "third").await;
        let granted = "later calls of calculator with the same subject, in all your sessions: take care";
        assert!(terminal.shown().contains(granted), "{}", terminal.shown());
        terminal.leave().await;
        let elsewhere = place.run(&["chat", "-p", "four"]).await;
        assert!(elsewhere.stdout.contains("fourth"), "{elsewhere:?}");
        assert!(results(&upstream).iter().all(|result| result.ends_with("42")), "{:?}", results(&upstream));

        let list = place.run(&["permissions", "ls", "--json"]).await;
        let list: Value = serde_json::from_str(&list.stdout).unwrap_or_else(|_| panic!("{list:?}"));
        let ids: Vec<&str> = list["data"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect();
        let shown = place.run(&["permissions", "ls", "--limit", "1"]).await;
        assert!(shown.stdout.starts_with(ids[0]) && shown.stdout.ends_with(" calculator always\n"), "{shown:?}");
        assert!(shown.stderr.contains(&format!("there are more: --after {}", ids[0])), "{shown:?}");
        let shown = place.run(&["permissions", "ls", "--after", ids[0]]).await;
        assert!(shown.stdout.starts_with(ids[1]) && shown.stdout.contains(" calculator in session "), "{shown:?}");
        for id in &ids {
            assert_eq!(place.run(&["permissions", "revoke", id]).await.code, Some(0));
        }
        let gone = place.run(&["permissions", "revoke", ids[0]]).await;
        assert!(gone.code == Some(1) && gone.stderr.contains("`turnkit permissions ls` lists them"), "{gone:?}");
        assert_eq!(place.run(&["permissions", "ls"]).await.stderr, "nothing is granted\n");
        let asked = place.run(&["chat", "-p", "five"]).await;
        assert!(asked.stdout.contains("fifth"), "{asked:?}");
        assert!(results(&upstream).last().unwrap().contains("no person can be asked"), "{:?}", results(&upstream));
        if let Some(server) = server {
            server.stop().await;
        }
    }
}

#[tokio::test]
async fn an_approval_by_command_may_be_for_later_calls_with_and_without_a_server() {
    let (upstream, place) = asking_of((0..4).flat_map(|_| [calls(), Response::text("Well.")])).await;
    let server = place.serve().await;
    let body = json!({ "message": "one", "interact": true });
    assert_eq!(server.client().post("/api/v1/turns", &[], &body).await.unwrap().status, 202);
    let mut pending = Vec::new();
    while pending.is_empty() {
        pending = listed(&place, &[]).await;
    }
    let id = pending[0]["id"].as_str().unwrap().to_owned();
    server.stop().await;
    for (words, code) in [
        (&["--deny", "--session"][..], 2),
        (&["--approve", "--session", "--always"], 2),
        (&["--approve", "--always", "--arguments", "{}"], 2),
        (&["--approve", "--always"], 0),
        (&["--approve", "--always"], 0),
        (&["--approve", "--session"], 1),
    ] {
        let resolved = place.run(&[&["interactions", "resolve", &id], words].concat()).await;
        assert_eq!(resolved.code, Some(code), "{words:?} {resolved:?}");
    }
    let done = place.run(&["chat", "-p", "two"]).await;
    assert!(done.code == Some(0) && results(&upstream).iter().all(|result| result.ends_with("42")), "{done:?}");
    let server = place.serve().await;
    let shown = place.run(&["permissions", "ls", "--server", &server.url]).await;
    assert!(shown.stdout.ends_with(" calculator always\n"), "{shown:?}");
    server.stop().await;
}

#[tokio::test]
async fn print_mode_asks_no_question_and_yes_approves_here_and_at_a_server() {
    for served in [false, true] {
        let (upstream, place) = asking(&["first", "second", "third"]).await;
        let server = if served { Some(place.serve().await) } else { None };
        for (words, says, result) in [
            (&["chat", "-p", "one"][..], "first", "no person can be asked"),
            (&["chat", "-p", "--yes", "one"], "second", "42"),
            (&["chat", "--json", "--yes", "one"], "third", "42"),
        ] {
            let done = place.run(words).await;
            assert!(done.code == Some(0) && done.stdout.contains(says), "{words:?} {done:?}");
            let is_explained = done.stderr.matches("calls that need approval are denied: run them with --yes").count();
            assert_eq!(is_explained, usize::from(says == "first"), "{words:?} {done:?}");
            let results = results(&upstream);
            assert!(results.last().unwrap().contains(result), "{words:?} {results:?}");
        }
        if let Some(server) = server {
            server.stop().await;
        }
    }
}

#[tokio::test]
async fn the_help_says_that_print_mode_asks_nobody() {
    let help = Place::new().run(&["chat", "--help"]).await.stdout;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("Calls that need approval are denied; --yes runs them"), "{help}");
}

#[tokio::test]
async fn open_interactions_are_decided_by_command_with_and_without_a_server() {
    // If the server is killed before an answer is stored, the model is asked again.
    let (upstream, place) =
        asking_of([calls(), calls()].into_iter().chain((0..9).map(|_| Response::text("Well.")))).await;
    let server = place.serve().await;
    let client = server.client();
    for message in ["one", "two"] {
        let body = json!({ "message": message, "interact": true });
        let begun = client.post("/api/v1/turns", &[], &body).await.unwrap();
        assert_eq!(begun.status, 202);
    }
    let mut pending = Vec::new();
    while pending.len() < 2 {
        pending = listed(&place, &[]).await;
    }
    let ids: Vec<&str> = pending.iter().map(|one| one["id"].as_str().unwrap()).collect();
    let shown = place.run(&["interactions", "ls"]).await.stdout;
    let line = shown.lines().next().unwrap();
    assert!(
        line.starts_with(ids[0]) && line.ends_with(r#"pending   approval: calculator {"expression":"6*7"}"#),
        "{shown}"
    );
    assert!(shown.contains("; open until 2"), "{shown}");
    let session = pending[1]["session_id"].as_str().unwrap();
    let of_session = listed(&place, &["--session", session]).await;
    assert_eq!(of_session.iter().map(|one| &one["id"]).collect::<Vec<_>>(), [ids[1]]);
    let resolved =
        place.run(&["interactions", "resolve", ids[0], "--approve", "--arguments", r#"{"expression":"2+3"}"#]).await;
    assert_eq!(resolved.code, Some(0), "{resolved:?}");
    while results(&upstream).is_empty() {
        tokio::task::yield_now().await;
    }
    server.kill().await;

    assert_eq!(listed(&place, &[]).await.len(), 1);
    for (words, code, says) in [
        (&["resolve", ids[0], "--deny"][..], 1, "already has a different decision: it was approved at 2"),
        (&["resolve", ids[1]], 2, "--approve"),
        (&["resolve", ids[1], "--deny", "--arguments", "{}"], 2, "--arguments"),
        (&["resolve", ids[1], "--approve", "--arguments", "[]"], 2, "--arguments: not a JSON object"),
        (&["resolve", ids[1], "--deny", "--note", &"x".repeat(4097)], 2, "error: --note: must be at most 4096 bytes"),
        (
            &["resolve", ids[1], "--outcome", "done"],
            2,
            "the interaction waits for an approval; use --approve or --deny",
        ),
        (&["resolve", "7", "--deny"], 2, "expected turn.step.ordinal.number"),
        (&["resolve", &format!("{}1", ids[1]), "--deny"], 1, "`turnkit interactions ls` lists them"),
        (&["resolve", ids[1], "--deny", "--note", "not today"], 0, "the turn continues when turns run again"),
        (&["resolve", ids[1], "--deny", "--note", "not today"], 0, "the turn continues when turns run again"),
    ] {
        let resolved = place.run(&[&["interactions"], words].concat()).await;
        assert!(resolved.code == Some(code) && resolved.stderr.contains(says), "{words:?} {resolved:?}");
    }
    let nothing = place.run(&["interactions", "ls"]).await;
    assert_eq!((nothing.stdout.as_str(), nothing.stderr.as_str()), ("", "nothing waits for a decision\n"));

    let server = place.serve().await;
    let is_read = |text: &str| results(&upstream).iter().any(|result| result.contains(text));
    while !is_read("not today") {
        tokio::task::yield_now().await;
    }
    server.stop().await;
    assert!(is_read("\n5"), "{:?}", results(&upstream));
}

#[tokio::test]
async fn a_refused_decision_names_the_options_that_fit_at_a_server_and_without_one() {
    let both = [("c1", "show", "{}"), ("c2", "calculator", r#"{"expression":"6*7"}"#)];
    let (_upstream, place) = asking_of([Response::calls(&both)]).await;
    let mut server = Some(place.serve().await);
    let body = json!({ "message": "one", "interact": true, "client_tools": [{ "name": "show" }] });
    let begun = server.as_ref().unwrap().client().post("/api/v1/turns", &[], &body).await.unwrap();
    assert_eq!(begun.status, 202);
    let mut pending = Vec::new();
    while pending.len() < 2 {
        pending = listed(&place, &[]).await;
    }
    let id_of = |kind: &str| pending.iter().find(|one| one["kind"] == kind).unwrap()["id"].as_str().unwrap();
    let (result, approval) = (id_of("client_tool"), id_of("approval"));
    for is_served in [true, false] {
        for (id, words, says) in [
            (result, &["--approve"][..], "the result of a client tool; use --result, --error or --deny\n"),
            (approval, &["--answer", "null"], "waits for an approval; use --approve or --deny\n"),
            (approval, &["--approve", "--arguments", "{}"], "error: --arguments: invalid arguments: "),
            (approval, &["--approve", "--session", "--arguments", "{}"], "error: --arguments: invalid arguments: "),
        ] {
            let refused = place.run(&[&["interactions", "resolve", id], words].concat()).await;
            assert_eq!(refused.code, Some(2), "served: {is_served} {words:?} {refused:?}");
            assert!(refused.stderr.contains(says), "served: {is_served} {words:?} {refused:?}");
        }
        if let Some(server) = server.take() {
            server.stop().await;
        }
    }
    assert_eq!(listed(&place, &[]).await.len(), 2, "both still wait");
}

/// Returns a model that asks the user these questions one after another, and writes `done` after each.
async fn asking_the_user(questions: &[&str]) -> (FakeUpstream, Place) {
    let script = questions
        .iter()
        .flat_map(|arguments| [Response::calls(&[("c1", "ask_user", arguments)]), Response::text("done")]);
    let upstream = FakeUpstream::start(script).await.unwrap();
    let place = Place::asking(&upstream);
    let file = place.path().join("turnkit.toml");
    let configuration = std::fs::read_to_string(&file).unwrap();
    let agent = "\n[[agents]]\nname = \"assistant\"\ntools = [\"ask_user\"]\n";
    std::fs::write(file, configuration + agent).unwrap();
    (upstream, place)
}

#[tokio::test]
async fn a_person_answers_the_questions_of_tools_at_the_prompt_here_and_at_a_server() {
    const ANSWER: &str = "answer, or /decline: ";
    let choices = r#"{"question":"Which colour?","choices":["red","blue"]}"#;
    let number = r#"{"question":"How many?","schema":{"type":"integer"}}"#;
    for served in [false, true] {
        let (upstream, place) = asking_the_user(&[choices, choices, number, choices]).await;
        let server = if served { Some(place.serve().await) } else { None };
        let mut terminal = Terminal::start(&place, &["chat"]);
        terminal.enter("one", ANSWER).await;
        for line in ["Which colour?", "1. red", "2. blue"] {
            assert!(terminal.shown().contains(line), "{line}: {}", terminal.shown());
        }
        terminal.enter("", "type an answer, or /decline").await;
        terminal.enter("2", "done").await;
        terminal.enter("two", ANSWER).await;
        terminal.enter("dark green", "done").await;
        terminal.enter("three", ANSWER).await;
        terminal.enter("many", "the answer must be JSON").await;
        // The service rejects the answer; the question stays open and is asked again.
        terminal.enter("3.5", "is not of type").await;
        terminal.shows(ANSWER).await;
        terminal.enter("3", "done").await;
        terminal.enter("four", ANSWER).await;
        terminal.enter("/decline no idea", "done").await;
        terminal.leave().await;
        let declined = r#"{"note":"no idea","status":"declined"}"#;
        assert_eq!(results(&upstream), ["blue", "dark green", "3", declined], "served: {served}");
        if let Some(server) = server {
            server.stop().await;
        }
    }
}

#[tokio::test]
async fn a_question_is_listed_with_its_choices_and_answered_by_command() {
    let (upstream, place) = asking_the_user(&[r#"{"question":"Which colour?","choices":["red","blue"]}"#]).await;
    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("one", "answer, or /decline: ").await;
    terminal.enter("\u{4}", "the question stays open").await;
    terminal.ends().await;
    let shown = place.run(&["interactions", "ls"]).await;
    for line in ["  question: ask_user ", "Which colour?", "1. red", "2. blue"] {
        assert!(shown.stdout.contains(line), "{line}: {shown:?}");
    }
    let id = listed(&place, &[]).await[0]["id"].as_str().unwrap().to_owned();
    for (words, why) in [
        (&["--answer", "7"][..], "--answer: the answer must be a string"),
        (&["--result", "blue"], "the interaction waits for an answer; use --answer or --deny"),
        (&["--answer", "blue", "--note", "really"], "cannot be used with"),
    ] {
        let refused = place.run(&[&["interactions", "resolve", &id], words].concat()).await;
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(why), "{refused:?}");
    }
    let answered = place.run(&["interactions", "resolve", &id, "--answer", "blue"]).await;
    assert_eq!(answered.code, Some(0), "{answered:?}");
    assert_eq!(listed(&place, &["--all"]).await[0]["decided"]["answer"], "blue");
    let server = place.serve().await;
    let turn = id.split_once('.').unwrap().0.to_owned();
    let ended = place.run(&["turns", "tail", &turn]).await;
    assert!(ended.stdout.contains("done"), "{ended:?}");
    assert_eq!(results(&upstream), ["blue"]);
    server.stop().await;
}

#[tokio::test]
async fn a_question_of_a_sub_agent_is_asked_at_the_prompt_of_its_parent_turn() {
    for served in [false, true] {
        let task = Response::calls(&[("c1", "task", r#"{"prompt":"Multiply.","agent":"clerk"}"#)]);
        let (upstream, place) =
            asking_of([task, calls(), Response::text("It is 42."), Response::text("All done")]).await;
        let file = place.path().join("turnkit.toml");
        let configuration = std::fs::read_to_string(&file).unwrap();
        let agents = "\n[[agents]]\nname = \"assistant\"\ntools = [\"task\"]\n\n[[agents]]\nname = \"clerk\"\n\
                      description = \"does sums\"\ntools = [\"calculator\"]\n";
        std::fs::write(&file, configuration + agents).unwrap();
        let server = if served { Some(place.serve().await) } else { None };
        let mut terminal = Terminal::start(&place, &["chat"]);
        terminal.enter("plan", QUESTION).await;
        assert!(terminal.shown().contains(r#"? calculator {"expression":"6*7"}: "#), "{}", terminal.shown());
        terminal.enter("a", "All done").await;
        terminal.leave().await;

        let requests = upstream.requests();
        let tools = requests[0].json()["tools"].to_string();
        assert!(tools.contains("- clerk: does sums"), "{tools}");
        let read = results(&upstream);
        assert_eq!((read.len(), read[0].as_str(), read[1].as_str()), (2, "42", "It is 42."), "{read:?}");
        let sessions = place.run(&["sessions", "ls", "--json"]).await;
        let sessions: Value = serde_json::from_str(&sessions.stdout).unwrap_or_else(|_| panic!("{sessions:?}"));
        assert_eq!(sessions["data"].as_array().unwrap().len(), 1, "the session of the sub-agent is not listed");
        let turns = place.run(&["turns", "ls"]).await.stdout;
        let marked: Vec<&str> = turns.lines().filter(|line| line.contains(", sub-agent of ")).collect();
        assert!(marked.len() == 1 && marked[0].contains("  clerk  "), "{turns}");
        if let Some(server) = server {
            server.stop().await;
        }
    }
}
