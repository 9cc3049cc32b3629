//! Extractors for the path and the query of a request.

use std::str::FromStr;

use axum::extract::{FromRequestParts, Path};
use axum::http::Uri;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use utoipa::IntoParams;
use utoipa::openapi::path::Parameter;

use crate::error::{ApiError, ErrorCode};
use crate::json::repeatable;

/// The id in the path. A text that is not an id is rejected like an unknown id.
#[derive(Debug)]
pub(crate) struct Id<T>(pub(crate) T);

impl<T: FromStr, S: Send + Sync> FromRequestParts<S> for Id<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let text = Path::<String>::from_request_parts(parts, state).await.map_err(|_| ApiError::not_found())?;
        text.parse().map(Self).map_err(|_| ApiError::not_found())
    }
}

/// The query parameters, as text, so that the handler can name the invalid one.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned + IntoParams> Query<T> {
    /// Reads the query parameters of a URI.
    pub(crate) fn of(uri: &Uri) -> Result<Self, ApiError> {
        match axum::extract::Query::try_from_uri(uri) {
            Ok(axum::extract::Query(parameters)) => Ok(Self(parameters)),
            Err(_) => Err(wrong_parameter(uri, &T::into_params(|| None))),
        }
    }
}

impl<T: DeserializeOwned + IntoParams, S: Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Self::of(&parts.uri)
    }
}

/// Returns an error that names the first parameter that is not documented, or else the first one that is given twice.
fn wrong_parameter(uri: &Uri, known: &[Parameter]) -> ApiError {
    let Ok(axum::extract::Query(given)) = axum::extract::Query::<Vec<(String, String)>>::try_from_uri(uri) else {
        return ApiError::new(ErrorCode::InvalidRequest, "the query string cannot be parsed");
    };
    let names: Vec<&str> = given.iter().map(|(name, _)| name.as_str()).collect();
    if let Some(unknown) = names.iter().find(|name| known.iter().all(|known| known.name != **name)) {
        return ApiError::field(repeatable(unknown).unwrap_or("(another parameter)"), "unknown parameter");
    }
    let twice = names.iter().enumerate().find(|(index, name)| names.iter().skip(index + 1).any(|other| other == *name));
    ApiError::field(twice.map_or("query", |(_, name)| name), "given twice")
}

/// Reports whether `?ext=` asks for extensions to the protocol.
pub(crate) fn extensions(text: Option<&str>) -> Result<bool, ApiError> {
    switch("ext", text)
}

/// Reads a parameter that must be 0 or 1. If it is absent, returns `false`.
pub(crate) fn switch(name: &'static str, text: Option<&str>) -> Result<bool, ApiError> {
    match text {
        None | Some("0") => Ok(false),
        Some("1") => Ok(true),
        Some(_) => Err(ApiError::field(name, "must be 0 or 1")),
    }
}
