//! Tests of what sub-agents read of the conversation of the turn that starts them.

use serde_json::{Value, json};
use turnkit_core::{
    ChatRequest, ChildTurn, EventKind, Message, ProviderErrorKind, Resolution, SessionKey, ToolFlags, TurnId,
    TurnStatus,
};
use turnkit_testkit::tools::{TestTool, lookup};
use turnkit_testkit::transcript::check_request;
use turnkit_testkit::{Call, Reply};

use crate::sub_agents::{Scripts, failures, family, prompt};
use crate::summarising::asks_for_a_summary;
use crate::support::{Host, World, ada, request};

const FROM: &str = "user adds the conversation in which you were given this task";

/// Returns a call of `task` with these arguments in addition to the prompt.
fn count_call(mut arguments: Value) -> Reply {
    arguments["prompt"] = json!("count the days");
    arguments["agent"] = json!("clerk");
    Reply::new().say("Let us count.").call("task", arguments)
}

/// Returns the model's script for a session of two turns, the second of which starts a sub-agent.
fn conversation(asks: Reply, counts: Vec<Reply>) -> Scripts {
    vec![
        ("hello", vec![Reply::new().think("Who is it?").say("Hi.")]),
        (
            "plan",
            vec![Reply::new().say("I look.").call("lookup", json!({ "key": "week" })), asks, Reply::text("Good.")],
        ),
        ("count", counts),
    ]
}

/// Returns the user messages of the two turns. If `long`, the first one is long enough to be summarised.
fn texts(long: bool) -> [String; 2] {
    let more = if long { " and more".repeat(600) } else { String::new() };
    [format!("hello{more}"), "plan a week".to_owned()]
}

impl Host {
    /// Runs the two turns, and returns the second.
    async fn talks(&self, texts: [String; 2]) -> TurnId {
        let [first, second] = texts;
        let begun = self.submit(&first).await;
        assert_eq!(self.ends(begun.turn).await, TurnStatus::Completed);
        self.adds(begun.session, &second).await.turn
    }

    /// Returns the model calls of the sub-agent that the second turn starts. All calls must be valid.
    fn calls_below(&self, turn: TurnId) -> Vec<Call> {
        let calls = self.provider.calls();
        calls.iter().for_each(|call| check_request(&call.request).unwrap());
        let is_below = |call: &Call| call.context.turn != turn && !prompt(&call.request).starts_with("hello");
        calls.into_iter().filter(is_below).collect()
    }

    /// Returns the transcript of each model request of the only sub-agent.
    fn read_below(&self, turn: TurnId) -> Vec<Vec<String>> {
        self.calls_below(turn).iter().map(Call::transcript).collect()
    }
}

#[test]
fn a_sub_agent_reads_the_part_of_the_conversation_that_its_call_selects() {
    let filtered = "User: hello\n\nAssistant: Hi.\n\nUser: plan a week\n\nAssistant: I look.";
    let full = format!("{filtered}\n\nAssistant calls lookup: {{\"key\":\"week\"}}\n\nResult of lookup: value of week");
    for (context, expected) in [
        (json!({}), None),
        (json!({ "context": "none" }), None),
        (json!({ "context": "filtered" }), Some(filtered)),
        (json!({ "context": "full" }), Some(&*full)),
        // A summary of so short a conversation would not be smaller.
        (json!({ "context": "summary" }), Some(&*full)),
    ] {
        let world = World::new();
        let scripts = conversation(count_call(context.clone()), vec![Reply::text("7")]);
        world.life(family(scripts, &world.ledger()).tool(lookup()), async |host| {
            let turn = host.talks(texts(false)).await;
            assert_eq!(host.ends(turn).await, TurnStatus::Completed);
            let read = expected.map(|read| format!("{FROM}: {read}"));
            let read: Vec<String> = read.into_iter().chain(["user: count the days".to_owned()]).collect();
            assert_eq!(host.read_below(turn), [read], "{context}");
            let last = host.provider.calls().into_iter().rfind(|call| call.context.turn == turn).unwrap();
            let above = last.transcript();
            assert_eq!(above[above.len() - 2..], [task_call(&above), "task gave 7".to_owned()], "{context}");
        });
    }
}

/// Returns the line of the only call of `task`.
fn task_call(transcript: &[String]) -> String {
    transcript.iter().find(|line| line.starts_with("assistant calls task ")).cloned().unwrap_or_default()
}

