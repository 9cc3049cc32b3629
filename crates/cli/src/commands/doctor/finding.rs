//! The result of one check.

use std::fmt;

use serde::Serialize;

/// One line of the report.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    /// The name of the check.
    check: &'static str,
    pub(super) state: State,
    /// The result, as a sentence.
    message: String,
    /// The remedy.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "way_out")]
    remedy: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum State {
    /// It works.
    Ok,
    /// It works, but may not be intended.
    Warn,
    /// It does not work.
    Fail,
}

impl Finding {
    pub(super) fn ok(check: &'static str, message: impl Into<String>) -> Self {
        Self { check, state: State::Ok, message: message.into(), remedy: None }
    }

    pub(super) fn warn(check: &'static str, message: impl Into<String>) -> Self {
        Self { state: State::Warn, ..Self::ok(check, message) }
    }

    pub(super) fn fail(check: &'static str, message: impl Into<String>) -> Self {
        Self { state: State::Fail, ..Self::ok(check, message) }
    }

    /// Adds a remedy to the finding.
    pub(super) fn with_remedy(self, remedy: impl Into<String>) -> Self {
        Self { remedy: Some(remedy.into()), ..self }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.state {
            State::Ok => "ok",
            State::Warn => "warn",
            State::Fail => "fail",
        };
        write!(f, "{state:<4}  {:<13}  {}", self.check, self.message)?;
        self.remedy.as_ref().map_or(Ok(()), |remedy| write!(f, "; {remedy}"))
    }
}
