//! An opened database.

use std::sync::Arc;
use std::time::Duration;

use turnkit_core::SessionName;
use turnkit_engine::TurnService;

use super::installation::Installation;
use super::session::DurableSession;
use crate::Error;

/// Agents whose sessions and turns are kept in a database.
///
/// A turn is stored before its model is asked, and continues at the next start if the process dies. Calls of tools that change
/// something are not run twice. A clone is another handle to the same database.
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
    /// Returns the session of this name, which begins with its first message.
    ///
    /// # Errors
    /// [`Error::SessionName`] if the name is empty, longer than 128 bytes, or holds a control character.
    pub fn session(&self, name: &str) -> Result<DurableSession, Error> {
        let name: SessionName = name.parse()?;
        Ok(DurableSession::new(Arc::clone(&self.0), name))
    }

    /// Returns the service that runs the turns, for what sessions do not cover, such as other owners, queues and exports.
    pub fn service(&self) -> &TurnService {
        &self.0.service
    }

    /// Refuses new turns and lets those that run finish for at most `patience`. The rest continue at the next start, and their
    /// streams end with [`Error::Closed`]. A turn that waits for a decision does not run, so it is not waited for. The database
    /// can be opened again once the last handle is dropped. Returns whether all running turns finished.
    ///
    /// A process that ends without this loses no turn either.
    pub async fn close(self, patience: Duration) -> bool {
        self.0.service.drain(patience).await
    }
}
