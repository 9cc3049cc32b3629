//! Waits and their decisions.

use std::time::Duration;

use futures_util::future::join_all;
use turnkit_core::ports::{SessionStore as _, TurnStore as _, WaitPage};
use turnkit_core::{
    AcceptOutcome, Arguments, BusyPolicy, CallUid, Checkpoint, CheckpointOutcome, Claim, ClaimedTurn, DecidedWait,
    Denial, ExpiryOutcome, Grantable, KnownOutcome, NewWait, Resolution, ResolveOutcome, SchemaHash, SessionKey,
    StopReason, StoreError, Subject, Timestamp, ToolPin, ToolQuestion, TurnId, TurnState, TurnStatus, Wait, WaitId,
    WaitKind, WaitQuestion,
};

use super::fixture::Error;
use super::{Backend, Fixture, Outcome, ended};

/// Creates a wait of a call of `turn` that expires at `expires_at`.
fn wait(turn: TurnId, (step, ordinal, number): (u16, u16, u16), expires_at: Timestamp) -> NewWait {
    let question = WaitQuestion {
        name: "pay".to_owned(),
        arguments: Arguments(r#"{"to":"Bob"}"#.to_owned()),
        reason: "it changes something".to_owned(),
        preview: (ordinal == 0).then(|| "10 to Bob".to_owned()),
        question: (ordinal == 2).then(|| Box::new(ToolQuestion::new("How much?"))),
        grantable: (ordinal == 0).then(|| Grantable {
            schema: SchemaHash([7; 32]),
            subject: Subject::Text("Bob".to_owned()),
            untrusted: true,
            changed: Some(Box::new(ToolPin {
                source: "bank".to_owned(),
                tool: "pay".to_owned(),
                fingerprint: [8; 32],
            })),
        }),
        child: None,
    };
    let kind = match (ordinal, number) {
        (2, _) => WaitKind::Question,
        (3, _) => WaitKind::ClientTool,
        (_, 0) => WaitKind::Approval,
        _ => WaitKind::Outcome,
    };
    let id = WaitId { call: CallUid { turn, step, ordinal }, number };
    NewWait { id, kind, question, binding: [u8::try_from(ordinal).unwrap_or(u8::MAX); 32], expires_at }
}

/// Returns the stored form of a wait that is not decided.
fn pending(wait: &NewWait, claimed: &ClaimedTurn, created_at: Timestamp) -> Wait {
    let NewWait { id, kind, question, binding: _, expires_at } = wait.clone();
    Wait { id, session: claimed.session.id, parent: None, kind, question, created_at, expires_at, decided: None }
}

fn approved(note: &str) -> Resolution {
    Resolution::Approved { arguments: None, note: Some(note.to_owned()), grant: None }
}

fn denied(by: Denial) -> Resolution {
    Resolution::Denied { by, note: None }
}

fn decision(wait: &NewWait, resolution: Resolution) -> DecidedWait {
    DecidedWait { id: wait.id, resolution, binding: wait.binding }
}

fn page(pending: bool) -> WaitPage {
    WaitPage { session: None, turn: None, below: false, pending, limit: 99, after: None }
}

impl<B: Backend> Fixture<B> {
    /// Returns a time later than every event of a test.
    fn later(&self) -> Timestamp {
        self.now().plus(Duration::from_secs(3600))
    }

    /// Creates a checkpoint after which these calls of the turn wait. With `waiting`, the turn waits too, because
    /// nothing else is left to do.
    pub(super) fn asks(&self, claim: &Claim, seq: u32, waits: &[NewWait], waiting: bool) -> Result<Checkpoint, Error> {
        Ok(Checkpoint { waits: waits.to_vec(), waiting, ..self.boundary(claim, seq, "may I?")? })
    }

    /// Starts a turn whose first two calls wait.
    pub(super) async fn start_asking(&self) -> Result<(ClaimedTurn, [NewWait; 2]), Error> {
        let claimed = self.start("pay Bob").await?;
        let waits = [0, 1].map(|ordinal| wait(claimed.claim.turn(), (1, ordinal, 0), self.later()));
        let waits_now = self.asks(&claimed.claim, 2, &waits, true)?;
        let written = self.store().checkpoint(&claimed.claim, waits_now).await?;
        assert!(matches!(written, CheckpointOutcome::Committed { next: None, decided: None, .. }), "{written:?}");
        Ok((claimed, waits))
    }

    async fn decide(&self, wait: WaitId, resolution: Resolution) -> Result<ResolveOutcome, StoreError> {
        self.store().resolve(&self.scope(), wait, resolution, None, self.now()).await
    }

    /// Returns the ids of the undecided waits.
    async fn pending(&self) -> Result<Vec<WaitId>, StoreError> {
        let list = self.store().waits(&self.scope(), page(true)).await?;
        Ok(list.waits.iter().map(|wait| wait.id).collect())
    }

    /// Returns the decision of a wait, if it was decided.
    async fn resolution(&self, wait: WaitId) -> Result<Option<Resolution>, StoreError> {
        Ok(self.store().wait(&self.scope(), wait).await?.decided.map(|(resolution, _)| resolution))
    }
}

/// The turn has no owner while it waits, whichever process dies. After the last decision the next owner finds all of
/// them.
pub async fn a_turn_waits_until_everything_is_decided<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (claimed, waits) = fixture.start_asking().await?;
    let (turn, stale) = (claimed.claim.turn(), &claimed.claim);
    let more = fixture.boundary(stale, 3, "more")?;
    assert_eq!(fixture.store().checkpoint(stale, more).await.err(), Some(StoreError::Fenced));

    let fixture = fixture.restart().await?;
    assert_eq!(fixture.state(turn).await?, TurnState::Waiting);
    assert!(fixture.claim_all().await?.is_empty());
    assert_eq!(fixture.pending().await?, waits.each_ref().map(|wait| wait.id));
    assert_eq!(fixture.decide(waits[1].id, approved("go on")).await?, ResolveOutcome::Decided { ready: false });
    assert_eq!(fixture.pending().await?, [waits[0].id]);
    assert_eq!(fixture.state(turn).await?, TurnState::Waiting);
    let no = Resolution::Denied { by: Denial::Person, note: Some("not him".to_owned()) };
    assert_eq!(fixture.decide(waits[0].id, no.clone()).await?, ResolveOutcome::Decided { ready: true });
    assert_eq!(fixture.state(turn).await?, TurnState::Running);

    let fixture = fixture.restart().await?;
    let owner = fixture.claim_all().await?.pop().ok_or("not claimed")?;
    assert_eq!((owner.claim.turn(), owner.deaths.count, owner.attempts), (turn, 0, 1));
    let expected = [decision(&waits[0], no), decision(&waits[1], approved("go on"))];
    assert_eq!(fixture.store().load(&owner.claim).await?.decided, expected);
    Ok(())
}

