//! `TURNKIT_RECORD` and `turnkit turns replay` as a user runs them.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;
use tokio::process::Child;
use turnkit_testkit::google::service_account;
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::{Outcome, Place, outcome, signal};

/// Starts `turnkit` with recording to the folder `rec`.
fn recording(place: &Place, words: &[&str]) -> Child {
    place.command(words).env("TURNKIT_RECORD", "rec").spawn().unwrap()
}

async fn recorded(place: &Place, words: &[&str]) -> Outcome {
    outcome(recording(place, words)).await
}

/// Returns the turns, oldest first.
async fn turns(place: &Place) -> Vec<String> {
    let listed: Value = serde_json::from_str(&place.run(&["turns", "ls", "--json"]).await.stdout).unwrap();
    let turns = listed["data"].as_array().unwrap().iter().rev();
    turns.map(|turn| turn["id"].as_str().unwrap().to_owned()).collect()
}

async fn replay(place: &Place, turn: &str) -> Outcome {
    place.run(&["turns", "replay", turn, "--from", "rec"]).await
}

/// Returns the recorded exchanges, in order.
fn exchanges(place: &Place) -> Vec<PathBuf> {
    let folder = place.path().join("rec/openai_chat");
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

/// Waits until this many exchanges are recorded completely, because the recorder runs concurrently with the turn.
async fn until_recorded(place: &Place, wanted: usize) {
    let is_whole = |folder: &&PathBuf| folder.extension().is_none_or(|end| end != "partial");
    let waiting = async {
        while exchanges(place).iter().filter(is_whole).count() < wanted {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), waiting).await.unwrap();
}

#[tokio::test]
async fn exchanges_are_recorded_in_the_folder_of_the_variable_with_a_notice() {
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
async fn a_folder_that_cannot_hold_recordings_is_reported_at_the_start() {
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
    assert!(!place.has_data());
}

#[tokio::test]
async fn without_the_variable_nothing_is_recorded() {
    let upstream = FakeUpstream::start([Response::text("Hello.")]).await.unwrap();
    let place = Place::asking(&upstream);
    let asked = place.run(&["chat", "-p", "Hello"]).await;
    assert!(!asked.stderr.contains("recorded"), "{asked:?}");
    assert!(!place.path().join("rec").exists());
}

#[tokio::test]
async fn a_turn_replays_the_same_without_a_network_and_without_a_trace() {
    let calls = Response::calls(&[
        ("c1", "calculator", "{\"expression\":\"6*7\"}"),
        ("c2", "clock", "{}"),
        ("c3", "nobody", "{}"),
    ]);
    let script = [Response::text("Hello."), calls, Response::text("It is 42, and late.")];
    let upstream = FakeUpstream::start(script).await.unwrap();
    let place = Place::asking(&upstream);
    for said in ["Hello", "6 times 7?"] {
        recorded(&place, &["chat", "-p", "--session", "s", said]).await;
    }
    drop(upstream);
    let before = place.run(&["sessions", "show", "s", "--json"]).await.stdout;
    for turn in turns(&place).await {
        let same = replay(&place, &turn).await;
        assert_eq!(same.code, Some(0), "{same:?}");
        assert!(same.stdout.starts_with(&format!("turn {turn}: ")) && same.stdout.contains("the same as is stored"));
        assert_eq!(same.stderr, "", "every request is the one that was sent");
    }
    assert_eq!(place.run(&["sessions", "show", "s", "--json"]).await.stdout, before);
    assert_eq!(exchanges(&place).len(), 3);
}

#[tokio::test]
async fn a_turn_that_failed_replays_the_same_failure() {
    let text = Response::text("Half of it is here");
    for response in [
        text.clone().cut_at(300),
        text.clone().reset_at(300),
        Response::status(500, "boom"),
        Response::status(401, "no"),
        Response::json(200, &json!({ "error": { "message": "overloaded" } })),
        Response::calls(&[("c1", "calculator", "{\"expression\":\"6*7\"}")]).cut_at(700),
    ] {
        let upstream = FakeUpstream::start([response, Response::text("next")]).await.unwrap();
        let place = Place::asking(&upstream);
        recorded(&place, &["chat", "-p", "go"]).await;
        let same = replay(&place, &turns(&place).await[0]).await;
        assert_eq!(same.code, Some(0), "{same:?}");
    }
}

#[tokio::test]
async fn a_turn_that_another_provider_answered_replays_with_that_answer() {
    let broken = FakeUpstream::start((0..9).map(|_| Response::status(500, "boom"))).await.unwrap();
    let content = json!({ "parts": [{ "text": "Hello." }], "role": "model" });
    let answer = Response::stream().event(&json!({ "candidates": [{ "content": content, "finishReason": "STOP" }] }));
    let other = FakeUpstream::start([answer]).await.unwrap();
    let place = Place::asking(&broken);
    let configured = fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
    let second = format!(
        "[[providers]]\nid = \"other\"\napi = \"gemini\"\nbase_url = \"{}\"\nmodels = [\"g\"]\n",
        other.base_url()
    );
    place.write("turnkit.toml", &format!("{configured}{second}"));
    let asked = recorded(&place, &["chat", "-p", "go"]).await;
    assert_eq!(asked.stdout, "Hello.\n", "{asked:?}");
    let turn = turns(&place).await.remove(0);
    let last = exchanges(&place).len() + 1;
    assert!(last > 1, "the first provider was asked, and that is recorded");
    assert!(place.path().join(format!("rec/gemini/{turn}-001-1-{last}")).is_dir(), "exchanges are numbered in order");
    let same = replay(&place, &turn).await;
    assert_eq!(same.code, Some(0), "{same:?}");
}

#[tokio::test]
async fn a_turn_whose_model_took_no_tools_replays_without_them() {
    let refused = Response::json(400, &json!({ "error": { "message": "small does not support tools" } }));
    let half = Response::text("Half of it is here").cut_at(300);
    let upstream = FakeUpstream::start([refused, half, Response::text("Hello.")]).await.unwrap();
    let place = Place::asking(&upstream);
    let mut config = fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
    config.push_str("\n[[agents]]\nname = \"a\"\non_stream_failure = \"redo\"\n");
    place.write("turnkit.toml", &config);
    let answered = recorded(&place, &["chat", "-p", "Hi"]).await;
    assert_eq!(answered.code, Some(0), "{answered:?}");
    let with_tools: Vec<bool> = upstream.requests().iter().map(|request| request.json()["tools"].is_array()).collect();
    assert_eq!(with_tools, [true, false, false]);
    let same = replay(&place, &turns(&place).await[0]).await;
    assert_eq!((same.code, same.stderr.as_str()), (Some(0), ""), "every request is the one that was sent: {same:?}");
}

#[tokio::test]
async fn a_turn_that_was_cancelled_replays_up_to_there() {
    let hanging = Response::stream().delta(json!({ "content": "thinking " })).hang();
    let upstream = FakeUpstream::start([hanging]).await.unwrap();
    let place = Place::asking(&upstream);
    let mut child = recording(&place, &["chat", "-p", "go"]);
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 9]).await.unwrap();
    signal(&child, Signal::INT);
    assert_eq!(outcome(child).await.code, Some(1));
    let same = replay(&place, &turns(&place).await[0]).await;
    assert_eq!(same.code, Some(0), "{same:?}");
}

