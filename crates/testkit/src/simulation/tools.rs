//! The tools of a simulation, which record their effects.

use std::sync::Arc;

use turnkit_core::ports::Tool;
use turnkit_core::{Reply, ToolDefinition, ToolError, ToolFlags, ToolQuestion};

use turnkit_engine::TaskTool;

use super::process_context::ProcessContext;
use super::record::Work;
use crate::tools::TestTool;

/// Returns the tools `look`, which only reads; `put`, which may be repeated; `pay`, which must not; `ask`, which asks a
/// person; and `fail`. If the simulation has people, sub-agents are included.
pub(super) fn all(process: &Arc<ProcessContext>) -> Vec<Arc<dyn Tool>> {
    let put = ToolFlags { idempotent: true, parallel_safe: true, ..ToolFlags::default() };
    let mut tools: Vec<Arc<dyn Tool>> = vec![
        Arc::new(tool("look", ToolFlags::read_only(), process)),
        Arc::new(tool("put", put, process)),
        Arc::new(tool("pay", ToolFlags::default(), process)),
        Arc::new(tool("fail", ToolFlags::read_only(), process)),
        Arc::new(ask()),
    ];
    if process.has_people {
        tools.push(Arc::new(TaskTool::new([("assistant", "")])));
    }
    tools
}

/// Returns the definition of `show`, which the client of a turn runs.
pub(super) fn of_client() -> Vec<ToolDefinition> {
    ToolDefinition::new("show", "Shows something.", "{}").into_iter().collect()
}

/// Creates a tool that returns the reply to its question.
fn ask() -> TestTool {
    TestTool::new("ask", ToolFlags::read_only(), |_, context| {
        let question = || ToolError::NeedsAnswer(Box::new(ToolQuestion::new("How many?")));
        let outcome = context.answer.map(|answer| reply_text(&answer.reply).into()).ok_or_else(question);
        Box::pin(std::future::ready(outcome))
    })
}

/// Returns the text in which a model reads the reply to a question.
pub(super) fn reply_text(reply: &Reply) -> String {
    format!("{reply:?}")
}

fn tool(name: &'static str, flags: ToolFlags, process: &Arc<ProcessContext>) -> TestTool {
    let process = Arc::clone(process);
    TestTool::new(name, flags, move |_, context| {
        let process = Arc::clone(&process);
        let uid = context.uid;
        Box::pin(async move {
            let _work_guard = process.begin(uid.turn, Work::ToolCall);
            if !flags.read_only && !process.disk.has_receipt(uid) {
                process.record.report_violation(format!("{name} runs before the receipt of {uid} is written"));
            }
            process.fate.point().await;
            if !flags.read_only {
                process.record.facts().effects.push((uid, name));
            }
            process.fate.point().await;
            // This is long enough for people to decide about another call meanwhile.
            if process.has_people && name != "pay" {
                tokio::time::sleep(process.fate.draw(|dice| dice.millis(300))).await;
            }
            match name {
                "fail" => Err(ToolError::Failed("it always fails".to_owned())),
                // This is long enough to be left out of a later request.
                _ if process.window.is_some() => Ok(format!("{name} {} done. ", uid.step).repeat(60).into()),
                _ => Ok(format!("{name} done").into()),
            }
        })
    })
}
