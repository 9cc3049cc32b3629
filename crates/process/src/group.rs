//! The process group of a program.

#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::process::Child;

/// The process group of a program: the program and the processes it started. Dropping it kills all that are still
/// running. It must be dropped before its [`Child`], so that the group still owns its id.
#[derive(Debug)]
pub struct ProcessGroup {
    #[cfg(unix)]
    id: Option<Pid>,
}

impl ProcessGroup {
    /// Returns the group that `child` leads.
    #[cfg(unix)]
    pub fn of(child: &Child) -> Self {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Self { id: id.and_then(Pid::from_raw) }
    }

    /// Returns an empty group: other systems have no process groups, so there only the program itself is killed.
    #[cfg(not(unix))]
    pub fn of(_: &Child) -> Self {
        Self {}
    }
}

#[cfg(unix)]
impl Drop for ProcessGroup {
    fn drop(&mut self) {
        if let Some(id) = self.id {
            // Fails if no process of the group is left.
            _ = kill_process_group(id, Signal::KILL);
        }
    }
}