#[tokio::test]
async fn a_turn_that_survived_a_crash_replays_with_the_crash() {
    let hanging = Response::stream().delta(json!({ "content": "lost" })).hang();
    let calls = Response::calls(&[("c1", "calculator", "{\"expression\":\"6*7\"}")]);
    for script in
        [vec![hanging.clone(), Response::text("found")], vec![calls.clone(), hanging, calls, Response::text("42")]]
    {
        let deaths = script.len() / 2;
        let upstream = FakeUpstream::start(script).await.unwrap();
        let place = Place::asking(&upstream);
        let mut child = recording(&place, &["chat", "-p", "--session", "s", "go"]);
        upstream.wait_for(|counts| counts.requests == deaths).await;
        child.stdout.as_mut().unwrap().read_exact(&mut [0; 4]).await.unwrap();
        until_recorded(&place, deaths - 1).await;
        signal(&child, Signal::KILL);
        child.wait().await.unwrap();
        upstream.push(Response::text("next"));
        let next = recorded(&place, &["chat", "-p", "--session", "s", "and now?"]).await;
        assert_eq!(next.code, Some(0), "{next:?}");
        for turn in turns(&place).await {
            let same = replay(&place, &turn).await;
            assert_eq!(same.code, Some(0), "{same:?}");
        }
    }
}

