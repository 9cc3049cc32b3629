//! `turnkit chat` as a user runs it.

use crate::support::{Outcome, Place, outcome, signal};
use rustix::process::Signal;
use serde_json::{Value, json};
use tokio::io::AsyncReadExt;
use turnkit_testkit::{FakeUpstream, Gate, Response};

#[tokio::test]
async fn the_first_question_is_answered_offline_with_tools_and_saved() {
    let place = Place::new();
    let asked = place.run(&["chat", "-p", "What is 12.5% of 840, and what day is it today?"]).await;
    assert_eq!(asked.code, Some(0), "{asked:?}");
    assert!(asked.stdout.starts_with("12.5% of 840 is 105. Today is "), "{asked:?}");
    for beside in
        ["offline responder", "· calculator {\"expression\":\"12.5% of 840\"}", "→ 105", "· clock {}", "--session "]
    {
        assert!(asked.stderr.contains(beside), "{beside:?} is not in {}", asked.stderr);
    }

    let session = place.last_session().await;
    let shown = place.run(&["sessions", "show", &session]).await.stdout;
    assert!(shown.starts_with("> What is 12.5% of 840, and what day is it today?\n  calculator "), "{shown}");
    assert!(shown.ends_with(&asked.stdout), "{shown}");
}

#[tokio::test]
async fn a_provider_is_asked_with_the_whole_session_and_its_tool_calls_run() {
    let upstream = FakeUpstream::start([
        Response::calls(&[("c1", "calculator", "{\"expression\":\"6*7\"}")]),
        Response::text("It is 42."),
        Response::text("You are welcome."),
    ])
    .await
    .unwrap();
    let place = Place::asking(&upstream);
    let first = place.run(&["chat", "-p", "--session", "sums", "6 times 7?"]).await;
    assert_eq!((first.code, first.stdout.as_str()), (Some(0), "It is 42.\n"), "{first:?}");
    let second = place.run(&["chat", "-p", "--session", "sums", "Thanks"]).await;
    assert_eq!((second.code, second.stdout.as_str()), (Some(0), "You are welcome.\n"), "{second:?}");

    let requests = upstream.requests();
    assert_eq!(requests.len(), 3);
    assert_eq!(requests[0].header("authorization"), Some("Bearer secret-key"));
    let body = requests[2].json();
    let roles: Vec<&str> =
        body["messages"].as_array().unwrap().iter().map(|message| message["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "assistant", "user"]);
    assert_eq!(body["messages"][3], json!({ "role": "tool", "tool_call_id": "c1", "content": "42" }));
    assert_eq!(body["model"], "small");
}

#[tokio::test]
async fn the_params_of_an_agent_are_sent_and_nothing_in_their_place() {
    for (params, temperature, limit) in [
        ("params = { temperature = 0.2, max_tokens = 800 }", json!(0.2), json!(800)),
        ("params = { temperature = 0 }", json!(0.0), Value::Null),
        ("", Value::Null, Value::Null),
    ] {
        let upstream = FakeUpstream::start([Response::text("Hello.")]).await.unwrap();
        let place = Place::asking(&upstream);
        let provider = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
        place.write("turnkit.toml", &format!("{provider}\n[[agents]]\nname = \"a\"\n{params}\n"));
        let answered = place.run(&["chat", "-p", "Hi"]).await;
        assert_eq!(answered.code, Some(0), "{answered:?}");
        let body = upstream.requests()[0].json();
        assert_eq!((&body["temperature"], &body["max_tokens"]), (&temperature, &limit), "{params}: {body}");
    }
}

#[tokio::test]
async fn files_go_with_the_first_message_here_and_with_a_server() {
    for served in [false, true] {
        let replies = [Response::text("A note and a dot."), Response::text("Bye.")];
        let upstream = FakeUpstream::start(replies).await.unwrap();
        let place = Place::asking(&upstream);
        place.write("note.md", "# Note");
        std::fs::write(place.path().join("dot.png"), b"\x89PNG\r\n\x1a\n\0").unwrap();
        let server = if served { Some(place.serve().await) } else { None };
        let files = ["--file", "note.md", "--image", "dot.png"];
        let asked = place.run(&[&["chat", "-p", "--session", "s", "What is it?"], &files[..]].concat()).await;
        assert_eq!((asked.code, asked.stdout.as_str()), (Some(0), "A note and a dot.\n"), "{asked:?}");
        place.run(&["chat", "-p", "--session", "s", "Thanks"]).await;
        let sent: Vec<Value> = upstream.requests().iter().map(|request| request.json()["messages"].clone()).collect();
        let expected = json!([
            { "role": "user", "content": "Context from note.md:\n\n# Note" },
            { "role": "user", "content": [
                { "type": "image_url", "image_url": { "url": "data:image/png;base64,iVBORw0KGgoA" } },
                { "type": "text", "text": "What is it?" },
            ] },
        ]);
        assert_eq!(sent[0].as_array().unwrap()[1..], expected.as_array().unwrap()[..]);
        assert_eq!(sent[1].as_array().unwrap()[1..3], expected.as_array().unwrap()[..], "later turns send the same");

        let wrong = place.run(&["chat", "-p", "--image", "note.md", "What is it?"]).await;
        assert_eq!(wrong.code, Some(2), "{wrong:?}");
        assert!(wrong.stderr.contains("--image: note.md is text/plain, not a picture"), "{wrong:?}");
        let missing = place.run(&["chat", "-p", "--file", "nothing.md", "What is it?"]).await;
        assert!(missing.stderr.contains("cannot read nothing.md: "), "{missing:?}");
        if let Some(server) = server {
            server.stop().await;
        }
    }
}

#[tokio::test]
async fn the_tree_of_a_folder_goes_with_the_first_message_here_and_with_a_server() {
    for served in [false, true] {
        let upstream = FakeUpstream::start([Response::text("Docs."), Response::text("Bye.")]).await.unwrap();
        let place = Place::asking(&upstream);
        let configuration = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
        place.write("turnkit.toml", &format!("{configuration}[files]\nroots = [\".\"]\n"));
        std::fs::create_dir(place.path().join("docs")).unwrap();
        place.write("docs/a.md", "# A");
        place.write(".env", "SECRET=1");
        let server = if served { Some(place.serve().await) } else { None };
        let asked = place.run(&["chat", "-p", "--session", "s", "--tree", "docs", "What is there?"]).await;
        assert_eq!((asked.code, asked.stdout.as_str()), (Some(0), "Docs.\n"), "{asked:?}");
        place.run(&["chat", "-p", "--session", "s", "Thanks"]).await;
        let expected = json!([
            { "role": "user", "content": "Context from docs/:\n\na.md" },
            { "role": "user", "content": "What is there?" },
        ]);
        for request in upstream.requests() {
            assert_eq!(request.json()["messages"].as_array().unwrap()[1..3], expected.as_array().unwrap()[..]);
        }
        for (path, why) in [
            ("data", "context.tree: cannot be listed: access denied: "),
            (".env", "context.tree: cannot be listed: access denied: "),
            ("..", "context.tree: cannot be listed: must not contain `..`"),
            ("/", "context.tree: cannot be listed: not in a folder of `files.roots`"),
        ] {
            let refused = place.run(&["chat", "-p", "--tree", path, "What is there?"]).await;
            assert_ne!(refused.code, Some(0), "{refused:?}");
            assert!(refused.stderr.contains(why), "{refused:?}");
        }
        if let Some(server) = server {
            for name in ["turnkit.toml", "data/turnkit.db", ".env"] {
                let asked = json!({ "message": "Read it.", "context": { "files": [name] } });
                let refused = server.client().post("/api/v1/turns", &[], &asked).await.unwrap();
                assert_eq!(refused.status, 422, "{name}");
            }
            server.stop().await;
        }
    }
}

#[tokio::test]
async fn json_is_one_object_and_nothing_else() {
    let upstream = FakeUpstream::start([
        Response::calls(&[("c1", "calculator", "{\"expression\":\"6*7\"}")]),
        Response::stream().delta(json!({ "content": "It is 42." })).finish("stop").usage(12, 5).done(),
    ])
    .await
    .unwrap();
    let place = Place::asking(&upstream);
    let answered = place.run(&["chat", "--json", "6 times 7?"]).await;
    let object: Value = serde_json::from_str(&answered.stdout).unwrap();
    assert_eq!(object["status"], "completed");
    assert_eq!((&object["text"], &object["final_text"]), (&json!("It is 42."), &json!("It is 42.")));
    assert_eq!(object["steps"], 2);
    assert_eq!(object["tools"], json!([{ "name": "calculator", "ok": true, "content": "42" }]));
    assert_eq!(
        (&object["usage"]["fresh"], &object["usage"]["output"]),
        (&json!(22), &json!(10)),
        "the sum of both steps"
    );
}

#[tokio::test]
async fn a_failing_provider_gives_one_line_and_exit_code_1_and_the_message_is_kept() {
    for (response, said) in [
        (Response::status(401, "Incorrect API key provided"), "fake: "),
        (Response::status(500, "boom"), "fake: "),
        (Response::text("Half of it").cut_at(250), "fake: "),
    ] {
        let upstream = FakeUpstream::start([response]).await.unwrap();
        let place = Place::asking(&upstream);
        let failed = place.run(&["chat", "-p", "Hello?"]).await;
        assert_eq!(failed.code, Some(1), "{failed:?}");
        let errors: Vec<&str> = failed.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
        assert_eq!(errors.len(), 1, "{failed:?}");
        assert!(errors[0].contains(said), "{failed:?}");
        assert!(!failed.stderr.contains("secret-key"));
        let session = place.last_session().await;
        assert!(place.run(&["sessions", "show", &session]).await.stdout.starts_with("> Hello?\n"));
    }
}

#[tokio::test]
async fn the_answer_is_shown_as_it_arrives() {
    let gate = Gate::new();
    let answer =
        Response::stream().delta(json!({ "content": "first " })).wait(&gate).delta(json!({ "content": "second" }));
    let upstream = FakeUpstream::start([answer.finish("stop").done()]).await.unwrap();
    let place = Place::asking(&upstream);
    let mut child = place.start(&["chat", "-p", "go"]);
    let mut shown = [0; 6];
    child.stdout.as_mut().unwrap().read_exact(&mut shown).await.unwrap();
    assert_eq!(&shown, b"first ");
    gate.open();
    assert_eq!(outcome(child).await.stdout, "second\n");
}

#[tokio::test]
async fn ctrl_c_cancels_down_to_the_provider_and_keeps_the_text_so_far() {
    let upstream =
        FakeUpstream::start([Response::stream().delta(json!({ "content": "thinking " })).hang()]).await.unwrap();
    let place = Place::asking(&upstream);
    let mut child = place.start(&["chat", "-p", "go"]);
    let mut shown = [0; 9];
    child.stdout.as_mut().unwrap().read_exact(&mut shown).await.unwrap();
    signal(&child, Signal::INT);
    let cancelled = outcome(child).await;
    upstream.wait_abandoned().await;
    assert_eq!(cancelled.code, Some(1));
    assert_eq!(cancelled.stdout, "\n", "what is said beside the answer begins on its own line");
    for beside in ["cancelling; a second Ctrl-C leaves\n", "the turn ended: cancelled\n"] {
        assert!(cancelled.stderr.contains(beside), "{cancelled:?}");
    }
    let session = place.last_session().await;
    assert_eq!(place.run(&["sessions", "show", &session]).await.stdout, "> go\nthinking \n  [cancelled]\n");
}

#[tokio::test]
async fn a_killed_turn_is_finished_at_the_next_start() {
    let hanging = Response::stream().delta(json!({ "content": "lost" })).hang();
    let upstream = FakeUpstream::start([hanging, Response::text("found"), Response::text("next")]).await.unwrap();
    let place = Place::asking(&upstream);
    let mut child = place.start(&["chat", "-p", "--session", "s", "go"]);
    let mut shown = [0; 4];
    child.stdout.as_mut().unwrap().read_exact(&mut shown).await.unwrap();
    signal(&child, Signal::KILL);
    child.wait().await.unwrap();

    let Outcome { code, stdout, stderr } = place.run(&["chat", "-p", "--session", "s", "and now?"]).await;
    assert_eq!((code, stdout.as_str()), (Some(0), "next\n"), "{stderr}");
    assert!(stderr.contains("resumed 1 unfinished turn"), "{stderr}");
    assert_eq!(place.run(&["sessions", "show", "s"]).await.stdout, "> go\nfound\n> and now?\nnext\n");
}

#[tokio::test]
async fn one_process_has_the_data_at_a_time() {
    let upstream = FakeUpstream::start([Response::stream().delta(json!({ "content": "here" })).hang()]).await.unwrap();
    let place = Place::asking(&upstream);
    let mut child = place.start(&["chat", "-p", "go"]);
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 4]).await.unwrap();
    for words in [&["chat", "-p", "me too"][..], &["sessions", "ls"]] {
        let refused = place.run(words).await;
        assert_eq!(refused.code, Some(3), "{refused:?}");
        assert!(
            refused.stderr.contains("is in use by another process; stop it, or choose another directory with --data")
        );
        let remedy = "run `turnkit serve`: commands here talk to it, and commands elsewhere with --server URL";
        assert!(refused.stderr.contains(remedy), "{refused:?}");
    }
}

