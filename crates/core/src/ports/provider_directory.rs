//! Who answers, and how each of them is doing.

use super::BoxFuture;
use crate::{ModelName, ProviderError, ProviderErrorKind, Str, Timestamp};

/// A provider, as its operator sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderStatus {
    /// What it is called.
    pub id: Str,
    /// The models it serves, its default first.
    pub models: Vec<ModelName>,
    /// What routes may require.
    pub tags: Vec<Str>,
    /// Why it is left alone, if it is.
    pub frozen: Option<Frozen>,
    /// Which of its models it was found not to have, by name.
    pub missing: Vec<MissingModel>,
    /// How many answers it is giving.
    pub running: usize,
    /// How many calls wait for it.
    pub waiting: usize,
    /// How many answers it may be giving at once; absent: as many as are asked for.
    pub max_concurrency: Option<usize>,
    /// How often it was asked since the process began.
    pub calls: u64,
    /// How many of these calls it failed.
    pub failures: u64,
}

/// A model that its provider was found not to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingModel {
    /// What it was asked for as.
    pub model: ModelName,
    /// Until when that is believed, unless somebody thaws the provider: then it is asked for it again.
    pub until: Timestamp,
}

/// Why a provider is left alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frozen {
    /// What it failed with.
    pub kind: ProviderErrorKind,
    /// The same, for people.
    pub message: String,
    /// Since when.
    pub since: Timestamp,
    /// When a single call will try it again; absent: once somebody has thawed it.
    pub until: Option<Timestamp>,
    /// How often in a row it was frozen.
    pub failures: u32,
}

/// Knows the providers of a process.
pub trait ProviderDirectory: Send + Sync {
    /// All of them, as they were configured.
    fn providers(&self) -> Vec<ProviderStatus>;

    /// Forgets which models a provider was found not to have and what the others were found to lack, and asks it for a
    /// word; if it answers, its freeze is over as well. `None` if there is no such provider.
    ///
    /// # Errors
    /// What it fails with. A provider that only lacks the model for a word is no longer frozen all the same.
    fn thaw<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Option<Result<(), ProviderError>>>;
}
