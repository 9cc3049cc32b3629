//! Tests of following a session: all its turns in order, and its queue.

use std::task::{Context, Poll, Waker};

use turnkit_core::{
    Cursor, Message, ProviderErrorKind, Scope, SessionId, SessionKey, Snapshot, StoreError, TurnEvent, TurnStatus,
    TurnView,
};
use turnkit_engine::{SessionFeed, SessionUpdate};
use turnkit_testkit::{Gate, Reply};

use crate::support::{Host, World, ada, next, request, until};

/// An item in the feed of a session. Events are separate items.
#[derive(Debug, Clone, PartialEq)]
enum SeenItem {
    Event(Cursor, TurnEvent),
    Resync(Box<Snapshot>),
    /// The numbers of the waiting turns.
    Queue(Vec<u32>),
    Gone,
}

async fn follow(host: &Host, session: SessionId, cursor: Option<Cursor>) -> SessionFeed {
    host.service.follow_session(&ada(), session, cursor).await.unwrap()
}

/// Reads the next items, which may be several events.
async fn read_next(feed: &mut SessionFeed) -> Vec<SeenItem> {
    let mut batch = Vec::new();
    let update = feed.next(&mut batch).await.unwrap();
    to_items(update, batch)
}

fn to_items(update: SessionUpdate, batch: Vec<TurnEvent>) -> Vec<SeenItem> {
    match update {
        SessionUpdate::Events { number, .. } => {
            batch.into_iter().map(|event| SeenItem::Event(event.cursor(number), event)).collect()
        }
        SessionUpdate::Resync(snapshot) => vec![SeenItem::Resync(snapshot)],
        SessionUpdate::Queue(queue) => vec![SeenItem::Queue(queue.iter().map(|turn| turn.number).collect())],
        SessionUpdate::Pending { .. } | SessionUpdate::Progress { .. } => Vec::new(),
        SessionUpdate::Gone => vec![SeenItem::Gone],
    }
}

/// Reads until an item matches `last`, which must come.
async fn read_to(feed: &mut SessionFeed, last: impl Fn(&SeenItem) -> bool) -> Vec<SeenItem> {
    let mut items = Vec::new();
    while !items.last().is_some_and(&last) {
        items.extend(read_next(feed).await);
    }
    items
}

/// Matches the last event of turn `number`.
fn is_end_of(number: u32) -> impl Fn(&SeenItem) -> bool {
    move |item| matches!(item, SeenItem::Event(cursor, event) if cursor.turn == number && event.kind.is_terminal())
}

fn events(items: &[SeenItem]) -> Vec<(Cursor, TurnEvent)> {
    let event = |item: &SeenItem| match item {
        SeenItem::Event(cursor, event) => Some((*cursor, event.clone())),
        _ => None,
    };
    items.iter().filter_map(event).collect()
}

fn queues(items: &[SeenItem]) -> Vec<Vec<u32>> {
    let queue = |item: &SeenItem| match item {
        SeenItem::Queue(queue) => Some(queue.clone()),
        _ => None,
    };
    items.iter().filter_map(queue).collect()
}

/// Returns the snapshot at the start of a feed.
async fn snapshot(feed: &mut SessionFeed) -> Snapshot {
    match read_next(feed).await.remove(0) {
        SeenItem::Resync(snapshot) => *snapshot,
        other => panic!("it began with {other:?}"),
    }
}

/// Returns the next item if it needs no wait except for storage.
async fn next_available(host: &Host, feed: &mut SessionFeed) -> Option<SeenItem> {
    let mut batch = Vec::new();
    loop {
        let idle = host.store.is_idle();
        match feed.poll_next(&mut Context::from_waker(Waker::noop()), &mut batch) {
            Poll::Ready(update) => return Some(to_items(update.unwrap(), batch).remove(0)),
            Poll::Pending if idle && host.store.is_idle() => return None,
            Poll::Pending => tokio::task::yield_now().await,
        }
    }
}

fn texts(messages: &[Message]) -> Vec<String> {
    messages.iter().map(Message::text).collect()
}

