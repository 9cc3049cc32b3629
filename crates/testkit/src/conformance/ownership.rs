//! Ownership: which worker may write a turn, and the state that a new owner loads.

use futures_util::future::join;
use serde_json::json;
use turnkit_core::ports::{SessionStore as _, TurnStore as _};
use turnkit_core::{
    CallRecord, CallState, CallUid, Checkpoint, Claim, Fence, Release, SessionKey, StopReason, StoreError, TurnId,
    TurnState, TurnStatus, Usage, WorkerId,
};

use super::{Backend, Fixture, Outcome, ended, running};

/// An owner that was wrongly presumed dead does no harm. The turn, session, messages, log and receipts stay unchanged.
pub async fn a_stale_claim_changes_nothing<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let stale = fixture.start("hello").await?.claim;
    let fixture = fixture.restart().await?;
    let owner = fixture.store().claim(&fixture.sweep(), stale.turn(), fixture.now()).await?.ok_or("not claimed")?;
    assert_eq!(owner.claim.fence(), Fence(2));

    let mut attempts: Vec<Checkpoint> = vec![fixture.boundary(&stale, 2, "stale")?, fixture.last(&stale, "stale")?];
    for checkpoint in &mut attempts {
        checkpoint.metadata.insert("stale".to_owned(), json!(true));
        let uid = CallUid { turn: stale.turn(), step: 1, ordinal: 0 };
        checkpoint.calls.push(CallRecord { uid, name: "pay".to_owned(), state: CallState::Started });
    }
    for mut checkpoint in attempts {
        for despite_stop in [false, true] {
            checkpoint.despite_stop = despite_stop;
            let refused = fixture.store().checkpoint(&stale, checkpoint.clone()).await.err();
            assert_eq!(refused, Some(StoreError::Fenced));
        }
    }
    assert_eq!(fixture.store().load(&stale).await.err(), Some(StoreError::Fenced));
    assert_eq!(fixture.store().history(&stale).await.err(), Some(StoreError::Fenced));

    let found = fixture.store().load(&owner.claim).await?;
    assert_eq!((found.machine, found.calls.len(), found.log.chunks.len(), found.log.messages.len()), (None, 0, 1, 1));
    let session = fixture.store().session(&fixture.scope(), owner.session.id).await?;
    assert_eq!((session.metadata.len(), session.usage), (0, Usage::default()));
    assert_eq!(fixture.state(stale.turn()).await?, TurnState::Running);
    Ok(())
}

/// The fence alone does not identify the owner. After a failover that lost commits, two workers may hold the same
/// fence.
pub async fn another_worker_with_the_right_fence_changes_nothing<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let started = fixture.start("hello").await?;
    let (session, owner) = (started.session.id, started.claim);
    let queued = fixture.enqueue(session, "next").await?;
    let other = WorkerId("other".into());
    let forged = Claim::granted_by_store(owner.turn(), owner.scope().clone(), owner.fence(), other);
    for checkpoint in [fixture.boundary(&forged, 2, "forged")?, fixture.last(&forged, "forged")?] {
        assert_eq!(fixture.store().checkpoint(&forged, checkpoint).await.err(), Some(StoreError::Fenced));
    }
    for why in [Release::HandedOver, Release::Unsaved] {
        assert_eq!(fixture.store().release(&forged, why).await.err(), Some(StoreError::Fenced));
    }
    assert_eq!(fixture.store().load(&forged).await.err(), Some(StoreError::Fenced));
    assert_eq!(fixture.store().history(&forged).await.err(), Some(StoreError::Fenced));
    assert_eq!(fixture.said_in(owner.turn()).await?, ["hello"]);

    let next = fixture.end(&owner, "done").await?.ok_or("nothing follows")?;
    assert_eq!((next.claim.turn(), next.claim.worker()), (queued, owner.worker()));
    Ok(())
}

/// A waiting turn has no owner.
pub async fn a_released_turn_cannot_be_written_by_its_last_owner<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let claim = fixture.start("hello").await?.claim;
    let mut waits = fixture.boundary(&claim, 2, "may I?")?;
    waits.waiting = true;
    fixture.store().checkpoint(&claim, waits).await?;
    fixture.store().request_stop(&fixture.scope(), claim.turn(), StopReason::Cancelled, fixture.now()).await?;

    let mut late = fixture.ending(&claim, 3, TurnStatus::Completed, "late")?;
    late.despite_stop = true;
    assert_eq!(fixture.store().checkpoint(&claim, late).await.err(), Some(StoreError::Fenced));
    Ok(())
}

