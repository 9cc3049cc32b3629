//! Export of sessions from a server, and import.

use futures_util::{Stream, StreamExt as _};
use turnkit_core::SessionId;
use turnkit_engine::ExportFormat;

use super::{Client, RemoteError, Session, UPLOAD_TIMEOUT};

impl Client {
    /// Returns a session as text, as it arrives.
    pub(crate) async fn export(
        &self,
        session: SessionId,
        format: ExportFormat,
    ) -> Result<impl Stream<Item = Result<Vec<u8>, RemoteError>> + Send + 'static, RemoteError> {
        let target = self.target(&format!("/api/v1/sessions/{session}/export?format={}", format.as_str()))?;
        let response = self.accepted(self.in_time(self.http.get(&target)).await?).await?;
        let client = self.clone();
        Ok(response.into_body().map(move |piece| match piece {
            Ok(piece) => Ok(piece.to_vec()),
            Err(error) => Err(client.unreachable(error)),
        }))
    }

    /// Creates a session from the lines of an export.
    pub(crate) async fn import(&self, lines: Vec<u8>) -> Result<Session, RemoteError> {
        let target = self.target("/api/v1/sessions/import")?;
        let target = target.header("content-type", "application/jsonl").map_err(|error| self.unreachable(error))?;
        self.answered(self.within(UPLOAD_TIMEOUT, self.http.post(&target, lines.into())).await?).await
    }
}
