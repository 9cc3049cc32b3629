//! Ctrl-C and the signals that end a process.

use anyhow::Context;

/// The listener for the signals that end the desk. It exists from the start, so that no signal is lost.
pub(crate) struct StopSignals {
    #[cfg(unix)]
    signals: [tokio::signal::unix::Signal; 3],
}

impl StopSignals {
    /// Starts listening.
    #[cfg(unix)]
    pub(crate) fn listen() -> anyhow::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let listen = |kind| signal(kind).context("cannot listen for signals");
        let signals =
            [listen(SignalKind::interrupt())?, listen(SignalKind::terminate())?, listen(SignalKind::hangup())?];
        Ok(Self { signals })
    }

    /// Waits for the next signal.
    #[cfg(unix)]
    pub(crate) async fn next(&mut self) {
        let [interrupt, terminate, hangup] = &mut self.signals;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    }

    /// Starts listening.
    #[cfg(not(unix))]
    pub(crate) fn listen() -> anyhow::Result<Self> {
        Ok(Self {})
    }

    /// Waits for Ctrl-C.
    #[cfg(not(unix))]
    pub(crate) async fn next(&mut self) {
        if tokio::signal::ctrl_c().await.context("cannot listen for Ctrl-C").is_err() {
            std::future::pending().await
        }
    }
}
