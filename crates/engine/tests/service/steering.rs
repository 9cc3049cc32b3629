//! Tests of messages for a running turn. The turn reads a message in its next step, or the message runs as a turn of
//! its own; either way exactly once.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use turnkit_core::{
    BusyPolicy, Delta, EventKind, FinishReason, Idempotency, Resolution, ResolveOutcome, SessionId, SessionKey,
    TurnEvent, TurnId, TurnState, TurnStatus,
};
use turnkit_engine::permission::{Decision, Rule};
use turnkit_engine::{Budget, Budgets, Receipt, SessionFeed, SessionUpdate, TurnRequest};
use turnkit_testkit::tools::{lookup, slow};
use turnkit_testkit::{Gate, Reply};

use crate::support::{Host, Setup, World, ada, outline, request, rest, until};

const JOINED: [&str; 5] =
    ["User: go", "Assistant: <slow {}>", "Tool: <slow gave done>", "User: and hurry [Steering]", "Assistant: Done."];

/// Returns a script that calls the waiting tool and continues with `then`.
fn script(then: &[Reply]) -> Vec<Reply> {
    [&[Reply::new().call("slow", json!({}))], then].concat()
}

fn working(gate: &Gate, then: &[Reply]) -> Setup {
    Setup::from(script(then)).tool(slow(gate.clone())).tool(lookup())
}

fn steering(session: SessionId, text: &str) -> TurnRequest {
    TurnRequest { busy: Some(BusyPolicy::Steer), ..request(SessionKey::Id(session), text) }
}

/// Returns the turn that took the message of this turn, according to its last event.
fn taken_by(events: &[TurnEvent]) -> Option<TurnId> {
    match events.last().map(|event| &event.kind) {
        Some(EventKind::TurnEnded { steered_into, .. }) => *steered_into,
        other => panic!("the last event is {other:?}"),
    }
}

impl Host {
    async fn steers(&self, session: SessionId, text: &str) -> Receipt {
        self.service.accept(&ada(), steering(session, text)).await.unwrap()
    }

    /// Starts a turn, and waits until its tool runs and its answer is stored.
    async fn is_at_work(&self, gate: &Gate) -> Receipt {
        let accepted = self.submit("go").await;
        gate.reached().await;
        until(&mut self.follow(accepted.turn, None).await, "tool.started").await;
        accepted
    }

