//! Tests that after any failure a turn ends exactly once and the service survives.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use turnkit_core::ports::AgentFlow;
use turnkit_core::{
    AcceptError, EventKind, ProviderErrorKind, Session, SessionKey, StoreError, ToolFlags, TurnState, TurnStatus,
};
use turnkit_testkit::tools::{TestTool, panicking, pay};
use turnkit_testkit::{Gate, Reply, ScriptedProvider};

use crate::support::{Setup, World, ada, outline, request, rest, status, until};

#[test]
fn a_turn_that_panics_ends_failed_and_the_next_one_runs() {
    let provider = ScriptedProvider::answering(|request, _| match request.history.len() {
        1 => panic!("a bug in the provider"),
        _ => Some(Reply::text("Fine.")),
    });
    World::new().life(provider, async |host| {
        let first = host.submit("hi").await;
        let second = host.adds(first.session, "again").await;
        let events = host.events(first.turn).await;
        assert_eq!(status(&events), TurnStatus::Failed);
        let code = events.iter().find_map(|event| match &event.kind {
            EventKind::Error { code, .. } => Some(code.as_str()),
            _ => None,
        });
        assert_eq!(code, Some("internal"));
        assert_eq!(events, host.stored(first.turn).await);
        assert_eq!(host.ends(second.turn).await, TurnStatus::Completed);
    });
}

#[test]
fn a_panic_in_the_middle_of_an_answer_is_reported_to_its_followers() {
    let gate = Gate::new();
    let bomb = TestTool::new("bomb", ToolFlags::read_only(), |_, _| panic!("before there is a future"));
    let script = vec![Reply::new().say("Let me ").wait(&gate).say("see").call("bomb", json!({})), Reply::text("Hm.")];
    World::new().life(Setup::from(script).tool(bomb).tool(panicking()), async |host| {
        let turn = host.submit("hi").await.turn;
        let mut feed = host.follow(turn, None).await;
        until(&mut feed, "part.delta").await;
        gate.open();
        let mut last = None;
        while let Some(item) = feed.next().await.unwrap() {
            last = Some(item);
        }
        assert!(matches!(last, Some(turnkit_engine::FeedItem::Event(event)) if event.kind.is_terminal()));
        assert_eq!(host.events(turn).await, host.stored(turn).await);
    });
}

#[test]
fn a_provider_error_ends_the_turn_with_its_text_so_far_and_is_kept_beside_it() {
    for (reply, expected, said) in [
        (
            Reply::new().fail(ProviderErrorKind::Overloaded),
            "error provider_overloaded",
            vec!["User: hi", "Assistant: <provider_overloaded>"],
        ),
        (
            Reply::new().say("Half").fail(ProviderErrorKind::Network),
            "error provider_network",
            vec!["User: hi", "Assistant: Half<provider_network> [Interrupted]"],
        ),
        (
            Reply::new().say("Half").break_off(),
            "error provider_truncated",
            vec!["User: hi", "Assistant: Half<provider_truncated> [Interrupted]"],
        ),
    ] {
        World::new().life(vec![reply], async |host| {
            let accepted = host.submit("hi").await;
            let events = host.events(accepted.turn).await;
            assert_eq!(status(&events), TurnStatus::Failed);
            assert!(outline(&events).contains(&expected.to_owned()), "{:?}", outline(&events));
            assert_eq!(host.transcript(accepted.session).await, said);
        });
    }
}

#[test]
fn a_turn_that_does_not_end_in_time_expires() {
    let script = vec![Reply::new().say("Well…").hang()];
    let setup = Setup::from(script).with(|setup| setup.settings.turn_deadline = Duration::from_millis(20));
    World::new().life(setup, async |host| {
        let accepted = host.submit("hurry").await;
        let events = host.events(accepted.turn).await;
        assert_eq!(status(&events), TurnStatus::Expired);
        let expected = ["turn.started", "step.started", "step.ended", "error deadline_exceeded", "turn.ended expired"];
        assert_eq!(outline(&events), expected);
        assert_eq!(
            host.transcript(accepted.session).await,
            ["User: hurry", "Assistant: Well…<deadline_exceeded> [Cancelled]"]
        );
        assert_eq!(host.provider.open_calls(), 0);
    });
}

#[test]
fn a_turn_whose_checkpoint_fails_is_resumed_and_ends_once() {
    for error in [StoreError::Full("turnkit.db".to_owned()), StoreError::Unavailable("it is busy".to_owned())] {
        for nth in 1..=3 {
            let world = World::new();
            let ledger = world.ledger();
            let provider = ScriptedProvider::answering(|request, _| {
                let results = request.history.iter().filter(|entry| entry.message().role == turnkit_core::Role::Tool);
                Some(if results.count() == 0 {
                    Reply::new().call("pay", json!({ "amount": 1 }))
                } else {
                    Reply::text("Paid.")
                })
            });
            world.life(Setup::from(provider).tool(pay(ledger.clone())), async |host| {
                host.store.fails("checkpoint", nth, error.clone());
                let accepted = host.submit("pay").await;
                let mut feed = host.follow(accepted.turn, None).await;
                let seen = rest_with_resync(&mut feed).await;
                assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed, "checkpoint {nth}");
                assert_eq!(seen, Some(TurnStatus::Completed), "checkpoint {nth}");
                assert_eq!(host.events(accepted.turn).await, host.stored(accepted.turn).await);
                assert_eq!(ledger.effects().unwrap().len(), 1, "checkpoint {nth}");
                let transcript = host.transcript(accepted.session).await;
                let result = if nth == 2 { "<pay failed Some(OutcomeUnknown)>" } else { "<pay gave paid 1>" };
                let expected =
                    ["User: pay", r#"Assistant: <pay {"amount":1}>"#, &format!("Tool: {result}"), "Assistant: Paid."];
                assert_eq!(transcript, expected, "checkpoint {nth}");
            });
        }
    }
}

