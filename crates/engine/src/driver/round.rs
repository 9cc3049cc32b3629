//! One round of tool calls, as an input of the machine.

use std::pin::Pin;

use tokio::time::Sleep;
use turnkit_core::{CallUid, Recorded, TurnStatus};

use super::Driver;
use super::interruption::{Interruption, interrupted};
use crate::machine::Input;
use crate::tools::{Round, RunnableCall, forbidden};

impl Driver<'_> {
    pub(super) async fn run_tools(&mut self, uids: &[CallUid], expiry: Pin<&mut Sleep>) -> Input {
        self.failpoints.hit("tools.starting");
        let mut round = Round { toolbox: &self.toolbox, how: self.settings.tool_runs, finished: Vec::new() };
        let mut runnable = Vec::new();
        let calls = self.calls(uids);
        if calls.len() < uids.len() {
            return lost(uids.len() - calls.len());
        }
        for call in calls {
            match self.toolbox.allow(call.clone(), &self.permissions) {
                Some((allowed, tool)) => {
                    if self.permissions.notifies(tool) {
                        self.notice("tool_allowed", format!("{} runs without asking, as a rule says", tool.name));
                    }
                    runnable.push(RunnableCall::new(allowed, tool));
                }
                None => round.finished.push(forbidden(&call)),
            }
        }
        let why = match self.past {
            None => self.perform(&mut round, runnable, expiry).await,
            Some(past) => {
                let (finished, why) = past.run(&runnable).await;
                round.finished.extend(finished);
                why
            }
        };
        self.failpoints.hit("tools.finished");
        match why {
            Some(why) => why.into_input(None, round.finished),
            None => Input::ToolsFinished(round.finished),
        }
    }

    /// Runs the calls; gives what broke them off, if something did.
    async fn perform(
        &self,
        round: &mut Round<'_>,
        calls: Vec<RunnableCall>,
        expiry: Pin<&mut Sleep>,
    ) -> Option<Interruption> {
        // The session itself changes only with the checkpoint.
        let mut seen_by_tools = self.session.clone();
        tokio::select! {
            biased;
            why = interrupted(&self.live, expiry) => Some(why),
            () = round.run(calls, &mut seen_by_tools) => None,
        }
    }

    /// Tells the user something at once; it is stored with what follows.
    pub(super) fn notice(&self, code: &str, text: String) {
        let now = self.clock.now();
        self.live.write(|log| {
            log.stage(now, Recorded::Notice { code: code.to_owned(), text });
            log.reveal();
        });
    }
}

/// A transcript without the calls that are to run cannot be gone on with.
fn lost(calls: usize) -> Input {
    let error = Some(("internal".to_owned(), format!("{calls} tool calls of the turn are not in its transcript")));
    Input::Stop { status: TurnStatus::Failed, error, partial: None, finished: Vec::new() }
}
