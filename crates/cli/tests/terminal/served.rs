//! Commands on data that a server has locked.

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use turnkit_testkit::{FakeUpstream, Gate, Response};

use crate::support::{Place, outcome};

#[tokio::test]
async fn commands_talk_to_the_server_that_has_the_data() {
    let place = Place::new();
    place.run(&["chat", "-p", "--session", "before", "What is 1 + 1?"]).await;
    let server = place.serve().await;

    let asked = place.run(&["chat", "-p", "--session", "trip", "What is 2 + 2?"]).await;
    assert_eq!((asked.code, asked.stdout.as_str()), (Some(0), "2 + 2 is 4.\n"), "{asked:?}");
    assert!(asked.stderr.contains(&format!("a server at {} is using the data directory", server.url)), "{asked:?}");
    assert_eq!(place.run(&["chat", "-p", "--session", "trip", "What is 3 + 3?"]).await.stdout, "3 + 3 is 6.\n");

    let listed: Value = serde_json::from_str(&place.run(&["sessions", "ls", "--json"]).await.stdout).unwrap();
    let shown: Vec<_> =
        listed["data"].as_array().unwrap().iter().map(|session| (&session["name"], &session["title"])).collect();
    let (trip, before) = (json!("trip"), json!("before"));
    assert_eq!(shown, [(&trip, &json!("What is 2 + 2?")), (&before, &json!("What is 1 + 1?"))]);
    let table = place.run(&["sessions", "ls", "--limit", "1"]).await;
    assert_eq!(table.stdout.lines().count(), 1);
    assert!(table.stderr.contains("there are more: --after "), "{table:?}");

    let shown = place.run(&["sessions", "show", "trip"]).await.stdout;
    assert!(shown.starts_with("> What is 2 + 2?\n  calculator ") && shown.ends_with("\n3 + 3 is 6.\n"), "{shown}");
    assert_eq!(place.run(&["sessions", "rm", "trip"]).await.code, Some(0));
    let gone = place.run(&["sessions", "show", "trip"]).await;
    assert_eq!(gone.code, Some(1));
    assert!(gone.stderr.contains("there is no session trip; `turnkit sessions ls` lists them"), "{gone:?}");

    assert_eq!(server.stop().await.code, Some(0));
    assert_eq!(place.run(&["sessions", "ls"]).await.stdout.lines().count(), 1, "the same data without the server");
}

#[tokio::test]
async fn turns_are_listed_followed_and_cancelled_from_another_terminal() {
    let gate = Gate::new();
    let hanging = Response::stream().delta(json!({ "content": "thinking " })).hang();
    let slow =
        Response::stream().delta(json!({ "content": "first " })).wait(&gate).delta(json!({ "content": "second" }));
    let upstream = FakeUpstream::start([hanging, slow.finish("stop").done()]).await.unwrap();
    let place = Place::asking(&upstream);
    let server = place.serve().await;

    let mut chat = place.start(&["chat", "-p", "go"]);
    chat.stdout.as_mut().unwrap().read_exact(&mut [0; 9]).await.unwrap();
    let running = place.run(&["turns", "ls", "--json", "--state", "running"]).await.stdout;
    let running: Value = serde_json::from_str(&running).unwrap();
    let turn = running["data"][0]["id"].as_str().unwrap();
    let cancelled = place.run(&["turns", "cancel", turn]).await;
    assert_eq!((cancelled.code, cancelled.stderr.as_str()), (Some(0), format!("turn {turn}: cancelling\n").as_str()));
    upstream.wait_abandoned().await;
    assert!(outcome(chat).await.stderr.contains("the turn ended: cancelled"));
    let again = place.run(&["turns", "cancel", turn]).await;
    assert_eq!(again.stderr, format!("turn {turn} has ended: cancelled\n"));

    let begun = server.client().post("/api/v1/turns", &[], &json!({ "message": "go on" })).await.unwrap().json();
    let turn = begun["turn_id"].as_str().unwrap();
    let mut tail = place.start(&["turns", "tail", turn]);
    tail.stdout.as_mut().unwrap().read_exact(&mut [0; 6]).await.unwrap();
    gate.open();
    let tailed = outcome(tail).await;
    assert_eq!((tailed.code, tailed.stdout.as_str()), (Some(0), "second\n"), "{tailed:?}");

    server.stop().await;
    let tailed = place.run(&["turns", "tail", turn]).await;
    assert_eq!((tailed.code, tailed.stdout.as_str()), (Some(0), "first second\n"), "from the log: {tailed:?}");
    let listed = place.run(&["turns", "ls"]).await.stdout;
    assert_eq!(listed.lines().count(), 2, "{listed}");
    let unknown = place.run(&["turns", "tail", "01234567-89ab-7cde-8f01-23456789abcd"]).await;
    assert_eq!(unknown.code, Some(1));
    assert!(unknown.stderr.contains("there is no turn 01234567-"), "{unknown:?}");
}

