//! Tests of requests that would not fit the window of their model.

use std::sync::Arc;

use serde_json::json;
use turnkit_core::ports::{BoxFuture, Category, ContextError, ContextItem, ContextProvider, ContextRequest};
use turnkit_core::{ChatRequest, EventKind, ProviderErrorKind, Role, SessionId, ToolFlags, TurnEvent, TurnStatus};
use turnkit_engine::{ContextPipeline, Instructions};
use turnkit_testkit::tools::{TestTool, lookup};
use turnkit_testkit::transcript::check_request;
use turnkit_testkit::{Reply, ScriptedProvider};

use crate::support::{Host, Setup, World, ada, status};

const WINDOW: u32 = 8_000;

/// Returns the tokens that the provider counts: one per three bytes, and some per message.
fn counted(request: &ChatRequest) -> u64 {
    let bytes: usize = request.tools.iter().map(|tool| tool.description.len() + tool.parameters.get().len()).sum();
    let bytes = bytes + request.instructions.as_deref().map_or(0, str::len) + request.history.text_bytes();
    (bytes / 3 + 6 * request.history.len()) as u64
}

/// Returns a provider that refuses requests that exceed its window, and otherwise answers with `reply`.
fn strict(window: u32, reply: impl Fn(u16) -> Reply + Send + 'static) -> ScriptedProvider {
    ScriptedProvider::answering(move |request, call| {
        let input = counted(request);
        if input > u64::from(window) {
            return Some(Reply::new().fail(ProviderErrorKind::ContextOverflow));
        }
        Some(reply(call.step).usage(input, 20))
    })
}

fn setup(provider: ScriptedProvider) -> Setup {
    Setup::from(provider).tool(lookup()).with(|setup| {
        setup.flow = Arc::new(Instructions(Some("Be brief. ".repeat(100))));
        setup.settings.limits.max_rounds = 100;
        setup.settings.context.summarise = false;
    })
}

/// Returns the codes of notices and errors.
fn codes(events: &[TurnEvent]) -> Vec<&str> {
    let code = |event| match event {
        &TurnEvent { kind: EventKind::Notice { ref code, .. } | EventKind::Error { ref code, .. }, .. } => {
            Some(&**code)
        }
        _ => None,
    };
    events.iter().filter_map(code).collect()
}

/// Returns the number of requests that do not begin with the messages of the previous one. Checks that all requests are
/// valid, contain the question, and fit.
fn rewritten(host: &Host, question: &str) -> usize {
    let requests: Vec<ChatRequest> = host.provider.calls().into_iter().map(|call| call.request).collect();
    for request in &requests {
        check_request(request).unwrap();
        let asked = request.history.iter().rfind(|entry| entry.message().role == Role::User).unwrap();
        assert!(asked.message().text().starts_with(question));
        assert!(counted(request) <= u64::from(WINDOW));
    }
    let begins = |pair: &&[ChatRequest]| pair[0].history.iter().eq(pair[1].history.iter().take(pair[0].history.len()));
    requests.windows(2).filter(|pair| !begins(pair)).count()
}

#[test]
fn sixty_rounds_of_tools_go_through_a_window_of_8000_tokens() {
    let key = "k".repeat(600);
    let provider = strict(WINDOW, move |step| match step {
        ..=60 => Reply::new().call("lookup", json!({ "key": format!("{step} {key}") })),
        _ => Reply::text("Done."),
    });
    World::new().life(setup(provider.with_window(WINDOW)), async |host| {
        let events = host.events(host.submit("Look 60 times.").await.turn).await;
        assert_eq!(status(&events), TurnStatus::Completed);
        let rewritten = rewritten(&host, "Look 60 times.");
        assert_eq!(codes(&events).len(), rewritten);
        // Each round has about 430 tokens, and half of the room is about 2,800.
        assert!((5..=15).contains(&rewritten), "{rewritten}");
        assert_eq!(host.provider.calls().len(), 61, "no call is refused");
    });
}

