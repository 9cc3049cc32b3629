//! Why the settings of a tool cannot be used.

/// A setting of a tool that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{key}`: {why}")]
pub struct InvalidTemplate {
    /// The setting, such as `run.2`: a name, and the place in its list from 0.
    pub key: String,
    /// What is wrong with it, and the way out.
    pub why: String,
}

impl InvalidTemplate {
    pub(crate) fn new(key: impl Into<String>, why: impl Into<String>) -> Self {
        Self { key: key.into(), why: why.into() }
    }
}
