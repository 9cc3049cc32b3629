//! Steering: messages for a running turn, which are queued and then taken by one of its checkpoints, or run as turns of
//! their own.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use turnkit_core::ports::{BlobStore as _, Fork, SessionStore as _, TurnStore as _};
use turnkit_core::{
    AcceptOutcome, BlobId, BranchPoint, BusyPolicy, Checkpoint, CheckpointOutcome, Claim, Entry, EventKind, Message,
    NewBlob, NewTurn, SessionId, SessionKey, StopReason, StoreError, TurnId, TurnState, TurnStatus, replay,
};

use super::fixture::{Error, key, sent};
use super::{Backend, Fixture, Outcome, ended};

const COMPLETED: TurnState = TurnState::Ended(TurnStatus::Completed);

impl<B: Backend> Fixture<B> {
    /// Creates a message for the running turn of the session.
    fn steers(&self, session: SessionId, text: &str) -> NewTurn {
        NewTurn { busy: BusyPolicy::Steer, ..self.says(SessionKey::Id(session), text) }
    }

    /// Queues a message for the running turn, which keeps running.
    async fn steer(&self, session: SessionId, text: &str) -> Result<TurnId, Error> {
        self.queue_up(self.steers(session, text)).await
    }

    async fn queue_up(&self, accept: NewTurn) -> Result<TurnId, Error> {
        let turn = accept.turn;
        match self.store().accept(&self.scope(), accept).await? {
            AcceptOutcome::Queued { stop: None, .. } => Ok(turn),
            other => Err(format!("not queued: {other:?}").into()),
        }
    }

    /// Creates a checkpoint that takes messages out of the queue.
    fn taking(&self, claim: &Claim, seq: u32, taken: &[(TurnId, &str)]) -> Result<Checkpoint, Error> {
        let message = |(_, text): &(TurnId, &str)| Entry::new(Message::user(*text).steering());
        let messages: Vec<Arc<Entry>> = taken.iter().map(message).collect();
        let steered = taken.iter().map(|(turn, _)| *turn).collect();
        Ok(Checkpoint { messages, steered, ..self.boundary(claim, seq, "took")? })
    }

    /// Writes a checkpoint without taking messages, and reports whether messages wait for the turn.
    async fn is_steered(&self, claim: &Claim, seq: u32) -> Result<bool, Error> {
        match self.store().checkpoint(claim, self.boundary(claim, seq, "said")?).await? {
            CheckpointOutcome::Committed { is_steered, .. } => Ok(is_steered),
            other => Err(format!("not committed: {other:?}").into()),
        }
    }

    /// Returns the messages at the head of the queue that the turn may take.
    async fn waiting_for(&self, claim: &Claim) -> Result<Vec<(TurnId, String)>, StoreError> {
        let messages = self.store().steering(claim).await?;
        Ok(messages.into_iter().map(|steering| (steering.turn, steering.message.text())).collect())
    }

    /// Returns the queue of a session, with a flag for each message that is meant for the running turn.
    async fn queued(&self, session: SessionId) -> Result<Vec<(TurnId, bool)>, StoreError> {
        let queue = self.store().queue(&self.scope(), session).await?;
        Ok(queue.into_iter().map(|turn| (turn.id, turn.steering)).collect())
    }
}

