//! A request that panics is answered, and nothing else notices.

use std::any::Any;
use std::panic::AssertUnwindSafe;

use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt;

use crate::error::{ApiError, Code};

/// Answers 500 where a handler panics.
pub(super) async fn catch(request: Request, next: Next) -> Response {
    match AssertUnwindSafe(next.run(request)).catch_unwind().await {
        Ok(response) => response,
        Err(panic) => {
            tracing::error!(panic = ?text_of(&*panic), "a request panicked");
            let error = ApiError::new(Code::Unavailable, "the request could not be answered").for_good();
            error.with_status(StatusCode::INTERNAL_SERVER_ERROR).into_response()
        }
    }
}

fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no text")
}
