//! A session holds each task's conversation once, whole and in order, and any provider would take it.

use std::collections::BTreeMap;

use turnkit_core::{History, Message, Part, Role};

use super::Evidence;
use crate::kill::Task;
use crate::kill::harness::violation::{Check, Violation};
use crate::transcript::check_history;

pub(super) fn judge(evidence: &Evidence<'_>, violations: &mut Vec<Violation>) {
    let Some(last) = evidence.last() else { return };
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for (session, messages) in &last.sessions {
        if let Err(broken) = check_history(&History::of(messages.clone())) {
            violations.extend(
                broken.iter().map(|violation| Violation::new(Check::Messages, format!("{session}: {violation}"))),
            );
        }
        let said: Vec<Message> = messages.iter().filter(|message| !message.changes_view()).cloned().collect();
        for turn in said.chunk_by(|_, next| next.role != Role::User) {
            match turn.first().and_then(Task::of) {
                Some(task) => {
                    conversation(&task, turn, violations);
                    *times.entry(task.name).or_default() += 1;
                }
                None => {
                    violations.push(Violation::new(Check::Messages, format!("{session} begins with what no user said")))
                }
            }
        }
    }
    for order in &evidence.client.orders {
        let name = &order.request.task.name;
        let times = times.get(name).copied().unwrap_or(0);
        // Without a key nobody sends it again, so that it may never have arrived.
        let once = times == 1 || (times == 0 && order.turn.is_none() && order.request.key.is_none());
        if !once {
            let check = if times == 0 { Check::Lost } else { Check::Messages };
            violations.push(Violation::new(check, format!("{name} is in its session {times} times")));
        }
    }
}

/// The user's message, then each answer with the results of its calls.
fn conversation(task: &Task, messages: &[Message], violations: &mut Vec<Violation>) {
    let expected: Vec<String> = expected(task);
    let found: Vec<String> = messages.iter().map(line).collect();
    if found != expected {
        let found = format!("{} is stored as {found:#?}, not as {expected:#?}", task.name);
        violations.push(Violation::new(Check::Messages, found));
    }
}

fn expected(task: &Task) -> Vec<String> {
    let mut lines = vec![format!("user of {}", task.name)];
    for step in 1..=task.steps() {
        let tools: Vec<&str> = task.calls(step).iter().map(|chore| chore.tool()).collect();
        lines.push(format!("assistant: {} calls {tools:?}", task.said(step)));
        if !tools.is_empty() {
            lines.push(format!("results of {tools:?}"));
        }
    }
    lines
}

fn line(message: &Message) -> String {
    let tools: Vec<&str> = message.calls().map(|call| call.name.as_str()).collect();
    match message.role {
        Role::User => format!("user of {}", Task::of(message).map(|task| task.name).unwrap_or_default()),
        Role::Assistant => format!("assistant: {} calls {tools:?}", message.text()),
        Role::System => "system".to_owned(),
        Role::Tool => {
            let results = message.parts.iter().filter_map(|part| match part {
                Part::ToolResult(result) => Some(result.name.as_str()),
                _ => None,
            });
            format!("results of {:?}", results.collect::<Vec<_>>())
        }
    }
}
