//! The pending waits of a turn and of the turns below it. A follower receives the whole list, and again at each change.

use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::{Interval, interval};
use turnkit_core::ports::{BoxFuture, WaitPage};
use turnkit_core::{EventKind, Recorded, Scope, StoreError, TurnEvent, TurnId, TurnLog, Wait, WaitId, Watch};

use super::TurnService;
use super::followed::{FollowFrom, FollowedSession, FollowedTurn};
use super::log_feed::{FollowError, LogFeed, LogUpdate};

/// How often waits are read that another process may decide, if no change is signalled.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// The pending waits of a turn and of the turns below it. Only followers of turns that wait, or waited, have one.
pub(super) struct PendingWaits {
    service: TurnService,
    scope: Scope,
    /// The turn, and the turns below it whose events have not been read to the end.
    turns: Vec<WaitingTurn>,
    /// Present if other processes may decide waits.
    check_interval: Option<Interval>,
    /// Whether anything was read since the last list was sent to the follower.
    changed: bool,
    /// The waits of the turn that are open according to the events that the follower knows, until the first list.
    shown_open: Vec<WaitId>,
    /// The last list that was sent to the follower; absent before the first one.
    last_sent: Option<Vec<WaitId>>,
}

struct WaitingTurn {
    id: TurnId,
    /// The turn's events; `None` for the turn whose events the follower reads itself.
    events: Option<Events>,
    /// The changes of the turn's session, once it is known. A wait may be decided while the turn has no owner to write
    /// an event.
    changes: Option<Watch>,
    /// Whether a wait of the turn began or ended since `waits` was read.
    stale: bool,
    reading: Option<BoxFuture<'static, Result<Vec<Wait>, StoreError>>>,
    waits: Vec<Wait>,
}

enum Events {
    Opening(BoxFuture<'static, Result<LogFeed, FollowError>>),
    Open(Box<LogFeed>),
}

/// The beginning or the end of a wait.
#[derive(Debug, Clone, Copy)]
pub(super) enum WaitChange {
    /// A wait for a decision began.
    Asked(WaitId),
    /// A wait for this turn of a sub-agent began.
    Child(TurnId),
    /// A wait ended.
    Resolved(WaitId),
}

impl WaitChange {
    /// Returns the wait change that an event reports.
    pub(super) fn from_event(event: &TurnEvent) -> Option<Self> {
        match &event.kind {
            EventKind::InteractionRequested { request } => {
                Some(Self::begun(request.id, request.child.as_ref().map(|child| child.turn)))
            }
            EventKind::InteractionResolved { id, .. } => Some(Self::Resolved(*id)),
            _ => None,
        }
    }

    fn begun(wait: WaitId, child: Option<TurnId>) -> Self {
        child.map_or(Self::Asked(wait), Self::Child)
    }
}

/// Returns the waits of a log that have not been decided.
pub(super) fn undecided(log: &TurnLog) -> Vec<WaitChange> {
    let mut open: Vec<(WaitId, WaitChange)> = Vec::new();
    for entry in log.entries() {
        match &entry.kind {
            Recorded::InteractionRequested { id, child, .. } => {
                open.push((*id, WaitChange::begun(*id, child.as_ref().map(|child| child.turn))));
            }
            Recorded::InteractionResolved { id, .. } => open.retain(|(asked, _)| asked != id),
            _ => {}
        }
    }
    open.into_iter().map(|(_, change)| change).collect()
}

impl PendingWaits {
    pub(super) fn for_turn(turn: &FollowedTurn) -> Self {
        let (service, scope) = (turn.session.service.clone(), turn.session.scope.clone());
        let own = WaitingTurn { changes: Some(changes_of(&turn.session)), ..WaitingTurn::new(turn.id, None) };
        let check_interval = service.inner.lease.is_timed().then(|| interval(CHECK_INTERVAL));
        let (turns, shown_open) = (vec![own], Vec::new());
        Self { service, scope, turns, check_interval, changed: false, shown_open, last_sent: None }
    }

    /// Records a wait change of the turn itself.
    pub(super) fn note(&mut self, change: WaitChange) {
        let Some(turn) = self.turns.first_mut() else { return };
        turn.stale = true;
        match change {
            WaitChange::Asked(wait) if self.last_sent.is_none() => self.shown_open.push(wait),
            WaitChange::Resolved(wait) => self.shown_open.retain(|open| *open != wait),
            WaitChange::Asked(_) | WaitChange::Child(_) => {}
        }
        self.follow(change);
    }

    /// Returns the pending waits when they differ from the last list sent to the follower. The first list may be empty:
    /// a wait that the follower knows from an event may have been decided since.
    pub(super) fn poll(&mut self, context: &mut Context<'_>) -> Poll<Result<Vec<Wait>, StoreError>> {
        self.poll_events(context)?;
        let is_due = self.poll_interval(context);
        for turn in &mut self.turns {
            turn.stale |= is_due && turn.may_be_decided();
            self.changed |= turn.poll_waits(&self.service, &self.scope, context)?;
        }
        // The list is incomplete while a read is in progress.
        if self.turns.iter().any(|turn| turn.reading.is_some()) || !std::mem::take(&mut self.changed) {
            return Poll::Pending;
        }
        let waits: Vec<&Wait> = self.turns.iter().flat_map(|turn| &turn.waits).collect();
        let ids: Vec<WaitId> = waits.iter().map(|wait| wait.id).collect();
        let is_known = match &self.last_sent {
            Some(last_sent) => *last_sent == ids,
            None => ids.is_empty() && self.shown_open.is_empty(),
        };
        if is_known {
            return Poll::Pending;
        }
        let waits = waits.into_iter().cloned().collect();
        self.last_sent = Some(ids);
        Poll::Ready(Ok(waits))
    }

