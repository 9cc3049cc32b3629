//! The queue of a session: one turn runs at a time, the others wait in order.

use futures_util::future::join_all;
use turnkit_core::ports::TurnStore as _;
use turnkit_core::{
    AcceptOutcome, AgentReach, BusyPolicy, CancelOutcome, ConflictKind, Fence, MAX_QUEUED_TURNS, NewTurn, SessionId,
    SessionKey, StopReason, StoreError, TurnId, TurnState, TurnStatus,
};

use super::fixture::{Error, key, sent};
use super::{Backend, Fixture, Outcome, ended, running};

/// Exactly one of many simultaneous requests starts to run.
pub async fn one_turn_of_a_session_runs_however_many_come_at_once<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    fixture.end(&first.claim, "done").await?;

    let scope = fixture.scope();
    let requests = (0..64).map(|_| {
        let accept = fixture.says(SessionKey::Id(first.session.id), "more");
        fixture.store().accept(&scope, accept)
    });
    let mut claims = Vec::new();
    let mut numbers = Vec::new();
    for accepted in join_all(requests).await {
        match accepted? {
            AcceptOutcome::Running(claimed) => claims.push(claimed),
            AcceptOutcome::Queued { number, stop, .. } => {
                assert_eq!(stop, None);
                numbers.push(number);
            }
            AcceptOutcome::Repeated(_) => return Err("repeated without a key".into()),
        }
    }
    assert_eq!(claims.len(), 1);
    numbers.push(claims[0].number);
    numbers.sort_unstable();
    assert_eq!(numbers, (2..=65).collect::<Vec<_>>());
    Ok(())
}

/// When a turn ends, the turn that has waited longest begins.
pub async fn turns_begin_in_the_order_they_came<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("0").await?;
    let mut queued = Vec::new();
    for text in ["1", "2", "3"] {
        queued.push(fixture.enqueue(first.session.id, text).await?);
    }
    let mut claim = first.claim;
    for (turn, text) in queued.into_iter().zip(["1", "2", "3"]) {
        assert_eq!(fixture.state(turn).await?, TurnState::Queued);
        let next = fixture.end(&claim, "done").await?.ok_or("nothing was promoted")?;
        assert_eq!((next.claim.turn(), next.claim.fence(), next.attempts), (turn, Fence(1), 1));
        assert_eq!(fixture.state(turn).await?, TurnState::Running);
        assert_eq!(fixture.said_in(turn).await?, [text]);
        claim = next.claim;
    }
    assert!(fixture.end(&claim, "done").await?.is_none());
    Ok(())
}

/// A promoted turn is claimed with the current state of the session, like any other turn.
pub async fn the_next_turn_begins_with_the_history_of_the_one_before<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    fixture.enqueue(first.session.id, "two").await?;
    let next = fixture.end(&first.claim, "1").await?.ok_or("nothing was promoted")?;

    assert_eq!((next.number, next.messages, next.stop), (2, 3, None));
    assert_eq!((next.session.turns, next.session.usage.fresh), (2, 3));
    assert!(next.started_at > first.started_at);
    let history = fixture.store().history(&next.claim).await?;
    assert_eq!(sent(&history), ["one", "1"]);
    Ok(())
}

/// The request is rejected because its caller did not want to wait.
pub async fn a_busy_session_refuses_when_asked_to<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let refuse = || {
        let mut accept = fixture.says(SessionKey::Id(first.session.id), "two");
        accept.busy = BusyPolicy::Reject;
        accept
    };
    let refused = fixture.store().accept(&fixture.scope(), refuse()).await.err();
    assert_eq!(refused, Some(StoreError::Conflict(ConflictKind::SessionBusy)));

    let mut waits = fixture.boundary(&first.claim, 2, "may I?")?;
    waits.waiting = true;
    fixture.store().checkpoint(&first.claim, waits).await?;
    let refused = fixture.store().accept(&fixture.scope(), refuse()).await.err();
    assert_eq!(refused, Some(StoreError::Conflict(ConflictKind::SessionBusy)));
    assert_eq!(fixture.state(first.claim.turn()).await?, TurnState::Waiting);
    Ok(())
}

