//! Listing and deleting sessions.

use turnkit_core::ports::{SessionPage, SessionStore as _, TurnStore as _};
use turnkit_core::{ConflictKind, SessionKey, StopReason, StoreError, TurnStatus};

use super::fixture::key;
use super::{Backend, Fixture, Outcome, running};

/// Newest first, no session twice, none left out, and an empty page at the end.
pub async fn a_list_is_read_page_by_page<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let mut expected = Vec::new();
    for number in 1..=7 {
        expected.insert(0, fixture.start(&format!("session {number}")).await?.session.id);
    }
    let (mut found, mut after, mut sizes) = (Vec::new(), None, Vec::new());
    while sizes.last() != Some(&0) {
        let page = fixture.store().list(&fixture.scope(), SessionPage { limit: 3, after }).await?;
        sizes.push(page.len());
        found.extend(page.iter().map(|session| session.id));
        after = found.last().copied();
    }
    assert_eq!((found, sizes), (expected, vec![3, 3, 1, 0]));

    let page = fixture.store().list(&fixture.scope(), SessionPage { limit: 1, after: None }).await?;
    assert_eq!((&*page[0].title, &*page[0].agent, page[0].turns), ("session 7", "assistant", 1));
    Ok(())
}

/// The last used comes first.
pub async fn a_session_moves_up_when_a_turn_begins<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("first").await?;
    fixture.end(&first.claim, "done").await?;
    let second = fixture.start("second").await?;
    let page = SessionPage { limit: 10, after: None };
    let order = |list: Vec<turnkit_core::ports::SessionSummary>| list.iter().map(|one| one.id).collect::<Vec<_>>();
    assert_eq!(order(fixture.store().list(&fixture.scope(), page).await?), [second.session.id, first.session.id]);
    let again = fixture.says(SessionKey::Id(first.session.id), "again");
    running(fixture.store().accept(&fixture.scope(), again).await?)?;
    assert_eq!(order(fixture.store().list(&fixture.scope(), page).await?), [first.session.id, second.session.id]);
    Ok(())
}

/// Turns, messages and keys go with it, and nothing of it is found under a new one.
pub async fn a_deleted_session_leaves_nothing<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let mut accept = fixture.says(SessionKey::Name("mine".parse()?), "hello");
    accept.idempotency = key("k-1", 1);
    let claimed = running(fixture.store().accept(&fixture.scope(), accept.clone()).await?)?;
    fixture.end(&claimed.claim, "done").await?;
    fixture.store().delete(&fixture.scope(), claimed.session.id).await?;

    let (scope, store) = (fixture.scope(), fixture.store());
    assert_eq!(store.session(&scope, claimed.session.id).await.err(), Some(StoreError::NotFound));
    assert_eq!(store.turn(&scope, accept.turn).await.err(), Some(StoreError::NotFound));
    assert_eq!(store.log(&scope, accept.turn).await.err(), Some(StoreError::NotFound));
    assert_eq!(
        store.checkpoint(&claimed.claim, fixture.last(&claimed.claim, "late")?).await.err(),
        Some(StoreError::Fenced)
    );

    let mut again = fixture.says(SessionKey::Name("mine".parse()?), "hello again");
    again.idempotency = key("k-1", 1);
    let anew = running(store.accept(&scope, again).await?)?;
    assert_eq!((anew.number, anew.messages), (1, 1));
    assert_eq!(fixture.said_in(anew.claim.turn()).await?, ["hello again"]);
    assert!(store.history(&anew.claim).await?.is_empty());
    Ok(())
}

/// Its owner would write into nothing.
pub async fn a_session_with_an_unfinished_turn_is_not_deleted<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let claimed = fixture.start("hello").await?;
    let busy = Some(StoreError::Conflict(ConflictKind::SessionBusy));
    let delete = || async { fixture.store().delete(&fixture.scope(), claimed.session.id).await.err() };
    assert_eq!(delete().await, busy);
    fixture.store().request_stop(&fixture.scope(), claimed.claim.turn(), StopReason::Cancelled, fixture.now()).await?;
    assert_eq!(delete().await, busy);
    let mut last = fixture.ending(&claimed.claim, 2, TurnStatus::Cancelled, "stopped")?;
    last.despite_stop = true;
    fixture.store().checkpoint(&claimed.claim, last).await?;
    assert_eq!(delete().await, None);
    Ok(())
}