/// Clients are shown the waits as they were written, and the next owner loads them unchanged.
pub async fn waits_of_every_kind_are_stored_as_they_are<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let claimed = fixture.start("pay Bob").await?;
    let places = [(1, 0, 0), (1, 1, 1), (1, 2, 0), (1, 3, 0)];
    let waits = places.map(|place| wait(claimed.claim.turn(), place, fixture.later()));
    let kinds = [WaitKind::Approval, WaitKind::Outcome, WaitKind::Question, WaitKind::ClientTool];
    assert_eq!(waits.each_ref().map(|wait| wait.kind), kinds);
    fixture.store().checkpoint(&claimed.claim, fixture.asks(&claimed.claim, 2, &waits, true)?).await?;

    let fixture = fixture.restart().await?;
    let listed = fixture.store().waits(&fixture.scope(), page(true)).await?.waits;
    assert_eq!(listed, waits.each_ref().map(|wait| pending(wait, &claimed, listed[0].created_at)));
    let resolutions = [
        approved("go on"),
        Resolution::Outcome { outcome: KnownOutcome::Done, note: None },
        Resolution::Answered { answer: serde_json::json!({ "much": [10, null] }) },
        Resolution::returned(false, "no screen"),
    ];
    for (wait, resolution) in waits.iter().zip(&resolutions) {
        fixture.decide(wait.id, resolution.clone()).await?;
        assert_eq!(fixture.resolution(wait.id).await?.as_ref(), Some(resolution));
    }
    let owner = fixture.claim_all().await?.pop().ok_or("not claimed")?;
    let decided = waits.iter().zip(resolutions).map(|(wait, resolution)| decision(wait, resolution));
    assert_eq!(fixture.store().load(&owner.claim).await?.decided, decided.collect::<Vec<_>>());
    Ok(())
}

