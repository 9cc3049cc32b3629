//! Several workers on one store: leases that expire by the store's clock, and the assignment of turns to workers.

use std::time::Duration;

use futures_util::future::join;
use turnkit_core::ports::{SessionStore as _, TurnPage, TurnStore as _, WorkerStore as _};
use turnkit_core::{
    ClaimedTurn, Deaths, Fence, Lease, Release, SessionKey, StopReason, StoreError, Sweep, SweepOutcome, Timestamp,
    TurnId, TurnState, WorkerId,
};

use super::fixture::Error;
use super::{Backend, Fixture, Outcome, running};

/// The length of a lease.
const LEASE: Duration = Duration::from_secs(15);
/// A time longer than half a lease.
const MAX_OF_A_LEASE: Duration = Duration::from_secs(9);

async fn worker<B: Backend>(fixture: &Fixture<B>, name: &str) -> Result<Sweep, Error> {
    let worker = WorkerId(name.into());
    assert_eq!(fixture.store().register(&worker).await?, Lease::Timed(LEASE));
    Ok(Sweep::new(worker))
}

/// Starts a turn that `worker` owns.
async fn start<B: Backend>(fixture: &Fixture<B>, worker: &Sweep, text: &str) -> Result<ClaimedTurn, Error> {
    let mut accept = fixture.says(SessionKey::New, text);
    accept.worker = worker.worker().clone();
    running(fixture.store().accept(&fixture.scope(), accept).await?)
}

/// Lets the leases of all workers except `living` expire.
async fn outlive<B: Backend>(fixture: &Fixture<B>, living: &Sweep) -> Outcome {
    for _ in 0..2 {
        fixture.pass(MAX_OF_A_LEASE);
        fixture.store().renew(living.worker()).await?;
    }
    Ok(())
}

fn turns(claimed: &[ClaimedTurn]) -> Vec<TurnId> {
    claimed.iter().map(|claimed| claimed.claim.turn()).collect()
}

/// A live worker keeps its turns, however long they take.
pub async fn a_worker_that_renews_keeps_its_turns<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::shared(LEASE).await?;
    let (one, two) = (worker(&fixture, "one").await?, worker(&fixture, "two").await?);
    let claim = start(&fixture, &one, "hello").await?.claim;
    for _ in 0..4 {
        fixture.pass(MAX_OF_A_LEASE);
        for worker in [&one, &two] {
            assert_eq!(fixture.store().renew(worker.worker()).await?, Lease::Timed(LEASE));
        }
        assert_eq!(fixture.store().sweep(&two).await?, SweepOutcome::default());
        assert!(fixture.claim_oldest(&two, usize::MAX).await?.is_empty());
        assert!(fixture.store().claim(&two, claim.turn(), fixture.now()).await?.is_none());
    }
    fixture.end(&claim, "done").await?;
    Ok(())
}

/// The new owner has a new fence, and the death of the worker counts against the turn.
pub async fn turns_of_a_worker_whose_lease_is_over_go_to_another<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::shared(LEASE).await?;
    let (one, two) = (worker(&fixture, "one").await?, worker(&fixture, "two").await?);
    let lost = start(&fixture, &one, "hello").await?.claim;
    outlive(&fixture, &two).await?;
    assert!(fixture.claim_oldest(&two, usize::MAX).await?.is_empty(), "no sweep has run yet");
    fixture.store().sweep(&two).await?;

    let owner = fixture.claim_oldest(&two, usize::MAX).await?.pop().ok_or("not claimed")?;
    assert_eq!((owner.claim.turn(), owner.claim.fence(), owner.claim.worker()), (lost.turn(), Fence(2), two.worker()));
    assert_eq!((owner.attempts, owner.deaths), (2, Deaths { count: 1, blame: Deaths::WHOLE }));
    fixture.end(&owner.claim, "done").await?;
    assert_eq!(fixture.said_in(lost.turn()).await?, ["hello", "done"]);
    Ok(())
}

