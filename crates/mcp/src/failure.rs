//! Failures of starts and requests, classified by what is known about their effect.

use std::error::Error;
use std::fmt;

use rmcp::ServiceError;
use rmcp::model::{ErrorCode, ErrorData};
use rmcp::service::ClientInitializeError;
use rmcp::transport::streamable_http_client::StreamableHttpError;
use turnkit_core::ToolError;

use crate::http_failure::HttpFailure;
use crate::secrets::Secrets;

/// The number of characters of an error that a server reports.
const ERROR_CHARS: usize = 4_000;

/// The codes of errors that gateways and request handlers report when they lost the answer of a tool: a failure that
/// the protocol does not define, a timeout, and an internal error.
const UNCLEAR: [ErrorCode; 3] = [ErrorCode(-32000), ErrorCode(-32001), ErrorCode::INTERNAL_ERROR];

/// A start that failed.
pub(crate) struct StartFailure {
    pub(crate) why: String,
    pub(crate) fault: StartFault,
}

/// The fault of a failed start, which decides whether an older protocol is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StartFault {
    /// It may know an older protocol only.
    OlderProtocol,
    /// Nothing: there is no access token, so no request was sent.
    NoToken,
    /// It cannot be used.
    Server,
}

/// A request without a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RequestFailure {
    /// The server has not acted on the request.
    WithoutEffect {
        why: String,
        /// Whether the connection is of no further use.
        is_lost: bool,
        /// Whether the request was not sent because there is no access token.
        lacks_token: bool,
    },
    /// The server reports an error.
    Answered(ToolError),
    /// The server, or a gateway in front of it, reports an error that does not say whether the request had an effect.
    Unclear(String),
    /// The server may have acted on the request.
    Unknown {
        why: String,
        /// Whether the connection is of no further use.
        is_lost: bool,
    },
}

impl StartFailure {
    /// Returns the failure of a start for which there is no access token.
    pub(crate) fn without_token(failure: &HttpFailure, secrets: &Secrets) -> Self {
        Self { why: secrets.line(&failure.to_string(), ERROR_CHARS), fault: StartFault::NoToken }
    }

    /// Classifies the failure of a handshake, without these credentials. `remark` is added to a connection that has
    /// closed.
    pub(crate) fn of(error: &ClientInitializeError, remark: &str, secrets: &Secrets) -> Self {
        match error {
            ClientInitializeError::LegacyFallbackFailed { fallback, .. } => match Self::of(fallback, remark, secrets) {
                Self { why, fault: StartFault::OlderProtocol } => Self { why, fault: StartFault::Server },
                failure => failure,
            },
            ClientInitializeError::TransportError { error, .. } => {
                let failure = cause(error.error.as_ref());
                let fault = match failure {
                    Some(failure) if failure.lacks_token() => StartFault::NoToken,
                    Some(failure) if failure.is_without_effect() => StartFault::Server,
                    _ => StartFault::OlderProtocol,
                };
                let why = failure.map_or_else(|| error.error.to_string(), ToString::to_string);
                Self { why: secrets.line(&format!("{why}{remark}"), ERROR_CHARS), fault }
            }
            ClientInitializeError::ConnectionClosed(_) => {
                let why = format!("it closed the connection before it was ready{remark}");
                Self { why, fault: StartFault::OlderProtocol }
            }
            ClientInitializeError::JsonRpcError(error) => {
                Self { why: reported(error, secrets), fault: StartFault::Server }
            }
            other => Self { why: secrets.line(&other.to_string(), ERROR_CHARS), fault: StartFault::OlderProtocol },
        }
    }
}

impl RequestFailure {
    /// Returns the failure of a request that was not sent because there is no access token.
    pub(crate) fn without_token(failure: &HttpFailure) -> Self {
        Self::WithoutEffect { why: failure.to_string(), is_lost: false, lacks_token: true }
    }

    /// Reports whether the connection is of no further use.
    pub(crate) fn is_lost(&self) -> bool {
        matches!(self, Self::WithoutEffect { is_lost: true, .. } | Self::Unknown { is_lost: true, .. })
    }

    /// Reports whether there is no access token, which says nothing about the server.
    pub(crate) fn lacks_token(&self) -> bool {
        matches!(self, Self::WithoutEffect { lacks_token: true, .. })
    }

    /// Classifies the failure of a request, without these credentials. `over_pipes` says that the connection has one
    /// stream for all answers, so that the end of a stream is its own end.
    pub(crate) fn of(error: ServiceError, over_pipes: bool, secrets: &Secrets) -> Self {
        match error {
            ServiceError::McpError(error) if error.code == ErrorCode::INVALID_PARAMS => {
                Self::Answered(ToolError::InvalidArguments(reported(&error, secrets)))
            }
            ServiceError::McpError(error) if UNCLEAR.contains(&error.code) => Self::Unclear(reported(&error, secrets)),
            ServiceError::McpError(error) => Self::Answered(ToolError::Failed(reported(&error, secrets))),
            ServiceError::TransportSend(error) => Self::of_transport(error.error.as_ref(), secrets),
            ServiceError::TransportClosed => {
                Self::Unknown { why: "the connection closed before the answer".to_owned(), is_lost: over_pipes }
            }
            other => Self::Unknown { why: secrets.line(&other.to_string(), ERROR_CHARS), is_lost: false },
        }
    }

    fn of_transport(error: &(dyn Error + 'static), secrets: &Secrets) -> Self {
        let line = |error: &dyn fmt::Display| secrets.line(&error.to_string(), ERROR_CHARS);
        match error.downcast_ref::<StreamableHttpError<HttpFailure>>() {
            Some(StreamableHttpError::Client(failure)) if failure.is_without_effect() => {
                let (is_lost, lacks_token) = (failure.is_session_lost(), failure.lacks_token());
                Self::WithoutEffect { why: line(failure), is_lost, lacks_token }
            }
            Some(StreamableHttpError::Client(failure)) => Self::Unknown { why: line(failure), is_lost: false },
            // The server has forgotten the session, perhaps after it had begun to act on the request.
            Some(StreamableHttpError::SessionExpired) => {
                Self::Unknown { why: "the server has ended the session".to_owned(), is_lost: true }
            }
            _ => Self::Unknown { why: line(&error), is_lost: true },
        }
    }
}

impl fmt::Display for RequestFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::WithoutEffect { why, .. } | Self::Unclear(why) | Self::Unknown { why, .. } => f.write_str(why),
            Self::Answered(error) => write!(f, "{error}"),
        }
    }
}

/// Returns the error that a server reports, as a sentence.
fn reported(error: &ErrorData, secrets: &Secrets) -> String {
    format!("the server reports: {}", secrets.visible(&error.message, ERROR_CHARS))
}

/// Finds the failed HTTP request behind an error.
fn cause<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a HttpFailure> {
    match error.downcast_ref::<StreamableHttpError<HttpFailure>>() {
        Some(StreamableHttpError::Client(failure)) => Some(failure),
        _ => None,
    }
}
