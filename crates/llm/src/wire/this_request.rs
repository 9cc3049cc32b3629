//! Denials of access or billing errors that concern a single request. Another key or account would not help, and the
//! content of one user's request must not block the provider for all others.

use turnkit_core::ProviderErrorKind as Kind;

use super::failure::Words;

/// Words for a request that was rejected because of its content.
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
const ABOUT_WHO: &[&str] =
    &["account", "your account", "this account", "your organization", "this organization", "your api key", "your team"];

/// Phrases for a request that would succeed with fewer tokens.
const FOR_LESS: &[&str] = &["can only afford", "fewer max_tokens", "prompt tokens limit exceeded"];

impl Words {
    /// Corrects the kind of a failure that looks like one of access or billing.
    pub(super) fn of_this_request(&self, kind: Kind, status: Option<u16>) -> Kind {
        let may_be_forbidden = status.is_none_or(|status| status == 403);
        match kind {
            Kind::Auth | Kind::KeyInvalid | Kind::Quota | Kind::Balance
                if may_be_forbidden && self.refuse_content() =>
            {
                Kind::ContentFilter
            }
            // Comes from a firewall: it has no key to check, and inspects the content.
            Kind::Auth if status == Some(403) && self.are_foreign => Kind::BadResponse,
            Kind::Balance if says(&self.message.to_lowercase(), FOR_LESS) => Kind::Unaffordable,
            other => other,
        }
    }

    fn refuse_content(&self) -> bool {
        let said = self.message.trim().to_lowercase();
        says(&said, REFUSED) && says(&said, CONTENT) && !ABOUT_WHO.iter().any(|words| said.starts_with(words))
    }
}

fn says(said: &str, phrases: &[&str]) -> bool {
    phrases.iter().any(|phrase| said.contains(phrase))
}
