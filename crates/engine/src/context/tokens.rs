//! Token counts, estimated without a tokenizer.

use turnkit_core::{Entry, Message, Part, ToolDefinition};

/// The tokens of a message besides its parts.
const PER_MESSAGE: u64 = 4;
/// The tokens of an image or a document.
const PER_FILE: u64 = 1_600;

/// Estimates a text: one token for four ASCII characters, and one for each other character.
pub(super) fn of_text(text: &str) -> u64 {
    // Counting bytes needs no decoding: only the first byte of a character is neither ASCII nor a continuation.
    let ascii = text.bytes().filter(u8::is_ascii).count() as u64;
    let others = text.bytes().filter(|byte| *byte >= 0b1100_0000).count() as u64;
    ascii.div_ceil(4) + others
}

/// Estimates a message of a history, once.
pub(super) fn of_entry(entry: &Entry) -> u64 {
    entry.tokens(of_message)
}

/// Estimates a message.
pub(super) fn of_message(message: &Message) -> u64 {
    PER_MESSAGE + message.parts.iter().map(of_part).sum::<u64>()
}

/// Estimates the definition of a tool.
pub(super) fn of_tool(tool: &ToolDefinition) -> u64 {
    of_text(&tool.name) + of_text(&tool.description) + of_text(tool.parameters.get())
}

/// Returns how many tokens a model counts for `tokens` estimated ones.
pub(super) fn scaled(tokens: u64, ratio: f64) -> u64 {
    (tokens as f64 * ratio).ceil() as u64
}

fn of_part(part: &Part) -> u64 {
    match part {
        Part::Text(text) => of_text(&text.text),
        Part::Reasoning(reasoning) => of_text(&reasoning.text),
        Part::ToolCall(call) => of_text(&call.name) + of_text(&call.arguments.0),
        Part::ToolResult(result) => of_text(&result.content),
        Part::ProviderTool(tool) => of_text(&tool.name) + of_text(&tool.input),
        Part::Image(_) | Part::File(_) => PER_FILE,
        Part::Context(context) => of_text(&context.source) + of_text(&context.text),
        Part::Summary(summary) => of_text(&summary.text),
        Part::Data(_) | Part::Notice(_) | Part::Edits(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_ascii_characters_are_a_token_and_so_is_each_other_character() {
        for (text, tokens) in [("", 0), ("abcd", 1), ("abcde", 2), ("日本語", 3), ("abcdé", 2), ("a日b", 2)] {
            assert_eq!(of_text(text), tokens, "{text}");
        }
        assert_eq!(of_message(&Message::user("abcde")), 6);
    }
}
