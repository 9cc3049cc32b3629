//! The request to a process to end.

use tokio::process::Child;

/// Asks a process to end that has not ended. A failure means that it has just done so.
#[cfg(unix)]
pub(crate) fn ask(child: &mut Child) {
    // The id is that of the child until it has been waited for; then there is none.
    if let Some(id) = child.id() {
        signal(id);
    }
}

/// Sends `SIGTERM` to the process with this id, if there is one.
#[cfg(unix)]
pub(crate) fn signal(id: u32) {
    use rustix::process::{Pid, Signal, kill_process};

    if let Some(pid) = i32::try_from(id).ok().and_then(Pid::from_raw) {
        let _ = kill_process(pid, Signal::TERM);
    }
}

/// Ends a process. There is no milder way on this platform.
#[cfg(not(unix))]
pub(crate) fn ask(child: &mut Child) {
    let _ = child.start_kill();
}

/// Does nothing: on this platform, a process can be ended only by the one that started it.
#[cfg(not(unix))]
pub(crate) fn signal(_id: u32) {}
