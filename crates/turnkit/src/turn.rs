//! One turn, from the question to the answer, including the replies to its interactions.

use std::sync::Arc;

use futures_util::StreamExt as _;
use turnkit_core::{NewWait, OutputSchema, Session};
use turnkit_engine::{Run, RunEvent};

use crate::end::End;
use crate::handover::Handover;
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
    /// Runs the turn to its end. Pauses while the reader has not taken the last event.
    pub(crate) async fn run(self, message: String, schema: Option<OutputSchema>) -> Result<Answer, Error> {
        let Turn { agent, session, events } = self;
        let engine = agent.build(|builder| match schema {
            Some(schema) => builder.output_schema(schema),
            None => builder,
        })?;
        let before = session.history.branch_len();
        let mut end = End::default();
        let mut waits = pass_on(engine.run(&agent.instructions, session, message), &events, &mut end).await;
        while !waits.is_empty() {
            let mut decisions = Vec::with_capacity(waits.len());
            for wait in waits {
                let resolution = decide(agent.handler.as_ref(), wait.kind, wait.question.clone()).await;
                decisions.push(wait.decided(resolution));
            }
            waits = pass_on(engine.resume(&agent.instructions, session, decisions)?, &events, &mut end).await;
        }
        // If an earlier turn was still open, its closing results come first. `into_answer` skips to the question.
        let added = session.history.shown().filter(|shown| shown.place >= before);
        end.into_answer(added.map(|shown| Arc::clone(&shown.entry)))
    }
}

/// Passes the events of a run to the reader. Returns the calls that wait for the host when the run ends.
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