#[test]
fn a_long_session_continues_in_a_small_window_also_after_restarts() {
    let world = World::new();
    let provider = || strict(WINDOW, |_| Reply::text(&"And so on. ".repeat(50))).with_window(WINDOW);
    let mut session = None;
    let mut truncated = 0;
    for life in 0..4 {
        session = world.life(setup(provider()), async |host| {
            for number in 0..15 {
                let text = format!("Tell me {}", "more ".repeat(50 + life * 50 + number));
                let receipt = match session {
                    None => host.submit(&text).await,
                    Some(session) => host.adds(session, &text).await,
                };
                session = Some(receipt.session);
                let events = host.events(receipt.turn).await;
                assert_eq!(status(&events), TurnStatus::Completed);
                truncated += codes(&events).len();
            }
            rewritten(&host, "Tell me");
            session
        });
    }
    assert!((4..=12).contains(&truncated), "{truncated}");
}

#[test]
fn requests_are_measured_the_same_in_one_process_and_after_restarts() {
    // One token per ten bytes: by an estimate of the whole session, messages would be left out long before it is too
    // large.
    let provider = || {
        let provider = ScriptedProvider::answering(|request, _| {
            Some(Reply::text(&"And so on. ".repeat(80)).usage(request.history.text_bytes() as u64 / 10, 88))
        });
        setup(provider.with_window(WINDOW)).with(|setup| setup.flow = Arc::new(Instructions(None)))
    };
    let ask = async |host: &Host, session: Option<SessionId>, number: usize| {
        let text = format!("Tell me {}", "more ".repeat(150 + number));
        let receipt = match session {
            None => host.submit(&text).await,
            Some(session) => host.adds(session, &text).await,
        };
        let events = host.events(receipt.turn).await;
        let sent = host.provider.calls().pop().unwrap().request.history.len();
        (Some(receipt.session), (sent, codes(&events).len()))
    };
    let warm: Vec<(usize, usize)> = World::new().life(provider(), async |host| {
        let (mut session, mut sent) = (None, Vec::new());
        for number in 0..60 {
            let (asked, request) = ask(&host, session, number).await;
            (session, sent) = (asked, [sent, vec![request]].concat());
        }
        sent
    });
    let (world, mut session, mut cold) = (World::new(), None, Vec::new());
    for number in 0..60 {
        let (asked, request) = world.life(provider(), async |host| ask(&host, session, number).await);
        session = asked;
        cold.push(request);
    }
    assert_eq!(cold, warm);
    let first = warm.iter().position(|(_, rewritten)| *rewritten > 0).unwrap();
    assert!((25..35).contains(&first), "the session is measured by what its provider counts: {first}");
}

#[test]
fn a_budget_limits_requests_whose_window_is_unknown_or_larger() {
    for window in [None, Some(200_000)] {
        let provider = strict(WINDOW, |_| Reply::text(&"And so on. ".repeat(50)));
        let provider = window.into_iter().fold(provider, ScriptedProvider::with_window);
        let setup = setup(provider).with(|setup| setup.settings.context.budget = Some(WINDOW));
        World::new().life(setup, async |host| {
            let session = host.submit(&"More. ".repeat(100)).await.session;
            for _ in 0..40 {
                assert_eq!(
                    host.ends(host.adds(session, &"More. ".repeat(100)).await.turn).await,
                    TurnStatus::Completed
                );
            }
            assert!(rewritten(&host, "More.") > 1);
        });
    }
}

#[test]
fn the_report_of_a_session_shows_the_messages_that_would_be_left_out() {
    let world = World::new();
    let provider = |window| setup(strict(window, |_| Reply::text(&"And so on. ".repeat(50))).with_window(window));
    let session = world.life(provider(100_000), async |host| {
        let session = host.submit(&"More. ".repeat(100)).await.session;
        for _ in 1..20 {
            host.ends(host.adds(session, &"More. ".repeat(100)).await.turn).await;
        }
        let report = host.service.context(&ada(), session).await.unwrap();
        assert_eq!((report.limit, report.request.history.len()), (Some(100_000), 40));
        session
    });
    world.life(provider(WINDOW), async |host| {
        let report = host.service.context(&ada(), session).await.unwrap();
        assert_eq!(report.limit, Some(u64::from(WINDOW)));
        assert!(report.used <= u64::from(WINDOW) && report.request.history.len() < 30, "{report:?}");
        assert_eq!(host.ends(host.adds(session, "And now?").await.turn).await, TurnStatus::Completed);
        let sent = host.provider.calls().pop().unwrap().request.history;
        assert!(sent.len() <= report.request.history.len() + 1);
    });
}

