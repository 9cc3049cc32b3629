//! Branches: turns that continue a turn other than the last one.

use std::collections::BTreeMap;

use turnkit_core::ports::{Fork, SessionEdit, SessionStore as _, TurnStore as _};
use turnkit_core::{
    AcceptOutcome, BranchPoint, ClaimedTurn, ConflictKind, NewTurn, SessionId, SessionKey, StopReason, StoreError,
    TurnId,
};

use super::fixture::{Error, sent, texts};
use super::{Backend, Fixture, Outcome, running};
use crate::dice::Dice;

/// The number of random histories the property is checked on, and the number of steps in each.
const SEEDS: u64 = 20;
const STEPS: u32 = 40;

fn asks<B: Backend>(fixture: &Fixture<B>, session: SessionId, text: &str, after: BranchPoint) -> NewTurn {
    NewTurn { after, ..fixture.says(SessionKey::Id(session), text) }
}

async fn begins<B: Backend>(
    fixture: &Fixture<B>,
    session: SessionId,
    text: &str,
    after: BranchPoint,
) -> Result<ClaimedTurn, Error> {
    running(fixture.store().accept(&fixture.scope(), asks(fixture, session, text, after)).await?)
}

/// Runs a turn from its beginning to its end.
async fn says<B: Backend>(
    fixture: &Fixture<B>,
    session: SessionId,
    text: &str,
    after: BranchPoint,
) -> Result<TurnId, Error> {
    let claimed = begins(fixture, session, text, after).await?;
    fixture.end(&claimed.claim, &format!("{text}!")).await?;
    Ok(claimed.claim.turn())
}

async fn move_head<B: Backend>(
    fixture: &Fixture<B>,
    session: SessionId,
    head: Option<TurnId>,
) -> Result<Option<TurnId>, StoreError> {
    let edit = SessionEdit { head: Some(head), ..SessionEdit::default() };
    Ok(fixture.store().edit(&fixture.scope(), session, edit).await?.head)
}

async fn said<B: Backend>(fixture: &Fixture<B>, session: SessionId) -> Result<Vec<String>, Error> {
    Ok(texts(&fixture.store().messages(&fixture.scope(), session).await?))
}

/// The new turn becomes the head. The branch that the head left is kept.
pub async fn a_turn_continues_the_turn_it_asks_for<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (scope, store) = (fixture.scope(), fixture.store());
    let session = fixture.create(None).await?.id;
    let first = says(&fixture, session, "one", BranchPoint::Head).await?;
    let second = says(&fixture, session, "two", BranchPoint::Head).await?;

    let other = begins(&fixture, session, "other", BranchPoint::After(first)).await?;
    assert_eq!((other.number, other.messages, other.after), (3, 3, Some(1)));
    assert_eq!(sent(&store.history(&other.claim).await?), ["one", "one!"]);
    fixture.end(&other.claim, "other!").await?;
    let (other, next) = (other.claim.turn(), begins(&fixture, session, "next", BranchPoint::Head).await?);
    assert_eq!((next.number, next.messages, next.after), (4, 5, Some(3)));
    fixture.end(&next.claim, "next!").await?;
    assert_eq!(said(&fixture, session).await?, ["one", "one!", "other", "other!", "next", "next!"]);
    assert_eq!(store.summary(&scope, session).await?.head, Some(next.claim.turn()));

    for (turn, after) in [(first, None), (second, Some(first)), (other, Some(first)), (next.claim.turn(), Some(other))]
    {
        assert_eq!(store.turn(&scope, turn).await?.after, after);
    }
    Ok(())
}

/// A turn without history stands beside the first turn of the session.
pub async fn a_turn_may_begin_without_history<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let session = fixture.create(None).await?.id;
    says(&fixture, session, "one", BranchPoint::Head).await?;
    let again = begins(&fixture, session, "again", BranchPoint::Beginning).await?;
    assert_eq!((again.number, again.messages, again.after), (2, 1, None));
    assert!(fixture.store().history(&again.claim).await?.is_empty());
    fixture.end(&again.claim, "again!").await?;
    assert_eq!(said(&fixture, session).await?, ["again", "again!"]);

    let new = NewTurn { after: BranchPoint::Beginning, ..fixture.says(SessionKey::New, "new") };
    let new = running(fixture.store().accept(&fixture.scope(), new).await?)?;
    assert_eq!((new.number, new.after), (1, None));
    Ok(())
}

