//! What a new process makes of the turns an earlier one left.

use rusqlite::Connection;
use serde_json::json;
use turnkit_core::{CancelOutcome, Fence, StoreError, TurnStatus};
use turnkit_testkit::tools::{lookup, pay, remember, slow, upsert};
use turnkit_testkit::{Gate, Reply};

use crate::support::{Host, Setup, World, ada, outline, status, until};

async fn resumed(host: &Host, turns: usize) {
    assert_eq!(host.service.resume_unfinished().await, Ok(turns));
}

#[test]
fn a_turn_that_was_accepted_and_not_begun_runs() {
    let world = World::new();
    let accepted = world.life(vec![Reply::new().hang()], async |host| host.says("hi").await);
    world.life(vec![Reply::text("Hello")], async |host| {
        resumed(&host, 1).await;
        let events = host.events(accepted.turn).await;
        let expected = ["turn.started", "retracted", "step.started", "step.ended", "turn.ended completed"];
        assert_eq!(outline(&events), expected);
        assert_eq!(host.transcript(accepted.session).await, ["User: hi", "Assistant: Hello"]);
        assert_eq!(host.provider.calls()[0].context.attempt, 2);
    });
}

#[test]
fn queued_turns_run_in_order_after_the_one_before_them() {
    let world = World::new();
    let (first, second, third) = world.life(vec![Reply::new().hang()], async |host| {
        let first = host.says("one").await;
        (first.clone(), host.adds(first.session, "two").await, host.adds(first.session, "three").await)
    });
    world.life(vec![Reply::text("1"), Reply::text("2"), Reply::text("3")], async |host| {
        resumed(&host, 1).await;
        for turn in [first.turn, second.turn, third.turn] {
            assert_eq!(host.ends(turn).await, TurnStatus::Completed);
        }
        let expected = ["User: one", "Assistant: 1", "User: two", "Assistant: 2", "User: three", "Assistant: 3"];
        assert_eq!(host.transcript(first.session).await, expected);
    });
}

#[test]
fn a_follower_of_a_turn_that_is_queued_since_the_last_start_waits_for_it() {
    let (world, gate) = (World::new(), Gate::new());
    let (first, second) = world.life(vec![Reply::new().hang()], async |host| {
        let first = host.says("one").await;
        (first.clone(), host.adds(first.session, "two").await)
    });
    world.life(vec![Reply::new().wait(&gate).say("1"), Reply::text("2")], async |host| {
        resumed(&host, 1).await;
        let mut feed = host.follow(second.turn, None).await;
        crate::support::next(&mut feed).await;
        tokio::time::pause();
        let meanwhile = tokio::time::timeout(std::time::Duration::from_secs(10), feed.next()).await;
        assert!(meanwhile.is_err(), "{meanwhile:?}");
        tokio::time::resume();
        gate.open();
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
        assert_eq!(
            outline(&crate::support::rest(&mut feed).await),
            ["step.started", "step.ended", "turn.ended completed"]
        );
    });
}

#[test]
fn an_answer_that_was_cut_by_the_death_of_the_process_is_asked_for_again() {
    let world = World::new();
    let accepted = world.life(vec![Reply::new().say("Never ").say("stored").hang()], async |host| {
        let accepted = host.says("hi").await;
        until(&mut host.follow(accepted.turn, None).await, "part.delta").await;
        accepted
    });
    world.life(vec![Reply::text("Stored")], async |host| {
        resumed(&host, 1).await;
        let events = host.events(accepted.turn).await;
        let expected = ["turn.started", "retracted", "step.started", "step.ended", "turn.ended completed"];
        assert_eq!(outline(&events), expected);
        assert_eq!(events, host.stored(accepted.turn).await);
        assert_eq!(host.transcript(accepted.session).await, ["User: hi", "Assistant: Stored"]);
    });
}

/// Calls `tool`, dies while it runs, and gives what the next process makes of it, with the number of effects.
fn died_in(tool: &str, arguments: serde_json::Value) -> (Vec<String>, usize) {
    let (world, gate) = (World::new(), Gate::new());
    let ledger = world.ledger();
    let tools = |script: Vec<Reply>| {
        Setup::from(script)
            .tool(lookup())
            .tool(pay(ledger.clone()))
            .tool(upsert(ledger.clone()))
            .tool(slow(gate.clone()))
    };
    let script = vec![Reply::new().call(tool, arguments).call("slow", json!({}))];
    let accepted = world.life(tools(script), async |host| {
        let accepted = host.says("go").await;
        gate.reached().await;
        accepted
    });
    gate.open();
    world.life(tools(vec![Reply::text("Done.")]), async |host| {
        resumed(&host, 1).await;
        let events = host.events(accepted.turn).await;
        assert_eq!(status(&events), TurnStatus::Completed);
        assert_eq!(events, host.stored(accepted.turn).await);
        assert_eq!(host.provider.calls().len(), 1, "the answer that was stored was asked for again");
        (host.transcript(accepted.session).await, ledger.effects().unwrap().len())
    })
}

