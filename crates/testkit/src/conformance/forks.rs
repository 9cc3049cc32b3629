//! Sessions forked from another session's history.

use turnkit_core::ports::{Fork, SessionEdit, SessionStore as _, TurnPage, TurnStore as _};
use turnkit_core::{
    Arguments, CallUid, ClaimedTurn, ConflictKind, Entry, Message, Part, Role, SamplingParams, SessionId, SessionKey,
    SessionName, SessionSummary, StopReason, StoreError, ToolCall, ToolResult, ToolUse, TurnId, TurnState, TurnStatus,
    Usage,
};

use super::fixture::{Error, sent, texts};
use super::{Backend, Fixture, Outcome, running};

async fn fork<B: Backend>(
    fixture: &Fixture<B>,
    from: SessionId,
    after: Option<TurnId>,
) -> Result<SessionSummary, StoreError> {
    let (new, turn) = (SessionId(fixture.uuid()), TurnId(fixture.uuid()));
    fixture.store().fork(&fixture.scope(), Fork { from, after, new, turn, title: None, at: fixture.now() }).await
}

async fn say<B: Backend>(fixture: &Fixture<B>, session: SessionId, text: &str) -> Result<ClaimedTurn, Error> {
    running(fixture.store().accept(&fixture.scope(), fixture.says(SessionKey::Id(session), text)).await?)
}

async fn said<B: Backend>(fixture: &Fixture<B>, session: SessionId) -> Result<Vec<String>, Error> {
    Ok(texts(&fixture.store().messages(&fixture.scope(), session).await?))
}

/// The original and the fork continue independently. The fork is charged no usage.
pub async fn a_fork_continues_from_the_messages_of_its_origin<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let name: SessionName = "mine".parse()?;
    let accept = fixture.says(SessionKey::Name(name), "one");
    let first = running(fixture.store().accept(&fixture.scope(), accept).await?)?;
    let mut last = fixture.last(&first.claim, "1")?;
    last.metadata.insert("mood".to_owned(), "good".into());
    fixture.store().checkpoint(&first.claim, last).await?;
    let second = say(&fixture, first.session.id, "two").await?;
    fixture.end(&second.claim, "2").await?;
    let params = SamplingParams { max_tokens: Some(800), ..SamplingParams::default() };
    let (prompt, params, tools) = (Some(Some("terse".into())), Some(params), Some(ToolUse::None));
    let edit = SessionEdit { prompt, params, tools, mode: Some(Some("plan".into())), ..SessionEdit::default() };
    let before = fixture.store().edit(&fixture.scope(), first.session.id, edit).await?;

    let (new, turn, at) = (SessionId(fixture.uuid()), TurnId(fixture.uuid()), fixture.now());
    let request = Fork { from: first.session.id, after: None, new, turn, title: Some("another".into()), at };
    let made = fixture.store().fork(&fixture.scope(), request.clone()).await?;
    let expected = SessionSummary {
        id: new,
        name: None,
        title: "another".into(),
        turns: 2,
        created_at: at,
        last_active: at,
        usage: Usage::default(),
        head: Some(request.turn_number(2)),
        ..before.clone()
    };
    assert_eq!(made, expected);
    assert_eq!(fixture.store().summary(&fixture.scope(), new).await?, made);
    assert_eq!(
        (fixture.state(turn).await?, said(&fixture, new).await?.len()),
        (TurnState::Ended(TurnStatus::Completed), 4)
    );
    assert_eq!(fixture.store().turn(&fixture.scope(), turn).await?.usage, None);
    assert_eq!(fixture.store().log(&fixture.scope(), turn).await.err(), Some(StoreError::NotFound));

    let next = say(&fixture, new, "three").await?;
    assert_eq!((next.number, next.messages), (3, 5));
    assert_eq!(sent(&fixture.store().history(&next.claim).await?), ["one", "1", "two", "2"]);
    fixture.end(&next.claim, "3").await?;
    assert_eq!(fixture.store().summary(&fixture.scope(), first.session.id).await?, before);
    assert_eq!(said(&fixture, first.session.id).await?, ["one", "1", "two", "2"]);
    assert_eq!(said(&fixture, fork(&fixture, new, None).await?.id).await?, ["one", "1", "two", "2", "three", "3"]);
    Ok(())
}

/// Without a new title the fork keeps the old one. Messages after the chosen turn are left out.
pub async fn a_fork_can_be_made_after_an_earlier_turn<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let dropped = fixture.enqueue(first.session.id, "never mind").await?;
    fixture.store().request_stop(&fixture.scope(), dropped, StopReason::Cancelled, fixture.now()).await?;
    fixture.end(&first.claim, "1").await?;
    let third = say(&fixture, first.session.id, "three").await?;
    fixture.end(&third.claim, "3").await?;
    let cases = [
        (first.claim.turn(), 1, vec!["one", "1"]),
        (dropped, 1, vec!["one", "1"]),
        (third.claim.turn(), 2, vec!["one", "1", "three", "3"]),
    ];
    for (after, turns, expected) in cases {
        let made = fork(&fixture, first.session.id, Some(after)).await?;
        assert_eq!((&*made.title, made.turns), ("one", turns));
        assert_eq!(said(&fixture, made.id).await?, expected);
    }
    Ok(())
}

