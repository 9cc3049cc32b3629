//! Assembling the instructions of a turn, before its first model call.

use std::pin::Pin;

use tokio::time::Sleep;
use turnkit_core::ports::ContextRequest;
use turnkit_core::{Day, TurnStatus};

use super::Driver;
use super::environment::Environment;
use super::optional::OptionalItems;
use crate::context::{Assembled, Assembly, CONTEXT_FAILED, has_untrusted_item};
use crate::machine::Input;

/// The code of the notice that a source returned no tools.
const TOOLS_MISSING: &str = "tools_missing";

impl<'a, E: Environment> Driver<'a, E> {
    /// Assembles the instructions before the first model call. Returns the input that ends the turn, if that failed or
    /// was interrupted.
    pub(super) async fn assembled(&mut self, expiry: Pin<&mut Sleep>) -> Option<Input> {
        // Boxed so that calls of assembled turns do not carry the state of this future.
        match self.assembly.take() {
            Some(assembly) => {
                let stop = Box::pin(self.assemble(assembly, expiry)).await;
                self.failpoints.hit("context.assembled");
                stop
            }
            None => None,
        }
    }

    /// Adds the items of the context providers to the agent's own instructions. Returns the input that ends the turn,
    /// if a closed provider failed or the turn was interrupted.
    async fn assemble(&mut self, assembly: Assembly<'a>, expiry: Pin<&mut Sleep>) -> Option<Input> {
        let (session, own) = (self.session.id, self.instructions.take());
        // Computed before the providers are asked, so that the next turn notices changes made in the meantime.
        let key = assembly.key(&self.context_request(&assembly), own.as_deref());
        let mut fresh = None;
        self.instructions = match assembly.kept(session, key) {
            Some(kept) => Some(kept),
            None => {
                let assembled = match self.ask_providers(&assembly, own.as_deref(), expiry).await {
                    Ok(assembled) => assembled,
                    Err(stop) => return Some(stop),
                };
                self.notify(&assembled);
                let made = assembled.instructions();
                if let Some(made) = &made {
                    assembly.keep(session, key, &assembled, made);
                }
                fresh = Some(assembled);
                made
            }
        };
        if self.instructions.as_deref().is_some_and(has_untrusted_item) {
            self.machine.record_untrusted_instructions();
        }
        if let Some(window) = &mut self.window {
            window.optional = Some(OptionalItems::new(assembly, own, fresh));
        }
        None
    }

    /// Asks the context providers. Fails with the input that ends the turn, if a closed provider failed or the turn was
    /// interrupted.
    pub(super) async fn ask_providers(
        &self,
        assembly: &Assembly<'_>,
        own: Option<&str>,
        expiry: Pin<&mut Sleep>,
    ) -> Result<Assembled, Input> {
        let request = self.context_request(assembly);
        let assembled = tokio::select! {
            biased;
            why = self.environment.interrupted(expiry) => return Err(why.of_round(Vec::new())),
            assembled = assembly.pipeline.assemble(&request, own) => assembled,
        };
        match assembled.closed() {
            None => Ok(assembled),
            Some(failure) => {
                let error = Some((CONTEXT_FAILED.to_owned(), failure.to_string()));
                Err(Input::Stop { status: TurnStatus::Failed, error, partial: None, finished: Vec::new() })
            }
        }
    }

    /// Emits a notice for each item that is missing from the instructions, unless the log has it.
    pub(super) fn notify(&self, assembled: &Assembled) {
        for (code, text) in assembled.notices() {
            // A turn that continues, after an approval for instance, assembles its instructions again.
            if !self.live.read(|log| log.has_notice(code, &text)) {
                self.notice(code, text);
            }
        }
    }

    /// Emits a notice for each source that returned no tools, unless the log has it.
    pub(super) fn notify_missing_tools(&mut self) {
        for text in self.toolbox.take_missing() {
            // A resumed turn asks its sources again.
            if !self.live.read(|log| log.has_notice(TOOLS_MISSING, &text)) {
                self.notice(TOOLS_MISSING, text);
            }
        }
    }

    fn context_request<'b>(&'b self, assembly: &'b Assembly<'_>) -> ContextRequest<'b> {
        ContextRequest {
            agent: assembly.agent.unwrap_or(&self.session.agent),
            session: &*self.session,
            scope: assembly.scope,
            today: Day::from(self.clock.now()),
            tools: self.toolbox.definitions(),
            mode: assembly.mode.as_deref(),
        }
    }
}
