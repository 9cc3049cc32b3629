//! Tests of sessions whose earlier messages are summarised at the user's request.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use turnkit_core::ports::{
    BoxFuture, CallContext, CompactError, Compacted, HistoryCompactor, LlmProvider, MessagePage, SessionStore as _,
    TurnStore as _,
};
use turnkit_core::{
    AcceptError, AgentReach, BusyPolicy, ChatRequest, ClientCaps, Day, EventKind, FinishReason, Idempotency, Mark,
    ProviderErrorKind, SamplingParams, SessionId, TurnId, TurnStatus, Usage,
};
use turnkit_engine::{CompactRequest, Receipt, RegenerateRequest};
use turnkit_testkit::tools::lookup;
use turnkit_testkit::transcript::check_request;
use turnkit_testkit::{Gate, Reply, ScriptedProvider};

use crate::support::{Host, Setup, World, ada, outline, pass};

/// Repeats the text twenty times, so that a summary is shorter.
fn long(text: &str) -> String {
    vec![text; 20].join(" ")
}

fn answer(text: &str) -> Reply {
    Reply::text(&long(text)).usage(100, 10)
}

/// Returns the replies to a turn for each text: the messages are the texts, and the answers the texts in capitals.
/// `then` follows.
fn talking(texts: &[&str], then: Vec<Reply>) -> Vec<Reply> {
    texts.iter().map(|text| answer(&text.to_uppercase())).chain(then).collect()
}

async fn talks(host: &Host, texts: &[&str]) -> SessionId {
    let session = host.empty_session().await;
    for text in texts {
        submit(host, session, text).await;
    }
    session
}

async fn submit(host: &Host, session: SessionId, text: &str) {
    let receipt = host.adds(session, &long(text)).await;
    assert_eq!(host.ends(receipt.turn).await, TurnStatus::Completed);
}

async fn request_compaction(host: &Host, session: SessionId, key: Option<&str>) -> Result<Receipt, AcceptError> {
    let idempotency = key.map(|key| Idempotency { key: key.into(), body_sha256: [0; 32] });
    let caps = ClientCaps { interact: false, resume: true };
    host.service
        .compact(&ada(), CompactRequest { session, caps, reach: AgentReach::default(), idempotency, trace: None })
        .await
}

async fn compacts(host: &Host, session: SessionId) -> (TurnId, TurnStatus) {
    let turn = request_compaction(host, session, None).await.unwrap().turn;
    (turn, host.ends(turn).await)
}

/// Returns the texts sent in a call, each shortened to one word. The request for a summary is `?`.
fn sent(host: &Host, call: usize) -> Vec<String> {
    let call = &host.provider.calls()[call];
    check_request(&call.request).unwrap();
    let short = |line: String| match line.split_once(": ") {
        Some((_, text)) if text.starts_with("Summarise this conversation") => "?".to_owned(),
        Some((who, text)) if who.ends_with("sums up") => format!("({text})"),
        Some((_, text)) => text.split(' ').next().unwrap_or_default().to_owned(),
        None => line,
    };
    call.transcript().into_iter().map(short).collect()
}

fn compacted(events: &[turnkit_core::TurnEvent]) -> Option<(u32, bool, Option<&str>, u64)> {
    events.iter().find_map(|event| match &event.kind {
        EventKind::Compacted { messages, tokens_before, tokens_after, failure, usage, .. } => {
            let smaller = tokens_after.is_some_and(|after| after < *tokens_before);
            Some((*messages, smaller, failure.as_deref(), usage.input()))
        }
        _ => None,
    })
}

