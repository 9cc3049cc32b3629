//! What the death of a process means for the turns it ran.

use turnkit_core::ports::TurnStore as _;
use turnkit_core::{Deaths, Release, TurnId, TurnPhase};

use super::{Backend, Fixture, Outcome};

/// Starts the process again without claiming any turn; returns what is held against `turn` then.
async fn restart<B: Backend>(fixture: &mut Option<Fixture<B>>, turn: TurnId) -> Result<Deaths, super::fixture::Error> {
    let restarted = fixture.take().ok_or("no fixture")?.restart().await?;
    let found = restarted.store().unfinished(&restarted.sweep()).await?;
    *fixture = Some(restarted);
    Ok(found.iter().find(|found| found.turn == turn).ok_or("not unfinished")?.deaths)
}

/// A turn that kills its process again and again is noticed; one that makes progress is not.
pub async fn deaths_of_a_turn_that_runs_alone_count_whole_until_it_makes_progress<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let turn = fixture.start("hello").await?.claim.turn();
    let mut fixture = Some(fixture);
    for count in 1..=3 {
        let deaths = restart(&mut fixture, turn).await?;
        assert_eq!(deaths, Deaths { count, blame: count * Deaths::WHOLE });
        let host = fixture.as_ref().ok_or("no fixture")?;
        let claimed = host.store().claim(&host.sweep(), turn, host.now()).await?.ok_or("not claimed")?;
        assert_eq!((claimed.deaths, claimed.attempts), (deaths, count + 1));
        if count == 3 {
            host.store().checkpoint(&claimed.claim, host.boundary(&claimed.claim, 2, "progress")?).await?;
        }
    }
    assert_eq!(restart(&mut fixture, turn).await?, Deaths { count: 1, blame: Deaths::WHOLE });
    Ok(())
}

/// The more turns ran, the less one death says about each of them.
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

/// A process that stops releases its turns first.
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
        assert_eq!(fixture.state(claim.turn()).await?, TurnPhase::Running);
        let mut fixture = Some(fixture);
        assert_eq!(restart(&mut fixture, claim.turn()).await?, Deaths::default());
    }
    Ok(())
}

/// Handing over is not progress: what was held against the turn stays.
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

/// Somebody else kills the process if it dies while the suspicious turn does not run.
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
    assert_eq!(restart(&mut fixture, turn).await?, guilty, "nobody had suspended it");
    let host = fixture.as_ref().ok_or("no fixture")?;
    host.store().suspend(&host.sweep(), turn).await?;
    assert_eq!(restart(&mut fixture, turn).await?, Deaths { blame: 0, ..guilty });
    Ok(())
}

/// What cannot be saved is done again and again, so it counts like a death.
pub async fn a_release_of_an_unsaved_turn_counts_once<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let claim = fixture.start("hello").await?.claim;
    for _ in 0..2 {
        fixture.store().release(&claim, Release::Unsaved).await?;
    }
    let found = fixture.store().unfinished(&fixture.sweep()).await?;
    assert_eq!(found[0].deaths, Deaths { count: 1, blame: Deaths::WHOLE });
    Ok(())
}
