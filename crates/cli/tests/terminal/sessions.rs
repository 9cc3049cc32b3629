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
async fn an_empty_list_says_how_to_begin() {
    let listed = Place::new().run(&["sessions", "ls"]).await;
    assert_eq!((listed.code, listed.stdout.as_str()), (Some(0), ""));
    assert!(listed.stderr.contains("`turnkit chat` begins one"));
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
async fn data_goes_where_it_is_told() {
    let place = Place::new();
    place.run(&["--data", "elsewhere", "chat", "-p", "Hello"]).await;
    assert!(place.path().join("elsewhere/turnkit.db").is_file());
    assert!(!place.path().join("data").exists());
}

#[tokio::test]
async fn the_version_is_told_to_people_and_programs() {
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
