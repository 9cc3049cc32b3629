//! Ephemeral sessions, which are made for one turn.

use turnkit_core::ports::{DeletedData, SessionEdit, SessionPage, SessionStore as _, TurnStore as _};
use turnkit_core::{
    AcceptOutcome, ClaimedTurn, Message, SessionKey, StoreError, Timestamp, TurnId, TurnState, TurnStatus,
};

use super::fixture::{answer, key, sent, texts};
use super::{Backend, Fixture, Outcome, running};

fn said_before() -> Vec<Message> {
    vec![Message::user("one"), answer("1").message().clone(), Message::user("two"), answer("2").message().clone()]
}

async fn begin<B: Backend>(fixture: &Fixture<B>, before: Vec<Message>) -> Result<ClaimedTurn, super::fixture::Error> {
    let accept = fixture.says(SessionKey::Ephemeral(before), "three");
    running(fixture.store().accept(&fixture.scope(), accept).await?)
}

/// The earlier messages are a finished turn without a log.
pub async fn a_session_begins_with_the_earlier_messages_of_its_request<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let claimed = begin(&fixture, said_before()).await?;
    assert_eq!((claimed.number, claimed.messages, claimed.session.turns), (2, 5, 2));
    assert_eq!(sent(&fixture.store().history(&claimed.claim).await?), ["one", "1", "two", "2"]);
    assert_eq!(fixture.said_in(claimed.claim.turn()).await?, ["three"]);

    fixture.end(&claimed.claim, "3").await?;
    let said = fixture.store().messages(&fixture.scope(), claimed.session.id).await?;
    assert_eq!(texts(&said), ["one", "1", "two", "2", "three", "3"]);
    let past = fixture.store().turn_after(&fixture.scope(), claimed.session.id, 0).await?;
    let (past, number) = past.ok_or("the past has no turn")?;
    assert_eq!((number, fixture.state(past).await?), (1, TurnState::Ended(TurnStatus::Completed)));
    assert_eq!(fixture.store().log(&fixture.scope(), past).await.err(), Some(StoreError::NotFound));
    Ok(())
}

/// An empty past adds no turn.
pub async fn a_session_without_a_past_begins_with_its_first_turn<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let claimed = begin(&fixture, Vec::new()).await?;
    assert_eq!((claimed.number, claimed.messages, claimed.session.turns), (1, 1, 1));
    assert!(fixture.store().history(&claimed.claim).await?.is_empty());
    Ok(())
}

/// An ephemeral session is not listed. A client that has its id can read and continue it.
pub async fn it_is_not_listed_and_can_be_read_by_its_id<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let listed = fixture.start("hello").await?.session.id;
    let ClaimedTurn { claim, session, .. } = begin(&fixture, said_before()).await?;
    let (scope, store) = (fixture.scope(), fixture.store());
    let list = store.list(&scope, SessionPage { limit: 10, after: None, archived: None }).await?.sessions;
    assert_eq!(list.iter().map(|one| one.id).collect::<Vec<_>>(), [listed]);
    let after_it = store.list(&scope, SessionPage { limit: 10, after: Some(session.id), archived: None }).await;
    assert_eq!(after_it.err(), Some(StoreError::NotFound));

    assert_eq!(store.session(&scope, session.id).await?.id, session.id);
    let summary = store.summary(&scope, session.id).await?;
    assert_eq!((summary.turns, summary.listed, store.summary(&scope, listed).await?.listed), (2, false, true));
    assert_eq!(store.log(&scope, claim.turn()).await?.session, session.id);
    fixture.end(&claim, "3").await?;
    let again = running(store.accept(&scope, fixture.says(SessionKey::Id(session.id), "four")).await?)?;
    assert_eq!((again.number, again.messages), (3, 7));
    Ok(())
}

