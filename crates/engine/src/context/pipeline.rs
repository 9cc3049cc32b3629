//! Asks the context providers of an agent for its instructions.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Duration;

use futures_util::{FutureExt as _, StreamExt as _, stream};
use tokio::time::{Instant, timeout_at};
use turnkit_core::ports::{BoxFuture, Category, ContextItem, ContextProvider, ContextRequest};
use turnkit_core::{Scope, SessionId, Str};

use super::InstructionCache;
use super::item::{CutReason, PlacedItem, ProvidedItem, drop_optional, place};
use super::render::render;

/// The code of a provider's failure: of a notice or, if the provider is closed, of the turn's error.
pub(crate) const CONTEXT_FAILED: &str = "context_failed";
/// The timeout of a single provider.
const PROVIDER_TIMEOUT: Duration = Duration::from_secs(2);
/// The combined timeout of all providers of a turn.
const TOTAL_TIMEOUT: Duration = Duration::from_secs(5);
/// The number of providers that run concurrently.
const MAX_CONCURRENT: usize = 4;
/// The default budget of a category in tokens. Constraints, the agent's prompt and tools have none.
const DEFAULT_BUDGET: u32 = 8_000;

/// The context providers of an agent, and the token budgets of the categories.
///
/// ```
/// use std::sync::Arc;
/// use turnkit_core::ports::Category;
/// use turnkit_engine::{AgentSettings, ContextPipeline};
///
/// let context = ContextPipeline::default().with_budget(Category::Memory, 2_000);
/// let settings = AgentSettings { context_pipeline: Some(Arc::new(context)), ..AgentSettings::default() };
/// ```
#[derive(Clone)]
pub struct ContextPipeline {
    /// In order of priority.
    providers: Vec<Arc<dyn ContextProvider>>,
    budgets: BTreeMap<Category, u32>,
}

/// A pipeline, with the facts of the turn that it needs.
pub(crate) struct Assembly<'a> {
    pub(crate) pipeline: Cow<'a, ContextPipeline>,
    /// The mode of the turn.
    pub(crate) mode: Option<Box<str>>,
    /// The name of the agent that answers. Absent: the agent of the session.
    pub(crate) agent: Option<&'a str>,
    /// The owner of the session. Absent if the host stores the session itself.
    pub(crate) scope: Option<&'a Scope>,
    /// Caches the instructions for the session's next turn. Absent if the turn belongs to no session.
    pub(crate) cache: Option<&'a InstructionCache>,
}

/// The answers of all providers.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Assembled {
    /// In the order of the instructions.
    pub(crate) items: Vec<PlacedItem>,
    /// In the order of the providers.
    pub(crate) failures: Vec<Failure>,
    /// The sources for which a provider returned no text, each with the reason.
    pub(crate) left_out: Vec<(Str, Str)>,
}

/// A provider that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) provider: Str,
    pub(crate) why: String,
    /// Whether the failure ends the turn.
    pub(crate) closed: bool,
}

impl Default for ContextPipeline {
    fn default() -> Self {
        use Category::{Bootstrap, Knowledge, Memory, Skills, Status};
        let budgets = [Bootstrap, Memory, Knowledge, Skills, Status].map(|category| (category, DEFAULT_BUDGET));
        Self { providers: Vec::new(), budgets: budgets.into() }
    }
}

impl fmt::Debug for ContextPipeline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let providers: Vec<&str> = self.providers.iter().map(|provider| provider.name()).collect();
        f.debug_struct("ContextPipeline").field("providers", &providers).field("budgets", &self.budgets).finish()
    }
}

impl ContextPipeline {
    /// Adds a provider, after those of the same priority.
    #[must_use]
    pub fn with(mut self, provider: impl ContextProvider + 'static) -> Self {
        let priority = provider.priority();
        let place = self.providers.partition_point(|known| known.priority() <= priority);
        self.providers.insert(place, Arc::new(provider));
        self
    }

    /// Sets the combined token budget of the items of a category. The default is 8,000 tokens; constraints, the prompt
    /// of the agent and tools have no limit.
    #[must_use]
    pub fn with_budget(mut self, category: Category, tokens: u32) -> Self {
        self.budgets.insert(category, tokens);
        self
    }

    /// Reports whether the pipeline has no providers.
    pub fn is_empty(&self) -> bool {
        self.providers.is_empty()
    }

    /// Asks every provider. The agent's `own` instructions become the first item of their category.
    pub(crate) async fn assemble(&self, request: &ContextRequest<'_>, own: Option<&str>) -> Assembled {
        let until = Instant::now() + TOTAL_TIMEOUT;
        let asked: Vec<BoxFuture<'_, _>> =
            self.providers.iter().map(|provider| ask(provider.as_ref(), request, until).boxed()).collect();
        let mut answers = stream::iter(asked).buffered(MAX_CONCURRENT);
        let mut items: Vec<ProvidedItem> = Vec::new();
        let own = own.map(|own| ContextItem::new(Category::System, "agent", own));
        items.extend(own.map(|item| ProvidedItem { item, is_required: false }));
        let mut failures = Vec::new();
        while let Some(answer) = answers.next().await {
            match answer {
                Ok(mut provided) => {
                    provided.sort_by_key(|provided| provided.item.priority);
                    items.append(&mut provided);
                }
                Err(failure) => failures.push(failure),
            }
        }
        let given = items.iter().map(|provided| &provided.item);
        let left_out = given.filter_map(|item| Some((item.source.clone(), item.left_out.clone()?))).collect();
        Assembled { items: place(items, &self.budgets), failures, left_out }
    }