/// A queued turn without a branch point continues the turn that is the head when the queued turn begins.
pub async fn a_queued_turn_continues_the_turn_it_asked_for_also_after_a_restart<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let session = fixture.create(None).await?.id;
    let first = says(&fixture, session, "one", BranchPoint::Head).await?;
    let runs = begins(&fixture, session, "two", BranchPoint::Head).await?;
    let mut queued = Vec::new();
    for (text, after) in
        [("three", BranchPoint::After(first)), ("four", BranchPoint::Beginning), ("five", BranchPoint::Head)]
    {
        let accept = asks(&fixture, session, text, after);
        queued.push(accept.turn);
        let accepted = fixture.store().accept(&fixture.scope(), accept).await?;
        assert!(matches!(accepted, AcceptOutcome::Queued { .. }), "{accepted:?}");
    }
    let waits_for = fixture.store().turn(&fixture.scope(), queued[0]).await?.after;
    assert_eq!(waits_for, Some(first));

    let fixture = fixture.restart().await?;
    let mut runs = fixture.claim_all().await?.into_iter().find(|claimed| claimed.claim.turn() == runs.claim.turn());
    let expected = [("two", Some(1), 3), ("three", Some(1), 3), ("four", None, 1), ("five", Some(4), 3)];
    for (text, after, messages) in expected {
        let claimed = runs.take().ok_or("nothing was promoted")?;
        assert_eq!((claimed.after, claimed.messages), (after, messages), "{text}");
        runs = fixture.end(&claimed.claim, &format!("{text}!")).await?.map(|next| *next);
    }
    assert_eq!(said(&fixture, session).await?, ["four", "four!", "five", "five!"]);
    Ok(())
}

/// Refused branch points: an unfinished turn, a turn of another session, an unknown turn, and any turn when the session
/// is new.
pub async fn a_turn_that_cannot_be_continued_is_refused_and_nothing_is_stored<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (scope, store) = (fixture.scope(), fixture.store());
    let (session, other) = (fixture.create(None).await?.id, fixture.create(None).await?.id);
    let foreign = says(&fixture, other, "other", BranchPoint::Head).await?;
    says(&fixture, session, "one", BranchPoint::Head).await?;
    let runs = begins(&fixture, session, "two", BranchPoint::Head).await?;
    let queued = fixture.enqueue(session, "three").await?;
    let before = store.summary(&scope, session).await?;

    let refusals = [
        (runs.claim.turn(), ConflictKind::TurnNotEnded),
        (queued, ConflictKind::TurnNotEnded),
        (foreign, ConflictKind::NotInSession),
        (TurnId(fixture.uuid()), ConflictKind::NotInSession),
    ];
    for (turn, why) in refusals {
        let refused = store.accept(&scope, asks(&fixture, session, "no", BranchPoint::After(turn))).await;
        assert_eq!(refused.err(), Some(StoreError::Conflict(why)));
    }
    assert_eq!(store.summary(&scope, session).await?, before);
    for key in [SessionKey::New, SessionKey::Name("new".parse()?)] {
        let accept = NewTurn { after: BranchPoint::After(foreign), ..fixture.says(key, "no") };
        let new = accept.new_session;
        assert_eq!(store.accept(&scope, accept).await.err(), Some(StoreError::Conflict(ConflictKind::NotInSession)));
        assert_eq!(store.summary(&scope, new).await.err(), Some(StoreError::NotFound));
    }
    Ok(())
}

/// Branching from a dropped turn branches from the turn it asked to continue. If it had no branch point, that is the
/// last turn that began before it. A dropped turn without history cannot be continued.
pub async fn a_turn_dropped_from_the_queue_stands_for_the_turn_it_asked_to_continue<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (scope, store) = (fixture.scope(), fixture.store());
    let session = fixture.create(None).await?.id;
    let first = says(&fixture, session, "one", BranchPoint::Head).await?;
    let runs = begins(&fixture, session, "two", BranchPoint::Head).await?;
    let mut dropped = Vec::new();
    for (text, after) in
        [("three", BranchPoint::After(first)), ("four", BranchPoint::Head), ("five", BranchPoint::Beginning)]
    {
        let accept = asks(&fixture, session, text, after);
        let turn = accept.turn;
        store.accept(&scope, accept).await?;
        store.request_stop(&scope, turn, StopReason::Cancelled, fixture.now()).await?;
        dropped.push(turn);
    }
    fixture.end(&runs.claim, "two!").await?;

    for (turn, place) in [(dropped[0], first), (dropped[1], runs.claim.turn())] {
        assert_eq!(move_head(&fixture, session, Some(turn)).await?, Some(place));
        let next = says(&fixture, session, "next", BranchPoint::After(turn)).await?;
        assert_eq!(store.turn(&scope, next).await?.after, Some(place));
    }
    let refused = move_head(&fixture, session, Some(dropped[2])).await.err();
    assert_eq!(refused, Some(StoreError::Conflict(ConflictKind::NotInSession)));
    Ok(())
}

