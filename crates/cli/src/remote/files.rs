//! Files on a server.

use turnkit_server::FileBody;

use super::{Client, RemoteError, UPLOAD_TIMEOUT, escaped};

impl Client {
    /// Stores a file.
    pub(crate) async fn upload(&self, name: &str, content: Vec<u8>) -> Result<FileBody, RemoteError> {
        let target = self.target(&format!("/api/v1/files?name={}", escaped(name)))?;
        let target =
            target.header("content-type", "application/octet-stream").map_err(|error| self.unreachable(error))?;
        self.answered(self.within(UPLOAD_TIMEOUT, self.http.post(&target, content.into())).await?).await
    }
}
