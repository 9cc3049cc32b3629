//! Tests of a service's counters.

use turnkit_core::TurnStatus;
use turnkit_testkit::{Gate, Reply};

use crate::support::{Host, Setup, World, ada};

/// Returns the numbers of turns that are running, that wait for a slot, that were accepted, and that were resumed.
fn counts(host: &Host) -> [u64; 4] {
    let seen = host.service.counts();
    [seen.running, seen.waiting_for_slot, seen.accepted, seen.resumed]
}

fn ended(host: &Host) -> Vec<(TurnStatus, u64)> {
    host.service.counts().ended.into_iter().filter(|(_, turns)| *turns > 0).collect()
}

#[test]
fn turns_are_counted_as_they_come_and_go() {
    let (world, gate, other) = (World::new(), Gate::new(), Gate::new());
    let setup = |script| Setup::from(script).with(|setup| setup.slots = 1);
    world.life(setup(vec![Reply::new().wait(&gate).say("1"), Reply::new().wait(&other)]), async |host| {
        assert_eq!((counts(&host), ended(&host)), ([0, 0, 0, 0], vec![]));
        let first = host.submit("one").await;
        gate.reached().await;
        let queued = host.adds(first.session, "queued").await;
        host.submit("two").await;
        tokio::task::yield_now().await;
        assert_eq!((counts(&host), ended(&host)), ([1, 1, 3, 0], vec![]));
        host.service.cancel(&ada(), queued.turn).await.unwrap();
        gate.open();
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
        other.reached().await;
        assert_eq!(counts(&host), [1, 0, 3, 0]);
        assert_eq!(ended(&host), [(TurnStatus::Completed, 1), (TurnStatus::Cancelled, 1)]);
    });
    world.life(setup(vec![Reply::text("2")]), async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(1));
        assert!(host.service.finish(std::time::Duration::from_secs(5)).await);
        assert_eq!((counts(&host), ended(&host)), ([0, 0, 0, 1], vec![(TurnStatus::Completed, 1)]));
    });
}