#[test]
fn a_request_that_its_provider_refuses_as_too_large_is_made_again_once_from_fewer_messages() {
    let provider = strict(WINDOW, |_| Reply::text(&"And so on. ".repeat(50)));
    World::new().life(setup(provider), async |host| {
        let session = host.submit(&"More. ".repeat(100)).await.session;
        let (mut calls, mut refused) = (1, 0);
        for _ in 0..60 {
            let events = host.events(host.adds(session, &"More. ".repeat(100)).await.turn).await;
            assert_eq!(status(&events), TurnStatus::Completed);
            let codes = codes(&events);
            assert!(codes.iter().all(|code| *code == "truncated_after_overflow"), "{codes:?}");
            (calls, refused) = (calls + 1 + codes.len(), refused + codes.len());
            let last = host.provider.calls().pop().unwrap();
            assert_eq!((last.context.step, usize::from(last.context.attempt)), (1, 1 + codes.len()));
            check_request(&last.request).unwrap();
        }
        assert_eq!(host.provider.calls().len(), calls);
        assert!((2..10).contains(&refused), "{refused}");
    });
}

#[test]
fn each_step_of_a_turn_may_be_made_again_once_from_fewer_messages() {
    let refuse = || Reply::new().fail(ProviderErrorKind::ContextOverflow);
    let look = || Reply::new().call("lookup", json!({ "key": "a" }));
    let script = vec![look(), look(), refuse(), look(), refuse(), Reply::text("Done.")];
    World::new().life(setup(ScriptedProvider::new(script)), async |host| {
        let events = host.events(host.submit("Look.").await.turn).await;
        assert_eq!((status(&events), codes(&events).len()), (TurnStatus::Completed, 2));
        let calls = host.provider.calls();
        let attempts: Vec<_> = calls.iter().map(|call| (call.context.step, call.context.attempt)).collect();
        assert_eq!(attempts, [(1, 1), (2, 1), (3, 1), (3, 2), (4, 1), (4, 2)]);
        let sent: Vec<_> = calls.iter().map(|call| call.request.history.len()).collect();
        assert_eq!(sent, [1, 3, 5, 3, 5, 3], "the question and the last round remain");
    });
}

#[test]
fn a_turn_fails_if_fewer_messages_do_not_help() {
    let refuse = || Reply::new().fail(ProviderErrorKind::ContextOverflow);
    let answer = || Reply::text("Yes.");
    for (script, calls, expected) in [
        // The second refusal fails the turn.
        (vec![answer(), refuse(), refuse()], 3, &["truncated_after_overflow", "context_overflow"][..]),
        // No message can be left out.
        (vec![refuse()], 1, &["context_overflow"]),
        // The user has seen the beginning of the answer.
        (vec![answer(), Reply::new().say("Ye").fail(ProviderErrorKind::ContextOverflow)], 2, &["context_overflow"]),
    ] {
        World::new().life(setup(ScriptedProvider::new(script)), async |host| {
            let first = host.submit("Is it so?").await;
            let mut events = host.events(first.turn).await;
            if status(&events) == TurnStatus::Completed {
                events = host.events(host.adds(first.session, "Is it?").await.turn).await;
            }
            assert_eq!((status(&events), codes(&events)), (TurnStatus::Failed, expected.to_vec()));
            assert_eq!(host.provider.calls().len(), calls);
        });
    }
}

#[test]
fn a_request_whose_instructions_exceed_the_window_is_not_sent() {
    for (window, calls) in [(Some(WINDOW), 0), (None, 1)] {
        let provider = strict(WINDOW, |_| Reply::text("Yes."));
        let provider = window.into_iter().fold(provider, ScriptedProvider::with_window);
        let setup = setup(provider).with(|setup| setup.flow = Arc::new(Instructions(Some("Be brief. ".repeat(8_000)))));
        World::new().life(setup, async |host| {
            let events = host.events(host.submit("Is it so?").await.turn).await;
            assert_eq!((status(&events), codes(&events)), (TurnStatus::Failed, vec!["context_overflow"]));
            assert_eq!(host.provider.calls().len(), calls, "only a provider knows its window");
        });
    }
}

