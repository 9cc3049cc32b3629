//! How a request is refused: one JSON shape, a closed list of codes.

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Value, json};
use turnkit_core::{AcceptError, ConflictKind, StoreError};
use turnkit_engine::FollowError;

/// Every word a program may find in `error.code`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The body cannot be parsed.
    InvalidJson,
    /// No credentials, or none that are known.
    Unauthenticated,
    /// The credentials are not enough.
    Forbidden,
    /// The `Host` is not one this server answers to.
    HostNotAllowed,
    /// The page that sent the request is not one this server talks to.
    OriginNotAllowed,
    /// There is no such thing for this caller.
    NotFound,
    /// The route does not have this method.
    MethodNotAllowed,
    /// The request did not arrive in time.
    Timeout,
    /// The session runs another turn.
    SessionBusy,
    /// The events are no longer kept.
    StreamExpired,
    /// The body is too large.
    BodyTooLarge,
    /// The body is not of a type that is understood.
    UnsupportedMediaType,
    /// It could be parsed, and is wrong.
    InvalidRequest,
    /// The idempotency key belongs to another request.
    KeyReused,
    /// The idempotency key belongs to a turn whose session was deleted.
    SessionDeleted,
    /// Too many requests.
    RateLimited,
    /// Too many turns wait.
    QueueFull,
    /// Not now.
    Unavailable,
    /// There is no room.
    StorageFull,
}

impl Code {
    /// All of them.
    pub const ALL: [Self; 19] = [
        Self::InvalidJson,
        Self::Unauthenticated,
        Self::Forbidden,
        Self::HostNotAllowed,
        Self::OriginNotAllowed,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::Timeout,
        Self::SessionBusy,
        Self::StreamExpired,
        Self::BodyTooLarge,
        Self::UnsupportedMediaType,
        Self::InvalidRequest,
        Self::KeyReused,
        Self::SessionDeleted,
        Self::RateLimited,
        Self::QueueFull,
        Self::Unavailable,
        Self::StorageFull,
    ];

    /// The word itself.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidJson => "invalid_json",
            Self::Unauthenticated => "unauthenticated",
            Self::Forbidden => "forbidden",
            Self::HostNotAllowed => "host_not_allowed",
            Self::OriginNotAllowed => "origin_not_allowed",
            Self::NotFound => "not_found",
            Self::MethodNotAllowed => "method_not_allowed",
            Self::Timeout => "timeout",
            Self::SessionBusy => "session_busy",
            Self::StreamExpired => "stream_expired",
            Self::BodyTooLarge => "body_too_large",
            Self::UnsupportedMediaType => "unsupported_media_type",
            Self::InvalidRequest => "invalid_request",
            Self::KeyReused => "key_reused",
            Self::SessionDeleted => "session_deleted",
            Self::RateLimited => "rate_limited",
            Self::QueueFull => "queue_full",
            Self::Unavailable => "unavailable",
            Self::StorageFull => "storage_full",
        }
    }

    fn status(self) -> StatusCode {
        match self {
            Self::InvalidJson => StatusCode::BAD_REQUEST,
            Self::Unauthenticated => StatusCode::UNAUTHORIZED,
            Self::Forbidden | Self::HostNotAllowed | Self::OriginNotAllowed => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Timeout => StatusCode::REQUEST_TIMEOUT,
            Self::SessionBusy => StatusCode::CONFLICT,
            Self::StreamExpired | Self::SessionDeleted => StatusCode::GONE,
            Self::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::InvalidRequest | Self::KeyReused => StatusCode::UNPROCESSABLE_ENTITY,
            Self::RateLimited | Self::QueueFull => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::StorageFull => StatusCode::INSUFFICIENT_STORAGE,
        }
    }

    fn is_retryable(self) -> bool {
        matches!(
            self,
            Self::Timeout
                | Self::SessionBusy
                | Self::RateLimited
                | Self::QueueFull
                | Self::Unavailable
                | Self::StorageFull
        )
    }
}

/// Why a request is refused, or why an accepted turn cannot be told.
#[derive(Debug, Clone)]
pub struct ApiError {
    code: Code,
    status: StatusCode,
    message: String,
    details: Option<Value>,
    retryable: bool,
    retry_after: Option<Duration>,
}

