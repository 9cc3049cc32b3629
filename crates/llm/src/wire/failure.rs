//! Reading what a provider says about a failure. What kind of failure it is, each wire decides for itself.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use turnkit_core::{ProviderError, ProviderErrorKind as Kind};

use super::lenient::Objects;
use super::limit::{self, Detail};

/// The longest sentence that a provider writes by itself, in bytes.
const LONGEST_OWN_WORDS: usize = 300;

/// A response whose status is no success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorResponse<'a> {
    /// The HTTP status.
    pub status: u16,
    /// How long the provider asked to wait, if it did.
    pub retry_after: Option<Duration>,
    /// The body, or its beginning.
    pub body: &'a [u8],
}

/// The failure of an answer that a decoder cannot make sense of.
pub(super) fn bad_response(message: &str) -> ProviderError {
    ProviderError::new(Kind::BadResponse, message)
}

/// The failure a response stands for, of the kind that its wire sees in it.
pub(super) fn of_response(response: &ErrorResponse<'_>, kind: impl FnOnce(&Words) -> Kind) -> ProviderError {
    let words = Words::of_body(&String::from_utf8_lossy(response.body));
    let kind = words.of_this_request(unsupported(kind(&words), &words), Some(response.status));
    let sentence = address_sentence(kind, response.status).unwrap_or_else(|| sentence(kind));
    let mut error = words.error(kind, Some(response.status), sentence);
    error.status = Some(response.status);
    error.retry_after = response.retry_after.or(error.retry_after);
    error
}

/// The failure an error object inside a successful response stands for, of the kind that its wire sees in it.
pub(super) fn in_band(error: &str, kind: impl FnOnce(&Words) -> Kind) -> ProviderError {
    let words = Words::of_error(error);
    let kind = words.of_this_request(unsupported(kind(&words), &words), words.status);
    words.error(kind, words.status, sentence(kind))
}

/// The kind that a status alone says.
pub(super) fn kind_of_status(status: u16) -> Kind {
    match status {
        401 | 403 => Kind::Auth,
        402 => Kind::Balance,
        408 | 409 | 425 | 500..=599 => Kind::Overloaded,
        413 => Kind::ContextOverflow,
        429 => Kind::RateLimited,
        400..=499 => Kind::BadRequest,
        _ => Kind::BadResponse,
    }
}

/// A refusal that is about what the model cannot do. Vendors of every wire say it in the words of whoever serves the
/// model.
fn unsupported(kind: Kind, words: &Words) -> Kind {
    match kind {
        Kind::BadRequest | Kind::ModelNotFound | Kind::Overloaded => words.unsupported().unwrap_or(kind),
        other => other,
    }
}

/// What a provider says about a failure.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// A word or a number for programs.
    pub(super) code: String,
    /// Another.
    pub(super) kind: String,
    /// The field of the request that is at fault.
    pub(super) param: String,
    /// A sentence.
    pub(super) message: String,
    /// Whether they are no JSON, as every provider's are: a page, or the text of whatever stands before the provider.
    pub(super) are_foreign: bool,
    /// The status that a failure inside a successful response claims.
    pub(super) status: Option<u16>,
    /// How long to wait, by the details of the failure.
    wait: Option<Duration>,
    /// Whether a limit is one of the day.
    pub(super) is_of_day: bool,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Body<'a> {
    #[serde(borrow)]
    error: Option<&'a RawValue>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ErrorObject<'a> {
    code: Value,
    r#type: Value,
    param: Value,
    message: Value,
    detail: Value,
    status: Value,
    status_code: Value,
    #[serde(borrow)]
    details: Objects<Detail<'a>>,
}

impl Words {
    fn of_body(body: &str) -> Self {
        // Google puts the object into a list.
        let listed = serde_json::from_str::<Vec<Body<'_>>>(body).ok().and_then(|list| list.into_iter().next());
        let whole = listed.or_else(|| serde_json::from_str(body).ok());
        let inner = whole.and_then(|body| body.error).map(RawValue::get);
        Self::of_error(inner.unwrap_or(body))
    }

    /// Reads an error object, a bare string, or text that is no JSON at all.
    fn of_error(text: &str) -> Self {
        let Ok(object) = serde_json::from_str::<ErrorObject<'_>>(text) else {
            let message = serde_json::from_str::<String>(text).unwrap_or_else(|_| text.to_owned());
            // An HTML page says nothing about the request.
            let message = if message.trim_start().starts_with('<') { String::new() } else { message };
            // What begins like JSON was cut off.
            let begins = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').chars().next();
            let are_foreign = begins.is_some_and(|first| !matches!(first, '{' | '[' | '"'));
            return Self { message, are_foreign, ..Self::default() };
        };
        let status = [&object.status_code, &object.code, &object.status].into_iter().find_map(as_status);
        let message = [&object.message, &object.detail].into_iter().map(word).find(|text| !text.is_empty());
        Self {
            code: word(&object.code),
            kind: word(&object.r#type),
            param: word(&object.param),
            message: message.unwrap_or_default(),
            are_foreign: false,
            status,
            wait: limit::wait_of_details(&object.details),
            is_of_day: limit::is_of_day(&object.details),
        }
    }

