//! Ctrl-C. The listener exists from the start, so a signal that arrives while no task waits for it is not lost.

use std::io;

/// The listener for Ctrl-C.
pub(super) struct Interrupts {
    #[cfg(unix)]
    source: tokio::signal::unix::Signal,
    #[cfg(windows)]
    source: tokio::signal::windows::CtrlC,
}

impl Interrupts {
    /// Starts listening.
    #[cfg(unix)]
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self { source: tokio::signal::unix::signal(tokio::signal::unix::SignalKind::interrupt())? })
    }

    /// Starts listening.
    #[cfg(windows)]
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self { source: tokio::signal::windows::ctrl_c()? })
    }

    /// Waits for the next Ctrl-C.
    pub(super) async fn next(&mut self) {
        if self.source.recv().await.is_none() {
            std::future::pending::<()>().await;
        }
    }
}
