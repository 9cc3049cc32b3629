//! Reads the bodies of requests: complete JSON, of bounded size, within the time limit.

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderMap, header};
use bytes::BytesMut;
use futures_util::StreamExt;
use tokio::time::error::Elapsed;
use turnkit_net::timeout;

use crate::error::{ApiError, ErrorCode};
use crate::settings::Settings;

/// The capacity reserved before any of the body has arrived. If a client announces a longer body, the buffer grows as
/// data arrives.
const FIRST_BYTES: usize = 16 * 1024;

/// Reads the body before the handler sees the request.
pub(super) async fn read(settings: &Settings, request: Request) -> Result<Request, ApiError> {
    let (parts, body) = request.into_parts();
    if body.is_end_stream() {
        return Ok(Request::from_parts(parts, Body::empty()));
    }
    check_type(&parts.headers)?;
    let whole = timeout(settings.body_time, collect(body, settings.body_bytes)).await;
    let mut request = Request::from_parts(parts, Body::from(whole.map_err(late)??));
    // The settings alone limit the size of a body, so axum's own limit is disabled.
    DefaultBodyLimit::disable().apply(&mut request);
    Ok(request)
}

async fn collect(body: Body, limit: usize) -> Result<Bytes, ApiError> {
    let too_large = || ApiError::new(ErrorCode::BodyTooLarge, format!("the body is larger than {limit} bytes"));
    let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if announced > limit {
        return Err(too_large());
    }
    let (mut whole, mut chunks) = (BytesMut::with_capacity(announced.min(FIRST_BYTES)), body.into_data_stream());
    while let Some(chunk) = chunks.next().await {
        let chunk = chunk.map_err(broken)?;
        if whole.len() + chunk.len() > limit {
            return Err(too_large());
        }
        whole.extend_from_slice(&chunk);
    }
    Ok(whole.freeze())
}

/// Checks that a non-empty body is declared as JSON without an encoding.
fn check_type(headers: &HeaderMap) -> Result<(), ApiError> {
    check_encoding(headers)?;
    let mut types = headers.get_all(header::CONTENT_TYPE).iter();
    match (types.next(), types.next()) {
        (Some(only), None) if is_json(only.as_bytes()) => Ok(()),
        _ => Err(ApiError::new(ErrorCode::UnsupportedMediaType, "send content-type: application/json")),
    }
}

/// Rejects a body that has a content-encoding.
pub(super) fn check_encoding(headers: &HeaderMap) -> Result<(), ApiError> {
    let mut encodings = headers.get_all(header::CONTENT_ENCODING).iter();
    if encodings.all(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"identity")) {
        return Ok(());
    }
    Err(ApiError::new(ErrorCode::UnsupportedMediaType, "send the body without a content-encoding"))
}

/// Returns the error for a body that did not arrive in time.
pub(super) fn late(_: Elapsed) -> ApiError {
    ApiError::new(ErrorCode::Timeout, "the body did not arrive in time")
}

/// Returns the error for a body that broke off or is malformed.
pub(super) fn broken(_: axum::Error) -> ApiError {
    ApiError::new(ErrorCode::InvalidJson, "the body broke off or is malformed")
}

fn is_json(content_type: &[u8]) -> bool {
    let essence = content_type.split(|byte| *byte == b';').next().unwrap_or_default();
    essence.trim_ascii().eq_ignore_ascii_case(b"application/json")
}
