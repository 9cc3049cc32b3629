//! Partial saves: text of answers that are not complete.

use turnkit_core::ports::TurnStore as _;
use turnkit_core::{Checkpoint, Claim, PartKind, PartialSave, SavedText, StoreError, WorkerId};

use super::{Backend, Fixture, Outcome};

fn save(step: u16, attempt: u16, order: u32, text: &str) -> PartialSave {
    let texts = vec![SavedText { part: 0, kind: PartKind::Text, from: 7, text: text.into() }];
    PartialSave { step, attempt, order, texts }
}

/// The saves of each attempt come in the order they were made, without those of other turns.
pub async fn the_next_owner_finds_the_partial_saves<B: Backend>() -> Outcome {
    let mut fixture = Fixture::<B>::new().await?;
    let mut claim = fixture.start("hello").await?.claim;
    let other = fixture.start("another").await?.claim;
    fixture.store().save_partial(&other, save(1, 1, 0, "of another turn")).await?;
    assert_eq!(fixture.store().load(&claim).await?.partials, []);
    let saves = [
        save(1, 2, 0, "one"),
        save(1, 2, 1, "\"two\" \u{1f600}"),
        PartialSave { texts: Vec::new(), ..save(1, 3, 0, "") },
        save(2, 1, 0, "three"),
    ];
    for save in &saves {
        fixture.store().save_partial(&claim, save.clone()).await?;
        fixture = fixture.restart().await?;
        let (sweep, at) = (fixture.sweep(), fixture.now());
        claim = fixture.store().claim(&sweep, claim.turn(), at).await?.ok_or("not claimed")?.claim;
    }
    assert_eq!(fixture.store().load(&claim).await?.partials, saves);
    Ok(())
}

/// The saves of other turns stay.
pub async fn a_checkpoint_removes_partial_saves_on_request<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (claim, other) = (fixture.start("hello").await?.claim, fixture.start("another").await?.claim);
    fixture.store().save_partial(&claim, save(1, 1, 0, "one")).await?;
    fixture.store().save_partial(&other, save(1, 1, 0, "two")).await?;
    fixture.store().checkpoint(&claim, fixture.boundary(&claim, 2, "said")?).await?;
    assert_eq!(fixture.store().load(&claim).await?.partials, [save(1, 1, 0, "one")]);
    let removes = Checkpoint { removes_partials: true, ..fixture.boundary(&claim, 3, "more")? };
    fixture.store().checkpoint(&claim, removes).await?;
    assert_eq!(fixture.store().load(&claim).await?.partials, []);
    assert_eq!(fixture.store().load(&other).await?.partials, [save(1, 1, 0, "two")]);
    Ok(())
}

/// Partial saves follow the same ownership rules as every other write to a turn.
pub async fn only_the_owner_of_a_turn_that_is_not_over_saves<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let stale = fixture.start("hello").await?.claim;
    let fixture = fixture.restart().await?;
    let owner = fixture.store().claim(&fixture.sweep(), stale.turn(), fixture.now()).await?.ok_or("not claimed")?;
    let forged =
        Claim::granted_by_store(stale.turn(), stale.scope().clone(), owner.claim.fence(), WorkerId("other".into()));
    for claim in [&stale, &forged] {
        let refused = fixture.store().save_partial(claim, save(1, 1, 0, "no")).await;
        assert_eq!(refused, Err(StoreError::Fenced), "{claim:?}");
    }
    assert_eq!(fixture.store().load(&owner.claim).await?.partials, []);
    fixture.end(&owner.claim, "done").await?;
    let late = fixture.store().save_partial(&owner.claim, save(1, 1, 0, "late")).await;
    assert_eq!(late, Err(StoreError::Fenced));
    Ok(())
}