/// Adds facts about the user: about 3,000 tokens.
struct Known;

impl ContextProvider for Known {
    fn name(&self) -> &str {
        "known"
    }

    fn priority(&self) -> u16 {
        Category::Memory.place()
    }

    fn provide<'a>(&'a self, _: &'a ContextRequest<'a>) -> BoxFuture<'a, Result<Vec<ContextItem>, ContextError>> {
        let item = |source, text: &str| ContextItem::new(Category::Memory, source, text.repeat(500));
        Box::pin(std::future::ready(Ok(vec![item("likes", "They like tea. "), item("dislikes", "No milk. ")])))
    }
}

#[test]
fn optional_items_leave_the_instructions_where_nothing_else_makes_a_request_fit() {
    let provider = strict(WINDOW, |_| Reply::text("Yes."));
    let setup = setup(provider.with_window(WINDOW)).with(|setup| {
        setup.settings.context_pipeline = Some(Arc::new(ContextPipeline::default().with(Known)));
    });
    World::new().life(setup, async |host| {
        let session = host.submit("Is it so?").await.session;
        let sizes = [("Is it?", 2), ("Long. ", 1_160), ("Longer. ", 1_330), ("And now?", 1)];
        for ((text, times), left_out) in sizes.into_iter().zip([&[][..], &["dislikes"], &["dislikes", "likes"], &[]]) {
            let events = host.events(host.adds(session, &text.repeat(times)).await.turn).await;
            assert_eq!(status(&events), TurnStatus::Completed, "{text}: {:?}", codes(&events));
            let sent = host.provider.calls().pop().unwrap().request;
            let instructions = sent.instructions.unwrap();
            assert!(instructions.starts_with("Be brief. "), "{text}");
            for (source, item) in [("likes", "They like tea."), ("dislikes", "No milk.")] {
                let is_left_out = left_out.contains(&source);
                assert_eq!(instructions.contains(item), !is_left_out, "{text}: {source}");
                let told = events.iter().filter(|event| match &event.kind {
                    EventKind::Notice { code, text } => code == "context_cut" && text.starts_with(source),
                    _ => false,
                });
                assert_eq!(told.count(), usize::from(is_left_out), "{text}: {source}");
            }
            if left_out.len() == 2 {
                let report = host.service.context(&ada(), session).await.unwrap();
                let cuts: Vec<_> =
                    report.items.iter().filter_map(|item| Some((&*item.source, item.cut?.reason))).collect();
                assert_eq!(cuts, [("likes", "room"), ("dislikes", "room")]);
            }
        }
    });
}

#[test]
fn a_session_continues_after_a_result_of_20_megabytes() {
    for (most_chars, status_of_turn) in [(20_000, TurnStatus::Completed), (usize::MAX, TurnStatus::Failed)] {
        for window in [None, Some(WINDOW)] {
            let provider = strict(WINDOW, |step| match step {
                1 => Reply::new().call("dump", json!({})),
                _ => Reply::text("Done."),
            });
            let provider = window.into_iter().fold(provider, ScriptedProvider::with_window);
            let dump = TestTool::new("dump", ToolFlags::read_only(), |_, _| {
                Box::pin(std::future::ready(Ok("row ".repeat(5 << 20).into())))
            });
            let setup = setup(provider).tool(dump);
            let setup = setup.with(|setup| setup.settings.tool_call_limits.result_max_chars = most_chars);
            World::new().life(setup, async |host| {
                let first = host.submit("Dump it.").await;
                let events = host.events(first.turn).await;
                assert_eq!(status(&events), status_of_turn, "{:?}", codes(&events));
                let is_failed = status_of_turn == TurnStatus::Failed;
                assert_eq!(codes(&events), ["context_overflow"].repeat(usize::from(is_failed)));
                assert_eq!(host.ends(host.adds(first.session, "Dump it again.").await.turn).await, status_of_turn);
            });
        }
    }
}