/// A turn has exactly one terminal event, and it is the last event.
pub async fn an_ended_turn_cannot_be_written_again<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let claim = fixture.start("hello").await?.claim;
    fixture.end(&claim, "done").await?;
    let again = fixture.ending(&claim, 3, TurnStatus::Failed, "again")?;
    assert_eq!(fixture.store().checkpoint(&claim, again).await.err(), Some(StoreError::Fenced));
    assert_eq!(fixture.state(claim.turn()).await?, TurnState::Ended(TurnStatus::Completed));
    assert_eq!(fixture.said_in(claim.turn()).await?, ["hello", "done"]);
    assert!(fixture.store().claim(&fixture.sweep(), claim.turn(), fixture.now()).await?.is_none());
    Ok(())
}

/// If two workers find the same unowned turn, only one of them runs it.
pub async fn only_one_of_two_claims_wins<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let turn = fixture.start("hello").await?.claim.turn();
    assert!(fixture.store().claim(&fixture.sweep(), turn, fixture.now()).await?.is_none(), "its owner lives");
    let fixture = fixture.restart().await?;
    let (sweep, at) = (fixture.sweep(), fixture.now());
    let (one, two) = join(fixture.store().claim(&sweep, turn, at), fixture.store().claim(&sweep, turn, at)).await;
    assert_eq!((one?.is_some(), two?.is_some()), (true, false));
    Ok(())
}

/// An owner that cannot continue releases the turn. The turn is then claimed under a new fence, as after the owner's
/// death.
pub async fn a_released_turn_can_be_claimed_again<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let claim = fixture.start("hello").await?.claim;
    for _ in 0..2 {
        fixture.store().release(&claim, Release::Unsaved).await?;
    }
    assert_eq!(fixture.state(claim.turn()).await?, TurnState::Running);
    assert_eq!(fixture.store().checkpoint(&claim, fixture.last(&claim, "late")?).await.err(), Some(StoreError::Fenced));

    let reclaimed = fixture.claim_all().await?.pop().ok_or("not claimed")?;
    assert_eq!(reclaimed.claim.turn(), claim.turn());
    assert_eq!((reclaimed.claim.fence(), reclaimed.attempts), (Fence(2), 2));
    assert_eq!(fixture.store().release(&claim, Release::Unsaved).await.err(), Some(StoreError::Fenced));
    fixture.end(&reclaimed.claim, "done").await?;
    assert_eq!(fixture.store().release(&reclaimed.claim, Release::Unsaved).await.err(), Some(StoreError::Fenced));
    assert_eq!(fixture.state(claim.turn()).await?, TurnState::Ended(TurnStatus::Completed));
    Ok(())
}

/// A turn that repeatedly kills its owner is detected. A turn that makes progress is not.
pub async fn attempts_count_owners_since_the_last_checkpoint<B: Backend>() -> Outcome {
    let mut fixture = Fixture::<B>::new().await?;
    let mut claimed = fixture.start("hello").await?;
    let turn = claimed.claim.turn();
    for expected in [2, 3] {
        fixture = fixture.restart().await?;
        claimed = fixture.store().claim(&fixture.sweep(), turn, fixture.now()).await?.ok_or("not claimed")?;
        assert_eq!(claimed.attempts, expected);
    }
    ended(fixture.store().checkpoint(&claimed.claim, fixture.boundary(&claimed.claim, 2, "progress")?).await?)?;
    fixture = fixture.restart().await?;
    claimed = fixture.store().claim(&fixture.sweep(), turn, fixture.now()).await?.ok_or("not claimed")?;
    assert_eq!(
        (claimed.attempts, claimed.claim.fence(), claimed.messages),
        (2, Fence(4), 2),
        "its last owner tried too"
    );
    Ok(())
}