/// A worker whose lease was ended by a sweep can neither write, nor claim, nor accept a turn. It does not matter
/// whether its old turn has a new owner.
pub async fn a_worker_that_wakes_after_its_lease_writes_nothing<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::shared(LEASE).await?;
    let (sleeper, two) = (worker(&fixture, "sleeper").await?, worker(&fixture, "two").await?);
    let stale = start(&fixture, &sleeper, "hello").await?.claim;
    outlive(&fixture, &two).await?;
    fixture.store().sweep(&two).await?;
    let mut owner = None;
    for has_owner in [false, true] {
        if has_owner {
            owner = fixture.store().claim(&two, stale.turn(), fixture.now()).await?;
        }
        for checkpoint in [fixture.boundary(&stale, 2, "late")?, fixture.last(&stale, "late")?] {
            assert_eq!(fixture.store().checkpoint(&stale, checkpoint).await.err(), Some(StoreError::Fenced));
        }
        assert_eq!(fixture.store().load(&stale).await.err(), Some(StoreError::Fenced));
        assert_eq!(fixture.store().history(&stale).await.err(), Some(StoreError::Fenced));
        assert_eq!(fixture.store().renew(sleeper.worker()).await.err(), Some(StoreError::Fenced));
        assert_eq!(fixture.store().sweep(&sleeper).await.err(), Some(StoreError::Fenced));
        let claimed = fixture.store().claim_oldest(&sleeper, usize::MAX, fixture.now()).await;
        assert_eq!(claimed.err(), Some(StoreError::Fenced));
        let claimed = fixture.store().claim(&sleeper, stale.turn(), fixture.now()).await;
        assert_eq!(claimed.err(), Some(StoreError::Fenced));
    }
    assert_eq!(fixture.store().release(&stale, Release::Unsaved).await.err(), Some(StoreError::Fenced));
    let mut accept = fixture.says(SessionKey::New, "afresh");
    accept.worker = sleeper.worker().clone();
    assert_eq!(fixture.store().accept(&fixture.scope(), accept).await.err(), Some(StoreError::Fenced));
    assert_eq!(fixture.said_in(stale.turn()).await?, ["hello"]);
    fixture.end(&owner.ok_or("not claimed")?.claim, "done").await?;
    Ok(())
}

/// A late worker keeps its turns unless a sweep comes first.
pub async fn a_lease_that_is_over_can_be_renewed_until_a_sweep_ends_it<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::shared(LEASE).await?;
    let (late, two) = (worker(&fixture, "late").await?, worker(&fixture, "two").await?);
    let claim = start(&fixture, &late, "hello").await?.claim;
    outlive(&fixture, &two).await?;
    fixture.store().checkpoint(&claim, fixture.boundary(&claim, 2, "so far")?).await?;
    assert_eq!(fixture.store().renew(late.worker()).await?, Lease::Timed(LEASE));
    fixture.store().sweep(&two).await?;
    assert!(fixture.claim_oldest(&two, usize::MAX).await?.is_empty());
    assert_eq!(fixture.state(claim.turn()).await?, TurnState::Running);
    Ok(())
}

/// Only a worker whose own lease has been unbroken for one lease length may end the leases of others.
pub async fn a_failure_that_ends_all_leases_takes_no_turns_from_the_living<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::shared(LEASE).await?;
    let (one, two) = (worker(&fixture, "one").await?, worker(&fixture, "two").await?);
    let claim = start(&fixture, &one, "hello").await?.claim;
    fixture.pass(4 * LEASE);
    let new = worker(&fixture, "new").await?;
    fixture.store().renew(two.worker()).await?;
    for sweeper in [&two, &new] {
        fixture.store().sweep(sweeper).await?;
        assert!(fixture.claim_oldest(sweeper, usize::MAX).await?.is_empty());
    }
    fixture.store().renew(one.worker()).await?;
    fixture.store().checkpoint(&claim, fixture.boundary(&claim, 2, "so far")?).await?;

    outlive(&fixture, &new).await?;
    fixture.store().sweep(&new).await?;
    assert_eq!(turns(&fixture.claim_oldest(&new, usize::MAX).await?), [claim.turn()]);
    Ok(())
}

/// The clocks of processes may differ by years. Leases expire by the store's clock alone.
pub async fn no_time_of_a_worker_ends_a_lease<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::shared(LEASE).await?;
    let (one, two) = (worker(&fixture, "one").await?, worker(&fixture, "two").await?);
    let mut accept = fixture.says(SessionKey::New, "hello");
    accept.worker = one.worker().clone();
    accept.at = Timestamp::from_millis(0);
    let claim = running(fixture.store().accept(&fixture.scope(), accept).await?)?.claim;
    for worker in [&one, &two] {
        fixture.pass(MAX_OF_A_LEASE);
        fixture.store().renew(one.worker()).await?;
        fixture.store().renew(two.worker()).await?;
        let far_ahead = Timestamp::from_millis(4_000_000_000_000);
        assert!(fixture.store().claim_oldest(worker, 1, far_ahead).await?.claimed.is_empty());
        assert!(fixture.store().claim(worker, claim.turn(), far_ahead).await?.is_none());
        fixture.store().sweep(worker).await?;
    }
    fixture.end(&claim, "done").await?;
    Ok(())
}

/// The death does not count against turns of other workers.
pub async fn turns_that_ran_beside_each_other_share_the_blame_for_their_workers_death<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::shared(LEASE).await?;
    let (one, two) = (worker(&fixture, "one").await?, worker(&fixture, "two").await?);
    for text in ["a", "b", "c", "d"] {
        start(&fixture, &one, text).await?;
    }
    let other = start(&fixture, &two, "e").await?.claim;
    outlive(&fixture, &two).await?;
    fixture.store().sweep(&two).await?;
    let claimed = fixture.claim_oldest(&two, usize::MAX).await?;
    let deaths = vec![Deaths { count: 1, blame: Deaths::WHOLE / 4 }; 4];
    assert_eq!(claimed.iter().map(|claimed| claimed.deaths).collect::<Vec<_>>(), deaths);
    fixture.end(&other, "done").await?;
    Ok(())
}

