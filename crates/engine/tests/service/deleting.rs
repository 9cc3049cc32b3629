//! Tests of deleting a session in every state.

use std::time::Duration;

use turnkit_core::{ConflictKind, Scope, StoreError};
use turnkit_testkit::{Gate, Reply};

use crate::support::{World, ada, next, outline, pass, rest, until};

#[test]
fn running_and_waiting_turns_are_cancelled_first_and_their_followers_see_the_end() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().say("Half ").wait(&gate)], async |host| {
        let first = host.submit("one").await;
        let others = [host.adds(first.session, "two").await, host.adds(first.session, "three").await];
        let mut running = host.follow(first.turn, None).await;
        until(&mut running, "part.delta").await;
        let mut waiting = Vec::new();
        for other in &others {
            let mut feed = host.follow(other.turn, None).await;
            next(&mut feed).await;
            waiting.push(feed);
        }
        host.service.delete_session(&ada(), first.session).await.unwrap();
        assert_eq!(outline(&rest(&mut running).await).last().unwrap(), "turn.ended cancelled");
        for feed in &mut waiting {
            assert_eq!(outline(&rest(feed).await), ["turn.ended cancelled"]);
        }
        assert_eq!((host.provider.open_calls(), host.provider.calls().len()), (0, 1));
        assert_eq!(host.service.delete_session(&ada(), first.session).await, Err(StoreError::NotFound));
        for turn in [first.turn, others[0].turn] {
            assert_eq!(host.service.cancel(&ada(), turn).await, Err(StoreError::NotFound));
        }
    });
}

#[test]
fn a_follower_of_a_turn_queued_before_the_restart_sees_its_deletion() {
    let (world, gate, looks) = (World::new(), Gate::new(), Gate::new());
    let (first, second) = world.life(vec![Reply::new().hang()], async |host| {
        let first = host.submit("one").await;
        (first.clone(), host.adds(first.session, "two").await)
    });
    world.life(vec![Reply::new().wait(&gate)], async |host| {
        host.service.resume_unfinished().await.unwrap();
        gate.reached().await;
        let mut feed = host.follow(second.turn, None).await;
        next(&mut feed).await;
        // The first lookup finds the turn waiting. Before the next one, the turn is cancelled and deleted.
        let looked = host.store.count("turn");
        host.store.waits_before("turn", looked + 3, &looks);
        let scope = ada();
        let deleting = async {
            while host.store.count("turn") == looked {
                tokio::task::yield_now().await;
            }
            host.service.delete_session(&scope, first.session).await.unwrap();
            looks.open();
        };
        let (told, ()) = tokio::join!(feed.next(), deleting);
        assert_eq!(told, Ok(None));
        assert_eq!(feed.next().await, Ok(None));
    });
}

#[test]
fn waiting_turns_are_cancelled_concurrently_and_no_messages_are_read() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().wait(&gate)], async |host| {
        let first = host.submit("one").await;
        gate.reached().await;
        for text in ["two", "three", "four"] {
            host.adds(first.session, text).await;
        }
        let before = host.store.counts();
        let committed = Gate::new();
        host.store.waits_after("request_stop", 1, &committed);
        let scope = ada();
        let meanwhile = async {
            committed.reached().await;
            while host.store.count("request_stop") < 3 {
                tokio::task::yield_now().await;
            }
            committed.open();
        };
        let (deleted, ()) = tokio::join!(host.service.delete_session(&scope, first.session), meanwhile);
        assert_eq!(deleted, Ok(()));
        for method in ["state", "queue", "turn"] {
            assert_eq!(host.store.counts().get(method), before.get(method), "{method}");
        }
    });
}

#[test]
fn a_turn_that_was_accepted_in_between_is_cancelled_too() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().wait(&gate), Reply::new().wait(&gate)], async |host| {
        let first = host.submit("one").await;
        gate.reached().await;
        // The lookup of the session's turns finds one. A second turn is accepted afterwards.
        let looked = Gate::new();
        host.store.waits_after("unfinished_turns", 1, &looked);
        let scope = ada();
        let deleting = host.service.delete_session(&scope, first.session);
        let meanwhile = async {
            looked.reached().await;
            let second = host.adds(first.session, "two").await;
            looked.open();
            second
        };
        let (deleted, second) = tokio::join!(deleting, meanwhile);
        assert_eq!((deleted, second.queued), (Ok(()), true));
        assert_eq!(host.service.cancel(&ada(), second.turn).await, Err(StoreError::NotFound));
    });
}

#[test]
fn a_turn_that_does_not_end_keeps_its_session_and_the_caller_gets_an_error() {
    let (gate, written) = (Gate::new(), Gate::new());
    World::new().life(vec![Reply::new().wait(&gate)], async |host| {
        let first = host.submit("one").await;
        gate.reached().await;
        host.store.waits_before("checkpoint", 1, &written);
        let scope = ada();
        let deleting = host.service.delete_session(&scope, first.session);
        let time = async {
            written.reached().await;
            pass(Duration::from_secs(11)).await;
        };
        let (deleted, ()) = tokio::join!(deleting, time);
        assert_eq!(deleted, Err(StoreError::Conflict(ConflictKind::SessionBusy)));
        written.open();
        host.ends(first.turn).await;
        assert_eq!(host.service.delete_session(&ada(), first.session).await, Ok(()));
    });
}

#[test]
fn a_session_at_rest_is_deleted_at_once_and_only_by_its_owner() {
    World::new().life(vec![Reply::text("Yes.")], async |host| {
        let receipt = host.submit("hi").await;
        host.ends(receipt.turn).await;
        for other in [Scope::new("acme", "bob"), Scope::new("other", "ada")] {
            assert_eq!(host.service.delete_session(&other, receipt.session).await, Err(StoreError::NotFound));
        }
        assert_eq!(host.transcript(receipt.session).await.len(), 2);
        assert_eq!(host.service.delete_session(&ada(), receipt.session).await, Ok(()));
        assert_eq!((host.store.count("delete"), host.store.count("unfinished_turns")), (3, 0));
    });
}

#[test]
fn a_session_is_deleted_even_if_the_client_hangs_up() {
    let gate = Gate::new();
    World::new().life(vec![Reply::new().wait(&gate)], async |host| {
        let first = host.submit("one").await;
        gate.reached().await;
        let asked = Gate::new();
        host.store.waits_before("request_stop", 1, &asked);
        let mut feed = host.service.follow_session(&ada(), first.session, None).await.unwrap();
        {
            let scope = ada();
            tokio::select! {
                biased;
                () = asked.reached() => {}
                _ = host.service.delete_session(&scope, first.session) => panic!("it did not wait"),
            }
        }
        asked.open();
        while feed.next(&mut Vec::new()).await.unwrap() != turnkit_engine::SessionUpdate::Gone {}
        assert_eq!(host.service.delete_session(&ada(), first.session).await, Err(StoreError::NotFound));
    });
}
