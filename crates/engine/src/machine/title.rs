//! Writing a title of the session, in a separate turn.

use turnkit_core::ports::CompactionCalls;
use turnkit_core::{AnswerTimeline, FinishReason, Recorded, Str, TitleChange, TurnStatus, Usage};

use super::{Effects, TurnMachine};

/// The code of the notice with the title that a model wrote.
pub(crate) const TITLED: &str = "titled";
/// The code of the notice that no title was written.
pub(crate) const TITLE_FAILED: &str = "title_failed";

/// The result of writing a title.
#[derive(Debug, Clone, PartialEq)]
pub struct TitleOutcome {
    /// The title, or the reason why there is none.
    pub title: Result<TitleChange, String>,
    /// The model calls made for the title.
    pub calls: Option<CompactionCalls>,
}

impl TurnMachine {
    /// Applies the title. The output of the model does not become a message of the session.
    pub(super) fn title_finished(&mut self, outcome: &TitleOutcome, effects: &mut Effects) {
        let TitleOutcome { title, calls } = outcome.clone();
        if let Some(CompactionCalls { provider, model, usage }) = calls {
            self.consume(&usage);
            let finish = if title.is_ok() { FinishReason::Stop } else { FinishReason::Interrupted };
            self.called(provider, model, finish, usage, effects);
        }
        let (code, text, status) = match title {
            Ok(title) => {
                let text = title.to.to_string();
                effects.title = Some(title);
                (TITLED, text, TurnStatus::Completed)
            }
            Err(why) => (TITLE_FAILED, format!("the session keeps its title: {why}"), TurnStatus::Failed),
        };
        effects.log.push(Recorded::Notice { code: code.to_owned(), text });
        self.end(status, effects);
    }

    /// Logs a model call that showed no output.
    pub(super) fn called(&self, provider: Str, model: Str, finish: FinishReason, usage: Usage, effects: &mut Effects) {
        let (timeline, message, withdrawn) = (AnswerTimeline::default(), None, Vec::new());
        effects.log.push(Recorded::Attempt { step: self.step, provider, model, timeline, message, withdrawn });
        self.step_ended(finish, usage, effects);
    }
}
