//! The events of a turn as the host reads them. Reading is what drives the turn.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::Stream;
use turnkit_core::ports::BoxFuture;
use turnkit_core::{EventKind, NewWait, PartId, PartKind, Str, Tail, TailItem, ToolProgress, TurnEvent};

use crate::driver::Exit;

/// What a host reads. A loop over a run handles all of these: text is shown from deltas, and a turn that waits has no
/// `turn.ended` before the host has decided.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEvent {
    /// A piece of the answer.
    Delta {
        /// What it is a piece of: visible text, reasoning, or the arguments of a call.
        kind: PartKind,
        /// The part that grows.
        id: PartId,
        /// The piece.
        text: Str,
        /// Its number in the turn, as of any event.
        seq: u32,
    },
    /// Anything else that happened in the turn.
    Turn(TurnEvent),
    /// A call that runs has reported how far it has come.
    Progress(ToolProgress),
    /// The turn waits until the host decides these with [`Engine::resume`](crate::Engine::resume). Always last.
    Waiting(Vec<NewWait>),
}

/// A turn being run: a stream that ends after `turn.ended`, or after [`RunEvent::Waiting`].
pub struct Run<'a> {
    driver: Option<BoxFuture<'a, Exit>>,
    tail: Tail,
    waiting: Option<Vec<NewWait>>,
    /// The parts of the answer that grow.
    growing: Vec<(PartId, PartKind)>,
}

impl<'a> Run<'a> {
    pub(super) fn new(driver: BoxFuture<'a, Exit>, tail: Tail) -> Self {
        Self { driver: Some(driver), tail, waiting: None, growing: Vec::new() }
    }

    fn drive(&mut self, context: &mut Context<'_>) {
        let Some(driver) = &mut self.driver else { return };
        if let Poll::Ready(exit) = driver.as_mut().poll(context) {
            self.driver = None;
            self.tail.live().close();
            if let Exit::Waiting(waits) = exit {
                self.waiting = Some(waits);
            }
        }
    }
}

impl Run<'_> {
    /// The event as the host reads it.
    fn run_event(&mut self, event: TurnEvent) -> RunEvent {
        let TurnEvent { seq, fence, at, kind } = event;
        match &kind {
            EventKind::PartStarted { id, kind, .. } => self.growing.push((*id, *kind)),
            EventKind::PartEnded { id, .. } => self.growing.retain(|(growing, _)| growing != id),
            // An answer that broke off leaves parts without an end, and the next one has the same ids.
            EventKind::StepStarted { .. } => self.growing.clear(),
            _ => {}
        }
        match kind {
            EventKind::PartDelta { id, text } => match self.growing.iter().find(|(growing, _)| *growing == id) {
                Some((_, kind)) => RunEvent::Delta { kind: *kind, id, text, seq },
                // A run begins before the parts it tells of.
                None => RunEvent::Turn(TurnEvent { seq, fence, at, kind: EventKind::PartDelta { id, text } }),
            },
            kind => RunEvent::Turn(TurnEvent { seq, fence, at, kind }),
        }
    }
}

impl Stream for Run<'_> {
    type Item = RunEvent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<RunEvent>> {
        self.drive(context);
        match self.tail.poll_item(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Some(TailItem::Progress(progress))) => Poll::Ready(Some(RunEvent::Progress(progress))),
            Poll::Ready(Some(TailItem::Event(event))) => Poll::Ready(Some(self.run_event(event))),
            Poll::Ready(None) => Poll::Ready(self.waiting.take().map(RunEvent::Waiting)),
        }
    }
}