#[tokio::test]
async fn the_first_difference_of_a_replay_is_reported() {
    let calls = Response::calls(&[("c1", "calculator", "{\"expression\":\"6*7\"}")]);
    let upstream = FakeUpstream::start([calls, Response::text("It is 42.")]).await.unwrap();
    let place = Place::asking(&upstream);
    recorded(&place, &["chat", "-p", "6 times 7?"]).await;
    let turn = turns(&place).await.remove(0);
    let body = exchanges(&place)[1].join("response.sse");
    let said = fs::read_to_string(&body).unwrap();
    fs::write(&body, said.replace("42.", "43.")).unwrap();

    let different = replay(&place, &turn).await;
    assert_eq!(different.code, Some(1), "{different:?}");
    let lines: Vec<&str> = different.stdout.lines().collect();
    assert!(lines[0].starts_with(&format!("turn {turn}: different at event ")), "{different:?}");
    assert!(lines[0].ends_with("part.delta /delta"), "{different:?}");
    assert_eq!(lines[1..], ["  stored    42.", "  replayed  43."]);
    let told = place.run(&["turns", "replay", &turn, "--from", "rec", "--json"]).await;
    let told: Value = serde_json::from_str(&told.stdout).unwrap();
    assert_eq!((&told["same"], &told["difference"]["stored"]), (&json!(false), &json!("42.")), "{told}");
    fs::write(&body, said).unwrap();

    // A changed configuration is reported, but does not affect the recorded answers.
    let agent = "\n[[agents]]\nname = \"assistant\"\ninstructions = \"Be brief.\"\ntools = [\"*\"]\n";
    let configured = fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
    place.write("turnkit.toml", &format!("{configured}{agent}"));
    let same = replay(&place, &turn).await;
    assert_eq!(same.code, Some(0), "{same:?}");
    assert!(
        same.stderr.contains("the request of step 1, attempt 1 differs from the recorded one: /messages/0/content"),
        "{same:?}"
    );
    place.write("turnkit.toml", &format!("{configured}{}", agent.replace("[\"*\"]", "[]")));
    let different = replay(&place, &turn).await;
    assert_eq!(different.code, Some(1), "without the tool the call is refused: {different:?}");
    place.write("turnkit.toml", &configured);

    fs::remove_dir_all(&exchanges(&place)[1]).unwrap();
    let missing = replay(&place, &turn).await;
    assert_eq!(missing.code, Some(1), "{missing:?}");
    assert!(missing.stderr.contains("nothing is recorded of step 2, attempt 1 in rec"), "{missing:?}");
}

