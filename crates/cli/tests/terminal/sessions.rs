//! `turnkit sessions`, `init` and `version` as a user runs them.

use crate::support::Place;
use serde_json::Value;

#[tokio::test]
async fn sessions_are_listed_the_last_used_first_shown_and_removed() {
    let place = Place::new();
    place.run(&["chat", "-p", "--session", "older", "Hello"]).await;
    place.run(&["chat", "-p", "--session", "newer", "What is 1 + 1?"]).await;
    let listed: Value = serde_json::from_str(&place.run(&["sessions", "ls", "--json"]).await.stdout).unwrap();
    let names: Vec<&str> =
        listed["data"].as_array().unwrap().iter().map(|session| session["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["newer", "older"]);
    assert_eq!(listed["data"][0]["title"], "What is 1 + 1?");

    let table = place.run(&["sessions", "ls"]).await.stdout;
    assert_eq!(table.lines().count(), 2);
    assert!(table.lines().next().unwrap().ends_with("What is 1 + 1?  (newer)"), "{table}");
    assert_eq!(place.run(&["sessions", "ls", "--limit", "1"]).await.stdout.lines().count(), 1);

    let shown: Value = serde_json::from_str(&place.run(&["sessions", "show", "newer", "--json"]).await.stdout).unwrap();
    let roles: Vec<&str> =
        shown["messages"].as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["user", "assistant", "tool", "assistant"]);

    assert_eq!(place.run(&["sessions", "rm", "newer"]).await.code, Some(0));
    assert_eq!(place.run(&["sessions", "show", "newer"]).await.code, Some(1));
    assert_eq!(place.run(&["sessions", "ls"]).await.stdout.lines().count(), 1);
}

#[tokio::test]
async fn sessions_are_pinned_and_archived_and_back() {
    let place = Place::new();
    for name in ["first", "second", "third"] {
        place.run(&["chat", "-p", "--session", name, "Hello"]).await;
    }
    let names = async |words: &[&str]| -> Vec<String> {
        let listed: Value = serde_json::from_str(&place.run(words).await.stdout).unwrap();
        listed["data"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
    };
    for (verb, name, listed, archived) in [
        ("pin", "first", &["first", "third", "second"][..], &[][..]),
        ("archive", "third", &["first", "second"], &["third"]),
        ("unpin", "first", &["second", "first"], &["third"]),
        ("unarchive", "third", &["third", "second", "first"], &[]),
    ] {
        let done = place.run(&["sessions", verb, name]).await;
        assert_eq!(done.code, Some(0), "{verb}: {done:?}");
        assert_eq!(names(&["sessions", "ls", "--json"]).await, listed, "{verb}");
        assert_eq!(names(&["sessions", "ls", "--json", "--archived"]).await, archived, "{verb}");
    }
    assert_eq!(place.run(&["sessions", "pin", "nonesuch"]).await.code, Some(1));
}

#[tokio::test]
async fn the_trace_of_a_turn_is_drawn_as_a_waterfall() {
    let place = Place::new();
    place.run(&["chat", "-p", "What is 1 + 1?"]).await;
    let listed: Value = serde_json::from_str(&place.run(&["turns", "ls", "--json"]).await.stdout).unwrap();
    let turn = listed["data"][0]["id"].as_str().unwrap();
    let drawn = place.run(&["turns", "trace", turn]).await;
    assert_eq!(drawn.code, Some(0), "{drawn:?}");
    let kinds: Vec<&str> = drawn.stdout.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(kinds, ["turn", "step", "attempt", "tool", "step", "attempt"], "{}", drawn.stdout);
    assert!(drawn.stdout.lines().all(|line| line.contains('█')), "{}", drawn.stdout);
    let spans: Value = serde_json::from_str(&place.run(&["turns", "trace", turn, "--json"]).await.stdout).unwrap();
    assert_eq!((&spans[0]["kind"], spans.as_array().unwrap().len()), (&Value::from("turn"), kinds.len()));
    let unknown = place.run(&["turns", "trace", "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7aff"]).await;
    assert_eq!(unknown.code, Some(1));
}

#[tokio::test]
async fn an_empty_list_explains_the_first_step() {
    let listed = Place::new().run(&["sessions", "ls"]).await;
    assert_eq!((listed.code, listed.stdout.as_str()), (Some(0), ""));
    assert!(listed.stderr.contains("`turnkit chat` begins one"));
}

#[tokio::test]
async fn reading_without_data_creates_nothing() {
    let place = Place::new();
    for (words, code, stdout, said) in [
        (&["sessions", "ls"][..], 0, "", "no sessions yet"),
        (&["sessions", "ls", "--json"], 0, "{\"data\":[],\"next\":null}\n", ""),
        (&["sessions", "show", "trip"], 1, "", "there is no session trip"),
        (&["sessions", "rm", "trip"], 1, "", "there is no session trip"),
    ] {
        let read = place.run(words).await;
        assert_eq!((read.code, read.stdout.as_str()), (Some(code), stdout), "{words:?}");
        assert!(read.stderr.contains(said), "{words:?}: {read:?}");
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0, "{words:?}");
    }
}

#[tokio::test]
async fn a_long_list_is_read_page_by_page() {
    let place = Place::new();
    for name in ["first", "second", "third"] {
        place.run(&["chat", "-p", "--session", name, "Hello"]).await;
    }
    let mut seen = Vec::new();
    let mut words: Vec<String> = ["sessions", "ls", "--json", "--limit", "2"].map(str::to_owned).to_vec();
    loop {
        let listed = place.run(&words.iter().map(String::as_str).collect::<Vec<_>>()).await.stdout;
        let page: Value = serde_json::from_str(&listed).unwrap();
        seen.push(page["data"].as_array().unwrap().iter().map(|session| session["name"].clone()).collect::<Vec<_>>());
        let Some(next) = page["next"].as_str() else { break };
        words.splice(5.., ["--after".to_owned(), next.to_owned()]);
    }
    assert_eq!(seen, [vec!["third", "second"], vec!["first"]]);

    let page = place.run(&["sessions", "ls", "--limit", "2"]).await;
    let last = page.stdout.lines().last().unwrap().split(' ').next().unwrap();
    assert!(page.stderr.contains(&format!("there are more: --after {last}")), "{page:?}");
    let rest = place.run(&["sessions", "ls", "--after", last]).await;
    assert_eq!((rest.stdout.lines().count(), rest.stderr.as_str()), (1, ""));
    let gone = place.run(&["sessions", "ls", "--after", "01234567-89ab-7cde-8f01-23456789abcd"]).await;
    assert_eq!(gone.code, Some(1));
    assert!(gone.stderr.contains("there is no session 01234567-89ab-7cde-8f01-23456789abcd"), "{gone:?}");
}

#[tokio::test]
async fn sessions_are_searched_here_and_at_a_server() {
    let place = Place::new();
    for (name, message) in [("trip", "Trains to Lisbon?"), ("sums", "What is 1 + 1?")] {
        place.run(&["chat", "-p", "--session", name, message]).await;
    }
    let here = place.run(&["sessions", "search", "lisbon", "train"]).await;
    let lines: Vec<&str> = here.stdout.lines().collect();
    assert!(lines.len() == 2 && lines[0].ends_with("(trip)"), "{here:?}");
    assert_eq!(lines[1], "  turn 1: Trains to Lisbon?");
    let found: Value =
        serde_json::from_str(&place.run(&["sessions", "search", "lisbon", "--json"]).await.stdout).unwrap();
    assert_eq!(found["data"][0]["match"]["number"], 1);
    let nothing = place.run(&["sessions", "search", "madrid"]).await;
    assert_eq!((nothing.code, nothing.stdout.as_str()), (Some(0), ""));
    assert!(nothing.stderr.contains("nothing was found"), "{nothing:?}");
    assert_eq!(place.run(&["sessions", "search", "?"]).await.code, Some(2));

    let server = place.serve().await;
    assert_eq!(place.run(&["sessions", "search", "lisbon", "train"]).await.stdout, here.stdout);
    server.stop().await;
}

#[tokio::test]
async fn a_list_whose_reader_closes_the_pipe_ends_quietly() {
    let place = Place::new();
    place.run(&["chat", "-p", "Hello"]).await;
    let mut child = place.start(&["sessions", "ls"]);
    drop(child.stdout.take());
    let ended = crate::support::outcome(child).await;
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""));
}

