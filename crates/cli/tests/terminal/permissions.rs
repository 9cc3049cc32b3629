//! Configured permissions of tools.

use serde_json::{Value, json};
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::Place;

const CONFIGURATION: &str = r#"
[[agents]]
name = "first"
skills = "skills"
tools = ["*", "write_file", "edit_file"]
modes = { careful = { text = "Be careful.", permission_mode = "headless" } }
permission_mode = "accept_edits"

[[agents]]
name = "second"
skills = "skills"
tools = ["clock", "edit_file"]
trust = "built_in"

[[agents]]
name = "third"

[[agents]]
name = "fourth"
tools = ["write_file"]

[files]
roots = ["notes"]

[permissions]
rules = [
    { tool = "clock", decision = "ask", agent = "second" },
    { tool = "*", text = "deploy*", decision = "deny", match = ["deploy", "Deploy-all"], not_match = ["letters"] },
    { tool = "*", path = "**/private", decision = "deny", match = ["private/a"] },
    { tool = "calc*", decision = "notify", match = ["calculator"], not_match = ["clock"] },
]
"#;

fn place() -> Place {
    let place = Place::new();
    place.write("turnkit.toml", CONFIGURATION);
    std::fs::create_dir(place.path().join("notes")).unwrap();
    for name in ["deploy", "letters"] {
        std::fs::create_dir_all(place.path().join("skills").join(name)).unwrap();
        place.write(&format!("skills/{name}/SKILL.md"), &format!("---\nname: {name}\ndescription: x\n---\nText\n"));
    }
    place
}

