//! Checks that a session contains each task's conversation exactly once, complete and in order, in a form that every
//! provider accepts.

use std::collections::BTreeMap;

use turnkit_core::{History, Message, Part, Role};

use super::Evidence;
use crate::kill::Task;
use crate::kill::harness::client::Client;
use crate::kill::harness::violation::{Check, Violation};
use crate::transcript::check_history;

pub(super) fn judge(evidence: &Evidence<'_>, violations: &mut Vec<Violation>) {
    let Some(last) = evidence.last() else { return };
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for (session, messages) in &last.sessions {
        if let Err(broken) = check_history(&History::of(messages.clone()).in_call_order()) {
            violations.extend(
                broken.iter().map(|violation| Violation::new(Check::Messages, format!("{session}: {violation}"))),
            );
        }
        let said: Vec<Message> = messages.iter().filter(|message| !message.changes_view()).cloned().collect();
        for turn in said.chunk_by(|_, next| next.role != Role::User) {
            match turn.first().and_then(Task::from_message) {
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
        // A request without a key is not retried, so it may never have arrived.
        let once = times == 1 || (times == 0 && order.turn.is_none() && order.request.key.is_none());
        if !once {
            let check = if times == 0 { Check::Lost } else { Check::Messages };
            violations.push(Violation::new(check, format!("{name} is in its session {times} times")));
        }
    }
    for task in of_sub_agents(evidence.client) {
        let times = times.get(&task.name).copied().unwrap_or(0);
        if times != 1 {
            violations.push(Violation::new(Check::Messages, format!("{} is in its session {times} times", task.name)));
        }
    }
}

/// Checks that the conversation has the user's message, then each answer followed by the results of its calls. The
/// results may be in one message or in several.
fn conversation(task: &Task, messages: &[Message], violations: &mut Vec<Violation>) {
    let expected: Vec<String> = expected(task);
    let together = messages.chunk_by(|before, next| before.role == Role::Tool && next.role == Role::Tool);
    let found: Vec<String> = together.map(line).collect();
    if found != expected {
        let found = format!("{} is stored as {found:#?}, not as {expected:#?}", task.name);
        violations.push(Violation::new(Check::Messages, found));
    }
}

fn expected(task: &Task) -> Vec<String> {
    let mut lines = vec![format!("user of {}", task.name)];
    for step in 1..=task.steps() {
        let tools: Vec<&str> = task.calls(step).iter().map(|tool| tool.name()).collect();
        lines.push(format!("assistant: {} calls {tools:?}", task.said(step)));
        if !tools.is_empty() {
            lines.push(format!("results of {tools:?}"));
        }
    }
    lines
}

/// Returns the tasks of sub-agents, which have sessions of their own.
fn of_sub_agents(client: &Client) -> impl Iterator<Item = &Task> {
    let ordered = |task: &Task| client.orders.iter().any(|order| order.request.task.name == task.name);
    client.turns.values().map(|watched| &watched.task).filter(move |task| !ordered(task))
}

fn line(messages: &[Message]) -> String {
    let Some(first) = messages.first() else { return String::new() };
    let tools: Vec<&str> = first.calls().map(|call| call.name.as_str()).collect();
    match first.role {
        Role::User => format!("user of {}", Task::from_message(first).map(|task| task.name).unwrap_or_default()),
        Role::Assistant => format!("assistant: {} calls {tools:?}", first.text()),
        Role::System => "system".to_owned(),
        Role::Tool => {
            let results = messages.iter().flat_map(|message| &message.parts).filter_map(|part| match part {
                Part::ToolResult(result) => Some((result.uid, result.name.as_str())),
                _ => None,
            });
            let mut results: Vec<_> = results.collect();
            results.sort();
            format!("results of {:?}", results.iter().map(|(_, name)| name).collect::<Vec<_>>())
        }
    }
}
