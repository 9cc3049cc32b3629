//! One round of tool calls, as an input of the machine.

use std::borrow::Cow;
use std::pin::{Pin, pin};

use futures_util::future::poll_immediate;
use tokio::time::Sleep;
use turnkit_core::{CallUid, Recorded, TurnStatus};

use super::environment::Environment;
use super::interruption::Interruption;
use super::{Driver, Exit};
use crate::machine::Input;
use crate::tools::{Round, RunnableCall};

impl<E: Environment> Driver<'_, E> {
    pub(super) async fn run_tools(&mut self, uids: &[CallUid], expiry: Pin<&mut Sleep>) -> Result<Input, Exit> {
        self.failpoints.hit("tools.starting");
        self.save_at_once().await?;
        // A changed definition may have told the model to start a sub-agent. A driver that resumes the turn after an
        // approval has not looked yet.
        if self.calls(uids).iter().any(|call| self.toolbox.is_task(&call.name)) {
            Box::pin(self.look_up_changed_tools(&[])).await;
        }
        let mut round = Round {
            toolbox: &self.toolbox,
            live: &self.live,
            how: self.settings.tool_call_limits,
            can_ask: self.permissions.can_ask(),
            why_no_sub_agents: self.why_no_sub_agents(),
            finished: Vec::new(),
        };
        let mut runnable = Vec::new();
        let calls = self.calls(uids);
        if calls.len() < uids.len() {
            return Ok(lost(uids.len() - calls.len()));
        }
        for call in calls {
            let approval = self.machine.approval(call.uid);
            match self.toolbox.allow(call, approval, &self.permissions, self.view()) {
                Ok((allowed, tool, notice)) => {
                    if let Some(notice) = notice {
                        self.stage_notice("tool_allowed", notice);
                    }
                    runnable.push(RunnableCall::new(allowed, tool, &self.machine));
                }
                Err(forbidden) => round.finished.push(forbidden.result(call)),
            }
        }
        let (why, saved) = self.perform(&mut round, runnable, expiry).await?;
        let finished = round.finished;
        if saved {
            self.take_over_saved();
        }
        self.failpoints.hit("tools.finished");
        Ok(match why {
            Some(why) => why.of_round(finished),
            None => Input::ToolsFinished(finished),
        })
    }

    /// Runs the calls. If they do not finish at once, the answer that requested them is stored while they run. Returns
    /// the interruption, if there was one, and whether the answer was stored.
    async fn perform(
        &self,
        round: &mut Round<'_>,
        calls: Vec<RunnableCall>,
        expiry: Pin<&mut Sleep>,
    ) -> Result<(Option<Interruption>, bool), Exit> {
        // The session itself changes only at the checkpoint. It is copied if a call sets metadata for later ones.
        let mut seen_by_tools = Cow::Borrowed(&*self.session);
        let mut tools = pin!(self.environment.run_tools(round, calls, &mut seen_by_tools, expiry));
        if let Some(why) = poll_immediate(tools.as_mut()).await {
            return Ok((why, false));
        }
        // A withdrawal by a new owner is not progress. It is stored with the effects that follow.
        let Some(held) = self.held.as_ref().filter(|held| held.has_answer()) else { return Ok((tools.await, false)) };
        let mut saving = pin!(self.save(held));
        tokio::select! {
            biased;
            saved = saving.as_mut() => {
                let saved = saved?;
                Ok((tools.await, saved))
            }
            // The outcome of a write that has begun must be known before the next write.
            why = tools.as_mut() => Ok((why, saving.await?)),
        }
    }

    /// Without a store, adds the answer to the session before its calls run, which costs nothing. If the turn is
    /// dropped while they run, the session has the answer.
    async fn save_at_once(&mut self) -> Result<(), Exit> {
        if let Some(held) = self.held.as_ref().filter(|held| self.store.is_none() && held.has_answer()) {
            self.save(held).await?;
            self.take_over_saved();
        }
        Ok(())
    }

    /// Sends the user a notice at once. It is stored with the next checkpoint.
    pub(super) fn notice(&self, code: &str, text: String) {
        self.stage_notice(code, text);
        self.live.write(turnkit_core::TurnLog::reveal);
    }

    /// Adds a notice that becomes visible with the next checkpoint.
    fn stage_notice(&self, code: &str, text: String) {
        let now = self.clock.now();
        self.live.write(|log| log.stage(now, Recorded::Notice { code: code.to_owned(), text }));
    }
}

/// Returns the input that ends a turn whose transcript lacks calls that are to run, since it cannot continue.
fn lost(calls: usize) -> Input {
    let error = Some(("internal".to_owned(), format!("{calls} tool calls of the turn are not in its transcript")));
    Input::Stop { status: TurnStatus::Failed, error, partial: None, finished: Vec::new() }
}