/// No turn is claimed by both workers, and no queued turn is claimed before the one it waits for.
pub async fn two_workers_share_unowned_turns_oldest_first<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::shared(LEASE).await?;
    let (one, two) = (worker(&fixture, "one").await?, worker(&fixture, "two").await?);
    let mut left = Vec::new();
    for text in ["a", "b", "c", "d", "e"] {
        let claimed = start(&fixture, &one, text).await?;
        fixture.enqueue(claimed.session.id, "waits").await?;
        fixture.store().release(&claimed.claim, Release::HandedOver).await?;
        left.push(claimed.claim.turn());
    }
    assert_eq!(turns(&fixture.claim_oldest(&two, 1).await?), left[..1]);
    let (first, second) = join(fixture.claim_oldest(&one, 2), fixture.claim_oldest(&two, 9)).await;
    let (first, second) = (first?, second?);
    assert!(first.len() <= 2);
    for (claimed, worker) in [(&first, &one), (&second, &two)] {
        assert!(turns(claimed).is_sorted_by_key(|turn| left.iter().position(|left| left == turn)));
        assert!(claimed.iter().all(|claimed| claimed.claim.worker() == worker.worker()));
    }
    let mut claimed = [turns(&first), turns(&second)].concat();
    claimed.sort();
    left.sort();
    assert_eq!(claimed.len(), 4, "of the five one was claimed before");
    assert!(claimed.iter().all(|turn| left.contains(turn)), "a queued turn began before the one it waits for");
    Ok(())
}

/// Processes that follow or stop a turn contact its owner. A turn that waits, was released, lost its worker or has
/// ended has no owner.
pub async fn a_turn_names_the_worker_that_runs_it<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::shared(LEASE).await?;
    let (one, two) = (worker(&fixture, "one").await?, worker(&fixture, "two").await?);
    let ClaimedTurn { claim, session, .. } = start(&fixture, &one, "hello").await?;
    let turns = [claim.turn(), fixture.enqueue(session.id, "next").await?];
    assert_eq!(owners(&fixture, turns).await?, [Some(one.worker().clone()), None]);
    fixture.store().release(&claim, Release::HandedOver).await?;
    assert_eq!(owners(&fixture, turns).await?, [None, None]);
    fixture.store().claim(&two, claim.turn(), fixture.now()).await?.ok_or("not claimed")?;
    assert_eq!(owners(&fixture, turns).await?, [Some(two.worker().clone()), None]);
    outlive(&fixture, &one).await?;
    fixture.store().sweep(&one).await?;
    assert_eq!(owners(&fixture, turns).await?, [None, None]);
    let owner = fixture.store().claim(&one, claim.turn(), fixture.now()).await?.ok_or("not claimed")?;
    let next = fixture.end(&owner.claim, "done").await?.ok_or("nothing follows")?;
    assert_eq!(owners(&fixture, turns).await?, [None, Some(one.worker().clone())]);
    let mut waits = fixture.boundary(&next.claim, 2, "may I?")?;
    waits.waiting = true;
    fixture.store().checkpoint(&next.claim, waits).await?;
    assert_eq!(owners(&fixture, turns).await?, [None, None]);
    Ok(())
}

/// Returns the owners of two turns, and checks that their records and the list of turns agree.
async fn owners<B: Backend>(fixture: &Fixture<B>, turns: [TurnId; 2]) -> Result<Vec<Option<WorkerId>>, Error> {
    let page = TurnPage { session: None, state: None, limit: 9, after: None, ..TurnPage::default() };
    let mut listed = fixture.store().turns(&fixture.scope(), page).await?.turns;
    listed.reverse();
    assert_eq!(listed.iter().map(|record| record.id).collect::<Vec<_>>(), turns);
    for record in &listed {
        assert_eq!(fixture.store().turn(&fixture.scope(), record.id).await?, *record);
    }
    Ok(listed.into_iter().map(|record| record.owner).collect())
}

/// The owner's sweep finds a stop whose signal was not delivered. The sweep of another worker does not.
pub async fn a_sweep_names_the_turns_of_its_worker_that_are_to_stop<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::shared(LEASE).await?;
    let (one, two) = (worker(&fixture, "one").await?, worker(&fixture, "two").await?);
    start(&fixture, &one, "goes on").await?;
    for worker in [&one, &two] {
        let turn = start(&fixture, worker, "stops").await?.claim.turn();
        fixture.store().request_stop(&fixture.scope(), turn, StopReason::Cancelled, fixture.now()).await?;
        let stops = vec![(turn, StopReason::Cancelled)];
        assert_eq!(fixture.store().sweep(worker).await?, SweepOutcome { stops, suspects: Vec::new() });
    }
    Ok(())
}
