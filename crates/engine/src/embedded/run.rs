//! The stream of a turn's events for the host. Polling the stream drives the turn.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::Stream;
use turnkit_core::ports::BoxFuture;
use turnkit_core::{NewWait, Tail, TailItem};

use super::run_event::{OpenParts, RunEvent};
use crate::driver::Exit;

/// A running turn: a stream that ends after `turn.ended`, or after [`RunEvent::Waiting`].
pub struct Run<'a> {
    driver: Option<BoxFuture<'a, Exit>>,
    tail: Tail,
    waiting: Option<Vec<NewWait>>,
    growing: OpenParts,
}

impl<'a> Run<'a> {
    pub(super) fn new(driver: BoxFuture<'a, Exit>, tail: Tail) -> Self {
        Self { driver: Some(driver), tail, waiting: None, growing: OpenParts::default() }
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

impl Stream for Run<'_> {
    type Item = RunEvent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<RunEvent>> {
        self.drive(context);
        match self.tail.poll_item(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Some(TailItem::Progress(progress))) => Poll::Ready(Some(RunEvent::Progress(progress))),
            Poll::Ready(Some(TailItem::Event(event))) => Poll::Ready(Some(self.growing.run_event(event))),
            Poll::Ready(None) => Poll::Ready(self.waiting.take().map(RunEvent::Waiting)),
        }
    }
}
