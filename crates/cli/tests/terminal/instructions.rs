//! The configured instructions of the model.

use serde_json::{Value, json};
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::Place;

/// Returns a folder with this agent, and a provider that answers this many turns.
async fn place(agent: &str, turns: usize) -> (Place, FakeUpstream) {
    let upstream = FakeUpstream::start((0..turns).map(|_| Response::text("Yes."))).await.unwrap();
    let place = Place::asking(&upstream);
    let provider = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
    place.write("turnkit.toml", &format!("{provider}\n[[agents]]\nname = \"a\"\n{agent}\n"));
    (place, upstream)
}

/// Returns the instructions in the last request.
fn instructions(upstream: &FakeUpstream) -> String {
    let body = upstream.requests().last().unwrap().json();
    body["messages"][0]["content"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn bootstrap_files_follow_the_instructions_and_the_hint_on_tools_comes_last() {
    let agent = "instructions = \"Be brief.\"\ntools_hint = \"Use tools.\"\nbootstrap = [\"AGENTS.md\", \"more.md\"]\n";
    let (place, upstream) = place(agent, 3).await;
    place.write("AGENTS.md", "Use tabs.\n");
    let first = place.run(&["chat", "-p", "--session", "s", "Hi"]).await;
    assert_eq!((first.code, first.stdout.as_str()), (Some(0), "Yes.\n"), "{first:?}");
    assert!(
        first.stderr.contains("more.md is missing from the instructions: cannot be read: No such file"),
        "{first:?}"
    );
    assert_eq!(instructions(&upstream), "Be brief.\n\nUse tabs.\n\nUse tools.");

    place.write("AGENTS.md", "Use spaces.");
    place.write("more.md", "No emojis.");
    let second = place.run(&["chat", "-p", "--session", "s", "Hi"]).await;
    assert!(!second.stderr.contains("is missing from the instructions"), "{second:?}");
    assert_eq!(instructions(&upstream), "Be brief.\n\nUse spaces.\n\nNo emojis.\n\nUse tools.");

    place.write("more.md", &"a line of forty characters, all of them\n".repeat(1_000));
    let third = place.run(&["chat", "-p", "--session", "s", "Hi"]).await;
    assert!(third.stderr.contains("more.md was cut from 9750 to "), "{third:?}");
    assert!(instructions(&upstream).ends_with("of them\n[… the rest is left out]\n\nUse tools."));

    let context = place.run(&["sessions", "context", "s", "--json"]).await.stdout;
    let context: Value = serde_json::from_str(&context).unwrap();
    assert_eq!(context["items"][1]["source"], "AGENTS.md");
    assert_eq!(context["items"][2]["cut"]["why"], "cap");
}

#[tokio::test]
async fn an_agent_without_tools_has_no_hint_on_them() {
    let (place, upstream) = place("instructions = \"Be brief.\"\ntools = []\ntools_hint = \"Use tools.\"", 1).await;
    place.run(&["chat", "-p", "Hi"]).await;
    assert_eq!(instructions(&upstream), "Be brief.");
}

#[tokio::test]
async fn the_prompt_that_a_session_selects_follows_the_prompt_of_the_agent() {
    let agent = "instructions = \"Be brief.\"\n[[prompts]]\nname = \"terse\"\ntext = \"One word.\"\n\
                 [[prompts]]\nname = \"pirate\"\nfile = \"pirate.md\"\n[[prompts]]\nname = \"same\"\ntext = \"Be brief.\"";
    let (place, upstream) = place(agent, 4).await;
    place.write("pirate.md", "Talk like a pirate.\n");
    let server = place.serve().await;
    let client = server.client();
    for (prompt, expected) in [
        (json!({ "prompt": "terse" }), "Be brief.\n\nOne word."),
        (json!({ "prompt": "pirate" }), "Be brief.\n\nTalk like a pirate."),
        (json!({ "prompt": "same" }), "Be brief."),
        (json!({}), "Be brief."),
    ] {
        let made = client.post("/api/v1/sessions", &[], &prompt).await.unwrap().json();
        assert_eq!(made["prompt"], prompt["prompt"]);
        place.run(&["chat", "-p", "--session", made["id"].as_str().unwrap(), "Hi"]).await;
        assert_eq!(instructions(&upstream), expected, "{prompt}");
    }
}

#[tokio::test]
async fn instructions_have_values_of_the_session_in_them() {
    let agent =
        "instructions = \"{{ agent }} serves {{ user }} with the plan {{ session.metadata.plan }}.\"\ntools = []";
    let (place, upstream) = place(agent, 3).await;
    let server = place.serve().await;
    let client = server.client();
    for (metadata, expected) in [
        (json!({ "plan": "gold" }), "a serves local with the plan gold."),
        (json!({ "plan": "{{ agent }}" }), "a serves local with the plan {{ agent }}."),
        (json!({}), "You are a helpful assistant."),
    ] {
        let made = client.post("/api/v1/sessions", &[], &json!({ "metadata": metadata })).await.unwrap().json();
        let answered = place.run(&["chat", "-p", "--session", made["id"].as_str().unwrap(), "Hi"]).await;
        assert_eq!(instructions(&upstream), expected);
        let failed = "agent is missing from the instructions: line 1 failed: undefined value";
        assert_eq!(answered.stderr.contains(failed), metadata == json!({}), "{answered:?}");
    }
}

#[tokio::test]
async fn a_skill_is_listed_and_the_model_reads_it() {
    let (place, upstream) = place("instructions = \"Be brief.\"\ntools = []\nskills = \"skills\"", 0).await;
    upstream.push(Response::calls(&[("c1", "read_skill", "{\"name\":\"mail\"}")]));
    upstream.push(Response::text("Done."));
    let missing = place.run(&["chat", "-p", "Hi"]).await;
    assert!(missing.code == Some(2) && missing.stderr.contains("agent `a`: skills: "), "{missing:?}");

    std::fs::create_dir_all(place.path().join("skills/letters")).unwrap();
    place.write("skills/letters/SKILL.md", "---\nname: mail\ndescription: How letters begin\n---\nDear all,\n");
    let answered = place.run(&["chat", "-p", "Write a letter"]).await;
    assert_eq!((answered.code, answered.stdout.as_str()), (Some(0), "Done.\n"), "{answered:?}");
    let list = "Be brief.\n\nSkills that you can read with `read_skill`:\n- mail: How letters begin";
    assert_eq!(instructions(&upstream), list);
    assert_eq!(upstream.requests()[1].json()["messages"][3]["content"], "Dear all,");

    std::fs::create_dir_all(place.path().join("skills/again")).unwrap();
    std::fs::copy(place.path().join("skills/letters/SKILL.md"), place.path().join("skills/again/SKILL.md")).unwrap();
    let twice = place.run(&["chat", "-p", "Hi"]).await;
    assert!(twice.code == Some(2) && twice.stderr.contains("another skill is called `mail`"), "{twice:?}");
}

#[tokio::test]
async fn the_model_is_sent_the_tools_of_its_agent_by_name() {
    for (tools, sent) in [
        ("tools = []", json!(null)),
        ("tools = [\"clock\"]", json!(["clock"])),
        ("tools = [\"clock\", \"calculator\"]", json!(["calculator", "clock"])),
        ("tools = [\"*\"]", json!(["calculator", "clock"])),
        ("tools = [\"cl*\"]", json!(["clock"])),
        ("", json!(["calculator", "clock"])),
        ("defer_tools = [\"cl*\"]", json!(["calculator", "tool_search"])),
    ] {
        let (place, upstream) = place(tools, 1).await;
        let answered = place.run(&["chat", "-p", "Hi"]).await;
        assert_eq!(answered.code, Some(0), "{answered:?}");
        let body = upstream.requests()[0].json();
        let names = |tools: &Vec<Value>| tools.iter().map(|tool| tool["function"]["name"].clone()).collect::<Value>();
        assert_eq!(body["tools"].as_array().map_or(Value::Null, names), sent, "{tools}");
    }
}