/// A person may decide before the calls that need no decision have finished.
pub async fn a_decision_that_comes_before_its_turn_waits_is_not_lost<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let ClaimedTurn { claim, .. } = fixture.start("pay Bob").await?;
    let waits = [1, 3].map(|ordinal| wait(claim.turn(), (1, ordinal, 0), fixture.later()));
    fixture.store().checkpoint(&claim, fixture.asks(&claim, 2, &waits, false)?).await?;
    assert_eq!(fixture.state(claim.turn()).await?, TurnState::Running);
    for wait in &waits {
        assert_eq!(fixture.decide(wait.id, approved("quickly")).await?, ResolveOutcome::Decided { ready: false });
    }
    let written = fixture.store().checkpoint(&claim, fixture.asks(&claim, 3, &[], true)?).await?;
    let CheckpointOutcome::Committed { decided: Some(decided), .. } = written else { return Err("it waits".into()) };
    assert_eq!(decided, waits.each_ref().map(|wait| decision(wait, approved("quickly"))));
    assert_eq!(fixture.state(claim.turn()).await?, TurnState::Running);
    assert!(fixture.claim_all().await?.is_empty());
    let last = Checkpoint { has_waited: true, ..fixture.ending(&claim, 4, TurnStatus::Completed, "paid")? };
    ended(fixture.store().checkpoint(&claim, last).await?)?;
    assert_eq!(fixture.resolution(waits[0].id).await?, Some(approved("quickly")));
    Ok(())
}

/// One decision counts, however many arrive at the same time and whatever happens to the turn afterwards.
pub async fn a_call_is_decided_once<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (claimed, [first, second]) = fixture.start_asking().await?;
    let answers = join_all((0..16).map(|number| fixture.decide(first.id, approved(&number.to_string())))).await;
    let answers = answers.into_iter().collect::<Result<Vec<_>, _>>()?;
    assert_eq!(answers.iter().filter(|answer| matches!(answer, ResolveOutcome::Decided { ready: false })).count(), 1);
    let winner = fixture.resolution(first.id).await?.ok_or("not decided")?;
    let others = answers.iter().filter(|answer| **answer == ResolveOutcome::AlreadyResolved(winner.clone()));
    assert_eq!(others.count(), 15);
    fixture.decide(second.id, denied(Denial::Person)).await?;

    let owner = fixture.store().claim(&fixture.sweep(), claimed.claim.turn(), fixture.now()).await?;
    let owner = owner.ok_or("not claimed")?;
    let last = Checkpoint { has_waited: true, ..fixture.ending(&owner.claim, 3, TurnStatus::Failed, "broken")? };
    ended(fixture.store().checkpoint(&owner.claim, last).await?)?;
    assert_eq!(fixture.decide(first.id, winner.clone()).await?, ResolveOutcome::Repeated);
    assert_eq!(fixture.decide(first.id, denied(Denial::Person)).await?, ResolveOutcome::AlreadyResolved(winner));
    assert_eq!(fixture.decide(second.id, denied(Denial::Person)).await?, ResolveOutcome::Repeated);
    Ok(())
}

/// A decision about an earlier wait of the call is not returned again.
pub async fn a_call_may_wait_again<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (claimed, [first, second]) = fixture.start_asking().await?;
    for wait in [&first, &second] {
        fixture.decide(wait.id, approved("once")).await?;
    }
    let turn = claimed.claim.turn();
    let again = wait(turn, (1, 0, 1), fixture.later());
    let next = wait(turn, (2, 1, 0), fixture.later());
    let expected = [
        vec![decision(&again, approved("twice")), decision(&second, approved("once"))],
        vec![decision(&next, approved("twice"))],
    ];
    for (seq, wait, expected) in [(3, &again, &expected[0]), (4, &next, &expected[1])] {
        let owner = fixture.store().claim(&fixture.sweep(), turn, fixture.now()).await?.ok_or("not claimed")?;
        let asks =
            Checkpoint { has_waited: true, ..fixture.asks(&owner.claim, seq, std::slice::from_ref(wait), true)? };
        fixture.store().checkpoint(&owner.claim, asks).await?;
        assert_eq!(fixture.pending().await?, [wait.id]);
        assert_eq!(fixture.decide(wait.id, approved("twice")).await?, ResolveOutcome::Decided { ready: true });
        let owner = fixture.store().claim(&fixture.sweep(), turn, fixture.now()).await?.ok_or("not claimed")?;
        assert_eq!(fixture.store().load(&owner.claim).await?.decided, *expected);
        fixture.store().release(&owner.claim, turnkit_core::Release::HandedOver).await?;
    }
    Ok(())
}

