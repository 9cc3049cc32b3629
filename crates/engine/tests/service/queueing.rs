//! Tests that turns of a session run one at a time and in order, and that sessions run concurrently.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::join_all;
use serde_json::json;
use tokio::sync::watch;
use turnkit_core::{AcceptError, BusyPolicy, Role, SessionKey, ToolFlags, TurnStatus};
use turnkit_engine::permission::{Decision, Rule};
use turnkit_testkit::tools::{TestTool, slow};
use turnkit_testkit::{Gate, Reply, ScriptedProvider};

use crate::support::{Setup, World, ada, outline, request, rest, status};

/// A tool that records the current and the maximum number of its running calls. The calls wait until `door` opens.
struct Probe {
    running: watch::Sender<usize>,
    most: AtomicUsize,
    door: Gate,
}

impl Probe {
    fn new() -> Arc<Self> {
        Arc::new(Self { running: watch::Sender::new(0), most: AtomicUsize::new(0), door: Gate::new() })
    }

    fn tool(self: &Arc<Self>) -> TestTool {
        let probe = Arc::clone(self);
        TestTool::new("probe", ToolFlags::read_only(), move |_, _| {
            let probe = Arc::clone(&probe);
            Box::pin(async move {
                probe.running.send_modify(|running| *running += 1);
                probe.most.fetch_max(*probe.running.borrow(), Ordering::SeqCst);
                probe.door.pass().await;
                tokio::task::yield_now().await;
                probe.running.send_modify(|running| *running -= 1);
                Ok("probed".into())
            })
        })
    }
}

/// Returns a model that calls the probe once, then repeats the user's message.
fn probing() -> ScriptedProvider {
    ScriptedProvider::answering(|request, _| {
        let last = request.history.iter().next_back()?.message().clone();
        Some(match last.role {
            Role::User => Reply::new().call("probe", json!({})),
            _ => Reply::text("probed"),
        })
    })
}

#[test]
fn however_many_turns_come_to_a_session_they_run_one_by_one_in_order() {
    let probe = Probe::new();
    probe.door.open();
    World::new().life(Setup::from(probing()).tool(probe.tool()), async |host| {
        let first = host.submit("0").await;
        let more = join_all((1..64).map(|number| {
            let host = &host;
            async move { host.adds(first.session, &number.to_string()).await }
        }))
        .await;
        let turns: Vec<_> = std::iter::once(first.clone()).chain(more).map(|receipt| receipt.turn).collect();
        let mut numbered = Vec::new();
        for turn in turns {
            assert_eq!(host.ends(turn).await, TurnStatus::Completed);
            let record = host.record(turn).await;
            numbered.push((record.number, record.ended_at));
        }
        numbered.sort_unstable();
        assert_eq!(numbered.iter().map(|(number, _)| *number).collect::<Vec<_>>(), (1..=64).collect::<Vec<_>>());
        assert_eq!(probe.most.load(Ordering::SeqCst), 1, "two turns of one session ran at once");

        let transcript = host.transcript(first.session).await;
        assert_eq!(transcript.len(), 64 * 4);
        let asked: Vec<_> = transcript.iter().filter_map(|line| line.strip_prefix("User: ")).collect();
        assert_eq!(asked.len(), 64);
        for (number, call) in host.provider.calls().iter().enumerate() {
            assert_eq!(call.request.history.len(), number / 2 * 4 + if number % 2 == 0 { 1 } else { 3 });
        }
    });
}

#[test]
fn sessions_run_side_by_side_up_to_the_slots() {
    for (slots, expected) in [(16, 8), (3, 3), (1, 1)] {
        let probe = Probe::new();
        let setup = Setup::from(probing()).tool(probe.tool()).with(|setup| setup.slots = slots);
        World::new().life(setup, async |host| {
            let receipts = join_all((0..8).map(|_| host.submit("hi"))).await;
            let _ = probe.running.subscribe().wait_for(|running| *running == expected).await;
            probe.door.open();
            for receipt in receipts {
                assert_eq!(host.ends(receipt.turn).await, TurnStatus::Completed);
            }
            assert_eq!(probe.most.load(Ordering::SeqCst), expected, "with {slots} slots");
        });
    }
}

#[test]
fn more_turns_than_may_wait_for_a_slot_are_refused_until_there_is_room() {
    let gate = Gate::new();
    let script = vec![Reply::new().wait(&gate).say("One"), Reply::text("Other")];
    World::new().life(Setup::from(script).with(|setup| setup.slots = 1), async |host| {
        let first = host.submit("one").await;
        gate.reached().await;
        let waiting = join_all((0..1_000).map(|_| host.submit("more"))).await;
        while host.service.counts().waiting_for_slot < 1_000 {
            tokio::task::yield_now().await;
        }
        let refused = host.service.accept(&ada(), request(SessionKey::New, "one too many")).await;
        assert_eq!(refused.map(|receipt| receipt.turn), Err(AcceptError::Overloaded));
        host.service.cancel(&ada(), waiting[0].turn).await.unwrap();
        assert_eq!(host.ends(waiting[0].turn).await, TurnStatus::Cancelled);
        host.submit("room again").await;
        gate.open();
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
    });
}

