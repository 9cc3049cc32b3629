//! A model with random answers.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::json;
use turnkit_core::ports::{BoxFuture, CallContext, LlmProvider, OpenedAnswer};
use turnkit_core::{ChatRequest, FinishReason, ProviderError, ProviderErrorKind, TurnId};

use super::process_context::ProcessContext;
use super::record::Work;
use super::sent::{self, asks_for_a_summary, counted, summary};
use crate::dice::Dice;
use crate::{Reply, ScriptedProvider};

/// A provider with random answers and a point of fate between any two pieces.
pub(super) struct RandomModel {
    process: Arc<ProcessContext>,
    script: ScriptedProvider,
}

impl RandomModel {
    pub(super) fn new(process: Arc<ProcessContext>, mut dice: Dice) -> Self {
        let (window, has_people) = (process.window, process.has_people);
        let script = ScriptedProvider::answering(move |request, call| {
            Some(match window {
                None if has_people => reply(&mut dice, call, 1, call_for_people),
                None => reply(&mut dice, call, 1, random_call),
                Some(_) if asks_for_a_summary(request) => summary(&mut dice).usage(counted(request), 20),
                // Requests that fit are sometimes rejected, too.
                Some(_) if dice.chance(2) => Reply::new().fail(ProviderErrorKind::ContextOverflow),
                Some(_) => {
                    let times = 1 + dice.below(100);
                    let reply = reply(&mut dice, call, times as usize, random_call);
                    if dice.chance(85) { reply.usage(counted(request), 50) } else { reply }
                }
            })
        });
        Self { process, script }
    }

    /// Records a violation if the request differs from the stored messages, or if stored messages of its turn have
    /// disappeared.
    fn judge(&self, request: &ChatRequest, turn: TurnId, window: u32) {
        let ProcessContext { disk, record, .. } = &*self.process;
        if let Err(wrong) = sent::check(request, turn, disk, window) {
            record.report_violation(wrong);
        }
        let stored = disk.messages_of(turn);
        let before = record.facts().sent.insert(turn, stored).unwrap_or(0);
        if before > stored {
            record.report_violation(format!(
                "a model was asked when its turn had {before} messages, and {stored} are left"
            ));
        }
    }
}

impl LlmProvider for RandomModel {
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
        Box::pin(async move {
            let work_guard = self.process.begin(call.turn, Work::ModelCall);
            if let Some(window) = self.process.window.filter(|_| work_guard.is_some()) {
                self.judge(&request, call.turn, window);
            }
            self.process.fate.point().await;
            let opened = self.script.stream(request, call).await?;
            let process = Arc::clone(&self.process);
            let deltas = opened.deltas.then(move |batch| {
                let (process, _work_guard) = (Arc::clone(&process), &work_guard);
                async move {
                    process.fate.point().await;
                    batch
                }
            });
            Ok(OpenedAnswer { deltas: Box::pin(deltas), ..opened })
        })
    }
}

/// Adds a call to an answer.
type AddCall = fn(Reply, &mut Dice, u64) -> Reply;

/// Creates a random answer of some words, each repeated `times` times, and some calls.
fn reply(dice: &mut Dice, call: &CallContext, times: usize, add_call: AddCall) -> Reply {
    let mut reply = Reply::new();
    if dice.chance(5) {
        return reply.fail(ProviderErrorKind::Overloaded);
    }
    if dice.chance(8) {
        reply = reply.sleep(dice.millis(8000));
    }
    if dice.chance(30) {
        reply = reply.think("Let me think. ").think("Well.");
    }
    for word in 0..1 + dice.below(4) {
        reply = reply.say(&format!("word{word} ").repeat(times));
        if dice.chance(20) {
            reply = reply.sleep(dice.millis(300));
        }
    }
    match dice.below(100) {
        0..4 => return reply.fail(ProviderErrorKind::Network),
        4..7 => return reply.break_off(),
        7..9 => return reply.hang(),
        9..12 => return reply.call_open("pay", r#"{"amount": 1"#).finish(FinishReason::Length),
        _ => {}
    }
    if call.step < 4 && dice.chance(65) {
        for ordinal in 0..1 + dice.below(3) {
            reply = add_call(reply, dice, ordinal);
        }
        if dice.chance(5) {
            return reply.fail(ProviderErrorKind::Network);
        }
    }
    if dice.chance(85) { reply.usage(1 + dice.below(50), 1 + dice.below(50)) } else { reply }
}

fn random_call(reply: Reply, dice: &mut Dice, ordinal: u64) -> Reply {
    match dice.below(20) {
        0..7 => reply.call("pay", json!({ "amount": ordinal })),
        7..12 => reply.call("put", json!({ "key": ordinal })),
        12..17 => reply.call("look", json!({ "at": ordinal })),
        17 => reply.call("fail", json!({})),
        18 => reply.call("nothing", json!({})),
        _ => reply.call_raw("pay", "{not json").sleep(Duration::from_millis(1)),
    }
}

/// Adds a random call, most kinds of which wait.
fn call_for_people(reply: Reply, dice: &mut Dice, ordinal: u64) -> Reply {
    match dice.below(20) {
        0..6 => reply.call("pay", json!({ "amount": ordinal })),
        6..11 => reply.call("ask", json!({ "at": ordinal })),
        11..15 => reply.call("show", json!({ "at": ordinal })),
        15..17 => reply.call("task", json!({ "prompt": format!("task {ordinal}") })),
        _ => random_call(reply, dice, ordinal),
    }
}
