//! Tests of turns when processes share a store and own turns by leases.

use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep, timeout};
use turnkit_core::ports::WaitPage;
use turnkit_core::{
    AcceptError, CancelOutcome, Resolution, ResolveOutcome, SessionKey, StoreError, TurnState, TurnStatus, Wait,
};
use turnkit_engine::{FeedItem, TurnFeed};
use turnkit_testkit::{Gate, Reply};

use crate::client_tools::chart_request;
use crate::cluster::{Cluster, LEASE, Process, StoreAccess};
use crate::support::{ada, outline, request, rest, shown_until, status, until};

/// Returns the next list of pending waits that the feed reports.
async fn pending(feed: &mut TurnFeed) -> Vec<Wait> {
    loop {
        if let Some(FeedItem::Pending(waits)) = feed.next().await.unwrap() {
            return waits;
        }
    }
}

/// The maximum duration of a takeover: a lease and two sweeps.
const TAKEOVER: Duration = LEASE.saturating_add(Duration::from_secs(2));

/// Starts two processes, and waits until each has had its lease long enough to judge the other.
async fn two(cluster: &mut Cluster, first: Vec<Reply>, second: Vec<Reply>) -> (Process, Process) {
    let processes = (cluster.process(first, 4).await, cluster.process(second, 4).await);
    sleep(2 * LEASE).await;
    processes
}

async fn refused(process: &Process) -> AcceptError {
    process.service.accept(&ada(), request(SessionKey::New, "hello?")).await.unwrap_err()
}

#[tokio::test(start_paused = true)]
async fn turns_of_a_dead_process_go_to_another_once_its_lease_is_over() {
    let mut cluster = Cluster::new();
    let (dead, other) = two(&mut cluster, vec![Reply::new().say("Never ").hang()], vec![Reply::text("Stored")]).await;
    let turn = dead.submit("hi").await.turn;
    until(&mut dead.follow(turn).await, "part.delta").await;
    dead.set_store_access(StoreAccess::Blocked);
    let died = Instant::now();
    let events = other.events(turn).await;
    assert!(died.elapsed() > LEASE * 2 / 3 && died.elapsed() < TAKEOVER, "{:?}", died.elapsed());
    let expected = ["turn.started", "retracted", "step.started", "step.ended", "turn.ended completed"];
    assert_eq!(outline(&events), expected);
    assert_eq!(events, cluster.stored(turn));
}