#[test]
fn a_feed_begins_with_a_snapshot_and_continues_with_all_turns() {
    let gate = Gate::new();
    let script = vec![
        Reply::text("One"),
        Reply::new().say("Tw").say("o").wait(&gate).say("!"),
        Reply::text("Three"),
        Reply::text("Four"),
    ];
    World::new().life(script, async |host| {
        let first = host.submit("one").await;
        host.ends(first.turn).await;
        let second = host.adds(first.session, "two").await;
        let third = host.adds(first.session, "three").await;
        gate.reached().await;

        let mut feed = follow(&host, first.session, None).await;
        let begun = snapshot(&mut feed).await;
        assert_eq!(texts(&begun.messages), ["one", "One"]);
        let turn = begun.turn.unwrap();
        assert_eq!((turn.id, turn.number, turn.view.parts[0].text.as_str()), (second.turn, 2, "Two"));
        assert_eq!(begun.queue.iter().map(|turn| (turn.id, turn.number)).collect::<Vec<_>>(), [(third.turn, 3)]);
        assert_eq!((begun.session.turns, begun.cursor.turn, begun.cursor.seq), (3, 2, turn.view.seq));

        gate.open();
        let mut items = read_to(&mut feed, is_end_of(3)).await;
        let fourth = host.adds(first.session, "four").await;
        items.extend(read_to(&mut feed, is_end_of(4)).await);
        let mut expected = Vec::new();
        for (number, turn) in [(2, second), (3, third), (4, fourth)] {
            expected.extend(host.events(turn.turn).await.into_iter().map(|event| (event.cursor(number), event)));
        }
        expected.drain(..turn.view.seq as usize);
        assert_eq!(events(&items), expected);
        assert_eq!(queues(&items), [Vec::<u32>::new()], "the third began");
    });
}

#[test]
fn a_follower_that_comes_back_reads_on_exactly_where_it_was_over_turns_and_restarts() {
    let world = World::new();
    let (session, all) =
        world.life(vec![Reply::text("One two"), Reply::text("Three"), Reply::text("4")], async |host| {
            let first = host.submit("one").await;
            let mut feed = follow(&host, first.session, Some("0-1-0".parse().unwrap())).await;
            let mut items = read_to(&mut feed, is_end_of(1)).await;
            for number in 2..=3 {
                host.adds(first.session, "more").await;
                items.extend(read_to(&mut feed, is_end_of(number)).await);
            }
            let all = events(&items);
            assert_eq!(all[0].0.to_string(), "1-1-1");
            all_cuts(&host, first.session, &all).await;
            (first.session, all)
        });
    world.life(vec![], async |host| all_cuts(&host, session, &all).await);
}

/// Checks that a follower that has seen the first events gets exactly the others, and then waits.
async fn all_cuts(host: &Host, session: SessionId, all: &[(Cursor, TurnEvent)]) {
    for cut in 1..=all.len() {
        let mut feed = follow(host, session, Some(all[cut - 1].0)).await;
        let mut items = vec![read_next(&mut feed).await.remove(0)];
        assert_eq!(items, [SeenItem::Queue(vec![])], "cut after {cut}");
        if cut < all.len() {
            items = read_to(&mut feed, is_end_of(3)).await;
        }
        assert_eq!(events(&items), all[cut..], "cut after {cut}");
    }
}

#[test]
fn an_unknown_cursor_gets_a_snapshot_of_the_session() {
    World::new().life(vec![Reply::text("One"), Reply::text("Two")], async |host| {
        let first = host.submit("one").await;
        host.ends(first.turn).await;
        let second = host.adds(first.session, "two").await;
        host.ends(second.turn).await;
        for unknown in ["9-1-2", "1-1-99", "1-3-1", "1-0-1", "0-4-0", "0-0-0"] {
            let mut feed = follow(&host, first.session, Some(unknown.parse().unwrap())).await;
            let now = snapshot(&mut feed).await;
            let turn = now.turn.unwrap();
            assert_eq!((turn.id, turn.view.status), (second.turn, Some(TurnStatus::Completed)), "{unknown}");
            assert_eq!(texts(&now.messages), ["one", "One"]);
            assert_eq!(next_available(&host, &mut feed).await, None, "{unknown}: the queue is known already");
        }
    });
}

