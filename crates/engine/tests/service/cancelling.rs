//! Tests of stopping a turn in every state.

use serde_json::json;
use turnkit_core::ports::Broker as _;
use turnkit_core::{CancelOutcome, Idempotency, SessionId, SessionKey, StoreError, TurnState, TurnStatus};
use turnkit_engine::TurnRequest;
use turnkit_engine::permission::{Decision, Rule};
use turnkit_testkit::tools::{lookup, pay, slow, upsert};
use turnkit_testkit::{Gate, Reply};

use crate::support::{Setup, World, ada, next, outline, request, rest, status, until};

#[test]
fn cancelling_during_an_answer_keeps_its_text_and_closes_the_call() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().say("Half an ").say("ans").wait(&gate)], async |host| {
        let accepted = host.submit("tell me").await;
        let mut feed = host.follow(accepted.turn, None).await;
        until(&mut feed, "part.delta").await;
        assert_eq!(host.service.cancel(&ada(), accepted.turn).await, Ok(CancelOutcome::Stopping));
        let events = host.events(accepted.turn).await;
        assert_eq!(outline(&events), ["turn.started", "step.started", "step.ended", "turn.ended cancelled"]);
        assert_eq!(events, host.stored(accepted.turn).await);
        assert_eq!(host.provider.open_calls(), 0);
        let expected = ["User: tell me", "Assistant: Half an ans [Cancelled]"];
        assert_eq!(host.transcript(accepted.session).await, expected);
    });
}

#[test]
fn cancelling_before_any_output_keeps_the_message_only() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().wait(&gate), Reply::text("Now.")], async |host| {
        let accepted = host.submit("tell me").await;
        gate.reached().await;
        host.service.cancel(&ada(), accepted.turn).await.unwrap();
        assert_eq!(outline(&host.events(accepted.turn).await), ["turn.started", "turn.ended cancelled"]);
        assert_eq!(host.transcript(accepted.session).await, ["User: tell me"]);
        let second = host.adds(accepted.session, "again").await;
        assert_eq!(host.ends(second.turn).await, TurnStatus::Completed);
    });
}

#[test]
fn cancelling_while_tools_run_keeps_results_and_starts_nothing_more() {
    let (world, gate) = (World::new(), Gate::new());
    let ledger = world.ledger();
    let script = vec![
        Reply::new()
            .call("lookup", json!({ "key": "a" }))
            .call("pay", json!({ "amount": 1 }))
            .call("slow", json!({}))
            .call("pay", json!({ "amount": 2 })),
    ];
    let setup = Setup::from(script).tool(lookup()).tool(slow(gate.clone())).tool(pay(ledger.clone()));
    world.life(setup, async |host| {
        let accepted = host.submit("do it all").await;
        gate.reached().await;
        assert_eq!(host.service.cancel(&ada(), accepted.turn).await, Ok(CancelOutcome::Stopping));
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
        let transcript = host.transcript(accepted.session).await;
        let results = "Tool: <lookup gave value of a><pay gave paid 1><slow failed Some(Cancelled)>\
                       <pay failed Some(Cancelled)>";
        assert_eq!(transcript[2], results);
        assert_eq!(ledger.effects().unwrap().len(), 1);
        assert_eq!(host.provider.calls().len(), 1);
    });
}

#[test]
fn cancelling_a_queued_turn_ends_it_at_once_and_its_followers_see_the_end() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().wait(&gate).say("One"), Reply::text("Three")], async |host| {
        let first = host.submit("one").await;
        let second = host.adds(first.session, "two").await;
        let third = host.adds(first.session, "three").await;
        let mut feed = host.follow(second.turn, None).await;
        next(&mut feed).await;
        assert_eq!(host.service.cancel(&ada(), second.turn).await, Ok(CancelOutcome::EndedUnstarted));
        assert_eq!(outline(&rest(&mut feed).await), ["turn.ended cancelled"]);
        let events = host.events(second.turn).await;
        assert_eq!(status(&events), TurnStatus::Cancelled);
        assert_eq!(events, host.stored(second.turn).await);
        gate.open();
        assert_eq!(host.ends(third.turn).await, TurnStatus::Completed);
        let expected = ["User: one", "Assistant: One", "User: three", "Assistant: Three"];
        assert_eq!(host.transcript(first.session).await, expected);
    });
}

