//! The tools that an agent's turns are offered in addition to its list.

use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use tokio::time::timeout;
use turnkit_core::ports::{PinOwner, Tool, ToolSet, ToolSource};
use turnkit_core::{CallUid, Scope, ToolDefinition, ToolErrorKind};

use super::recent::RecentCatalogs;
use super::{Catalog, SourceTools};

/// The timeout of a turn's request to a source.
const PATIENCE: Duration = Duration::from_secs(2);

/// The sources of an agent's tools besides its list, and the selection of deferred tools. The definition of a deferred
/// tool is sent to a model after the model has found the tool with `tool_search`. By default there are no sources and
/// no tool is deferred.
pub struct ToolSources {
    sources: Vec<NamedSource>,
    allowed: Vec<String>,
    deferred: Vec<String>,
    catalogs: Mutex<RecentCatalogs>,
}

/// A source with its name, which all catalogs share.
#[derive(Clone)]
struct NamedSource {
    name: Arc<str>,
    source: Arc<dyn ToolSource>,
}

/// What a source returned: its tools, or the reason why there are none.
type Answer = Result<Arc<ToolSet>, String>;

/// The tools that the sources returned for a turn.
#[derive(Default)]
pub(crate) struct OfferedTools {
    pub(crate) sets: Vec<SourceTools>,
    /// The notices for the user about sources that returned nothing.
    pub(crate) missing: Vec<String>,
    /// Calls that are refused because the replayed turn refused them.
    pub(crate) refused: HashMap<CallUid, (ToolErrorKind, String)>,
}

impl OfferedTools {
    /// Returns stand-ins for the tools that a stored turn was offered.
    pub(crate) fn recorded(tools: ToolSet) -> Self {
        let (name, tools) = ("the recorded turn".into(), Arc::new(tools));
        let owner = PinOwner::Everyone;
        let set = SourceTools { name, is_deferred: false, is_recorded: true, owner, tools };
        Self { sets: vec![set], ..Self::default() }
    }
}

impl ToolSources {
    /// The name of the tool that finds deferred tools.
    pub const SEARCH: &str = "tool_search";
    /// The name of the tool that reads shortened results.
    pub const READ_RESULT: &str = "read_result";

    /// Adds a source. Tools of earlier sources hide its tools of the same name.
    #[must_use]
    pub fn with(mut self, source: impl ToolSource + 'static) -> Self {
        self.sources.push(NamedSource { name: source.name().into(), source: Arc::new(source) });
        self
    }

    /// Accepts only tools of sources whose names match one of these. A `*` at the end matches any rest. By default, all
    /// are accepted. Replayed turns keep the tools that they were offered.
    #[must_use]
    pub fn allowing(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.allowed = names.into_iter().collect();
        self
    }

    /// Defers tools of the agent's list and of sources whose names match one of these. Tools of a flow are never
    /// deferred.
    #[must_use]
    pub fn deferring(mut self, names: impl IntoIterator<Item = String>) -> Self {
        self.deferred.extend(names);
        self
    }

    /// Reports whether there are no sources.
    pub(crate) fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Returns the tools that sources have in memory, without asking them.
    pub(crate) fn known(&self, scope: &Scope) -> Vec<SourceTools> {
        let known = |NamedSource { name, source }: &NamedSource| {
            let tools = catch_unwind(AssertUnwindSafe(|| source.known_tools(Some(scope)))).ok().flatten()?;
            let (name, is_deferred, owner) = (Arc::clone(name), source.defers(), source.pin_owner(scope));
            Some(SourceTools { name, is_deferred, is_recorded: false, owner, tools })
        };
        self.sources.iter().filter_map(known).collect()
    }

