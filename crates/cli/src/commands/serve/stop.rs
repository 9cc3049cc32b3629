//! SIGTERM and Ctrl-C. The listener exists from the start, so a signal that arrives while no task waits for it is not
//! lost.

use crate::failure::Failure;

/// The listener for the signals that stop a server.
pub(in crate::commands) struct StopSignals {
    #[cfg(unix)]
    terminate: tokio::signal::unix::Signal,
    #[cfg(unix)]
    interrupt: tokio::signal::unix::Signal,
    #[cfg(windows)]
    interrupt: tokio::signal::windows::CtrlC,
}

impl StopSignals {
    /// Starts listening.
    pub(in crate::commands) fn listen() -> Result<Self, Failure> {
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

    /// Waits for the next signal.
    #[cfg(unix)]
    pub(in crate::commands) async fn next(&mut self) {
        tokio::select! {
            Some(()) = self.terminate.recv() => {}
            Some(()) = self.interrupt.recv() => {}
            else => std::future::pending().await,
        }
    }

    /// Waits for the next signal.
    #[cfg(windows)]
    pub(in crate::commands) async fn next(&mut self) {
        if self.interrupt.recv().await.is_none() {
            std::future::pending().await
        }
    }
}