#[test]
fn the_queue_is_sent_first_and_at_each_change() {
    let gate = Gate::new();
    let script = vec![Reply::new().wait(&gate).say("One"), Reply::text("Three")];
    World::new().life(script, async |host| {
        let first = host.submit("one").await;
        let start = "0-1-0".parse().unwrap();
        let mut feed = follow(&host, first.session, Some(start)).await;
        let mut items = read_to(&mut feed, |item| matches!(item, SeenItem::Event(..))).await;
        assert_eq!(queues(&items), [Vec::<u32>::new()]);
        let second = host.adds(first.session, "two").await;
        items.extend(read_to(&mut feed, |item| *item == SeenItem::Queue(vec![2])).await);
        host.adds(first.session, "three").await;
        items.extend(read_to(&mut feed, |item| *item == SeenItem::Queue(vec![2, 3])).await);
        host.service.cancel(&ada(), second.turn).await.unwrap();
        items.extend(read_to(&mut feed, |item| *item == SeenItem::Queue(vec![3])).await);
        assert_eq!(next_available(&host, &mut feed).await, None, "nothing changed");
        gate.open();
        items.extend(read_to(&mut feed, is_end_of(3)).await);
        assert_eq!(queues(&items), [vec![], vec![2], vec![2, 3], vec![3], vec![]]);
        let order: Vec<_> = events(&items).iter().map(|(cursor, _)| (cursor.turn, cursor.seq)).collect();
        assert!(order.is_sorted() && order.contains(&(2, 2)), "the one that was dropped has its place: {order:?}");
    });
}

#[test]
fn the_queue_is_read_only_if_its_turns_have_changed() {
    let gates = [Gate::new(), Gate::new()];
    let script = vec![Reply::new().wait(&gates[0]).say("One"), Reply::new().wait(&gates[1]).say("Two")];
    World::new().life(script, async |host| {
        let first = host.submit("one").await;
        let mut feed = follow(&host, first.session, Some("0-1-0".parse().unwrap())).await;
        assert_eq!(read_next(&mut feed).await, [SeenItem::Queue(vec![])]);
        gates[0].open();
        read_to(&mut feed, is_end_of(1)).await;
        host.adds(first.session, "two").await;
        read_to(&mut feed, |item| matches!(item, SeenItem::Event(..))).await;
        assert_eq!(next_available(&host, &mut feed).await, None);
        assert_eq!(host.store.count("queue"), 1, "turns began and ended, and none waited");
        host.adds(first.session, "three").await;
        read_to(&mut feed, |item| *item == SeenItem::Queue(vec![3])).await;
        assert_eq!(host.store.count("queue"), 2);
    });
}

#[test]
fn turns_that_begin_and_end_between_two_reads_are_sent_in_their_order() {
    const TURNS: u32 = 12;
    World::new().life((0..TURNS).map(|_| Reply::text("Yes, yes.")).collect::<Vec<_>>(), async |host| {
        let first = host.submit("one").await;
        let mut feed = follow(&host, first.session, None).await;
        snapshot(&mut feed).await;
        for number in 2..=TURNS {
            let turn = host.adds(first.session, "more").await.turn;
            if number % 3 == 0 {
                host.ends(turn).await; // otherwise the next turn would queue behind it
            }
        }
        let items = read_to(&mut feed, is_end_of(TURNS)).await;
        let seen = events(&items);
        let seqs_of = |number: u32| seen.iter().filter(move |(at, _)| at.turn == number).map(|(at, _)| at.seq);
        assert!(seen.is_sorted_by_key(|(cursor, _)| (cursor.turn, cursor.seq)), "they do not interleave");
        for number in 2..=TURNS {
            let seqs: Vec<u32> = seqs_of(number).collect();
            assert_eq!(seqs, (1..=seqs.len() as u32).collect::<Vec<_>>(), "turn {number} is whole");
        }
    });
}

