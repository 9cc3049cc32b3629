//! Turns of sub-agents: started with a checkpoint of the parent turn, stopped with it, and reported to it.

use turnkit_core::ports::{Fork, SessionPage, SessionStore as _, TurnStore as _, WaitPage};
use turnkit_core::{
    Arguments, BusyPolicy, CallUid, Checkpoint, CheckpointOutcome, ChildError, ChildReport, Claim, ClaimedTurn,
    ConflictKind, DecidedWait, Denial, LogEntry, NewChild, NewWait, Recorded, Resolution, ResolveOutcome, SessionId,
    SessionKey, StopReason, StoreError, Tokens, TurnId, TurnState, TurnStatus, Usage, WaitId, WaitKind, WaitQuestion,
};

use super::fixture::Error;
use super::{Backend, Fixture, Outcome};

/// A turn that waits for a sub-agent, and the sub-agent's turn.
struct Family {
    parent: ClaimedTurn,
    wait: NewWait,
    child: ClaimedTurn,
}

fn report(child: &ClaimedTurn, status: TurnStatus) -> ChildReport {
    let usage = Usage { fresh: 3, output: 2, ..Usage::default() };
    ChildReport {
        turn: child.claim.turn(),
        session: child.session.id,
        agent: child.agent.to_string(),
        status,
        error: (status != TurnStatus::Completed)
            .then(|| ChildError { code: "loop".to_owned(), message: "it made no progress".to_owned() }),
        text: "three".to_owned(),
        tokens: Tokens::of(&usage),
        cost: usage.cost,
    }
}

impl<B: Backend> Fixture<B> {
    /// Returns a wait of `turn` for a sub-agent.
    fn wait_for_child(&self, turn: TurnId, step: u16) -> NewWait {
        let question = WaitQuestion {
            name: "task".to_owned(),
            arguments: Arguments("{}".to_owned()),
            reason: "a sub-agent works on it".to_owned(),
            preview: None,
            question: None,
            grantable: None,
            child: None,
        };
        let id = WaitId { call: CallUid { turn, step, ordinal: 0 }, number: 0 };
        let expires_at = self.now().plus(std::time::Duration::from_secs(3600));
        NewWait { id, kind: WaitKind::Child, question, binding: [3; 32], expires_at }
    }

    /// Writes the checkpoint after which `parent` waits for a sub-agent, whose turn is in `session` or in a new
    /// session.
    async fn begin_below(
        &self,
        parent: &Claim,
        (seq, step): (u32, u16),
        session: Option<SessionId>,
    ) -> Result<(NewWait, ClaimedTurn), Error> {
        let wait = self.wait_for_child(parent.turn(), step);
        let mut accept = self.says(session.map_or(SessionKey::New, SessionKey::Id), "count");
        accept.started = LogEntry { at: accept.at, kind: Recorded::turn_started("clerk") };
        accept.agent = "clerk".into();
        let child = NewChild { wait: wait.id, accept };
        let checkpoint = Checkpoint {
            waits: vec![wait.clone()],
            children: vec![child],
            waiting: true,
            ..self.boundary(parent, seq, "wait")?
        };
        match self.store().checkpoint(parent, checkpoint).await? {
            CheckpointOutcome::Committed { decided: None, mut children, .. } if children.len() == 1 => {
                Ok((wait, children.remove(0)))
            }
            other => Err(format!("no sub-agent began: {other:?}").into()),
        }
    }

    async fn family(&self) -> Result<Family, Error> {
        let parent = self.start("plan").await?;
        let (wait, child) = self.begin_below(&parent.claim, (2, 1), None).await?;
        Ok(Family { parent, wait, child })
    }

    /// Ends a sub-agent's turn.
    async fn end_child(&self, child: &ClaimedTurn, seq: u32, status: TurnStatus) -> Result<CheckpointOutcome, Error> {
        let report = Some(Box::new(report(child, status)));
        let last = Checkpoint {
            report,
            despite_stop: true,
            has_waited: true,
            ..self.ending(&child.claim, seq, status, "three")?
        };
        Ok(self.store().checkpoint(&child.claim, last).await?)
    }

    async fn decided(&self, wait: WaitId) -> Result<Option<Resolution>, Error> {
        Ok(self.store().wait(&self.scope(), wait).await?.decided.map(|(resolution, _)| resolution))
    }
}