#[test]
fn cancelling_twice_and_after_the_end_changes_nothing() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().say("Half").wait(&gate), Reply::text("Whole")], async |host| {
        let turn = host.submit("hi").await.turn;
        let written = Gate::new();
        host.store.waits_before("checkpoint", 1, &written);
        until(&mut host.follow(turn, None).await, "part.delta").await;
        for _ in 0..2 {
            assert_eq!(host.service.cancel(&ada(), turn).await, Ok(CancelOutcome::Stopping));
        }
        written.open();
        assert_eq!(host.ends(turn).await, TurnStatus::Cancelled);
        let log = host.stored(turn).await;
        assert_eq!(host.service.cancel(&ada(), turn).await, Ok(CancelOutcome::AlreadyEnded));

        let other = host.submit("hi").await.turn;
        assert_eq!(host.ends(other).await, TurnStatus::Completed);
        assert_eq!(host.service.cancel(&ada(), other).await, Ok(CancelOutcome::AlreadyEnded));
        assert_eq!(host.stored(turn).await, log);
        assert_eq!(host.service.cancel(&ada(), Default::default()).await, Err(StoreError::NotFound));
    });
}

#[test]
fn a_cancel_that_comes_while_the_answer_is_written_wins_and_keeps_the_answer() {
    let gate = Gate::new();
    World::new().life(vec![Reply::text("All of it.")], async |host| {
        host.store.waits_before("checkpoint", 1, &gate);
        let accepted = host.submit("hi").await;
        gate.reached().await;
        assert_eq!(host.service.cancel(&ada(), accepted.turn).await, Ok(CancelOutcome::Stopping));
        gate.open();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
        let events = host.events(accepted.turn).await;
        assert_eq!(events, host.stored(accepted.turn).await);
        assert_eq!(host.transcript(accepted.session).await, ["User: hi", "Assistant: All of it. [Cancelled]"]);
    });
}

#[test]
fn a_cancel_reaches_a_turn_that_begins_before_its_acceptance_was_acknowledged() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().wait(&gate).say("One"), Reply::text("Two")], async |host| {
        let first = host.submit("one").await;
        gate.reached().await;
        let (accepted, read) = (Gate::new(), Gate::new());
        host.store.waits_after("accept", 2, &accepted);
        host.store.waits_before("load", 1, &read);
        let meanwhile = async {
            // The turn is stored, and starts as the first one ends, before its receipt is returned.
            accepted.reached().await;
            gate.open();
            read.reached().await;
            accepted.open();
        };
        let (second, ()) = tokio::join!(host.adds(first.session, "two"), meanwhile);
        assert_eq!(host.service.cancel(&ada(), second.turn).await, Ok(CancelOutcome::Stopping));
        read.open();
        assert_eq!(host.ends(second.turn).await, TurnStatus::Cancelled);
        assert_eq!(host.provider.calls().len(), 1);
    });
}

