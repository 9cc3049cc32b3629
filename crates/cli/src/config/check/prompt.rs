//! Checks of prompts that sessions can select.

use super::super::source::Source;
use super::super::{ConfigError, PromptConfig};
use super::repeated;

pub(super) fn check(prompts: &[PromptConfig], source: &Source) -> Result<(), ConfigError> {
    let names: Vec<&str> = prompts.iter().map(|prompt| prompt.name.as_str()).collect();
    if let Some((index, name)) = repeated(&names) {
        return Err(source.complaint(&format!("prompts.{index}.name"), format!("two prompts are called `{name}`")));
    }
    prompts.iter().enumerate().try_for_each(|(index, prompt)| check_prompt(index, prompt, source))
}

fn check_prompt(index: usize, prompt: &PromptConfig, source: &Source) -> Result<(), ConfigError> {
    let PromptConfig { name, text, file, .. } = prompt;
    let (key, why) = match (text, file) {
        _ if name.trim().is_empty() => ("name", "a prompt needs a name".to_owned()),
        (Some(_), Some(_)) => ("file", format!("prompt `{name}` has both `text` and `file`; keep one")),
        (None, None) => ("name", format!("prompt `{name}` has neither `text` nor `file`")),
        _ => return Ok(()),
    };
    Err(source.complaint(&format!("prompts.{index}.{key}"), why))
}
