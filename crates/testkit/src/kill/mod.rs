//! Crash tests: a process is killed with `kill -9` at every critical point and restarted, and its promises are checked.
//!
//! [`host`] is the process: a service on a data directory, with a model and tools that follow the user's message.
//! [`harness`] is its client and its judge. It starts turns, decides what they wait for, watches until the host dies,
//! and restarts it. Then it compares the events it saw, the stored data, the effects of the tools and the questions to
//! the model. Each seed yields one [`Plan`](harness::Plan).
//!
//! ```text
//! cargo xtask chaos --kills 1000            # each point in turn, a table at the end
//! cargo xtask chaos --kills 1000 --over http  # the same, with clients of the server
//! cargo xtask chaos --kills 240 --waits      # at points where turns wait for a person or a sub-agent
//! cargo xtask chaos --kills 1 --seed 42     # the plan of one seed again
//! ```

pub mod harness;
pub mod host;
mod host_tool;
mod over;
mod point;
pub mod protocol;
mod task;

pub use host_tool::HostTool;
pub use over::Over;
pub use point::{POINTS, Point, WAIT_POINTS};
pub use task::Task;
