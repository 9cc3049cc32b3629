//! Tests of turns from acceptance to their end.

use futures_util::future::join_all;
use serde_json::json;
use turnkit_core::{
    AcceptError, BusyPolicy, ConflictKind, EventKind, Idempotency, Message, Part, Role, SessionKey, StoreError,
    TurnState, TurnStatus,
};
use turnkit_testkit::tools::lookup;
use turnkit_testkit::{Gate, Reply};

use crate::support::{Setup, World, ada, outline, request, rest, status, until};

#[test]
fn a_follower_sees_the_whole_turn_and_the_session_keeps_it() {
    World::new().life(vec![Reply::new().say("Hello ").say("to you").usage(7, 3)], async |host| {
        let accepted = host.submit("Hi there").await;
        assert_eq!((accepted.queued, accepted.repeated), (false, false));
        let events = host.events(accepted.turn).await;
        assert_eq!(outline(&events), ["turn.started", "step.started", "step.ended", "turn.ended completed"]);
        assert_eq!(status(&events), TurnStatus::Completed);
        assert_eq!(events, host.stored(accepted.turn).await);
        assert_eq!(host.transcript(accepted.session).await, ["User: Hi there", "Assistant: Hello to you"]);
        let session = host.session(accepted.session).await;
        assert_eq!((session.turns, session.usage.fresh, session.usage.output), (1, 7, 3));
        assert_eq!(host.record(accepted.turn).await.state, TurnState::Ended(TurnStatus::Completed));
    });
}

#[test]
fn a_plain_turn_costs_two_writes_and_reads_nothing_neither_to_run_nor_to_be_followed() {
    World::new().life(vec![Reply::text("Hello"), Reply::text("Again")], async |host| {
        let first = host.submit("Hi").await;
        host.ends_for_its_client(&first).await;
        let second = host.adds(first.session, "And?").await;
        host.ends_for_its_client(&second).await;
        assert_eq!(host.store.counts(), [("accept", 2), ("checkpoint", 2)].into());
    });
}

#[test]
fn a_turn_in_a_session_of_its_own_does_not_read_back_the_messages_just_sent() {
    World::new().life(vec![Reply::text("Two"), Reply::text("Three")], async |host| {
        let earlier = vec![Message::user("one"), Message::new(Role::Assistant, vec![Part::text("One")])];
        let alone = request(SessionKey::Ephemeral(earlier), "two");
        let first = host.service.accept(&ada(), alone).await.unwrap();
        host.ends_for_its_client(&first).await;
        assert_eq!(host.store.counts(), [("accept", 1), ("checkpoint", 1)].into());
        assert_eq!(host.provider.calls()[0].transcript(), ["user: one", "assistant: One", "user: two"]);
        // An ephemeral session is not expected to continue, so its history is not cached.
        let second = host.adds(first.session, "three").await;
        host.ends_for_its_client(&second).await;
        assert_eq!(host.store.count("history"), 1);
        assert_eq!(host.provider.calls()[1].transcript().len(), 5);
    });
}

#[test]
fn a_request_that_is_repeated_is_followed_wherever_its_turn_is() {
    let world = World::new();
    let keyed = || {
        let mut keyed = request(SessionKey::New, "hi");
        keyed.idempotency = Some(Idempotency { key: "k-1".into(), body_sha256: [7; 32] });
        keyed
    };
    let again = async |host: &crate::support::Host| {
        let receipt = host.service.accept(&ada(), keyed()).await.unwrap();
        host.service.follow_accepted(&ada(), &receipt).await
    };
    let all = world.life(vec![Reply::text("Once.")], async |host| {
        let all = rest(&mut again(&host).await.unwrap()).await;
        assert_eq!(rest(&mut again(&host).await.unwrap()).await, all);
        all
    });
    world.life(vec![], async |host| {
        assert_eq!(rest(&mut again(&host).await.unwrap()).await, all);
    });
}

#[test]
fn a_tool_round_is_part_of_the_log_and_of_the_transcript() {
    let script = vec![Reply::new().say("Let me see.").call("lookup", json!({ "key": "a" })), Reply::text("Found.")];
    World::new().life(Setup::from(script).tool(lookup()), async |host| {
        let accepted = host.submit("Look").await;
        let events = host.events(accepted.turn).await;
        let expected = [
            "turn.started",
            "step.started",
            "step.ended",
            "tool.started lookup",
            "tool.finished lookup",
            "step.started",
            "step.ended",
            "turn.ended completed",
        ];
        assert_eq!(outline(&events), expected);
        assert_eq!(events, host.stored(accepted.turn).await);
        let expected = [
            "User: Look",
            r#"Assistant: Let me see.<lookup {"key":"a"}>"#,
            "Tool: <lookup gave value of a>",
            "Assistant: Found.",
        ];
        assert_eq!(host.transcript(accepted.session).await, expected);
    });
}

