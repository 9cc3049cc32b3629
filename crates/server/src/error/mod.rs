//! Error responses: one JSON shape and a closed set of codes.

mod body;
mod code;
#[cfg(test)]
mod tests;

use std::time::Duration;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use turnkit_core::{AcceptError, ConflictKind, StoreError};
use turnkit_engine::{FollowError, InvalidResolution, ResolveError};

pub(crate) use self::body::ErrorBody;
pub use self::code::ErrorCode;

/// The reason why a request is rejected, or why the events of an accepted turn cannot be sent.
#[derive(Debug, Clone)]
pub struct ApiError {
    code: ErrorCode,
    status: StatusCode,
    message: String,
    field: Option<String>,
    retryable: bool,
    retry_after: Option<Duration>,
    /// What is wrong with the token of the request, for clients that get another one.
    token_error: Option<&'static str>,
}

impl ApiError {
    /// Creates an error with the status of its code. `message` must not repeat data from the request.
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        let retry_after = matches!(code, ErrorCode::RateLimited | ErrorCode::QueueFull | ErrorCode::Unavailable);
        Self {
            code,
            status: code.status(),
            message: message.into(),
            field: None,
            retryable: code.is_retryable(),
            retry_after: retry_after.then_some(Duration::from_secs(1)),
            token_error: None,
        }
    }

    /// Creates the error of a request with an invalid token. `why` is for the client's developers.
    pub(crate) fn invalid_token(why: &'static str) -> Self {
        let message = "the token is not valid or has expired";
        Self { token_error: Some(why), ..Self::new(ErrorCode::Unauthenticated, message) }
    }

    /// Creates an error about an invalid field of the request.
    pub fn field(field: &str, why: impl std::fmt::Display) -> Self {
        Self { field: Some(field.to_owned()), ..Self::new(ErrorCode::InvalidRequest, format!("{field}: {why}")) }
    }

    /// Creates an error about a field that names a resource that the caller may not see, whether or not it exists for
    /// another caller.
    pub fn unknown(field: &str, why: impl std::fmt::Display) -> Self {
        Self { field: Some(field.to_owned()), ..Self::new(ErrorCode::NotFound, format!("{field}: {why}")) }
    }

    /// Creates the error for a `session_id` that names no session of the caller, whether or not it exists for another
    /// caller.
    pub(crate) fn no_session() -> Self {
        let why = "you have no such session; GET /api/v1/sessions lists yours, and without this field a new one begins";
        Self::unknown("session_id", why)
    }

    /// Creates the error for a resource that the caller may not see, whether or not it exists for another caller.
    pub fn not_found() -> Self {
        Self::new(ErrorCode::NotFound, "not found")
    }

    /// Replaces the status, for protocols that require another one.
    #[must_use]
    pub fn with_status(self, status: StatusCode) -> Self {
        Self { status, ..self }
    }

    /// Marks the error as permanent: a retry would have the same result.
    #[must_use]
    pub fn permanent(self) -> Self {
        Self { retryable: false, retry_after: None, ..self }
    }

    /// Sets the time after which the request may be retried.
    #[must_use]
    pub fn retry_after(self, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..self }
    }

    /// Returns the reason, for programs.
    pub fn code(&self) -> ErrorCode {
        self.code
    }

    /// Returns the message, for people.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the body of the error response.
    pub(crate) fn body<'a>(&'a self, request_id: &'a str) -> ErrorBody<'a> {
        ErrorBody::new(self, request_id)
    }
}

/// Leaves the body empty. The middleware that knows the request's id writes it.
impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        if let Some(wait) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(whole_seconds(wait)));
        }
        if self.code == ErrorCode::Unauthenticated {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge(self.token_error));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// Returns the challenge of a request without a valid credential, in the form of RFC 6750.
fn challenge(token_error: Option<&'static str>) -> HeaderValue {
    let challenge = HeaderValue::from_static("Bearer realm=\"turnkit\"");
    let Some(why) = token_error else { return challenge };
    let detailed = format!("Bearer realm=\"turnkit\", error=\"invalid_token\", error_description=\"{why}\"");
    HeaderValue::try_from(detailed).unwrap_or(challenge)
}

