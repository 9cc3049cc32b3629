//! Chores: turns that the service starts itself in idle sessions.

use turnkit_core::ports::{SessionEdit, SessionStore as _, TurnPage, TurnStore as _};
use turnkit_core::{
    AcceptOutcome, BusyPolicy, CheckpointOutcome, ConflictKind, NewTurn, Recorded, SessionId, SessionKey, StopReason,
    StoreError, Timestamp, TitleChange, TurnKind, TurnState, TurnStatus,
};

use super::fixture::{Error, sent};
use super::{Backend, Fixture, Outcome, ended, running};

fn chore<B: Backend>(fixture: &Fixture<B>, session: SessionKey) -> NewTurn {
    NewTurn { busy: BusyPolicy::Reject, chore: true, ..fixture.says(session, "tidy up") }
}

/// Creates a session with one ended turn.
async fn begun<B: Backend>(fixture: &Fixture<B>) -> Result<SessionId, Error> {
    let first = fixture.start("one").await?;
    fixture.end(&first.claim, "1").await?;
    Ok(first.session.id)
}

/// The chore stops and the message runs next, whatever busy policy its sender chose.
pub async fn a_message_stops_a_chore<B: Backend>() -> Outcome {
    for busy in [BusyPolicy::Enqueue, BusyPolicy::Reject, BusyPolicy::Interrupt] {
        let fixture = Fixture::<B>::new().await?;
        let session = begun(&fixture).await?;
        let accepted = fixture.store().accept(&fixture.scope(), chore(&fixture, SessionKey::Id(session))).await?;
        let claimed = running(accepted)?;
        assert!(claimed.chore);
        let message = NewTurn { busy, ..fixture.says(SessionKey::Id(session), "two") };
        let id = message.turn;
        let AcceptOutcome::Queued { stop, superseded, .. } = fixture.store().accept(&fixture.scope(), message).await?
        else {
            return Err("not queued".into());
        };
        assert_eq!((stop, superseded), (Some(claimed.claim.turn()), Vec::new()));
        assert_eq!(fixture.state(claimed.claim.turn()).await?, TurnState::Cancelling);

        let written = fixture.store().checkpoint(&claimed.claim, fixture.last(&claimed.claim, "tidy")?).await?;
        assert!(matches!(written, CheckpointOutcome::StopFirst(StopReason::Superseded)));
        let mut last = fixture.ending(&claimed.claim, 2, TurnStatus::Interrupted, "so far")?;
        last.despite_stop = true;
        let next = ended(fixture.store().checkpoint(&claimed.claim, last).await?)?;
        assert_eq!(next.map(|next| (next.claim.turn(), next.chore)), Some((id, false)));
        // The message runs now, so the session is as busy as any other.
        let refused = NewTurn { busy: BusyPolicy::Reject, ..fixture.says(SessionKey::Id(session), "three") };
        let refused = fixture.store().accept(&fixture.scope(), refused).await.err();
        assert_eq!(refused, Some(StoreError::Conflict(ConflictKind::SessionBusy)));
    }
    Ok(())
}

/// A chore is never queued, neither behind a user's turn nor behind another chore.
pub async fn a_chore_is_refused_by_a_busy_session<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let session = begun(&fixture).await?;
    for busy_with in [fixture.says(SessionKey::Id(session), "two"), chore(&fixture, SessionKey::Id(session))] {
        let claimed = running(fixture.store().accept(&fixture.scope(), busy_with).await?)?;
        let refused = fixture.store().accept(&fixture.scope(), chore(&fixture, SessionKey::Id(session))).await.err();
        assert_eq!(refused, Some(StoreError::Conflict(ConflictKind::SessionBusy)));
        fixture.end(&claimed.claim, "done").await?;
    }
    Ok(())
}

/// Clients do not return to an ephemeral session.
pub async fn an_ephemeral_session_refuses_chores<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let accept = fixture.says(SessionKey::Ephemeral(Vec::new()), "one");
    let claimed = running(fixture.store().accept(&fixture.scope(), accept).await?)?;
    fixture.end(&claimed.claim, "1").await?;
    let chore = chore(&fixture, SessionKey::Id(claimed.session.id));
    assert_eq!(fixture.store().accept(&fixture.scope(), chore).await.err(), Some(StoreError::NotFound));
    Ok(())
}

