//! Accepting requests: new, named and known sessions, idempotency keys, and traces.

use futures_util::future::join_all;
use turnkit_core::ports::{Fork, MessagePage, SessionStore as _, TurnStore as _};
use turnkit_core::{
    AcceptOutcome, ConflictKind, Fence, Message, NewTurn, Recorded, Repeat, Scope, SessionId, SessionKey, SessionName,
    StoreError, TraceId, TurnId,
};

use super::fixture::key;
use super::{Backend, Fixture, Outcome, running};

/// The caller receives the claim and the session, and the first event is stored, so it may run the turn at once.
pub async fn an_idle_session_is_claimed_at_once<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let accept = fixture.says(SessionKey::New, "hello");
    let claimed = running(fixture.store().accept(&fixture.scope(), accept.clone()).await?)?;

    assert_eq!(claimed.claim.turn(), accept.turn);
    assert_eq!((claimed.claim.fence(), claimed.claim.scope()), (Fence(1), &fixture.scope()));
    assert_eq!((claimed.number, claimed.attempts, claimed.messages), (1, 1, 1));
    assert_eq!((&*claimed.agent, claimed.caps), (&*accept.agent, accept.caps));
    assert_eq!((claimed.started_at, claimed.stop), (accept.at, None));
    assert_eq!(claimed.session.id, accept.new_session);
    assert_eq!((claimed.session.turns, &*claimed.session.agent), (1, "assistant"));

    let log = fixture.store().log(&fixture.scope(), accept.turn).await?;
    assert_eq!(log.messages.iter().map(|entry| entry.message()).collect::<Vec<_>>(), [&accept.input]);
    assert_eq!((log.caps, log.chunks.len()), (accept.caps, 1));
    assert_eq!((log.chunks[0].from_seq, log.chunks[0].to_seq, log.chunks[0].fence), (1, 1, Fence(1)));
    assert_eq!(log.chunks[0].entries, [accept.started]);
    Ok(())
}

/// A client may not choose the id of a new session.
pub async fn an_unknown_session_is_not_found<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let accept = fixture.says(SessionKey::Id(SessionId(fixture.uuid())), "hello");
    let turn = accept.turn;
    assert_eq!(fixture.store().accept(&fixture.scope(), accept).await.err(), Some(StoreError::NotFound));
    assert_eq!(fixture.store().turn(&fixture.scope(), turn).await.err(), Some(StoreError::NotFound));
    Ok(())
}

/// Names are chosen by clients, so the store accepts an unknown name as it is.
pub async fn an_unknown_name_makes_a_session_and_a_known_one_finds_it<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let name: SessionName = "Ada's chat".parse()?;
    let accept = fixture.says(SessionKey::Name(name.clone()), "hello");
    let first = running(fixture.store().accept(&fixture.scope(), accept).await?)?;
    assert_eq!(first.session.name, Some(name.clone()));
    fixture.end(&first.claim, "hi").await?;

    let again = fixture.says(SessionKey::Name(name.clone()), "again");
    let second = running(fixture.store().accept(&fixture.scope(), again).await?)?;
    assert_eq!((second.session.id, second.number), (first.session.id, 2));
    assert_eq!(fixture.store().history(&second.claim).await?.len(), 2);
    let found = fixture.store().session_named(&fixture.scope(), &name).await?;
    assert_eq!((found.id, found.turns, found.name), (first.session.id, 2, Some(name)));
    Ok(())
}

/// Clients that know only names send a session's id back as its name.
pub async fn a_name_that_is_an_id_means_that_session<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("hello").await?;
    fixture.end(&first.claim, "hi").await?;
    let name: SessionName = first.session.id.to_string().parse()?;
    let accept = || fixture.says(SessionKey::Name(name.clone()), "again");
    let second = running(fixture.store().accept(&fixture.scope(), accept()).await?)?;
    assert_eq!((second.session.id, second.number, &second.session.name), (first.session.id, 2, &None));
    assert_eq!(fixture.store().session_named(&fixture.scope(), &name).await?.id, first.session.id);

    let other = Scope::new("acme", "bob");
    let theirs = running(fixture.store().accept(&other, accept()).await?)?;
    assert_ne!(theirs.session.id, first.session.id);
    assert_eq!(theirs.session.name.as_ref(), Some(&name));
    assert_eq!(fixture.store().session_named(&other, &name).await?.id, theirs.session.id);
    Ok(())
}

