//! Errors in the settings of a tool.

/// An invalid setting of a tool.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{key}`: {reason}")]
pub struct InvalidTemplate {
    /// The setting, such as `run.2`: its name and, for a list, the index from 0.
    pub key: String,
    /// The problem, and how to fix it.
    pub reason: String,
}

impl InvalidTemplate {
    pub(crate) fn new(key: impl Into<String>, reason: impl Into<String>) -> Self {
        Self { key: key.into(), reason: reason.into() }
    }
}
