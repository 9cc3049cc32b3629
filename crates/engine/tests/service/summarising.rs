//! Tests of turns that summarise earlier messages before a step because the model's window is nearly full.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use serde_json::json;
use turnkit_core::ports::SessionStore as _;
use turnkit_core::{
    AgentReach, ChatRequest, ClientCaps, EventKind, ModelName, ProviderErrorKind, Role, SessionId, SessionKey,
    TurnEvent, TurnRoute, TurnStatus,
};
use turnkit_engine::{CompactRequest, Instructions, TurnRequest};
use turnkit_testkit::tools::lookup;
use turnkit_testkit::transcript::check_request;
use turnkit_testkit::{Reply, ScriptedProvider};

use crate::support::{Host, Setup, World, ada, pass, request, status};

const WINDOW: u32 = 8_000;

/// Returns the tokens that the provider counts: one per three bytes, and some per message.
fn counted(request: &ChatRequest) -> u64 {
    let bytes: usize = request.tools.iter().map(|tool| tool.description.len() + tool.parameters.get().len()).sum();
    let bytes = bytes + request.instructions.as_deref().map_or(0, str::len) + request.history.text_bytes();
    (bytes / 3 + 6 * request.history.len()) as u64
}

pub(crate) fn asks_for_a_summary(request: &ChatRequest) -> bool {
    let last = request.history.iter().next_back();
    last.is_some_and(|entry| entry.message().text().starts_with("Summarise this conversation"))
}

/// Returns a provider with a window. It answers requests for a summary with `summary`, and all others with `reply`.
fn provider(
    summary: impl Fn() -> Reply + Send + 'static,
    reply: impl Fn(u16) -> Reply + Send + 'static,
) -> ScriptedProvider {
    provider_with(WINDOW, summary, reply)
}

fn provider_with(
    window: u32,
    summary: impl Fn() -> Reply + Send + 'static,
    reply: impl Fn(u16) -> Reply + Send + 'static,
) -> ScriptedProvider {
    let provider = ScriptedProvider::answering(move |request, call| {
        let input = counted(request);
        if input > u64::from(window) {
            return Some(Reply::new().fail(ProviderErrorKind::ContextOverflow));
        }
        let reply = if asks_for_a_summary(request) { summary() } else { reply(call.step) };
        Some(reply.usage(input, 20))
    });
    provider.with_window(window)
}

fn setup(provider: ScriptedProvider) -> Setup {
    Setup::from(provider).tool(lookup()).with(|setup| {
        setup.flow = Arc::new(Instructions(Some("Be brief. ".repeat(100))));
        setup.settings.limits.max_rounds = 100;
    })
}

/// Calls `lookup` 60 times, in rounds of about 430 tokens.
fn looking(step: u16) -> Reply {
    match step {
        ..=60 => Reply::new().call("lookup", json!({ "key": format!("{step} {}", "k".repeat(600)) })),
        _ => Reply::text("Done."),
    }
}

/// Returns the compactions, and the codes of notices and errors. A failed compaction is represented by the beginning of
/// its failure.
fn codes(events: &[TurnEvent]) -> Vec<String> {
    let code = |event: &TurnEvent| match &event.kind {
        EventKind::Notice { code, .. } | EventKind::Error { code, .. } => Some(code.clone()),
        EventKind::Compacted { failure: None, .. } => Some("compacted".to_owned()),
        EventKind::Compacted { failure: Some(why), .. } => why.split(':').next().map(str::to_owned),
        _ => None,
    };
    events.iter().filter_map(code).collect()
}

/// Returns the requests for answers, and all requests including those for summaries. All must be valid and fit.
fn requests(host: &Host) -> (Vec<ChatRequest>, Vec<ChatRequest>) {
    let requests: Vec<ChatRequest> = host.provider.calls().into_iter().map(|call| call.request).collect();
    for request in &requests {
        check_request(request).unwrap();
        assert!(counted(request) <= u64::from(WINDOW));
    }
    (requests.iter().filter(|request| !asks_for_a_summary(request)).cloned().collect(), requests)
}