#[tokio::test]
async fn a_pipe_is_the_message() {
    let place = Place::new();
    let asked = place.pipe(&["chat", "-p"], "What is 2 + 2?\n").await;
    assert_eq!((asked.code, asked.stdout.as_str()), (Some(0), "2 + 2 is 4.\n"), "{asked:?}");
}

#[tokio::test]
async fn a_pipe_beside_a_prompt_comes_after_it() {
    let upstream = FakeUpstream::start([Response::text("Short."), Response::text("Hello.")]).await.unwrap();
    let place = Place::asking(&upstream);
    place.pipe(&["chat", "-p", "Summarise:"], "a long text\n").await;
    place.pipe(&["chat", "-p", "Hello"], "").await;
    let said: Vec<Value> =
        upstream.requests().iter().map(|request| request.json()["messages"][1]["content"].clone()).collect();
    assert_eq!(said, ["Summarise:\n\na long text\n", "Hello"]);
}

#[tokio::test]
async fn an_unknown_agent_is_refused_before_any_data_is_made() {
    let place = Place::new();
    place.run(&["chat", "-p", "--agent", "nobody", "x"]).await;
    assert!(!place.has_data());
}

#[tokio::test]
async fn a_password_in_an_address_is_not_shown() {
    let upstream = FakeUpstream::start([Response::text("Hello.")]).await.unwrap();
    let place = Place::new();
    let address = upstream.base_url().replace("http://", "http://me:hidden-word@");
    let mut command = place.command(&["chat", "-p", "Hello"]);
    command.env("OPENAI_API_KEY", "hidden-key").env("OPENAI_BASE_URL", address);
    let asked = outcome(command.spawn().unwrap()).await;
    assert!(asked.stderr.contains("so gpt-5-mini at 127.0.0.1:"), "{asked:?}");
    assert!(!asked.stderr.contains("hidden"), "{asked:?}");
}