/// An expired wait counts as denied, and its turn continues. The time of expiry decides, not the time of the sweep.
pub async fn an_undecided_wait_expires<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let ClaimedTurn { claim, session, .. } = fixture.start("pay Bob").await?;
    let (soon, later) = (fixture.later(), fixture.later());
    let waits = [(0, later), (1, soon), (2, soon)];
    let waits = waits.map(|(ordinal, expires_at)| wait(claim.turn(), (1, ordinal, 0), expires_at));
    assert_eq!(fixture.store().expire(&fixture.sweep(), later).await?, ExpiryOutcome::default());
    fixture.store().checkpoint(&claim, fixture.asks(&claim, 2, &waits, true)?).await?;

    let before = Timestamp::from_millis(soon.millis() - 1);
    for (at, resolved) in [(before, ResolveOutcome::Decided { ready: false }), (soon, ResolveOutcome::TooLate)] {
        let wait = if at == soon { waits[1].id } else { waits[2].id };
        assert_eq!(fixture.store().resolve(&fixture.scope(), wait, approved("now"), None, at).await?, resolved);
    }
    for (at, ready, sessions, next) in [
        (before, vec![], vec![], Some(soon)),
        (soon, vec![], vec![session.id], Some(later)),
        (later, vec![claim.turn()], vec![session.id], None),
    ] {
        assert_eq!(fixture.store().expire(&fixture.sweep(), at).await?, ExpiryOutcome { ready, sessions, next });
    }
    assert_eq!(fixture.resolution(waits[1].id).await?, Some(denied(Denial::Expired)));
    assert_eq!(fixture.decide(waits[1].id, approved("too late")).await?, ResolveOutcome::TooLate);
    let owner = fixture.claim_all().await?.pop().ok_or("not claimed")?;
    let resolutions = [denied(Denial::Expired), denied(Denial::Expired), approved("now")];
    let expected: Vec<_> = waits.iter().zip(resolutions).map(|(wait, how)| decision(wait, how)).collect();
    assert_eq!(fixture.store().load(&owner.claim).await?.decided, expected);
    Ok(())
}

/// This also holds while the turn's owner still runs other calls.
pub async fn a_turn_that_is_over_or_to_stop_leaves_nothing_to_decide<B: Backend>() -> Outcome {
    #[derive(Debug, Clone, Copy)]
    enum By {
        Cancel,
        Message,
        Deadline,
    }
    for (by, expected) in
        [(By::Cancel, Denial::Cancelled), (By::Message, Denial::Superseded), (By::Deadline, Denial::Expired)]
    {
        for waiting in [true, false] {
            let fixture = Fixture::<B>::new().await?;
            let (scope, ClaimedTurn { claim, session, .. }) = (fixture.scope(), fixture.start("pay Bob").await?);
            let turn = claim.turn();
            let waits = [0, 1].map(|ordinal| wait(turn, (1, ordinal, 0), fixture.later()));
            fixture.store().checkpoint(&claim, fixture.asks(&claim, 2, &waits, waiting)?).await?;
            fixture.decide(waits[1].id, approved("before")).await?;
            match by {
                By::Cancel => {
                    fixture.store().request_stop(&scope, turn, StopReason::Cancelled, fixture.now()).await?;
                }
                By::Message => {
                    let mut accept = fixture.says(SessionKey::Id(session.id), "rather this");
                    accept.busy = BusyPolicy::Interrupt;
                    let accepted = fixture.store().accept(&scope, accept).await?;
                    assert!(
                        matches!(accepted, AcceptOutcome::Queued { stop, .. } if stop == Some(turn)),
                        "{accepted:?}"
                    );
                }
                By::Deadline if waiting => continue,
                By::Deadline => {
                    let last = fixture.ending(&claim, 3, TurnStatus::Expired, "no time left")?;
                    let last = Checkpoint { has_waited: true, ..last };
                    ended(fixture.store().checkpoint(&claim, last).await?)?;
                }
            }
            assert_eq!(fixture.pending().await?, [], "{by:?} {waiting}");
            assert_eq!(fixture.resolution(waits[0].id).await?, Some(denied(expected)), "{by:?} {waiting}");
            assert_eq!(fixture.resolution(waits[1].id).await?, Some(approved("before")));
            assert_eq!(fixture.decide(waits[0].id, approved("late")).await?, ResolveOutcome::TooLate);
            assert_eq!(fixture.store().expire(&fixture.sweep(), fixture.later()).await?, ExpiryOutcome::default());
        }
    }
    Ok(())
}

