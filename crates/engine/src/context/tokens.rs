//! Estimates token counts without a tokenizer.

use turnkit_core::{Entry, Message, Part, ToolDefinition, ToolResult};

/// The tokens of a message in addition to its parts.
const PER_MESSAGE: u64 = 4;
/// The tokens of an image or a document.
const PER_FILE: u64 = 1_600;

/// Eighths of a token for each byte of a text. Tokenizers have tokens for whole words, but only for three digits and
/// for one or two punctuation marks, so JSON has twice the tokens of prose. UTF-8 continuation bytes count 0: the lead
/// byte stands for the character.
static EIGHTHS: [u8; 256] = eighths();

const fn eighths() -> [u8; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < table.len() {
        table[byte] = match byte {
            0x20 => 1,
            0x61..=0x7A => 2,
            // Capital letters start new words in identifiers.
            0x41..=0x5A | 0x00..=0x1F | 0x7F => 4,
            0x21..=0x7E => 5,
            0x80..=0xBF => 0,
            // Lead bytes of other alphabets, of other characters, and of characters outside the basic plane.
            0xC0..=0xDF => 6,
            0xE0..=0xEF => 8,
            _ => 16,
        };
        byte += 1;
    }
    table
}

#[cfg(test)]
thread_local! {
    /// The number of bytes that this thread has read for estimates.
    pub(super) static READ: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Estimates a text from its bytes. Four small letters count as one token, and so does a Chinese character.
pub(super) fn of_text(text: &str) -> u64 {
    #[cfg(test)]
    READ.set(READ.get() + text.len());
    let eighths: u64 = text.bytes().map(|byte| u64::from(EIGHTHS[usize::from(byte)])).sum();
    eighths.div_ceil(8)
}

/// Estimates a message of a history. The result is cached in the entry.
pub(super) fn of_entry(entry: &Entry) -> u64 {
    entry.tokens(of_message)
}

/// Estimates a message.
pub(super) fn of_message(message: &Message) -> u64 {
    PER_MESSAGE + message.parts.iter().map(of_part).sum::<u64>()
}

/// Returns the share of a message's estimated tokens that its images and documents have.
pub(super) fn of_files(message: &Message) -> u64 {
    message.parts.iter().map(files_of_part).sum()
}

/// Estimates a tool definition.
pub(super) fn of_tool(tool: &ToolDefinition) -> u64 {
    of_text(&tool.name) + of_text(&tool.description) + of_text(tool.parameters.get())
}

/// Returns the tokens that a model with this ratio counts for `tokens` estimated ones.
pub(super) fn scaled(tokens: u64, ratio: f64) -> u64 {
    (tokens as f64 * ratio).ceil() as u64
}

/// Estimates a part of a message.
pub(super) fn of_part(part: &Part) -> u64 {
    match part {
        Part::Text(text) => of_text(&text.text),
        Part::Reasoning(reasoning) => of_text(&reasoning.text),
        Part::ToolCall(call) => of_text(&call.name) + of_text(&call.arguments.0),
        Part::ToolResult(result) => of_result(result),
        Part::ProviderTool(tool) => of_text(&tool.name) + of_text(&tool.input),
        Part::Image(_) | Part::File(_) => files_of_part(part),
        Part::Context(context) => of_text(&context.source) + of_text(&context.text),
        Part::Summary(summary) => of_text(&summary.text),
        Part::Data(_) | Part::Notice(_) | Part::Edits(_) => 0,
    }
}

/// Estimates a tool result: its text and its images.
pub(super) fn of_result(result: &ToolResult) -> u64 {
    of_text(&result.content) + PER_FILE * result.images.len() as u64
}

/// Estimates the images and documents of a part.
fn files_of_part(part: &Part) -> u64 {
    let documents = u64::from(matches!(part, Part::File(_)));
    PER_FILE * (documents + part.images().len() as u64)
}

#[cfg(test)]
mod tests {
    use turnkit_core::{CallUid, Image, Role, ToolErrorKind, TurnId};

    use super::*;

    #[test]
    fn words_numbers_punctuation_and_other_scripts_have_different_numbers_of_tokens() {
        for (text, tokens) in [
            ("", 0),
            ("abcd", 1),
            ("abcde", 2),
            ("ABCD", 2),
            ("four more words here", 5),
            ("12345678", 5),
            ("{\"id\":42}", 5),
            ("\n\n", 1),
            ("日本語", 3),
            ("слово", 4),
            ("abcdé", 2),
            ("a日b", 2),
            ("👋", 2),
        ] {
            assert_eq!(of_text(text), tokens, "{text}");
        }
        assert_eq!(of_message(&Message::user("abcde")), 6);
    }

    #[test]
    fn images_have_the_same_tokens_in_a_message_and_in_a_result() {
        let image = || Image::at("https://example.org/a.png");
        let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
        let failed = ToolResult::failed(uid, "", ToolErrorKind::Failed, "");
        let result = ToolResult { content: "abcde".to_owned(), images: vec![image(), image()], ..failed };
        for (part, files) in [(Part::Image(image()), 1), (Part::ToolResult(result), 2), (Part::text("abcde"), 0)] {
            let message = Message::new(Role::User, vec![part]);
            let text = if matches!(message.parts[0], Part::Image(_)) { 0 } else { 2 };
            assert_eq!(of_files(&message), files * PER_FILE, "{message:?}");
            assert_eq!(of_message(&message), PER_MESSAGE + text + files * PER_FILE, "{message:?}");
        }
    }
}
