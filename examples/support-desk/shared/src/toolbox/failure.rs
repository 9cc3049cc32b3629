//! Failures of tool calls.

/// The failure of a call, which the model reads as the result of the call.
#[derive(Debug, thiserror::Error)]
pub enum ToolFailure {
    /// The arguments do not fit the schema of the tool.
    #[error("the arguments are wrong: {0}")]
    Arguments(serde_json::Error),
    /// The call cannot be carried out. The sentence says why, and what to do instead.
    #[error("{0}")]
    Refused(String),
    /// A statement failed.
    #[error("the database failed: {0}")]
    Database(#[from] rusqlite::Error),
    /// The result has no JSON.
    #[error("the result cannot be written as JSON: {0}")]
    Result(serde_json::Error),
}

impl ToolFailure {
    /// Returns the failure of a call that names a missing thing, such as a ticket, with the tool that finds existing
    /// ones.
    pub fn missing(what: &str, id: i64, finder: &str) -> Self {
        Self::Refused(format!("there is no {what} {id}: find one with {finder}"))
    }
}
