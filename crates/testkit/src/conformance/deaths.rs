//! How the death of a process counts against the turns it ran.

use turnkit_core::ports::{TurnStore as _, WorkerStore as _};
use turnkit_core::{Deaths, OrphanedTurn, Release, SweepOutcome, TurnId, TurnState};

use super::{Backend, Fixture, Outcome};

/// Restarts the process and returns the deaths counted against `turn`.
async fn restart<B: Backend>(fixture: &mut Option<Fixture<B>>, turn: TurnId) -> Result<Deaths, super::fixture::Error> {
    let restarted = fixture.take().ok_or("no fixture")?.restart().await?;
    let deaths = held_against(&restarted, turn).await?;
    *fixture = Some(restarted);
    Ok(deaths)
}

/// Returns the deaths counted against a turn without an owner, and leaves the turn without one.
async fn held_against<B: Backend>(fixture: &Fixture<B>, turn: TurnId) -> Result<Deaths, super::fixture::Error> {
    let claimed = fixture.store().claim(&fixture.sweep(), turn, fixture.now()).await?.ok_or("not claimed")?;
    fixture.store().release(&claimed.claim, Release::HandedOver).await?;
    Ok(claimed.deaths)
}

/// A turn that repeatedly kills its process is detected. A turn that makes progress is not.
pub async fn deaths_of_a_turn_that_runs_alone_count_whole_until_it_makes_progress<B: Backend>() -> Outcome {
    let mut fixture = Fixture::<B>::new().await?;
    let turn = fixture.start("hello").await?.claim.turn();
    for count in 1..=3 {
        fixture = fixture.restart().await?;
        let claimed = fixture.store().claim(&fixture.sweep(), turn, fixture.now()).await?.ok_or("not claimed")?;
        let deaths = Deaths { count, blame: count * Deaths::WHOLE };
        assert_eq!((claimed.deaths, claimed.attempts), (deaths, count + 1));
        if count == 3 {
            fixture.store().checkpoint(&claimed.claim, fixture.boundary(&claimed.claim, 2, "progress")?).await?;
        }
    }
    assert_eq!(restart(&mut Some(fixture), turn).await?, Deaths { count: 1, blame: Deaths::WHOLE });
    Ok(())
}

/// A sweep reports a turn that saw several deaths, and only a claim by its id takes it.
pub async fn a_turn_that_saw_several_deaths_is_claimed_by_its_id_alone<B: Backend>() -> Outcome {
    let mut fixture = Fixture::<B>::new().await?;
    let turn = fixture.start("hello").await?.claim.turn();
    for count in 1..=Deaths::SUSPICIOUS {
        fixture = fixture.restart().await?;
        let suspects = fixture.store().sweep(&fixture.sweep()).await?.suspects;
        if count < Deaths::SUSPICIOUS {
            assert_eq!((suspects.len(), fixture.claim_all().await?.len()), (0, 1));
        } else {
            let deaths = Deaths { count, blame: count * Deaths::WHOLE };
            assert_eq!(suspects, [OrphanedTurn { turn, deaths }]);
            assert!(fixture.claim_all().await?.is_empty());
        }
    }
    assert!(fixture.store().claim(&fixture.sweep(), turn, fixture.now()).await?.is_some());
    assert_eq!(fixture.store().sweep(&fixture.sweep()).await?, SweepOutcome::default());
    Ok(())
}

/// The more turns a process ran, the smaller the blame of each for its death.
pub async fn turns_that_run_side_by_side_share_the_blame<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    for text in ["two", "three", "four"] {
        fixture.start(text).await?;
    }
    fixture.enqueue(first.session.id, "waits for its session").await?;
    let over = fixture.start("over").await?.claim;
    fixture.end(&over, "done").await?;
    let turn = first.claim.turn();
    let mut fixture = Some(fixture);
    assert_eq!(restart(&mut fixture, turn).await?, Deaths { count: 1, blame: Deaths::WHOLE / 4 });
    assert_eq!(restart(&mut fixture, turn).await?.count, 1, "nothing ran");
    Ok(())
}

/// A process that shuts down first releases its turns.
pub async fn a_turn_that_was_handed_over_has_no_deaths<B: Backend>() -> Outcome {
    for in_a_checkpoint in [true, false] {
        let fixture = Fixture::<B>::new().await?;
        let claim = fixture.start("hello").await?.claim;
        if in_a_checkpoint {
            let mut boundary = fixture.boundary(&claim, 2, "so far")?;
            boundary.handed_over = true;
            fixture.store().checkpoint(&claim, boundary.clone()).await?;
            let late = fixture.store().checkpoint(&claim, boundary).await.err();
            assert_eq!(late, Some(turnkit_core::StoreError::Fenced));
        } else {
            fixture.store().release(&claim, Release::HandedOver).await?;
        }
        assert_eq!(fixture.state(claim.turn()).await?, TurnState::Running);
        let mut fixture = Some(fixture);
        assert_eq!(restart(&mut fixture, claim.turn()).await?, Deaths::default());
    }
    Ok(())
}

/// Handing over is not progress, so earlier deaths still count against the turn.
pub async fn a_hand_over_keeps_earlier_deaths<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let turn = fixture.start("hello").await?.claim.turn();
    let mut fixture = Some(fixture);
    let before = restart(&mut fixture, turn).await?;
    let host = fixture.as_ref().ok_or("no fixture")?;
    let claimed = host.store().claim(&host.sweep(), turn, host.now()).await?.ok_or("not claimed")?;
    let mut boundary = host.boundary(&claimed.claim, 2, "so far")?;
    boundary.handed_over = true;
    host.store().checkpoint(&claimed.claim, boundary).await?;
    assert_eq!(restart(&mut fixture, turn).await?, before);
    Ok(())
}

/// If the process dies while the suspicious turn does not run, another turn is the cause.
pub async fn a_process_that_dies_while_a_turn_is_suspended_acquits_it<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let turn = fixture.start("hello").await?.claim.turn();
    let mut fixture = Some(fixture);
    for count in 1..=2 {
        assert_eq!(restart(&mut fixture, turn).await?.count, count);
        let host = fixture.as_ref().ok_or("no fixture")?;
        if count == 1 {
            host.store().claim(&host.sweep(), turn, host.now()).await?.ok_or("not claimed")?;
        }
    }
    let guilty = Deaths { count: 2, blame: 2 * Deaths::WHOLE };
    assert_eq!(restart(&mut fixture, turn).await?, guilty, "it was not suspended");
    let host = fixture.as_ref().ok_or("no fixture")?;
    host.store().suspend(&host.sweep(), turn).await?;
    assert_eq!(restart(&mut fixture, turn).await?, Deaths { blame: 0, ..guilty });
    Ok(())
}

/// Work that cannot be saved is repeated over and over, so the release counts as a death.
pub async fn a_release_of_an_unsaved_turn_counts_once<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let claim = fixture.start("hello").await?.claim;
    for _ in 0..2 {
        fixture.store().release(&claim, Release::Unsaved).await?;
    }
    assert_eq!(held_against(&fixture, claim.turn()).await?, Deaths { count: 1, blame: Deaths::WHOLE });
    Ok(())
}