/// Two users may give two sessions the same name. Concurrent requests of one user with a new name share one session.
pub async fn a_name_belongs_to_one_owner_at_a_time<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let name: SessionName = "main".parse()?;
    let other = Scope::new("acme", "bob");
    let accept = |text| fixture.says(SessionKey::Name(name.clone()), text);
    let ours = running(fixture.store().accept(&fixture.scope(), accept("mine")).await?)?;
    let theirs = running(fixture.store().accept(&other, accept("yours")).await?)?;
    assert_ne!(ours.session.id, theirs.session.id);

    let scope = fixture.scope();
    let many = join_all((0..8).map(|_| fixture.store().accept(&scope, accept("more")))).await;
    for accepted in many {
        let queued_here = matches!(accepted?, AcceptOutcome::Queued { session, .. } if session == ours.session.id);
        assert!(queued_here);
    }
    Ok(())
}

/// Retrying a request with its idempotency key is safe.
pub async fn the_same_key_and_body_start_one_turn_however_often_sent<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let scope = fixture.scope();
    let requests = (0..8).map(|_| {
        let mut accept = fixture.says(SessionKey::New, "hello");
        accept.idempotency = key("k-1", 7);
        fixture.store().accept(&scope, accept)
    });
    let mut begun = Vec::new();
    let mut repeated = Vec::new();
    for accepted in join_all(requests).await {
        match accepted? {
            AcceptOutcome::Running(claimed) => begun.push((claimed.claim.turn(), claimed.session.id)),
            AcceptOutcome::Repeated(again) => repeated.push((again.turn, again.session)),
            AcceptOutcome::Queued { .. } => return Err("queued in a new session".into()),
        }
    }
    assert_eq!((begun.len(), repeated.len()), (1, 7));
    assert!(repeated.iter().all(|again| *again == begun[0]));
    Ok(())
}

/// A client that addresses its session by name gets that name in every response about its turns.
pub async fn whatever_becomes_of_a_turn_its_session_is_named<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let name: SessionName = "mine".parse()?;
    for (session, named) in [(SessionKey::Name(name.clone()), Some(name)), (SessionKey::New, None)] {
        let mut first = fixture.says(session, "one");
        first.idempotency = key(&format!("{named:?}"), 7);
        let claimed = running(fixture.store().accept(&fixture.scope(), first.clone()).await?)?;
        let again = fixture.store().accept(&fixture.scope(), first).await?;
        let second = fixture.says(SessionKey::Id(claimed.session.id), "two");
        let queued = fixture.store().accept(&fixture.scope(), second).await?;
        assert_eq!(claimed.session.name, named);
        assert!(matches!(again, AcceptOutcome::Repeated(again) if again.name == named));
        assert!(matches!(queued, AcceptOutcome::Queued { name, .. } if name == named));
    }
    Ok(())
}

/// An idempotency key identifies one request, not a client.
pub async fn a_key_used_for_another_body_is_refused<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let mut accept = fixture.says(SessionKey::New, "hello");
    accept.idempotency = key("k-1", 7);
    running(fixture.store().accept(&fixture.scope(), accept).await?)?;

    let mut other = fixture.says(SessionKey::New, "something else");
    other.idempotency = key("k-1", 8);
    let refused = fixture.store().accept(&fixture.scope(), other).await.err();
    assert_eq!(refused, Some(StoreError::Conflict(ConflictKind::KeyReused)));
    Ok(())
}

/// A request that was rejected may be retried with the same key.
pub async fn a_refused_request_leaves_its_key_free<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let mut accept = fixture.says(SessionKey::Id(SessionId(fixture.uuid())), "hello");
    accept.idempotency = key("k-1", 7);
    assert_eq!(fixture.store().accept(&fixture.scope(), accept).await.err(), Some(StoreError::NotFound));

    let mut again = fixture.says(SessionKey::New, "hello");
    again.idempotency = key("k-1", 7);
    running(fixture.store().accept(&fixture.scope(), again).await?)?;
    Ok(())
}