/// Every turn is copied to the fork with a new id, which its calls carry too. Turn boundaries stay where they were.
pub async fn a_fork_keeps_turns_and_their_boundaries<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let uid = CallUid { turn: first.claim.turn(), step: 1, ordinal: 0 };
    let quoted = format!(r#"you said "uid":"{uid}""#);
    let mut calls = fixture.boundary(&first.claim, 2, &quoted)?;
    calls.messages = vec![Entry::new(called(uid, &quoted)), Entry::new(answered(uid))];
    fixture.store().checkpoint(&first.claim, calls).await?;
    fixture.store().checkpoint(&first.claim, fixture.ending(&first.claim, 3, TurnStatus::Failed, "1")?).await?;
    let second = say(&fixture, first.session.id, "two").await?;
    fixture.end(&second.claim, "2").await?;

    let (new, turn, at) = (SessionId(fixture.uuid()), TurnId(fixture.uuid()), fixture.now());
    let request = Fork { from: first.session.id, after: None, new, turn, title: None, at };
    let ids = [request.turn_number(1), request.turn_number(2)];
    fixture.store().fork(&fixture.scope(), request).await?;
    let page = TurnPage { session: Some(new), state: None, limit: 9, after: None, ..TurnPage::default() };
    let turns = fixture.store().turns(&fixture.scope(), page).await?.turns;
    let listed: Vec<_> = turns.iter().rev().map(|turn| (turn.id, turn.number, turn.state)).collect();
    assert_eq!(
        listed,
        [(ids[0], 1, TurnState::Ended(TurnStatus::Failed)), (ids[1], 2, TurnState::Ended(TurnStatus::Completed))]
    );
    assert_eq!(ids[0], turn);
    let original = fixture.store().turn(&fixture.scope(), first.claim.turn()).await?;
    assert_eq!((turns[1].accepted_at, turns[1].ended_at), (original.accepted_at, original.ended_at));

    let uid = CallUid { turn: ids[0], ..uid };
    let messages = fixture.store().messages(&fixture.scope(), new).await?;
    assert_eq!(messages[1..3], [called(uid, &quoted), answered(uid)]);
    let again = fork(&fixture, new, Some(ids[0])).await?;
    assert_eq!(said(&fixture, again.id).await?.len(), 4);
    Ok(())
}

fn called(uid: CallUid, text: &str) -> Message {
    let call = ToolCall {
        uid,
        provider_id: "call_1".to_owned(),
        name: "lookup".to_owned(),
        arguments: Arguments("{}".to_owned()),
        extras: None,
    };
    Message::new(Role::Assistant, vec![Part::text(text), Part::ToolCall(call)])
}

fn answered(uid: CallUid) -> Message {
    let (name, content) = ("lookup".to_owned(), "found".to_owned());
    let result = ToolResult::new(uid, name, content);
    Message::new(Role::Tool, vec![Part::ToolResult(result)])
}

/// A turn that may still produce messages is not copied. The fork leaves it out, or is refused if it asks for that
/// turn.
pub async fn a_turn_that_is_not_over_is_not_taken_over<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    assert_eq!(fork(&fixture, first.session.id, None).await?.turns, 0);
    fixture.end(&first.claim, "1").await?;
    let second = say(&fixture, first.session.id, "two").await?;
    let queued = fixture.enqueue(first.session.id, "three").await?;
    let dropped = fixture.enqueue(first.session.id, "four").await?;
    fixture.store().request_stop(&fixture.scope(), dropped, StopReason::Cancelled, fixture.now()).await?;

    let not_over = Some(StoreError::Conflict(ConflictKind::TurnNotEnded));
    for turn in [second.claim.turn(), queued, dropped] {
        assert_eq!(fork(&fixture, first.session.id, Some(turn)).await.err(), not_over);
    }
    let made = fork(&fixture, first.session.id, None).await?;
    assert_eq!(said(&fixture, made.id).await?, ["one", "1"]);

    fixture.store().request_stop(&fixture.scope(), second.claim.turn(), StopReason::Cancelled, fixture.now()).await?;
    assert_eq!(fork(&fixture, first.session.id, Some(second.claim.turn())).await.err(), not_over);
    let mut last = fixture.ending(&second.claim, 2, TurnStatus::Cancelled, "2")?;
    last.despite_stop = true;
    fixture.store().checkpoint(&second.claim, last).await?;
    let made = fork(&fixture, first.session.id, Some(second.claim.turn())).await?;
    assert_eq!(said(&fixture, made.id).await?, ["one", "1", "two", "2"]);
    Ok(())
}

/// An empty session has no messages to copy, so the fork has no turn for them.
pub async fn a_fork_of_an_empty_session_is_empty<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let empty = fixture.create(None).await?.id;
    let edit = SessionEdit { title: Some("empty".into()), ..SessionEdit::default() };
    fixture.store().edit(&fixture.scope(), empty, edit).await?;
    let made = fork(&fixture, empty, None).await?;
    assert_eq!((&*made.title, made.turns), ("empty", 0));
    assert_eq!(say(&fixture, made.id, "one").await?.number, 1);
    Ok(())
}

/// A turn belongs to one session only.
pub async fn a_fork_after_a_turn_of_another_session_is_not_found<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (first, other) = (fixture.start("one").await?, fixture.start("another").await?);
    for claimed in [&first, &other] {
        fixture.end(&claimed.claim, "done").await?;
    }
    for turn in [other.claim.turn(), TurnId(fixture.uuid())] {
        assert_eq!(fork(&fixture, first.session.id, Some(turn)).await.err(), Some(StoreError::NotFound));
    }
    Ok(())
}
