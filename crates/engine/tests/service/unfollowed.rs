//! Tests of turns that lose their last follower and whose clients cannot reconnect.

use std::time::Duration;

use turnkit_core::{ClientCaps, SessionKey, TurnId, TurnState, TurnStatus};
use turnkit_engine::{Receipt, TurnFeed};
use turnkit_testkit::{Gate, Reply};

use crate::support::{Host, Setup, World, ada, pass, request, rest, until};

/// `NEARLY` is just too short for the timeout; together with `A_BIT` it is just long enough.
const NEARLY: Duration = Duration::from_millis(9_900);
const A_BIT: Duration = Duration::from_millis(200);

/// Starts a turn whose client cannot reconnect to it.
async fn submit(host: &Host, session: SessionKey) -> Receipt {
    let mut asked = request(session, "hi");
    asked.caps = ClientCaps { interact: false, resume: false };
    host.service.accept(&ada(), asked).await.unwrap()
}

/// Returns a follower that has received a piece of the answer.
async fn follow(host: &Host, turn: TurnId) -> TurnFeed {
    let mut feed = host.follow(turn, None).await;
    until(&mut feed, "part.delta").await;
    feed
}

async fn stops(host: &Host) -> usize {
    host.store.count("request_stop")
}

#[test]
fn it_is_cancelled_ten_seconds_after_its_last_follower_left() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().say("Half an ").say("answer").wait(&gate)], async |host| {
        let accepted = submit(&host, SessionKey::New).await;
        let (first, last) = (follow(&host, accepted.turn).await, follow(&host, accepted.turn).await);
        drop(first);
        pass(2 * NEARLY).await;
        drop(last);
        pass(NEARLY).await;
        assert_eq!(stops(&host).await, 0);
        pass(A_BIT).await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
        assert_eq!(host.provider.open_calls(), 0);
        assert_eq!(host.transcript(accepted.session).await[1], "Assistant: Half an answer [Cancelled]");
    });
}

#[test]
fn it_is_cancelled_ten_seconds_after_it_was_accepted_if_it_never_has_a_follower() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().wait(&gate)], async |host| {
        let turn = submit(&host, SessionKey::New).await.turn;
        gate.reached().await;
        pass(NEARLY).await;
        assert_eq!(stops(&host).await, 0);
        pass(A_BIT).await;
        assert_eq!(host.ends(turn).await, TurnStatus::Cancelled);
    });
}

#[test]
fn a_follower_that_returns_in_time_saves_it() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().say("Here ").wait(&gate).say("it is.")], async |host| {
        let turn = submit(&host, SessionKey::New).await.turn;
        for _ in 0..2 {
            drop(follow(&host, turn).await);
            pass(NEARLY).await;
        }
        let mut feed = host.follow(turn, None).await;
        pass(2 * NEARLY).await;
        gate.open();
        assert!(rest(&mut feed).await.last().is_some_and(|event| event.kind.is_terminal()));
        assert_eq!((host.record(turn).await.state, stops(&host).await), (TurnState::Ended(TurnStatus::Completed), 0));
    });
}

#[test]
fn a_follower_of_its_session_follows_it() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().wait(&gate).say("Here it is.")], async |host| {
        let accepted = submit(&host, SessionKey::New).await;
        let feed = host.service.follow_session(&ada(), accepted.session, None).await.unwrap();
        pass(2 * NEARLY).await;
        assert_eq!(stops(&host).await, 0);
        drop(feed);
        pass(NEARLY + A_BIT).await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
    });
}

#[test]
fn it_is_cancelled_while_it_waits_for_a_slot() {
    let gate = Gate::new();
    let one_slot = Setup::from(vec![Reply::new().say("Long.").wait(&gate)]).with(|setup| setup.slots = 1);
    World::new().life(one_slot, async |host| {
        let busy = host.submit("a long one").await;
        gate.reached().await;
        let turn = submit(&host, SessionKey::New).await.turn;
        pass(NEARLY + A_BIT).await;
        assert_eq!(host.ends(turn).await, TurnStatus::Cancelled);
        gate.open();
        assert_eq!(host.ends(busy.turn).await, TurnStatus::Completed);
        assert_eq!(host.provider.calls().len(), 1);
    });
}

#[test]
fn one_that_waits_for_its_session_has_its_ten_seconds_when_it_begins() {
    let (first_gate, second_gate) = (Gate::new(), Gate::new());
    let script = vec![Reply::new().wait(&first_gate).say("One"), Reply::new().wait(&second_gate).say("Two")];
    World::new().life(script, async |host| {
        let first = host.submit("one").await;
        let second = submit(&host, SessionKey::Id(first.session)).await;
        pass(2 * NEARLY).await;
        first_gate.open();
        second_gate.reached().await;
        pass(NEARLY).await;
        assert_eq!(stops(&host).await, 0);
        pass(A_BIT).await;
        assert_eq!(host.ends(second.turn).await, TurnStatus::Cancelled);
    });
}

#[test]
fn one_whose_process_died_is_cancelled_without_a_slot_or_a_model_call() {
    let (world, gate) = (World::new(), Gate::new());
    let (turn, other) = world.life(vec![Reply::new().hang(), Reply::new().hang()], async |host| {
        let other = host.submit("I come back").await.turn;
        (submit(&host, SessionKey::New).await.turn, other)
    });
    let one_slot = Setup::from(vec![Reply::new().wait(&gate).say("Yes.")]).with(|setup| setup.slots = 1);
    world.life(one_slot, async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(2));
        gate.reached().await;
        assert_eq!(host.ends(turn).await, TurnStatus::Cancelled);
        gate.open();
        assert_eq!(host.ends(other).await, TurnStatus::Completed);
        assert_eq!(host.provider.calls().len(), 1);
    });
}

#[test]
fn a_turn_whose_client_can_come_back_continues_without_a_follower() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().say("Here ").wait(&gate).say("it is.")], async |host| {
        let turn = host.submit("hi").await.turn;
        drop(follow(&host, turn).await);
        pass(3 * NEARLY).await;
        gate.open();
        assert_eq!(host.ends(turn).await, TurnStatus::Completed);
    });
}

#[test]
fn it_is_cancelled_once_storage_works_again() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().wait(&gate)], async |host| {
        let turn = submit(&host, SessionKey::New).await.turn;
        gate.reached().await;
        host.store.fails("request_stop", 1, turnkit_core::StoreError::Unavailable("it is busy".to_owned()));
        pass(NEARLY + A_BIT).await;
        assert_eq!((stops(&host).await, host.record(turn).await.state), (1, TurnState::Running));
        pass(NEARLY + A_BIT).await;
        assert_eq!(host.ends(turn).await, TurnStatus::Cancelled);
    });
}