impl ApiError {
    /// A refusal with the status of its code. `message` never repeats what was sent.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        let retry_after = matches!(code, Code::RateLimited | Code::QueueFull | Code::Unavailable);
        Self {
            code,
            status: code.status(),
            message: message.into(),
            details: None,
            retryable: code.is_retryable(),
            retry_after: retry_after.then_some(Duration::from_secs(1)),
        }
    }

    /// A field of the request is wrong.
    pub fn field(field: &str, why: impl std::fmt::Display) -> Self {
        let details = json!({ "field": field });
        Self { details: Some(details), ..Self::new(Code::InvalidRequest, format!("{field}: {why}")) }
    }

    /// There is no such thing for this caller, whether or not another one has it.
    pub fn not_found() -> Self {
        Self::new(Code::NotFound, "not found")
    }

    /// The same refusal with another status, where a protocol asks for it.
    #[must_use]
    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// The same refusal, where asking again would come to the same.
    #[must_use]
    pub fn for_good(self) -> Self {
        Self { retryable: false, retry_after: None, ..self }
    }

    /// The same refusal, of a request that may be sent again after `wait`.
    #[must_use]
    pub fn after(self, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..self }
    }

    /// What went wrong, for programs.
    pub fn code(&self) -> Code {
        self.code
    }

    /// What went wrong, for people.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The body a client gets.
    pub fn body(&self, request_id: &str) -> Value {
        let mut error = json!({
            "code": self.code,
            "message": self.message,
            "request_id": request_id,
            "retryable": self.retryable,
        });
        if let Some(details) = &self.details {
            error["details"] = details.clone();
        }
        json!({ "error": error })
    }
}

/// The body is left to the middleware that knows the request's id.
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        if let Some(wait) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(whole_seconds(wait)));
        }
        if self.code == Code::Unauthenticated {
            let wanted = HeaderValue::from_static("Bearer realm=\"turnkit\"");
            response.headers_mut().insert(header::WWW_AUTHENTICATE, wanted);
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// At least one: who waits for less comes too early.
fn whole_seconds(wait: Duration) -> u64 {
    let begun = u64::from(wait.subsec_nanos() > 0);
    wait.as_secs().saturating_add(begun).max(1)
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::NotFound => return Self::not_found(),
            StoreError::Conflict(ConflictKind::SessionBusy) => {
                return Self::new(Code::SessionBusy, "the session has a turn that is not over");
            }
            StoreError::Conflict(ConflictKind::NameTaken) => return Self::field("name", "another session has it"),
            StoreError::Conflict(ConflictKind::TurnNotOver) => {
                return Self::new(Code::SessionBusy, "the turn is not over");
            }
            StoreError::Conflict(ConflictKind::KeyReused) => return AcceptError::KeyReused.into(),
            StoreError::Conflict(ConflictKind::SessionDeleted(session)) => {
                return AcceptError::SessionDeleted(*session).into();
            }
            StoreError::Conflict(ConflictKind::QueueFull) => return AcceptError::QueueFull.into(),
            _ => {}
        }
        // What storage says may name paths: that is for the log.
        tracing::error!(%error, "storage failed");
        match error {
            StoreError::Full(_) => Self::new(Code::StorageFull, "there is no room to store it"),
            StoreError::Corrupt(_) => Self::new(Code::Unavailable, "what is stored cannot be read").for_good(),
            _ => Self::new(Code::Unavailable, "storage is not available"),
        }
    }
}

impl From<AcceptError> for ApiError {
    fn from(error: AcceptError) -> Self {
        match error {
            AcceptError::NotFound("session") => Self::not_found(),
            AcceptError::NotFound(what) => Self::new(Code::NotFound, format!("{what} not found")),
            AcceptError::Invalid { field, why } => Self::field(field, why),
            AcceptError::Busy => Self::new(Code::SessionBusy, error.to_string()),
            AcceptError::QueueFull | AcceptError::Overloaded => Self::new(Code::QueueFull, error.to_string()),
            AcceptError::KeyReused => Self::new(Code::KeyReused, error.to_string()),
            AcceptError::SessionDeleted(_) => Self::new(Code::SessionDeleted, error.to_string()),
            AcceptError::Store(error) => error.into(),
        }
    }
}

impl From<FollowError> for ApiError {
    fn from(error: FollowError) -> Self {
        match error {
            FollowError::Expired => Self::new(Code::StreamExpired, error.to_string()),
            FollowError::Store(error) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_broken_for_good_is_not_asked_for_again() {
        for (error, code, retryable) in [
            (StoreError::Unavailable("locked".to_owned()), "unavailable", true),
            (StoreError::Full("disk".to_owned()), "storage_full", true),
            (StoreError::Corrupt("page 7".to_owned()), "unavailable", false),
        ] {
            let refusal = ApiError::from(error);
            let body = refusal.body("");
            assert_eq!((&body["error"]["code"], &body["error"]["retryable"]), (&json!(code), &json!(retryable)));
            let waits = refusal.into_response().headers().contains_key(header::RETRY_AFTER);
            assert_eq!(waits, retryable && code == "unavailable", "{code}");
        }
    }
}
