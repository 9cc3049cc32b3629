//! Parsing of prompts.

use turnkit_engine::Prompt;

/// Parses a prompt. The error says why the text is not a template.
pub(super) fn read(text: &str) -> Result<Prompt, String> {
    Prompt::parse(text).map_err(|error| format!("the text is not a template: {error}"))
}
