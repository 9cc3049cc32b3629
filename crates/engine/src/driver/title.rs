//! Writing a title of the session, as an input of the machine.

use std::pin::Pin;

use tokio::time::Sleep;
use turnkit_core::ports::CallContext;
use turnkit_core::{StopSignal, TurnLog};

use super::environment::Environment;
use super::{Driver, Interruption};
use crate::machine::{Input, TitleOutcome};
use crate::title::TitleJob;

impl<E: Environment> Driver<'_, E> {
    /// Requests a title from the model.
    pub(super) async fn write_title(&self, call: CallContext, expiry: Pin<&mut Sleep>) -> Input {
        // Checked before the request, so that no model call is wasted.
        if let Some(reason) = self.stop.and_then(StopSignal::reason) {
            return Interruption::Stopped(reason).of_round(Vec::new());
        }
        let Some(job) = TitleJob::from_history(&self.session.history, self.request(false)) else {
            let title = Err("the session has no answer yet".to_owned());
            return Input::TitleFinished(Box::new(TitleOutcome { title, calls: None }));
        };
        let (answer, calls) = tokio::select! {
            biased;
            why = self.environment.interrupted(expiry) => {
                let since = self.live.read(TurnLog::last_seq).saturating_add(1);
                return why.of_compaction(since, self.environment.lost_in_title(&call));
            }
            answered = self.environment.ask_for_title(job.request.clone(), self.provider, &call) => answered,
        };
        let title = answer.and_then(|answer| job.title(answer.as_deref()));
        if let Err(why) = &title {
            tracing::warn!(turn = %call.turn, reason = why, "no title written");
        }
        Input::TitleFinished(Box::new(TitleOutcome { title, calls }))
    }
}