/// The sub-agent's turn is claimed for the same worker. Its session appears in no list.
pub async fn a_child_turn_begins_with_the_boundary_that_waits_for_it<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let Family { parent, wait, child } = fixture.family().await?;
    assert_eq!((&*child.agent, child.number, child.messages, child.attempts), ("clerk", 1, 1, 1));
    assert_eq!(child.claim.worker(), parent.claim.worker());
    assert_ne!(child.session.id, parent.session.id);
    assert_eq!(fixture.said_in(child.claim.turn()).await?, ["count"]);
    assert_eq!(fixture.state(parent.claim.turn()).await?, TurnState::Waiting);
    assert_eq!(fixture.state(child.claim.turn()).await?, TurnState::Running);
    let list = fixture.store().list(&fixture.scope(), SessionPage { limit: 10, after: None, archived: None }).await?;
    assert_eq!(list.sessions.iter().map(|session| session.id).collect::<Vec<_>>(), [parent.session.id]);
    for (turn, pending, expected) in [(None, true, 0), (Some(parent.claim.turn()), true, 0), (None, false, 1)] {
        let page = WaitPage { session: None, turn, below: false, pending, limit: 9, after: None };
        assert_eq!(fixture.store().waits(&fixture.scope(), page).await?.waits.len(), expected);
    }
    assert_eq!(fixture.store().wait(&fixture.scope(), wait.id).await?.kind, WaitKind::Child);
    Ok(())
}

/// A page of a turn or of a session contains the waits of all turns of sub-agents below, if these are requested.
pub async fn waits_below_are_listed_with_the_turn_and_the_session_above<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (_, beside) = fixture.start_asking().await?;
    let Family { parent, wait, child } = fixture.family().await?;
    let (inner, grandchild) = fixture.begin_below(&child.claim, (2, 1), None).await?;
    let turns = [&parent, &child, &grandchild].map(|claimed| claimed.claim.turn());
    let sessions = [&parent, &child, &grandchild].map(|claimed| claimed.session.id);
    let id = WaitId { call: CallUid { turn: turns[2], step: 1, ordinal: 0 }, number: 0 };
    let approval = NewWait { id, kind: WaitKind::Approval, ..fixture.wait_for_child(turns[2], 1) };
    let boundary = fixture.asks(&grandchild.claim, 2, &[approval], true)?;
    fixture.store().checkpoint(&grandchild.claim, boundary).await?;

    let (store, scope) = (fixture.store(), fixture.scope());
    for (turn, above) in [(turns[0], None), (turns[1], Some(turns[0])), (turns[2], Some(turns[1]))] {
        assert_eq!(store.turn(&scope, turn).await?.parent, above);
    }
    assert_eq!(store.wait(&scope, id).await?.parent, Some(turns[1]));
    assert_eq!(store.wait(&scope, wait.id).await?.parent, None);

    let page = WaitPage { session: None, turn: None, below: true, pending: true, limit: 9, after: None };
    let of_turn = |turn: TurnId| WaitPage { turn: Some(turn), ..page };
    let of_session = |session: SessionId| WaitPage { session: Some(session), ..page };
    let all = |page: WaitPage| WaitPage { pending: false, ..page };
    for (page, expected) in [
        (of_turn(turns[0]), vec![id]),
        (of_turn(turns[1]), vec![id]),
        (of_turn(turns[2]), vec![id]),
        (of_session(sessions[0]), vec![id]),
        (of_session(sessions[2]), vec![id]),
        (WaitPage { below: false, ..of_turn(turns[0]) }, vec![]),
        (WaitPage { below: false, ..of_session(sessions[0]) }, vec![]),
        (WaitPage { turn: Some(turns[2]), ..of_session(sessions[0]) }, vec![id]),
        (all(of_turn(turns[0])), vec![wait.id, inner.id, id]),
        (all(of_turn(turns[1])), vec![inner.id, id]),
        (all(of_session(sessions[0])), vec![wait.id, inner.id, id]),
        (all(of_session(sessions[1])), vec![inner.id, id]),
        (WaitPage { after: Some(wait.id), ..all(of_turn(turns[0])) }, vec![inner.id, id]),
        (of_turn(beside[0].id.call.turn), vec![beside[0].id, beside[1].id]),
    ] {
        let listed = store.waits(&scope, page).await?.waits;
        assert_eq!(listed.iter().map(|wait| wait.id).collect::<Vec<_>>(), expected, "{page:?}");
    }
    Ok(())
}

