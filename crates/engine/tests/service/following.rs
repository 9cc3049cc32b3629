//! Tests of following from any cursor: exactly, or with a snapshot and the rest. Also tests what a warm session does
//! not read.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use serde_json::json;
use turnkit_core::{Cursor, Fence, Message, Scope, StoreError, Tail, TurnEvent, TurnState, TurnStatus, TurnView};
use turnkit_engine::{FeedItem, FollowError, FollowFrom, TurnFeed, TurnUpdate};
use turnkit_testkit::tools::lookup;
use turnkit_testkit::{Gate, Reply};

use crate::support::{Host, Setup, World, ada, next, rest, until};

fn script(gate: &Gate) -> Vec<Reply> {
    vec![
        Reply::new().think("Hm, ").think("well.").say("Let me ").say("see. 🌙").call("lookup", json!({ "key": "a" })),
        Reply::new().say("It ").say("is ").wait(gate).say("a.").usage(5, 4),
    ]
}

/// Returns the available events for a follower with this cursor.
async fn from(host: &Host, turn: turnkit_core::TurnId, cursor: Cursor) -> Vec<turnkit_core::TurnEvent> {
    rest(&mut host.follow(turn, Some(cursor)).await).await
}

/// Returns the snapshot that the feed sends in place of events: the turn so far, and the cursor from which it
/// continues.
async fn resync(feed: &mut TurnFeed) -> (TurnView, Cursor) {
    match feed.next().await.unwrap() {
        Some(FeedItem::Resync(snapshot)) => (snapshot.turn.unwrap().view, snapshot.cursor),
        other => panic!("no resync: {other:?}"),
    }
}

#[test]
fn a_follower_that_comes_back_reads_on_exactly_where_it_was() {
    let (world, gate) = (World::new(), Gate::new());
    let (turn, cursors, all) = world.life(Setup::from(script(&gate)).tool(lookup()), async |host| {
        let turn = host.submit("look").await.turn;
        let mut feed = host.follow(turn, None).await;
        let (mut cursors, mut all) = (Vec::new(), Vec::new());
        gate.reached().await;
        drop(host.follow(turn, None).await);
        while all.len() < 20 {
            let (event, cursor) = next(&mut feed).await;
            all.push(event);
            cursors.push(cursor);
        }
        // While the turn runs, every follower gets the available events at once and the others as they happen.
        let mut waiting = Vec::new();
        for cursor in &cursors {
            waiting.push(host.follow(turn, Some(*cursor)).await);
        }
        gate.open();
        while !all.last().is_some_and(|event| event.kind.is_terminal()) {
            let (event, cursor) = next(&mut feed).await;
            all.push(event);
            cursors.push(cursor);
        }
        assert!(feed.next().await.unwrap().is_none());
        for (cut, mut feed) in waiting.into_iter().enumerate() {
            assert_eq!(rest(&mut feed).await, all[cut + 1..], "live, cut after {}", cut + 1);
        }
        for (cut, cursor) in cursors.iter().enumerate() {
            assert_eq!(from(&host, turn, *cursor).await, all[cut + 1..], "ended, cut after {}", cut + 1);
        }
        assert_eq!(host.store.count("log"), 0, "an ended turn was read from the store");
        (turn, cursors, all)
    });
    world.life(vec![], async |host| {
        for (cut, cursor) in cursors.iter().enumerate() {
            assert_eq!(from(&host, turn, *cursor).await, all[cut + 1..], "stored, cut after {}", cut + 1);
        }
        assert_eq!(host.events(turn).await, all);
    });
}

