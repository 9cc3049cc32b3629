//! Parses error responses. Each wire decides which kind of failure they are.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use turnkit_core::{ProviderError, ProviderErrorKind as Kind};

use super::lenient::Objects;
use super::limit::{self, Detail};

/// Maximum length of a message that a provider writes without quoting the request, in bytes.
const MAX_UNQUOTED_MESSAGE: usize = 300;

/// A response whose status is not a success.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorResponse<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The wait that the provider asked for, if any.
    pub retry_after: Option<Duration>,
    /// The body, or its beginning.
    pub body: &'a [u8],
}

/// Returns the error for an answer that a decoder cannot process.
pub(super) fn bad_response(message: &str) -> ProviderError {
    ProviderError::new(Kind::BadResponse, message)
}

/// Returns the error for a response; `kind` is the wire's classification.
pub(super) fn of_response(response: &ErrorResponse<'_>, kind: impl FnOnce(&ErrorText) -> Kind) -> ProviderError {
    let text = ErrorText::of_body(&String::from_utf8_lossy(response.body));
    let kind = text.kind_for_request(unsupported(kind(&text), &text), Some(response.status));
    let sentence = address_sentence(kind, response.status).unwrap_or_else(|| sentence(kind));
    let mut error = text.error(kind, Some(response.status), sentence);
    error.status = Some(response.status);
    error.retry_after = response.retry_after.or(error.retry_after);
    error
}

/// Returns the error for an error object inside a successful response; `kind` is the wire's classification.
pub(super) fn in_band(error: &str, kind: impl FnOnce(&ErrorText) -> Kind) -> ProviderError {
    let text = ErrorText::of_error(error);
    let kind = text.kind_for_request(unsupported(kind(&text), &text), text.status);
    text.error(kind, text.status, sentence(kind))
}

/// Returns the kind for a status alone.
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

/// Refines a rejection that is about a missing capability of the model. Vendors of every wire use the text of the
/// server that runs the model.
fn unsupported(kind: Kind, text: &ErrorText) -> Kind {
    match kind {
        Kind::BadRequest | Kind::ModelNotFound | Kind::Overloaded => text.unsupported().unwrap_or(kind),
        other => other,
    }
}

/// The content of an error from a provider.
#[derive(Debug, Default)]
pub(super) struct ErrorText {
    /// A code or number for programs.
    pub(super) code: String,
    /// A second code.
    pub(super) kind: String,
    /// The request field at fault.
    pub(super) param: String,
    /// A sentence for the user.
    pub(super) message: String,
    /// Set if the text is not JSON, as every provider's errors are: it is an HTML page, or the text of a server in
    /// front of the provider.
    pub(super) is_not_json: bool,
    /// The status that a failure inside a successful response claims.
    pub(super) status: Option<u16>,
    /// The wait in the details of the failure.
    wait: Option<Duration>,
    /// Set if a limit is a daily one.
    pub(super) is_daily: bool,
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

impl ErrorText {
    fn of_body(body: &str) -> Self {
        // Google wraps the object in a list.
        let listed = serde_json::from_str::<Vec<Body<'_>>>(body).ok().and_then(|list| list.into_iter().next());
        let whole = listed.or_else(|| serde_json::from_str(body).ok());
        let inner = whole.and_then(|body| body.error).map(RawValue::get);
        Self::of_error(inner.unwrap_or(body))
    }

    /// Reads an error object, a bare string, or text that is not JSON.
    fn of_error(text: &str) -> Self {
        let Ok(object) = serde_json::from_str::<ErrorObject<'_>>(text) else {
            let message = serde_json::from_str::<String>(text).unwrap_or_else(|_| text.to_owned());
            // An HTML page contains nothing about the request.
            let message = if message.trim_start().starts_with('<') { String::new() } else { message };
            // Text that begins like JSON is truncated JSON.
            let begins = text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').chars().next();
            let is_not_json = begins.is_some_and(|first| !matches!(first, '{' | '[' | '"'));
            return Self { message, is_not_json, ..Self::default() };
        };
        let status = [&object.status_code, &object.code, &object.status].into_iter().find_map(as_status);
        let message = [&object.message, &object.detail].into_iter().map(word).find(|text| !text.is_empty());
        Self {
            code: word(&object.code),
            kind: word(&object.r#type),
            param: word(&object.param),
            message: message.unwrap_or_default(),
            is_not_json: false,
            status,
            wait: limit::wait_of_details(&object.details),
            is_daily: limit::is_daily(&object.details),
        }
    }

