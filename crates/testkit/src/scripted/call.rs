//! Recorded calls of a scripted provider.

use turnkit_core::ports::CallContext;
use turnkit_core::{ChatRequest, Message, Part, Role};

/// A recorded call of a provider.
#[derive(Debug, Clone)]
pub struct Call {
    /// The request of the call.
    pub request: ChatRequest,
    /// The turn, step and attempt of the call.
    pub context: CallContext,
}

impl Call {
    /// Returns the history as lines that are easy to compare: `user: …`, `assistant: …`, `assistant calls NAME
    /// ARGUMENTS`, `NAME gave …`, `NAME failed: …`, `assistant thinks: …`. Notices are left out, because no wire format
    /// sends them.
    pub fn transcript(&self) -> Vec<String> {
        self.request.history.iter().flat_map(|entry| lines(entry.message())).collect()
    }

    /// Returns the names of the tools that the model may call, in order.
    pub fn tools(&self) -> Vec<&str> {
        self.request.tools.iter().map(|tool| tool.name.as_str()).collect()
    }
}

fn lines(message: &Message) -> impl Iterator<Item = String> {
    let who = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
        Role::System => "system",
    };
    message.parts.iter().filter_map(move |part| {
        Some(match part {
            Part::Text(text) => format!("{who}: {}", text.text),
            Part::Reasoning(reasoning) => format!("{who} thinks: {}", reasoning.text),
            Part::ToolCall(call) => format!("{who} calls {} {}", call.name, call.arguments.0),
            Part::ToolResult(result) if result.ok => format!("{} gave {}", result.name, result.content),
            Part::ToolResult(result) => format!("{} failed: {}", result.name, result.content),
            Part::ProviderTool(tool) => format!("{who} ran {} {}", tool.name, tool.input),
            Part::Image(image) => format!("{who} shows {}", image.url),
            Part::Data(data) => format!("{who} attaches {}", data.kind),
            Part::Summary(summary) => format!("{who} sums up: {}", summary.text),
            Part::Context(context) => format!("{who} adds {}: {}", context.source, context.text),
            Part::File(file) => format!("{who} adds {}: {}", file.name, file.url),
            Part::Notice(_) | Part::Edits(_) => return None,
        })
    })
}
