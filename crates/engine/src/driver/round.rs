//! One round of tool calls, as an input of the machine.

use std::pin::Pin;

use tokio::time::Sleep;
use turnkit_core::CallUid;

use super::Driver;
use super::interruption::interrupted;
use crate::machine::Input;
use crate::tools::{Round, RunnableCall, forbidden};

impl Driver<'_> {
    pub(super) async fn run_tools(&mut self, uids: &[CallUid], expiry: Pin<&mut Sleep>) -> Input {
        self.failpoints.hit("tools.starting");
        let mut round = Round { toolbox: &self.toolbox, how: self.settings.tool_runs, finished: Vec::new() };
        let mut runnable = Vec::new();
        for call in self.calls(uids) {
            match self.toolbox.allow(call.clone(), &self.permissions) {
                Some((allowed, tool)) => runnable.push(RunnableCall::new(allowed, tool)),
                None => round.finished.push(forbidden(&call)),
            }
        }
        // The session itself changes only with the checkpoint.
        let mut seen_by_tools = self.session.clone();
        let why = tokio::select! {
            biased;
            why = interrupted(&self.live, expiry) => Some(why),
            () = round.run(runnable, &mut seen_by_tools) => None,
        };
        self.failpoints.hit("tools.finished");
        match why {
            Some(why) => why.into_input(None, round.finished),
            None => Input::ToolsFinished(round.finished),
        }
    }
}