#[tokio::test]
async fn a_message_that_steers_is_listed_with_the_turn_that_takes_it() {
    let gate = Gate::new();
    let calls = Response::calls(&[("c1", "calculator", r#"{"expression":"6*7"}"#)]);
    let script = [Response::stream().wait(&gate).followed_by(calls), Response::text("It is 42.")];
    let upstream = FakeUpstream::start(script).await.unwrap();
    let place = Place::asking(&upstream);
    let server = place.serve().await;
    let post = async |body: Value| server.client().post("/api/v1/turns", &[], &body).await.unwrap().json();
    let first = post(json!({ "message": "What is 6 x 7?" })).await;
    upstream.wait_for(|counts| counts.requests == 1).await;
    let steers = json!({ "message": "In words.", "session_id": first["session_id"], "on_busy": "steer" });
    let second = post(steers).await;
    let [first, second] = [&first, &second].map(|receipt| receipt["turn_id"].as_str().unwrap());
    let state_of_second = async || {
        let listed = place.run(&["turns", "ls"]).await.stdout;
        let line = listed.lines().find(|line| line.starts_with(second)).map(str::to_owned);
        line.unwrap().split("  ").nth(2).unwrap().to_owned()
    };
    assert_eq!(state_of_second().await, "queued (steers)");

    gate.open();
    let tailed = place.run(&["turns", "tail", second]).await;
    assert_eq!((tailed.code, tailed.stdout.as_str()), (Some(0), ""), "{tailed:?}");
    let became = format!("the message became part of turn {first}: `turnkit turns tail {first}` shows the answer\n");
    assert_eq!(tailed.stderr, became);
    assert_eq!(state_of_second().await, format!("completed (steered into {first})"));
    let tailed = place.run(&["turns", "tail", second, "--json"]).await.stdout;
    assert_eq!(serde_json::from_str::<Value>(&tailed).unwrap()["steered_into"], first);
    server.stop().await;
}

#[tokio::test]
async fn a_chat_continues_after_its_server_was_killed_and_restarted() {
    let hanging = Response::stream().delta(json!({ "content": "lost" })).hang();
    let upstream = FakeUpstream::start([hanging, Response::text("found")]).await.unwrap();
    let place = Place::asking(&upstream);
    let server = place.serve().await;
    let mut chat = place.start(&["chat", "-p", "go"]);
    chat.stdout.as_mut().unwrap().read_exact(&mut [0; 4]).await.unwrap();
    server.kill().await;
    let mut told = String::new();
    let mut stderr = BufReader::new(chat.stderr.take().unwrap());
    while !told.contains("the connection to the server broke; waiting for it") {
        assert_ne!(stderr.read_line(&mut told).await.unwrap(), 0, "{told}");
    }
    // The restarted server has another address and another token.
    let _server = place.serve().await;
    let ended = outcome(chat).await;
    assert_eq!((ended.code, ended.stdout.as_str()), (Some(0), "\nfound\n"), "{ended:?}");
}

#[tokio::test]
async fn a_chat_with_a_server_elsewhere_needs_its_address_and_a_key() {
    let place = Place::new();
    let made = place.run(&["keys", "create", "laptop", "--json"]).await;
    let key = serde_json::from_str::<Value>(&made.stdout).unwrap()["key"].as_str().unwrap().to_owned();
    let server = place.serve_with(&[], &[("TURNKIT_AUTH__MODE", "api_key")]).await;

    let elsewhere = Place::new();
    elsewhere.write("turnkit.toml", "this is not a configuration");
    for (words, key, code, said) in [
        (&["chat", "-p", "2 + 2?"][..], Some(key.as_str()), 0, "session "),
        (&["chat", "-p", "2 + 2?"], None, 1, "; put a key that `turnkit keys create` made into TURNKIT_API_KEY"),
        (&["chat", "-p", "2 + 2?"], Some("tk_wrong"), 1, "TURNKIT_API_KEY"),
        (
            &["chat", "-p", "2 + 2?"],
            Some("a\nb"),
            2,
            "TURNKIT_API_KEY contains characters that are not allowed in an HTTP header",
        ),
        (
            &["chat", "-p", "--agent", "nobody", "2 + 2?"],
            Some(&key),
            1,
            "there is no such agent; the agents are assistant",
        ),
        (&["sessions", "ls"], Some(&key), 0, ""),
        (&["turns", "ls"], Some(&key), 0, ""),
    ] {
        let words = [words, &["--server", &server.url]].concat();
        let mut command = elsewhere.command(&words);
        let asked = outcome(command.envs(key.map(|key| ("TURNKIT_API_KEY", key))).spawn().unwrap()).await;
        assert_eq!(asked.code, Some(code), "{words:?}: {asked:?}");
        assert!(asked.stderr.contains(said), "{words:?}: {asked:?}");
    }
    assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 1, "no data is made here");
}

#[tokio::test]
async fn an_address_without_a_server_is_reported() {
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let unusable = |why: &str| format!("error: not a usable address: {why}; write it like http://127.0.0.1:8787\n");
    for (url, code, said) in [
        (format!("http://me:hidden@{nobody}"), 1, format!("the server at http://{nobody} cannot be reached: ")),
        ("nonsense".to_owned(), 2, unusable("relative URL without a base")),
        ("localhost:8787".to_owned(), 2, unusable("must begin with http: or https:")),
    ] {
        let refused = Place::new().run(&["chat", "-p", "x", "--server", &url]).await;
        assert_eq!(refused.code, Some(code), "{refused:?}");
        assert!(refused.stderr.contains(&said) && !refused.stderr.contains("hidden"), "{refused:?}");
    }
}

#[tokio::test]
async fn a_rule_that_asks_denies_where_no_client_can_decide() {
    let place = Place::new();
    place.write("turnkit.toml", "[permissions]\nrules = [{ tool = \"calculator\", decision = \"ask\" }]");
    let server = place.serve().await;
    let question = "What is 6 x 7?";
    for (path, body, end) in [
        ("/api/v1/turns", json!({ "message": question }), "turn.ended"),
        ("/chat?ext=1", json!({ "session_id": "named", "message": question }), "done"),
        ("/chat/stream?ext=1", json!({ "sessionId": "relay", "message": question }), "done"),
    ] {
        let accept = [("accept", "text/event-stream")];
        let frames = server.client().post_for_events(path, &accept, &body).await.unwrap().rest().await.unwrap();
        assert_eq!(frames.last().and_then(|frame| frame.event.as_deref()), Some(end), "{path}: {frames:?}");
    }
    let asked = place.run(&["chat", "-p", question]).await;
    assert_eq!(asked.code, Some(0), "{asked:?}");
    assert!(asked.stderr.contains("it needs approval and no person can be asked"), "{asked:?}");
    let open = place.run(&["turns", "ls", "--state", "waiting"]).await;
    assert_eq!(open.stdout, "", "{open:?}");
    let no_state = place.run(&["turns", "ls", "--state", "asleep"]).await;
    assert_eq!(no_state.code, Some(2), "{no_state:?}");
    assert!(
        no_state.stderr.contains("expected one of queued, running, waiting, cancelling, completed"),
        "{no_state:?}"
    );
    server.stop().await;
}

#[tokio::test]
async fn the_operator_lists_the_data_of_a_user_with_and_without_a_server() {
    let place = Place::new();
    let made = place.run(&["keys", "create", "phone", "--user", "ada & co", "--json"]).await.stdout;
    let key = serde_json::from_str::<Value>(&made).unwrap()["key"].as_str().unwrap().to_owned();
    let server = place.serve_with(&[], &[("TURNKIT_AUTH__MODE", "api_key")]).await;
    let elsewhere = Place::new();
    let with_key = async |words: &[&str]| {
        let words = [words, &["--server", &server.url]].concat();
        outcome(elsewhere.command(&words).env("TURNKIT_API_KEY", &key).spawn().unwrap()).await
    };
    assert_eq!(with_key(&["chat", "-p", "--session", "trip", "Hello"]).await.code, Some(0));

    let user = ["--user", "ada & co"];
    let lists = [
        &["sessions", "ls", "--json"][..],
        &["turns", "ls", "--json"],
        &["turns", "ls", "--json", "--session", "trip"],
    ];
    let ids = |listed: &str| -> Vec<Value> {
        let listed: Value = serde_json::from_str(listed).unwrap();
        listed["data"].as_array().unwrap().iter().map(|item| item["id"].clone()).collect()
    };
    let mut served = Vec::new();
    for list in lists {
        let own = ids(&with_key(list).await.stdout);
        assert_eq!(own.len(), 1, "{list:?}");
        assert_eq!(ids(&place.run(&[list, &user[..]].concat()).await.stdout), own, "{list:?}");
        let refused = with_key(&[list, &["--user", "local"]].concat()).await;
        assert_eq!(refused.code, Some(1), "{list:?}: {refused:?}");
        assert!(refused.stderr.contains("only the operator"), "{list:?}: {refused:?}");
        served.push(own);
    }
    assert_eq!(ids(&place.run(&["sessions", "ls", "--json"]).await.stdout), Vec::<Value>::new(), "the operator's own");
    server.stop().await;
    for (list, own) in lists.into_iter().zip(served) {
        assert_eq!(ids(&place.run(&[list, &user[..]].concat()).await.stdout), own, "{list:?}, read here");
    }
}