#[test]
fn a_cursor_the_log_does_not_know_gets_the_turn_so_far_and_the_rest() {
    let gate = Gate::new();
    World::new().life(Setup::from(script(&gate)).tool(lookup()), async |host| {
        let turn = host.submit("look").await.turn;
        gate.reached().await;
        let unknown = ["7-1-3", "1-1-4000", "1-2-3"];
        let mut feeds = Vec::new();
        for cursor in unknown {
            let mut feed = host.follow(turn, Some(cursor.parse().unwrap())).await;
            let (view, at) = resync(&mut feed).await;
            assert_eq!((view.seq, at.fence, at.seq, view.status), (at.seq, Fence(1), view.seq, None), "{cursor}");
            feeds.push((feed, view));
        }
        gate.open();
        let all = host.events(turn).await;
        for (mut feed, view) in feeds {
            let seen = view.seq as usize;
            assert_eq!(view, TurnView::of(&all[..seen]));
            assert_eq!(rest(&mut feed).await, all[seen..]);
        }
    });
}

#[test]
fn a_follower_that_saw_unstored_events_of_a_dead_process_gets_a_resync() {
    let (world, gate) = (World::new(), Gate::new());
    let (turn, seen) = world.life(vec![Reply::new().say("Never ").say("stored").wait(&gate)], async |host| {
        let turn = host.submit("hi").await.turn;
        let mut feed = host.follow(turn, None).await;
        let mut seen = Vec::new();
        for _ in 0..4 {
            seen.push(next(&mut feed).await.1);
        }
        (turn, seen)
    });
    world.life(vec![Reply::text("A longer answer this time")], async |host| {
        host.service.resume_unfinished().await.unwrap();
        assert_eq!(host.ends(turn).await, TurnStatus::Completed);
        let all = host.events(turn).await;
        assert_eq!(from(&host, turn, seen[0]).await, all[1..]);
        for provisional in &seen[1..] {
            let mut feed = host.follow(turn, Some(*provisional)).await;
            assert_eq!(resync(&mut feed).await.0, TurnView::of(&all));
            assert_eq!(feed.next().await.unwrap(), None);
        }
    });
}

#[test]
fn a_follower_that_must_see_everything_again_begins_at_the_start_if_its_place_is_known() {
    let gate = Gate::new();
    World::new().life(Setup::from(script(&gate)).tool(lookup()), async |host| {
        let turn = host.submit("look").await.turn;
        gate.reached().await;
        let replay = |cursor: &str| FollowFrom::Replay(cursor.parse().unwrap());
        let mut known = host.service.follow(&ada(), turn, replay("1-1-5-1")).await.unwrap();
        let mut unknown = host.service.follow(&ada(), turn, replay("1-1-4000")).await.unwrap();
        let seen = resync(&mut unknown).await.0.seq as usize;
        gate.open();
        let all = host.events(turn).await;
        assert_eq!(rest(&mut known).await, all);
        assert_eq!(rest(&mut unknown).await, all[seen..]);
    });
}

#[test]
fn a_feed_hands_out_all_there_is_in_pieces_without_waiting() {
    let gate = Gate::new();
    World::new().life(Setup::from(script(&gate)).tool(lookup()), async |host| {
        let turn = host.submit("look").await.turn;
        let mut feed = host.follow(turn, None).await;
        gate.reached().await;
        let mut batch = Vec::new();
        assert!(poll_update(&mut feed, &mut batch).is_pending());
        assert!(batch.len() > Tail::MAX_AT_ONCE as usize, "more than one piece");
        gate.open();
        host.ends(turn).await;
        for _ in 0..2 {
            assert_eq!(poll_update(&mut feed, &mut batch), Poll::Ready(Ok(TurnUpdate::End)));
        }
        assert_eq!(batch, host.events(turn).await);
    });
}

/// Reads all available events. Returns the poll result after them.
fn poll_update(feed: &mut TurnFeed, batch: &mut Vec<TurnEvent>) -> Poll<Result<TurnUpdate, StoreError>> {
    let mut context = Context::from_waker(Waker::noop());
    loop {
        let before = batch.len();
        match feed.poll_next(&mut context, batch) {
            Poll::Ready(Ok(TurnUpdate::Events)) => {
                assert!((1..=Tail::MAX_AT_ONCE as usize).contains(&(batch.len() - before)));
            }
            other => return other,
        }
    }
}