fn begins_with(request: &ChatRequest, earlier: &ChatRequest) -> bool {
    earlier.history.iter().eq(request.history.iter().take(earlier.history.len()))
}

#[test]
fn sixty_rounds_of_tools_go_through_a_small_window_with_summaries() {
    World::new().life(setup(provider(|| Reply::text("It looked."), looking)), async |host| {
        let receipt = host.submit("Look 60 times.").await;
        let events = host.events(receipt.turn).await;
        assert_eq!(status(&events), TurnStatus::Completed);
        let codes = codes(&events);
        assert!((4..=15).contains(&codes.len()) && codes.iter().all(|code| code == "compacted"), "{codes:?}");
        let (answered, all) = requests(&host);
        assert_eq!((answered.len(), all.len()), (61, 61 + codes.len()), "no call is refused");
        for request in &answered {
            let asked = request.history.iter().rfind(|entry| entry.message().role == Role::User).unwrap();
            assert_eq!(asked.message().text(), "Look 60 times.");
        }
        assert_eq!(answered.windows(2).filter(|pair| !begins_with(&pair[1], &pair[0])).count(), codes.len());

        // A request for a summary begins like the previous request, so most of it is in the provider's cache.
        for pair in all.windows(2).filter(|pair| asks_for_a_summary(&pair[1])) {
            let (before, asked) = (&pair[0], &pair[1]);
            let same = before.history.iter().zip(asked.history.iter()).take_while(|(one, other)| one == other).count();
            assert_eq!(same, asked.history.len() - 1);
            assert_eq!((&before.instructions, &before.tools), (&asked.instructions, &asked.tools));
            assert_eq!(before.tool_choice, asked.tool_choice);
        }
        // The usage of the summaries is charged to the turn.
        let consumed: u64 = all.iter().map(counted).sum();
        assert_eq!(host.record(receipt.turn).await.usage.unwrap().input(), consumed);
    });
}

/// Messages are left out only as a last resort, and a turn stops trying to summarise after three failures.
#[test]
fn a_turn_continues_without_summaries_if_they_fail() {
    let summaries = [
        ("fails", Reply::new().fail(ProviderErrorKind::Overloaded), "the model call failed"),
        ("breaks off", Reply::text("It").fail(ProviderErrorKind::Network), "the model call failed"),
        ("says nothing", Reply::text("  "), "the model wrote no summary"),
        ("says too much", Reply::text(&"It looked and looked. ".repeat(2_000)), "the summary is too large"),
        ("calls tools", Reply::new().call("lookup", json!({ "key": "a" })), "the model wrote no summary"),
    ];
    for (name, summary, failure) in summaries {
        World::new().life(setup(provider(move || summary.clone(), looking)), async |host| {
            let events = host.events(host.submit("Look 60 times.").await.turn).await;
            assert_eq!(status(&events), TurnStatus::Completed, "{name}");
            let codes = codes(&events);
            let count = |code: &str| codes.iter().filter(|other| *other == code).count();
            assert_eq!((count(failure), count("compaction_failed")), (3, 3), "{name}: {codes:?}");
            let left_out = count("history_truncated");
            assert!(left_out > 3 && left_out + 6 == codes.len(), "{name}: {codes:?}");
            let (answered, _) = requests(&host);
            assert_eq!(answered.len(), 61, "{name}");
            let rewritten = answered.windows(2).filter(|pair| !begins_with(&pair[1], &pair[0])).count();
            assert_eq!(rewritten, left_out, "{name}: a failure leaves the messages as they are");
        });
    }
}

/// Waits until the model is called for a summary.
async fn is_asked(host: &Host) {
    while !host.provider.calls().last().is_some_and(|call| asks_for_a_summary(&call.request)) {
        pass(Duration::from_millis(10)).await;
    }
}

async fn submit(host: &Host, session: Option<SessionId>, text: &str) -> (SessionId, Vec<TurnEvent>) {
    let receipt = match session {
        None => host.submit(text).await,
        Some(session) => host.adds(session, text).await,
    };
    (receipt.session, host.events(receipt.turn).await)
}