#[tokio::test]
async fn the_decision_about_a_call_is_explained_without_running_it() {
    let place = place();
    for (arguments, decision, rule, because) in [
        (
            &["calculator", r#"{"expression":"2+2"}"#][..],
            "notify",
            json!(4),
            "rule 4 of the configuration allows it with a notice",
        ),
        (&["clock"], "allow", json!(null), "the tool only reads, and only inside this installation"),
        (&["clock", "{}", "--agent", "second"], "ask", json!(1), "rule 1 of the configuration asks for approval"),
        (&["read_skill", r#"{"name":"letters"}"#], "allow", json!(null), "the tool only reads"),
        (
            &["read_skill", r#"{"name":"deploy"}"#, "--agent", "second"],
            "deny",
            json!(2),
            "rule 2 of the configuration denies it",
        ),
        (&["read_skill", r#"{"skill":"deploy"}"#], "deny", json!(null), "invalid arguments: "),
    ] {
        let explained = place.run(&[&["permissions", "explain"], arguments, &["--json"]].concat()).await;
        assert_eq!(explained.code, Some(0), "{explained:?}");
        let explained: Value = serde_json::from_str(&explained.stdout).unwrap();
        let found = (explained["decision"].as_str(), explained.get("rule").cloned().unwrap_or_default());
        assert_eq!(found, (Some(decision), rule), "{explained}");
        assert!(explained["because"].as_str().unwrap().contains(because), "{explained}");
    }
    let absolute = place.path().canonicalize().unwrap().join("notes/private/a").display().to_string();
    let absolute = json!({ "path": absolute }).to_string();
    for (tool, arguments, options, decision, because) in [
        ("read_file", r#"{"path":"a/./private/b"}"#, &[][..], "deny", "rule 3 of the configuration denies it"),
        ("read_file", &absolute, &[], "deny", "rule 3 of the configuration denies it"),
        ("read_file", r#"{"path":"/etc/passwd"}"#, &[], "deny", "`/etc/passwd`: not in a folder of `files.roots`"),
        ("write_file", r#"{"path":"a","content":""}"#, &[], "allow", "the permission mode `accept_edits`"),
        ("write_file", r#"{"path":"a","content":""}"#, &["--mode", "plan"], "deny", "the permission mode `plan`"),
        (
            "write_file",
            r#"{"path":"a","content":""}"#,
            &["--mode", "careful"],
            "deny",
            "the permission mode `headless`",
        ),
        ("write_file", r#"{"path":"a","content":""}"#, &["--untrusted"], "ask", "untrusted text"),
        ("write_file", r#"{"path":"a","content":""}"#, &["--agent", "fourth"], "ask", "no rule matches it"),
        ("edit_file", r#"{"path":"a","old":"b","new":"c"}"#, &["--agent", "second"], "allow", "trusts the tool"),
    ] {
        let explained = place.run(&[&["permissions", "explain", tool, arguments, "--json"], options].concat()).await;
        let explained: Value = serde_json::from_str(&explained.stdout).unwrap();
        let because_of = explained["because"].as_str().unwrap();
        assert!(explained["decision"] == decision && because_of.contains(because), "{explained}");
    }
    let edit = ["permissions", "explain", "edit_file", r#"{"path":"./a","old":"b\nc","new":"d"}"#];
    let expected = "edit_file: it runs\n  because in the permission mode `accept_edits`, changes of files need no approval\n  \
                    it touches the path a\n    cannot edit a: not found\n    -b\n    -c\n    +d\n";
    assert_eq!(place.run(&edit).await.stdout, expected);
    let explained = place.run(&["permissions", "explain", "read_skill", r#"{"name":"deploy"}"#]).await;
    assert_eq!(
        explained.stdout,
        "read_skill: it is denied\n  because rule 2 of the configuration denies it\n  it touches deploy\n"
    );
    let mode = ["permissions", "explain", "clock", "--agent", "first", "--mode", "careful"];
    assert!(place.run(&mode).await.stdout.starts_with("clock: it runs\n"));
}

#[tokio::test]
async fn a_short_rule_applies_to_the_subject_of_a_call() {
    let place = Place::new();
    std::fs::create_dir(place.path().join("notes")).unwrap();
    place.write(
        "turnkit.toml",
        r#"
[[agents]]
name = "first"
tools = ["*", "write_file", "fetch_url"]

[files]
roots = ["notes"]

[permissions]
rules = [
    { tool = "write_file(drafts/:*)", decision = "allow", match = ["drafts/a"], not_match = ["drafts.txt"] },
    { tool = "fetch_url(docs.rs)", decision = "notify", not_match = ["docs.rs.evil.com"] },
    { tool = "write_file(drafts/final:*)", decision = "deny" },
]
"#,
    );
    for (tool, arguments, decision, rule) in [
        ("write_file", r#"{"path":"drafts/a/b","content":""}"#, "allow", json!(1)),
        ("write_file", r#"{"path":"drafts/../a","content":""}"#, "deny", json!(null)),
        ("write_file", r#"{"path":"drafts2/a","content":""}"#, "ask", json!(null)),
        ("write_file", r#"{"path":"drafts/Final/a","content":""}"#, "deny", json!(3)),
        ("fetch_url", r#"{"url":"https://docs.rs/tokio"}"#, "notify", json!(2)),
        ("fetch_url", r#"{"url":"https://docs.rs.evil.com/"}"#, "ask", json!(null)),
    ] {
        let explained = place.run(&["permissions", "explain", tool, arguments, "--json"]).await;
        let explained: Value = serde_json::from_str(&explained.stdout).unwrap();
        assert!(explained["decision"] == decision && explained["rule"] == rule, "{explained}");
    }
}

#[tokio::test]
async fn a_missing_tool_or_agent_is_not_explained() {
    let place = place();
    for (arguments, why) in [
        (&["clok"][..], "agent `first`, tool `clok`: there is no tool of this name"),
        (&["clock", "--agent", "fifth"], "there is no agent `fifth`; the agents are first, second, third, fourth"),
        (
            &["clock", "--mode", "party"],
            "agent `first` has no mode `party`; its modes are build, careful, explore, general, plan",
        ),
        (&["clock", "--mode", "party", "--agent", "second"], "its modes are build, explore, general, plan"),
    ] {
        let refused = place.run(&[&["permissions", "explain"], arguments].concat()).await;
        assert_eq!(refused.code, Some(2), "{refused:?}");
        assert!(refused.stderr.contains(why), "{refused:?}");
    }
}

#[tokio::test]
async fn an_agent_that_lists_no_tools_has_none_that_changes_files_or_reads_pages() {
    let place = place();
    for (tool, code) in [
        ("clock", 0),
        ("read_file", 0),
        ("list_files", 0),
        ("search_files", 0),
        ("write_file", 2),
        ("edit_file", 2),
        ("fetch_url", 2),
        ("run_command", 2),
    ] {
        let explained = place.run(&["permissions", "explain", tool, "{}", "--agent", "third"]).await;
        assert_eq!(explained.code, Some(code), "{tool}: {explained:?}");
        assert!(code == 0 || explained.stderr.contains("turnkit has this tool"), "{tool}: {explained:?}");
    }
}

#[tokio::test]
async fn a_tool_that_an_agent_lacks_is_explained_with_the_way_to_it() {
    let (place, bare) = (place(), Place::new());
    bare.write("turnkit.toml", "[[agents]]\nname = \"bare\"\n[[tools.command]]\nname = \"logs\"\nrun = [\"ls\"]\n");
    let run_command = "the agent does not list it: write tools = [\"*\", \"run_command\"], and add [tools.run_command] \
                       with `roots`, the folders whose files its programs may change";
    for (place, agent, tool, why) in [
        (&place, "third", "fetch_url", "the agent does not list it: write tools = [\"*\", \"fetch_url\"]"),
        (&place, "third", "edit_file", "the agent does not list it: write tools = [\"*\", \"edit_file\"]"),
        (&place, "fourth", "clock", "the agent does not list it: write tools = [\"write_file\", \"clock\"]"),
        (&place, "third", "task", "the agent does not list it: write tools = [\"*\", \"task\"]"),
        (&place, "third", "run_command", run_command),
        (&place, "third", "read_skill", "the agent has no skills: set its `skills` to their folder"),
        (&place, "third", "tool_search", "the agent defers no tools: name some in `defer_tools`"),
        (&bare, "bare", "read_file", "it is turned off: add [files] with `roots`, the folders of its files"),
        (
            &bare,
            "bare",
            "write_file",
            "the agent does not list it: write tools = [\"*\", \"write_file\"], and add [files] with `roots`, the folders \
             of its files",
        ),
    ] {
        let refused = place.run(&["permissions", "explain", tool, "--agent", agent]).await;
        let expected = format!("error: agent `{agent}`, tool `{tool}`: turnkit has this tool, but {why}\n");
        assert_eq!((refused.code, refused.stderr.ends_with(&expected)), (Some(2), true), "{refused:?}");
    }
    let configured = bare.run(&["permissions", "explain", "logs"]).await;
    assert_eq!(configured.code, Some(0), "{configured:?}");
}

#[tokio::test]
async fn arguments_that_are_no_json_object_are_not_explained() {
    let place = place();
    for (arguments, why) in [
        (&["read_skill", "{bad"][..], "the arguments are not valid JSON: "),
        (&["read_skill", "no JSON", "--json"], "the arguments are not valid JSON: "),
        (&["clock", "[1]"], "the arguments must be a JSON object, such as '{\"path\": \"notes.md\"}'"),
    ] {
        let refused = place.run(&[&["permissions", "explain"], arguments].concat()).await;
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{refused:?}");
        assert!(refused.stderr.contains(why), "{refused:?}");
    }
    for arguments in ["", " {} ", "null"] {
        assert_eq!(place.run(&["permissions", "explain", "clock", arguments]).await.code, Some(0), "{arguments}");
    }
}

#[tokio::test]
async fn a_page_that_is_certainly_out_of_reach_is_explained_as_such() {
    let place = Place::new();
    place.write("turnkit.toml", "[[agents]]\nname = \"a\"\ntools = [\"fetch_url\"]\n");
    for (url, host) in [
        ("http://127.0.0.1/", Some("127.0.0.1")),
        ("http://0x7f.1/", Some("127.0.0.1")),
        ("http://[::1]:8080/", Some("[::1]")),
        ("http://LOCALHOST/", Some("localhost")),
        ("https://docs.rs/", None),
    ] {
        let arguments = json!({ "url": url }).to_string();
        let fails = host.map(|host| format!("{host} is not public, and `fetch_url` connects to public addresses only"));
        let explained = place.run(&["permissions", "explain", "fetch_url", &arguments, "--json"]).await;
        let explained: Value = serde_json::from_str(&explained.stdout).unwrap();
        assert!(explained["decision"] == "ask" && explained["fails"] == json!(fails), "{explained}");
        let explained = place.run(&["permissions", "explain", "fetch_url", &arguments]).await;
        let line = fails.map(|why| format!("\n  the call fails, even if it is approved: {why}\n"));
        assert_eq!(explained.stdout.contains("the call fails"), line.is_some(), "{explained:?}");
        assert!(line.is_none_or(|line| explained.stdout.contains(&line)), "{explained:?}");
    }
}

#[tokio::test]
async fn files_are_untrusted_text_if_configured() {
    let chat = ["chat", "-p", "Go"];
    let listing = ["chat", "-p", "Go", "--tree", "."];
    for (setting, options, reads) in [
        ("", &chat[..], Some(("read_file", r#"{"path":"a"}"#))),
        ("", &listing, None),
        ("untrusted = true", &chat, None),
        ("untrusted = true", &chat, Some(("read_file", r#"{"path":"a"}"#))),
        ("untrusted = true", &chat, Some(("list_files", "{}"))),
        ("untrusted = true", &chat, Some(("search_files", r#"{"pattern":"Write"}"#))),
        ("untrusted = true", &listing, None),
    ] {
        let reads_first = reads.map(|(tool, arguments)| Response::calls(&[("c1", tool, arguments)]));
        let writes = Response::calls(&[("c2", "write_file", r#"{"path":"b","content":"x"}"#)]);
        let answers = reads_first.into_iter().chain([writes, Response::text("Done.")]);
        let upstream = FakeUpstream::start(answers).await.unwrap();
        let place = Place::asking_at(&upstream.base_url());
        let file = place.path().join("turnkit.toml");
        let provider = std::fs::read_to_string(file).unwrap();
        let rest = format!(
            "[[agents]]\nname = \"a\"\ntools = [\"*\", \"write_file\"]\n[files]\nroots = [\"notes\"]\n{setting}\n\
             [permissions]\nrules = [{{ tool = \"write_file\", decision = \"allow\" }}]\n"
        );
        place.write("turnkit.toml", &(provider + &rest));
        std::fs::create_dir(place.path().join("notes")).unwrap();
        place.write("notes/a", "Write b.");
        let done = place.run(options).await;
        assert_eq!(done.code, Some(0), "{done:?}");
        let is_outside = !setting.is_empty() && (reads.is_some() || options.len() > chat.len());
        assert_eq!(place.path().join("notes/b").exists(), !is_outside, "{setting} {options:?} {reads:?}");
        let last = upstream.requests().last().unwrap().json()["messages"].as_array().unwrap().last().unwrap().clone();
        let expected = if is_outside { "no person can be asked" } else { "`b`" };
        assert!(last["content"].as_str().unwrap().contains(expected), "{setting} {options:?} {reads:?}: {last}");
        for (flags, because) in [
            (&[][..], "rule 1 of the configuration allows it"),
            (&["--untrusted"], "the model was sent untrusted text"),
        ] {
            let explain = ["permissions", "explain", "write_file", r#"{"path":"b","content":"x"}"#];
            let explained = place.run(&[&explain, flags].concat()).await;
            assert!(explained.stdout.contains(because), "{explained:?}");
        }
    }
}

#[tokio::test]
async fn a_rule_about_the_subject_of_calls_applies_in_a_chat() {
    let place = place();
    let answered = place.run(&["chat", "-p", "What is 2 + 2?"]).await;
    assert_eq!(answered.code, Some(0), "{answered:?}");
    assert!(answered.stderr.contains("calculator runs without asking, as a rule says"), "{answered:?}");
}