    /// Whether the sentence begins with one of these and is as short as a provider's own words: what it quotes from the
    /// request says nothing about the provider.
    pub(super) fn begin_with(&self, words: &[&str]) -> bool {
        let message = self.message.trim_start().to_lowercase();
        self.are_its_own() && words.iter().any(|words| message.starts_with(words))
    }

    /// Whether the sentence is short enough to quote nothing.
    pub(super) fn are_its_own(&self) -> bool {
        self.message.len() <= LONGEST_OWN_WORDS
    }

    /// How long a limit asks to wait, in its details or in its sentence.
    pub(super) fn wait(&self) -> Option<Duration> {
        self.wait.or_else(|| limit::wait_of_sentence(&self.message.to_lowercase()))
    }

    fn error(&self, kind: Kind, status: Option<u16>, sentence: &str) -> ProviderError {
        let mut message = sentence.to_owned();
        if let Some(status) = status {
            message.push_str(&format!(" (HTTP {status})"));
        }
        // Providers repeat keys, whole or in part, in what they say about them.
        let may_repeat_a_key =
            matches!(kind, Kind::Auth | Kind::KeyInvalid) || (self.are_foreign && status == Some(403));
        if !self.message.trim().is_empty() && !may_repeat_a_key {
            message.push_str(": ");
            message.push_str(self.message.trim());
        }
        let code = [&self.code, &self.kind].into_iter().find(|word| !word.is_empty()).cloned();
        // Other sentences may quote the request, in which somebody speaks of waiting.
        let retry_after = if kind == Kind::RateLimited { self.wait() } else { self.wait };
        ProviderError { code, retry_after, ..ProviderError::new(kind, message) }
    }
}

fn as_status(value: &Value) -> Option<u16> {
    let number = value.as_u64().or_else(|| value.as_str()?.parse().ok())?;
    u16::try_from(number).ok().filter(|status| (400..600).contains(status))
}

fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Object(object) => object.get("message").map(word).unwrap_or_default(),
        _ => String::new(),
    }
}

/// What a response means that is more likely to come from another address than the provider's: `http:` in place of
/// `https:`, or a path without its `/v1`.
fn address_sentence(kind: Kind, status: u16) -> Option<&'static str> {
    match (kind, status) {
        (Kind::BadResponse, 300..=399) => {
            Some("the provider answered with a redirect, which is not followed; is base_url right?")
        }
        (Kind::BadResponse, 403) => Some(
            "a firewall before the provider refused the request with a page of its own: it may take offence at what is in \
             the request, or base_url is wrong",
        ),
        (Kind::BadRequest, 404 | 405) => Some("the provider has nothing at this address; is base_url right?"),
        _ => None,
    }
}

/// What a failure means, for people.
pub(super) fn sentence(kind: Kind) -> &'static str {
    match kind {
        Kind::Auth => "the provider refused access; check the key and what it may do",
        Kind::KeyInvalid => "the provider does not accept the API key",
        Kind::Quota => "the quota at the provider is used up",
        Kind::Balance => "the account at the provider has no money left",
        Kind::Unaffordable => {
            "the account at the provider has too little money for a request this large: pay in, or limit the output"
        }
        Kind::RateLimited => "the provider limits the rate of requests",
        Kind::Overloaded => "the provider cannot serve at the moment",
        Kind::ModelNotFound => "the provider has no such model",
        Kind::ContextOverflow => "the request is larger than the model's window",
        Kind::ContentFilter => "the provider's content filter refused",
        Kind::ToolsUnsupported => "the model calls no tools",
        Kind::ImagesUnsupported => "the model looks at no images",
        Kind::BadRequest => "the provider refused the request",
        Kind::Network => "the connection to the provider failed",
        Kind::Timeout(_) => "the provider took too long",
        Kind::Truncated => "the answer broke off",
        Kind::BadResponse => "the provider's answer could not be understood",
        Kind::MalformedCall => "the model wrote a tool call that its provider could not read",
        Kind::AnswerTooLarge => "the answer is larger than an answer may be",
        Kind::NoProvider => "no provider fits",
        Kind::Unavailable => "no provider can be asked at the moment",
    }
}
