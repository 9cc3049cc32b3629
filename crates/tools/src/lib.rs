//! Tools for agents.
//!
//! [`Calculator`] and [`Clock`] only compute. There are [tools for files](file_tools) in folders that the operator
//! configures, a tool that [reads web pages](FetchUrl), and a tool that [asks the user](AskUser). The operator can turn
//! [programs](CommandTool) and [HTTP requests](HttpTool) into tools, and let a model run [programs in a
//! sandbox](RunCommand). This crate does not decide whether a call may run.
//!
//! ```
//! use std::sync::Arc;
//! use turnkit_core::{Timestamp, ports};
//!
//! struct Noon;
//! impl ports::Clock for Noon {
//!     fn now(&self) -> Timestamp {
//!         Timestamp::from_millis(43_200_000)
//!     }
//! }
//!
//! let tools = turnkit_tools::built_in(Arc::new(Noon));
//! let names: Vec<_> = tools.iter().map(|tool| tool.definition().name.as_str()).collect();
//! assert_eq!(names, turnkit_tools::NAMES);
//! ```

mod arguments;
mod ask_user;
mod calculator;
mod clock;
mod command;
mod fetch;
mod files;
mod fingerprint;
mod http;
mod process;
mod run_command;
mod template;
mod text_body;
mod zone;

use std::sync::Arc;

use turnkit_core::ports;

pub use ask_user::AskUser;
pub use calculator::{CalculationError, Calculator, Problem, calculate};
pub use clock::Clock;
pub use command::{CommandLine, CommandTool};
pub use fetch::FetchUrl;
pub use files::{EditFile, FILE_TOOLS, ListFiles, ReadFile, SearchFiles, WriteFile, file_tools};
pub use http::{HttpAuth, HttpMethod, HttpRequest, HttpTool};
pub use run_command::RunCommand;
pub use template::{InvalidTemplate, Parameters};
pub use turnkit_process::LaunchSettings;
pub use zone::{UnknownZone, find_zone};

/// The names of the tools without any configuration.
pub const NAMES: &[&str] = &[Calculator::NAME, Clock::NAME];

/// Returns the tools that need nothing but a clock.
pub fn built_in(clock: Arc<dyn ports::Clock>) -> Vec<Arc<dyn ports::Tool>> {
    vec![Arc::new(Calculator::new()), Arc::new(Clock::new(clock))]
}