#[test]
fn a_resync_has_the_messages_before_the_turn_and_the_queue_after_it() {
    let gate = Gate::new();
    let script = vec![Reply::text("1"), Reply::text("2"), Reply::new().say("3").wait(&gate)];
    World::new().life(script, async |host| {
        let first = host.submit("one").await;
        host.ends(first.turn).await;
        let second = host.adds(first.session, "two").await;
        host.ends(second.turn).await;
        let third = host.adds(first.session, "three").await;
        let (dropped, fourth) = (host.adds(first.session, "no").await, host.adds(first.session, "four").await);
        host.service.cancel(&ada(), dropped.turn).await.unwrap();
        until(&mut host.follow(third.turn, None).await, "part.delta").await;

        let so_far = ["one", "1", "two", "2", "three"];
        for (turn, number, before) in
            [(&first, 1, 0), (&second, 2, 2), (&third, 3, 4), (&dropped, 4, 5), (&fourth, 5, 5)]
        {
            let mut feed = host.follow(turn.turn, Some("9-9-9".parse().unwrap())).await;
            let Some(FeedItem::Resync(now)) = feed.next().await.unwrap() else { panic!("no resync of {number}") };
            let said: Vec<String> = now.messages.iter().map(Message::text).collect();
            assert_eq!(said, so_far[..before], "before turn {number}");
            let found = now.turn.unwrap();
            assert_eq!(
                (found.id, found.number, now.cursor.turn, now.cursor.seq),
                (turn.turn, number, number, found.view.seq)
            );
            assert_eq!(now.queue.iter().map(|turn| turn.id).collect::<Vec<_>>(), [fourth.turn]);
            assert_eq!(now.session.id, first.session);
        }
    });
}

#[test]
fn all_followers_of_a_turn_of_an_earlier_process_share_one_read_of_its_log() {
    let world = World::new();
    let turn = world.life(vec![Reply::text("Hello")], async |host| {
        let turn = host.submit("hi").await.turn;
        host.ends(turn).await;
        turn
    });
    world.life(vec![], async |host| {
        let mut feeds = Vec::new();
        for _ in 0..3 {
            feeds.push(host.follow(turn, None).await);
        }
        assert_eq!(host.store.count("log"), 1);
        let all = host.stored(turn).await;
        for feed in &mut feeds {
            assert_eq!(rest(feed).await, all);
        }
        drop(feeds);
        let read = host.store.count("log");
        host.events(turn).await;
        assert_eq!(host.store.count("log"), read + 1, "nobody keeps it");
    });
}

#[test]
fn the_turn_of_another_user_is_not_found() {
    World::new().life(vec![Reply::text("Hello")], async |host| {
        let turn = host.submit("hi").await.turn;
        host.ends(turn).await;
        for scope in [Scope::new("acme", "bob"), Scope::new("other", "ada")] {
            for turn in [turn, Default::default()] {
                let refused = host.service.follow(&scope, turn, FollowFrom::Start).await.err();
                assert_eq!(refused, Some(FollowError::Store(StoreError::NotFound)));
                assert_eq!(host.service.cancel(&scope, turn).await.err(), Some(StoreError::NotFound));
            }
        }
    });
}

