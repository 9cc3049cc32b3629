//! An open database.

use std::sync::Arc;
use std::time::Duration;

use turnkit_core::SessionName;
use turnkit_engine::TurnService;

use super::installation::Installation;
use super::session::DurableSession;
use crate::Error;

/// Agents whose sessions and turns are stored in a database.
///
/// A turn is stored before its model is called, and continues at the next start if the process dies. A call that was
/// running then runs again only if the [flags](crate::ToolFlags) of its tool include `read_only` or `idempotent`, or if
/// a person decides so. A clone is another handle to the same database.
///
/// ```
/// use turnkit::{Agent, Turnkit};
///
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// # let folder = tempfile::tempdir()?;
/// # let url = format!("sqlite:{}", folder.path().join("app.db").display());
/// let turnkit = Turnkit::open(&url).agent("assistant", Agent::new("offline")).await?;
/// let diary = turnkit.session("user-1/diary")?;
/// diary.ask("Hello!").await?;
/// assert_eq!(diary.messages().await?.len(), 2);
/// turnkit.close(std::time::Duration::from_secs(5)).await;
/// # Ok::<_, Box<dyn std::error::Error>>(()) }).unwrap();
/// ```
#[derive(Clone)]
pub struct Turnkit(pub(crate) Arc<Installation>);

impl Turnkit {
    /// Returns the session of this name. Its first message creates it.
    ///
    /// # Errors
    /// [`Error::SessionName`] if the name is empty, longer than 128 bytes, or holds a control character.
    pub fn session(&self, name: &str) -> Result<DurableSession, Error> {
        let name: SessionName = name.parse()?;
        Ok(DurableSession::new(Arc::clone(&self.0), name))
    }

    /// Returns the service that runs the turns, for operations that sessions do not cover: other users, queues and
    /// exports.
    pub fn service(&self) -> &TurnService {
        &self.0.service
    }

    /// Rejects new turns and waits up to `patience` for running turns to finish. Returns `true` if all of them
    /// finished.
    ///
    /// Unfinished turns continue at the next start, and their streams end with [`Error::Closed`]. A turn that waits for
    /// a decision is not running, so this method does not wait for it. The database can be opened again once the last
    /// handle is dropped.
    ///
    /// A process that exits without calling this method does not lose turns either.
    pub async fn close(self, patience: Duration) -> bool {
        self.0.service.drain(patience).await
    }
}
