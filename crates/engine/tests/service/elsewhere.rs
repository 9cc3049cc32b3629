//! Tests of following and stopping turns that another process runs.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::time::{Instant, sleep, timeout};
use turnkit_core::ports::Broker;
use turnkit_core::{CancelOutcome, SessionKey, TurnStatus};
use turnkit_engine::{FeedItem, SessionUpdate};
use turnkit_testkit::model_broker::{Carrier, ModelBroker};
use turnkit_testkit::{Gate, Reply};

use crate::cluster::{Cluster, LEASE, Process, StoreAccess};
use crate::support::{ada, outline, request, rest, shown_until, status, until};

/// Starts processes that can reach each other.
async fn joined<const N: usize>(cluster: &mut Cluster, carrier: &Carrier, scripts: [Vec<Reply>; N]) -> [Process; N] {
    let mut processes = Vec::new();
    for script in scripts {
        let start = |id: &_| Arc::new(ModelBroker::start(carrier, Clone::clone(id))) as Arc<dyn Broker>;
        processes.push(cluster.process_with(script, 4, start).await);
    }
    sleep(2 * LEASE).await;
    processes.try_into().unwrap_or_else(|_| panic!("as many processes as scripts"))
}

#[tokio::test(start_paused = true)]
async fn a_follower_elsewhere_reads_each_token_as_it_comes() {
    let (mut cluster, gate) = (Cluster::new(), Gate::new());
    let script = vec![Reply::new().say("To ").wait(&gate).say("the end.")];
    let [owner, other] = joined(&mut cluster, &Carrier::new(1), [script, Vec::new()]).await;
    let turn = owner.submit("hi").await.turn;
    let mut feed = other.follow(turn).await;
    let mut events = shown_until(&mut feed, "part.delta").await;
    gate.open();
    events.extend(rest(&mut feed).await);
    assert_eq!(status(&events), TurnStatus::Completed);
    assert_eq!(events, cluster.stored(turn));
}

#[tokio::test(start_paused = true)]
async fn a_stop_reaches_the_owner_at_once_and_leaves_nothing_behind() {
    let mut cluster = Cluster::new();
    let carrier = Carrier::new(1);
    let owner = [vec![Reply::new().say("On ").hang()], Vec::new()];
    let [owner, other] = joined(&mut cluster, &carrier, owner).await;
    let turn = owner.submit("hi").await.turn;
    let mut feed = other.follow(turn).await;
    until(&mut feed, "part.delta").await;
    let asked = Instant::now();
    assert_eq!(other.service.cancel(&ada(), turn).await, Ok(CancelOutcome::Stopping));
    assert_eq!(rest(&mut feed).await.last().unwrap().kind.name(), "turn.ended");
    assert!(asked.elapsed() < Duration::from_millis(100), "{:?}", asked.elapsed());
    let run = other.broker.turns().begin_run(turn, None);
    assert_eq!(run.stop().reason(), None);
}

#[tokio::test(start_paused = true)]
async fn a_follower_continues_with_the_next_owner() {
    let mut cluster = Cluster::new();
    let carrier = Carrier::new(1);
    let scripts = [vec![Reply::new().say("Never ").hang()], vec![Reply::text("Stored")], vec![Reply::text("Stored")]];
    let [dead, _next, other] = joined(&mut cluster, &carrier, scripts).await;
    let turn = dead.submit("hi").await.turn;
    let mut feed = other.follow(turn).await;
    until(&mut feed, "part.delta").await;
    dead.set_store_access(StoreAccess::Blocked);
    carrier.pause(&dead.id, true);
    // The output of the first answer is not in the log.
    let item = timeout(2 * LEASE, feed.next()).await.unwrap().unwrap();
    assert!(matches!(item, Some(FeedItem::Resync(_))), "{item:?}");
    while let Some(item) = feed.next().await.unwrap() {
        assert!(matches!(item, FeedItem::Event(_)), "{item:?}");
    }
    assert_eq!(outline(&cluster.stored(turn)).last().unwrap(), "turn.ended completed");
}

#[tokio::test(start_paused = true)]
async fn a_follower_whose_owner_is_out_of_reach_reads_the_stored_log() {
    let (mut cluster, gate) = (Cluster::new(), Gate::new());
    let script = vec![Reply::new().call("nothing", json!({})), Reply::new().wait(&gate).say("The end.")];
    let owner = cluster.process(script, 4).await;
    let other = cluster.process(Vec::new(), 4).await;
    let turn = owner.submit("hi").await.turn;
    let mut feed = other.follow(turn).await;
    let mut events = timeout(Duration::from_secs(1), shown_until(&mut feed, "step.ended")).await.unwrap();
    gate.open();
    events.extend(timeout(Duration::from_secs(1), rest(&mut feed)).await.unwrap());
    assert_eq!(status(&events), TurnStatus::Completed);
    assert_eq!(events, cluster.stored(turn));
}

#[tokio::test(start_paused = true)]
async fn a_queued_turn_is_followed_where_it_was_accepted() {
    let (mut cluster, gate) = (Cluster::new(), Gate::new());
    let script = vec![Reply::new().wait(&gate).say("One"), Reply::text("Two")];
    let [owner, other] = joined(&mut cluster, &Carrier::new(1), [script, Vec::new()]).await;
    let session = owner.submit("hi").await.session;
    gate.reached().await;
    let queued = other.service.accept(&ada(), request(SessionKey::Id(session), "and I?")).await.unwrap();
    assert!(queued.queued);
    let mut feed = other.service.follow_accepted(&ada(), &queued).await.unwrap();
    until(&mut feed, "turn.started").await;
    gate.open();
    assert_eq!(rest(&mut feed).await.last().unwrap().kind.name(), "turn.ended");
    assert_eq!(status(&cluster.stored(queued.turn)), TurnStatus::Completed);
}

#[tokio::test(start_paused = true)]
async fn a_session_is_followed_through_turns_of_processes_that_cannot_be_reached() {
    let mut cluster = Cluster::new();
    let owner = cluster.process(vec![Reply::text("One"), Reply::text("Two")], 4).await;
    let other = cluster.process(Vec::new(), 4).await;
    let first = owner.submit("hi").await;
    let mut feed = other.service.follow_session(&ada(), first.session, None).await.unwrap();
    owner.events(first.turn).await;
    let mut batch = Vec::new();
    // Read everything that is available now.
    while timeout(LEASE, feed.next(&mut batch)).await.is_ok() {}
    batch.clear();
    owner.service.accept(&ada(), request(SessionKey::Id(first.session), "again")).await.unwrap();
    let update = timeout(Duration::from_secs(3), feed.next(&mut batch)).await.unwrap().unwrap();
    assert!(matches!(update, SessionUpdate::Events { number: 2, .. }), "{update:?}");
}