#[test]
fn requests_that_are_wrong_store_nothing() {
    World::new().life(vec![], async |host| {
        let agent = |name: &str| {
            let mut wrong = request(SessionKey::New, "hi");
            wrong.agent = Some(name.to_owned());
            wrong
        };
        let message = |role, text: &str| {
            let mut wrong = request(SessionKey::New, "");
            wrong.message = Message::new(role, vec![Part::text(text)]);
            wrong
        };
        let unknown = request(SessionKey::Id(Default::default()), "hi");
        for (wrong, expected) in [
            (agent("nobody"), "agent: there is no such agent; the agents are assistant"),
            (unknown, "session not found"),
            (message(Role::User, " \n"), "message: must not be empty"),
            (message(Role::Assistant, "I said"), "message: must be a user message"),
        ] {
            let refused = host.service.accept(&ada(), wrong).await.unwrap_err();
            assert_eq!(refused.to_string(), expected);
        }
        let page = turnkit_core::ports::SessionPage { limit: 1, after: None, archived: None };
        assert!(
            turnkit_core::ports::SessionStore::list(&*host.sqlite, &ada(), page).await.unwrap().sessions.is_empty()
        );
    });
}

#[test]
fn eight_requests_with_one_key_start_one_turn_that_runs_once() {
    World::new().life(vec![Reply::text("Once.")], async |host| {
        let keyed = || {
            let mut request = request(SessionKey::New, "hi");
            request.idempotency = Some(Idempotency { key: "k-1".into(), body_sha256: [7; 32] });
            request
        };
        let scope = ada();
        let receipts = join_all((0..8).map(|_| host.service.accept(&scope, keyed()))).await;
        let receipts: Vec<_> = receipts.into_iter().map(Result::unwrap).collect();
        assert_eq!(receipts.iter().filter(|receipt| !receipt.repeated).count(), 1);
        assert!(receipts.iter().all(|receipt| receipt.turn == receipts[0].turn));
        assert!(receipts.iter().all(|receipt| receipt.session == receipts[0].session));
        assert_eq!(host.ends(receipts[0].turn).await, TurnStatus::Completed);
        assert_eq!(host.provider.calls().len(), 1);

        let mut other = keyed();
        other.idempotency = Some(Idempotency { key: "k-1".into(), body_sha256: [8; 32] });
        assert_eq!(host.service.accept(&scope, other).await, Err(AcceptError::KeyReused));
    });
}

#[test]
fn a_request_whose_client_hung_up_while_it_was_stored_runs_all_the_same() {
    World::new().life(vec![Reply::text("For whom?")], async |host| {
        let stored = Gate::new();
        host.store.waits_after("accept", 1, &stored);
        let mut keyed = request(SessionKey::New, "hi");
        keyed.idempotency = Some(Idempotency { key: "k-1".into(), body_sha256: [7; 32] });
        {
            let scope = ada();
            let accepting = host.service.accept(&scope, keyed.clone());
            tokio::select! {
                biased;
                () = stored.reached() => {}
                _ = accepting => panic!("it did not wait"),
            }
        }
        stored.open();
        let again = host.service.accept(&ada(), keyed).await.unwrap();
        assert!(again.repeated);
        assert_eq!(host.ends(again.turn).await, TurnStatus::Completed);
    });
}

#[test]
fn a_turn_that_the_store_rejects_is_not_acknowledged() {
    let full = StoreError::Full("turnkit.db".to_owned());
    for (error, expected) in [
        (full.clone(), AcceptError::Store(full)),
        (StoreError::Conflict(ConflictKind::SessionBusy), AcceptError::Busy),
        (StoreError::Conflict(ConflictKind::QueueFull), AcceptError::QueueFull),
    ] {
        World::new().life(vec![Reply::text("Hello")], async |host| {
            host.store.fails("accept", 1, error);
            let refused = host.service.accept(&ada(), request(SessionKey::New, "hi")).await;
            assert_eq!(refused, Err(expected));
            let turn = host.submit("hi again").await.turn;
            assert_eq!(host.ends(turn).await, TurnStatus::Completed);
        });
    }
}

#[test]
fn a_busy_session_refuses_a_request_that_does_not_want_to_wait() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().wait(&gate).say("One")], async |host| {
        let first = host.submit("one").await;
        let mut second = request(SessionKey::Id(first.session), "two");
        second.busy = Some(BusyPolicy::Reject);
        assert_eq!(host.service.accept(&ada(), second).await, Err(AcceptError::Busy));
        gate.open();
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
    });
}

#[test]
fn followers_that_leave_or_read_slowly_change_nothing() {
    let gate = Gate::new();
    let script = vec![Reply::new().say("One ").wait(&gate).say("two ").say("three")];
    World::new().life(script, async |host| {
        let turn = host.submit("count").await.turn;
        let mut left = host.follow(turn, None).await;
        let mut slow = host.follow(turn, None).await;
        until(&mut left, "part.delta").await;
        drop(left);
        let first = slow.next().await.unwrap();
        gate.open();
        let all = host.events(turn).await;
        assert_eq!(status(&all), TurnStatus::Completed);
        assert!(matches!(&all[1].kind, EventKind::StepStarted { .. }));
        assert!(first.is_some());
        assert_eq!(rest(&mut slow).await, all[1..]);
    });
}