/// The head can move to an earlier turn, to the beginning, or to another branch. No message is removed.
pub async fn the_head_moves_between_branches<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let session = fixture.create(None).await?.id;
    let first = says(&fixture, session, "one", BranchPoint::Head).await?;
    let second = says(&fixture, session, "two", BranchPoint::Head).await?;
    let other = says(&fixture, session, "other", BranchPoint::After(first)).await?;
    for (head, expected) in [
        (Some(first), &["one", "one!"][..]),
        (None, &[]),
        (Some(second), &["one", "one!", "two", "two!"]),
        (Some(other), &["one", "one!", "other", "other!"]),
    ] {
        assert_eq!(move_head(&fixture, session, head).await?, head);
        assert_eq!(said(&fixture, session).await?, expected);
        assert_eq!(fixture.store().summary(&fixture.scope(), session).await?.turns, 3);
    }
    move_head(&fixture, session, Some(second)).await?;
    let next = begins(&fixture, session, "next", BranchPoint::Head).await?;
    assert_eq!((next.after, next.messages), (Some(2), 5));
    fixture.end(&next.claim, "next!").await?;

    let foreign = fixture.start("foreign").await?;
    fixture.end(&foreign.claim, "foreign!").await?;
    for turn in [foreign.claim.turn(), TurnId(fixture.uuid())] {
        let refused = move_head(&fixture, session, Some(turn)).await.err();
        assert_eq!(refused, Some(StoreError::Conflict(ConflictKind::NotInSession)));
    }
    assert_eq!(fixture.store().summary(&fixture.scope(), session).await?.head, Some(next.claim.turn()));
    Ok(())
}

/// The edit is refused as a whole, including its other fields.
pub async fn the_head_stays_while_a_turn_runs_or_waits<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let session = fixture.create(None).await?.id;
    let first = says(&fixture, session, "one", BranchPoint::Head).await?;
    let runs = begins(&fixture, session, "two", BranchPoint::Head).await?;
    let edit = SessionEdit { head: Some(Some(first)), title: Some("moved".into()), ..SessionEdit::default() };
    let busy = Some(StoreError::Conflict(ConflictKind::SessionBusy));
    assert_eq!(fixture.store().edit(&fixture.scope(), session, edit.clone()).await.err(), busy);
    let mut waits = fixture.boundary(&runs.claim, 2, "may I?")?;
    waits.waiting = true;
    fixture.store().checkpoint(&runs.claim, waits).await?;
    assert_eq!(fixture.store().edit(&fixture.scope(), session, edit).await.err(), busy);
    let shown = fixture.store().summary(&fixture.scope(), session).await?;
    assert_eq!((&*shown.title, shown.head), ("new", Some(runs.claim.turn())));
    Ok(())
}

/// A reader sees the branch of the head, and continues reading after the last turn that began.
pub async fn a_session_whose_head_moved_shows_the_head_and_the_last_turn<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let session = fixture.create(None).await?.id;
    let first = says(&fixture, session, "one", BranchPoint::Head).await?;
    let second = says(&fixture, session, "two", BranchPoint::Head).await?;
    for (head, shown) in [(Some(first), Some((first, 1))), (None, None)] {
        move_head(&fixture, session, head).await?;
        let state = fixture.store().state(&fixture.scope(), session).await?;
        assert_eq!((state.active, state.head, state.last_begun), (None, shown, Some((second, 2))));
    }
    Ok(())
}

