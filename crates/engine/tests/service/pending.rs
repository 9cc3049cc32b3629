//! Tests that followers are shown the waits of a turn and of its sub-agents' turns.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use rusqlite::Connection;
use serde_json::json;
use turnkit_core::{Cursor, Resolution, Role, TurnId, TurnState, Wait};
use turnkit_engine::permission::{Decision, Rule};
use turnkit_engine::{FeedItem, SessionFeed, SessionUpdate, TaskTool, TurnFeed};
use turnkit_testkit::tools::pay;
use turnkit_testkit::{Gate, Reply, ScriptedProvider};

use crate::support::{Host, Setup, World, ada, next, pass, until};

/// Sets up a process whose only agent may start itself and asks before it pays. Turns started by a user end once `gate`
/// is open.
fn family(world: &World, gate: &Gate) -> Setup {
    let ends = |text: &'static str| Reply::new().wait(gate).say(text);
    let task = |prompt: &str| Reply::new().call("task", json!({ "prompt": prompt }));
    let pays = |amount: u32| Reply::new().call("pay", json!({ "amount": amount }));
    let scripts = [
        ("plan", vec![task("count").call("pay", json!({ "amount": 1 })), ends("Planned.")]),
        ("count", vec![task("two payments"), Reply::text("Counted.")]),
        ("two payments", vec![pays(2), pays(3), Reply::text("Paid.")]),
        ("one payment", vec![pays(4), ends("Paid.")]),
        ("errand", vec![task("long").call("pay", json!({ "amount": 7 })), ends("Done.")]),
        ("long", vec![ends("Long.")]),
        ("both at once", vec![pays(5).call("pay", json!({ "amount": 6 })), ends("Paid.")]),
    ];
    let mut scripts: HashMap<String, VecDeque<Reply>> =
        scripts.into_iter().map(|(prompt, replies)| (prompt.to_owned(), replies.into())).collect();
    let provider = ScriptedProvider::answering(move |request, _| {
        let mut users = request.history.iter().filter(|entry| entry.message().role == Role::User);
        let prompt = users.next_back().map(|entry| entry.message().text()).unwrap_or_default();
        scripts.iter_mut().find(|(begins, _)| prompt.starts_with(begins.as_str()))?.1.pop_front()
    });
    Setup::from(provider)
        .tool(TaskTool::new([("assistant", "")]))
        .tool(pay(world.ledger()))
        .with(|setup| setup.settings.rules = vec![Rule::new("pay", Decision::Ask)])
}

/// Returns the next list of pending waits that the feed reports.
async fn pending(feed: &mut TurnFeed) -> Vec<Wait> {
    loop {
        match feed.next().await.unwrap() {
            Some(FeedItem::Pending(waits)) => return waits,
            Some(FeedItem::Event(_)) => {}
            other => panic!("{other:?}"),
        }
    }
}

/// Reads until `count` calls wait.
async fn pending_calls(feed: &mut TurnFeed, count: usize) -> Vec<Wait> {
    loop {
        let waits = pending(feed).await;
        if waits.len() == count {
            return waits;
        }
    }
}

/// Returns the next list of pending waits that the feed of a session reports.
async fn pending_in_session(feed: &mut SessionFeed) -> Vec<Wait> {
    loop {
        if let SessionUpdate::Pending { waits, .. } = feed.next(&mut Vec::new()).await.unwrap() {
            return waits;
        }
    }
}

fn amounts(waits: &[Wait]) -> Vec<&str> {
    waits.iter().map(|wait| wait.question.arguments.0.as_ref()).collect()
}

impl Host {
    async fn approves(&self, wait: &Wait) {
        self.service.resolve(&ada(), wait.id, Resolution::APPROVED).await.unwrap();
    }

    /// Returns the cursor of a follower that has read the turn's own requests.
    async fn place_after_requests(&self, turn: TurnId, requests: usize) -> Cursor {
        let mut feed = self.follow(turn, None).await;
        let mut seen = 0;
        loop {
            let (event, cursor) = next(&mut feed).await;
            seen += usize::from(event.kind.name() == "interaction.requested");
            if seen == requests {
                return cursor;
            }
        }
    }
}