    /// Asks all sources. Those that do not know their tools are waited for concurrently. A source that fails, panics or
    /// times out contributes no tools.
    pub(crate) async fn ask(&self, scope: Option<&Scope>) -> OfferedTools {
        let answers = self.answers(scope).await;
        let mut offered = OfferedTools { sets: Vec::with_capacity(self.sources.len()), ..OfferedTools::default() };
        for (NamedSource { name, source }, answer) in self.sources.iter().zip(answers) {
            match answer {
                Ok(tools) => {
                    let (name, is_deferred) = (Arc::clone(name), source.defers());
                    let owner = scope.map_or(PinOwner::Everyone, |scope| source.pin_owner(scope));
                    offered.sets.push(SourceTools { name, is_deferred, is_recorded: false, owner, tools });
                }
                Err(why) => {
                    tracing::warn!(source = %name, reason = why, "a tool source returned no tools");
                    offered.missing.push(format!("the tools of {name} are missing: {why}"));
                }
            }
        }
        offered
    }

    /// Returns the answer of each source. Most turns find all tools known, and wait for none.
    async fn answers(&self, scope: Option<&Scope>) -> Vec<Answer> {
        let known = self.sources.iter().map(|named| known_tools(named.source.as_ref(), scope).map(Ok));
        let mut answers: Vec<Option<Answer>> = known.collect();
        let missing = answers.iter_mut().zip(&self.sources).filter(|(answer, _)| answer.is_none());
        join_all(missing.map(async |(answer, named)| *answer = Some(ask(named.source.as_ref(), scope).await))).await;
        answers.into_iter().flatten().collect()
    }

    /// Returns the catalog of these tools. Turns that are offered the same tools share one catalog.
    pub(crate) fn catalog(
        &self,
        own: Vec<ToolDefinition>,
        listed: &[Arc<dyn Tool>],
        sets: &[SourceTools],
    ) -> Arc<Catalog> {
        let lock = || self.catalogs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().find(|catalog| catalog.is_of(&own, listed, sets)) {
            return known;
        }
        for set in sets.iter().filter(|set| set.tools.left_out() > 0) {
            let left_out = set.tools.left_out();
            tracing::warn!(source = %set.name, left_out, "tools were left out because of their names");
        }
        let catalog = Arc::new(Catalog::new(own, listed, sets, &self.allowed, &self.deferred));
        let evicted = lock().add(Arc::clone(&catalog));
        // After the lock is free, because it may close connections.
        drop(evicted);
        catalog
    }
}

/// Returns the tools that a source has in memory. One that panics is asked for them instead.
fn known_tools(source: &dyn ToolSource, scope: Option<&Scope>) -> Option<Arc<ToolSet>> {
    catch_unwind(AssertUnwindSafe(|| source.known_tools(scope))).ok().flatten()
}

async fn ask(source: &dyn ToolSource, scope: Option<&Scope>) -> Answer {
    let asked = AssertUnwindSafe(async { source.tools(scope).await }).catch_unwind();
    match timeout(PATIENCE, asked).await {
        Ok(Ok(Ok(tools))) => Ok(tools),
        Ok(Ok(Err(error))) => Err(error.to_string()),
        Ok(Err(_)) => Err("the source crashed".to_owned()),
        Err(_) => Err(format!("the source did not answer within {} seconds", PATIENCE.as_secs())),
    }
}

impl Default for ToolSources {
    fn default() -> Self {
        let allowed = vec!["*".to_owned()];
        Self { sources: Vec::new(), allowed, deferred: Vec::new(), catalogs: Mutex::default() }
    }
}

/// Clones the sources and names. The clone starts without catalogs.
impl Clone for ToolSources {
    fn clone(&self) -> Self {
        let Self { sources, allowed, deferred, .. } = self;
        let (sources, allowed, deferred) = (sources.clone(), allowed.clone(), deferred.clone());
        Self { sources, allowed, deferred, catalogs: Mutex::default() }
    }
}

impl fmt::Debug for ToolSources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.sources.iter().map(|named| &*named.name).collect();
        f.debug_struct("ToolSources").field("sources", &names).field("deferred", &self.deferred).finish_non_exhaustive()
    }
}
