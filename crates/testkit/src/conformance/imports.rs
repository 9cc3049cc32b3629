//! Imported sessions, which are created together with all their turns.

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use turnkit_core::ports::{
    BlobStore as _, ImportedTurn, ImportedTurns, NewSession, SessionPage, SessionStore as _, TurnPage, TurnStore as _,
};
use turnkit_core::{
    BlobId, ConflictKind, Message, NewBlob, Part, Role, SamplingParams, SessionId, SessionKey, StoreError, Timestamp,
    ToolUse, TraceId, TurnId, TurnKind, TurnState, TurnStatus, Usage,
};

use super::fixture::{sent, texts};
use super::{Backend, Fixture, Outcome, running};

fn session<B: Backend>(fixture: &Fixture<B>) -> NewSession {
    NewSession {
        id: SessionId(fixture.uuid()),
        name: None,
        agent: "assistant".into(),
        title: "brought along".into(),
        metadata: serde_json::Map::from_iter([("mood".to_owned(), "good".into())]),
        prompt: Some("terse".into()),
        params: SamplingParams { max_tokens: Some(800), ..SamplingParams::default() },
        tools: ToolUse::None,
        mode: Some("plan".into()),
        at: fixture.now(),
    }
}

/// Creates a turn in which `text` was answered with `text` in capitals.
fn turn<B: Backend>(fixture: &Fixture<B>, after: Option<u32>, text: &str) -> ImportedTurn {
    let answer = Message::new(Role::Assistant, vec![Part::text(text.to_uppercase())]);
    ImportedTurn {
        id: TurnId(fixture.uuid()),
        after,
        agent: "translator".into(),
        status: TurnStatus::Completed,
        accepted_at: Timestamp::from_millis(1_000),
        ended_at: Timestamp::from_millis(2_000),
        messages: vec![Message::user(text), answer],
        blobs: Vec::new(),
        trace: None,
        kind: TurnKind::Message,
    }
}

/// The session has all of its branches, each of which can be continued. It is charged no usage, and its turns have no
/// events.
pub async fn an_imported_session_continues_from_any_of_its_turns<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (store, scope) = (fixture.store(), fixture.scope());
    let mut last = turn(&fixture, Some(1), "c");
    last.status = TurnStatus::Failed;
    last.kind = TurnKind::Compact;
    last.trace = Some("4bf92f3577b34da6a3ce929d0e0e4736".parse()?);
    let turns = vec![turn(&fixture, None, "a"), turn(&fixture, Some(1), "b"), last];
    let (new, ids) = (session(&fixture), turns.iter().map(|turn| turn.id).collect::<Vec<_>>());
    let imported = ImportedTurns { turns: turns.clone(), head: Some(2) };
    let made = store.import(&scope, new.clone(), imported).await?;
    assert_eq!((made.id, &made.title, made.turns, made.head), (new.id, &new.title, 3, Some(ids[1])));
    let settings = (&made.metadata, &made.prompt, &made.params, made.tools, &made.mode);
    assert_eq!(settings, (&new.metadata, &new.prompt, &new.params, new.tools, &new.mode));
    assert_eq!((made.usage.clone(), made.created_at, made.last_active), (Usage::default(), new.at, new.at));

    let fixture = fixture.restart().await?;
    let (store, scope) = (fixture.store(), fixture.scope());
    assert_eq!(store.summary(&scope, new.id).await?, made);
    assert_eq!(texts(&store.messages(&scope, new.id).await?), ["a", "A", "b", "B"]);
    let page = TurnPage { session: Some(new.id), state: None, limit: 9, after: None, ..TurnPage::default() };
    let listed = store.turns(&scope, page).await?.turns;
    let listed: Vec<_> =
        listed.iter().map(|turn| (turn.id, turn.number, turn.after, turn.state, &*turn.agent)).collect();
    let ended = |status| TurnState::Ended(status);
    let expected = [
        (ids[2], 3, Some(ids[0]), ended(TurnStatus::Failed), "translator"),
        (ids[1], 2, Some(ids[0]), ended(TurnStatus::Completed), "translator"),
        (ids[0], 1, None, ended(TurnStatus::Completed), "translator"),
    ];
    assert_eq!(listed, expected);
    let record = store.turn(&scope, ids[2]).await?;
    assert_eq!((record.accepted_at, record.ended_at), (turns[2].accepted_at, Some(turns[2].ended_at)));
    assert_eq!((record.usage, Some(record.trace), record.kind), (None, turns[2].trace, TurnKind::Compact));
    let record = store.turn(&scope, ids[1]).await?;
    assert_eq!((record.trace, record.kind), (TraceId::of(ids[1]), TurnKind::Message));
    assert_eq!(store.log(&scope, ids[2]).await.err(), Some(StoreError::NotFound));
    assert_eq!(store.turn_messages(&scope, ids[2]).await?, turns[2].messages);

    let next = running(store.accept(&scope, fixture.says(SessionKey::Id(new.id), "d")).await?)?;
    assert_eq!((next.number, next.messages), (4, 5));
    assert_eq!(sent(&store.history(&next.claim).await?), ["a", "A", "b", "B"]);
    Ok(())
}

