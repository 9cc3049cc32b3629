//! Messages as lines of text.

use turnkit_core::{Message, Part, Role};

/// Returns messages as lines that are easy to compare: `user: …`, `assistant: …`, `assistant calls NAME ARGUMENTS`,
/// `NAME gave …` and ` with …` for each image of the result, `NAME failed: …`, `assistant thinks: …`. Notices are left
/// out, because no wire sends them.
pub fn lines<'a>(messages: impl IntoIterator<Item = &'a Message>) -> Vec<String> {
    messages.into_iter().flat_map(message_lines).collect()
}

fn message_lines(message: &Message) -> impl Iterator<Item = String> {
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
        Role::System => "system",
    };
    message.parts.iter().filter_map(move |part| {
        Some(match part {
            Part::Text(text) => format!("{role}: {}", text.text),
            Part::Reasoning(reasoning) => format!("{role} thinks: {}", reasoning.text),
            Part::ToolCall(call) => format!("{role} calls {} {}", call.name, call.arguments.0),
            Part::ToolResult(result) if result.ok => {
                let images: String = result.images.iter().map(|image| format!(" with {}", image.url)).collect();
                format!("{} gave {}{images}", result.name, result.content)
            }
            Part::ToolResult(result) => format!("{} failed: {}", result.name, result.content),
            Part::ProviderTool(tool) => format!("{role} ran {} {}", tool.name, tool.input),
            Part::Image(image) => format!("{role} shows {}", image.url),
            Part::Data(data) => format!("{role} attaches {}", data.kind),
            Part::Summary(summary) => format!("{role} sums up: {}", summary.text),
            Part::Context(context) => format!("{role} adds {}: {}", context.source, context.text),
            Part::File(file) => format!("{role} adds {}: {}", file.name, file.url),
            Part::Notice(_) | Part::Edits(_) => return None,
        })
    })
}
