//! Errors of the protocol.

use axum::http::StatusCode;
use serde_json::{Value, json};

use super::revision::Revision;
use crate::error::{ApiError, ErrorCode};

/// The reason why a message cannot be handled. A failed turn is not such a reason: its error is a result.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fault {
    kind: FaultKind,
    message: String,
    data: Option<Value>,
}

/// The kind of a fault. The numbers are those of JSON-RPC and of MCP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FaultKind {
    /// The message is not JSON.
    NotJson,
    /// The message is JSON, but not a request or a notification.
    InvalidRequest,
    /// The server has no such method.
    UnknownMethod,
    /// The parameters of the method are invalid.
    InvalidParams,
    /// The `_meta` of the request lacks what the revision of the protocol requires.
    InvalidMetadata,
    /// A header contradicts the body, or is missing.
    HeaderMismatch,
    /// The server does not speak this revision of the protocol.
    UnsupportedRevision,
    /// The server cannot handle the request now.
    Unavailable,
}

impl Fault {
    /// Creates a fault. `message` must not repeat data from the request.
    pub(super) fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), data: None }
    }

    /// Adds data for programs.
    pub(super) fn with_data(self, data: Value) -> Self {
        Self { data: Some(data), ..self }
    }

    /// Converts the error of a body that cannot be read.
    pub(super) fn of_body(error: &ApiError) -> Self {
        let kind = match error.code() {
            ErrorCode::InvalidJson => FaultKind::NotJson,
            _ => FaultKind::InvalidRequest,
        };
        Self::new(kind, error.message())
    }

    /// Converts the error of parameters that cannot be read.
    pub(super) fn of_params(error: &ApiError) -> Self {
        Self::new(FaultKind::InvalidParams, error.message())
    }

    /// Returns the error object of a response.
    pub(super) fn to_json(&self) -> Value {
        let mut error = json!({ "code": self.kind.code(), "message": self.message });
        if let Some(data) = &self.data {
            error["data"] = data.clone();
        }
        error
    }

    /// Returns the HTTP status of a response with this fault.
    pub(super) fn status(&self, revision: Revision) -> StatusCode {
        match self.kind {
            FaultKind::NotJson
            | FaultKind::InvalidRequest
            | FaultKind::InvalidMetadata
            | FaultKind::HeaderMismatch
            | FaultKind::UnsupportedRevision => StatusCode::BAD_REQUEST,
            // To a client of an earlier revision, this status means that its session has ended.
            FaultKind::UnknownMethod if revision == Revision::Stateless => StatusCode::NOT_FOUND,
            FaultKind::UnknownMethod | FaultKind::InvalidParams => StatusCode::OK,
            FaultKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl FaultKind {
    fn code(self) -> i32 {
        match self {
            Self::NotJson => -32700,
            Self::InvalidRequest => -32600,
            Self::UnknownMethod => -32601,
            Self::InvalidParams | Self::InvalidMetadata => -32602,
            Self::Unavailable => -32603,
            Self::HeaderMismatch => -32020,
            Self::UnsupportedRevision => -32022,
        }
    }
}