/// Every request creates a new ephemeral session, unless it repeats an earlier request.
pub async fn a_request_that_is_sent_again_finds_its_turn<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let mut accept = fixture.says(SessionKey::Ephemeral(said_before()), "three");
    accept.idempotency = key("k-1", 7);
    let first = running(fixture.store().accept(&fixture.scope(), accept.clone()).await?)?;
    accept.turn = TurnId(fixture.uuid());
    let again = fixture.store().accept(&fixture.scope(), accept).await?;
    let AcceptOutcome::Repeated(again) = again else { return Err("not repeated".into()) };
    assert_eq!((again.turn, again.session), (first.claim.turn(), first.session.id));
    Ok(())
}

/// An ephemeral session is removed with all its data some time after its last turn has ended. Other sessions stay.
pub async fn it_is_deleted_some_time_after_its_last_turn<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (scope, store) = (fixture.scope(), fixture.store());
    let mut accept = fixture.says(SessionKey::Ephemeral(said_before()), "old");
    accept.idempotency = key("k-1", 1);
    let old = running(store.accept(&scope, accept.clone()).await?)?;
    let running_on = begin(&fixture, said_before()).await?;
    let continued = begin(&fixture, said_before()).await?;
    let lasting = fixture.start("lasting").await?;
    for claimed in [&old, &continued, &lasting] {
        fixture.end(&claimed.claim, "done").await?;
    }
    let before = fixture.now();
    let again = running(store.accept(&scope, fixture.says(SessionKey::Id(continued.session.id), "again")).await?)?;
    fixture.end(&again.claim, "done").await?;
    let old_id = old.session.id;
    assert_eq!(store.delete_expired(&fixture.sweep(), before).await?.sessions, [old_id]);

    assert_eq!(store.session(&scope, old_id).await.err(), Some(StoreError::NotFound));
    assert_eq!(store.turn(&scope, old.claim.turn()).await.err(), Some(StoreError::NotFound));
    for kept in [&running_on, &continued, &lasting] {
        assert!(!store.messages(&scope, kept.session.id).await?.is_empty());
    }
    (accept.turn, accept.new_session) = (TurnId(fixture.uuid()), turnkit_core::SessionId(fixture.uuid()));
    running(store.accept(&scope, accept).await?)?;

    let deleted = store.delete_expired(&fixture.sweep(), Timestamp::from_millis(i64::MAX)).await?;
    assert_eq!(deleted.sessions, [continued.session.id]);
    assert_eq!(store.session(&scope, continued.session.id).await.err(), Some(StoreError::NotFound));
    assert_eq!(store.history(&running_on.claim).await?.len(), 4);
    Ok(())
}

/// A client that sets a title, a name or metadata means to return, so the session becomes permanent. An empty edit has
/// no effect.
pub async fn one_that_is_edited_is_kept<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (scope, store) = (fixture.scope(), fixture.store());
    let nothing = SessionEdit::default();
    let title = SessionEdit { title: Some("plans".into()), ..nothing.clone() };
    let name = SessionEdit { name: Some(Some("mine".parse()?)), ..nothing.clone() };
    let metadata = SessionEdit { metadata: Some(serde_json::Map::new()), ..nothing.clone() };
    let mut kept = Vec::new();
    for edit in [title, name, metadata] {
        let claimed = begin(&fixture, said_before()).await?;
        store.edit(&scope, claimed.session.id, edit).await?;
        fixture.end(&claimed.claim, "3").await?;
        kept.insert(0, claimed.session.id);
    }
    let fleeting = begin(&fixture, said_before()).await?;
    store.edit(&scope, fleeting.session.id, nothing).await?;
    fixture.end(&fleeting.claim, "3").await?;

    let DeletedData { sessions, .. } = store.delete_expired(&fixture.sweep(), Timestamp::from_millis(i64::MAX)).await?;
    assert_eq!(sessions, [fleeting.session.id]);
    let list = store.list(&scope, SessionPage { limit: 9, after: None, archived: None }).await?.sessions;
    assert_eq!(list.iter().map(|one| one.id).collect::<Vec<_>>(), kept);
    Ok(())
}
