//! Requests that would not fit the window of their model.

use std::sync::Arc;

use serde_json::json;
use turnkit_core::{ChatRequest, EventKind, ProviderErrorKind, Role, TurnEvent, TurnStatus};
use turnkit_engine::Instructions;
use turnkit_testkit::tools::lookup;
use turnkit_testkit::transcript::check_request;
use turnkit_testkit::{Reply, ScriptedProvider};

use crate::support::{Host, Setup, World, ada};

const WINDOW: u32 = 8_000;

/// How many tokens the provider counts: one for three bytes, and some for each message.
fn counted(request: &ChatRequest) -> u64 {
    let bytes: usize = request.tools.iter().map(|tool| tool.description.len() + tool.parameters.get().len()).sum();
    let bytes = bytes + request.instructions.as_deref().map_or(0, str::len) + request.history.text_bytes();
    (bytes / 3 + 6 * request.history.len()) as u64
}

/// A provider that refuses what exceeds its window, and otherwise answers with `reply`.
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
    })
}

fn notices(events: &[TurnEvent]) -> Vec<&str> {
    let text = |event| match event {
        &TurnEvent { kind: EventKind::Notice { ref code, ref text }, .. } if code == "history_truncated" => {
            Some(&**text)
        }
        _ => None,
    };
    events.iter().filter_map(text).collect()
}

/// The requests that do not begin with the messages of the one before. All are valid, have the question and fit.
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
        let events = host.events(host.says("Look 60 times.").await.turn).await;
        assert_eq!(crate::support::status(&events), TurnStatus::Completed);
        let rewritten = rewritten(&host, "Look 60 times.");
        assert_eq!(notices(&events).len(), rewritten);
        // Each round has about 430 tokens, and half of the room is about 2,800.
        assert!((5..=15).contains(&rewritten), "{rewritten}");
        assert_eq!(host.provider.calls().len(), 61, "no call is refused");
    });
}

#[test]
fn a_long_session_goes_on_in_a_small_window_also_after_restarts() {
    let world = World::new();
    let provider = || strict(WINDOW, |_| Reply::text(&"And so on. ".repeat(50))).with_window(WINDOW);
    let mut session = None;
    let mut truncated = 0;
    for life in 0..4 {
        session = world.life(setup(provider()), async |host| {
            for number in 0..15 {
                let text = format!("Tell me {}", "more ".repeat(50 + life * 50 + number));
                let receipt = match session {
                    None => host.says(&text).await,
                    Some(session) => host.adds(session, &text).await,
                };
                session = Some(receipt.session);
                let events = host.events(receipt.turn).await;
                assert_eq!(crate::support::status(&events), TurnStatus::Completed);
                truncated += notices(&events).len();
            }
            rewritten(&host, "Tell me");
            session
        });
    }
    assert!((4..=12).contains(&truncated), "{truncated}");
}

#[test]
fn a_budget_limits_requests_whose_window_is_unknown_or_larger() {
    for window in [None, Some(200_000)] {
        let provider = strict(WINDOW, |_| Reply::text(&"And so on. ".repeat(50)));
        let provider = window.into_iter().fold(provider, ScriptedProvider::with_window);
        let setup = setup(provider).with(|setup| setup.settings.context.budget = Some(WINDOW));
        World::new().life(setup, async |host| {
            let session = host.says(&"More. ".repeat(100)).await.session;
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
fn the_report_of_a_session_shows_what_would_be_left_out() {
    let world = World::new();
    let provider = |window| setup(strict(window, |_| Reply::text(&"And so on. ".repeat(50))).with_window(window));
    let session = world.life(provider(100_000), async |host| {
        let session = host.says(&"More. ".repeat(100)).await.session;
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
