//! Prompts, which may have values of the turn in them.

use turnkit_engine::Prompt;

/// Returns the prompt of a text, or why it is none.
pub(super) fn read(text: &str) -> Result<Prompt, String> {
    Prompt::parse(text).map_err(|error| format!("the text is not a template: {error}"))
}