/// Lets no file grow, as on a full disk.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_turn_that_cannot_be_saved_fails_in_one_line() {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let gate = Gate::new();
    let answer =
        Response::stream().delta(json!({ "content": "first" })).wait(&gate).delta(json!({ "content": " second" }));
    let upstream = FakeUpstream::start([answer.finish("stop").done()]).await.unwrap();
    let place = Place::asking(&upstream);
    let mut command = place.ignoring_the_limit_of_files(&["chat", "-p", "go"]);
    let mut child = command.env("TURNKIT_SERVER__DRAIN_S", "0").spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 5]).await.unwrap();
    let pid = Pid::from_raw(i32::try_from(child.id().unwrap()).unwrap());
    prlimit(pid, Resource::Fsize, Rlimit { current: Some(0), maximum: Some(0) }).unwrap();
    gate.open();
    let failed = outcome(child).await;
    assert_eq!(failed.code, Some(1), "{failed:?}");
    assert_eq!(failed.stderr.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{failed:?}");
}

#[tokio::test]
async fn a_database_without_a_folder_is_in_the_folder_of_the_configuration() {
    let gate = Gate::new();
    let answer = Response::stream().delta(json!({ "content": "here" })).wait(&gate);
    let upstream = FakeUpstream::start([answer.finish("stop").done()]).await.unwrap();
    let place = Place::asking(&upstream);
    let mut command = place.command(&["chat", "-p", "go"]);
    let mut child = command.env("TURNKIT_STORE__URL", "sqlite:turnkit.db").spawn().unwrap();
    child.stdout.as_mut().unwrap().read_exact(&mut [0; 4]).await.unwrap();
    let mut command = place.command(&["sessions", "ls"]);
    let refused = outcome(command.env("TURNKIT_STORE__URL", "sqlite:turnkit.db").spawn().unwrap()).await;
    assert_eq!(refused.code, Some(3));
    assert!(refused.stderr.starts_with("error: . is in use by another process; stop it"), "{refused:?}");
    gate.open();
    assert_eq!(outcome(child).await.code, Some(0));
}