#[tokio::test]
async fn a_turn_that_cannot_be_replayed_is_reported_with_the_reason() {
    let upstream = FakeUpstream::start([Response::text("Hello.")]).await.unwrap();
    let place = Place::asking(&upstream);
    recorded(&place, &["chat", "-p", "Hello"]).await;
    let turn = turns(&place).await.remove(0);
    for (words, code, said) in [
        (&["turns", "replay", &turn][..], 2, "--from"),
        (&["turns", "replay", &turn, "--from", "nowhere"], 1, "nowhere: "),
        (&["turns", "replay", "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01", "--from", "rec"], 1, "there is no turn"),
        (&["turns", "--server", "http://127.0.0.1:1", "replay", &turn, "--from", "rec"], 2, "--data"),
    ] {
        let refused = place.run(words).await;
        assert_eq!(refused.code, Some(code), "{refused:?}");
        assert!(refused.stderr.starts_with("error: ") && refused.stderr.contains(said), "{refused:?}");
    }
    let server = place.serve().await;
    let refused = replay(&place, &turn).await;
    assert_eq!(refused.code, Some(3), "{refused:?}");
    server.stop().await;
    let configured = fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
    place.write("turnkit.toml", &configured.replace("id = \"fake\"", "id = \"other\""));
    let refused = replay(&place, &turn).await;
    assert!(
        refused.stderr.contains("provider fake was recorded with api openai-chat, but is not configured with it now"),
        "{refused:?}"
    );
}

/// Returns a place with two providers in order of priority, whose keys are in the environment.
fn place_of_two(first: &FakeUpstream, second: &str) -> Place {
    let place = Place::new();
    let first = format!(
        "[[providers]]\nid = \"first\"\napi = \"openai-chat\"\nbase_url = \"{}\"\napi_key = \"${{FIRST_KEY}}\"\nmodels = [\"small\"]\n",
        first.base_url()
    );
    place.write("turnkit.toml", &(first + second));
    place
}

async fn recorded_with_key(place: &Place) -> Outcome {
    let mut command = place.command(&["chat", "-p", "Hello"]);
    outcome(command.env("TURNKIT_RECORD", "rec").env("FIRST_KEY", "secret-key").spawn().unwrap()).await
}

#[tokio::test]
async fn a_turn_that_failed_at_several_providers_replays_with_the_error_of_each() {
    let (first, second) = (
        FakeUpstream::start([Response::status(401, "who are you?")]).await.unwrap(),
        FakeUpstream::start([Response::status(402, "nothing is left")]).await.unwrap(),
    );
    let url = second.base_url();
    let second =
        format!("[[providers]]\nid = \"second\"\napi = \"openai-chat\"\nbase_url = \"{url}\"\nmodels = [\"large\"]\n");
    let place = place_of_two(&first, &second);
    let failed = recorded_with_key(&place).await;
    assert_eq!(failed.code, Some(1), "{failed:?}");
    assert!(failed.stderr.contains("(HTTP 401); second: ") && failed.stderr.contains("nothing is left"), "{failed:?}");
    let turn = recorded_turn(&place);
    let same = replay(&place, &turn).await;
    assert_eq!((same.code, same.stderr.as_str()), (Some(0), ""), "{same:?}");
}

#[tokio::test]
async fn a_replay_needs_neither_keys_nor_the_credentials_of_google() {
    let first = FakeUpstream::start([Response::status(401, "who are you?")]).await.unwrap();
    let content = json!({ "role": "model", "parts": [{ "text": "Hello." }] });
    let answer = json!({ "candidates": [{ "content": content, "finishReason": "STOP" }] });
    let vertex = FakeUpstream::start([Response::stream().event(&answer)]).await.unwrap();
    vertex.push_tokens([3600]);
    let url = vertex.base_url();
    let second = format!(
        "[[providers]]\nid = \"second\"\nvendor = \"vertex\"\napi = \"gemini\"\nbase_url = \"{url}\"\nmodels = [\"small\"]\n\
         settings = {{ project = \"p\" }}\ncredentials = \"account.json\"\n"
    );
    let place = place_of_two(&first, &second);
    place.write("account.json", &service_account(&format!("{url}/token")).unwrap());
    let answered = recorded_with_key(&place).await;
    assert_eq!((answered.code, answered.stdout.as_str()), (Some(0), "Hello.\n"), "{answered:?}");
    fs::remove_file(place.path().join("account.json")).unwrap();
    let same = replay(&place, &recorded_turn(&place)).await;
    assert_eq!((same.code, same.stderr.as_str()), (Some(0), ""), "{same:?}");
}

