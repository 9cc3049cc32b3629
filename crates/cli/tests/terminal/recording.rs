//! `TURNKIT_RECORD` and `turnkit turns replay` as a user runs them.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::{Outcome, Place, outcome};

/// `turnkit` with its exchanges recorded in the folder `rec`.
async fn recorded(place: &Place, words: &[&str]) -> Outcome {
    outcome(place.command(words).env("TURNKIT_RECORD", "rec").spawn().unwrap()).await
}

/// The recorded exchanges, in order.
fn exchanges(place: &Place) -> Vec<PathBuf> {
    let folder = place.path().join("rec/openai_chat");
    let mut found: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

#[tokio::test]
async fn what_is_said_to_a_provider_is_recorded_where_the_variable_says_and_told() {
    let calls = Response::calls(&[("c1", "calculator", "{\"expression\":\"6*7\"}")]);
    let answer = Response::text("It is 42, and secret-key is your key.");
    let upstream = FakeUpstream::start([calls.clone(), answer]).await.unwrap();
    let place = Place::asking(&upstream);
    let asked = recorded(&place, &["chat", "-p", "6 times 7?"]).await;
    assert_eq!(asked.code, Some(0), "{asked:?}");
    assert!(asked.stderr.contains("TURNKIT_RECORD is set: "), "{asked:?}");

    let found = exchanges(&place);
    assert_eq!(found.len(), 2, "one folder for each step: {found:?}");
    assert_eq!(fs::read(found[0].join("response.sse")).unwrap(), calls.body());
    assert_eq!(fs::read(found[1].join("request.json")).unwrap(), upstream.requests()[1].body);
    let said: Value = serde_json::from_slice(&fs::read(found[1].join("exchange.json")).unwrap()).unwrap();
    assert_eq!((&said["provider"], &said["step"], &said["ended"]), (&"fake".into(), &2.into(), &"whole".into()));
    for name in ["exchange.json", "request.json", "response.sse"] {
        assert!(!fs::read_to_string(found[1].join(name)).unwrap().contains("secret-key"), "{name}");
    }
}

#[tokio::test]
async fn a_folder_that_cannot_be_recorded_in_is_told_at_the_start() {
    let place = Place::new();
    place.write("rec", "a file");
    let provider = "[[providers]]\nid = \"fake\"\napi = \"openai-chat\"\nbase_url = \"http://127.0.0.1:1/v1\"\nmodels = [\"small\"]\n";
    place.write("turnkit.toml", provider);
    for words in [&["chat", "-p", "Hello"][..], &["serve", "--listen", "127.0.0.1:0"]] {
        let refused = recorded(&place, words).await;
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(
            refused.stderr.contains("error: environment variable TURNKIT_RECORD: nothing can be recorded in rec: "),
            "{refused:?}"
        );
    }
    assert!(!place.path().join("data").exists());
}

#[tokio::test]
async fn without_the_variable_nothing_is_recorded() {
    let upstream = FakeUpstream::start([Response::text("Hello.")]).await.unwrap();
    let place = Place::asking(&upstream);
    let asked = place.run(&["chat", "-p", "Hello"]).await;
    assert!(!asked.stderr.contains("recorded"), "{asked:?}");
    assert!(!place.path().join("rec").exists());
}
