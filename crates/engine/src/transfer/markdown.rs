//! Exports the branch of a session's head as Markdown, read from the store one turn at a time.

use std::fmt::Write as _;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};
use turnkit_core::ports::{BoxStream, Store};
use turnkit_core::{Mark, Message, Part, Role, Scope, SessionId, StoreError, TurnState};

/// Returns the conversation on the head's branch, without reasoning and without the contents of files.
///
/// # Errors
/// `NotFound`; otherwise storage failed.
pub(crate) async fn markdown(
    store: Arc<dyn Store>,
    scope: Scope,
    session: SessionId,
) -> Result<BoxStream<'static, Result<Bytes, StoreError>>, StoreError> {
    let session = store.summary(&scope, session).await?;
    let (mut branch, mut next) = (Vec::new(), session.head);
    while let Some(turn) = next {
        let record = store.turn(&scope, turn).await?;
        if matches!(record.state, TurnState::Ended(_)) {
            branch.push(turn);
        }
        next = record.after;
    }
    let title = if session.title.is_empty() { "Session" } else { &session.title };
    let title = stream::iter([Ok(Bytes::from(format!("# {title}\n")))]);
    let turns = stream::try_unfold((store, scope, branch), |(store, scope, mut branch)| async move {
        let Some(turn) = branch.pop() else { return Ok(None) };
        let messages = store.turn_messages(&scope, turn).await?;
        let text: String = messages.iter().filter(|message| !message.is_hidden()).map(section).collect();
        Ok(Some((Bytes::from(text), (store, scope, branch))))
    });
    Ok(title.chain(turns).boxed())
}

/// Renders a message: a heading, unless the message answers a call, and its parts.
fn section(message: &Message) -> String {
    let mut parts: Vec<String> = message.parts.iter().filter_map(shown).collect();
    parts.extend(message.mark.and_then(|mark| match mark {
        Mark::Interrupted => Some("*The provider broke off.*".to_owned()),
        Mark::Cancelled => Some("*Cancelled.*".to_owned()),
        Mark::Summary | Mark::Edits | Mark::Steering => None,
    }));
    if parts.is_empty() {
        return String::new();
    }
    let mut text = match message.role {
        // A summary requested by the user begins with such a message, which has no author.
        Role::User if message.is_notices_only() => String::new(),
        Role::User => "\n## User\n".to_owned(),
        Role::Assistant => "\n## Assistant\n".to_owned(),
        Role::System => "\n## System\n".to_owned(),
        Role::Tool => String::new(),
    };
    for part in parts {
        // Writing to a string cannot fail.
        let _ = write!(text, "\n{part}\n");
    }
    text
}

fn shown(part: &Part) -> Option<String> {
    match part {
        Part::Text(text) if text.text.trim().is_empty() => None,
        Part::Text(text) => Some(text.text.clone()),
        Part::ToolCall(call) => Some(format!("Call of `{}`:\n\n{}", call.name, fenced("json", &call.arguments.0))),
        Part::ToolResult(result) => {
            let how = if result.ok { "Result" } else { "Failure" };
            Some(format!("{how} of `{}`:\n\n{}", result.name, fenced("", &result.content)))
        }
        Part::ProviderTool(tool) => Some(format!("The provider's `{}`:\n\n{}", tool.name, fenced("", &tool.input))),
        Part::Image(image) => Some(format!("*Image: {}*", image.media_type)),
        Part::Context(context) => Some(format!("Context from `{}`:\n\n{}", context.source, fenced("", &context.text))),
        Part::File(file) => Some(format!("*File: {}*", file.name)),
        Part::Notice(notice) => Some(format!("*{}*", notice.text)),
        Part::Reasoning(_) | Part::Data(_) | Part::Summary(_) | Part::Edits(_) => None,
    }
}

/// Returns a code block with a fence long enough that `text` cannot close it.
fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2) + 1);
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{text}{end}{fence}")
}