/// The store marks the running turn to stop, and the new turn follows it.
pub async fn a_running_turn_is_interrupted_when_asked_to<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let mut accept = fixture.says(SessionKey::Id(first.session.id), "stop, rather this");
    accept.busy = BusyPolicy::Interrupt;
    let AcceptOutcome::Queued { stop, number, session, .. } = fixture.store().accept(&fixture.scope(), accept).await?
    else {
        return Err("not queued".into());
    };
    assert_eq!((stop, number, session), (Some(first.claim.turn()), 2, first.session.id));
    assert_eq!(fixture.state(first.claim.turn()).await?, TurnState::Cancelling);
    let (scope, at) = (fixture.scope(), fixture.now());
    let again = fixture.store().request_stop(&scope, first.claim.turn(), StopReason::Cancelled, at).await?;
    assert_eq!(again, CancelOutcome::Stopping);
    Ok(())
}

/// Accepts a message for a busy session that reaches only turns of its own agent. Returns its turn, the turn that it
/// stops, and the queued turns that it ends.
async fn accept_reaching<B: Backend>(
    fixture: &Fixture<B>,
    session: SessionId,
    busy: BusyPolicy,
    agent: &str,
) -> Result<(TurnId, Option<TurnId>, Vec<TurnId>), Error> {
    let reach = AgentReach::of([agent.into()]);
    let accept = NewTurn { busy, reach, agent: agent.into(), ..fixture.says(SessionKey::Id(session), "now") };
    let turn = accept.turn;
    match fixture.store().accept(&fixture.scope(), accept).await? {
        AcceptOutcome::Queued { stop, superseded, .. } => Ok((turn, stop, superseded)),
        other => Err(format!("not queued: {other:?}").into()),
    }
}

/// A message that may reach only some agents waits behind a turn of another one, whatever its policy. It treats turns of
/// its own agents as any message does.
pub async fn a_message_stops_and_steers_only_turns_of_the_agents_that_it_reaches<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let policies = [BusyPolicy::Enqueue, BusyPolicy::Steer, BusyPolicy::Interrupt];

    // The turn of another agent runs.
    let first = fixture.start("one").await?;
    let (session, running) = (first.session.id, first.claim.turn());
    for busy in policies {
        let (turn, stop, superseded) = accept_reaching(&fixture, session, busy, "translator").await?;
        assert_eq!((stop, superseded), (None, Vec::new()), "{busy:?}");
        assert!(!fixture.store().turn(&fixture.scope(), turn).await?.steering, "{busy:?}");
    }
    assert_eq!(fixture.state(running).await?, TurnState::Running);
    // Its own turn runs, but one of another agent is queued.
    let (_, stop, superseded) = accept_reaching(&fixture, session, BusyPolicy::Interrupt, "assistant").await?;
    assert_eq!((stop, superseded), (None, Vec::new()));

    // The turn of another agent waits for a decision.
    let (second, _) = fixture.start_asking().await?;
    let (session, waiting) = (second.session.id, second.claim.turn());
    for busy in policies {
        assert_eq!(accept_reaching(&fixture, session, busy, "translator").await?.1, None, "{busy:?}");
    }
    assert_eq!(fixture.state(waiting).await?, TurnState::Waiting);
    assert_eq!(accept_reaching(&fixture, session, BusyPolicy::Enqueue, "assistant").await?.1, Some(waiting));

    // Only turns of its own agents have not ended.
    let third = fixture.start("three").await?;
    let (session, running) = (third.session.id, third.claim.turn());
    let (steering, ..) = accept_reaching(&fixture, session, BusyPolicy::Steer, "assistant").await?;
    assert!(fixture.store().turn(&fixture.scope(), steering).await?.steering);
    let (_, stop, superseded) = accept_reaching(&fixture, session, BusyPolicy::Interrupt, "assistant").await?;
    assert_eq!((stop, superseded), (Some(running), vec![steering]));
    Ok(())
}

