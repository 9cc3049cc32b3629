//! A process is killed with `kill -9` wherever it can hurt, started again, and held to what was promised.
//!
//! [`host`] is the process: a data directory, a service on it, a model and tools that do what the user's message says.
//! [`harness`] is its client and its judge: it starts turns, decides what they wait for, watches until the host dies,
//! starts it again, and compares what it saw, what is stored, what the tools did and what the model was asked. One
//! [`Plan`](harness::Plan) follows from one seed.
//!
//! ```text
//! cargo xtask chaos --kills 1000            # each point in turn, a table at the end
//! cargo xtask chaos --kills 1000 --over http  # the same, with clients of the server
//! cargo xtask chaos --kills 240 --waits      # where turns wait for a person or a sub-agent
//! cargo xtask chaos --kills 1 --seed 42     # the plan of one seed again
//! ```

mod chore;
pub mod harness;
pub mod host;
mod over;
mod point;
pub mod protocol;
mod task;

pub use chore::Chore;
pub use over::Over;
pub use point::{POINTS, Point, WAIT_POINTS};
pub use task::Task;