#[tokio::test]
async fn init_writes_a_configuration_that_works_and_never_over_another() {
    let place = Place::new();
    assert_eq!(place.run(&["init", "here"]).await.code, Some(0));
    let before = std::fs::read_to_string(place.path().join("here/turnkit.toml")).unwrap();
    let again = place.run(&["init", "here"]).await;
    assert_eq!(again.code, Some(2));
    assert!(again.stderr.contains("exists already; nothing was written"));
    assert_eq!(std::fs::read_to_string(place.path().join("here/turnkit.toml")).unwrap(), before);

    let asked = place.run(&["--config", "here/turnkit.toml", "chat", "-p", "What is 2 + 2?"]).await;
    assert_eq!((asked.code, asked.stdout.as_str()), (Some(0), "2 + 2 is 4.\n"), "{asked:?}");
    assert!(place.path().join("here/data/turnkit.db").is_file(), "paths start at the file's folder");
}

#[tokio::test]
async fn init_reports_a_file_in_the_place_of_the_folder() {
    let place = Place::new();
    place.write("taken", "");
    for folder in ["taken", "taken/inner"] {
        let refused = place.run(&["init", folder]).await;
        assert_eq!(refused.code, Some(2));
        let said = format!("{folder} cannot be a folder: a file is in its place; nothing was written");
        assert!(refused.stderr.contains(&said), "{refused:?}");
    }
}

