//! The providers of a process and their status.

use super::BoxFuture;
use crate::{ModelName, ProviderError, ProviderErrorKind, Str, Timestamp};

/// The status of a provider, for operators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderStatus {
    /// The id of the provider.
    pub id: Str,
    /// The models of the provider, the default first.
    pub models: Vec<ModelName>,
    /// The tags that routes may require.
    pub tags: Vec<Str>,
    /// Why the provider is frozen, if it is.
    pub frozen: Option<Freeze>,
    /// The models that the provider was found not to have, by name.
    pub missing: Vec<MissingModel>,
    /// The number of answers in progress.
    pub running: usize,
    /// The number of calls waiting for the provider.
    pub waiting: usize,
    /// The maximum number of concurrent answers; absent: unlimited.
    pub max_concurrency: Option<usize>,
    /// The number of calls made to the provider since the process started.
    pub calls: u64,
    /// The number of these calls that failed.
    pub failures: u64,
}

/// A model that its provider was found not to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingModel {
    /// The name under which the model was requested.
    pub model: ModelName,
    /// When the model is tried again. Thawing the provider clears this earlier.
    pub until: Timestamp,
}

/// The freeze of a provider, which gets no calls meanwhile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Freeze {
    /// The kind of the failure.
    pub kind: ProviderErrorKind,
    /// The failure message, for people.
    pub message: String,
    /// When the provider was frozen.
    pub since: Timestamp,
    /// When a single trial call is made; absent: not before the provider is thawed.
    pub until: Option<Timestamp>,
    /// The number of consecutive freezes.
    pub failures: u32,
}

/// A model of a provider, with its capabilities. Unknown capabilities count as present, as they do for requests.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelStatus {
    /// The name of the model, as sent to the provider.
    pub name: ModelName,
    /// The id of the provider.
    pub provider: Str,
    /// Whether the model calls tools.
    pub tools: bool,
    /// Whether the model accepts images.
    pub images: bool,
    /// Whether the model reasons before it answers.
    pub reasoning: bool,
    /// The largest size of a request and its answer together, in tokens; absent: unknown.
    pub window: Option<u32>,
}

impl ModelStatus {
    /// Returns the status of a model of which only the name is known.
    pub fn unknown(provider: Str, name: ModelName) -> Self {
        Self { name, provider, tools: true, images: true, reasoning: true, window: None }
    }
}

/// Lists and thaws the providers of a process.
pub trait ProviderDirectory: Send + Sync {
    /// Returns the status of all providers, in the order of their configuration.
    fn providers(&self) -> Vec<ProviderStatus>;

    /// Returns the models of all providers, in the same order, the default of each provider first. By default, nothing
    /// but their names is known.
    fn models(&self) -> Vec<ModelStatus> {
        let unknown = |status: ProviderStatus| {
            let ProviderStatus { id, models, .. } = status;
            models.into_iter().map(move |name| ModelStatus::unknown(id.clone(), name))
        };
        self.providers().into_iter().flat_map(unknown).collect()
    }

    /// Clears what was learned about a provider: the models that it was found not to have, and the capabilities that
    /// its other models were found to lack. Then sends it a short test request; if the provider answers, its freeze
    /// ends as well. Returns `None` if there is no such provider.
    ///
    /// # Errors
    /// The error of the test request. A provider that only lacks the model for the test request is thawed nevertheless.
    fn thaw<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Option<Result<(), ProviderError>>>;
}