/// The transaction that ends the sub-agent's turn also makes the parent turn claimable, whichever process dies before
/// or after.
pub async fn the_end_of_a_child_turn_decides_the_wait_of_its_parent<B: Backend>() -> Outcome {
    for status in [TurnStatus::Completed, TurnStatus::Failed] {
        let fixture = Fixture::<B>::new().await?;
        let Family { parent, wait, child } = fixture.family().await?;
        let fixture = fixture.restart().await?;
        let mut claimed = fixture.claim_all().await?;
        let again = claimed.pop().filter(|_| claimed.is_empty()).ok_or("not the sub-agent alone")?;
        assert_eq!(again.claim.turn(), child.claim.turn());
        fixture.end_child(&again, 2, status).await?;
        assert_eq!(fixture.state(parent.claim.turn()).await?, TurnState::Running);

        let fixture = fixture.restart().await?;
        let owner = fixture.claim_all().await?.pop().ok_or("not claimed")?;
        assert_eq!(owner.claim.turn(), parent.claim.turn());
        let resolution = Resolution::Child(Box::new(report(&child, status)));
        let expected = [DecidedWait { id: wait.id, resolution, binding: wait.binding }];
        assert_eq!(fixture.store().load(&owner.claim).await?.decided, expected);
    }
    Ok(())
}

/// The work of sub-agents is not lost when the user sends another message. A turn that waits for a person is
/// superseded, as it would be without sub-agents.
pub async fn a_message_waits_for_a_turn_that_waits_for_sub_agents_alone<B: Backend>() -> Outcome {
    for asks in [false, true] {
        let fixture = Fixture::<B>::new().await?;
        let Family { parent, child, .. } = fixture.family().await?;
        let (_, grandchild) = fixture.begin_below(&child.claim, (2, 1), None).await?;
        if asks {
            let turn = grandchild.claim.turn();
            let id = WaitId { call: CallUid { turn, step: 1, ordinal: 0 }, number: 0 };
            let approval = NewWait { id, kind: WaitKind::Approval, ..fixture.wait_for_child(turn, 1) };
            let boundary = fixture.asks(&grandchild.claim, 2, &[approval], true)?;
            fixture.store().checkpoint(&grandchild.claim, boundary).await?;
        }
        fixture.enqueue(parent.session.id, "something else").await?;
        let expected = if asks { TurnState::Cancelling } else { TurnState::Waiting };
        assert_eq!(fixture.state(parent.claim.turn()).await?, expected, "{asks}");
    }
    Ok(())
}

/// A stop marks every descendant turn in the same transaction. The result of the parent's last checkpoint names the
/// descendants that have not ended.
pub async fn a_stop_reaches_every_turn_below<B: Backend>() -> Outcome {
    for supersedes in [false, true] {
        let fixture = Fixture::<B>::new().await?;
        let Family { parent, wait, child } = fixture.family().await?;
        let (inner, grandchild) = fixture.begin_below(&child.claim, (2, 1), None).await?;
        let turns = [&parent, &child, &grandchild].map(|claimed| claimed.claim.turn());
        let at = fixture.now();
        if supersedes {
            let mut message = fixture.says(SessionKey::Id(parent.session.id), "something else");
            message.busy = BusyPolicy::Interrupt;
            fixture.store().accept(&fixture.scope(), message).await?;
        } else {
            fixture.store().request_stop(&fixture.scope(), turns[0], StopReason::Cancelled, at).await?;
        }
        for turn in turns {
            assert_eq!(fixture.state(turn).await?, TurnState::Cancelling);
        }
        let by = if supersedes { Denial::Superseded } else { Denial::Cancelled };
        assert_eq!(fixture.decided(wait.id).await?, Some(Resolution::Denied { by, note: None }));
        let cancelled = Resolution::Denied { by: Denial::Cancelled, note: None };
        assert_eq!(fixture.decided(inner.id).await?, Some(cancelled.clone()));

        let fixture = fixture.restart().await?;
        let claimed = fixture.claim_all().await?;
        let owned = |turn: TurnId| claimed.iter().find(|claimed| claimed.claim.turn() == turn).ok_or("not claimed");
        let last = Checkpoint {
            despite_stop: true,
            has_waited: true,
            ..fixture.ending(&owned(turns[0])?.claim, 3, TurnStatus::Cancelled, "stopped")?
        };
        let written = fixture.store().checkpoint(&owned(turns[0])?.claim, last).await?;
        let CheckpointOutcome::Committed { stops, .. } = written else { return Err("not written".into()) };
        assert_eq!(stops.len(), 2, "{stops:?}");
        assert!(turns[1..].iter().all(|turn| stops.contains(turn)));
        // The wait is already decided, so the report of this turn has no effect.
        fixture.end_child(owned(turns[2])?, 2, TurnStatus::Cancelled).await?;
        assert_eq!(fixture.decided(inner.id).await?, Some(cancelled));
        let written = fixture.end_child(owned(turns[1])?, 3, TurnStatus::Cancelled).await?;
        assert!(matches!(written, CheckpointOutcome::Committed { stops, .. } if stops.is_empty()));
    }
    Ok(())
}

