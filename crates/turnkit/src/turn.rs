//! One turn, from the question to the answer: its interactions are replied to on the way.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use futures_util::StreamExt as _;
use turnkit_core::{ErrorScope, EventKind, NewWait, OutputSchema, Role, Session, TurnStatus, Usage};
use turnkit_engine::{Run, RunEvent};

use crate::interaction::decide;
use crate::setup::Setup;
use crate::{Answer, Error};

/// A turn of a session.
pub(crate) struct Turn<'a> {
    pub(crate) agent: &'a Setup,
    pub(crate) session: &'a mut Session,
    pub(crate) events: Handover,
}

impl Turn<'_> {
    /// Runs the turn to its end. It waits whenever an event has not been taken.
    pub(crate) async fn run(self, message: String, schema: Option<OutputSchema>) -> Result<Answer, Error> {
        let Turn { agent, session, events } = self;
        let engine = agent.build(|builder| match schema {
            Some(schema) => builder.output_schema(schema),
            None => builder,
        })?;
        let before = session.history.said();
        let mut end = End::default();
        let mut waits = pass_on(engine.run(&agent.instructions, session, message), &events, &mut end).await;
        while !waits.is_empty() {
            let decisions = decide(agent.handler.as_ref(), waits).await;
            waits = pass_on(engine.resume(&agent.instructions, session, decisions)?, &events, &mut end).await;
        }
        end.into_answer(session, before)
    }
}

/// Passes on the events of a run. Returns the calls that wait for the host at its end.
async fn pass_on(mut run: Run<'_>, events: &Handover, end: &mut End) -> Vec<NewWait> {
    while let Some(event) = run.next().await {
        if let RunEvent::Waiting(waits) = event {
            return waits;
        }
        end.watch(&event);
        events.put(event).await;
    }
    Vec::new()
}

/// What the events tell about the end of a turn.
#[derive(Default)]
struct End {
    /// The last error that is not of a tool.
    error: Option<Error>,
    status: Option<TurnStatus>,
    text: String,
    final_text: Option<String>,
    usage: Usage,
}

impl End {
    fn watch(&mut self, event: &RunEvent) {
        let RunEvent::Turn(event) = event else { return };
        match &event.kind {
            EventKind::Error { code, message, retryable, scope: ErrorScope::Provider } => {
                let (code, message) = (code.clone(), message.clone());
                self.error = Some(Error::Provider { code, message, retryable: *retryable });
            }
            EventKind::Error { message, scope: ErrorScope::Turn, .. } => {
                self.error = Some(Error::Ended { status: TurnStatus::Failed, reason: message.clone() });
            }
            EventKind::TurnEnded { status, text, final_text, usage, .. } => {
                self.status = Some(*status);
                (self.text, self.final_text) = (text.clone(), final_text.clone());
                self.usage = Usage::clone(usage);
            }
            _ => {}
        }
    }

    fn into_answer(self, session: &Session, before: u32) -> Result<Answer, Error> {
        let unexplained = || "the turn reported no reason".to_owned();
        match (self.status, self.error) {
            (Some(TurnStatus::Completed), _) => {}
            (Some(TurnStatus::Failed), Some(error)) => return Err(error),
            (Some(status), Some(Error::Ended { reason, .. })) => return Err(Error::Ended { status, reason }),
            (Some(status), error) => {
                let reason = error.map_or_else(unexplained, |error| error.to_string());
                return Err(Error::Ended { status, reason });
            }
            (None, _) => return Err(Error::Ended { status: TurnStatus::Failed, reason: unexplained() }),
        }
        // A turn that was open before ends with results of its own.
        let added = session.history.shown().filter(|shown| shown.place >= before).map(|shown| &shown.entry);
        let messages = added.skip_while(|entry| entry.message().role != Role::User).cloned().collect();
        Ok(Answer { text: self.text, final_text: self.final_text, usage: self.usage, messages })
    }
}

/// Hands events of a turn to its reader, one at a time. The reader polls the turn, so neither of them needs to be woken.
#[derive(Clone, Default)]
pub(crate) struct Handover(Arc<Mutex<Option<RunEvent>>>);

impl Handover {
    /// Hands an event over and waits until it is taken.
    async fn put(&self, event: RunEvent) {
        *self.lock() = Some(event);
        poll_fn(|_| if self.lock().is_some() { Poll::Pending } else { Poll::Ready(()) }).await;
    }

    pub(crate) fn take(&self) -> Option<RunEvent> {
        self.lock().take()
    }

    fn lock(&self) -> MutexGuard<'_, Option<RunEvent>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