#[test]
fn calls_that_were_started_run_again_unless_they_must_not() {
    for (tool, arguments, result, effects) in [
        ("upsert", json!({ "key": "k", "value": 1 }), r#"<upsert gave k = 1>"#, 2),
        ("pay", json!({ "amount": 1 }), "<pay failed Some(OutcomeUnknown)>", 1),
    ] {
        let (transcript, happened) = died_in(tool, arguments);
        assert_eq!((&*transcript[2], happened), (&*format!("Tool: {result}<slow gave done>"), effects), "{tool}");
        assert_eq!(transcript.len(), 4);
    }
}

#[test]
fn a_round_that_only_looks_is_asked_for_again_with_its_answer() {
    let (world, gate) = (World::new(), Gate::new());
    let script = vec![Reply::new().say("First try.").call("slow", json!({}))];
    let accepted = world.life(Setup::from(script).tool(slow(gate.clone())), async |host| {
        let accepted = host.says("go").await;
        gate.reached().await;
        accepted
    });
    world.life(vec![Reply::text("Second try.")], async |host| {
        resumed(&host, 1).await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        assert_eq!(host.transcript(accepted.session).await, ["User: go", "Assistant: Second try."]);
    });
}

#[test]
fn a_round_whose_results_are_stored_is_not_run_again() {
    let world = World::new();
    let ledger = world.ledger();
    let script = vec![
        Reply::new().call("pay", json!({ "amount": 1 })).call("remember", json!({ "key": "k", "value": 1 })),
        Reply::new().say("So").hang(),
    ];
    let accepted = world.life(Setup::from(script).tool(pay(ledger.clone())).tool(remember()), async |host| {
        let accepted = host.says("pay").await;
        let mut feed = host.follow(accepted.turn, None).await;
        until(&mut feed, "tool.finished").await;
        until(&mut feed, "step.started").await;
        accepted
    });
    world.life(Setup::from(vec![Reply::text("Paid.")]).tool(pay(ledger.clone())), async |host| {
        resumed(&host, 1).await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        assert_eq!(ledger.effects().unwrap().len(), 1);
        assert_eq!(host.transcript(accepted.session).await[3], "Assistant: Paid.");
        assert_eq!(host.session(accepted.session).await.metadata["k"], 1);
        assert_eq!(host.events(accepted.turn).await, host.stored(accepted.turn).await);
    });
}

#[test]
fn a_cancelled_turn_ends_cancelled_after_a_restart() {
    let (world, gate, committed) = (World::new(), Gate::new(), Gate::new());
    let ledger = world.ledger();
    let script = vec![
        Reply::new().call("pay", json!({ "amount": 1 })).call("slow", json!({})).call("pay", json!({ "amount": 2 })),
    ];
    let setup = Setup::from(script).tool(pay(ledger.clone())).tool(slow(gate.clone()));
    let accepted = world.life(setup, async |host| {
        let accepted = host.says("go").await;
        gate.reached().await;
        host.store.waits_after("request_stop", 1, &committed);
        let scope = ada();
        tokio::select! {
            biased;
            () = committed.reached() => {}
            _ = host.service.cancel(&scope, accepted.turn) => panic!("it did not wait"),
        }
        accepted
    });
    world.life(Setup::from(vec![]).tool(pay(ledger.clone())).tool(slow(gate)), async |host| {
        resumed(&host, 1).await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
        assert_eq!(ledger.effects().unwrap().len(), 1);
        assert_eq!(host.provider.calls().len(), 0);
        assert_eq!(host.transcript(accepted.session).await.len(), 3);
        assert_eq!(host.service.cancel(&ada(), accepted.turn).await, Ok(CancelOutcome::AlreadyEnded));
    });
}

#[test]
fn a_turn_past_its_deadline_ends_expired() {
    let world = World::new();
    let accepted = world.life(vec![Reply::new().hang()], async |host| host.says("hi").await);
    world.life(vec![Reply::text("too late")], async |host| {
        host.clock.advance(std::time::Duration::from_secs(901));
        resumed(&host, 1).await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Expired);
        assert_eq!(host.provider.calls().len(), 0);
    });
}