#[tokio::test(start_paused = true)]
async fn any_process_lists_and_decides_the_waits_of_a_turn_and_all_followers_get_the_change() {
    let mut cluster = Cluster::new();
    let calls = Reply::new().call("show_chart", json!({ "of": "rain" }));
    let (first, second) = two(&mut cluster, vec![calls], vec![Reply::text("There.")]).await;
    let turn = first.service.accept(&ada(), chart_request("show it")).await.unwrap().turn;
    let mut feed = first.follow(turn).await;
    until(&mut feed, "interaction.requested").await;
    let page = WaitPage { session: None, turn: Some(turn), below: false, pending: true, limit: 10, after: None };
    let wait = second.service.waits(&ada(), page).await.unwrap().waits.remove(0);
    while cluster.disk.turns().iter().all(|(record, _)| record.state != TurnState::Waiting) {
        tokio::task::yield_now().await;
    }
    let shown = Resolution::returned(true, "shown");
    let decided = second.service.resolve(&ada(), wait.id, shown.clone()).await;
    assert_eq!(decided, Ok(ResolveOutcome::Decided { ready: true }));
    assert_eq!(first.service.resolve(&ada(), wait.id, shown).await, Ok(ResolveOutcome::Repeated));
    let told = rest(&mut feed).await;
    assert!(told.iter().any(|event| event.kind.name() == "interaction.resolved"), "{:?}", outline(&told));
    let events = second.events(turn).await;
    assert_eq!((status(&events), events.last()), (TurnStatus::Completed, told.last()));
    assert_eq!(events, cluster.stored(turn));
    assert_eq!((first.provider.calls().len(), second.provider.calls().len()), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_process_that_wakes_after_its_lease_writes_nothing_and_takes_no_turns() {
    let mut cluster = Cluster::new();
    let gate = Gate::new();
    let replies = vec![Reply::new().say("Too ").wait(&gate).say("late"), Reply::text("Never said")];
    let (sleeper, other) = two(&mut cluster, replies, vec![Reply::text("In time")]).await;
    let turn = sleeper.submit("hi").await.turn;
    let mut feed = sleeper.follow(turn).await;
    until(&mut feed, "part.delta").await;
    sleeper.set_store_access(StoreAccess::Blocked);
    let events = other.events(turn).await;
    gate.open();
    sleeper.set_store_access(StoreAccess::Open);
    let snapshot = loop {
        match feed.next().await.unwrap() {
            Some(FeedItem::Event(event)) => assert!(!event.kind.is_terminal()),
            Some(FeedItem::Resync(snapshot)) => break snapshot,
            Some(other) => panic!("{other:?}"),
            None => panic!("the end of the turn was not shown"),
        }
    };
    assert_eq!(snapshot.turn.and_then(|turn| turn.view.status), Some(TurnStatus::Completed));
    sleep(LEASE).await;
    assert_eq!(cluster.stored(turn), events);
    assert_eq!(sleeper.provider.calls().len(), 1);
    assert!(matches!(refused(&sleeper).await, AcceptError::Store(StoreError::Unavailable(_))));
    assert_eq!((sleeper.service.accepts_turns(), other.service.accepts_turns()), (false, true));
    assert_eq!(sleeper.service.counts().running, 0);
}

#[tokio::test(start_paused = true)]
async fn a_process_that_renews_keeps_its_turns_however_long_they_take() {
    let mut cluster = Cluster::new();
    let slow = Reply::new().say("A ").sleep(10 * LEASE).say("while");
    let (owner, _other) = two(&mut cluster, vec![slow], vec![Reply::text("Not mine")]).await;
    let events = owner.events(owner.submit("hi").await.turn).await;
    assert_eq!(outline(&events), ["turn.started", "step.started", "step.ended", "turn.ended completed"]);
}

#[tokio::test(start_paused = true)]
async fn a_stop_asked_of_another_process_reaches_the_owner_within_two_sweeps() {
    let mut cluster = Cluster::new();
    let (owner, other) = two(&mut cluster, vec![Reply::new().say("On ").hang()], Vec::new()).await;
    let turn = owner.submit("hi").await.turn;
    let mut feed = owner.follow(turn).await;
    let mut events = shown_until(&mut feed, "part.delta").await;
    assert_eq!(other.service.cancel(&ada(), turn).await, Ok(CancelOutcome::Stopping));
    let end = timeout(Duration::from_secs(2), rest(&mut feed)).await;
    events.extend(end.unwrap());
    assert_eq!(status(&events), TurnStatus::Cancelled);
}

#[tokio::test(start_paused = true)]
async fn a_follower_of_a_waiting_turn_gets_the_remaining_waits_although_no_signal_arrives() {
    let mut cluster = Cluster::new();
    let charts = Reply::new().call("show_chart", json!({ "of": "rain" })).call("show_chart", json!({ "of": "snow" }));
    let (owner, other) = two(&mut cluster, vec![charts], Vec::new()).await;
    let turn = owner.service.accept(&ada(), chart_request("show them")).await.unwrap().turn;
    let mut feed = owner.follow(turn).await;
    let waits = pending(&mut feed).await;
    assert_eq!(waits.len(), 2);
    other.service.resolve(&ada(), waits[0].id, Resolution::returned(true, "shown")).await.unwrap();
    let remaining = timeout(Duration::from_secs(3), pending(&mut feed)).await.unwrap();
    assert_eq!(remaining, waits[1..]);
}

#[tokio::test(start_paused = true)]
async fn a_session_whose_turn_another_process_runs_is_deleted_although_no_signal_arrives() {
    let mut cluster = Cluster::new();
    let (owner, other) = two(&mut cluster, vec![Reply::new().say("On ").hang()], Vec::new()).await;
    let receipt = owner.submit("hi").await;
    until(&mut owner.follow(receipt.turn).await, "part.delta").await;
    let asked = Instant::now();
    assert_eq!(other.service.delete_session(&ada(), receipt.session).await, Ok(()));
    assert!(asked.elapsed() < Duration::from_secs(4), "{:?}", asked.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_process_that_cannot_renew_in_time_starts_no_turn() {
    let mut cluster = Cluster::new();
    let process = cluster.process(vec![Reply::text("Back")], 4).await;
    process.set_store_access(StoreAccess::Broken);
    sleep(LEASE * 4 / 5).await;
    process.set_store_access(StoreAccess::Open);
    let AcceptError::Store(StoreError::Unavailable(why)) = refused(&process).await else { panic!("stored") };
    assert_eq!(why, "the process could not renew its lease in time");
    assert!(!process.service.accepts_turns());
    sleep(Duration::from_secs(1)).await;
    assert!(process.service.accepts_turns());
    assert_eq!(status(&process.events(process.submit("hi").await.turn).await), TurnStatus::Completed);
}

#[tokio::test(start_paused = true)]
async fn turns_without_an_owner_are_claimed_for_free_slots_only() {
    let mut cluster = Cluster::new();
    let gate = Gate::new();
    let replies = || (0..3).map(|_| Reply::new().wait(&gate).say("Done")).collect::<Vec<_>>();
    let dead = cluster.process(vec![Reply::new().hang()], 1).await;
    let others = [cluster.process(replies(), 1).await, cluster.process(replies(), 1).await];
    sleep(2 * LEASE).await;
    let mut turns = Vec::new();
    for text in ["one", "two", "three"] {
        turns.push(dead.submit(text).await.turn);
    }
    dead.set_store_access(StoreAccess::Blocked);
    sleep(2 * LEASE).await;
    for other in &others {
        let counts = other.service.counts();
        assert_eq!((counts.running, counts.waiting_for_slot, counts.resumed), (1, 0, 1));
    }
    gate.open();
    for turn in turns {
        assert_eq!(status(&others[0].events(turn).await), TurnStatus::Completed);
    }
}

#[tokio::test(start_paused = true)]
async fn a_closed_process_takes_no_turns_and_renews_until_its_own_are_over() {
    let mut cluster = Cluster::new();
    let gate = Gate::new();
    let (closed, dead) = two(&mut cluster, vec![Reply::new().wait(&gate).say("Done")], vec![Reply::new().hang()]).await;
    let (own, left) = (closed.submit("hi").await.turn, dead.submit("and I?").await.turn);
    let feed = closed.follow(own).await;
    gate.reached().await;
    dead.set_store_access(StoreAccess::Blocked);
    closed.service.close();
    sleep(4 * LEASE).await;
    let new = cluster.process(vec![Reply::text("You too")], 4).await;
    sleep(2 * LEASE).await;
    assert_eq!(closed.service.counts().resumed, 0);
    assert_eq!(status(&new.events(left).await), TurnStatus::Completed);
    gate.open();
    assert!(closed.service.finish(Duration::from_secs(1)).await);
    let (record, _) = cluster.disk.turns().into_iter().find(|(record, _)| record.id == own).unwrap();
    assert_eq!(record.state, TurnState::Ended(TurnStatus::Completed));
    assert!(!outline(&cluster.stored(own)).contains(&"retracted".to_owned()));
    drop(feed);
}

#[tokio::test(start_paused = true)]
async fn a_turn_that_saw_two_processes_die_is_suspended_once() {
    let mut cluster = Cluster::new();
    let (hang, gate) = (|| vec![Reply::new().hang()], Gate::new());
    let (first, second) = two(&mut cluster, hang(), hang()).await;
    let last = cluster.process(vec![Reply::new().wait(&gate).say("Busy"), Reply::text("Alive")], 1).await;
    last.submit("keep your slot").await;
    gate.reached().await;
    let turn = first.submit("hi").await.turn;
    for dead in [&first, &second] {
        while dead.provider.open_calls() == 0 {
            sleep(Duration::from_secs(1)).await;
        }
        dead.set_store_access(StoreAccess::Blocked);
    }
    sleep(3 * LEASE).await;
    gate.open();
    assert_eq!(status(&last.events(turn).await), TurnStatus::Completed);
    assert_eq!(last.service.counts().resumed, 1);
}
