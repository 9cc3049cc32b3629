//! Errors of providers that do not have the requested model.

use super::failure::ErrorText;

/// Codes and kinds of errors that mean a missing model.
const LABELS: &[&str] = &[
    "model_not_found",
    "model_not_found_error",
    "modelnotfound",
    "deploymentnotfound",
    "invalid_model",
    "unknown_model",
    "unavailable_model",
    "model_not_available",
    "model_not_supported",
    "model_permission_blocked_org",
    "model_permission_blocked_project",
];

/// Beginnings of messages that alone mean a missing model.
const MISSING: &[&str] = &[
    "no such model",
    "unknown model",
    "invalid model name",
    "invalid model id",
    "invalid model: ",
    "invalid model '",
    "not found the model ",
    "unable to access model ",
    "no endpoints found for ",
    "no endpoints found matching your data policy",
    "no allowed providers are available for the selected model",
    "the provided model identifier is invalid",
];

/// Beginnings of messages whose subject is the model.
const ABOUT: &[&str] = &[
    "the model ",
    "the model: ",
    "the requested model ",
    "the api deployment ",
    "the deployment ",
    "model ",
    "model: ",
    "models/",
    "tunedmodels/",
    "publisher model ",
    "this is not a chat model",
];

/// Phrases for a missing model, in messages whose subject is the model.
const DENIED: &[&str] = &["not found", "not exist", "not servable"];

/// Words for a model.
const MODEL: &[&str] = &["model", "deployment"];

/// Maximum number of words before the word for the model, such as "the specified" or "error: the requested".
const MAX_WORDS_BEFORE: usize = 3;

/// Words before a model that make another noun the subject, as in "the file of the model".
const BELONGING: &[&str] = &["for", "of", "to", "by", "in", "on", "with", "from", "under", "at", "and", "or", "that"];

impl ErrorText {
    /// Reports whether the code or the kind means a missing model.
    pub(super) fn has_missing_model_code(&self) -> bool {
        [&self.code, &self.kind].iter().any(|word| LABELS.contains(&word.to_lowercase().as_str()))
    }

    /// Reports whether the error means a missing model. The subject of a message is at its beginning. Later words may
    /// name a tool, a file or an address after a model, or quote the request.
    pub(super) fn means_missing_model(&self, status: Option<u16>) -> bool {
        if self.has_missing_model_code() {
            return true;
        }
        let message = self.message.trim().to_lowercase();
        let begins = |words: &[&str]| words.iter().any(|word| message.starts_with(word));
        let is_not_found = status == Some(404) || self.kind == "not_found_error";
        let is_denied = is_not_found || DENIED.iter().any(|word| message.contains(word));
        let is_about_it = self.param == "model" || begins(ABOUT);
        let is_subject = is_not_found && self.is_short() && !self.is_not_json && denies_a_model(&message);
        let is_named_invalid = message.trim_end_matches('.').ends_with("is not a valid model id");
        // A "not found" error quotes no part of the request, even if its message is long.
        let is_message_about_missing = begins(MISSING) || is_named_invalid || (is_about_it && is_denied);
        is_subject || ((is_not_found || self.is_short()) && is_message_about_missing)
    }
}

/// Reports whether a message says that a model does not exist: "specified model not found", "could not find the model".
fn denies_a_model(message: &str) -> bool {
    let words: Vec<&str> = message.split_whitespace().collect();
    let after = |start: usize| {
        let rest = words.get(start..).unwrap_or_default();
        let plain = rest.iter().map(|word| word.trim_end_matches([':', ',', '.']));
        let at = plain.clone().take(MAX_WORDS_BEFORE + 1).position(|word| MODEL.contains(&word))?;
        let is_plain = |word: &str| word.chars().all(char::is_alphabetic) && !BELONGING.contains(&word);
        plain.take(at).all(is_plain).then_some(start + at + 1)
    };
    let is_subject = after(0).is_some_and(|next| {
        let predicate = words.get(next..).unwrap_or_default().join(" ");
        DENIED.iter().any(|denied| predicate.contains(denied))
    });
    let looked_for = words.iter().position(|word| matches!(*word, "find" | "locate"));
    let is_negated = |at: usize| {
        let before = words.get(..at).unwrap_or_default();
        before.iter().any(|word| matches!(*word, "not" | "cannot" | "unable") || word.ends_with("n't"))
    };
    is_subject || looked_for.is_some_and(|at| is_negated(at) && after(at + 1).is_some())
}
