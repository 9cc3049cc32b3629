//! Ctrl-C, listened to from the start: one that comes while nobody waits is not lost.

use std::io;

/// The interrupts of this process.
pub(super) struct Interrupts {
    #[cfg(unix)]
    source: tokio::signal::unix::Signal,
    #[cfg(windows)]
    source: tokio::signal::windows::CtrlC,
}

impl Interrupts {
    /// Listens from now on.
    #[cfg(unix)]
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self { source: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())? })
    }

    /// Listens from now on.
    #[cfg(windows)]
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self { source: tokio::signal::windows::ctrl_c()? })
    }

    /// Waits for the next one.
    pub(super) async fn next(&mut self) {
        if self.source.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
    }
}
