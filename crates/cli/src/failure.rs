//! How a command fails: one line for a person, an exit code for a program.

use std::fmt;
use std::process::ExitCode;

use turnkit_core::{AcceptError, StoreError};

use crate::config::ConfigError;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It was tried and did not work. Exit code 1.
    Failed(String),
    /// It was asked for wrongly. Exit code 2.
    Usage(String),
    /// The data cannot be opened, or another process has it. Exit code 3.
    Data(String),
}

impl Failure {
    pub(crate) fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Failed(_) => 1,
            Self::Usage(_) => 2,
            Self::Data(_) => 3,
        })
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(message) | Self::Usage(message) | Self::Data(message) => f.write_str(message),
        }
    }
}

impl From<ConfigError> for Failure {
    fn from(error: ConfigError) -> Self {
        Self::Usage(error.to_string())
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<AcceptError> for Failure {
    fn from(error: AcceptError) -> Self {
        match error {
            AcceptError::Invalid { .. } => Self::Usage(error.to_string()),
            _ => Self::Failed(error.to_string()),
        }
    }
}
