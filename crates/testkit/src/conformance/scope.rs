//! Isolation of users: a user cannot see the data of another user.

use std::time::Duration;

use turnkit_core::ports::{
    Fork, MessagePage, SessionEdit, SessionPage, SessionSearch, SessionStore as _, TurnPage, TurnSearch,
    TurnStore as _, WaitPage,
};
use turnkit_core::{
    Arguments, CallUid, Checkpoint, NewWait, Resolution, Scope, SessionId, SessionKey, SessionName, StopReason,
    StoreError, TurnId, TurnState, WaitId, WaitKind, WaitQuestion,
};

use super::{Backend, Fixture, Outcome, running};

/// Every method is called with an id of another user, of another tenant, and with an unknown id. All three get the same
/// answer and change nothing.
pub async fn another_owners_ids_answer_like_unknown_ones<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let name: SessionName = "secret".parse()?;
    let accept = fixture.says(SessionKey::Name(name.clone()), "secret");
    let theirs = running(fixture.store().accept(&fixture.scope(), accept).await?)?;
    let (session, turn) = (theirs.session.id, theirs.claim.turn());
    let asked = WaitId { call: CallUid { turn, step: 1, ordinal: 0 }, number: 0 };
    let question = WaitQuestion {
        name: "pay".to_owned(),
        arguments: Arguments("{}".to_owned()),
        reason: "it changes something".to_owned(),
        preview: None,
        question: None,
        grantable: None,
        child: None,
    };
    let expires_at = fixture.now().plus(Duration::from_secs(3600));
    let wait = NewWait { id: asked, kind: WaitKind::Approval, question, binding: [1; 32], expires_at };
    let asks = Checkpoint { waits: vec![wait], ..fixture.boundary(&theirs.claim, 2, "may I?")? };
    fixture.store().checkpoint(&theirs.claim, asks).await?;
    let unknown = (SessionId(fixture.uuid()), TurnId(fixture.uuid()));
    let store = fixture.store();
    let edit = SessionEdit { title: Some("stolen".into()), ..SessionEdit::default() };
    for scope in [Scope::new("acme", "bob"), Scope::new("other", "ada"), Scope::new("ada", "acme")] {
        for (session, turn) in [(session, turn), unknown] {
            let page = SessionPage { limit: 10, after: Some(session), archived: None };
            let search = SessionSearch { query: "secret".parse()?, limit: 10, after: Some(session), archived: None };
            let turn_search = TurnSearch { query: "secret".parse()?, limit: 10, before: None };
            let stop = store.request_stop(&scope, turn, StopReason::Cancelled, fixture.now());
            let accept = fixture.says(SessionKey::Id(session), "let me in");
            let (new, id) = (SessionId(fixture.uuid()), TurnId(fixture.uuid()));
            let fork = Fork { from: session, after: None, new, turn: id, title: None, at: fixture.now() };
            let turns = |session, after| TurnPage { session, state: None, limit: 9, after, ..TurnPage::default() };
            let approved = Resolution::Approved { arguments: None, note: None, grant: None };
            let wait = WaitId { call: CallUid { turn, ..asked.call }, ..asked };
            let waits = WaitPage { session: None, turn: None, below: false, pending: true, limit: 9, after: None };
            let answers = [
                store.wait(&scope, wait).await.err(),
                store.waits(&scope, WaitPage { turn: Some(turn), ..waits }).await.err(),
                store.waits(&scope, WaitPage { session: Some(session), ..waits }).await.err(),
                store.waits(&scope, WaitPage { after: Some(wait), ..waits }).await.err(),
                store.resolve(&scope, wait, approved, None, fixture.now()).await.err(),
                store.accept(&scope, accept).await.err(),
                stop.await.err(),
                store.turn(&scope, turn).await.err(),
                store.log(&scope, turn).await.err(),
                store.turn_messages(&scope, turn).await.err(),
                store.list(&scope, page).await.err(),
                store.search(&scope, search.clone()).await.err(),
                store.search_turns(&scope, session, turn_search).await.err(),
                store.session(&scope, session).await.err(),
                store.session_named(&scope, &name).await.err(),
                store.session_history(&scope, session).await.err(),
                store.messages(&scope, session).await.err(),
                store.summary(&scope, session).await.err(),
                store.edit(&scope, session, edit.clone()).await.err(),
                store.fork(&scope, fork).await.err(),
                store.state(&scope, session).await.err(),
                store.queue(&scope, session).await.err(),
                store.unfinished_turns(&scope, session).await.err(),
                store.message_page(&scope, session, MessagePage { limit: 9, before: None, context: false }).await.err(),
                store.turns(&scope, turns(Some(session), None)).await.err(),
                store.turns(&scope, turns(None, Some(turn))).await.err(),
                store.turn_after(&scope, session, 0).await.err(),
                store.numbered_turns(&scope, session, 0..9).await.err(),
                store.delete(&scope, session).await.err(),
            ];
            assert_eq!(store.waits(&scope, waits).await?.waits, []);
            for answer in answers {
                assert_eq!(answer, Some(StoreError::NotFound));
            }
        }
    }
    assert_eq!(fixture.state(turn).await?, TurnState::Running);
    let kept = fixture.store().summary(&fixture.scope(), session).await?;
    assert_eq!((kept.turns, &*kept.title), (1, "secret"));
    Ok(())
}

/// This holds for two users of the same tenant, too.
pub async fn lists_contain_only_items_of_the_owner<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let ours = fixture.start("ours").await?.session.id;
    let other = Scope::new("acme", "bob");
    let theirs = fixture.says(SessionKey::New, "theirs");
    let theirs_id = theirs.new_session;
    fixture.store().accept(&other, theirs).await?;
    let page = SessionPage { limit: 10, after: None, archived: None };
    let all = TurnPage { session: None, state: None, limit: 10, after: None, ..TurnPage::default() };
    let running = TurnPage { state: Some(TurnState::Running), ..all.clone() };
    for (scope, expected) in [(fixture.scope(), ours), (other, theirs_id)] {
        let found = fixture.store().list(&scope, page).await?.sessions;
        assert_eq!(found.iter().map(|session| session.id).collect::<Vec<_>>(), [expected]);
        for page in [&all, &running] {
            let turns = fixture.store().turns(&scope, page.clone()).await?.turns;
            assert_eq!(turns.iter().map(|turn| turn.session).collect::<Vec<_>>(), [expected]);
        }
    }
    Ok(())
}
