//! Catches panics, so that a request that panics receives a response and affects no other request.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;

use crate::error::{ApiError, ErrorCode};

/// Returns the response of `answer`, or status 500 if it panics.
pub(super) async fn catch(answer: impl Future<Output = Result<Response, ApiError>>) -> Response {
    match AssertUnwindSafe(answer).catch_unwind().await {
        Ok(answered) => answered.into_response(),
        Err(panic) => {
            tracing::error!(panic = ?text_of(&*panic), "a request panicked");
            let error = ApiError::new(ErrorCode::Unavailable, "the request could not be answered").permanent();
            error.with_status(StatusCode::INTERNAL_SERVER_ERROR).into_response()
        }
    }
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no text")
}
