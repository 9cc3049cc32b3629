//! SIGTERM and Ctrl-C, listened to from the start: one that comes while nobody waits is not lost.

use crate::failure::Failure;

/// What tells a server to stop.
pub(super) struct StopSignals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(windows)]
    interrupt: tokio::signal::windows::CtrlC,
}

impl StopSignals {
    /// Listens from now on.
    pub(super) fn listen() -> Result<Self, Failure> {
        Self::new().map_err(|error| Failure::Failed(format!("cannot listen for signals: {error}")))
    }

    #[cfg(unix)]
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    #[cfg(windows)]
    fn new() -> std::io::Result<Self> {
        Ok(Self { interrupt: tokio::signal::windows::ctrl_c()? })
    }

    /// Waits for the next one.
    #[cfg(unix)]
    pub(super) async fn next(&mut self) {
        tokio::select! {
            Some(()) = self.terminate.recv() => {}
            Some(()) = self.interrupt.recv() => {}
            else => std::future::pending().await,
        }
    }

    /// Waits for the next one.
    #[cfg(windows)]
    pub(super) async fn next(&mut self) {
        if self.interrupt.recv().await.is_none() {
            std::future::pending().await
        }
    }
}