#[test]
fn a_cancel_that_comes_before_the_tools_start_starts_none() {
    let (world, gate) = (World::new(), Gate::new());
    let ledger = world.ledger();
    let setup = Setup::from(vec![Reply::new().call("pay", json!({ "amount": 1 }))]).tool(pay(ledger.clone()));
    world.life(setup, async |host| {
        host.store.waits_before("checkpoint", 1, &gate);
        let accepted = host.submit("pay").await;
        gate.reached().await;
        host.service.cancel(&ada(), accepted.turn).await.unwrap();
        gate.open();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
        assert_eq!(ledger.effects().unwrap(), []);
        let expected =
            ["User: pay", r#"Assistant: <pay {"amount":1}> [Cancelled]"#, "Tool: <pay failed Some(Cancelled)>"];
        assert_eq!(host.transcript(accepted.session).await, expected);
    });
}

#[test]
fn a_turn_that_has_no_slot_yet_is_cancelled_before_it_asks_the_model() {
    let (world, gate) = (World::new(), Gate::new());
    let turns = world.life(vec![Reply::new().hang(), Reply::new().hang()], async |host| {
        [host.submit("one").await.turn, host.submit("two").await.turn]
    });
    let setup = Setup::from(vec![Reply::new().wait(&gate).say("One")]).with(|setup| setup.slots = 1);
    world.life(setup, async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(2));
        gate.reached().await;
        assert_eq!(host.service.cancel(&ada(), turns[1]).await, Ok(CancelOutcome::Stopping));
        assert_eq!(host.ends(turns[1]).await, TurnStatus::Cancelled, "to be ended it needs no slot");
        gate.open();
        assert_eq!(host.ends(turns[0]).await, TurnStatus::Completed);
        assert_eq!(host.provider.calls().len(), 1);
    });
}

#[test]
fn a_queued_turn_that_is_cancelled_before_its_request_is_answered_ends_for_its_followers() {
    let (running, stored) = (Gate::new(), Gate::new());
    World::new().life(vec![Reply::new().wait(&running).say("One")], async |host| {
        let first = host.submit("one").await;
        host.store.waits_after("accept", 2, &stored);
        let scope = ada();
        let slow = host.service.accept(&scope, keyed(first.session, "two"));
        let meanwhile = async {
            stored.reached().await;
            let turn = host.service.accept(&scope, keyed(first.session, "two")).await.unwrap().turn;
            assert_eq!(host.service.cancel(&scope, turn).await, Ok(CancelOutcome::EndedUnstarted));
            stored.open();
        };
        let (accepted, ()) = tokio::join!(slow, meanwhile);
        assert_eq!(host.ends(accepted.unwrap().turn).await, TurnStatus::Cancelled);
    });
}

/// Returns a request with an idempotency key.
fn keyed(session: SessionId, text: &str) -> TurnRequest {
    let idempotency = Some(Idempotency { key: "k-1".into(), body_sha256: [7; 32] });
    TurnRequest { idempotency, ..request(SessionKey::Id(session), text) }
}

#[test]
fn a_cancel_is_not_lost_if_the_turn_began_before_its_acceptance_was_acknowledged() {
    let (first_gate, second_gate) = (Gate::new(), Gate::new());
    let script = vec![Reply::new().wait(&first_gate).say("One"), Reply::new().wait(&second_gate).say("Two")];
    World::new().life(script, async |host| {
        let first = host.submit("one").await;
        let (stored, asked) = (Gate::new(), Gate::new());
        host.store.waits_after("accept", 2, &stored);
        host.store.waits_after("request_stop", 1, &asked);
        let scope = ada();
        let accepting = async {
            let receipt = host.service.accept(&scope, keyed(first.session, "two")).await.unwrap();
            asked.open();
            receipt
        };
        let meanwhile = async {
            stored.reached().await;
            first_gate.open();
            second_gate.reached().await;
            let turn = host.service.accept(&scope, keyed(first.session, "two")).await.unwrap().turn;
            let told = async {
                asked.reached().await;
                stored.open();
            };
            let (cancelled, ()) = tokio::join!(host.service.cancel(&scope, turn), told);
            assert_eq!(cancelled, Ok(CancelOutcome::Stopping));
        };
        let (second, ()) = tokio::join!(accepting, meanwhile);
        assert_eq!(host.ends(second.turn).await, TurnStatus::Cancelled);
    });
}