/// The turns of the messages end in the same transaction. They name the turn that took them, to their followers and in
/// answers to repeated requests.
pub async fn a_boundary_takes_the_messages_that_wait_for_its_turn<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (store, scope) = (fixture.store(), fixture.scope());
    let running = fixture.start("one").await?;
    let (session, claim) = (running.session.id, &running.claim);
    let keyed = NewTurn { idempotency: key("k-1", 1), ..fixture.steers(session, "two") };
    let (two, three) = (fixture.queue_up(keyed.clone()).await?, fixture.steer(session, "three").await?);
    assert_eq!(fixture.queued(session).await?, [(two, true), (three, true)]);
    assert!(fixture.is_steered(claim, 2).await?);
    assert_eq!(fixture.waiting_for(claim).await?, [(two, "two".to_owned()), (three, "three".to_owned())]);
    assert!(store.turn(&scope, two).await?.steering && !store.turn(&scope, claim.turn()).await?.steering);

    let taking = fixture.taking(claim, 3, &[(two, "two"), (three, "three")])?;
    let ended_at = taking.at;
    let taken = store.checkpoint(claim, taking).await?;
    assert!(matches!(taken, CheckpointOutcome::Committed { is_steered: false, .. }), "{taken:?}");
    assert_eq!(fixture.queued(session).await?, []);
    assert_eq!(fixture.said_in(claim.turn()).await?, ["one", "said", "two", "three"]);
    for (turn, text) in [(two, "two"), (three, "three")] {
        let record = store.turn(&scope, turn).await?;
        assert_eq!((record.state, record.steering, record.steered_into), (COMPLETED, false, Some(claim.turn())));
        assert_eq!((record.ended_at, record.usage), (Some(ended_at), None));
        let log = store.log(&scope, turn).await?;
        assert_eq!(log.messages.iter().map(|entry| entry.message().text()).collect::<Vec<_>>(), [text]);
        let last = replay(&log, 1).pop().ok_or("no end")?;
        let EventKind::TurnEnded { status, steps: 0, steered_into, .. } = last.kind else {
            return Err(format!("{last:?}").into());
        };
        assert_eq!((last.seq, status, steered_into), (2, TurnStatus::Completed, Some(claim.turn())));
    }
    let again = store.accept(&scope, NewTurn { turn: TurnId(fixture.uuid()), ..keyed }).await?;
    assert!(matches!(again, AcceptOutcome::Repeated(ref repeat) if repeat.turn == two), "{again:?}");
    let cancelled = store.request_stop(&scope, two, StopReason::Cancelled, fixture.now()).await?;
    assert_eq!(cancelled, turnkit_core::CancelOutcome::AlreadyEnded);

    let last = fixture.ending(claim, 4, TurnStatus::Completed, "done")?;
    assert!(ended(store.checkpoint(claim, last).await?)?.is_none(), "a message that was taken runs again");
    let said: Vec<String> = store.messages(&scope, session).await?.iter().map(Message::text).collect();
    assert_eq!(said, ["one", "said", "two", "three", "done"]);
    Ok(())
}

/// The order of the user's messages is kept. A message that continues an earlier turn is never taken.
pub async fn only_messages_that_no_other_message_precedes_are_taken<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let running = fixture.start("one").await?;
    let (session, claim) = (running.session.id, &running.claim);
    let elsewhere = NewTurn { after: BranchPoint::Beginning, ..fixture.steers(session, "elsewhere") };
    let elsewhere = fixture.queue_up(elsewhere).await?;
    let plain = fixture.enqueue(session, "two").await?;
    let steering = fixture.steer(session, "three").await?;
    assert_eq!(fixture.queued(session).await?, [(elsewhere, false), (plain, false), (steering, true)]);
    for (seq, turn) in [(2, elsewhere), (3, plain)] {
        assert!(!fixture.is_steered(claim, seq).await?);
        assert_eq!(fixture.waiting_for(claim).await?, []);
        let taking = fixture.taking(claim, seq + 10, &[(steering, "three")])?;
        let refused = fixture.store().checkpoint(claim, taking).await?;
        assert!(matches!(refused, CheckpointOutcome::SteeringChanged), "{refused:?}");
        fixture.store().request_stop(&fixture.scope(), turn, StopReason::Cancelled, fixture.now()).await?;
    }
    assert!(fixture.is_steered(claim, 4).await?);
    assert_eq!(fixture.waiting_for(claim).await?, [(steering, "three".to_owned())]);
    Ok(())
}

/// The message was cancelled after the owner read the queue and before it wrote the checkpoint. The owner then reads
/// the queue again.
pub async fn a_boundary_with_a_message_that_is_gone_writes_nothing<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let running = fixture.start("one").await?;
    let (session, claim) = (running.session.id, &running.claim);
    let (two, three) = (fixture.steer(session, "two").await?, fixture.steer(session, "three").await?);
    let taking = fixture.taking(claim, 2, &[(two, "two"), (three, "three")])?;
    fixture.store().request_stop(&fixture.scope(), two, StopReason::Cancelled, fixture.now()).await?;
    let refused = fixture.store().checkpoint(claim, taking).await?;
    assert!(matches!(refused, CheckpointOutcome::SteeringChanged), "{refused:?}");
    assert_eq!(fixture.said_in(claim.turn()).await?, ["one"]);
    assert_eq!(fixture.queued(session).await?, [(three, true)]);
    assert_eq!(fixture.state(two).await?, TurnState::Ended(TurnStatus::Cancelled));

    assert_eq!(fixture.waiting_for(claim).await?, [(three, "three".to_owned())]);
    fixture.store().checkpoint(claim, fixture.taking(claim, 2, &[(three, "three")])?).await?;
    assert_eq!(fixture.said_in(claim.turn()).await?, ["one", "three"]);
    Ok(())
}