#[test]
fn a_long_session_is_summarised_between_its_turns_and_sent_the_same_after_a_restart() {
    let world = World::new();
    let provider = || provider(|| Reply::text("They talked."), |_| Reply::text(&"And so on. ".repeat(50)));
    let (mut session, mut last, mut compacted) = (None, None::<ChatRequest>, 0);
    for life in 0..3 {
        (session, last) = world.life(setup(provider()), async |host| {
            for number in 0..15 {
                let text = format!("Tell me {}", "more ".repeat(50 + number));
                let (id, events) = submit(&host, session, &text).await;
                session = Some(id);
                assert_eq!(status(&events), TurnStatus::Completed);
                let codes = codes(&events);
                assert!(codes.iter().all(|code| code == "compacted"), "{life} {codes:?}");
                compacted += codes.len();
                let (answered, all) = requests(&host);
                let newest = answered.last().unwrap();
                assert_eq!(newest.history.iter().next_back().unwrap().message().text(), text);
                if let (Some(last), 1) = (&last, all.len()) {
                    assert!(begins_with(newest, last), "{life}");
                }
            }
            (session, requests(&host).0.pop())
        });
    }
    assert!((2..=10).contains(&compacted), "{compacted}");
    let shown = world.life(setup(provider()), async |host| host.transcript(session.unwrap()).await);
    assert_eq!(shown.iter().filter(|line| line.starts_with("User: Tell me")).count(), 45, "the session keeps all");
}

#[test]
fn without_summarising_no_model_is_asked_for_a_summary() {
    let setup = setup(provider(|| Reply::text("It looked."), looking));
    let setup = setup.with(|setup| setup.settings.context.summarise = false);
    World::new().life(setup, async |host| {
        let events = host.events(host.submit("Look 60 times.").await.turn).await;
        assert_eq!(status(&events), TurnStatus::Completed);
        let codes = codes(&events);
        assert!(!codes.is_empty() && codes.iter().all(|code| code == "history_truncated"), "{codes:?}");
        assert_eq!(requests(&host).1.len(), 61);
    });
}

#[test]
fn a_turn_can_be_cancelled_while_messages_are_summarised() {
    let setup = setup(provider(|| Reply::text("It").hang(), looking));
    World::new().life(setup, async |host| {
        let receipt = host.submit("Look 60 times.").await;
        is_asked(&host).await;
        host.service.cancel(&ada(), receipt.turn).await.unwrap();
        assert_eq!(host.ends(receipt.turn).await, TurnStatus::Cancelled);
        let events = host.events(receipt.turn).await;
        assert_eq!(codes(&events), ["it was stopped"]);
        let usage = host.record(receipt.turn).await.usage.unwrap();
        assert_eq!(usage.unmetered_calls, 1);
    });
}

#[test]
fn a_turn_whose_process_dies_while_messages_are_summarised_has_them_summarised_by_the_next_one() {
    let world = World::new();
    let turn = world.life(setup(provider(|| Reply::text("It").hang(), looking)), async |host| {
        let turn = host.submit("Look 60 times.").await.turn;
        is_asked(&host).await;
        turn
    });
    world.life(setup(provider(|| Reply::text("It looked."), looking)), async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        let events = host.events(turn).await;
        assert_eq!(status(&events), TurnStatus::Completed);
        let codes = codes(&events);
        assert!(codes.len() > 3 && codes.iter().all(|code| code == "compacted"), "{codes:?}");
        // The usage of the dead process's summary is unknown.
        assert_eq!(host.record(turn).await.usage.unwrap().unmetered_calls, 1);
    });
}

