//! Classifies errors by the provider's text.

use std::time::Duration;

use turnkit_core::ProviderErrorKind as Kind;

use crate::wire::failure::ErrorText;

/// Classifies an error by its text, in lower case.
pub(super) struct ErrorClassifier<'a> {
    text: &'a ErrorText,
    /// The code and the type, which are meant for programs.
    label: String,
    /// The code, the type and the message.
    all: String,
    /// Set if the provider stated how long to wait.
    has_wait: bool,
}

impl<'a> ErrorClassifier<'a> {
    /// `retry_after` is the wait from the headers, besides the text.
    pub(super) fn new(text: &'a ErrorText, retry_after: Option<Duration>) -> Self {
        let label = format!("{} {}", text.code, text.kind).to_lowercase();
        let all = format!("{label} {}", text.message.to_lowercase());
        let has_wait = retry_after.or_else(|| text.wait()).is_some_and(|wait| !wait.is_zero());
        Self { text, label, all, has_wait }
    }

    /// Returns the kind of failure. `status` is the HTTP status; `None` for an error inside a successful response.
    pub(super) fn kind(&self, status: Option<u16>) -> Kind {
        self.kind_by_text().unwrap_or_else(|| match status {
            Some(status) => self.kind_with(status),
            None => self.kind_without_status(),
        })
    }

    fn kind_by_text(&self) -> Option<Kind> {
        if self.is_labelled(&["tool_use_failed"]) {
            Some(Kind::MalformedCall)
        } else if self.mentions_overflow() {
            Some(Kind::ContextOverflow)
        } else if self.mentions_filter() {
            Some(Kind::ContentFilter)
        } else {
            None
        }
    }

    fn kind_with(&self, status: u16) -> Kind {
        match status {
            401 | 403 if self.mentions_wrong_key() => Kind::KeyInvalid,
            401 => Kind::Auth,
            402 => Kind::Balance,
            403 if self.text.has_missing_model_code() => Kind::ModelNotFound,
            403 if self.contains_any(&["quota"])
                || (self.contains_any(&["exceeded"]) && self.contains_any(&["limit"])) =>
            {
                self.used_up(Kind::Quota)
            }
            403 if self.is_out_of_money() => Kind::Balance,
            403 => Kind::Auth,
            408 | 409 | 425 => Kind::Overloaded,
            413 => Kind::ContextOverflow,
            429 if self.is_labelled(&["overloaded"]) => Kind::Overloaded,
            429 if self.text.is_daily => Kind::Quota,
            429 if self.is_labelled(&["insufficient_quota"]) => self.used_up(Kind::Quota),
            429 if self.is_rate_limit() => Kind::RateLimited,
            429 if self.contains_any(&["insufficient_quota", "exceeded your current quota"]) => {
                self.used_up(Kind::Quota)
            }
            429 if self.is_out_of_money() => self.used_up(Kind::Balance),
            429 => Kind::RateLimited,
            400..=499 if self.is_key_invalid() => Kind::KeyInvalid,
            400..=499 if self.is_labelled(&["insufficient_quota"]) => Kind::Quota,
            400..=499 if self.text.means_missing_model(Some(status)) => Kind::ModelNotFound,
            400..=499 => Kind::BadRequest,
            500..=599 => Kind::Overloaded,
            _ => Kind::BadResponse,
        }
    }

    fn kind_without_status(&self) -> Kind {
        if self.is_key_invalid() {
            Kind::KeyInvalid
        } else if self.is_labelled(&["authentication", "permission"]) {
            Kind::Auth
        } else if self.is_labelled(&["insufficient_quota"]) {
            self.used_up(Kind::Quota)
        } else if self.is_rate_limit() {
            Kind::RateLimited
        } else if self.text.is_short() && self.is_out_of_money() {
            self.used_up(Kind::Balance)
        } else if self.contains_any(&["rate_limit", "rate limit", "too many requests"]) {
            Kind::RateLimited
        } else if self.text.means_missing_model(None) {
            Kind::ModelNotFound
        } else if self.is_labelled(&["invalid_request"]) {
            Kind::BadRequest
        } else {
            Kind::Overloaded
        }
    }

    fn mentions_overflow(&self) -> bool {
        let of_context = self.contains_any(&["context length", "context window", "context size", "context_length"])
            && self.contains_any(&["exceed", "maximum", "larger", "too long"]);
        let of_prompt = self.contains_any(&["prompt", "messages", "input"])
            && self.contains_any(&["token", "total length"])
            && self.contains_any(&["too long", "exceeds the maximum", "maximum context"]);
        self.is_labelled(&["context_length", "exceed_context", "too_many_prompt_tokens"]) || of_context || of_prompt
    }

    fn mentions_filter(&self) -> bool {
        self.is_labelled(&["content_filter", "content_policy", "moderation"])
            || self.contains_any(&["content management policy", "requires moderation", "input was flagged"])
    }

    /// If the provider denied access, any text about keys refers to our key.
    fn mentions_wrong_key(&self) -> bool {
        self.is_labelled(&["invalid_api_key"])
            || (self.contains_any(&["api key", "api_key", "apikey"])
                && self.contains_any(&["invalid", "incorrect", "expired", "revoked", "not valid"]))
    }

    /// Otherwise, the message may quote the request, whose text may be about keys.
    fn is_key_invalid(&self) -> bool {
        let begins = ["api key", "apikey", "your api key", "the api key", "invalid api key", "incorrect api key"];
        self.is_labelled(&["invalid_api_key"]) || (self.text.begins_with(&begins) && self.mentions_wrong_key())
    }

    /// Detects a rate limit by its label, because the message of an ordinary rate limit advertises billing.
    fn is_rate_limit(&self) -> bool {
        let counts = |word| matches!(word, "requests" | "tokens");
        self.is_labelled(&["rate_limit"]) || self.label.split_whitespace().any(counts)
    }

    fn is_out_of_money(&self) -> bool {
        self.contains_any(&["balance", "billing", "payment", "insufficient funds", "insufficient credit"])
    }

    /// A limit that resets by itself was not used up: many providers call a limit per minute a quota.
    fn used_up(&self, kind: Kind) -> Kind {
        if self.has_wait { Kind::RateLimited } else { kind }
    }

    fn is_labelled(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.label.contains(word))
    }

    fn contains_any(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.all.contains(word))
    }
}
