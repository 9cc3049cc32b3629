//! Exporting and importing sessions.

use std::sync::Arc;

use bytes::Bytes;
use turnkit_core::ports::{BlobContent, BoxStream};
use turnkit_core::{Scope, SessionId, SessionSummary, StoreError};

use super::TurnService;
use super::user_changes::UserChange;
use crate::transfer::{self, ExportFormat, Ids, ImportError};

impl TurnService {
    /// Exports a session as text, which is read while it is sent. The text ends with an error if the session is deleted
    /// in the meantime or storage fails.
    ///
    /// # Errors
    /// `NotFound`; otherwise storage failed.
    pub async fn export(
        &self,
        scope: &Scope,
        session: SessionId,
        format: ExportFormat,
    ) -> Result<BoxStream<'static, Result<Bytes, StoreError>>, StoreError> {
        let (store, scope) = (Arc::clone(&self.inner.parts.store), scope.clone());
        match format {
            ExportFormat::JsonLines => transfer::export(store, scope, session).await,
            ExportFormat::Markdown => transfer::markdown(store, scope, session).await,
            ExportFormat::Json => transfer::json(store, scope, session).await,
        }
    }

    /// Creates a session from one exported as JSON Lines. It has new ids and no name, and nothing in it runs. At most
    /// `limit` bytes of lines are accepted, which are held in memory, and as many bytes of each file, which is stored
    /// as it arrives.
    ///
    /// # Errors
    /// A line is invalid, something is too large, the content broke off, or storage failed. No session is created.
    pub async fn import(
        &self,
        scope: &Scope,
        content: BlobContent<'_>,
        limit: u64,
    ) -> Result<SessionSummary, ImportError> {
        let parts = &self.inner.parts;
        let ids = Ids { source: parts.ids.as_ref(), at: parts.clock.now() };
        let created = transfer::import(parts.store.as_ref(), ids, scope, content, limit).await?;
        self.inner.user_changes.report(scope, UserChange::Session(created.id));
        Ok(created)
    }
}
