//! The request to a process to end.

use tokio::process::Child;

/// Sends `SIGTERM` to a process that has not ended. A failure means that it has just done so.
#[cfg(unix)]
pub(crate) fn ask(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process};

    // The id is that of the child until it has been waited for; then there is none.
    let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    if let Some(pid) = pid {
        let _ = kill_process(pid, Signal::TERM);
    }
}

/// Ends a process. There is no milder way on this platform.
#[cfg(not(unix))]
pub(crate) fn ask(child: &mut Child) {
    let _ = child.start_kill();
}