#[test]
fn a_turn_that_waits_is_not_overtaken_by_a_later_one_that_was_dropped() {
    let gate = Gate::new();
    let script = vec![Reply::new().wait(&gate).say("One"), Reply::text("Three")];
    World::new().life(script, async |host| {
        let first = host.submit("one").await;
        let second = host.adds(first.session, "two").await;
        host.adds(first.session, "three").await;
        let fourth = host.adds(first.session, "four").await;
        for dropped in [second, fourth] {
            host.service.cancel(&ada(), dropped.turn).await.unwrap();
        }
        // The first turn lies before the follower's cursor.
        let mut feed = follow(&host, first.session, Some("0-2-2".parse().unwrap())).await;
        assert_eq!(read_next(&mut feed).await, [SeenItem::Queue(vec![3])]);
        assert_eq!(next_available(&host, &mut feed).await, None);
        gate.open();
        let items = read_to(&mut feed, is_end_of(4)).await;
        let order: Vec<_> = events(&items).iter().map(|(cursor, _)| (cursor.turn, cursor.seq)).collect();
        assert!(order.is_sorted() && order[0] == (3, 1), "{order:?}");
    });
}

#[test]
fn a_session_without_turns_is_followed_from_its_first_one() {
    World::new().life(vec![Reply::text("One"), Reply::text("Two")], async |host| {
        let session = host.empty_session().await;
        let mut feed = follow(&host, session, None).await;
        let begun = snapshot(&mut feed).await;
        assert_eq!((begun.turn, begun.messages, begun.cursor.to_string()), (None, vec![], "0-1-0".to_owned()));
        let turn = host.adds(session, "one").await.turn;
        let items = read_to(&mut feed, is_end_of(1)).await;
        let mut again = follow(&host, session, Some(begun.cursor)).await;
        let exactly = read_to(&mut again, is_end_of(1)).await;
        assert_eq!(events(&items), events(&exactly));
        assert_eq!(events(&items).len(), host.events(turn).await.len());
    });
}

#[test]
fn events_that_a_dead_process_showed_but_did_not_store_are_replaced_by_a_snapshot() {
    let (world, gate) = (World::new(), Gate::new());
    let (session, shown) = world.life(vec![Reply::new().say("Never ").say("stored").wait(&gate)], async |host| {
        let receipt = host.submit("hi").await;
        let mut feed = host.follow(receipt.turn, None).await;
        until(&mut feed, "part.delta").await;
        (receipt.session, next(&mut feed).await.1)
    });
    let gate = Gate::new();
    world.life(vec![Reply::new().wait(&gate).say("Stored"), Reply::text("More")], async |host| {
        let mut early = follow(&host, session, Some("1-1-1".parse().unwrap())).await;
        let mut late = follow(&host, session, Some(shown)).await;
        let unsure = snapshot(&mut late).await;
        assert_eq!((unsure.turn.unwrap().view.seq, texts(&unsure.messages)), (1, vec![]));
        host.service.resume_unfinished().await.unwrap();
        host.adds(session, "and?").await;
        gate.reached().await;
        gate.open();
        let items = [read_to(&mut early, is_end_of(2)).await, read_to(&mut late, is_end_of(2)).await];
        assert_eq!(events(&items[0]), events(&items[1]));
        assert_eq!(events(&items[0])[0].1.kind.name(), "retracted");
    });
}