/// The turn may be on a branch that the head has left.
pub async fn a_fork_takes_over_the_branch_of_its_turn<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let session = fixture.create(None).await?.id;
    let first = says(&fixture, session, "one", BranchPoint::Head).await?;
    let second = says(&fixture, session, "two", BranchPoint::Head).await?;
    let other = says(&fixture, session, "other", BranchPoint::After(first)).await?;
    for (after, expected) in [
        (Some(second), ["one", "one!", "two", "two!"]),
        (Some(other), ["one", "one!", "other", "other!"]),
        (None, ["one", "one!", "other", "other!"]),
    ] {
        let (new, turn, at) = (SessionId(fixture.uuid()), TurnId(fixture.uuid()), fixture.now());
        let fork = Fork { from: session, after, new, turn, title: None, at };
        let made = fixture.store().fork(&fixture.scope(), fork.clone()).await?;
        assert_eq!((made.turns, made.head), (2, Some(fork.turn_number(2))));
        assert_eq!(said(&fixture, new).await?, expected);
    }
    Ok(())
}

/// The property holds for any order of branching, head moves, queueing and dropping.
pub async fn a_branch_contains_the_messages_of_its_ancestors<B: Backend>() -> Outcome {
    for seed in 0..SEEDS {
        let fixture = Fixture::<B>::new().await?;
        let session = fixture.create(None).await?.id;
        Lines { fixture, session, dice: Dice::new(seed), said: BTreeMap::new(), head: None }.grow().await?;
    }
    Ok(())
}

/// A session that grows at random, and the expected content of its branches.
struct Lines<B> {
    fixture: Fixture<B>,
    session: SessionId,
    dice: Dice,
    /// For each ended turn, all messages of its branch up to its end.
    said: BTreeMap<TurnId, Vec<String>>,
    head: Option<TurnId>,
}

impl<B: Backend> Lines<B> {
    async fn grow(mut self) -> Outcome {
        for step in 0..STEPS {
            let point = self.point();
            if self.dice.chance(20) {
                self.move_head(point).await?;
            } else {
                self.say(step, point).await?;
            }
            let expected = self.head.map(|head| self.said[&head].clone()).unwrap_or_default();
            assert_eq!(said(&self.fixture, self.session).await?, expected);
        }
        Ok(())
    }

    /// Returns a random branch point.
    fn point(&mut self) -> BranchPoint {
        let over: Vec<TurnId> = self.said.keys().copied().collect();
        match self.dice.below(4) {
            0 => BranchPoint::Beginning,
            1 if !over.is_empty() => BranchPoint::After(over[self.dice.below(over.len() as u64) as usize]),
            _ => BranchPoint::Head,
        }
    }

    async fn move_head(&mut self, point: BranchPoint) -> Outcome {
        self.head = match point {
            BranchPoint::Head => self.head,
            BranchPoint::Beginning => None,
            BranchPoint::After(turn) => Some(turn),
        };
        assert_eq!(move_head(&self.fixture, self.session, self.head).await?, self.head);
        Ok(())
    }

    /// Runs a turn while other turns are queued, some of which are dropped.
    async fn say(&mut self, step: u32, point: BranchPoint) -> Outcome {
        let mut runs = Some(begins(&self.fixture, self.session, &format!("{step}"), point).await?);
        let mut points = BTreeMap::from([(runs.as_ref().map(|first| first.claim.turn()), point)]);
        for waiting in 0..self.dice.below(3) {
            let point = self.point();
            let accept = asks(&self.fixture, self.session, &format!("{step}.{waiting}"), point);
            let turn = accept.turn;
            self.fixture.store().accept(&self.fixture.scope(), accept).await?;
            if self.dice.chance(30) {
                let (scope, at) = (self.fixture.scope(), self.fixture.now());
                self.fixture.store().request_stop(&scope, turn, StopReason::Cancelled, at).await?;
            } else {
                points.insert(Some(turn), point);
            }
        }
        while let Some(claimed) = runs {
            let turn = claimed.claim.turn();
            let mut line = match points.get(&Some(turn)).ok_or("a turn that was dropped began")? {
                BranchPoint::Head => self.head.map(|head| self.said[&head].clone()).unwrap_or_default(),
                BranchPoint::Beginning => Vec::new(),
                BranchPoint::After(ancestor) => self.said[ancestor].clone(),
            };
            assert_eq!(sent(&self.fixture.store().history(&claimed.claim).await?), line);
            assert_eq!(claimed.messages as usize, line.len() + 1);
            let answer = format!("answer to {}", claimed.number);
            line.extend(self.fixture.said_in(turn).await?);
            line.push(answer.clone());
            runs = self.fixture.end(&claimed.claim, &answer).await?.map(|next| *next);
            self.said.insert(turn, line);
            self.head = Some(turn);
        }
        Ok(())
    }
}
