//! Tests of shutting down the service.

use std::time::Duration;

use turnkit_core::{AcceptError, SessionKey, StoreError, TurnState, TurnStatus};
use turnkit_testkit::{Gate, Reply};

use crate::support::{World, ada, request, rest, until};

#[test]
fn a_closed_service_refuses_new_turns_and_finishes_those_it_has() {
    let gate = Gate::new();
    World::new().life(
        vec![Reply::new().say("To the ").wait(&gate).say("end."), Reply::text("Me too.")],
        async |host| {
            let first = host.submit("hi").await;
            let second = host.adds(first.session, "and I?").await;
            gate.reached().await;
            host.service.close();
            let refused = host.service.accept(&ada(), request(SessionKey::New, "hello?")).await;
            assert!(matches!(refused, Err(AcceptError::Store(StoreError::Unavailable(_)))), "{refused:?}");
            assert!(!host.service.finish(Duration::ZERO).await);
            gate.open();
            assert!(host.service.finish(Duration::from_secs(5)).await);
            for turn in [first.turn, second.turn] {
                assert_eq!(host.ends(turn).await, TurnStatus::Completed);
            }
            assert!(host.service.drain(Duration::ZERO).await);
        },
    );
}

#[test]
fn followers_can_leave_before_unfinished_turns_are_left_for_the_next_start() {
    let (world, gate) = (World::new(), Gate::new());
    let turn = world.life(vec![Reply::new().say("Not ").wait(&gate)], async |host| {
        let turn = host.submit("hi").await.turn;
        let mut feed = host.follow(turn, None).await;
        until(&mut feed, "part.delta").await;
        assert!(!host.service.finish(Duration::from_millis(10)).await);
        assert_eq!(host.service.counts().running, 1, "it runs until the followers are gone");
        drop(feed);
        assert!(!host.service.drain(Duration::ZERO).await);
        assert_eq!((host.service.counts().running, host.record(turn).await.state), (0, TurnState::Running));
        turn
    });
    world.life(vec![Reply::text("Finished.")], async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        assert!(rest(&mut host.follow(turn, None).await).await.last().unwrap().kind.is_terminal());
    });
}