#[test]
fn a_resumed_turn_that_lost_events_is_sent_as_a_snapshot() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().say("One").wait(&gate), Reply::text("Two")], async |host| {
        host.store.fails("checkpoint", 1, StoreError::Full("turnkit.db".to_owned()));
        let receipt = host.submit("hi").await;
        let mut feed = follow(&host, receipt.session, Some("0-1-0".parse().unwrap())).await;
        read_to(&mut feed, |item| matches!(item, SeenItem::Event(_, event) if event.kind.name() == "part.delta")).await;
        gate.open();
        let (mut view, mut faults, mut resyncs) = (TurnView::default(), 0, 0);
        while view.status.is_none() {
            let mut batch = Vec::new();
            match feed.next(&mut batch).await {
                Ok(SessionUpdate::Resync(snapshot)) => (view, resyncs) = (snapshot.turn.unwrap().view, resyncs + 1),
                Ok(_) => batch.iter().for_each(|event| view.apply(event)),
                Err(_) => faults += 1,
            }
        }
        assert_eq!((faults, resyncs), (1, 1));
        assert_eq!(view, TurnView::of(&host.events(receipt.turn).await));
    });
}

#[test]
fn a_storage_failure_is_reported_and_the_missed_events_follow() {
    World::new().life(vec![Reply::text("One"), Reply::text("Two")], async |host| {
        let first = host.submit("one").await;
        host.ends(first.turn).await;
        let mut feed = follow(&host, first.session, None).await;
        snapshot(&mut feed).await;
        assert_eq!(next_available(&host, &mut feed).await, None);
        let looks = host.store.count("unfinished_turns");
        host.store.fails("unfinished_turns", looks + 1, StoreError::Unavailable("it is busy".to_owned()));
        host.adds(first.session, "two").await;
        assert!(feed.next(&mut Vec::new()).await.is_err());
        assert_eq!(events(&read_to(&mut feed, is_end_of(2)).await)[0].1.seq, 1);
    });
}

#[test]
fn the_last_turn_of_a_session_is_shown_from_its_messages_once_its_log_is_gone() {
    let world = World::new();
    let reply = Reply::new().say("One").fail(ProviderErrorKind::Network);
    let (session, last, shown) = world.life(vec![reply], async |host| {
        let receipt = host.submit("one").await;
        host.ends(receipt.turn).await;
        let mut feed = follow(&host, receipt.session, None).await;
        let begun = snapshot(&mut feed).await;
        (receipt.session, begun.cursor, begun.turn.unwrap())
    });
    world.life(vec![Reply::text("Two"), Reply::text("Three")], async |host| {
        host.clock.advance(std::time::Duration::from_secs(25 * 60 * 60));
        assert_eq!(host.service.delete_expired().await.unwrap(), 1);
        for cursor in [None, Some(last)] {
            let mut feed = follow(&host, session, cursor).await;
            let begun = snapshot(&mut feed).await;
            assert_eq!(begun.messages, []);
            let turn = begun.turn.unwrap();
            assert_eq!((turn.id, turn.number, turn.view.status), (shown.id, 1, Some(TurnStatus::Failed)));
            let text = |view: &TurnView| view.parts.iter().map(|part| part.text.clone()).collect::<String>();
            assert_eq!((text(&turn.view), &turn.view.input), (text(&shown.view), &shown.view.input));
            let why = |view: &TurnView| view.remarks.iter().map(|remark| remark.code.clone()).collect::<Vec<_>>();
            assert_eq!((why(&turn.view), why(&shown.view)), (vec!["provider_network".to_owned()], why(&turn.view)));
            assert_eq!(begun.cursor.to_string(), "0-2-0");
        }
        let after = "0-2-0".parse().unwrap();
        let mut feed = follow(&host, session, Some(after)).await;
        host.adds(session, "two").await;
        let items = read_to(&mut feed, is_end_of(2)).await;
        assert_eq!(events(&items)[0].0.to_string(), "1-2-1");
        let mut again = follow(&host, session, Some(after)).await;
        assert_eq!(events(&read_to(&mut again, is_end_of(2)).await), events(&items));
    });
}