#[test]
fn a_summary_takes_the_place_of_earlier_messages_and_the_session_keeps_them() {
    let script = || talking(&["one", "two", "three"], vec![Reply::text("They counted.").usage(300, 4), answer("FOUR")]);
    World::new().life(script(), async |host| {
        let session = talks(&host, &["one", "two", "three"]).await;
        let before = host.transcript(session).await;
        let (turn, status) = compacts(&host, session).await;
        assert_eq!(status, TurnStatus::Completed);
        let events = host.events(turn).await;
        assert_eq!(outline(&events), ["turn.started", "compacted", "turn.ended completed"]);
        assert_eq!(compacted(&events), Some((4, true, None, 300)));

        // The request for the summary has the same prefix as every other request of the session.
        assert_eq!(sent(&host, 3), ["one", "ONE", "two", "TWO", "?"]);
        let calls = host.provider.calls();
        let (asked, next) = (&calls[3].request, &calls[2].request);
        assert_eq!(
            (&asked.instructions, &asked.tools, asked.tool_choice),
            (&next.instructions, &next.tools, next.tool_choice)
        );

        submit(&host, session, "four").await;
        assert_eq!(sent(&host, 4), ["(They counted.)", "three", "THREE", "four"]);
        let after = host.transcript(session).await;
        assert_eq!((&after[..6], after[6].as_str(), after.len()), (&before[..], "User: <compact>", 9));

        let page = MessagePage { limit: 50, before: None, context: true };
        let page = host.sqlite.message_page(&ada(), session, page).await.unwrap();
        let summaries = page.iter().filter(|stored| stored.message.mark == Some(Mark::Summary));
        assert_eq!(summaries.map(|stored| (stored.turn, stored.place)).collect::<Vec<_>>(), [(turn, 1)]);
    });
}

#[test]
fn the_usage_of_a_summary_counts_for_its_turn_its_session_and_its_day() {
    let script = talking(&["one", "two"], vec![Reply::text("They counted.").usage(300, 4)]);
    World::new().life(script, async |host| {
        let session = talks(&host, &["one", "two"]).await;
        let (turn, _) = compacts(&host, session).await;
        let tokens = |usage: &Usage| (usage.fresh, usage.output);
        assert_eq!(host.record(turn).await.usage.as_ref().map(tokens), Some((300, 4)));
        assert_eq!(tokens(&host.session(session).await.usage), (500, 24));
        let days = host.sqlite.consumed(&ada(), Day::FIRST, Day::from_number(i64::MAX)).await.unwrap();
        assert_eq!(days.iter().map(|row| (row.calls, tokens(&row.usage))).collect::<Vec<_>>(), [(3, (500, 24))]);
    });
}

#[test]
fn a_summary_merges_with_the_one_before_it() {
    let script =
        talking(&["one", "two"], vec![Reply::text("First."), answer("THREE"), Reply::text("Second."), answer("FOUR")]);
    World::new().life(script, async |host| {
        let session = talks(&host, &["one", "two"]).await;
        compacts(&host, session).await;
        submit(&host, session, "three").await;
        assert_eq!(compacts(&host, session).await.1, TurnStatus::Completed);
        assert_eq!(sent(&host, 4), ["(First.)", "two", "TWO", "?"]);
        submit(&host, session, "four").await;
        assert_eq!(sent(&host, 5), ["(Second.)", "three", "THREE", "four"]);
    });
}

/// The newest user message and whole rounds stay, regardless of the length of the turn.
#[test]
fn a_turn_with_many_rounds_is_cut_after_a_round() {
    let look = |key: &str| Reply::text(&long(key)).call("lookup", json!({ "key": key }));
    let script = vec![look("a"), look("b"), answer("DONE"), Reply::text("It looked."), answer("NEXT")];
    World::new().life(Setup::from(script).tool(lookup()), async |host| {
        let session = talks(&host, &["one"]).await;
        assert_eq!(compacts(&host, session).await.1, TurnStatus::Completed);
        assert_eq!(host.provider.calls()[3].transcript().len(), 8, "the question, two rounds, and the request");
        submit(&host, session, "two").await;
        assert_eq!(sent(&host, 4), ["(It looked.)", "one", "DONE", "two"]);
    });
}

#[test]
fn without_a_summary_the_turn_fails_and_the_next_request_is_as_before() {
    let calls = || Reply::new().call("lookup", json!({ "key": "a" }));
    for (name, replies, failure) in [
        ("fails", vec![Reply::new().fail(ProviderErrorKind::Overloaded)], "the model call failed: scripted failure: "),
        ("breaks off", vec![Reply::text("They").fail(ProviderErrorKind::Network)], "the model call failed: "),
        ("says nothing", vec![Reply::new(), Reply::text("  ")], "the model wrote no summary"),
        ("calls tools", vec![calls(), calls()], "the model wrote no summary"),
        (
            "is cut off",
            vec![Reply::text("They").finish(FinishReason::Length)],
            "the model did not finish the summary: length",
        ),
        ("says too much", vec![answer("They counted one and two.")], "the summary is too large: about "),
    ] {
        let script = talking(&["one", "two"], replies).into_iter().chain([answer("THREE")]);
        World::new().life(Setup::from(script.collect::<Vec<_>>()).tool(lookup()), async |host| {
            let session = talks(&host, &["one", "two"]).await;
            let (turn, status) = compacts(&host, session).await;
            assert_eq!(status, TurnStatus::Failed, "{name}");
            let events = host.events(turn).await;
            let expected = ["turn.started", "compacted", "error compaction_failed", "turn.ended failed"];
            assert_eq!(outline(&events), expected, "{name}");
            let found = compacted(&events).and_then(|compacted| compacted.2);
            assert!(found.is_some_and(|found| found.starts_with(failure)), "{name}: {found:?}");
            submit(&host, session, "three").await;
            let last = host.provider.calls().len() - 1;
            assert_eq!(sent(&host, last), ["one", "ONE", "two", "TWO", "three"], "{name}");
        });
    }
}