#[tokio::test]
async fn a_wrong_request_is_rejected_with_a_remedy() {
    let place = Place::new();
    place.write("bad.toml", "[tools]\nconcurrencies = 1\n");
    place.write("agents.toml", "[[agents]]\nname = \"a\"\ntools = [\"calculators\"]\n");
    place.write("url.toml", "[store]\nurl = \"postgres:x\"\n");
    place.write("long.toml", "[[agents]]\nname = \"a\"\ninstructions_file = \"/dev/zero\"\n");
    let provider = "[[providers]]\nid = \"main\"\napi = \"openai-chat\"\nbase_url = \"http://localhost/v1\"";
    place.write("key.toml", &format!("{provider}\napi_key = \"a\\nb\"\nmodels = [\"m\"]\n"));
    for (words, code, said) in [
        (&["chat", "-p", " "][..], 2, "message: must not be empty"),
        (&["chat", "-p"], 2, "message: must not be empty"),
        (&["--config", "missing.toml", "chat", "-p", "x"], 2, "missing.toml: cannot be read"),
        (
            &["--config", "bad.toml", "chat", "-p", "x"],
            2,
            "bad.toml:2: unknown key `concurrencies`; did you mean `concurrency`?",
        ),
        (
            &["--config", "agents.toml", "chat", "-p", "x"],
            2,
            "there is no tool `calculators`; did you mean `calculator`?",
        ),
        (&["chat", "-p", "--agent", "nobody", "x"], 2, "--agent: there is no agent `nobody`; the agents are assistant"),
        (&["--config", "url.toml", "chat", "-p", "x"], 2, "url.toml:2: store.url begins with postgres:"),
        (&["--config", "url.toml", "sessions", "ls"], 2, "url.toml:2: store.url begins with postgres:"),
        (&["--config", "agents.toml", "sessions", "ls"], 2, "agents.toml:3: agent `a`: there is no tool"),
        (&["--config", "key.toml", "chat", "-p", "x"], 2, "key.toml:5: provider main: api_key contains characters"),
        (&["--config", "/dev/zero", "chat", "-p", "x"], 2, "/dev/zero: larger than 1048576 bytes"),
        (&["--config", "long.toml", "chat", "-p", "x"], 2, "/dev/zero: larger than 1048576 bytes"),
        (&["chat", "-p", "--session", "01234567-89ab-7cde-8f01-23456789abcd", "x"], 1, "session not found"),
        (
            &["chat", "-p", "--session", "a\nb", "x"],
            2,
            "--session: not a valid session name: contains a control character",
        ),
        (&["sessions", "show", "nobody"], 1, "there is no session nobody; `turnkit sessions ls` lists them"),
        (&["sessions", "frobnicate"], 2, "unrecognized subcommand"),
        (&["--data", "/dev/null/x", "sessions", "ls"], 3, "choose another directory with --data"),
    ] {
        let refused = place.run(words).await;
        assert_eq!(refused.code, Some(code), "{words:?}: {refused:?}");
        assert!(refused.stderr.contains(said), "{words:?}: {}", refused.stderr);
        assert_eq!(refused.stdout, "", "{words:?}");
        assert!(!refused.stderr.contains('\x1b'), "no colours off a terminal");
    }
}