/// A turn that ends by itself while its sub-agents run also stops the sub-agents.
pub async fn the_end_of_a_turn_stops_the_turns_below<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let parent = fixture.start("plan").await?;
    let wait = fixture.wait_for_child(parent.claim.turn(), 1);
    let child = NewChild { wait: wait.id, accept: fixture.says(SessionKey::New, "count") };
    let (turn, below) = (parent.claim.turn(), child.accept.turn);
    let begins = Checkpoint { waits: vec![wait], children: vec![child], ..fixture.boundary(&parent.claim, 2, "go")? };
    fixture.store().checkpoint(&parent.claim, begins).await?;
    let last = Checkpoint { has_waited: true, ..fixture.ending(&parent.claim, 3, TurnStatus::Expired, "late")? };
    let written = fixture.store().checkpoint(&parent.claim, last).await?;
    assert!(matches!(&written, CheckpointOutcome::Committed { stops, .. } if *stops == [below]), "{written:?}");
    assert_eq!(fixture.state(turn).await?, TurnState::Ended(TurnStatus::Expired));
    assert_eq!(fixture.state(below).await?, TurnState::Cancelling);
    Ok(())
}

/// Only ancestor turns may add turns to a sub-agent's session. The session is deleted together with its parent session.
pub async fn a_session_below_belongs_to_the_session_above<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (scope, Family { parent, child, wait }) = (fixture.scope(), fixture.family().await?);
    let session = child.session.id;
    let refused = Some(StoreError::Conflict(ConflictKind::OwnedBySubAgent));
    for busy in [BusyPolicy::Enqueue, BusyPolicy::Reject, BusyPolicy::Interrupt] {
        let mut says = fixture.says(SessionKey::Id(session), "me too");
        says.busy = busy;
        assert_eq!(fixture.store().accept(&scope, says).await.err(), refused);
    }
    let (new, turn, at) = (SessionId(fixture.uuid()), TurnId(fixture.uuid()), fixture.now());
    let fork = Fork { from: session, after: None, new, turn, title: None, at };
    assert_eq!(fixture.store().fork(&scope, fork).await.err(), refused);
    let busy = Some(StoreError::Conflict(ConflictKind::SessionBusy));
    assert_eq!(fixture.store().delete(&scope, parent.session.id).await.err(), busy);

    fixture.end_child(&child, 2, TurnStatus::Completed).await?;
    let by_person = fixture.store().resolve(&scope, wait.id, Resolution::denied(None), None, fixture.now()).await?;
    assert!(!matches!(by_person, ResolveOutcome::Decided { .. }), "{by_person:?}");
    let owner = fixture.claim_all().await?.pop().ok_or("not claimed")?;
    let (_, again) = fixture.begin_below(&owner.claim, (3, 2), Some(session)).await?;
    assert_eq!((again.session.id, again.number, again.messages), (session, 2, 3), "it continues the session");
    fixture.end_child(&again, 2, TurnStatus::Completed).await?;
    let owner = fixture.claim_all().await?.pop().ok_or("not claimed")?;
    // A session that is not a descendant is not continued; a new one is created instead.
    let (_, other) = fixture.begin_below(&owner.claim, (4, 3), Some(parent.session.id)).await?;
    assert!(![session, parent.session.id].contains(&other.session.id));
    fixture.end_child(&other, 2, TurnStatus::Completed).await?;
    let owner = fixture.claim_all().await?.pop().ok_or("not claimed")?;
    let last = Checkpoint { has_waited: true, ..fixture.ending(&owner.claim, 5, TurnStatus::Completed, "done")? };
    fixture.store().checkpoint(&owner.claim, last).await?;
    fixture.store().delete(&scope, parent.session.id).await?;
    for session in [parent.session.id, session, other.session.id] {
        assert_eq!(fixture.store().session(&scope, session).await.err(), Some(StoreError::NotFound));
    }
    Ok(())
}