#[test]
fn a_model_that_calls_tools_is_asked_once_more_without_them() {
    let replies =
        vec![Reply::new().call("lookup", json!({ "key": "a" })).usage(10, 1), Reply::text("Fine.").usage(10, 1)];
    let setup = Setup::from(talking(&["one", "two"], replies)).tool(lookup());
    World::new().life(setup, async |host| {
        let session = talks(&host, &["one", "two"]).await;
        let (turn, status) = compacts(&host, session).await;
        assert_eq!(status, TurnStatus::Completed);
        let choices: Vec<_> = host.provider.calls()[2..].iter().map(|call| call.request.tool_choice).collect();
        assert_eq!(choices, [turnkit_core::ToolChoice::Auto, turnkit_core::ToolChoice::None]);
        assert_eq!(compacted(&host.events(turn).await).map(|compacted| compacted.3), Some(20), "both calls count");
    });
}

#[test]
fn a_session_with_no_more_than_its_newest_messages_stays_as_it_is() {
    World::new().life(talking(&["one"], vec![]), async |host| {
        let session = host.empty_session().await;
        for texts in [&[][..], &["one"]] {
            for text in texts {
                submit(&host, session, text).await;
            }
            let (turn, status) = compacts(&host, session).await;
            assert_eq!(status, TurnStatus::Completed);
            assert_eq!(outline(&host.events(turn).await), ["turn.started", "notice", "turn.ended completed"]);
        }
        assert_eq!(host.provider.calls().len(), 1);
    });
}

#[test]
fn a_compaction_is_asked_for_once_per_key_and_cannot_be_answered_again() {
    let script = talking(&["one", "two"], vec![Reply::text("They counted.")]);
    World::new().life(script, async |host| {
        let session = talks(&host, &["one", "two"]).await;
        let first = request_compaction(&host, session, Some("k")).await.unwrap();
        host.ends(first.turn).await;
        let repeated = request_compaction(&host, session, Some("k")).await.unwrap();
        assert_eq!((repeated.turn, repeated.repeated), (first.turn, true));
        let (params, caps) = (SamplingParams::default(), ClientCaps { interact: false, resume: true });
        let again = RegenerateRequest {
            turn: first.turn,
            agent: None,
            route: None,
            params,
            tools: None,
            mode: None,
            caps,
            reach: AgentReach::default(),
            idempotency: None,
            trace: None,
        };
        let refusal = host.service.regenerate(&ada(), again).await.unwrap_err().to_string();
        assert_eq!(refusal, "id: the turn has no user message to answer again: start a turn with the message instead");
        assert_eq!(
            request_compaction(&host, SessionId::default(), None).await.unwrap_err(),
            AcceptError::NotFound("session")
        );
    });
}

#[test]
fn a_compaction_can_be_cancelled_and_its_model_call_counts() {
    let script = talking(&["one", "two"], vec![Reply::text("They").hang(), answer("THREE")]);
    World::new().life(script, async |host| {
        let session = talks(&host, &["one", "two"]).await;
        let turn = request_compaction(&host, session, None).await.unwrap().turn;
        pass(Duration::from_secs(1)).await;
        host.service.cancel(&ada(), turn).await.unwrap();
        assert_eq!(host.ends(turn).await, TurnStatus::Cancelled);
        let usage = host.record(turn).await.usage.unwrap();
        assert_eq!(usage.unmetered_calls, 1);
        submit(&host, session, "three").await;
        assert_eq!(sent(&host, 3), ["one", "ONE", "two", "TWO", "three"]);
    });
}

