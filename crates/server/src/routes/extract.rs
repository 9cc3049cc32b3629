//! What handlers take from the address of a request.

use std::str::FromStr;

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::{ApiError, Code};

/// The id in the path. A text that is no id is answered as an id that is not known.
#[derive(Debug)]
pub(crate) struct Id<T>(pub(crate) T);

impl<T: FromStr, S: Send + Sync> FromRequestParts<S> for Id<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let text = Path::<String>::from_request_parts(parts, state).await.map_err(|_| ApiError::not_found())?;
        text.parse().map(Self).map_err(|_| ApiError::not_found())
    }
}

/// The parameters after the `?`, as texts: whoever reads them can say which one is wrong.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        match axum::extract::Query::try_from_uri(&parts.uri) {
            Ok(axum::extract::Query(parameters)) => Ok(Self(parameters)),
            Err(_) => Err(ApiError::new(Code::InvalidRequest, "a parameter of the address is given twice")),
        }
    }
}

/// Whether `?ext=` asks for what a protocol itself does not have.
pub(crate) fn extensions(text: Option<&str>) -> Result<bool, ApiError> {
    match text {
        None | Some("0") => Ok(false),
        Some("1") => Ok(true),
        Some(_) => Err(ApiError::field("ext", "it is 1 or 0")),
    }
}