/// Running and stopping turns need an owner. So do turns that waited for a decision that can no longer arrive. Queued
/// and ended turns do not.
pub async fn unfinished_turns_are_found_after_a_restart_and_no_others<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let running_turn = fixture.start("runs").await?;
    let queued = fixture.enqueue(running_turn.session.id, "queued").await?;
    let stopping = fixture.start("is stopped").await?.claim.turn();
    fixture.store().request_stop(&fixture.scope(), stopping, StopReason::Cancelled, fixture.now()).await?;
    let waiting = fixture.start("waits").await?.claim;
    let mut waits = fixture.boundary(&waiting, 2, "may I?")?;
    waits.waiting = true;
    fixture.store().checkpoint(&waiting, waits).await?;
    let over = fixture.start("is over").await?.claim;
    fixture.end(&over, "done").await?;
    assert!(fixture.claim_all().await?.is_empty(), "their owner lives");

    let fixture = fixture.restart().await?;
    for (turn, claimable) in [(queued, false), (over.turn(), false), (stopping, true)] {
        let claimed = fixture.store().claim(&fixture.sweep(), turn, fixture.now()).await?;
        assert_eq!(claimed.is_some(), claimable);
    }
    let claimed = fixture.claim_all().await?;
    let turns: Vec<TurnId> = claimed.iter().map(|claimed| claimed.claim.turn()).collect();
    assert_eq!(turns, [running_turn.claim.turn(), waiting.turn()]);
    assert!(fixture.claim_all().await?.is_empty());
    Ok(())
}

/// The new owner finds everything that the dead owner wrote, and nothing else.
pub async fn the_owner_finds_machine_messages_log_and_receipts<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let claim = fixture.start("pay").await?.claim;
    let receipt = |ordinal, state| CallRecord {
        uid: CallUid { turn: claim.turn(), step: 1, ordinal },
        name: "pay".to_owned(),
        state,
    };
    let mut before = fixture.boundary(&claim, 2, "I will pay twice")?;
    before.calls = vec![receipt(0, CallState::Started), receipt(1, CallState::Started)];
    fixture.store().checkpoint(&claim, before).await?;
    let mut after = fixture.boundary(&claim, 3, "paid once")?;
    after.calls = vec![receipt(0, CallState::Done)];
    fixture.store().checkpoint(&claim, after.clone()).await?;

    let fixture = fixture.restart().await?;
    let owner = fixture.store().claim(&fixture.sweep(), claim.turn(), fixture.now()).await?.ok_or("not claimed")?;
    let found = fixture.store().load(&owner.claim).await?;
    assert_eq!(found.machine, after.machine);
    assert_eq!(found.calls, [receipt(0, CallState::Done), receipt(1, CallState::Started)]);
    assert_eq!(found.log.messages.len(), 3);
    assert_eq!(found.log.chunks.iter().map(|chunk| chunk.to_seq).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(found.log.chunks[2], after.chunk);
    Ok(())
}

/// Metadata keys set by a turn replace earlier values. Usage adds up.
pub async fn metadata_and_usage_are_kept_in_the_session<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("hello").await?;
    let mut middle = fixture.boundary(&first.claim, 2, "…")?;
    middle.metadata.extend([("a".to_owned(), json!({"x": 1})), ("b".to_owned(), json!("kept"))]);
    fixture.store().checkpoint(&first.claim, middle).await?;
    let mut last = fixture.ending(&first.claim, 3, TurnStatus::Completed, "done")?;
    last.metadata.insert("a".to_owned(), json!({"y": null}));
    let at = last.at;
    fixture.store().checkpoint(&first.claim, last).await?;

    let session = fixture.store().session(&fixture.scope(), first.session.id).await?;
    assert_eq!(serde_json::Value::from(session.metadata.clone()), json!({"a": {"y": null}, "b": "kept"}));
    assert_eq!((session.usage.fresh, session.usage.output, session.last_active), (3, 2, at));

    let accept = fixture.says(SessionKey::Id(first.session.id), "again");
    let second = running(fixture.store().accept(&fixture.scope(), accept).await?)?;
    assert_eq!(second.session.metadata, session.metadata);
    fixture.end(&second.claim, "done").await?;
    assert_eq!(fixture.store().session(&fixture.scope(), first.session.id).await?.usage.fresh, 6);
    Ok(())
}

/// Usage numbers come from providers, and may be wrong.
pub async fn absurd_usage_does_not_make_a_session_unreadable<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let mut claimed = fixture.start("hello").await?;
    for _ in 0..3 {
        let mut last = fixture.last(&claimed.claim, "done")?;
        last.end = Some((TurnStatus::Completed, Usage { fresh: u64::MAX, output: u64::MAX, ..Usage::default() }));
        fixture.store().checkpoint(&claimed.claim, last).await?;
        let accept = fixture.says(SessionKey::Id(claimed.session.id), "again");
        claimed = running(fixture.store().accept(&fixture.scope(), accept).await?)?;
    }
    assert!(claimed.session.usage.fresh > u64::from(u32::MAX));
    Ok(())
}