#[test]
fn a_turn_that_kills_its_process_at_the_same_point_fails_in_the_end() {
    let world = World::new();
    let accepted = world.life(vec![Reply::new().hang()], async |host| {
        let accepted = host.says("hi").await;
        until(&mut host.follow(accepted.turn, None).await, "turn.started").await;
        accepted
    });
    let gate = Gate::new();
    for life in 2..=3 {
        world.life(vec![Reply::new().say("…").hang()], async |host| {
            resumed(&host, 1).await;
            until(&mut host.follow(accepted.turn, None).await, "part.delta").await;
            assert_eq!(host.provider.calls()[0].context.attempt, life);
        });
    }
    world.life(vec![Reply::new().wait(&gate)], async |host| {
        resumed(&host, 1).await;
        let events = host.events(accepted.turn).await;
        assert_eq!(outline(&events), ["turn.started", "error attempts_exhausted", "turn.ended failed"]);
        assert_eq!(host.provider.calls().len(), 0);
    });
}

#[test]
fn a_turn_written_by_another_version_fails_and_its_session_goes_on() {
    for machine in [r#"{"version":999,"state":"ready"}"#, r#"{"state":"ready"}"#, r#"{"version":1}"#, "[]"] {
        let (world, gate) = (World::new(), Gate::new());
        let ledger = world.ledger();
        let tools = |script: Vec<Reply>| Setup::from(script).tool(pay(ledger.clone())).tool(slow(gate.clone()));
        let script = vec![Reply::new().call("pay", json!({ "amount": 1 })).call("slow", json!({}))];
        let accepted = world.life(tools(script), async |host| {
            let accepted = host.says("hi").await;
            gate.reached().await;
            accepted
        });
        Connection::open(world.database()).unwrap().execute("UPDATE turns SET machine = ?", [machine]).unwrap();
        world.life(tools(vec![Reply::text("Going on.")]), async |host| {
            resumed(&host, 1).await;
            let events = host.events(accepted.turn).await;
            assert_eq!(status(&events), TurnStatus::Failed);
            assert!(outline(&events).contains(&"error incompatible_journal".to_owned()), "{:?}", outline(&events));
            let second = host.adds(accepted.session, "and now?").await;
            assert_eq!(host.ends(second.turn).await, TurnStatus::Completed);
            assert_eq!(ledger.effects().unwrap().len(), 1);
            host.transcript(accepted.session).await;
        });
    }
}

#[test]
fn what_is_over_stays_as_it_is() {
    let world = World::new();
    let (accepted, shown) = world.life(vec![Reply::text("Hello")], async |host| {
        let accepted = host.says("hi").await;
        let shown = host.events(accepted.turn).await;
        (accepted, shown)
    });
    world.life(vec![Reply::text("Two")], async |host| {
        resumed(&host, 0).await;
        assert_eq!(host.events(accepted.turn).await, shown);
        let second = host.adds(accepted.session, "go on").await;
        assert_eq!(host.ends(second.turn).await, TurnStatus::Completed);
        assert_eq!(host.provider.calls()[0].transcript(), ["user: hi", "assistant: Hello", "user: go on"]);
    });
}

#[test]
fn the_owner_before_is_fenced_off() {
    let (world, gate) = (World::new(), Gate::new());
    world.life(vec![Reply::new().wait(&gate).say("Late")], async |host| {
        let accepted = host.says("hi").await;
        gate.reached().await;
        let other = turnkit_core::Sweep::by(turnkit_core::WorkerId("other".into()));
        let claimed = turnkit_core::ports::TurnStore::claim(&*host.store, &other, accepted.turn, world.start).await;
        assert_eq!(claimed.unwrap().unwrap().claim.fence(), Fence(2));
        let before = host.stored(accepted.turn).await;
        gate.open();
        assert!(host.service.drain(std::time::Duration::from_secs(5)).await);
        assert_eq!(host.stored(accepted.turn).await, before);
        assert_eq!(host.transcript(accepted.session).await, ["User: hi"]);
        let unfinished = turnkit_core::ports::TurnStore::unfinished(&*host.store, &other).await;
        assert_eq!(unfinished, Ok::<_, StoreError>(Vec::new()));
    });
}