/// The session may have no turns, or turns but no head.
pub async fn an_imported_session_may_have_no_head<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    for turns in [Vec::new(), vec![turn(&fixture, None, "a")]] {
        let (new, count) = (session(&fixture), turns.len());
        let imported = ImportedTurns { turns, head: None };
        let made = fixture.store().import(&fixture.scope(), new.clone(), imported).await?;
        assert_eq!((made.turns as usize, made.head), (count, None));
        let next = running(fixture.store().accept(&fixture.scope(), fixture.says(SessionKey::Id(new.id), "b")).await?)?;
        assert_eq!((next.number as usize, next.messages), (count + 1, 1));
    }
    Ok(())
}

/// A refused import does not even create the session.
pub async fn an_import_that_is_refused_leaves_nothing<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let not_there = StoreError::Conflict(ConflictKind::NotInSession);
    let mut names_a_file = turn(&fixture, Some(1), "b");
    names_a_file.blobs.push(BlobId(fixture.uuid()));
    for (second, head, error) in [
        (turn(&fixture, Some(2), "b"), Some(1), not_there.clone()),
        (turn(&fixture, Some(0), "b"), Some(1), not_there.clone()),
        (turn(&fixture, Some(1), "b"), Some(3), not_there.clone()),
        (turn(&fixture, Some(1), "b"), Some(0), not_there),
        (names_a_file, Some(1), StoreError::NotFound),
    ] {
        let imported = ImportedTurns { turns: vec![turn(&fixture, None, "a"), second], head };
        let refused = fixture.store().import(&fixture.scope(), session(&fixture), imported).await;
        assert_eq!(refused.err(), Some(error));
    }
    let list = fixture.store().list(&fixture.scope(), SessionPage { limit: 9, after: None, archived: None }).await?;
    assert_eq!(list.sessions, []);
    Ok(())
}

/// The files are kept as long as the session.
pub async fn the_files_of_an_imported_session_are_kept<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (store, scope) = (fixture.store(), fixture.scope());
    let content = || stream::iter([Ok(Bytes::from_static(b"a file"))]).boxed();
    let mut files = Vec::new();
    for name in ["kept", "not named"] {
        let new = NewBlob { id: BlobId(fixture.uuid()), name: name.into(), at: fixture.now() };
        files.push(store.put(&scope, new, content()).await?.id);
    }
    let mut first = turn(&fixture, None, "look");
    first.blobs = vec![files[0]];
    let imported = ImportedTurns { turns: vec![first], head: Some(1) };
    store.import(&scope, session(&fixture), imported).await?;
    assert_eq!(store.delete_unreferenced(&fixture.sweep(), fixture.now()).await?, 1);
    assert!(store.open(&scope, files[0]).await.is_ok());
    assert_eq!(store.open(&scope, files[1]).await.err(), Some(StoreError::NotFound));
    Ok(())
}

/// The messages of a running turn can be read as well. A queued turn has no messages yet.
pub async fn the_messages_of_one_turn_are_read<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let queued = fixture.enqueue(first.session.id, "two").await?;
    let said = async |turn| fixture.store().turn_messages(&fixture.scope(), turn).await.map(|said| texts(&said));
    assert_eq!(said(first.claim.turn()).await?, ["one"]);
    assert_eq!(said(queued).await?, [""; 0]);
    fixture.end(&first.claim, "1").await?;
    assert_eq!(said(first.claim.turn()).await?, ["one", "1"]);
    assert_eq!(said(queued).await?, ["two"]);
    assert_eq!(said(TurnId(fixture.uuid())).await.err(), Some(StoreError::NotFound));
    Ok(())
}