    /// Returns the key of the sources of the instructions. Returns `None` if a provider must be asked in every turn.
    fn key(&self, request: &ContextRequest<'_>, own: Option<&str>) -> Option<u64> {
        let mut key = DefaultHasher::new();
        (request.agent, own).hash(&mut key);
        for provider in &self.providers {
            // A provider that panics here is asked, and reported if it panics again.
            catch_unwind(AssertUnwindSafe(|| provider.stamp(request))).ok()??.hash(&mut key);
        }
        Some(key.finish())
    }
}

impl Assembly<'_> {
    /// Returns the key under which the instructions may be cached.
    pub(crate) fn key(&self, request: &ContextRequest<'_>, own: Option<&str>) -> Option<u64> {
        self.cache?;
        self.pipeline.key(request, own)
    }

    /// Returns the instructions of the session's last turn, if their key matches.
    pub(crate) fn kept(&self, session: SessionId, key: Option<u64>) -> Option<Arc<str>> {
        self.cache?.get(session, key?)
    }

    /// Caches the instructions for the session's next turn, if every provider answered.
    pub(crate) fn keep(&self, session: SessionId, key: Option<u64>, assembled: &Assembled, made: &Arc<str>) {
        if let (Some(cache), Some(key), []) = (self.cache, key, assembled.failures.as_slice()) {
            cache.put(session, key, Arc::clone(made));
        }
    }
}

impl Assembled {
    /// Returns the instructions as one text, or `None` if they are empty.
    pub(crate) fn instructions(&self) -> Option<Arc<str>> {
        Some(render(&self.items)).filter(|text| !text.is_empty()).map(Into::into)
    }

    /// Removes items of optional categories, the last first, until the instructions are `needed` tokens smaller.
    /// Returns `true` if it removed any.
    pub(crate) fn drop_optional(&mut self, needed: u64) -> bool {
        drop_optional(&mut self.items, needed)
    }

    /// Returns the failure that ends the turn, if there is one.
    pub(crate) fn closed(&self) -> Option<&Failure> {
        self.failures.iter().find(|failure| failure.closed)
    }

    /// Returns the codes and texts of the notices for the user.
    pub(crate) fn notices(&self) -> impl Iterator<Item = (&'static str, String)> {
        let failed = self.failures.iter().map(|failure| (CONTEXT_FAILED, without(&failure.provider, &failure.why)));
        let left_out = self.left_out.iter().map(|(source, why)| (CONTEXT_FAILED, without(source, why)));
        let cut = self.items.iter().filter_map(|item| {
            let (cut, source, left) = (item.cut?, &item.source, item.tokens);
            let whole = cut.from;
            Some(match cut.why {
                CutReason::Cap => format!("{source} was cut from {whole} to {left} tokens, the most it may have"),
                CutReason::Budget => {
                    let category = item.category.name();
                    format!("{source} with its {whole} tokens was left out: the budget of {category} is used up")
                }
                CutReason::Room => {
                    format!(
                        "{source} with its {whole} tokens was left out: the request would be too large for the model"
                    )
                }
            })
        });
        failed.chain(left_out).chain(cut.map(|text| ("context_cut", text)))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the context provider {} failed: {}", self.provider, self.why)
    }
}

fn without(source: &str, why: &str) -> String {
    format!("{source} is missing from the instructions: {why}")
}

/// Asks one provider, with a timeout.
async fn ask(
    provider: &dyn ContextProvider,
    request: &ContextRequest<'_>,
    until: Instant,
) -> Result<Vec<ProvidedItem>, Failure> {
    let name = Str::from(provider.name());
    let failed = |why| {
        tracing::warn!(provider = %name, reason = why, "context provider failed");
        Failure { provider: name.clone(), why, closed: provider.closed() }
    };
    let deadline = until.min(Instant::now() + PROVIDER_TIMEOUT);
    // The call itself may panic before it returns a future.
    let answer = AssertUnwindSafe(async { provider.provide(request).await }).catch_unwind();
    match timeout_at(deadline, answer).await {
        Ok(Ok(Ok(items))) => {
            let is_required = provider.closed();
            Ok(items.into_iter().map(|item| ProvidedItem { item, is_required }).collect())
        }
        Ok(Ok(Err(error))) => Err(failed(error.0)),
        Ok(Err(_)) => Err(failed("it crashed".to_owned())),
        Err(_) => Err(failed("it took too long".to_owned())),
    }
}