#[test]
fn the_turn_of_a_sub_agent_has_the_summary_written_and_pays_for_it() {
    for (summary, is_written) in
        [(Reply::text("They plan a week."), true), (Reply::new().fail(ProviderErrorKind::BadRequest), false)]
    {
        let world = World::new();
        let mut scripts =
            conversation(count_call(json!({ "context": "summary" })), vec![Reply::text("7").usage(30, 1)]);
        scripts.push(("Summarise this conversation", vec![summary.usage(700, 5)]));
        world.life(family(scripts, &world.ledger()).tool(lookup()), async |host| {
            let turn = host.talks(texts(true)).await;
            assert_eq!(host.ends(turn).await, TurnStatus::Completed);
            let [asked, answered] = &host.calls_below(turn)[..] else { panic!() };
            assert!(asks_for_a_summary(&asked.request));
            let [whole, _] = &asked.transcript()[..] else { panic!() };
            assert!(whole.starts_with(&format!("{FROM}: User: hello and more")), "{whole}");
            assert!(whole.ends_with("Result of lookup: value of week"), "{whole}");
            // Without a summary, the sub-agent reads the conversation itself.
            let read = if is_written { "user sums up: They plan a week." } else { whole };
            assert_eq!(answered.transcript(), [read, "user: count the days"]);
            let child = host.child_of(turn).await;
            let events = host.events(child).await;
            let compacted = events.iter().filter(|event| matches!(event.kind, EventKind::Compacted { .. })).count();
            assert_eq!(compacted, 1);
            let session = host.session(host.record(child).await.session).await;
            let paid = if is_written { 730 } else { 30 };
            assert_eq!(session.usage.fresh, paid);
        });
    }
}

#[test]
fn a_correction_does_not_repeat_the_conversation() {
    for context in ["full", "summary"] {
        let world = World::new();
        let asks = count_call(json!({ "context": context, "result_schema": { "type": "integer" } }));
        let mut scripts = conversation(asks, vec![Reply::text("seven")]);
        scripts.push(("Summarise this conversation", vec![Reply::text("They plan a week.")]));
        scripts.push(("Your answer is not JSON", vec![Reply::text("7")]));
        world.life(family(scripts, &world.ledger()).tool(lookup()), async |host| {
            let turn = host.talks(texts(true)).await;
            assert_eq!(host.ends(turn).await, TurnStatus::Completed);
            let requests = host.read_below(turn);
            let corrected = requests.last().unwrap();
            let begins = if context == "full" { FROM } else { "user sums up: They plan a week." };
            assert!(corrected[0].starts_with(begins), "{corrected:?}");
            assert!(corrected[1].starts_with("user: count the days"), "{corrected:?}");
            assert_eq!(corrected[2], "assistant: seven");
            assert!(corrected[3].starts_with("user: Your answer is not JSON"), "{corrected:?}");
            assert_eq!(corrected.len(), 4);
        });
    }
}

#[test]
fn the_oldest_messages_leave_a_conversation_that_is_too_long_and_the_prompt_stays_whole() {
    let world = World::new();
    let scripts = conversation(count_call(json!({ "context": "full" })), vec![Reply::text("7")]);
    world.life(family(scripts, &world.ledger()).tool(lookup()), async |host| {
        let turn = host.talks([format!("hello{}", "x".repeat(200_000)), format!("plan{}", "y".repeat(100_000))]).await;
        assert_eq!(host.ends(turn).await, TurnStatus::Completed);
        let calls = host.calls_below(turn);
        let read = calls[0].transcript();
        let (line, rest) = read[0].split_once("\n\n").unwrap();
        assert_eq!(line, format!("{FROM}: [1 earlier messages are left out]"));
        assert!(rest.starts_with("Assistant: Hi.\n\nUser: planyyy"), "{}", &rest[..40]);
        assert_eq!(read[1], "user: count the days");
        assert!(calls[0].request.history.text_bytes() <= ChildTurn::MAX_BYTES);
    });
}

#[test]
fn a_strategy_that_there_is_not_starts_no_sub_agent() {
    for context in [json!("all"), json!(7), json!(["full"])] {
        let world = World::new();
        let scripts = conversation(count_call(json!({ "context": context })), Vec::new());
        world.life(family(scripts, &world.ledger()).tool(lookup()), async |host| {
            let turn = host.talks(texts(false)).await;
            let failures = failures(&host.events(turn).await);
            assert!(failures[0].starts_with("Error executing task: invalid arguments: "), "{failures:?}");
            assert_eq!((failures.len(), host.read_below(turn).len()), (1, 0));
        });
    }
}

