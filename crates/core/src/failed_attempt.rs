//! Attempts at a model call that failed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Str;

/// An attempt at a model call that failed before its first output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FailedAttempt {
    /// The provider that was asked.
    #[schemars(with = "String")]
    pub provider: Str,
    /// The model that was asked; empty if the provider has no configured models and none was named.
    #[schemars(with = "String")]
    pub model: Str,
    /// The code of the failure, such as `provider_rate_limited`.
    #[schemars(with = "String")]
    pub code: Str,
    /// The duration of the attempt in milliseconds, without the wait for a slot.
    pub ms: u64,
}