/// A checkpoint is written completely or not at all.
pub async fn a_refused_boundary_stores_no_waits<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let ClaimedTurn { claim, .. } = fixture.start("pay Bob").await?;
    let asks = |claim: &Claim| fixture.asks(claim, 2, &[wait(claim.turn(), (1, 0, 0), fixture.later())], true);
    let stale = Claim::granted_by_store(claim.turn(), fixture.scope(), claim.fence().next(), claim.worker().clone());
    assert_eq!(fixture.store().checkpoint(&stale, asks(&stale)?).await.err(), Some(StoreError::Fenced));
    fixture.store().request_stop(&fixture.scope(), claim.turn(), StopReason::Cancelled, fixture.now()).await?;
    let refused = fixture.store().checkpoint(&claim, asks(&claim)?).await?;
    assert!(matches!(refused, CheckpointOutcome::StopFirst(StopReason::Cancelled)));
    assert_eq!(fixture.store().waits(&fixture.scope(), page(false)).await?.waits, []);
    Ok(())
}

/// Pages list the waits of a user, a session or a turn, either all of them or only the pending ones.
pub async fn waits_are_read_page_by_page<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (one, of_one) = fixture.start_asking().await?;
    let (two, of_two) = fixture.start_asking().await?;
    let (store, scope) = (fixture.store(), fixture.scope());
    let found = store.wait(&scope, of_two[0].id).await?;
    assert_eq!(found, pending(&of_two[0], &two, found.created_at));
    fixture.decide(of_one[0].id, approved("yes")).await?;
    let decided_at = store.wait(&scope, of_one[0].id).await?.decided.map(|(_, at)| at);
    assert!(decided_at.is_some_and(|at| at > found.created_at));

    let ids = |waits: &[&NewWait]| waits.iter().map(|wait| wait.id).collect::<Vec<_>>();
    let all = ids(&[&of_one[0], &of_one[1], &of_two[0], &of_two[1]]);
    let (session, turn) = (Some(one.session.id), Some(two.claim.turn()));
    let cases = [
        (page(false), all.clone()),
        (page(true), all[1..].to_vec()),
        (WaitPage { session, ..page(false) }, all[..2].to_vec()),
        (WaitPage { session, ..page(true) }, all[1..2].to_vec()),
        (WaitPage { turn, ..page(false) }, all[2..].to_vec()),
        (WaitPage { turn, session, ..page(false) }, vec![]),
    ];
    for (whole, expected) in cases {
        for limit in [1, 2, 99] {
            let (mut found, mut page) = (Vec::new(), WaitPage { limit, ..whole });
            loop {
                let list = store.waits(&scope, page).await?;
                assert!(list.waits.len() <= limit as usize && list.unreadable.is_empty());
                found.extend(list.waits.iter().map(|wait| wait.id));
                page.after = list.next;
                if page.after.is_none() {
                    break;
                }
            }
            assert_eq!(found, expected, "{whole:?}");
        }
    }
    Ok(())
}

/// Waits are part of the turn's log.
pub async fn waits_are_removed_with_their_turns<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let mut asked = Vec::new();
    for _ in 0..2 {
        let (claimed, waits) = fixture.start_asking().await?;
        for wait in &waits {
            fixture.decide(wait.id, approved("yes")).await?;
        }
        let owner = fixture.store().claim(&fixture.sweep(), claimed.claim.turn(), fixture.now()).await?;
        let owner = owner.ok_or("not claimed")?;
        let last = Checkpoint { has_waited: true, ..fixture.ending(&owner.claim, 3, TurnStatus::Completed, "paid")? };
        ended(fixture.store().checkpoint(&owner.claim, last).await?)?;
        asked.push((owner.session.id, waits[0].id));
    }
    let (scope, store) = (fixture.scope(), fixture.store());
    store.delete(&scope, asked[0].0).await?;
    assert_eq!(store.wait(&scope, asked[0].1).await.err(), Some(StoreError::NotFound));
    assert_eq!(store.waits(&scope, page(false)).await?.waits.len(), 2);
    store.delete_expired(&fixture.sweep(), fixture.later()).await?;
    assert_eq!(store.wait(&scope, asked[1].1).await.err(), Some(StoreError::NotFound));
    assert_eq!(store.waits(&scope, page(false)).await?.waits, []);
    Ok(())
}
