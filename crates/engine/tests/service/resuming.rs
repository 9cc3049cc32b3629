//! Tests of turns that a process resumes after an earlier process died.

use std::time::Duration;

use futures_util::future::join_all;
use rusqlite::Connection;
use serde_json::json;
use turnkit_core::ports::{TurnStore as _, WorkerStore as _};
use turnkit_core::{CancelOutcome, EventKind, Fence, StoreError, TurnState, TurnStatus};
use turnkit_store::{SqliteOptions, SqliteStore};
use turnkit_testkit::tools::{lookup, pay, remember, slow, upsert};
use turnkit_testkit::{Gate, Reply};

use crate::support::{Host, Setup, World, ada, outline, shown_until, status, until};

async fn resumed(host: &Host, turns: usize) {
    assert_eq!(host.service.resume_unfinished().await, Ok(turns));
}

#[test]
fn a_turn_that_was_accepted_and_not_begun_runs() {
    let world = World::new();
    let accepted = world.life(vec![Reply::new().hang()], async |host| host.submit("hi").await);
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
        let first = host.submit("one").await;
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
        let first = host.submit("one").await;
        (first.clone(), host.adds(first.session, "two").await)
    });
    world.life(vec![Reply::new().wait(&gate).say("1"), Reply::text("2")], async |host| {
        resumed(&host, 1).await;
        let mut feed = host.follow(second.turn, None).await;
        crate::support::next(&mut feed).await;
        tokio::time::pause();
        let meanwhile = tokio::time::timeout(Duration::from_secs(10), feed.next()).await;
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
        let accepted = host.submit("hi").await;
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

/// Calls `tool`, dies while it runs, and returns the outcome in the next process with the number of effects.
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
        let accepted = host.submit("go").await;
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
fn the_answer_that_begins_a_slow_round_is_stored_before_it_is_shown_and_not_paid_for_again() {
    let (world, gate) = (World::new(), Gate::new());
    let tools = |script: Vec<Reply>| Setup::from(script).tool(slow(gate.clone()));
    let script = vec![Reply::new().say("First try.").call("slow", json!({}))];
    let (accepted, shown) = world.life(tools(script), async |host| {
        let accepted = host.submit("go").await;
        let shown = shown_until(&mut host.follow(accepted.turn, None).await, "tool.started").await;
        assert_eq!(host.stored(accepted.turn).await, shown);
        (accepted, shown)
    });
    gate.open();
    world.life(tools(vec![Reply::text("So be it.")]), async |host| {
        resumed(&host, 1).await;
        let events = host.events(accepted.turn).await;
        assert_eq!(events[..shown.len()], shown, "what was shown was withdrawn");
        assert_eq!(status(&events), TurnStatus::Completed);
        assert_eq!(host.provider.calls().len(), 1, "the answer that was stored was asked for again");
        let expected = ["User: go", "Assistant: First try.<slow {}>", "Tool: <slow gave done>", "Assistant: So be it."];
        assert_eq!(host.transcript(accepted.session).await, expected);
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
        let accepted = host.submit("pay").await;
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
        let accepted = host.submit("go").await;
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
fn the_time_from_the_last_boundary_to_the_next_claim_does_not_count_against_the_deadline() {
    let world = World::new();
    let says = || vec![Reply::new().say("So").hang()];
    let accepted = world.life(says(), async |host| host.submit("hi").await);
    for life in 2..=3 {
        world.life(says(), async |host| {
            host.clock.advance(Duration::from_secs(901 * life));
            resumed(&host, 1).await;
            sleep_through_suspension().await;
            until(&mut host.follow(accepted.turn, None).await, "part.delta").await;
            assert!(!host.service.drain(Duration::ZERO).await, "it finished");
        });
    }
    world.life(vec![Reply::text("In time.")], async |host| {
        host.clock.advance(Duration::from_secs(10_000));
        resumed(&host, 1).await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
    });
}

/// Advances time until turns that saw several processes die are claimed.
async fn sleep_through_suspension() {
    tokio::time::pause();
    tokio::time::sleep(Duration::from_secs(5)).await;
    tokio::time::resume();
}

#[test]
fn a_turn_that_kills_its_process_at_the_same_point_fails_in_the_end() {
    let world = World::new();
    let accepted = world.life(vec![Reply::new().hang()], async |host| {
        let accepted = host.submit("hi").await;
        until(&mut host.follow(accepted.turn, None).await, "turn.started").await;
        accepted
    });
    let gate = Gate::new();
    for life in 2..=3 {
        world.life(vec![Reply::new().say("…").hang()], async |host| {
            resumed(&host, 1).await;
            sleep_through_suspension().await;
            until(&mut host.follow(accepted.turn, None).await, "part.delta").await;
            assert_eq!(host.provider.calls()[0].context.attempt, life);
        });
    }
    world.life(vec![Reply::new().wait(&gate)], async |host| {
        resumed(&host, 1).await;
        let events = host.events(accepted.turn).await;
        assert_eq!(outline(&events), ["turn.started", "retracted", "error attempts_exhausted", "turn.ended failed"]);
        let EventKind::TurnEnded { usage, .. } = &events[3].kind else { panic!("not ended") };
        assert_eq!(usage.unmetered_calls, 3, "each call that was interrupted is unmetered");
        assert_eq!(host.provider.calls().len(), 0);
    });
}

#[test]
fn a_turn_that_saw_two_processes_die_waits_and_can_be_cancelled_meanwhile() {
    let world = World::new();
    let accepted = world.life(vec![Reply::new().hang()], async |host| host.submit("hi").await);
    world.life(vec![Reply::new().hang()], async |host| resumed(&host, 1).await);
    world.life(vec![Reply::text("not asked")], async |host| {
        resumed(&host, 1).await;
        assert_eq!(host.service.cancel(&ada(), accepted.turn).await, Ok(CancelOutcome::Stopping));
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
        assert_eq!(host.provider.calls().len(), 0);
    });
}

#[test]
fn turns_that_ran_side_by_side_are_not_given_up_for_the_death_of_their_process() {
    let world = World::new();
    let hang = || (0..4).map(|_| Reply::new().hang()).collect::<Vec<_>>();
    let accepted = world.life(hang(), async |host| {
        let mut accepted = Vec::new();
        for text in ["one", "two", "three", "four"] {
            accepted.push(host.submit(text).await);
        }
        accepted
    });
    for _ in 0..6 {
        world.life(hang(), async |host| {
            resumed(&host, 4).await;
            sleep_through_suspension().await;
            while host.provider.calls().len() < 4 {
                tokio::task::yield_now().await;
            }
        });
    }
    world.life((0..4).map(|_| Reply::text("Here.")).collect::<Vec<_>>(), async |host| {
        resumed(&host, 4).await;
        sleep_through_suspension().await;
        for turn in accepted {
            assert_eq!(host.ends(turn.turn).await, TurnStatus::Completed);
        }
    });
}

#[test]
fn a_process_that_keeps_dying_before_its_turns_run_gives_none_of_them_up() {
    let world = World::new();
    let accepted = world.life(vec![Reply::new().hang()], async |host| host.submit("hi").await);
    for _ in 0..50 {
        world.life(vec![Reply::new().hang()], async |host| resumed(&host, 1).await);
    }
    world.life(vec![Reply::text("Here.")], async |host| {
        resumed(&host, 1).await;
        sleep_through_suspension().await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
    });
}

#[test]
fn a_turn_written_by_another_version_fails_and_its_session_continues() {
    for machine in [r#"{"version":999,"state":"ready"}"#, r#"{"state":"ready"}"#, r#"{"version":1}"#, "[]"] {
        let (world, gate) = (World::new(), Gate::new());
        let ledger = world.ledger();
        let tools = |script: Vec<Reply>| Setup::from(script).tool(pay(ledger.clone())).tool(slow(gate.clone()));
        let script = vec![Reply::new().call("pay", json!({ "amount": 1 })).call("slow", json!({}))];
        let accepted = world.life(tools(script), async |host| {
            let accepted = host.submit("hi").await;
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
fn ended_turns_stay_unchanged() {
    let world = World::new();
    let (accepted, shown) = world.life(vec![Reply::text("Hello")], async |host| {
        let accepted = host.submit("hi").await;
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
        let accepted = host.submit("hi").await;
        gate.reached().await;
        // The next process opens the database, which ends the ownership of the previous one.
        let next = SqliteStore::open(&SqliteOptions::at(world.database())).unwrap();
        let other = turnkit_core::Sweep::new(turnkit_core::WorkerId("other".into()));
        let claimed = next.claim(&other, accepted.turn, world.start).await;
        assert_eq!(claimed.unwrap().unwrap().claim.fence(), Fence(2));
        let before = host.stored(accepted.turn).await;
        gate.open();
        assert!(host.service.drain(Duration::from_secs(5)).await);
        assert_eq!(host.stored(accepted.turn).await, before);
        assert_eq!(host.transcript(accepted.session).await, ["User: hi"]);
        let left = next.claim_oldest(&other, usize::MAX, world.start).await.unwrap();
        assert!(left.claimed.is_empty() && left.failed.is_empty());
    });
}

#[test]
fn a_stop_hands_the_turn_over_and_counts_nothing() {
    let world = World::new();
    let says = |text: &str| vec![Reply::new().say(text).hang()];
    let accepted = world.life(says("Try 0"), async |host| {
        let accepted = host.submit("hi").await;
        until(&mut host.follow(accepted.turn, None).await, "part.delta").await;
        assert!(!host.service.drain(Duration::ZERO).await, "it finished");
        accepted
    });
    for life in 1..=5 {
        world.life(says(&format!("Try {life}")), async |host| {
            resumed(&host, 1).await;
            let mut feed = host.follow(accepted.turn, None).await;
            while until(&mut feed, "part.delta").await.seq <= host.stored(accepted.turn).await.len() as u32 {}
            assert_eq!(host.provider.calls()[0].context.attempt, life + 1);
            assert!(!host.service.drain(Duration::ZERO).await, "it finished");
        });
    }
    world.life(vec![Reply::text("At last.").usage(10, 2)], async |host| {
        resumed(&host, 1).await;
        let events = host.events(accepted.turn).await;
        assert_eq!(events, host.stored(accepted.turn).await);
        let EventKind::TurnEnded { status, usage, .. } = &events.last().unwrap().kind else { panic!("not ended") };
        assert_eq!((*status, usage.unmetered_calls), (TurnStatus::Completed, 6));
        assert_eq!(host.transcript(accepted.session).await, ["User: hi", "Assistant: At last."]);
    });
}

#[test]
fn text_that_a_stop_had_stored_is_kept_as_interrupted_if_the_turn_ends_without_another_answer() {
    let world = World::new();
    let accepted = world.life(vec![Reply::new().say("Half an answer").hang()], async |host| {
        let accepted = host.submit("hi").await;
        until(&mut host.follow(accepted.turn, None).await, "part.delta").await;
        assert!(!host.service.drain(Duration::ZERO).await, "it finished");
        accepted
    });
    world.life(vec![Reply::new().hang()], async |host| {
        resumed(&host, 1).await;
        host.service.cancel(&ada(), accepted.turn).await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
        assert_eq!(host.transcript(accepted.session).await, ["User: hi", "Assistant: Half an answer [Interrupted]"]);
    });
}

#[test]
fn calls_that_were_over_at_a_stop_keep_their_results() {
    let (world, gate) = (World::new(), Gate::new());
    let ledger = world.ledger();
    let tools = |script: Vec<Reply>| Setup::from(script).tool(pay(ledger.clone())).tool(slow(gate.clone()));
    let script = vec![Reply::new().call("pay", json!({ "amount": 1 })).call("slow", json!({}))];
    let accepted = world.life(tools(script), async |host| {
        let accepted = host.submit("go").await;
        gate.reached().await;
        assert!(!host.service.drain(Duration::ZERO).await, "it finished");
        accepted
    });
    gate.open();
    world.life(tools(vec![Reply::text("Paid.")]), async |host| {
        resumed(&host, 1).await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        assert_eq!(ledger.effects().unwrap().len(), 1);
        let transcript = host.transcript(accepted.session).await;
        assert_eq!(transcript[2..], ["Tool: <pay gave paid 1>", "Tool: <slow gave done>", "Assistant: Paid."]);
    });
}

#[test]
fn of_three_workers_that_run_one_turn_one_alone_writes_it() {
    for at_once in [true, false] {
        let (world, gates) = (World::new(), [Gate::new(), Gate::new(), Gate::new()]);
        let says = |worker: usize| vec![Reply::new().wait(&gates[worker]).say(["one", "two", "three"][worker])];
        world.life(says(0), async |host| {
            let accepted = host.submit("hi").await;
            gates[0].reached().await;
            // Each new worker takes over the turn that the previous one runs.
            let mut workers = vec![host];
            if at_once {
                workers.extend([1, 2].map(|worker| world.host(says(worker).into())));
                let taken = workers[1..].iter().map(|worker| worker.service.resume_unfinished());
                assert!(join_all(taken).await.iter().all(Result::is_ok));
            } else {
                // All three have called their models before any of them receives an answer.
                for worker in [1, 2] {
                    workers.push(world.host(says(worker).into()));
                    resumed(&workers[worker], 1).await;
                    gates[worker].reached().await;
                }
            }
            gates.iter().for_each(Gate::open);
            for worker in &workers {
                assert!(worker.service.drain(Duration::from_secs(5)).await);
            }
            assert_eq!(status(&workers[0].stored(accepted.turn).await), TurnStatus::Completed, "at once: {at_once}");
            let ended: Vec<u64> = workers.iter().map(ended).collect();
            assert_eq!(ended.iter().sum::<u64>(), 1, "{ended:?}, at once: {at_once}");
            let winner = ended.iter().position(|turns| *turns == 1).unwrap();
            let said = workers[0].transcript(accepted.session).await;
            let answer = ["one", "two", "three"][winner];
            assert_eq!(said, ["User: hi".to_owned(), format!("Assistant: {answer}")], "at once: {at_once}");
            assert!(at_once || winner == 2, "the last to take it up owns it");
        });
    }
}

/// Returns the number of turns that a process has ended.
fn ended(worker: &Host) -> u64 {
    worker.service.counts().ended.iter().map(|(_, turns)| turns).sum()
}

#[test]
fn a_tool_that_kills_its_process_again_and_again_ends_its_turn() {
    let (world, gate) = (World::new(), Gate::new());
    let tools = |script: Vec<Reply>| Setup::from(script).tool(slow(gate.clone()));
    let accepted = world.life(tools(vec![Reply::new().call("slow", json!({}))]), async |host| {
        let accepted = host.submit("go").await;
        until(&mut host.follow(accepted.turn, None).await, "tool.started").await;
        gate.reached().await;
        accepted
    });
    for _ in 0..2 {
        world.life(tools(vec![]), async |host| {
            resumed(&host, 1).await;
            sleep_through_suspension().await;
            while host.store.count("load") == 0 {
                tokio::task::yield_now().await;
            }
        });
    }
    world.life(tools(vec![Reply::text("not asked")]), async |host| {
        resumed(&host, 1).await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Failed);
        let events = host.events(accepted.turn).await;
        assert!(outline(&events).contains(&"error attempts_exhausted".to_owned()), "{:?}", outline(&events));
        assert_eq!(host.provider.calls().len(), 0);
    });
}

#[test]
fn a_lost_call_is_counted_once_however_often_the_turn_is_handed_over_after_it() {
    let world = World::new();
    let says = || vec![Reply::new().say("So").hang()];
    let accepted = world.life(says(), async |host| {
        let accepted = host.submit("hi").await;
        until(&mut host.follow(accepted.turn, None).await, "part.delta").await;
        accepted
    });
    for _ in 0..3 {
        world.life(says(), async |host| {
            resumed(&host, 1).await;
            let mut feed = host.follow(accepted.turn, None).await;
            while until(&mut feed, "part.delta").await.seq <= host.stored(accepted.turn).await.len() as u32 {}
            assert!(!host.service.drain(Duration::ZERO).await, "it finished");
        });
    }
    world.life(vec![Reply::text("At last.").usage(10, 2)], async |host| {
        resumed(&host, 1).await;
        let events = host.events(accepted.turn).await;
        let EventKind::TurnEnded { usage, .. } = &events.last().unwrap().kind else { panic!("not ended") };
        assert_eq!(usage.unmetered_calls, 1 + 3, "one was lost, three were cut");
    });
}

#[test]
fn a_service_that_stops_does_not_wait_for_suspended_turns() {
    let world = World::new();
    let accepted = world.life(vec![Reply::new().hang()], async |host| host.submit("hi").await);
    world.life(vec![Reply::new().hang()], async |host| resumed(&host, 1).await);
    world.life(vec![Reply::text("not asked")], async |host| {
        resumed(&host, 1).await;
        assert!(host.service.finish(Duration::from_secs(30)).await);
        assert_eq!(host.record(accepted.turn).await.state, TurnState::Running);
        assert_eq!(host.provider.calls().len(), 0);
    });
}

#[test]
fn a_turn_whose_suspension_cannot_be_stored_is_continued_all_the_same() {
    let world = World::new();
    let accepted = world.life(vec![Reply::new().hang()], async |host| host.submit("hi").await);
    world.life(vec![Reply::new().hang()], async |host| resumed(&host, 1).await);
    world.life(vec![Reply::text("Here.")], async |host| {
        host.store.fails("suspend", 1, StoreError::Unavailable("it is busy".to_owned()));
        resumed(&host, 1).await;
        sleep_through_suspension().await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
    });
}
