//! Failures of commands: one line for people, and an exit code for programs.

use std::fmt;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

use turnkit_core::{AcceptError, GrantId, StoreError, TurnId, WaitId};
use turnkit_engine::{FollowError, ResolveError};

use crate::config::ConfigError;
use crate::terminal::error;

/// The reason why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command was tried and did not work. Exit code 1.
    Failed(String),
    /// The command line or the configuration is wrong. Exit code 2.
    Usage(String),
    /// The data cannot be opened, or another process has locked it. Exit code 3.
    Data(String),
    /// The reader of the output closed it, as after `| head`. No message is printed. Exit code 0.
    OutputClosed,
}

impl Failure {
    /// Creates the failure of a write to standard output.
    pub(crate) fn of_output(error: &io::Error) -> Self {
        match error.kind() {
            ErrorKind::BrokenPipe => Self::OutputClosed,
            _ => Self::Failed(format!("cannot write: {error}")),
        }
    }

    /// Creates the failure of a turn id that does not exist.
    pub(crate) fn no_turn(turn: TurnId) -> Self {
        Self::Failed(format!("there is no turn {turn}; `turnkit turns ls` lists them"))
    }

    /// Creates the failure of an interaction id that does not exist.
    pub(crate) fn no_interaction(id: WaitId) -> Self {
        Self::Failed(format!("there is no interaction {id}; `turnkit interactions ls` lists them"))
    }

    /// Creates the failure of a grant id that does not exist.
    pub(crate) fn no_grant(id: GrantId) -> Self {
        Self::Failed(format!("there is no grant {id}; `turnkit permissions ls` lists them"))
    }

    /// Creates the failure of a session id or name that does not exist.
    pub(crate) fn no_session(wanted: &str) -> Self {
        Self::Failed(format!("there is no session {wanted}; `turnkit sessions ls` lists them"))
    }

    /// Prints the message and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        if !matches!(self, Self::OutputClosed) {
            error(&self.to_string());
        }
        self.exit_code()
    }

    fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::OutputClosed => 0,
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
            Self::OutputClosed => f.write_str("the output was closed"),
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

impl From<ResolveError> for Failure {
    fn from(error: ResolveError) -> Self {
        match error {
            ResolveError::Invalid(_) | ResolveError::Ungrantable(_) => Self::Usage(error.to_string()),
            ResolveError::Store(error) => error.into(),
        }
    }
}

impl From<FollowError> for Failure {
    fn from(error: FollowError) -> Self {
        match error {
            FollowError::Expired => Self::Failed(error.to_string()),
            FollowError::Store(error) => error.into(),
        }
    }
}

impl From<AcceptError> for Failure {
    fn from(error: AcceptError) -> Self {
        match error {
            AcceptError::Invalid { .. } | AcceptError::FileTooLarge { .. } | AcceptError::FileUnreadable { .. } => {
                Self::Usage(error.to_string())
            }
            _ => Self::Failed(error.to_string()),
        }
    }
}
