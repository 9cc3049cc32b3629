//! Starts programs for tools and servers: an exact command line without a shell, a cleared environment, and a process
//! group that is killed as a whole.
//!
//! ```no_run
//! use turnkit_process::{LaunchSettings, ProcessGroup};
//!
//! # async fn run() -> std::io::Result<()> {
//! let environment = [("PATH".to_owned(), "/usr/bin:/bin".to_owned())].into();
//! let launch = LaunchSettings { folder: "/srv/tickets".into(), environment, launcher: Vec::new() };
//! let mut child = launch.command(&["make".to_owned(), "test".to_owned()]).spawn()?;
//! let group = ProcessGroup::of(&child);
//! let status = child.wait().await?;
//! // The processes that `make` has left behind end here.
//! drop(group);
//! # Ok(())
//! # }
//! ```

mod group;
mod launch;

pub use group::ProcessGroup;
pub use launch::LaunchSettings;