/// A request that can no longer be accepted is answered with the turn that its key started.
pub async fn the_turn_of_a_key_is_found_without_starting_one<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (scope, store) = (fixture.scope(), fixture.store());
    let mut accept = fixture.says(SessionKey::Name("mine".parse()?), "hello");
    accept.idempotency = key("k-1", 7);
    let used = |name: &str, body| key(name, body).ok_or("a key");
    assert_eq!(store.find_accepted(&scope, &used("k-1", 7)?).await, Ok(None));
    let claimed = running(store.accept(&scope, accept).await?)?;

    let (turn, session, name) = (claimed.claim.turn(), claimed.session.id, claimed.session.name);
    assert_eq!(store.find_accepted(&scope, &used("k-1", 7)?).await, Ok(Some(Repeat { turn, session, name })));
    assert_eq!(store.find_accepted(&scope, &used("k-2", 7)?).await, Ok(None));
    let reused = StoreError::Conflict(ConflictKind::KeyReused);
    assert_eq!(store.find_accepted(&scope, &used("k-1", 8)?).await, Err(reused));
    assert_eq!(store.find_accepted(&Scope::new("acme", "bob"), &used("k-1", 7)?).await, Ok(None));
    Ok(())
}

/// Idempotency keys are scoped to the tenant and the user.
pub async fn keys_of_different_owners_do_not_meet<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    for (tenant, user, body) in [("acme", "ada", 1), ("acme", "bob", 2), ("other", "ada", 3)] {
        let mut accept = fixture.says(SessionKey::New, "hello");
        accept.idempotency = key("k-1", body);
        accept.input = Message::user(user);
        running(fixture.store().accept(&Scope::new(tenant, user), accept).await?)?;
    }
    Ok(())
}

/// The trace is fixed whether the turn runs at once or is queued. It survives a restart, and appears on the turn's
/// messages and on the turn's copy in a fork.
pub async fn a_turn_belongs_to_the_trace_of_its_caller_or_to_one_of_its_own<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let trace: TraceId = "4bf92f3577b34da6a3ce929d0e0e4736".parse()?;
    let traced = |mut accept: NewTurn| {
        if let Recorded::TurnStarted { trace: of_caller, .. } = &mut accept.started.kind {
            *of_caller = Some(trace);
        }
        accept
    };
    let (scope, session) = (fixture.scope(), fixture.create(None).await?.id);
    let mut turns = Vec::new();
    for (text, is_traced) in [("one", true), ("two", false), ("three", true)] {
        let accept = fixture.says(SessionKey::Id(session), text);
        let accept = if is_traced { traced(accept) } else { accept };
        turns.push((accept.turn, if is_traced { trace } else { TraceId::of(accept.turn) }));
        fixture.store().accept(&scope, accept).await?;
    }
    let fixture = fixture.restart().await?;
    let store = fixture.store();
    for (turn, expected) in &turns {
        assert_eq!(store.turn(&scope, *turn).await?.trace, *expected);
        assert_eq!(
            store.log(&scope, *turn).await?.chunks[0].entries[0].trace(),
            Some(*expected).filter(|id| *id == trace)
        );
    }
    for claimed in fixture.claim_all().await? {
        fixture.end(&claimed.claim, "1").await?;
    }
    let page = MessagePage { limit: 9, before: None, context: false };
    let said = store.message_page(&scope, session, page).await?;
    assert!(!said.is_empty() && said.iter().all(|said| turns.contains(&(said.turn, said.trace))), "{said:?}");
    let (new, turn, at) = (SessionId(fixture.uuid()), TurnId(fixture.uuid()), fixture.now());
    store.fork(&scope, Fork { from: session, after: Some(turns[0].0), new, turn, title: None, at }).await?;
    assert_eq!(store.turn(&scope, turn).await?.trace, trace);
    Ok(())
}
