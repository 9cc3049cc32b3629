//! Reads the body of an upload in pieces, with a limit on its size and on the time between pieces, until its client
//! loses access.

use axum::body::{Body, BodyDataStream, HttpBody};
use axum::http::HeaderMap;
use futures_util::{StreamExt as _, stream};
use tokio_util::sync::CancellationToken;
use turnkit_core::StoreError;
use turnkit_core::ports::BlobContent;
use turnkit_net::timeout;

use super::body::{broken, check_encoding, late};
use crate::app::Shared;
use crate::auth::Principal;
use crate::error::{ApiError, ErrorCode};
use crate::settings::Settings;

/// An upload in progress.
pub(crate) struct Upload<'a> {
    settings: &'a Settings,
    principal: &'a Principal,
    /// Cancelled when the server stops.
    stopping: &'a CancellationToken,
    pieces: BodyDataStream,
    /// The largest accepted size, in bytes.
    limit: usize,
    bytes: usize,
    refusal: Option<ApiError>,
}

impl<'a> Upload<'a> {
    /// Starts to read `body`, which `principal` sends.
    ///
    /// # Errors
    /// The body is encoded, or its announced length exceeds the limit.
    pub(crate) fn begin(
        app: &'a Shared,
        principal: &'a Principal,
        headers: &HeaderMap,
        body: Body,
    ) -> Result<Self, ApiError> {
        let (settings, announced) = (&app.settings, body.size_hint().lower());
        let upload = Self::of_any_length(app, principal, headers, body)?;
        if announced > settings.upload_bytes as u64 {
            return Err(too_large(settings));
        }
        Ok(Self { limit: settings.upload_bytes, ..upload })
    }

    /// Starts to read a `body` whose size is limited by its reader.
    ///
    /// # Errors
    /// The body is encoded.
    pub(crate) fn of_any_length(
        app: &'a Shared,
        principal: &'a Principal,
        headers: &HeaderMap,
        body: Body,
    ) -> Result<Self, ApiError> {
        check_encoding(headers)?;
        let (settings, stopping, pieces) = (&app.settings, &app.stopping, body.into_data_stream());
        Ok(Self { settings, principal, stopping, pieces, limit: usize::MAX, bytes: 0, refusal: None })
    }

    /// Returns the content. The stream ends with an error if the upload is rejected.
    pub(crate) fn content(&mut self) -> BlobContent<'_> {
        stream::try_unfold(self, |upload| async move {
            match upload.next().await {
                Ok(piece) => Ok(piece.map(|piece| (piece, upload))),
                Err(refusal) => {
                    upload.refusal = Some(refusal);
                    Err(StoreError::Unavailable("the upload ended".to_owned()))
                }
            }
        })
        .boxed()
    }

    /// Returns the error if the upload was rejected.
    pub(crate) fn refusal(self) -> Option<ApiError> {
        self.refusal
    }

    async fn next(&mut self) -> Result<Option<bytes::Bytes>, ApiError> {
        let piece = tokio::select! {
            biased;
            () = self.principal.access_loss(self.stopping) => return Err(access_lost()),
            piece = timeout(self.settings.body_time, self.pieces.next()) => piece.map_err(late)?,
        };
        let piece = piece.transpose().map_err(broken)?;
        self.bytes = self.bytes.saturating_add(piece.as_ref().map_or(0, bytes::Bytes::len));
        if self.bytes > self.limit { Err(too_large(self.settings)) } else { Ok(piece) }
    }
}

fn access_lost() -> ApiError {
    let message = "the key was revoked, or the token has expired, before the body had arrived";
    ApiError::new(ErrorCode::Unauthenticated, message)
}

fn too_large(settings: &Settings) -> ApiError {
    ApiError::new(ErrorCode::BodyTooLarge, format!("the file is larger than {} bytes", settings.upload_bytes))
}
