//! A call in progress: it follows its turn until that ends or asks its user.

use std::task::{Context, Poll, ready};

use serde_json::Value;
use tokio_util::sync::CancellationToken;
use turnkit_core::ports::Detach;
use turnkit_core::{EventKind, Scope, StoreError, TurnEvent, TurnId, TurnView, Wait};
use turnkit_engine::{TurnFeed, TurnService, TurnUpdate};

use super::continuation::Continuation;
use super::elicitation::forms;
use super::fault::{Fault, FaultKind};
use super::message::RequestId;
use super::progress::ProgressReports;
use super::revision::Revision;
use super::{outcome, response};
use crate::running_calls::RunningCall;
use crate::stream::Progress;

/// A call in progress. Dropping it does not affect its turn, unless it has an [`Abandonment`].
pub(super) struct Call {
    pub(super) request: RequestId,
    pub(super) revision: Revision,
    /// Whether questions of the turn are put to the client's user.
    pub(super) can_elicit: bool,
    /// The name by which clients refer to the session of the turn.
    pub(super) session: String,
    pub(super) feed: TurnFeed,
    /// The reports of progress, if the client asked for them.
    pub(super) reports: Option<ProgressReports>,
    /// The number of the last event that needs no report.
    pub(super) seen: u32,
    pub(super) view: TurnView,
    pub(super) running: Option<RunningCall>,
    pub(super) abandonment: Option<Abandonment>,
}

/// Cancels the turn of a call that is dropped before it has been answered: the client closed the response, which is how
/// clients of the stateless revision cancel.
pub(super) struct Abandonment {
    service: TurnService,
    scope: Scope,
    turn: TurnId,
    /// Cancelled when the server ends the response itself.
    access_ended: CancellationToken,
    armed: bool,
}

impl Call {
    /// Returns the turn.
    pub(super) fn turn(&self) -> TurnId {
        self.feed.turn()
    }

    /// Adds the next messages to `out`, the last of which is the response. It may add none.
    pub(super) fn poll_next(
        &mut self,
        context: &mut Context<'_>,
        out: &mut Vec<Value>,
    ) -> Poll<Result<Progress, StoreError>> {
        let mut events = Vec::new();
        let polled = self.feed.poll_next(context, &mut events);
        events.iter().for_each(|event| self.event(event, out));
        match ready!(polled)? {
            TurnUpdate::Events => {}
            TurnUpdate::Resync(snapshot) => self.view = snapshot.turn.map(|turn| turn.view).unwrap_or_default(),
            TurnUpdate::Progress(progress) => {
                if self.is_expected()
                    && let Some(reports) = &mut self.reports
                {
                    out.extend(progress.iter().map(|progress| reports.of_tool(progress)));
                }
            }
            TurnUpdate::Pending(waits) => return Poll::Ready(Ok(self.ask(&waits, out))),
            TurnUpdate::End => return Poll::Ready(Ok(self.end(out))),
            TurnUpdate::Gone => {
                self.detach(Detach::Deleted, out);
                return Poll::Ready(Ok(Progress::Ended));
            }
        }
        Poll::Ready(Ok(Progress::Item))
    }

    /// Adds the response of a call whose turn can no longer be followed. The turn continues.
    pub(super) fn detach(&mut self, why: Detach, out: &mut Vec<Value>) {
        let fault = Fault::new(FaultKind::Unavailable, why.as_str());
        self.respond(response::error(Some(&self.request), &fault), out);
    }

    fn event(&mut self, event: &TurnEvent, out: &mut Vec<Value>) {
        self.view.apply(event);
        // The events after a retraction reuse the numbers of the retracted ones.
        if let EventKind::Retracted { from_seq, .. } = event.kind {
            self.seen = self.seen.min(from_seq.saturating_sub(1));
        }
        if event.seq <= self.seen {
            return;
        }
        self.seen = event.seq;
        if self.is_expected() {
            out.extend(self.reports.as_mut().and_then(|reports| reports.of_event(event)));
        }
    }

    /// Ends the call with the questions of its turn, if the client's user can answer one of them. The turn waits.
    fn ask(&mut self, waits: &[Wait], out: &mut Vec<Value>) -> Progress {
        let forms = forms(waits);
        if !self.can_elicit || forms.is_empty() {
            return Progress::Item;
        }
        let continuation = Continuation { turn: self.turn(), seen: self.seen };
        let asked = response::result(&self.request, &outcome::input_required(forms, continuation));
        self.respond(asked, out);
        Progress::Ended
    }

    fn end(&mut self, out: &mut Vec<Value>) -> Progress {
        match self.view.status {
            Some(status) => {
                let result = outcome::of_turn(self.turn(), &self.session, &self.view, status, self.revision);
                self.respond(response::result(&self.request, &result), out);
            }
            None => self.detach(Detach::Lost, out),
        }
        Progress::Ended
    }

    fn respond(&mut self, response: Value, out: &mut Vec<Value>) {
        if let Some(abandonment) = &mut self.abandonment {
            abandonment.armed = false;
        }
        if let Some(running) = &mut self.running {
            running.answered();
        }
        if self.is_expected() {
            out.push(response);
        }
    }

    /// Reports whether the client still expects messages about the call.
    fn is_expected(&self) -> bool {
        self.running.as_ref().is_none_or(|running| !running.is_cancelled())
    }
}

impl Abandonment {
    /// Creates the abandonment of a call for `turn`. It does not count once `access_ended` is cancelled, because the
    /// server then ends the response itself.
    pub(super) fn new(service: TurnService, scope: Scope, turn: TurnId, access_ended: CancellationToken) -> Self {
        Self { service, scope, turn, access_ended, armed: true }
    }
}

impl Drop for Abandonment {
    fn drop(&mut self) {
        if self.armed && !self.access_ended.is_cancelled() {
            self.service.cancel_in_background(&self.scope, self.turn);
        }
    }
}
