//! Checks model requests in small windows, and creates random summaries.

use turnkit_core::{ChatRequest, Entry, History, Message, ProviderErrorKind, Role, TurnId};

use crate::Reply;
use crate::dice::Dice;
use crate::model_store::Disk;

/// Returns `true` if the request asks for a summary of earlier messages.
pub(super) fn asks_for_a_summary(request: &ChatRequest) -> bool {
    let last = request.history.iter().next_back();
    last.is_some_and(|entry| entry.message().text().starts_with("Summarise this conversation"))
}

/// Counts the tokens of a request as a provider does: one per four bytes, and some for each message.
pub(super) fn counted(request: &ChatRequest) -> u64 {
    let tools: usize = request.tools.iter().map(|tool| tool.description.len() + tool.parameters.get().len()).sum();
    let instructions = request.instructions.as_deref().map_or(0, str::len);
    let bytes = tools + instructions + request.history.text_bytes();
    (bytes / 4 + 4 * request.history.len()) as u64
}

/// Checks that a request consists of messages on the disk and the message of its turn.
pub(super) fn check(request: &ChatRequest, turn: TurnId, disk: &Disk, window: u32) -> Result<(), String> {
    let Some(stored) = disk.model_history(turn) else { return Ok(()) };
    if counted(request) > u64::from(window) {
        return Err(format!("a request has {} tokens in a window of {window}", counted(request)));
    }
    if asks_for_a_summary(request) {
        return if is_run_of(&request.history, &stored) {
            Ok(())
        } else {
            Err(format!("a summary is asked for of {}, and stored is {}", outline(&request.history), outline(&stored)))
        };
    }
    if request.history != stored {
        return Err(format!("a model is sent {}, and stored is {}", outline(&request.history), outline(&stored)));
    }
    let begins = |message: &Message| message.role == Role::User && !message.is_steering();
    let asked = request.history.iter().rfind(|entry| begins(entry.message()));
    let is_asked = asked.is_some_and(|asked| disk.begins_with(turn, asked));
    if is_asked { Ok(()) } else { Err("the message of its turn is missing in a request".to_owned()) }
}

/// Returns `true` if the messages to summarise are consecutive in `stored`. Of several requests for a summary, the
/// first starts like `stored`. Each later one starts with the summary of the earlier messages.
fn is_run_of(asked: &History, stored: &History) -> bool {
    let run: Vec<&Entry> = asked.shown().map(|shown| &*shown.entry).collect();
    let Some((_, run)) = run.split_last() else { return false };
    let stored_run: Vec<&Entry> = stored.shown().map(|shown| &*shown.entry).collect();
    if asked.summary() == stored.summary() {
        return stored_run.starts_with(run);
    }
    asked.summary().is_some() && stored_run.windows(run.len()).any(|window| window == run)
}

fn outline(history: &History) -> String {
    let line = |entry: &std::sync::Arc<Entry>| {
        let message = entry.message();
        let text: String = message.text().chars().take(12).collect();
        format!("{:?}{} {text:?}", message.role, if message.summary().is_some() { " (summary)" } else { "" })
    };
    let lines: Vec<_> = history.iter().map(line).collect();
    format!("[{}]", lines.join(", "))
}

/// Creates a random summary. Most are good. Others fail, are empty, too large, made of calls, or never end.
pub(super) fn summary(dice: &mut Dice) -> Reply {
    let good = |dice: &mut Dice| Reply::text(&format!("They talked about {} things.", dice.below(1_000)));
    match dice.below(100) {
        0..8 => Reply::new().fail(ProviderErrorKind::Overloaded),
        8..14 => Reply::text("They").fail(ProviderErrorKind::Network),
        14..20 => Reply::text(" \n"),
        20..26 => Reply::text(&"They talked and talked. ".repeat(400)),
        26..34 => Reply::new().call("look", serde_json::json!({ "at": 0 })),
        34..38 => Reply::new().say("They ").hang(),
        38..48 => good(dice).sleep(dice.millis(8_000)),
        _ => good(dice),
    }
}