    /// Reports whether the message begins with one of these phrases and is short enough to be the provider's own: text
    /// quoted from the request says nothing about the provider.
    pub(super) fn begins_with(&self, words: &[&str]) -> bool {
        let message = self.message.trim_start().to_lowercase();
        self.is_short() && words.iter().any(|words| message.starts_with(words))
    }

    /// Reports whether the message is too short to contain a quote.
    pub(super) fn is_short(&self) -> bool {
        self.message.len() <= MAX_UNQUOTED_MESSAGE
    }

    /// Returns the wait for a rate limit, from the details or the message.
    pub(super) fn wait(&self) -> Option<Duration> {
        self.wait.or_else(|| limit::wait_of_sentence(&self.message.to_lowercase()))
    }

    fn error(&self, kind: Kind, status: Option<u16>, sentence: &str) -> ProviderError {
        let mut message = sentence.to_owned();
        if let Some(status) = status {
            message.push_str(&format!(" (HTTP {status})"));
        }
        // Providers repeat keys, wholly or in part, in errors about them.
        let may_repeat_a_key =
            matches!(kind, Kind::Auth | Kind::KeyInvalid) || (self.is_not_json && status == Some(403));
        if !self.message.trim().is_empty() && !may_repeat_a_key {
            message.push_str(": ");
            message.push_str(self.message.trim());
        }
        let code = [&self.code, &self.kind].into_iter().find(|word| !word.is_empty()).cloned();
        // Messages of other kinds may quote the request, whose text may mention a wait.
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

/// Returns the message for an error that probably comes from a wrong address: `http:` instead of `https:`, or a path
/// without its `/v1`.
fn address_sentence(kind: Kind, status: u16) -> Option<&'static str> {
    match (kind, status) {
        (Kind::BadResponse, 300..=399) => {
            Some("the provider answered with a redirect, which is not followed; is base_url right?")
        }
        (Kind::BadResponse, 403) => Some(
            "a firewall in front of the provider rejected the request: it may object to the content of the request, or \
             base_url is wrong",
        ),
        (Kind::BadRequest, 404 | 405) => Some("the provider has nothing at this address; is base_url right?"),
        _ => None,
    }
}

/// Returns the meaning of a failure, for the user.
pub(super) fn sentence(kind: Kind) -> &'static str {
    match kind {
        Kind::Auth => "the provider refused access; check the key and what it may do",
        Kind::KeyInvalid => "the provider does not accept the API key",
        Kind::Quota => "the quota at the provider is used up",
        Kind::Balance => "the account at the provider has no credit left",
        Kind::Unaffordable => {
            "the account at the provider has too little credit for this request; top it up, or limit the output"
        }
        Kind::RateLimited => "the provider limits the rate of requests",
        Kind::Overloaded => "the provider cannot serve at the moment",
        Kind::ModelNotFound => "the provider has no such model",
        Kind::ContextOverflow => "the request is larger than the model's window",
        Kind::ContentFilter => "the provider's content filter refused",
        Kind::ToolsUnsupported => "the model does not support tools",
        Kind::ImagesUnsupported => "the model does not support images",
        Kind::BadRequest => "the provider refused the request",
        Kind::Network => "the connection to the provider failed",
        Kind::Timeout(_) => "the provider took too long",
        Kind::Truncated => "the answer broke off",
        Kind::BadResponse => "the provider's answer could not be understood",
        Kind::MalformedCall => "the model wrote a tool call that its provider could not read",
        Kind::AnswerTooLarge => "the answer exceeds the size limit",
        Kind::NoProvider => "no provider matches the request",
        Kind::Unavailable => "no provider is available at the moment",
    }
}