#[test]
fn a_turn_that_waits_for_its_session_does_not_take_a_slot() {
    let gate = Gate::new();
    let script = vec![Reply::new().wait(&gate).say("One"), Reply::text("Other"), Reply::text("Two")];
    World::new().life(Setup::from(script).with(|setup| setup.slots = 2), async |host| {
        let first = host.submit("one").await;
        let waiting = join_all((0..4).map(|_| host.adds(first.session, "more"))).await;
        let other = host.submit("other session").await;
        assert_eq!(host.ends(other.turn).await, TurnStatus::Completed);
        assert!(waiting.iter().all(|receipt| receipt.queued));
        gate.open();
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
    });
}

#[test]
fn a_follower_of_a_queued_turn_waits_for_it() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().wait(&gate).say("One"), Reply::text("Two")], async |host| {
        let first = host.submit("one").await;
        let second = host.adds(first.session, "two").await;
        let mut feed = host.follow(second.turn, None).await;
        let (started, cursor) = crate::support::next(&mut feed).await;
        assert_eq!((started.kind.name(), cursor.to_string()), ("turn.started", "0-2-1".to_owned()));
        gate.open();
        let events = rest(&mut feed).await;
        assert_eq!(outline(&events), ["step.started", "step.ended", "turn.ended completed"]);
        assert_eq!(host.transcript(first.session).await[2..], ["User: two", "Assistant: Two"]);
        assert_eq!(host.provider.calls()[1].transcript(), ["user: one", "assistant: One", "user: two"]);
    });
}

#[test]
fn an_interrupting_message_stops_the_running_turn_and_runs_next() {
    let gate = Gate::new();
    let script = vec![Reply::new().say("Once upon ").wait(&gate).say("a time"), Reply::text("Short.")];
    World::new().life(script, async |host| {
        let first = host.submit("a long story").await;
        let mut feed = host.follow(first.turn, None).await;
        crate::support::until(&mut feed, "part.delta").await;
        let mut urgent = request(SessionKey::Id(first.session), "short, please");
        urgent.busy = Some(BusyPolicy::Interrupt);
        let second = host.service.accept(&ada(), urgent).await.unwrap();
        assert_eq!(status(&host.events(first.turn).await), TurnStatus::Interrupted);
        assert_eq!(host.ends(second.turn).await, TurnStatus::Completed);
        let expected =
            ["User: a long story", "Assistant: Once upon  [Cancelled]", "User: short, please", "Assistant: Short."];
        assert_eq!(host.transcript(first.session).await, expected);
        host.provider.idle().await;
    });
}

#[test]
fn of_a_burst_of_interrupting_messages_the_newest_runs_and_the_others_end() {
    let gate = Gate::new();
    let setup = Setup::from(ScriptedProvider::answering(|request, _| {
        let said = request.history.iter().next_back()?.message().text();
        Some(if said == "one" { Reply::new().call("slow", json!({})) } else { Reply::text(&format!("to {said}")) })
    }));
    World::new().life(setup.tool(slow(gate.clone())), async |host| {
        let (first, ending) = (host.submit("one").await, Gate::new());
        gate.reached().await;
        crate::support::until(&mut host.follow(first.turn, None).await, "tool.started").await;
        host.store.waits_before("checkpoint", host.store.count("checkpoint") + 1, &ending);
        let mut turns = vec![first.turn, host.adds(first.session, "two").await.turn];
        let mut feed = host.follow(turns[1], None).await;
        for text in ["three", "four", "five"] {
            let mut urgent = request(SessionKey::Id(first.session), text);
            urgent.busy = Some(BusyPolicy::Interrupt);
            turns.push(host.service.accept(&ada(), urgent).await.unwrap().turn);
        }
        ending.open();
        let newest = turns.pop().unwrap();
        for turn in turns {
            assert_eq!(host.ends(turn).await, TurnStatus::Interrupted);
        }
        assert_eq!(outline(&rest(&mut feed).await), ["turn.started", "turn.ended interrupted"]);
        assert_eq!(host.ends(newest).await, TurnStatus::Completed);
        let transcript = host.transcript(first.session).await;
        assert_eq!(transcript[2..], ["Tool: <slow failed Some(Cancelled)>", "User: five", "Assistant: to five"]);
    });
}

#[test]
fn a_turn_that_waits_for_a_person_gives_way_to_the_next_message() {
    let script = vec![Reply::new().call("probe", json!({})), Reply::text("Never mind.")];
    let setup = Setup::from(script).tool(Probe::new().tool()).with(|setup| {
        setup.settings.rules = vec![Rule::new("probe", Decision::Ask)];
    });
    World::new().life(setup, async |host| {
        let mut asks = request(SessionKey::New, "probe it");
        asks.caps.interact = true;
        let first = host.service.accept(&ada(), asks).await.unwrap();
        let mut feed = host.follow(first.turn, None).await;
        crate::support::until(&mut feed, "step.ended").await;
        let second = host.adds(first.session, "leave it").await;
        let ended = [
            "interaction.requested",
            "interaction.resolved",
            "tool.finished probe Cancelled",
            "turn.ended interrupted",
        ];
        assert_eq!(outline(&rest(&mut feed).await), ended);
        assert_eq!(host.ends(second.turn).await, TurnStatus::Completed);
        assert_eq!(host.events(first.turn).await, host.stored(first.turn).await);
        let transcript = host.transcript(first.session).await;
        assert_eq!(
            transcript[2..],
            ["Tool: <probe failed Some(Cancelled)>", "User: leave it", "Assistant: Never mind."]
        );
    });
}
