//! Denials of access or billing errors that concern a single request. Another key or account would not help, and the
//! content of one user's request must not block the provider for all others.

use turnkit_core::ProviderErrorKind as Kind;

use super::failure::ErrorText;

/// Word stems for a request that was rejected because of its content.
const REFUSED: &[&str] = &["block", "flag", "reject", "refus", "violat", "detect", "contain"];

/// Phrases for the content of a request.
const CONTENT: &[&str] = &[
    "its content",
    "your content",
    "content of your",
    "content polic",
    "content filter",
    "content moderation",
    "content safety",
    "content violat",
    "content guideline",
    "usage guideline",
    "unsafe content",
    "harmful content",
    "sensitive content",
    "inappropriate content",
    "prohibited content",
    "safety system",
    "safety filter",
    "safety polic",
    "your prompt",
    "the prompt",
    "your input",
];

/// Beginnings of messages about the account rather than the request.
const ABOUT_ACCOUNT: &[&str] =
    &["account", "your account", "this account", "your organization", "this organization", "your api key", "your team"];

/// Phrases for a request that would succeed with fewer tokens.
const FOR_LESS: &[&str] = &["can only afford", "fewer max_tokens", "prompt tokens limit exceeded"];

impl ErrorText {
    /// Corrects the kind of a failure that looks like one of access or billing.
    pub(super) fn kind_for_request(&self, kind: Kind, status: Option<u16>) -> Kind {
        let may_be_forbidden = status.is_none_or(|status| status == 403);
        match kind {
            Kind::Auth | Kind::KeyInvalid | Kind::Quota | Kind::Balance
                if may_be_forbidden && self.is_content_rejection() =>
            {
                Kind::ContentFilter
            }
            // Comes from a firewall: it has no key to check, and inspects the content.
            Kind::Auth if status == Some(403) && self.is_not_json => Kind::BadResponse,
            Kind::Balance if contains_any(&self.message.to_lowercase(), FOR_LESS) => Kind::Unaffordable,
            other => other,
        }
    }

    fn is_content_rejection(&self) -> bool {
        let message = self.message.trim().to_lowercase();
        contains_any(&message, REFUSED)
            && contains_any(&message, CONTENT)
            && !ABOUT_ACCOUNT.iter().any(|words| message.starts_with(words))
    }
}

fn contains_any(message: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| message.contains(phrase))
}