#[tokio::test]
async fn text_of_a_model_cannot_control_the_terminal() {
    let upstream = FakeUpstream::start([Response::stream()
        .delta(json!({ "content": "\u{1b}[2Jred\u{7}" }))
        .finish("stop")
        .done()])
    .await
    .unwrap();
    let place = Place::asking(&upstream);
    assert_eq!(place.run(&["chat", "-p", "x"]).await.stdout, "[2Jred\n");
}

#[tokio::test]
async fn a_closed_pipe_ends_the_chat_quietly() {
    let gate = Gate::new();
    let answer =
        Response::stream().delta(json!({ "content": "first" })).wait(&gate).delta(json!({ "content": "second" }));
    let upstream = FakeUpstream::start([answer.finish("stop").done()]).await.unwrap();
    let place = Place::asking(&upstream);
    let mut child = place.start(&["chat", "-p", "go"]);
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 5]).await.unwrap();
    drop(stdout);
    gate.open();
    let ended = outcome(child).await;
    assert_eq!((ended.code, ended.stderr.as_str()), (Some(0), ""), "nobody is left to tell");
    let session = place.last_session().await;
    assert!(
        place.run(&["sessions", "show", &session]).await.stdout.contains("firstsecond"),
        "the turn goes on without its reader"
    );
}

#[tokio::test]
async fn a_session_continues_with_the_agent_that_started_it() {
    let upstream = FakeUpstream::start([Response::text("Arr."), Response::text("Arr again.")]).await.unwrap();
    let place = Place::asking(&upstream);
    let agents = "[[agents]]\nname = \"plain\"\ninstructions = \"Be plain.\"\n\
                  [[agents]]\nname = \"pirate\"\ninstructions = \"Be a pirate.\"\n";
    let providers = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
    place.write("turnkit.toml", &format!("{providers}{agents}"));
    place.run(&["chat", "-p", "--session", "sea", "--agent", "pirate", "Hello"]).await;
    place.run(&["chat", "-p", "--session", "sea", "And now?"]).await;
    for request in upstream.requests() {
        assert_eq!(request.json()["messages"][0]["content"], "Be a pirate.");
    }
    assert_eq!(upstream.requests().len(), 2);
}