/// The next owner learns from its claim that the turn is a chore.
pub async fn a_chore_is_claimed_as_a_chore_after_a_restart<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let session = begun(&fixture).await?;
    let accepted = fixture.store().accept(&fixture.scope(), chore(&fixture, SessionKey::Id(session))).await?;
    let turn = running(accepted)?.claim.turn();
    let fixture = fixture.restart().await?;
    let claimed = fixture.claim_all().await?;
    assert_eq!(claimed.iter().map(|one| (one.claim.turn(), one.chore)).collect::<Vec<_>>(), [(turn, true)]);
    let message = fixture.says(SessionKey::Id(session), "two");
    let AcceptOutcome::Queued { stop, .. } = fixture.store().accept(&fixture.scope(), message).await? else {
        return Err("not queued".into());
    };
    assert_eq!(stop, Some(turn));
    Ok(())
}

/// A chore does not replace a title that the user has set.
pub async fn a_title_takes_the_place_of_the_one_it_is_for<B: Backend>() -> Outcome {
    for (title, expected) in [("one", "better"), ("", "better"), ("mine", "mine")] {
        let fixture = Fixture::<B>::new().await?;
        let session = begun(&fixture).await?;
        let edit = SessionEdit { title: Some(title.into()), ..SessionEdit::default() };
        fixture.store().edit(&fixture.scope(), session, edit).await?;
        let accepted = fixture.store().accept(&fixture.scope(), chore(&fixture, SessionKey::Id(session))).await?;
        let claimed = running(accepted)?;
        let mut last = fixture.last(&claimed.claim, "done")?;
        last.title = Some(TitleChange { from: "one".into(), to: "better".into() });
        fixture.store().checkpoint(&claimed.claim, last).await?;
        assert_eq!(&*fixture.store().summary(&fixture.scope(), session).await?.title, expected);
    }
    Ok(())
}

/// The next turn continues the new head, even if its message arrived before the chore ended.
pub async fn the_head_may_be_moved_while_a_chore_runs<B: Backend>() -> Outcome {
    for message_first in [false, true] {
        let fixture = Fixture::<B>::new().await?;
        let first = fixture.start("one").await?;
        let session = first.session.id;
        fixture.end(&first.claim, "1").await?;
        let second =
            running(fixture.store().accept(&fixture.scope(), fixture.says(SessionKey::Id(session), "two")).await?)?;
        fixture.end(&second.claim, "2").await?;
        let accepted = fixture.store().accept(&fixture.scope(), chore(&fixture, SessionKey::Id(session))).await?;
        let claimed = running(accepted)?;
        let edit = SessionEdit { head: Some(Some(first.claim.turn())), ..SessionEdit::default() };
        let edited = fixture.store().edit(&fixture.scope(), session, edit).await?;
        assert_eq!(edited.head, Some(first.claim.turn()));
        assert_eq!(fixture.state(claimed.claim.turn()).await?, TurnState::Cancelling);

        let message = fixture.says(SessionKey::Id(session), "three");
        let mut last = fixture.ending(&claimed.claim, 2, TurnStatus::Interrupted, "so far")?;
        last.despite_stop = true;
        let next = if message_first {
            let accepted = fixture.store().accept(&fixture.scope(), message).await?;
            // The chore's owner has not been asked to stop yet.
            assert!(matches!(accepted, AcceptOutcome::Queued { stop: Some(turn), .. } if turn == claimed.claim.turn()));
            let next = ended(fixture.store().checkpoint(&claimed.claim, last).await?)?;
            *next.ok_or("the message does not run")?
        } else {
            fixture.store().checkpoint(&claimed.claim, last).await?;
            running(fixture.store().accept(&fixture.scope(), message).await?)?
        };
        assert_eq!((next.after, next.messages), (Some(1), 3), "message first: {message_first}");
        assert_eq!(sent(&fixture.store().history(&next.claim).await?), ["one", "1"]);
    }
    Ok(())
}

/// The purpose is still listed after the turn's log has been removed.
pub async fn lists_name_the_purpose_of_a_turn<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let session = begun(&fixture).await?;
    let mut accept = chore(&fixture, SessionKey::Id(session));
    if let Recorded::TurnStarted { kind, .. } = &mut accept.started.kind {
        *kind = TurnKind::Compact;
    }
    let chore = accept.turn;
    let claimed = running(fixture.store().accept(&fixture.scope(), accept).await?)?;
    assert_eq!(fixture.store().turn(&fixture.scope(), chore).await?.kind, TurnKind::Compact);
    fixture.end(&claimed.claim, "tidy").await?;
    let after = Timestamp::from_millis(fixture.now().millis() + 1);
    fixture.store().delete_expired(&fixture.sweep(), after).await?;
    let page = TurnPage { session: Some(session), state: None, limit: 10, after: None, ..TurnPage::default() };
    let turns = fixture.store().turns(&fixture.scope(), page).await?.turns;
    let kinds: Vec<_> = turns.iter().map(|turn| turn.kind).collect();
    assert_eq!(kinds, [TurnKind::Compact, TurnKind::Message]);
    Ok(())
}