/// Returns the turn of the first recording. Without a key, other commands cannot list it.
fn recorded_turn(place: &Place) -> String {
    let folder = exchanges(place).remove(0);
    let said: Value = serde_json::from_slice(&fs::read(folder.join("exchange.json")).unwrap()).unwrap();
    said["turn"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_administrator_reads_and_replays_recordings_of_a_running_turnkit() {
    let answer = Response::text("It is 42.");
    let upstream = FakeUpstream::start([answer.clone()]).await.unwrap();
    let place = Place::asking(&upstream);
    let words = ["keys", "create", "console", "--scope", "admin", "--scope", "chat", "--scope", "read"];
    let key = place.run(&words).await.stdout;
    let locked = ("TURNKIT_AUTH__MODE", "api_key");
    let server = place.serve_with(&[], &[locked, ("TURNKIT_RECORD", "rec")]).await;
    let client = server.client().with_key(key.trim());
    let asked = json!({ "message": "6 times 7?" });
    client.post_for_events("/api/v1/turns", &[], &asked).await.unwrap().rest().await.unwrap();
    until_recorded(&place, 1).await;

    let turn = recorded_turn(&place);
    let listed = client.get("/api/v1/recordings").await.unwrap().json();
    let row = &listed["data"][0];
    assert_eq!((&row["turn_id"], &row["exchanges"]), (&json!(turn), &json!(1)), "{listed}");
    assert_eq!((&row["models"][0]["provider"], &row["state"]), (&json!("fake"), &json!("completed")), "{listed}");
    let shown = client.get(&format!("/api/v1/recordings/{turn}")).await.unwrap().json();
    let exchange = &shown["data"][0];
    assert_eq!(exchange["response"]["text"].as_str().unwrap().as_bytes(), answer.body(), "{exchange}");
    assert!(exchange["request"]["text"].as_str().unwrap().contains("6 times 7?"), "{exchange}");
    assert_eq!((&exchange["status"], exchange["began_at"].is_string()), (&json!(200), true), "{exchange}");
    let replay = format!("/api/v1/recordings/{turn}/replay");
    let replayed = client.post(&replay, &[], &json!({})).await.unwrap();
    assert_eq!(replayed.status, 200);
    let replayed = replayed.json();
    assert_eq!((&replayed["same"], &replayed["difference"]), (&json!(true), &Value::Null), "{replayed}");
    server.stop().await;

    // The same turn with another answer in its recording.
    let body = exchanges(&place)[0].join("response.sse");
    let changed = fs::read_to_string(&body).unwrap().replace("42", "43");
    fs::write(&body, changed).unwrap();
    let server = place.serve_with(&[], &[locked, ("TURNKIT_RECORD", "rec")]).await;
    let client = server.client().with_key(key.trim());
    let replayed = client.post(&replay, &[], &json!({})).await.unwrap().json();
    let difference = &replayed["difference"];
    assert_eq!((&replayed["same"], &difference["at"]), (&json!(false), &json!("/delta")), "{replayed}");
    assert!(difference["stored"].as_str().unwrap().contains("42"), "{replayed}");
    assert!(difference["replayed"].as_str().unwrap().contains("43"), "{replayed}");
    server.stop().await;

    let server = place.serve_with(&[], &[locked]).await;
    let off = server.client().with_key(key.trim()).get("/api/v1/recordings").await.unwrap();
    assert_eq!(off.status, 404);
    assert!(off.json()["error"]["message"].as_str().unwrap().contains("TURNKIT_RECORD"), "{}", off.json());
    server.stop().await;
}