#[test]
fn a_follower_gets_the_pending_waits_of_a_turn_and_its_sub_agents_at_each_change() {
    let (world, gate) = (World::new(), Gate::new());
    world.life(family(&world, &gate), async |host| {
        let plan = host.can_be_asked("plan").await;
        let mut feed = host.follow(plan.turn, None).await;
        let waits = pending_calls(&mut feed, 2).await;
        assert_eq!(amounts(&waits), [r#"{"amount":1}"#, r#"{"amount":2}"#], "its own call, and one two turns below");
        assert_eq!((waits[0].id.call.turn, waits[0].session), (plan.turn, plan.session));
        assert_ne!(waits[1].session, plan.session);
        host.approves(&waits[1]).await;
        let waits = loop {
            let waits = pending(&mut feed).await;
            if amounts(&waits).contains(&r#"{"amount":3}"#) {
                break waits;
            }
        };
        for wait in &waits {
            host.approves(wait).await;
        }
        assert_eq!(pending_calls(&mut feed, 0).await, [], "and when nothing is waited for");
        gate.open();
        until(&mut feed, "turn.ended").await;
        assert_eq!(feed.next().await.unwrap(), None);
    });
    assert_eq!(world.ledger().effects().unwrap().len(), 3);
}

#[test]
fn a_later_follower_gets_the_pending_waits_at_once_also_after_a_restart() {
    let (world, gate) = (World::new(), Gate::new());
    let (plan, cursor) = world.life(family(&world, &gate), async |host| {
        let plan = host.can_be_asked("plan").await;
        pending_calls(&mut host.follow(plan.turn, None).await, 2).await;
        let cursor = host.place_after_requests(plan.turn, 2).await;
        let mut late = host.follow(plan.turn, Some(cursor)).await;
        assert_eq!(amounts(&pending_calls(&mut late, 2).await), [r#"{"amount":1}"#, r#"{"amount":2}"#]);
        (plan, cursor)
    });
    world.life(family(&world, &gate), async |host| {
        let mut late = host.follow(plan.turn, Some(cursor)).await;
        assert_eq!(amounts(&pending_calls(&mut late, 2).await), [r#"{"amount":1}"#, r#"{"amount":2}"#]);
        let unknown = Cursor { seq: 10_000, ..cursor };
        let mut lost = host.follow(plan.turn, Some(unknown)).await;
        assert!(matches!(lost.next().await.unwrap(), Some(FeedItem::Resync(_))));
        assert_eq!(pending_calls(&mut lost, 2).await.len(), 2, "a snapshot does not say what is waited for");
    });
}

#[test]
fn a_follower_of_a_session_gets_the_pending_waits_of_its_turn() {
    let (world, gate) = (World::new(), Gate::new());
    world.life(family(&world, &gate), async |host| {
        let payment = host.can_be_asked("one payment").await;
        host.waits_for(payment.turn).await;
        let mut feed = host.service.follow_session(&ada(), payment.session, None).await.unwrap();
        let wait = loop {
            if let SessionUpdate::Pending { turn, waits } = feed.next(&mut Vec::new()).await.unwrap() {
                assert_eq!(turn, payment.turn);
                break waits.into_iter().next().unwrap();
            }
        };
        host.approves(&wait).await;
        loop {
            if let SessionUpdate::Pending { waits, .. } = feed.next(&mut Vec::new()).await.unwrap() {
                assert_eq!(waits, []);
                break;
            }
        }
    });
}

#[test]
fn followers_get_the_remaining_waits_as_soon_as_one_of_several_is_decided() {
    let (world, gate) = (World::new(), Gate::new());
    world.life(family(&world, &gate), async |host| {
        let both = host.can_be_asked("both at once").await;
        let mut feed = host.follow(both.turn, None).await;
        let waits = pending_calls(&mut feed, 2).await;
        let mut of_session = host.service.follow_session(&ada(), both.session, None).await.unwrap();
        assert_eq!(pending_in_session(&mut of_session).await, waits);

        host.approves(&waits[0]).await;
        assert_eq!(pending(&mut feed).await, waits[1..]);
        assert_eq!(pending_in_session(&mut of_session).await, waits[1..]);
        assert_eq!(host.record(both.turn).await.state, TurnState::Waiting);

        host.approves(&waits[1]).await;
        assert_eq!(pending(&mut feed).await, []);
        assert_eq!(pending_in_session(&mut of_session).await, []);
        gate.open();
        until(&mut feed, "turn.ended").await;
    });
    assert_eq!(world.ledger().effects().unwrap().len(), 2);
}

#[test]
fn followers_get_the_remaining_waits_as_soon_as_one_of_several_expires() {
    const TTL: Duration = Duration::from_secs(30);
    let (world, gate) = (World::new(), Gate::new());
    let setup = family(&world, &gate).with(|setup| setup.settings.approval_ttl = TTL);
    world.life(setup, async |host| {
        let both = host.can_be_asked("both at once").await;
        while host.record(both.turn).await.state != TurnState::Waiting {
            tokio::task::yield_now().await;
        }
        // The watch for expired waits has started. A feed that is not polled would keep its read of the waits open.
        while host.store.count("expire") == 0 || !host.store.is_idle() {
            tokio::task::yield_now().await;
        }
        let mut feed = host.follow(both.turn, None).await;
        let waits = pending_calls(&mut feed, 2).await;
        let postpone = "UPDATE waits SET expires_at = expires_at + 1000000 WHERE ordinal = 1";
        assert_eq!(Connection::open(world.database()).unwrap().execute(postpone, []), Ok(1));
        host.clock.advance(TTL);
        pass(TTL).await;
        let remaining = pending(&mut feed).await;
        assert_eq!(remaining.iter().map(|wait| wait.id).collect::<Vec<_>>(), [waits[1].id]);
        assert_eq!(host.record(both.turn).await.state, TurnState::Waiting);
    });
    assert_eq!(world.ledger().effects().unwrap().len(), 0);
}

#[test]
fn a_later_follower_gets_an_empty_list_if_every_question_in_its_events_is_decided() {
    let (world, gate) = (World::new(), Gate::new());
    world.life(family(&world, &gate), async |host| {
        let errand = host.can_be_asked("errand").await;
        let mut feed = host.follow(errand.turn, None).await;
        let waits = pending_calls(&mut feed, 1).await;
        host.approves(&waits[0]).await;
        assert_eq!(pending(&mut feed).await, []);
        assert_eq!(host.record(errand.turn).await.state, TurnState::Waiting, "for the sub-agent");
        let mut late = host.follow(errand.turn, None).await;
        assert_eq!(pending(&mut late).await, []);
        gate.open();
        until(&mut late, "turn.ended").await;
    });
    assert_eq!(world.ledger().effects().unwrap().len(), 1);
}
