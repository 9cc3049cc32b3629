//! The events of a turn as the host reads them. Reading is what drives the turn.

use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::Stream;
use turnkit_core::ports::BoxFuture;
use turnkit_core::{Tail, ToolCall, TurnEvent};

use crate::driver::Exit;

/// What a host reads.
#[derive(Debug, Clone, PartialEq)]
pub enum RunEvent {
    /// Something happened.
    Turn(TurnEvent),
    /// The turn waits until the host decides these calls with [`Engine::resume`](crate::Engine::resume). Always last.
    Waiting(Vec<ToolCall>),
}

/// A turn being run: a stream that ends after `turn.ended`, or after [`RunEvent::Waiting`].
pub struct Run<'a> {
    driver: Option<BoxFuture<'a, Exit>>,
    tail: Tail,
    waiting: Option<Vec<ToolCall>>,
}

impl<'a> Run<'a> {
    pub(super) fn new(driver: BoxFuture<'a, Exit>, tail: Tail) -> Self {
        Self { driver: Some(driver), tail, waiting: None }
    }

    fn drive(&mut self, context: &mut Context<'_>) {
        let Some(driver) = &mut self.driver else { return };
        if let Poll::Ready(exit) = driver.as_mut().poll(context) {
            self.driver = None;
            self.tail.live().close();
            if let Exit::Waiting(calls) = exit {
                self.waiting = Some(calls);
            }
        }
    }
}

impl Stream for Run<'_> {
    type Item = RunEvent;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<RunEvent>> {
        self.drive(context);
        match Pin::new(&mut self.tail).poll_next(context) {
            Poll::Pending => Poll::Pending,
            Poll::Ready(Some(event)) => Poll::Ready(Some(RunEvent::Turn(event))),
            Poll::Ready(None) => Poll::Ready(self.waiting.take().map(RunEvent::Waiting)),
        }
    }
}