/// The newest of several interrupting messages runs next. The messages it replaces end, however full the queue is.
pub async fn an_interrupting_message_ends_those_that_wait<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let mut waiting = Vec::new();
    for _ in 0..MAX_QUEUED_TURNS {
        waiting.push(fixture.enqueue(first.session.id, "later").await?);
    }
    let interrupts = |text: &str| {
        let mut accept = fixture.says(SessionKey::Id(first.session.id), text);
        accept.busy = BusyPolicy::Interrupt;
        accept
    };
    let (second, third) = (interrupts("rather this"), interrupts("no, this"));
    let newest = third.turn;
    for (accept, expected) in [(second.clone(), waiting.clone()), (third, vec![second.turn])] {
        let AcceptOutcome::Queued { superseded, .. } = fixture.store().accept(&fixture.scope(), accept).await? else {
            return Err("not queued".into());
        };
        assert_eq!(superseded, expected);
    }
    waiting.push(second.turn);
    for turn in waiting {
        assert_eq!(fixture.state(turn).await?, TurnState::Ended(TurnStatus::Interrupted));
        let log = fixture.store().log(&fixture.scope(), turn).await?;
        assert_eq!(log.chunks.iter().map(|chunk| chunk.to_seq).collect::<Vec<_>>(), [1, 2]);
    }
    let mut last = fixture.ending(&first.claim, 2, TurnStatus::Interrupted, "")?;
    last.despite_stop = true;
    let next = ended(fixture.store().checkpoint(&first.claim, last).await?)?.ok_or("nothing runs next")?;
    assert_eq!(next.claim.turn(), newest);
    Ok(())
}

/// A turn that waits for a person would block its session. A new message supersedes it unless the message asks not to.
pub async fn a_waiting_turn_is_superseded_by_the_next_message<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (first, _) = fixture.start_asking().await?;
    let accept = fixture.says(SessionKey::Id(first.session.id), "never mind");
    let AcceptOutcome::Queued { stop, .. } = fixture.store().accept(&fixture.scope(), accept).await? else {
        return Err("not queued".into());
    };
    assert_eq!(stop, Some(first.claim.turn()));
    let taken = fixture.store().claim(&fixture.sweep(), first.claim.turn(), fixture.now()).await?;
    assert_eq!(taken.ok_or("the turn cannot be claimed")?.stop, Some(StopReason::Superseded));
    Ok(())
}

/// Clients can read the message of a queued turn and the event that records its acceptance.
pub async fn a_queued_turn_has_its_input_and_its_first_event<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let turn = fixture.enqueue(first.session.id, "two").await?;
    assert_eq!(fixture.said_in(turn).await?, ["two"]);
    let log = fixture.store().log(&fixture.scope(), turn).await?;
    assert_eq!((log.number, log.chunks.len(), log.chunks[0].to_seq), (2, 1, 1));
    let third = fixture.says(SessionKey::New, "elsewhere");
    running(fixture.store().accept(&fixture.scope(), third).await?)?;
    Ok(())
}

/// The length of a queue is limited. A rejected request stores neither its turn nor its key.
pub async fn a_full_queue_refuses_the_next_turn_until_one_begins<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("first").await?;
    for _ in 0..MAX_QUEUED_TURNS {
        fixture.enqueue(first.session.id, "more").await?;
    }
    let (scope, store) = (fixture.scope(), fixture.store());
    let mut accept = fixture.says(SessionKey::Id(first.session.id), "one too many");
    accept.idempotency = key("k-1", 1);
    let turn = accept.turn;
    let refused = store.accept(&scope, accept).await.err();
    assert_eq!(refused, Some(StoreError::Conflict(ConflictKind::QueueFull)));
    assert_eq!(store.turn(&scope, turn).await.err(), Some(StoreError::NotFound));
    assert_eq!(fixture.state(first.claim.turn()).await?, TurnState::Running);
    running(store.accept(&scope, fixture.says(SessionKey::New, "elsewhere")).await?)?;

    fixture.end(&first.claim, "done").await?;
    let mut accept = fixture.says(SessionKey::Id(first.session.id), "there is room again");
    accept.idempotency = key("k-1", 2);
    let accepted = store.accept(&scope, accept).await?;
    let last = MAX_QUEUED_TURNS + 2;
    assert!(matches!(accepted, AcceptOutcome::Queued { number, .. } if number == last), "{accepted:?}");
    Ok(())
}