/// A session of a model with a large window continues with a smaller one.
#[test]
fn messages_that_do_not_fit_a_request_are_summarised_piece_by_piece() {
    let tells = |_| Reply::text(&"And so on. ".repeat(40));
    let text = |number: usize| format!("Tell me {number} {}", "more ".repeat(150));
    for (turns, by_hand, expected) in [
        (30, false, &["compacted"][..]),
        (30, true, &[]),
        // Four pieces are not enough.
        (90, false, &["history_truncated"]),
    ] {
        let world = World::new();
        let large = provider_with(200_000, || Reply::text("They talked."), tells);
        let session = world.life(setup(large), async |host| {
            let mut session = None;
            for number in 0..turns {
                session = Some(submit(&host, session, &text(number)).await.0);
            }
            session.unwrap()
        });
        let pieces = Arc::new(AtomicU32::new(0));
        let number = Arc::clone(&pieces);
        let summary = move || Reply::text(&format!("Summary {}.", number.fetch_add(1, Ordering::Relaxed) + 1));
        world.life(setup(provider(summary, tells)), async |host| {
            if by_hand {
                let caps = ClientCaps { interact: false, resume: true };
                let turn = host
                    .service
                    .compact(
                        &ada(),
                        CompactRequest { session, caps, reach: AgentReach::default(), idempotency: None, trace: None },
                    )
                    .await;
                assert_eq!(host.ends(turn.unwrap().turn).await, TurnStatus::Completed);
            }
            let (_, events) = submit(&host, Some(session), "And then?").await;
            assert_eq!(status(&events), TurnStatus::Completed);
            assert_eq!(codes(&events), expected);
            let (answered, all) = requests(&host);
            let pieces = pieces.load(Ordering::Relaxed);
            assert_eq!(all.len(), answered.len() + pieces as usize, "{turns}");
            if turns == 90 {
                assert_eq!(pieces, 0);
                return;
            }
            assert!((2..=4).contains(&pieces), "{pieces}");
            // Each piece begins with the summary of the earlier pieces, and together they contain all messages in
            // order.
            let summary = |request: &ChatRequest| request.history.summary().map(|summary| summary.text.clone());
            let mut told = 0;
            for (request, number) in all.iter().zip(0..pieces) {
                assert_eq!(summary(request), (number > 0).then(|| format!("Summary {number}.")));
                for entry in request.history.shown().map(|shown| &shown.entry) {
                    if entry.message().text().starts_with("Tell me") {
                        assert_eq!(entry.message().text(), text(told));
                        told += 1;
                    }
                }
            }
            assert_eq!(summary(&answered[0]), Some(format!("Summary {pieces}.")));
            let next = answered[0].history.shown().next().unwrap();
            assert_eq!(next.entry.message().text(), text(told), "what follows the summary");
        });
    }
}

#[test]
fn the_usage_of_the_finished_pieces_of_a_stopped_summary_is_counted() {
    let world = World::new();
    let tells = |_| Reply::text(&"And so on. ".repeat(40));
    let large = provider_with(200_000, || Reply::text("They talked."), tells);
    let session = world.life(setup(large), async |host| {
        let mut session = None;
        for _ in 0..30 {
            session = Some(submit(&host, session, &"Tell me more. ".repeat(55)).await.0);
        }
        session.unwrap()
    });
    let asked = AtomicU32::new(0);
    let summary = move || match asked.fetch_add(1, Ordering::Relaxed) {
        0 => Reply::text("They talked."),
        _ => Reply::new().hang(),
    };
    world.life(setup(provider_with(WINDOW, summary, tells)), async |host| {
        let receipt = host.adds(session, "And then?").await;
        while host.provider.calls().len() < 2 {
            pass(Duration::from_millis(10)).await;
        }
        host.service.cancel(&ada(), receipt.turn).await.unwrap();
        assert_eq!(host.ends(receipt.turn).await, TurnStatus::Cancelled);
        let usage = host.record(receipt.turn).await.usage.unwrap();
        let first = counted(&host.provider.calls()[0].request);
        assert_eq!((usage.input(), usage.output, usage.unmetered_calls), (first, 20, 1));
    });
}