#[tokio::test]
async fn data_is_stored_in_the_chosen_folder() {
    let place = Place::new();
    place.run(&["--data", "elsewhere", "chat", "-p", "Hello"]).await;
    assert!(place.path().join("elsewhere/turnkit.db").is_file());
    assert!(!place.has_data());
}

#[tokio::test]
async fn the_version_is_printed_for_people_and_programs() {
    let place = Place::new();
    assert_eq!(place.run(&["version"]).await.stdout, format!("turnkit {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(
        place.run(&["version", "--json"]).await.stdout,
        format!("{{\"version\":\"{}\"}}\n", env!("CARGO_PKG_VERSION"))
    );
}

#[tokio::test]
async fn help_teaches_with_examples_and_exit_codes() {
    let help = Place::new().run(&["--help"]).await.stdout;
    for taught in ["turnkit chat -p", "turnkit init", "Exit codes: 0 ok, 1 failed, 2 usage", "offline responder"] {
        assert!(help.contains(taught), "{taught:?} is not in {help}");
    }
}

/// Makes the titles equal to `title` invalid text, in a database that no process has open.
fn damage_title(place: &Place, title: &str) {
    let file = place.data_of_user().join("turnkit.db");
    let mut content = std::fs::read(&file).unwrap();
    let found: Vec<usize> = content
        .windows(title.len())
        .enumerate()
        .filter(|(_, part)| *part == title.as_bytes())
        .map(|(at, _)| at)
        .collect();
    // In a message, the text is in quotes.
    found
        .into_iter()
        .filter(|at| content[at - 1] != b'"')
        .collect::<Vec<_>>()
        .into_iter()
        .for_each(|at| content[at] = 0xff);
    std::fs::write(&file, content).unwrap();
}

#[tokio::test]
async fn a_damaged_session_is_named_hides_no_other_and_can_be_removed() {
    let place = Place::new();
    place.run(&["chat", "-p", "unmistakable"]).await;
    let damaged = place.last_session().await;
    place.run(&["chat", "-p", "another"]).await;
    damage_title(&place, "unmistakable");

    let named = format!(
        "session {damaged} is damaged; `turnkit doctor` describes the damage, `turnkit sessions rm` removes it\n"
    );
    let check = async |place: &Place| {
        let list = place.run(&["sessions", "ls"]).await;
        assert_eq!((list.code, list.stderr.as_str()), (Some(0), named.as_str()), "{list:?}");
        assert!(list.stdout.contains("another") && list.stdout.lines().count() == 1, "{list:?}");
        let report = place.run(&["doctor"]).await;
        assert_eq!(report.code, Some(1));
        assert!(report.stdout.contains(&format!("is damaged: session {damaged}: ")), "{report:?}");
    };
    check(&place).await;
    let server = place.serve().await;
    check(&place).await;
    let listed = server.client().get("/api/v1/sessions?limit=1").await.unwrap().json();
    assert_eq!((listed["data"].as_array().unwrap().len(), &listed["unreadable"]), (1, &serde_json::json!([damaged])));
    server.stop().await;

    let removed = place.run(&["sessions", "rm", &damaged]).await;
    assert_eq!(removed.code, Some(0), "{removed:?}");
    assert_eq!(place.run(&["sessions", "ls"]).await.stderr, "");
    assert_eq!(place.run(&["doctor"]).await.code, Some(0));
    assert_eq!(place.run(&["sessions", "rm", &damaged]).await.code, Some(1));
}

#[tokio::test]
async fn the_context_of_a_session_is_shown_piece_by_piece_with_the_request() {
    let place = Place::new();
    place.run(&["chat", "-p", "--session", "trip", "Hello"]).await;
    let shown = place.run(&["sessions", "context", "trip"]).await.stdout;
    for part in [
        "system       agent ",
        "tool         calculator ",
        "history      messages ",
        "reserve      answer ",
        " tokens; the window of the model is not known",
        "agent assistant, model the provider's default, params {}",
        "\nYou are a helpful assistant.\n\n> Hello\n",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let context: Value =
        serde_json::from_str(&place.run(&["sessions", "context", "trip", "--json"]).await.stdout).unwrap();
    assert_eq!(context["items"][0]["tokens"], 8);
    assert_eq!(context["request"]["instructions"], "You are a helpful assistant.");
    assert_eq!(context["request"]["messages"][0]["parts"][0]["text"], "Hello");

    let missing = place.run(&["sessions", "context", "journey"]).await;
    assert!(missing.code == Some(1) && missing.stderr.contains("there is no session journey"), "{missing:?}");
}
