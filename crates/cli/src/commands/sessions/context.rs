//! `turnkit sessions context`: the request that a session would send now.

use serde_json::json;
use turnkit_core::Message;
use turnkit_server::{ContextBody, ContextItemBody, ContextMessageBody};

use super::{print, readable};
use crate::data::Data;
use crate::failure::Failure;

pub(super) async fn run(data: &Data, wanted: &str, json: bool) -> Result<(), Failure> {
    let id = data.find_session(wanted).await?;
    let context = data.context(id).await?;
    if json {
        return print(&json!(context).to_string());
    }
    for text in summary(&context) {
        print(&text)?;
    }
    let request = context.request;
    if let Some(instructions) = &request.instructions {
        print(&format!("\n{instructions}"))?;
    }
    if !request.messages.is_empty() {
        print("")?;
    }
    for ContextMessageBody { role, parts, mark } in request.messages {
        for text in readable(&Message { role, parts, mark }) {
            print(&text)?;
        }
    }
    Ok(())
}

/// Returns the size of each piece, the failed sources, and the settings of the request, as lines.
fn summary(context: &ContextBody) -> Vec<String> {
    let width = context.items.iter().map(|item| item.source.chars().count()).max().unwrap_or_default();
    let mut lines: Vec<String> = context.items.iter().map(|item| item_line(item, width)).collect();
    lines.extend(context.left_out.iter().map(|failed| format!("left out: {}: {}", failed.source, failed.reason)));
    let used = context.used;
    lines.push(match context.limit {
        Some(limit) => format!("{used} of {limit} tokens"),
        None => format!("{used} tokens; the window of the model is not known"),
    });
    let model = context.request.model.as_deref().unwrap_or("the provider's default");
    lines.push(format!("agent {}, model {model}, params {}", context.agent, context.request.params));
    lines.push(format!("prefix {}", context.prefix));
    lines
}

fn item_line(item: &ContextItemBody, width: usize) -> String {
    let ContextItemBody { category, source, tokens, untrusted, cut } = item;
    let untrusted = if *untrusted { "  untrusted" } else { "" };
    let cut = cut.as_ref().map_or_else(String::new, |cut| match cut.reason.as_str() {
        "room" => format!("  left out with its {} tokens: the request would be too large", cut.from),
        "budget" => format!("  left out with its {} tokens: the budget of {category} is used up", cut.from),
        _ => format!("  cut from {} tokens: the item may have no more", cut.from),
    });
    format!("{category:<11}  {source:<width$}  {tokens:>7}{untrusted}{cut}")
}