/// The window of the other model applies, even if the messages would fit that of the answering model.
#[test]
fn another_model_writes_the_summaries_if_the_agent_wants_that() {
    const SMALL: u32 = 3_000;
    let provider = ScriptedProvider::answering(|request, call| {
        let (input, is_small) = (counted(request), request.model.is_some());
        assert!(input <= u64::from(if is_small { SMALL } else { WINDOW }));
        assert_eq!(is_small, asks_for_a_summary(request));
        let reply = if is_small { Reply::text("It looked.") } else { looking(call.step) };
        Some(reply.usage(input, 20))
    });
    let provider = provider.with_window(WINDOW).with_window_of("small", SMALL);
    let small = TurnRoute { model: Some(ModelName("small".into())), ..TurnRoute::default() };
    let setup = setup(provider).with(|setup| setup.settings.compact_route = Some(small));
    World::new().life(setup, async |host| {
        let turn = host.submit("Look 60 times.").await.turn;
        let events = host.events(turn).await;
        assert_eq!(status(&events), TurnStatus::Completed);
        let codes = codes(&events);
        assert!(codes.len() > 3 && codes.iter().all(|code| code == "compacted"), "{codes:?}");
        let (answered, all) = requests(&host);
        assert!(all.len() - answered.len() > codes.len(), "some are written piece by piece");
    });
}

#[test]
fn summaries_are_written_where_the_client_wants_its_turn_answered() {
    let elsewhere = TurnRoute { provider: Some("cheap".into()), ..TurnRoute::default() };
    for (asked, expected) in [(None, "cheap"), (Some("own"), "own")] {
        let provider = provider(|| Reply::text("It looked."), looking);
        let setup = setup(provider).with(|setup| setup.settings.compact_route = Some(elsewhere.clone()));
        World::new().life(setup, async |host| {
            let route = asked.map(|id: &str| TurnRoute { provider: Some(id.into()), ..TurnRoute::default() });
            let request = TurnRequest { route, ..request(SessionKey::New, "Look 60 times.") };
            let turn = host.service.accept(&ada(), request).await.unwrap().turn;
            assert_eq!(host.ends(turn).await, TurnStatus::Completed);
            let calls = host.provider.calls();
            let summary = calls.iter().find(|call| asks_for_a_summary(&call.request)).unwrap();
            assert_eq!(summary.request.route.as_ref().unwrap().provider.as_deref(), Some(expected));
        });
    }
}

/// If a piece fails, the messages stay as they are, and the usage of all pieces is charged to the turn.
#[test]
fn a_piece_that_is_not_summarised_fails_the_summary() {
    let world = World::new();
    let tells = |_| Reply::text(&"And so on. ".repeat(40));
    let provider = provider_with(200_000, || Reply::text("They talked."), tells);
    let session = world.life(setup(provider), async |host| {
        let mut session = None;
        for _ in 0..30 {
            session = Some(submit(&host, session, &"Tell me more. ".repeat(55)).await.0);
        }
        session.unwrap()
    });
    for (second, failure) in [
        (Reply::text(" "), "the model wrote no summary"),
        (Reply::text(&"It goes on and on. ".repeat(600)), "the summary is too large"),
        (Reply::new().fail(ProviderErrorKind::Overloaded), "the model call failed"),
    ] {
        let asked = AtomicU32::new(0);
        let summary = move || match asked.fetch_add(1, Ordering::Relaxed) {
            0 => Reply::text("They talked."),
            _ => second.clone(),
        };
        world.life(setup(provider_with(WINDOW, summary, tells)), async |host| {
            let caps = ClientCaps { interact: false, resume: true };
            let turn = host
                .service
                .compact(
                    &ada(),
                    CompactRequest { session, caps, reach: AgentReach::default(), idempotency: None, trace: None },
                )
                .await
                .unwrap();
            assert_eq!(host.ends(turn.turn).await, TurnStatus::Failed);
            assert_eq!(codes(&host.events(turn.turn).await)[0], failure);
            let asked: u64 = requests(&host).1.iter().take(1).map(counted).sum();
            let usage = host.record(turn.turn).await.usage.unwrap();
            assert!(usage.fresh >= asked, "{usage:?}");
            let history = host.sqlite.session_history(&ada(), session).await.unwrap();
            let told = history.iter().filter(|entry| entry.message().text().starts_with("Tell me"));
            assert_eq!((told.count(), history.summary()), (30, None));
        });
    }
}
