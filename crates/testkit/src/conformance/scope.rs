//! Owners do not see each other.

use turnkit_core::ports::{SessionPage, SessionStore as _, TurnStore as _};
use turnkit_core::{Scope, SessionId, SessionKey, SessionName, StopReason, StoreError, TurnId};

use super::{Backend, Fixture, Outcome, running};

/// Every method, with another user's, another tenant's and a made-up id: the same answer, and nothing happens.
pub async fn another_owners_ids_answer_like_unknown_ones<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let name: SessionName = "secret".parse()?;
    let accept = fixture.says(SessionKey::Name(name.clone()), "secret");
    let theirs = running(fixture.store().accept(&fixture.scope(), accept).await?)?;
    let (session, turn) = (theirs.session.id, theirs.claim.turn());
    let unknown = (SessionId(fixture.uuid()), TurnId(fixture.uuid()));
    let store = fixture.store();
    for scope in [Scope::new("acme", "bob"), Scope::new("other", "ada"), Scope::new("ada", "acme")] {
        for (session, turn) in [(session, turn), unknown] {
            let page = SessionPage { limit: 10, after: Some(session) };
            let stop = store.request_stop(&scope, turn, StopReason::Cancelled, fixture.now());
            let accept = fixture.says(SessionKey::Id(session), "let me in");
            let answers = [
                store.accept(&scope, accept).await.err(),
                stop.await.err(),
                store.turn(&scope, turn).await.err(),
                store.log(&scope, turn).await.err(),
                store.list(&scope, page).await.err(),
                store.session(&scope, session).await.err(),
                store.session_named(&scope, &name).await.err(),
                store.messages(&scope, session).await.err(),
                store.delete(&scope, session).await.err(),
            ];
            for answer in answers {
                assert_eq!(answer, Some(StoreError::NotFound));
            }
        }
    }
    assert_eq!(fixture.state(turn).await?, "running");
    assert_eq!(fixture.store().session(&fixture.scope(), session).await?.turns, 1);
    Ok(())
}

/// Also where two owners share a tenant.
pub async fn lists_hold_only_the_owners_sessions<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let ours = fixture.start("ours").await?.session.id;
    let other = Scope::new("acme", "bob");
    let theirs = fixture.says(SessionKey::New, "theirs");
    let theirs_id = theirs.new_session;
    fixture.store().accept(&other, theirs).await?;
    let page = SessionPage { limit: 10, after: None };
    for (scope, expected) in [(fixture.scope(), ours), (other, theirs_id)] {
        let found = fixture.store().list(&scope, page).await?;
        assert_eq!(found.iter().map(|session| session.id).collect::<Vec<_>>(), [expected]);
    }
    Ok(())
}
