//! What differs between those who speak one wire.

use turnkit_core::Str;

use super::Wire;

/// Who answers, as far as a wire must know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Vendor {
    /// Its name: what must go back to its maker byte for byte goes to a vendor of this name only.
    pub name: Str,
    /// What it calls the limit of output.
    pub output_limit: OutputLimit,
}

/// What a server calls the most tokens an answer may have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OutputLimit {
    /// `max_tokens`, which every compatible server knows.
    #[default]
    MaxTokens,
    /// `max_completion_tokens`: OpenAI's reasoning models refuse the other.
    MaxCompletionTokens,
}

impl Vendor {
    /// Who answers at `host`, given in lower case. A host nobody knows is a vendor of its own.
    pub fn of(wire: Wire, host: &str) -> Self {
        let is_of = |domain: &str| host.strip_suffix(domain).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
        let known = match wire {
            // Regional hosts included, OpenAI's own know the new name for every model; others may know the old one only.
            Wire::OpenaiChat | Wire::OpenaiResponses if is_of("api.openai.com") => Some("openai"),
            // What Claude signs is the same wherever it runs.
            Wire::Anthropic if is_of("anthropic.com") || is_of("googleapis.com") => Some("anthropic"),
            Wire::Gemini if is_of("googleapis.com") => Some("google"),
            _ => None,
        };
        let output_limit =
            if known == Some("openai") { OutputLimit::MaxCompletionTokens } else { OutputLimit::MaxTokens };
        Self { name: known.unwrap_or(host).into(), output_limit }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vendor_is_known_by_its_host() {
        for (wire, host, name, output_limit) in [
            (Wire::OpenaiChat, "api.openai.com", "openai", OutputLimit::MaxCompletionTokens),
            (Wire::OpenaiChat, "eu.api.openai.com", "openai", OutputLimit::MaxCompletionTokens),
            (Wire::OpenaiChat, "notapi.openai.com", "notapi.openai.com", OutputLimit::MaxTokens),
            (Wire::OpenaiChat, "api.openai.com.example", "api.openai.com.example", OutputLimit::MaxTokens),
            (Wire::Anthropic, "api.anthropic.com", "anthropic", OutputLimit::MaxTokens),
            (Wire::Anthropic, "us-east5-aiplatform.googleapis.com", "anthropic", OutputLimit::MaxTokens),
            (Wire::Anthropic, "api.openai.com", "api.openai.com", OutputLimit::MaxTokens),
            (Wire::Gemini, "generativelanguage.googleapis.com", "google", OutputLimit::MaxTokens),
            (Wire::OpenaiChat, "127.0.0.1", "127.0.0.1", OutputLimit::MaxTokens),
        ] {
            assert_eq!(Vendor::of(wire, host), Vendor { name: name.into(), output_limit }, "{host}");
        }
    }
}