/// Rounds up to whole seconds, and at least to one, so that clients do not retry too early.
fn whole_seconds(wait: Duration) -> u64 {
    let partial = u64::from(wait.subsec_nanos() > 0);
    wait.as_secs().saturating_add(partial).max(1)
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        match &error {
            StoreError::NotFound => return Self::not_found(),
            StoreError::Conflict(ConflictKind::SessionBusy) => {
                return Self::new(ErrorCode::SessionBusy, "the session has a turn that has not ended");
            }
            StoreError::Conflict(ConflictKind::NameTaken) => {
                return Self::field("name", "another session has this name; choose another");
            }
            StoreError::Conflict(ConflictKind::TurnNotEnded) => {
                return Self::new(ErrorCode::SessionBusy, "the turn has not ended");
            }
            StoreError::Conflict(ConflictKind::NotInSession) => {
                return Self::field("head", "the session has no such turn");
            }
            StoreError::Conflict(ConflictKind::OwnedBySubAgent) => {
                return Self::new(
                    ErrorCode::InvalidRequest,
                    "the session belongs to a sub-agent; continue or fork its parent session",
                );
            }
            StoreError::Conflict(ConflictKind::KeyReused) => return AcceptError::KeyReused.into(),
            StoreError::Conflict(ConflictKind::SessionDeleted(session)) => {
                return AcceptError::SessionDeleted(*session).into();
            }
            StoreError::Conflict(ConflictKind::QueueFull) => return AcceptError::QueueFull.into(),
            _ => {}
        }
        // Messages of the storage may contain paths, so they are only logged.
        tracing::error!(%error, "storage failed");
        match error {
            StoreError::Full(_) => Self::new(
                ErrorCode::StorageFull,
                "the server's disk is full; try again when the operator has freed space",
            ),
            StoreError::Corrupt(_) => {
                let message = "the stored data is damaged; `turnkit doctor` describes the damage";
                Self::new(ErrorCode::Unavailable, message).permanent()
            }
            _ => Self::new(ErrorCode::Unavailable, "storage is unavailable; try again later"),
        }
    }
}

impl From<AcceptError> for ApiError {
    fn from(error: AcceptError) -> Self {
        match error {
            AcceptError::NotFound("session") => Self::no_session(),
            AcceptError::NotFound("turn") => Self::not_found(),
            AcceptError::NotFound(what) => Self::new(ErrorCode::NotFound, format!("{what} not found")),
            // Callers that may use only some agents get an error that names these alone: `permitted_agent`.
            AcceptError::NoAgent { .. } => {
                Self { field: Some("agent".to_owned()), ..Self::new(ErrorCode::NotFound, error.to_string()) }
            }
            AcceptError::Invalid { field, reason } => Self::field(field, reason),
            AcceptError::FileTooLarge { .. } => Self::new(ErrorCode::BodyTooLarge, error.to_string()),
            AcceptError::FileUnreadable { .. } => Self::new(ErrorCode::UnsupportedMediaType, error.to_string()),
            AcceptError::Busy | AcceptError::TurnNotEnded => Self::new(ErrorCode::SessionBusy, error.to_string()),
            AcceptError::QueueFull | AcceptError::Overloaded => Self::new(ErrorCode::QueueFull, error.to_string()),
            AcceptError::KeyReused => Self::new(ErrorCode::KeyReused, error.to_string()),
            AcceptError::SessionDeleted(_) => Self::new(ErrorCode::SessionDeleted, error.to_string()),
            AcceptError::Store(error) => error.into(),
        }
    }
}

impl From<ResolveError> for ApiError {
    fn from(error: ResolveError) -> Self {
        match error {
            ResolveError::Invalid(InvalidResolution::Answer(why)) => Self::field("answer", why),
            ResolveError::Invalid(InvalidResolution::Arguments(why)) => Self::field("arguments", why),
            ResolveError::Invalid(InvalidResolution::Unfit(_)) | ResolveError::Ungrantable(_) => {
                Self::field("decision", error)
            }
            ResolveError::Store(error) => error.into(),
        }
    }
}

impl From<FollowError> for ApiError {
    fn from(error: FollowError) -> Self {
        match error {
            FollowError::Expired => Self::new(ErrorCode::StreamExpired, error.to_string()),
            FollowError::Store(error) => error.into(),
        }
    }
}