#[test]
fn a_follower_that_slept_until_the_next_turn_was_deleted_gets_a_snapshot() {
    World::new().life(vec![Reply::text("One"), Reply::text("Two"), Reply::text("Three")], async |host| {
        let first = host.submit("one").await;
        host.ends(first.turn).await;
        let mut feed = follow(&host, first.session, None).await;
        snapshot(&mut feed).await;
        let second = host.adds(first.session, "two").await;
        host.ends(second.turn).await;
        host.clock.advance(std::time::Duration::from_secs(25 * 60 * 60));
        host.ends(host.submit("elsewhere").await.turn).await; // the broker drops ended turns when new ones start
        host.service.delete_expired().await.unwrap();
        let items = read_to(&mut feed, |item| matches!(item, SeenItem::Resync(_))).await;
        let Some(SeenItem::Resync(now)) = items.last() else { panic!("no snapshot: {items:?}") };
        assert_eq!(texts(&now.messages), ["one", "One"]);
        assert_eq!(now.turn.as_ref().map(|turn| turn.id), Some(second.turn));
        assert_eq!(next_available(&host, &mut feed).await, None);
    });
}

#[test]
fn followers_of_a_deleted_session_see_its_deletion() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().say("Half ").wait(&gate), Reply::text("Yes.")], async |host| {
        let first = host.submit("one").await;
        let mut running = follow(&host, first.session, None).await;
        gate.reached().await;
        let other = host.submit("other").await;
        host.ends(other.turn).await;
        let mut idle = follow(&host, other.session, None).await;
        snapshot(&mut idle).await;
        for session in [first.session, other.session] {
            host.service.delete_session(&ada(), session).await.unwrap();
        }
        let items = read_to(&mut running, |item| *item == SeenItem::Gone).await;
        assert!(items.iter().any(is_end_of(1)), "its turn was cancelled first");
        for feed in [&mut running, &mut idle] {
            assert_eq!(read_next(feed).await, [SeenItem::Gone]);
        }
        let again = host.service.follow_session(&ada(), first.session, None).await;
        assert_eq!(again.err(), Some(StoreError::NotFound));
    });
}

#[test]
fn a_session_of_one_turn_alone_is_gone_for_its_followers_once_it_is_deleted() {
    World::new().life(vec![Reply::text("One")], async |host| {
        let alone = request(SessionKey::Ephemeral(Vec::new()), "one");
        let receipt = host.service.accept(&ada(), alone).await.unwrap();
        host.ends(receipt.turn).await;
        let mut feed = follow(&host, receipt.session, None).await;
        snapshot(&mut feed).await;
        assert_eq!(next_available(&host, &mut feed).await, None);
        host.clock.advance(std::time::Duration::from_secs(25 * 60 * 60));
        host.service.delete_expired().await.unwrap();
        assert_eq!(next_available(&host, &mut feed).await, Some(SeenItem::Gone));
    });
}

#[test]
fn the_session_of_another_user_is_not_found() {
    World::new().life(vec![Reply::text("One")], async |host| {
        let receipt = host.submit("one").await;
        host.ends(receipt.turn).await;
        for scope in [Scope::new("acme", "bob"), Scope::new("other", "ada")] {
            for session in [receipt.session, SessionId::default()] {
                for cursor in [None, Some("1-1-1".parse().unwrap()), Some("0-1-0".parse().unwrap())] {
                    let refused = host.service.follow_session(&scope, session, cursor).await;
                    assert_eq!(refused.err(), Some(StoreError::NotFound), "{cursor:?}");
                }
            }
        }
    });
}

#[test]
fn a_follower_of_a_session_at_rest_costs_nothing() {
    World::new().life(vec![Reply::text("One")], async |host| {
        let receipt = host.submit("one").await;
        host.ends(receipt.turn).await;
        let mut feed = follow(&host, receipt.session, None).await;
        snapshot(&mut feed).await;
        assert_eq!(next_available(&host, &mut feed).await, None);
        let reads = ["unfinished_turns", "queue", "turn_after", "state"].map(|method| host.store.count(method));
        for _ in 0..10 {
            let mut context = Context::from_waker(Waker::noop());
            assert!(matches!(feed.poll_next(&mut context, &mut Vec::new()), Poll::Pending));
        }
        assert_eq!(["unfinished_turns", "queue", "turn_after", "state"].map(|method| host.store.count(method)), reads);
    });
}
