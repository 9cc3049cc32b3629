//! Assembling the instructions of a turn, before its first model call.

use std::pin::Pin;

use tokio::time::Sleep;
use turnkit_core::ports::ContextRequest;
use turnkit_core::{Day, TurnStatus};

use super::Driver;
use super::environment::Environment;
use crate::context::{Assembly, CONTEXT_FAILED};
use crate::machine::Input;

impl<E: Environment> Driver<'_, E> {
    /// Assembles the instructions before the first model call. Returns the input that ends the turn, if that failed or was
    /// interrupted.
    pub(super) async fn assembled(&mut self, expiry: Pin<&mut Sleep>) -> Option<Input> {
        // Boxed so that calls of assembled turns do not carry its state.
        match self.assembly.take() {
            Some(assembly) => Box::pin(self.assemble(assembly, expiry)).await,
            None => None,
        }
    }

    /// Adds the items of the context providers to the agent's own instructions. Returns the input that ends the turn, if a
    /// closed provider failed or the turn was interrupted.
    async fn assemble(&mut self, assembly: Assembly<'_>, expiry: Pin<&mut Sleep>) -> Option<Input> {
        let request = ContextRequest {
            agent: assembly.agent.unwrap_or(&self.session.agent),
            session: self.session,
            scope: assembly.scope,
            today: Day::from(self.clock.now()),
            tools: self.toolbox.definitions(),
            mode: assembly.mode.as_deref(),
        };
        let (session, own) = (self.session.id, self.instructions.take());
        // Made before the providers are asked, so that the next turn sees what changes meanwhile.
        let key = assembly.key(&request, own.as_deref());
        if let Some(kept) = assembly.kept(session, key) {
            self.instructions = Some(kept);
            return None;
        }
        let assembled = tokio::select! {
            biased;
            why = self.environment.interrupted(expiry) => return Some(why.of_round(Vec::new())),
            assembled = assembly.pipeline.assemble(&request, own.as_deref()) => assembled,
        };
        if let Some(failure) = assembled.closed() {
            let error = Some((CONTEXT_FAILED.to_owned(), failure.to_string()));
            return Some(Input::Stop { status: TurnStatus::Failed, error, partial: None, finished: Vec::new() });
        }
        for (code, text) in assembled.notices() {
            // A turn that is continued, after an approval for instance, assembles again.
            if !self.live.read(|log| log.has_notice(code, &text)) {
                self.notice(code, text);
            }
        }
        self.instructions = assembled.instructions();
        if let Some(made) = &self.instructions {
            assembly.keep(session, key, &assembled, made);
        }
        None
    }
}