/// A turn that is to stop cannot take messages, nor can a former owner.
pub async fn a_message_that_no_boundary_took_runs_next<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let session = first.session.id;
    let (two, three) = (fixture.steer(session, "two").await?, fixture.steer(session, "three").await?);
    fixture.store().request_stop(&fixture.scope(), first.claim.turn(), StopReason::Cancelled, fixture.now()).await?;
    let taking = fixture.taking(&first.claim, 2, &[(two, "two")])?;
    let stopped = fixture.store().checkpoint(&first.claim, taking.clone()).await?;
    assert!(matches!(stopped, CheckpointOutcome::StopFirst(_)), "{stopped:?}");
    let last = fixture.ending(&first.claim, 2, TurnStatus::Cancelled, "stopped")?;
    let last = Checkpoint { despite_stop: true, ..last };
    let next = ended(fixture.store().checkpoint(&first.claim, last).await?)?.ok_or("nothing runs next")?;
    assert_eq!(fixture.store().checkpoint(&first.claim, taking).await.err(), Some(StoreError::Fenced));
    assert_eq!(fixture.store().steering(&first.claim).await.err(), Some(StoreError::Fenced));

    assert_eq!(next.claim.turn(), two);
    assert_eq!(sent(&fixture.store().history(&next.claim).await?), ["one", "stopped"]);
    assert_eq!(fixture.store().turn(&fixture.scope(), two).await?.steered_into, None);
    // The other message is meant for the turn that runs now.
    assert!(fixture.is_steered(&next.claim, 2).await?);
    assert_eq!(fixture.waiting_for(&next.claim).await?, [(three, "three".to_owned())]);
    Ok(())
}

/// Any other message that may wait supersedes the waiting turn.
pub async fn a_waiting_turn_is_not_superseded_by_a_message_for_it<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let waits = Checkpoint { waiting: true, ..fixture.boundary(&first.claim, 2, "may I?")? };
    let waits = fixture.store().checkpoint(&first.claim, waits).await?;
    assert!(matches!(waits, CheckpointOutcome::Committed { is_steered: false, .. }), "{waits:?}");
    let steering = fixture.steer(first.session.id, "two").await?;
    assert_eq!(fixture.state(first.claim.turn()).await?, TurnState::Waiting);
    assert_eq!(fixture.queued(first.session.id).await?, [(steering, true)]);
    Ok(())
}

/// A message is either in the queue or in the turn, whichever process dies.
pub async fn the_next_owner_takes_the_messages_that_wait<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let two = fixture.steer(first.session.id, "two").await?;

    let fixture = fixture.restart().await?;
    let [owner] = <[_; 1]>::try_from(fixture.claim_all().await?).map_err(|_| "not one turn")?;
    assert!(fixture.store().load(&owner.claim).await?.is_steered);
    assert_eq!(fixture.waiting_for(&owner.claim).await?, [(two, "two".to_owned())]);
    fixture.store().checkpoint(&owner.claim, fixture.taking(&owner.claim, 2, &[(two, "two")])?).await?;

    let fixture = fixture.restart().await?;
    let [owner] = <[_; 1]>::try_from(fixture.claim_all().await?).map_err(|_| "not one turn")?;
    assert_eq!(owner.claim.turn(), first.claim.turn());
    assert_eq!(fixture.waiting_for(&owner.claim).await?, []);
    assert_eq!(fixture.said_in(owner.claim.turn()).await?, ["one", "two"]);
    assert_eq!(fixture.state(two).await?, COMPLETED);
    Ok(())
}

/// A fork of the turn keeps the files, too.
pub async fn a_turn_keeps_the_files_of_the_messages_it_takes<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (store, scope) = (fixture.store(), fixture.scope());
    let new = NewBlob { id: BlobId(fixture.uuid()), name: "a file".into(), at: fixture.now() };
    let blob = store.put(&scope, new, stream::iter([Ok(Bytes::from_static(b"shown"))]).boxed()).await?.id;
    let running = fixture.start("one").await?;
    let (session, claim) = (running.session.id, &running.claim);
    let two = fixture.queue_up(NewTurn { blobs: vec![blob], ..fixture.steers(session, "two") }).await?;
    store.checkpoint(claim, fixture.taking(claim, 2, &[(two, "two")])?).await?;
    store.checkpoint(claim, fixture.ending(claim, 3, TurnStatus::Completed, "done")?).await?;

    let (new, turn) = (SessionId(fixture.uuid()), TurnId(fixture.uuid()));
    store.fork(&scope, Fork { from: session, after: None, new, turn, title: None, at: fixture.now() }).await?;
    store.delete(&scope, session).await?;
    assert_eq!(store.delete_unreferenced(&fixture.sweep(), fixture.now()).await?, 0);
    store.delete(&scope, new).await?;
    assert_eq!(store.delete_unreferenced(&fixture.sweep(), fixture.now()).await?, 1);
    Ok(())
}
