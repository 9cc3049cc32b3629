//! Stop requests for turns in every state.

use turnkit_core::ports::{SessionStore as _, TurnStore as _};
use turnkit_core::{
    CancelOutcome, CheckpointOutcome, ClaimedTurn, Fence, Recorded, StopReason, TurnId, TurnState, TurnStatus, Usage,
};

use super::{Backend, Fixture, Outcome, ended};

async fn stop<B: Backend>(fixture: &Fixture<B>, turn: TurnId) -> Result<CancelOutcome, turnkit_core::StoreError> {
    fixture.store().request_stop(&fixture.scope(), turn, StopReason::Cancelled, fixture.now()).await
}

/// Only the owner writes the end of a turn that has begun.
pub async fn a_running_turn_is_marked_and_ended_by_its_owner<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let ClaimedTurn { claim, session, .. } = fixture.start("hello").await?;
    let queued = fixture.enqueue(session.id, "next").await?;
    assert_eq!(stop(&fixture, claim.turn()).await?, CancelOutcome::Stopping);
    assert_eq!(stop(&fixture, claim.turn()).await?, CancelOutcome::Stopping);

    let mut last = fixture.ending(&claim, 2, TurnStatus::Cancelled, "so far")?;
    last.despite_stop = true;
    let next = ended(fixture.store().checkpoint(&claim, last).await?)?;
    assert_eq!(next.map(|next| (next.claim.turn(), next.stop)), Some((queued, None)));
    assert_eq!(fixture.state(claim.turn()).await?, TurnState::Ended(TurnStatus::Cancelled));
    assert_eq!(stop(&fixture, claim.turn()).await?, CancelOutcome::AlreadyEnded);
    Ok(())
}

/// Once a stop is acknowledged, the turn cannot end as if it had not been requested.
pub async fn a_stop_before_the_last_checkpoint_wins_and_nothing_is_written<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let ClaimedTurn { claim, session, .. } = fixture.start("hello").await?;
    let at = fixture.now();
    let stop = fixture.store().request_stop(&fixture.scope(), claim.turn(), StopReason::Superseded, at).await?;
    assert_eq!(stop, CancelOutcome::Stopping);

    for checkpoint in [fixture.boundary(&claim, 2, "more")?, fixture.last(&claim, "done")?] {
        let refused = fixture.store().checkpoint(&claim, checkpoint).await?;
        assert!(matches!(refused, CheckpointOutcome::StopFirst(StopReason::Superseded)));
    }
    assert_eq!(fixture.said_in(claim.turn()).await?, ["hello"]);
    assert_eq!(fixture.store().load(&claim).await?.log.chunks.len(), 1);
    assert_eq!(fixture.store().session(&fixture.scope(), session.id).await?.usage, Usage::default());
    Ok(())
}

/// A turn that has ended keeps its status.
pub async fn a_stop_after_the_last_checkpoint_comes_too_late<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let claim = fixture.start("hello").await?.claim;
    fixture.end(&claim, "done").await?;
    assert_eq!(stop(&fixture, claim.turn()).await?, CancelOutcome::AlreadyEnded);
    assert_eq!(fixture.state(claim.turn()).await?, TurnState::Ended(TurnStatus::Completed));
    Ok(())
}

/// Before the end, the owner may need another checkpoint to close open calls.
pub async fn the_answer_to_a_stop_may_take_several_checkpoints<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let claim = fixture.start("hello").await?.claim;
    stop(&fixture, claim.turn()).await?;
    let mut middle = fixture.boundary(&claim, 2, "closing")?;
    middle.despite_stop = true;
    ended(fixture.store().checkpoint(&claim, middle).await?)?;
    assert_eq!(fixture.state(claim.turn()).await?, TurnState::Cancelling);

    let mut last = fixture.ending(&claim, 3, TurnStatus::Cancelled, "closed")?;
    last.despite_stop = true;
    ended(fixture.store().checkpoint(&claim, last).await?)?;
    assert_eq!(fixture.state(claim.turn()).await?, TurnState::Ended(TurnStatus::Cancelled));
    Ok(())
}