    /// Reports whether the waits are to be read although no change is signalled: a signal of another process may be
    /// lost.
    fn poll_interval(&mut self, context: &mut Context<'_>) -> bool {
        let mut is_due = false;
        while self.check_interval.as_mut().is_some_and(|interval| interval.poll_tick(context).is_ready()) {
            is_due = true;
        }
        is_due
    }

    /// Reads the events of the turns below, and follows the turns below those.
    fn poll_events(&mut self, context: &mut Context<'_>) -> Result<(), StoreError> {
        let mut index = 0;
        while let Some(turn) = self.turns.get_mut(index) {
            let mut changes = Vec::new();
            let is_over = turn.poll_events(&self.service, &self.scope, context, &mut changes)?.is_ready();
            turn.stale |= !changes.is_empty();
            changes.into_iter().for_each(|change| self.follow(change));
            if is_over {
                self.turns.remove(index);
                self.changed = true;
            } else {
                index += 1;
            }
        }
        Ok(())
    }

    fn follow(&mut self, change: WaitChange) {
        let WaitChange::Child(below) = change else { return };
        if self.turns.iter().any(|turn| turn.id == below) {
            return;
        }
        let events = Events::open(&self.service, &self.scope, below);
        self.turns.push(WaitingTurn::new(below, Some(events)));
    }
}

impl WaitingTurn {
    fn new(id: TurnId, events: Option<Events>) -> Self {
        Self { id, events, changes: None, stale: true, reading: None, waits: Vec::new() }
    }

    /// Reads the turn's events. Returns `Ready` once they have ended.
    fn poll_events(
        &mut self,
        service: &TurnService,
        scope: &Scope,
        context: &mut Context<'_>,
        changes: &mut Vec<WaitChange>,
    ) -> Result<Poll<()>, StoreError> {
        let mut batch = Vec::new();
        loop {
            match &mut self.events {
                None => return Ok(Poll::Pending),
                Some(Events::Opening(opening)) => match opening.as_mut().poll(context) {
                    Poll::Pending => return Ok(Poll::Pending),
                    Poll::Ready(Ok(feed)) => {
                        self.changes = Some(changes_of(&feed.followed.session));
                        self.events = Some(Events::Open(Box::new(feed)));
                    }
                    Poll::Ready(Err(FollowError::Expired | FollowError::Store(StoreError::NotFound))) => {
                        return Ok(Poll::Ready(()));
                    }
                    Poll::Ready(Err(FollowError::Store(error))) => {
                        self.events = Some(Events::open(service, scope, self.id));
                        return Err(error);
                    }
                },
                Some(Events::Open(feed)) => match feed.poll_next(context, &mut batch) {
                    Poll::Pending => return Ok(Poll::Pending),
                    Poll::Ready(Ok(LogUpdate::Events)) => {
                        changes.extend(batch.drain(..).filter_map(|event| WaitChange::from_event(&event)))
                    }
                    Poll::Ready(Ok(LogUpdate::Resync(_))) => {
                        changes.extend(feed.log().map(|log| log.read(undecided)).unwrap_or_default())
                    }
                    Poll::Ready(Ok(LogUpdate::Progress(_))) => {}
                    Poll::Ready(Ok(LogUpdate::End | LogUpdate::Gone)) => return Ok(Poll::Ready(())),
                    Poll::Ready(Err(error)) => return Err(error),
                },
            }
        }
    }

    /// Reports whether a wait that the follower knows may have been decided. New waits have events.
    fn poll_changes(&mut self, context: &mut Context<'_>) -> bool {
        let mut has_changed = false;
        while self.changes.as_mut().is_some_and(|changes| changes.poll_changed(context).is_ready()) {
            has_changed = true;
        }
        has_changed && self.may_be_decided()
    }

    /// Reports whether the turn may have a wait that can be decided without an event.
    fn may_be_decided(&self) -> bool {
        self.reading.is_some() || !self.waits.is_empty()
    }

    /// Reads the turn's waits if they may have changed. Returns `true` if they were read.
    fn poll_waits(
        &mut self,
        service: &TurnService,
        scope: &Scope,
        context: &mut Context<'_>,
    ) -> Result<bool, StoreError> {
        let mut was_read = false;
        self.stale |= self.poll_changes(context);
        loop {
            let Some(reading) = &mut self.reading else {
                if !std::mem::take(&mut self.stale) {
                    return Ok(was_read);
                }
                self.reading = Some(Box::pin(stored(service.clone(), scope.clone(), self.id)));
                continue;
            };
            let Poll::Ready(read) = reading.as_mut().poll(context) else { return Ok(was_read) };
            self.reading = None;
            match read {
                Ok(waits) => (self.waits, was_read) = (waits, true),
                Err(error) => {
                    self.stale = true;
                    return Err(error);
                }
            }
        }
    }
}

impl Events {
    fn open(service: &TurnService, scope: &Scope, turn: TurnId) -> Self {
        let (service, scope) = (service.clone(), scope.clone());
        Self::Opening(Box::pin(async move { LogFeed::open(&service, &scope, turn, FollowFrom::Start).await }))
    }
}

fn changes_of(session: &FollowedSession) -> Watch {
    session.parts().broker.changes(session.id).watch()
}

async fn stored(service: TurnService, scope: Scope, turn: TurnId) -> Result<Vec<Wait>, StoreError> {
    // A turn has no more waits than its step has calls.
    let page = WaitPage { session: None, turn: Some(turn), below: false, pending: true, limit: u32::MAX, after: None };
    match service.waits(&scope, page).await {
        Ok(list) => Ok(list.waits),
        Err(StoreError::NotFound) => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}
