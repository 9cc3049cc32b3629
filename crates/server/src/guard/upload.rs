//! Reads the body of an upload in pieces, with a limit on its size and on the time between pieces.

use axum::body::{Body, BodyDataStream, HttpBody};
use axum::http::HeaderMap;
use futures_util::{StreamExt as _, stream};
use turnkit_core::StoreError;
use turnkit_core::ports::BlobContent;

use super::body::{broken, check_encoding, late};
use crate::error::{ApiError, ErrorCode};
use crate::grace::timeout;
use crate::settings::Settings;

/// An upload in progress.
pub(crate) struct Upload<'a> {
    settings: &'a Settings,
    pieces: BodyDataStream,
    /// The largest accepted size, in bytes.
    limit: usize,
    bytes: usize,
    refusal: Option<ApiError>,
}

impl<'a> Upload<'a> {
    /// Starts to read `body`.
    ///
    /// # Errors
    /// The body is encoded, or its announced length exceeds the limit.
    pub(crate) fn begin(settings: &'a Settings, headers: &HeaderMap, body: Body) -> Result<Self, ApiError> {
        let announced = body.size_hint().lower();
        let upload = Self::of_any_length(settings, headers, body)?;
        if announced > settings.upload_bytes as u64 {
            return Err(too_large(settings));
        }
        Ok(Self { limit: settings.upload_bytes, ..upload })
    }

    /// Starts to read a `body` whose size is limited by its reader.
    ///
    /// # Errors
    /// The body is encoded.
    pub(crate) fn of_any_length(settings: &'a Settings, headers: &HeaderMap, body: Body) -> Result<Self, ApiError> {
        check_encoding(headers)?;
        Ok(Self { settings, pieces: body.into_data_stream(), limit: usize::MAX, bytes: 0, refusal: None })
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
        let piece = timeout(self.settings.body_time, self.pieces.next()).await.map_err(late)?;
        let piece = piece.transpose().map_err(broken)?;
        self.bytes = self.bytes.saturating_add(piece.as_ref().map_or(0, bytes::Bytes::len));
        if self.bytes > self.limit { Err(too_large(self.settings)) } else { Ok(piece) }
    }
}

fn too_large(settings: &Settings) -> ApiError {
    ApiError::new(ErrorCode::BodyTooLarge, format!("the file is larger than {} bytes", settings.upload_bytes))
}
