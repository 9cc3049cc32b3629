//! Makes every call of a store on one session.

use turnkit_core::ports::{
    BlobStore as _, Fork, GrantPage, GrantQuery, GrantStore as _, KeyStore as _, MessagePage, PinOwner, PinStore as _,
    SessionEdit, SessionPage, SessionSearch, SessionStore as _, TurnPage, TurnStore as _, WaitPage, WorkerStore as _,
};
use turnkit_core::{
    Checkpoint, Day, NewTurn, PartialSave, Release, Resolution, Scope, SessionId, SessionKey, StopReason, StoreError,
    Subject, Sweep, TurnId, TurnState, TurnStatus, WorkerId,
};
use turnkit_store::SqliteStore;

use crate::subject::{AT, asked, blob, boundary, damaged, granted, partial, pinned, request, session, turn};

/// The calls by name, each with its error, if it failed.
pub(crate) type Answers = Vec<(&'static str, Option<StoreError>)>;

/// Makes all calls that only read a session and these turns of it.
pub(crate) async fn read(store: &SqliteStore, scope: &Scope, id: SessionId, turns: &[TurnId]) -> Answers {
    let all = TurnPage { session: None, state: None, limit: 99, after: None, ..TurnPage::default() };
    let pending = WaitPage { session: None, turn: None, below: false, pending: true, limit: 99, after: None };
    let search = SessionSearch { query: "hello".parse().unwrap(), limit: 99, after: None, archived: None };
    let mut answers = vec![
        ("session", store.session(scope, id).await.err()),
        ("session_named", store.session_named(scope, &"mine".parse().unwrap()).await.err()),
        ("summary", store.summary(scope, id).await.err()),
        (
            "list",
            first_failure(store.list(scope, SessionPage { limit: 99, after: None, archived: None }).await, |list| {
                list.unreadable
            }),
        ),
        ("search", first_failure(store.search(scope, search).await, |matches| matches.unreadable)),
        ("state", store.state(scope, id).await.err()),
        ("queue", store.queue(scope, id).await.err()),
        ("unfinished_turns", store.unfinished_turns(scope, id).await.err()),
        ("session_history", store.session_history(scope, id).await.err()),
        ("messages", store.messages(scope, id).await.err()),
        (
            "message_page",
            store.message_page(scope, id, MessagePage { limit: 99, before: None, context: false }).await.err(),
        ),
        ("turns", first_failure(store.turns(scope, all.clone()).await, |list| list.unreadable)),
        (
            "turns",
            first_failure(store.turns(scope, TurnPage { session: Some(id), ..all.clone() }).await, |list| {
                list.unreadable
            }),
        ),
        (
            "turns",
            first_failure(store.turns(scope, TurnPage { state: Some(TurnState::Running), ..all }).await, |list| {
                list.unreadable
            }),
        ),
        ("numbered_turns", first_failure(store.numbered_turns(scope, id, 1..99).await, |list| list.unreadable)),
        ("turn_after", store.turn_after(scope, id, 1).await.err()),
        (
            "waits",
            first_failure(store.waits(scope, WaitPage { pending: false, ..pending }).await, |list| list.unreadable),
        ),
        ("waits", first_failure(store.waits(scope, pending).await, |list| list.unreadable)),
        ("consumed", store.consumed(scope, Day::FIRST, AT.into()).await.err()),
        ("keys", store.keys().await.err()),
    ];
    for turn in turns {
        answers.push(("turn", store.turn(scope, *turn).await.err()));
        answers.push(("log", store.log(scope, *turn).await.err()));
    }
    answers
}

/// Turns the names of unreadable items in a list into an error.
fn first_failure<T>(list: Result<T, StoreError>, unreadable: impl FnOnce(T) -> Vec<String>) -> Option<StoreError> {
    match list.map(unreadable) {
        Ok(names) if names.is_empty() => None,
        Ok(names) => Some(StoreError::Corrupt(names.join(", "))),
        Err(error) => Some(error),
    }
}

/// Makes all calls about the damaged session, reads first.
pub(crate) async fn everything(store: &SqliteStore) -> Answers {
    let (scope, id) = damaged();
    let mut answers = read(store, &scope, id, &[turn(1), turn(2), turn(3)]).await;
    let all_users = store.consumed_by_users(&scope.tenant, Day::FIRST, AT.into()).await;
    answers.push(("consumed_by_users", all_users.err()));
    let sweep = Sweep::new(WorkerId("worker".into()));
    answers.push(("sweep", store.sweep(&sweep).await.err()));
    let again = NewTurn { idempotency: request(2, SessionKey::New).idempotency, ..request(13, SessionKey::New) };
    answers.push(("accept_again", store.accept(&scope, again).await.err()));
    answers.push(("accept", store.accept(&scope, request(11, SessionKey::Id(id))).await.err()));
    let edit = SessionEdit { title: Some("other".into()), ..SessionEdit::default() };
    answers.push(("edit", store.edit(&scope, id, edit).await.err()));
    let fork = Fork { from: id, after: None, new: session(12), turn: turn(12), title: None, at: AT };
    answers.push(("fork", store.fork(&scope, fork).await.err()));
    answers.push(("delete", store.delete(&scope, id).await.err()));
    answers.push(("wait", store.wait(&scope, asked().id).await.err()));
    let approved = Resolution::Approved { arguments: None, note: None, grant: None };
    answers.push(("resolve", store.resolve(&scope, asked().id, approved, None, AT).await.err()));
    let query = GrantQuery { session: id, calls: vec![("pay".to_owned(), Subject::None)] };
    answers.push(("granted", store.granted(&scope, query).await.err()));
    let grants = store.grants(&scope, GrantPage { limit: 99, after: None }).await;
    answers.push(("grants", first_failure(grants, |list| list.unreadable)));
    answers.push(("revoke_grant", store.revoke_grant(&scope, granted().id).await.err()));
    let owner = PinOwner::User(scope.clone());
    answers.push(("pins", store.pins(&owner, "bank").await.err()));
    answers.push(("unaccepted", store.unaccepted(&scope, vec![pinned(2)]).await.err()));
    answers.push(("pin", store.pin(&owner, vec![pinned(2)], AT).await.err()));
    answers.push(("expire", store.expire(&sweep, asked().expires_at).await.err()));
    match store.claim(&sweep, turn(2), AT).await {
        Ok(claimed) => {
            answers.push(("claim", None));
            if let Some(claimed) = claimed {
                answers.push(("load", store.load(&claimed.claim).await.err()));
                answers.push(("history", store.history(&claimed.claim).await.err()));
                let more = PartialSave { attempt: 2, ..partial() };
                answers.push(("save_partial", store.save_partial(&claimed.claim, more).await.err()));
                let last = boundary(&claimed.claim, 3, Some(TurnStatus::Completed));
                let last = Checkpoint { removes_partials: true, has_waited: true, ..last };
                answers.push(("checkpoint", store.checkpoint(&claimed.claim, last).await.err()));
                answers.push(("release", store.release(&claimed.claim, Release::HandedOver).await.err()));
            }
        }
        Err(error) => answers.push(("claim", Some(error))),
    }
    answers.push(("request_stop", store.request_stop(&scope, turn(3), StopReason::Cancelled, AT).await.err()));
    answers.push(("delete_expired", store.delete_expired(&sweep, AT).await.err()));
    answers.push(("open_blob", store.open(&scope, blob()).await.err()));
    answers.push(("delete_unreferenced", store.delete_unreferenced(&sweep, AT).await.err()));
    answers
}