#[test]
fn a_compaction_whose_process_dies_is_done_by_the_next_one() {
    let world = World::new();
    let (session, turn) = world.life(talking(&["one", "two"], vec![Reply::text("They").hang()]), async |host| {
        let session = talks(&host, &["one", "two"]).await;
        let turn = request_compaction(&host, session, None).await.unwrap().turn;
        pass(Duration::from_secs(1)).await;
        (session, turn)
    });
    world.life(vec![Reply::text("They counted."), answer("THREE")], async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        let expected = ["turn.started", "retracted", "compacted", "turn.ended completed"];
        assert_eq!(outline(&host.events(turn).await), expected);
        submit(&host, session, "three").await;
        assert_eq!(sent(&host, 1), ["(They counted.)", "two", "TWO", "three"]);
    });
    // The stored history equals the cached one.
    world.life(vec![answer("FOUR")], async |host| {
        submit(&host, session, "four").await;
        assert_eq!(sent(&host, 0), ["(They counted.)", "two", "TWO", "three", "THREE", "four"]);
    });
}

#[test]
fn a_compaction_waits_for_the_turn_that_runs_whatever_messages_do() {
    for policy in [BusyPolicy::Enqueue, BusyPolicy::Interrupt, BusyPolicy::Reject] {
        let gate = Gate::new();
        let replies = vec![Reply::new().wait(&gate).say(&long("THREE")), Reply::text("They counted.")];
        let setup = Setup::from(talking(&["one", "two"], replies)).with(|setup| setup.settings.busy = policy);
        World::new().life(setup, async |host| {
            let session = talks(&host, &["one", "two"]).await;
            let running = host.adds(session, &long("three")).await;
            let compaction = request_compaction(&host, session, None).await.unwrap();
            assert!(compaction.queued);
            gate.open();
            assert_eq!(host.ends(running.turn).await, TurnStatus::Completed);
            assert_eq!(host.ends(compaction.turn).await, TurnStatus::Completed);
            assert_eq!(sent(&host, 3), ["one", "ONE", "two", "TWO", "?"]);
        });
    }
}

/// A compactor of the host.
#[derive(Debug)]
pub(crate) struct CountingCompactor {
    pub(crate) panics: bool,
}

impl HistoryCompactor for CountingCompactor {
    fn compact<'a>(
        &'a self,
        request: ChatRequest,
        _: &'a dyn LlmProvider,
        _: &'a CallContext,
    ) -> BoxFuture<'a, Result<Compacted, CompactError>> {
        Box::pin(async move {
            assert!(!self.panics, "as the test wants it");
            Ok(Compacted { text: format!("{} messages.", request.history.len()), calls: None })
        })
    }
}

#[test]
fn a_host_may_bring_its_own_compactor_and_its_panic_fails_the_turn_alone() {
    for panics in [false, true] {
        let compactor = Arc::new(CountingCompactor { panics });
        let setup = Setup::from(talking(&["one", "two"], vec![answer("THREE")]))
            .with(|setup| setup.settings.compactor = Some(compactor));
        World::new().life(setup, async |host| {
            let session = talks(&host, &["one", "two"]).await;
            let (turn, status) = compacts(&host, session).await;
            let failure = compacted(&host.events(turn).await).and_then(|compacted| compacted.2.map(str::to_owned));
            assert_eq!(failure.as_deref(), panics.then_some("the compactor panicked"));
            assert_eq!(status, if panics { TurnStatus::Failed } else { TurnStatus::Completed });
            submit(&host, session, "three").await;
            let expected: &[&str] =
                if panics { &["one", "ONE", "two", "TWO", "three"] } else { &["(2 messages.)", "two", "TWO", "three"] };
            assert_eq!(sent(&host, 2), expected);
        });
    }
}

#[test]
fn a_summary_is_not_bound_by_the_settings_of_answers() {
    let provider = ScriptedProvider::new(talking(&["one", "two"], vec![Reply::text("They counted.")]));
    let setup = Setup::from(provider).with(|setup| {
        let params = &mut setup.settings.params;
        params.max_tokens = Some(20);
        params.stop = vec!["They".into()];
        params.temperature = Some(0.5);
    });
    World::new().life(setup, async |host| {
        let session = talks(&host, &["one", "two"]).await;
        compacts(&host, session).await;
        let params = host.provider.calls()[2].request.params.clone();
        assert_eq!((params.max_tokens, params.stop.len(), params.temperature), (None, 0, Some(0.5)));
    });
}
