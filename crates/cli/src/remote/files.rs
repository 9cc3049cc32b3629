//! Files of a server.

use std::time::Duration;

use turnkit_server::FileBody;

use super::{Client, RemoteError, escaped};

/// How long a server may take to store a file, with the time to send it.
const PATIENCE: Duration = Duration::from_secs(600);

impl Client {
    /// Stores a file.
    pub(crate) async fn upload(&self, name: &str, content: Vec<u8>) -> Result<FileBody, RemoteError> {
        let target = self.target(&format!("/api/v1/files?name={}", escaped(name)))?;
        let target =
            target.header("content-type", "application/octet-stream").map_err(|error| self.unreachable(error))?;
        self.answered(self.within(PATIENCE, self.http.post(&target, content.into())).await?).await
    }
}