#[test]
fn the_rest_of_a_turn_reaches_its_follower_after_the_store_had_failed() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().say("One").wait(&gate), Reply::text("Two")], async |host| {
        host.store.fails("checkpoint", 1, StoreError::Full("turnkit.db".to_owned()));
        let turn = host.submit("hi").await.turn;
        let mut feed = host.follow(turn, None).await;
        until(&mut feed, "part.delta").await;
        gate.open();
        let (mut view, mut resyncs, mut faults) = (TurnView::default(), 0, 0);
        loop {
            match feed.next().await {
                Ok(Some(FeedItem::Event(event))) => view.apply(&event),
                Ok(Some(FeedItem::Resync(snapshot))) => (view, resyncs) = (snapshot.turn.unwrap().view, resyncs + 1),
                Ok(Some(FeedItem::Pending(_) | FeedItem::Progress(_))) => {}
                Ok(None) => break,
                Err(_) => faults += 1,
            }
        }
        assert_eq!((faults, resyncs), (1, 1), "the fault is reported once, and lost events are retracted");
        assert_eq!(view, TurnView::of(&host.events(turn).await));
    });
}

#[test]
fn a_warm_session_reads_nothing_and_a_cold_one_reads_once() {
    let world = World::new();
    let session = world.life(vec![Reply::text("1"), Reply::text("2"), Reply::text("3")], async |host| {
        let first = host.submit("one").await;
        host.ends(first.turn).await;
        let second = host.adds(first.session, "two").await;
        let third = host.adds(first.session, "three").await;
        host.ends(second.turn).await;
        host.ends(third.turn).await;
        assert_eq!((host.store.count("load"), host.store.count("history")), (0, 0));
        assert_eq!(host.provider.calls()[2].transcript().len(), 5);
        first.session
    });
    world.life(vec![Reply::text("4"), Reply::text("5")], async |host| {
        for (text, reads) in [("four", 1), ("five", 1)] {
            let turn = host.adds(session, text).await.turn;
            host.ends(turn).await;
            assert_eq!((host.store.count("load"), host.store.count("history")), (0, reads), "{text}");
        }
        assert_eq!(host.provider.calls()[1].transcript().len(), 9);
    });
}

#[test]
fn the_log_of_a_turn_is_kept_for_a_day_and_its_messages_longer() {
    let world = World::new();
    let receipt = world.life(vec![Reply::text("Yes.")], async |host| {
        let receipt = host.submit("Well?").await;
        host.ends(receipt.turn).await;
        receipt
    });
    world.life(vec![], async |host| {
        host.clock.advance(std::time::Duration::from_secs(23 * 60 * 60));
        assert_eq!(host.service.delete_expired().await.unwrap(), 0);
        assert_eq!(host.stored(receipt.turn).await.len(), 7);
        host.clock.advance(std::time::Duration::from_secs(2 * 60 * 60));
        assert_eq!(host.service.delete_expired().await.unwrap(), 1);
        for from in [FollowFrom::Start, FollowFrom::After("1-1-2".parse().unwrap())] {
            let refused = host.service.follow(&ada(), receipt.turn, from).await.err();
            assert_eq!(refused, Some(FollowError::Expired));
        }
        assert_eq!(host.transcript(receipt.session).await, ["User: Well?", "Assistant: Yes."]);
    });
}

#[test]
fn a_turn_is_over_for_its_followers_once_its_end_is_stored() {
    let (world, gate) = (World::new(), Gate::new());
    world.life(vec![Reply::text("Hello")], async |host| {
        host.store.waits_before("checkpoint", 1, &gate);
        let turn = host.submit("hi").await.turn;
        let mut feed = host.follow(turn, None).await;
        gate.reached().await;
        let mut shown = Vec::new();
        while let Poll::Ready(item) = pin!(feed.next()).poll(&mut Context::from_waker(Waker::noop())) {
            let Some(FeedItem::Event(event)) = item.unwrap() else { panic!("the feed is over after {shown:?}") };
            shown.push(event);
        }
        let names: Vec<&str> = shown.iter().map(|event| event.kind.name()).collect();
        assert_eq!(names, ["turn.started", "step.started", "part.started", "part.delta", "part.ended"]);
        gate.open();
        assert_eq!(rest(&mut feed).await.last().unwrap().kind.name(), "turn.ended");
        assert_eq!(host.record(turn).await.state, TurnState::Ended(TurnStatus::Completed));
    });
}