    async fn next_queue(&self, feed: &mut SessionFeed) -> Vec<(TurnId, bool)> {
        loop {
            match feed.next(&mut Vec::new()).await.unwrap() {
                SessionUpdate::Queue(queue) => return queue.iter().map(|turn| (turn.id, turn.steering)).collect(),
                SessionUpdate::Resync(snapshot) if snapshot.queue.is_empty() => {}
                SessionUpdate::Events { .. } => {}
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn a_message_joins_the_running_turn_behind_its_results() {
    let gate = Gate::new();
    World::new().life(working(&gate, &[Reply::text("Done.")]), async |host| {
        let first = host.is_at_work(&gate).await;
        let mut session = host.service.follow_session(&ada(), first.session, None).await.unwrap();
        let mut keyed = steering(first.session, "and hurry");
        keyed.idempotency = Some(Idempotency { key: "k".into(), body_sha256: [1; 32] });
        let second = host.service.accept(&ada(), keyed.clone()).await.unwrap();
        assert!(second.queued);
        assert_eq!(host.next_queue(&mut session).await, [(second.turn, true)]);
        let mut feed = host.follow(second.turn, None).await;
        gate.open();

        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
        let events = host.events(first.turn).await;
        let expected = [
            "turn.started",
            "step.started",
            "step.ended",
            "tool.started slow",
            "tool.finished slow",
            "steered",
            "step.started",
            "step.ended",
            "turn.ended completed",
        ];
        assert_eq!((outline(&events), taken_by(&events)), (expected.map(str::to_owned).to_vec(), None));
        assert_eq!(events, host.stored(first.turn).await);
        assert_eq!(host.transcript(first.session).await, JOINED);
        let asked = host.provider.calls()[1].transcript();
        assert_eq!(asked.last().map(String::as_str), Some("user: and hurry"));

        let of_message = rest(&mut feed).await;
        assert_eq!(outline(&of_message), ["turn.started", "turn.ended completed"]);
        assert_eq!(taken_by(&of_message), Some(first.turn));
        assert_eq!(of_message, host.stored(second.turn).await);
        let record = host.record(second.turn).await;
        assert_eq!((record.state, record.steered_into), (TurnState::Ended(TurnStatus::Completed), Some(first.turn)));
        assert_eq!(host.next_queue(&mut session).await, []);

        let again = host.service.accept(&ada(), keyed).await.unwrap();
        assert_eq!((again.repeated, again.turn), (true, second.turn));
        assert_eq!(rest(&mut host.service.follow_accepted(&ada(), &again).await.unwrap()).await, of_message);
        assert_eq!((host.service.counts().running, host.provider.calls().len()), (0, 2));
    });
}

#[test]
fn several_messages_join_in_order_and_one_that_is_cancelled_does_not() {
    let gate = Gate::new();
    World::new().life(working(&gate, &[Reply::text("Done.")]), async |host| {
        let (first, taking) = (host.is_at_work(&gate).await, Gate::new());
        let mut turns = Vec::new();
        for text in ["a", "b", "c"] {
            turns.push(host.steers(first.session, text).await.turn);
        }
        // The checkpoint that takes the messages is held while one of them is cancelled.
        host.store.waits_before("checkpoint", host.store.count("checkpoint") + 2, &taking);
        gate.open();
        taking.reached().await;
        host.service.cancel(&ada(), turns[1]).await.unwrap();
        taking.open();

        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
        let transcript = host.transcript(first.session).await;
        assert_eq!(transcript[3..], ["User: a [Steering]", "User: c [Steering]", "Assistant: Done."]);
        assert_eq!(host.events(first.turn).await, host.stored(first.turn).await);
        for (turn, expected) in turns.iter().zip([Some(first.turn), None, Some(first.turn)]) {
            assert_eq!(taken_by(&host.events(*turn).await), expected);
        }
        assert_eq!(host.ends(turns[1]).await, TurnStatus::Cancelled);
        assert_eq!(host.store.count("steering"), 2);
    });
}

#[test]
fn a_message_behind_an_ordinary_one_waits_for_the_turn_of_that() {
    let gate = Gate::new();
    let work = Reply::new().call("lookup", json!({ "key": "a" }));
    World::new().life(working(&gate, &[Reply::text("1"), work, Reply::text("2")]), async |host| {
        let first = host.is_at_work(&gate).await;
        let second = host.adds(first.session, "two").await;
        let third = host.steers(first.session, "three").await;
        gate.open();
        assert_eq!(host.ends(second.turn).await, TurnStatus::Completed);
        assert_eq!(taken_by(&host.events(third.turn).await), Some(second.turn));
        let transcript = host.transcript(first.session).await;
        let expected = [
            "Assistant: 1",
            "User: two",
            "Assistant: <lookup {\"key\":\"a\"}>",
            "Tool: <lookup gave value of a>",
            "User: three [Steering]",
            "Assistant: 2",
        ];
        assert_eq!(transcript[3..], expected);
    });
}

#[test]
fn a_message_runs_for_itself_if_its_session_is_idle_or_the_running_turn_ends() {
    let gate = Gate::new();
    World::new().life(
        vec![Reply::new().wait(&gate).say("One"), Reply::text("Two"), Reply::text("Three")],
        async |host| {
            let first = host.submit("one").await;
            gate.reached().await;
            let second = host.steers(first.session, "two").await;
            gate.open();
            assert_eq!(host.ends(second.turn).await, TurnStatus::Completed);
            let third = host.steers(first.session, "three").await;
            assert!(!third.queued);
            assert_eq!(host.ends(third.turn).await, TurnStatus::Completed);
            let expected =
                ["User: one", "Assistant: One", "User: two", "Assistant: Two", "User: three", "Assistant: Three"];
            assert_eq!(host.transcript(first.session).await, expected);
            assert_eq!((taken_by(&host.events(second.turn).await), host.store.count("steering")), (None, 0));
        },
    );
}

#[test]
fn a_turn_that_waits_for_a_person_continues_with_the_message() {
    let gate = Gate::new();
    gate.open();
    let setup = working(&gate, &[Reply::text("Done.")]);
    let setup = setup.with(|setup| setup.settings.rules = vec![Rule::new("slow", Decision::Ask)]);
    World::new().life(setup, async |host| {
        let mut asks = request(SessionKey::New, "go");
        asks.caps.interact = true;
        let first = host.service.accept(&ada(), asks).await.unwrap();
        let asked = until(&mut host.follow(first.turn, None).await, "interaction.requested").await;
        while host.record(first.turn).await.state != TurnState::Waiting {
            tokio::task::yield_now().await;
        }
        let second = host.steers(first.session, "and hurry").await;
        assert_eq!(host.record(first.turn).await.state, TurnState::Waiting);
        let EventKind::InteractionRequested { request } = asked.kind else { panic!("{asked:?}") };
        let decided = host.service.resolve(&ada(), request.id, Resolution::APPROVED).await;
        assert_eq!(decided, Ok(ResolveOutcome::Decided { ready: true }));
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
        assert_eq!(taken_by(&host.events(second.turn).await), Some(first.turn));
        assert_eq!(host.transcript(first.session).await, JOINED);
    });
}

#[test]
fn an_answer_that_its_provider_paused_is_continued_before_a_message_is_read() {
    let gate = Gate::new();
    let search = vec![Delta::provider_tool(0, "s1", "web_search"), Delta::text(0, "cats"), Delta::end(0)];
    let paused = Reply::new().wait(&gate).deltas(search).finish(FinishReason::Pause);
    let script = vec![paused, Reply::new().call("lookup", json!({ "key": "a" })), Reply::text("Done.")];
    World::new().life(Setup::from(script).tool(lookup()), async |host| {
        let first = host.submit("go").await;
        gate.reached().await;
        host.steers(first.session, "and hurry").await;
        gate.open();
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
        let transcript = host.transcript(first.session).await;
        assert_eq!(
            transcript[3..],
            ["Tool: <lookup gave value of a>", "User: and hurry [Steering]", "Assistant: Done."]
        );
    });
}

#[test]
fn a_message_that_waits_when_the_process_dies_joins_the_turn_in_the_next_one() {
    let (world, gate) = (World::new(), Gate::new());
    let (first, second) = world.life(working(&gate, &[]), async |host| {
        let first = host.is_at_work(&gate).await;
        (first.clone(), host.steers(first.session, "and hurry").await)
    });
    gate.open();
    let setup = Setup::from(vec![Reply::text("Done.")]).tool(slow(gate.clone()));
    world.life(setup, async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
        assert_eq!(taken_by(&host.events(second.turn).await), Some(first.turn));
        assert_eq!(host.transcript(first.session).await, JOINED);
    });
}

#[test]
fn a_message_that_came_while_the_model_was_asked_joins_the_turn_before_it_is_asked_again() {
    let (world, gate) = (World::new(), Gate::new());
    gate.open();
    let (first, second) = world.life(working(&gate, &[Reply::new().say("Do").hang()]), async |host| {
        let first = host.submit("go").await;
        let mut feed = host.follow(first.turn, None).await;
        until(&mut feed, "tool.finished").await;
        until(&mut feed, "part.delta").await;
        (first.clone(), host.steers(first.session, "and hurry").await)
    });
    world.life(vec![Reply::text("Done.")], async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        let events = host.events(first.turn).await;
        let expected = ["tool.finished slow", "retracted", "steered", "step.started"];
        assert_eq!(outline(&events)[4..8], expected);
        assert_eq!(taken_by(&host.events(second.turn).await), Some(first.turn));
        assert_eq!(host.transcript(first.session).await, JOINED);
        assert_eq!(host.provider.calls().len(), 1);
    });
}

#[test]
fn a_message_that_joined_is_read_once_also_if_the_process_dies_before_the_model_is_asked() {
    let (world, gate) = (World::new(), Gate::new());
    let (first, second) = world.life(working(&gate, &[Reply::new().hang()]), async |host| {
        let (first, taken) = (host.is_at_work(&gate).await, Gate::new());
        let second = host.steers(first.session, "and hurry").await;
        host.store.waits_after("checkpoint", host.store.count("checkpoint") + 2, &taken);
        gate.open();
        taken.reached().await;
        assert_eq!(host.provider.calls().len(), 1);
        (first, second)
    });
    world.life(vec![Reply::text("Done.")], async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
        assert_eq!(taken_by(&host.events(second.turn).await), Some(first.turn));
        assert_eq!(host.transcript(first.session).await, JOINED);
    });
}

#[test]
fn a_turn_whose_budget_is_used_up_leaves_the_message_to_a_turn_of_its_own() {
    let gate = Gate::new();
    let script = vec![Reply::new().call("slow", json!({})).usage(80, 40), Reply::text("Here.").usage(5, 5)];
    let turn = Budget { tokens: Some(100), nano_usd: None };
    let setup = Setup::from(script).tool(slow(gate.clone()));
    let setup = setup.with(|setup| setup.settings.budgets = Some(Arc::new(Budgets { turn, ..Budgets::default() })));
    World::new().life(setup, async |host| {
        let first = host.is_at_work(&gate).await;
        let second = host.steers(first.session, "and hurry").await;
        gate.open();
        assert_eq!(host.ends(first.turn).await, TurnStatus::Limit);
        assert_eq!(taken_by(&host.events(second.turn).await), None);
        assert_eq!(host.ends(second.turn).await, TurnStatus::Completed);
        assert_eq!(host.transcript(first.session).await.last().unwrap(), "Assistant: Here.");
    });
}

#[test]
fn a_commit_whose_answer_was_lost_takes_the_message_once() {
    let gate = Gate::new();
    World::new().life(working(&gate, &[Reply::text("Done.")]), async |host| {
        let first = host.is_at_work(&gate).await;
        let second = host.steers(first.session, "and hurry").await;
        let lost = turnkit_core::StoreError::Unavailable("lost".to_owned());
        host.store.loses_answer("checkpoint", host.store.count("checkpoint") + 2, lost);
        let mut feed = host.follow(second.turn, None).await;
        gate.open();
        // Its followers see the commit although the process received no answer to it.
        assert_eq!(taken_by(&rest(&mut feed).await), Some(first.turn));
        while host.record(first.turn).await.ended_at.is_none() {
            tokio::task::yield_now().await;
        }
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
        assert_eq!(host.transcript(first.session).await, JOINED);
    });
}

#[test]
fn a_turn_is_drawn_with_the_message_after_its_events_are_gone() {
    let (world, gate) = (World::new(), Gate::new());
    let (first, before) = world.life(working(&gate, &[Reply::text("Done.")]), async |host| {
        let first = host.is_at_work(&gate).await;
        let second = host.steers(first.session, "and hurry").await;
        gate.open();
        host.ends(first.turn).await;
        let drawn = host.service.rendered_turn(&ada(), &host.record(first.turn).await).await.unwrap().view;
        assert_eq!((drawn.steered[0].turn, drawn.steered[0].after_step), (Some(second.turn), 1));
        (first, drawn.without_log())
    });
    world.life(Vec::new(), async |host| {
        host.clock.advance(Duration::from_secs(25 * 60 * 60));
        assert_eq!(host.service.delete_expired().await.unwrap(), 2);
        let drawn = host.service.rendered_turn(&ada(), &host.record(first.turn).await).await.unwrap();
        assert!(drawn.view.steps[0].model.is_some(), "{:?}", drawn.view);
        assert_eq!((drawn.view.clone().without_log(), drawn.messages), (before, Vec::new()));
        let mut feed = host.service.follow_session(&ada(), first.session, None).await.unwrap();
        let SessionUpdate::Resync(snapshot) = feed.next(&mut Vec::new()).await.unwrap() else { panic!("no snapshot") };
        assert_eq!((snapshot.turn.map(|turn| turn.view), snapshot.messages), (Some(drawn.view), Vec::new()));
    });
}
