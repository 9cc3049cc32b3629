//! Refusals of access or of money that are about a single request: no other key and no new account would help it, and what
//! somebody writes must keep nobody else from the provider.

use turnkit_core::ProviderErrorKind as Kind;

use super::failure::Words;

/// What happened to a request for what is in it.
const REFUSED: &[&str] = &["block", "flag", "reject", "refus", "violat", "detect", "contain"];

/// What it happened for.
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

/// How sentences begin that are about who asks.
const ABOUT_WHO: &[&str] =
    &["account", "your account", "this account", "your organization", "this organization", "your api key", "your team"];

/// Said where less would be paid for.
const FOR_LESS: &[&str] = &["can only afford", "fewer max_tokens", "prompt tokens limit exceeded"];

impl Words {
    /// What a failure is that seems to be one of access or of money.
    pub(super) fn of_this_request(&self, kind: Kind, status: Option<u16>) -> Kind {
        let may_be_forbidden = status.is_none_or(|status| status == 403);
        match kind {
            Kind::Auth | Kind::KeyInvalid | Kind::Quota | Kind::Balance
                if may_be_forbidden && self.refuse_content() =>
            {
                Kind::ContentFilter
            }
            // Of a firewall: it has no key to check, and reads what is sent.
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