/// A queued turn has no owner, so the store writes its end.
pub async fn a_queued_turn_ends_at_once_with_its_terminal_event<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let ClaimedTurn { claim, session, .. } = fixture.start("hello").await?;
    let cases = [(StopReason::Cancelled, TurnStatus::Cancelled), (StopReason::Superseded, TurnStatus::Interrupted)];
    for (reason, status) in cases {
        let turn = fixture.enqueue(session.id, "queued").await?;
        let at = fixture.now();
        let outcome = fixture.store().request_stop(&fixture.scope(), turn, reason, at).await?;
        assert_eq!(outcome, CancelOutcome::EndedUnstarted);
        assert_eq!(fixture.state(turn).await?, TurnState::Ended(status));
        assert_eq!(fixture.store().turn(&fixture.scope(), turn).await?.ended_at, Some(at));
        assert_eq!(stop(&fixture, turn).await?, CancelOutcome::AlreadyEnded);

        let log = fixture.store().log(&fixture.scope(), turn).await?;
        assert_eq!(log.chunks.len(), 2);
        let end = &log.chunks[1];
        assert_eq!((end.from_seq, end.to_seq, end.fence), (2, 2, Fence(0)));
        assert_eq!(
            end.entries[0].kind,
            Recorded::TurnEnded { status, usage: Usage::default(), steps: 0, steered_into: None }
        );
    }
    assert!(fixture.end(&claim, "done").await?.is_none(), "an ended turn was promoted");
    Ok(())
}

/// A waiting turn has no owner. The stop makes it claimable, and the claim names the reason.
pub async fn a_waiting_turn_is_ended_by_its_next_owner<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let claim = fixture.start("hello").await?.claim;
    let mut waits = fixture.boundary(&claim, 2, "may I?")?;
    waits.waiting = true;
    fixture.store().checkpoint(&claim, waits).await?;
    assert_eq!(fixture.state(claim.turn()).await?, TurnState::Waiting);
    assert!(fixture.claim_all().await?.is_empty());
    assert!(fixture.store().claim(&fixture.sweep(), claim.turn(), fixture.now()).await?.is_none());

    assert_eq!(stop(&fixture, claim.turn()).await?, CancelOutcome::Stopping);
    let owner = fixture.claim_all().await?.pop().ok_or("not claimed")?;
    assert_eq!(owner.claim.turn(), claim.turn());
    assert_eq!((owner.stop, owner.claim.fence(), owner.attempts), (Some(StopReason::Cancelled), Fence(2), 1));
    let mut last = fixture.ending(&owner.claim, 3, TurnStatus::Cancelled, "never mind")?;
    last.despite_stop = true;
    ended(fixture.store().checkpoint(&owner.claim, last).await?)?;
    assert_eq!(fixture.state(claim.turn()).await?, TurnState::Ended(TurnStatus::Cancelled));
    Ok(())
}

/// An acknowledged stop is not lost.
pub async fn a_stop_survives_the_death_of_the_owner<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let turn = fixture.start("hello").await?.claim.turn();
    stop(&fixture, turn).await?;
    let fixture = fixture.restart().await?;
    let owner = fixture.store().claim(&fixture.sweep(), turn, fixture.now()).await?.ok_or("not claimed")?;
    assert_eq!(owner.stop, Some(StopReason::Cancelled));
    Ok(())
}

/// A turn that was superseded does not become cancelled later.
pub async fn the_first_reason_stays<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let claim = fixture.start("hello").await?.claim;
    fixture.store().request_stop(&fixture.scope(), claim.turn(), StopReason::Superseded, fixture.now()).await?;
    stop(&fixture, claim.turn()).await?;
    let refused = fixture.store().checkpoint(&claim, fixture.last(&claim, "done")?).await?;
    assert!(matches!(refused, CheckpointOutcome::StopFirst(StopReason::Superseded)));
    Ok(())
}