#[test]
fn a_cancel_frees_a_turn_that_waits_for_a_slot_since_before_its_acceptance_was_acknowledged() {
    let (first_gate, other_gate) = (Gate::new(), Gate::new());
    let script = vec![Reply::new().wait(&first_gate).say("One"), Reply::new().wait(&other_gate).say("Other")];
    World::new().life(Setup::from(script).with(|setup| setup.slots = 1), async |host| {
        let first = host.submit("one").await;
        first_gate.reached().await;
        let other = host.submit("in another session").await;
        let stored = Gate::new();
        host.store.waits_after("accept", 3, &stored);
        let meanwhile = async {
            stored.reached().await;
            first_gate.open();
            other_gate.reached().await;
            stored.open();
        };
        let (second, ()) = tokio::join!(host.adds(first.session, "two"), meanwhile);
        assert_eq!(host.service.cancel(&ada(), second.turn).await, Ok(CancelOutcome::Stopping));
        assert_eq!(host.ends(second.turn).await, TurnStatus::Cancelled);
        other_gate.open();
        assert_eq!(host.ends(other.turn).await, TurnStatus::Completed);
    });
}

#[test]
fn a_queued_turn_that_is_gone_before_its_request_is_answered_is_not_kept() {
    let (running, stored) = (Gate::new(), Gate::new());
    World::new().life(vec![Reply::new().wait(&running).say("One")], async |host| {
        let first = host.submit("one").await;
        host.store.waits_after("accept", 2, &stored);
        let scope = ada();
        let meanwhile = async {
            stored.reached().await;
            host.service.delete_session(&scope, first.session).await.unwrap();
            stored.open();
        };
        let accepting = host.service.accept(&scope, request(SessionKey::Id(first.session), "two"));
        let (accepted, ()) = tokio::join!(accepting, meanwhile);
        assert!(host.broker.turns().find(accepted.unwrap().turn).is_none());
    });
}

#[test]
fn a_call_that_was_over_when_its_neighbour_was_cancelled_keeps_its_result() {
    let gate = Gate::new();
    let script = vec![Reply::new().call("slow", json!({})).call("lookup", json!({ "key": "b" }))];
    let setup = Setup::from(script).tool(slow(gate.clone())).tool(lookup());
    World::new().life(setup, async |host| {
        let accepted = host.submit("both").await;
        gate.reached().await;
        host.service.cancel(&ada(), accepted.turn).await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
        let results = "Tool: <slow failed Some(Cancelled)><lookup gave value of b>";
        assert_eq!(host.transcript(accepted.session).await[2], results);
    });
}

fn setup() -> Setup {
    let script = vec![Reply::new().call("upsert", json!({ "key": "k", "value": 1 })), Reply::text("Next.")];
    let rules = vec![Rule::new("upsert", Decision::Ask)];
    Setup::from(script).with(|setup| setup.settings.rules = rules)
}

#[test]
fn a_turn_that_waits_for_a_person_is_cancelled_and_its_session_continues() {
    let world = World::new();
    let setup = setup().tool(upsert(world.ledger()));
    world.life(setup, async |host| {
        let mut asks = request(SessionKey::New, "set it");
        asks.caps.interact = true;
        let accepted = host.service.accept(&ada(), asks).await.unwrap();
        while host.record(accepted.turn).await.state != TurnState::Waiting {
            tokio::task::yield_now().await;
        }
        assert_eq!(host.service.cancel(&ada(), accepted.turn).await, Ok(CancelOutcome::Stopping));
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
        let next = host.adds(accepted.session, "and now?").await;
        assert_eq!(host.ends(next.turn).await, TurnStatus::Completed);
    });
}

#[test]
fn a_turn_that_is_cancelled_as_it_goes_to_wait_is_ended_all_the_same() {
    let (world, gate) = (World::new(), Gate::new());
    let setup = setup().tool(upsert(world.ledger()));
    world.life(setup, async |host| {
        host.store.waits_after("checkpoint", 1, &gate);
        let mut asks = request(SessionKey::New, "set it");
        asks.caps.interact = true;
        let accepted = host.service.accept(&ada(), asks).await.unwrap();
        gate.reached().await;
        assert_eq!(host.service.cancel(&ada(), accepted.turn).await, Ok(CancelOutcome::Stopping));
        gate.open();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
    });
}