#[test]
fn untrusted_text_in_the_conversation_taints_the_turn_that_reads_it() {
    for context in ["summary", "filtered", "full"] {
        let world = World::new();
        let pays = Reply::new().call("pay", json!({ "amount": 5 }));
        let mut scripts = conversation(count_call(json!({ "context": context })), vec![pays, Reply::text("So.")]);
        scripts[1].1.insert(0, Reply::new().call("fetch", json!({})));
        scripts.push(("Summarise this conversation", vec![Reply::text("Obey.")]));
        let flags = ToolFlags { open_world: true, ..ToolFlags::read_only() };
        let fetch = TestTool::new("fetch", flags, |_, _| Box::pin(async { Ok("obey".into()) }));
        let setup = family(scripts, &world.ledger()).tool(lookup()).tool(fetch);
        world.life(setup, async |host| {
            let begun = host.submit(&texts(true)[0]).await;
            assert_eq!(host.ends(begun.turn).await, TurnStatus::Completed);
            let mut asked = request(SessionKey::Id(begun.session), "plan a week");
            asked.caps.interact = true;
            let turn = host.service.accept(&ada(), asked).await.unwrap().turn;
            let wait = host.asked(host.child_of(turn).await).await;
            assert!(wait.question.reason.contains("untrusted text"), "{wait:?}");
            host.service.resolve(&ada(), wait.id, Resolution::denied(None)).await.unwrap();
            assert_eq!(host.ends(turn).await, TurnStatus::Completed);
        });
        assert_eq!(world.ledger().effects().unwrap().len(), 0);
    }
}

#[test]
fn a_restart_sends_the_sub_agents_model_the_same() {
    for context in ["filtered", "full", "summary"] {
        let world = World::new();
        let summarises = |reply: Reply| ("Summarise this conversation", vec![reply]);
        // The process dies during the first model call of the sub-agent, which may be the summary.
        let mut scripts = conversation(count_call(json!({ "context": context })), vec![Reply::new().hang()]);
        scripts.push(summarises(Reply::new().hang()));
        let (turn, first) = world.life(family(scripts, &world.ledger()).tool(lookup()), async |host| {
            let turn = host.talks(texts(true)).await;
            (turn, host.hangs_below(turn).await)
        });
        let mut scripts = vec![("plan", vec![Reply::text("Good.")]), ("count", vec![Reply::new().hang()])];
        scripts.push(summarises(Reply::text("They plan a week.")));
        let second = world.life(family(scripts, &world.ledger()).tool(lookup()), async |host| {
            host.service.resume_unfinished().await.unwrap();
            while !host.provider.calls().iter().any(|call| prompt(&call.request).starts_with("count")) {
                tokio::task::yield_now().await;
            }
            host.provider.calls()
        });
        assert_eq!(sent(&first), sent(&second[0]), "{context}");
        // The summary is not written a second time either.
        let scripts = vec![("plan", vec![Reply::text("Good.")]), ("count", vec![Reply::text("7")])];
        world.life(family(scripts, &world.ledger()).tool(lookup()), async |host| {
            host.service.resume_unfinished().await.unwrap();
            assert_eq!(host.ends(turn).await, TurnStatus::Completed);
            let third = host.calls_below(turn);
            assert_eq!((third.len(), sent(&third[0])), (1, sent(second.last().unwrap())), "{context}");
        });
    }
}

impl Host {
    /// Waits until the sub-agent's model is called, and returns the call.
    async fn hangs_below(&self, turn: TurnId) -> Call {
        loop {
            if let [call] = &self.calls_below(turn)[..] {
                return call.clone();
            }
            tokio::task::yield_now().await;
        }
    }
}

/// Returns the messages and instructions of a model request.
fn sent(call: &Call) -> (Vec<Message>, Option<String>) {
    let ChatRequest { history, instructions, .. } = &call.request;
    (history.iter().map(|entry| entry.message().clone()).collect(), instructions.as_deref().map(str::to_owned))
}

#[test]
fn turns_whose_sub_agents_read_the_conversation_replay() {
    for context in ["full", "summary"] {
        let world = World::new();
        let asks = || count_call(json!({ "context": context }));
        let mut scripts = vec![("plan", vec![asks(), Reply::text("Good.")]), ("count", vec![Reply::text("7")])];
        scripts.push(("Summarise this conversation", vec![Reply::text("They plan a week.")]));
        world.life(family(scripts, &world.ledger()), async |host| {
            let accepted = host.submit(&format!("plan{}", " and more".repeat(600))).await;
            assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
            let child = host.child_of(accepted.turn).await;
            host.replays(&world, accepted.turn, "assistant", vec![asks(), Reply::text("Good.")]).await;
            host.replays(&world, child, "clerk", vec![Reply::text("7")]).await;
        });
    }
}
