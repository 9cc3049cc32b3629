//! The closed set of error codes.

use axum::http::StatusCode;
use serde::Serialize;
use utoipa::ToSchema;

/// The reason for an error, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The body cannot be parsed.
    InvalidJson,
    /// The request has no credentials, or unknown ones.
    Unauthenticated,
    /// The credentials do not permit the request.
    Forbidden,
    /// The `Host` is not one for which this server responds.
    HostNotAllowed,
    /// The origin of the page that sent the request is not allowed.
    OriginNotAllowed,
    /// The resource does not exist, or the caller may not see it.
    NotFound,
    /// The route does not have this method.
    MethodNotAllowed,
    /// The request did not arrive within the time limit.
    Timeout,
    /// The session runs another turn.
    SessionBusy,
    /// The interaction already has a different decision.
    AlreadyDecided,
    /// A tool no longer has the definition that the request accepts.
    DefinitionChanged,
    /// The interaction no longer waits for a decision.
    TooLate,
    /// The events are no longer stored.
    StreamExpired,
    /// The body is too large.
    BodyTooLarge,
    /// The body has an unsupported media type.
    UnsupportedMediaType,
    /// The request can be parsed but is invalid.
    InvalidRequest,
    /// The idempotency key belongs to another request.
    KeyReused,
    /// The idempotency key belongs to a turn whose session was deleted.
    SessionDeleted,
    /// The caller sent too many requests.
    RateLimited,
    /// Too many turns are waiting.
    QueueFull,
    /// The server cannot handle the request now.
    Unavailable,
    /// The storage is full.
    StorageFull,
}

impl ErrorCode {
    /// All codes.
    pub const ALL: [Self; 22] = [
        Self::InvalidJson,
        Self::Unauthenticated,
        Self::Forbidden,
        Self::HostNotAllowed,
        Self::OriginNotAllowed,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::Timeout,
        Self::SessionBusy,
        Self::AlreadyDecided,
        Self::DefinitionChanged,
        Self::TooLate,
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

    /// Returns the code as it appears in responses.
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
            Self::AlreadyDecided => "already_decided",
            Self::DefinitionChanged => "definition_changed",
            Self::TooLate => "too_late",
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

    pub(super) fn status(self) -> StatusCode {
        match self {
            Self::InvalidJson => StatusCode::BAD_REQUEST,
            Self::Unauthenticated => StatusCode::UNAUTHORIZED,
            Self::Forbidden | Self::HostNotAllowed | Self::OriginNotAllowed => StatusCode::FORBIDDEN,
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::MethodNotAllowed => StatusCode::METHOD_NOT_ALLOWED,
            Self::Timeout => StatusCode::REQUEST_TIMEOUT,
            Self::SessionBusy | Self::AlreadyDecided | Self::DefinitionChanged => StatusCode::CONFLICT,
            Self::StreamExpired | Self::SessionDeleted | Self::TooLate => StatusCode::GONE,
            Self::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::UnsupportedMediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::InvalidRequest | Self::KeyReused => StatusCode::UNPROCESSABLE_ENTITY,
            Self::RateLimited | Self::QueueFull => StatusCode::TOO_MANY_REQUESTS,
            Self::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Self::StorageFull => StatusCode::INSUFFICIENT_STORAGE,
        }
    }

    pub(super) fn is_retryable(self) -> bool {
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

    /// Returns the class of the error, as OpenAI names it.
    pub(super) fn error_type(self) -> ErrorType {
        match self.status() {
            StatusCode::UNAUTHORIZED => ErrorType::Authentication,
            StatusCode::FORBIDDEN => ErrorType::Permission,
            StatusCode::TOO_MANY_REQUESTS => ErrorType::RateLimit,
            status if status.is_server_error() => ErrorType::Server,
            _ => ErrorType::InvalidRequest,
        }
    }
}

/// The class of an error, as OpenAI names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub(super) enum ErrorType {
    #[serde(rename = "invalid_request_error")]
    InvalidRequest,
    #[serde(rename = "authentication_error")]
    Authentication,
    #[serde(rename = "permission_error")]
    Permission,
    #[serde(rename = "rate_limit_error")]
    RateLimit,
    #[serde(rename = "server_error")]
    Server,
}