/// Returns the last status that a follower receives, where resyncs are allowed.
async fn rest_with_resync(feed: &mut turnkit_engine::TurnFeed) -> Option<TurnStatus> {
    let mut last = None;
    loop {
        let Ok(item) = feed.next().await else { continue }; // the owner could not write; the feed continues
        let Some(item) = item else { return last };
        last = match item {
            turnkit_engine::FeedItem::Event(event) => match event.kind {
                EventKind::TurnEnded { status, .. } => Some(status),
                _ => None,
            },
            turnkit_engine::FeedItem::Pending(_) | turnkit_engine::FeedItem::Progress(_) => continue,
            turnkit_engine::FeedItem::Resync(snapshot) => snapshot.turn.and_then(|turn| turn.view.status),
        };
    }
}

#[test]
fn a_store_that_fails_while_a_turn_is_taken_up_is_asked_again() {
    let world = World::new();
    let accepted = world.life(vec![Reply::new().hang()], async |host| host.submit("hi").await);
    world.life(vec![Reply::text("Here.")], async |host| {
        host.store.fails("load", 1, StoreError::Unavailable("it is busy".to_owned()));
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        assert_eq!(host.transcript(accepted.session).await, ["User: hi", "Assistant: Here."]);
    });
}

#[test]
fn a_turn_that_cannot_be_claimed_keeps_no_other_waiting_and_is_claimed_later() {
    // A turn whose claim failed is retried by the call that follows a successful claim, and otherwise after a pause.
    for (failures, claimed) in [(&[1][..], 2), (&[1, 3], 1), (&[1, 2], 0)] {
        let world = World::new();
        let left = world.life(vec![Reply::new().hang(), Reply::new().hang()], async |host| {
            [host.submit("one").await, host.submit("two").await]
        });
        world.life(vec![Reply::text("Here."), Reply::text("Here too.")], async |host| {
            for nth in failures {
                host.store.fails("claim", *nth, StoreError::Unavailable("it is busy".to_owned()));
            }
            assert_eq!(host.service.resume_unfinished().await, Ok(claimed));
            for accepted in left {
                assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
            }
        });
    }
}

#[test]
fn draining_lets_turns_finish_and_leaves_the_rest_for_the_next_start() {
    let (world, gate) = (World::new(), Gate::new());
    let provider = ScriptedProvider::answering({
        let gate = gate.clone();
        move |request, _| {
            let said = request.history.iter().next_back()?.message().text();
            Some(if said == "stuck" { Reply::new().say("Er").hang() } else { Reply::new().wait(&gate).say("Done.") })
        }
    });
    let (quick, stuck) = world.life(provider, async |host| {
        let (quick, stuck) = (host.submit("quick").await, host.submit("stuck").await);
        gate.reached().await;
        until(&mut host.follow(stuck.turn, None).await, "part.delta").await;
        gate.open();
        assert_eq!(status(&rest(&mut host.follow(quick.turn, None).await).await), TurnStatus::Completed);
        assert!(!host.service.drain(Duration::ZERO).await);
        assert_eq!(host.provider.open_calls(), 0);
        let record = host.record(stuck.turn).await;
        assert_eq!(record.state, TurnState::Running);
        (quick, stuck)
    });
    world.life(vec![Reply::text("Not stuck any more.")], async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        assert_eq!(host.ends(stuck.turn).await, TurnStatus::Completed);
        assert_eq!(host.ends(quick.turn).await, TurnStatus::Completed);
        assert_eq!(host.service.cancel(&ada(), quick.turn).await, Ok(turnkit_core::CancelOutcome::AlreadyEnded));
        assert!(host.service.drain(Duration::from_secs(5)).await);
    });
}

#[test]
fn a_turn_whose_agent_is_gone_ends_failed_and_its_session_continues() {
    let world = World::new();
    let accepted = world.life(vec![Reply::new().hang()], async |host| host.submit("hi").await);
    let setup = Setup::from(vec![Reply::text("I am new here.")]).with(|setup| setup.agent = "successor");
    world.life(setup, async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        let events = host.events(accepted.turn).await;
        assert_eq!(outline(&events)[1..], ["error agent_gone", "turn.ended failed"]);
        let next = host.adds(accepted.session, "who is there?").await;
        assert_eq!(host.ends(next.turn).await, TurnStatus::Completed);
    });
}

#[test]
fn an_agent_that_panics_when_it_is_asked_for_instructions_fails_its_turns_only() {
    struct Broken;
    impl AgentFlow for Broken {
        fn instructions(&self, _: &Session) -> Option<String> {
            panic!("a bug in the agent")
        }
    }
    let setup = Setup::from(vec![]).with(|setup| setup.flow = Arc::new(Broken));
    World::new().life(setup, async |host| {
        let events = host.events(host.submit("hi").await.turn).await;
        assert_eq!(outline(&events)[1..], ["error internal", "turn.ended failed"]);
    });
}

#[test]
fn a_request_that_arrives_while_the_service_drains_is_refused() {
    World::new().life(vec![], async |host| {
        host.service.drain(Duration::from_secs(1)).await;
        let refused = host.service.accept(&ada(), request(SessionKey::New, "hi")).await;
        assert!(matches!(refused, Err(AcceptError::Store(StoreError::Unavailable(_)))), "{refused:?}");
    });
}
