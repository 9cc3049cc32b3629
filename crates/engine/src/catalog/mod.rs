//! The tools of an agent by name, and the initial ones whose definitions are always sent to a model.

mod activation;
mod changed;
mod index;
mod recent;
mod search;
mod sources;
#[cfg(test)]
mod tests;

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use turnkit_core::ToolDefinition;
use turnkit_core::ports::{PinOwner, Tool, ToolSet};

use index::SearchIndex;
pub(crate) use sources::OfferedTools;
pub use sources::ToolSources;

use crate::permission::matches_name;

/// The tool that finds deferred tools.
pub(crate) const SEARCH: &str = ToolSources::SEARCH;
/// The tool that reads shortened results.
pub(crate) const READ_RESULT: &str = ToolSources::READ_RESULT;

/// Reports whether this is the name of a tool that the engine itself provides.
pub(crate) fn is_of_engine(name: &str) -> bool {
    [SEARCH, READ_RESULT].contains(&name)
}

/// The tools of one agent: the flow's own, those of the agent's list, those of its sources, and the engine's. The first
/// tool of a name hides the others. Turns that are offered the same tools share one catalog.
#[derive(Default)]
pub(crate) struct Catalog {
    tools: Vec<CatalogTool>,
    /// The places of `tools`, by name.
    by_name: Vec<usize>,
    definitions: Arc<[ToolDefinition]>,
    is_deferring: bool,
    is_open: bool,
    /// The names of the sources with deferred tools.
    searched: Vec<String>,
    /// The words of the deferred tools, from the first search on.
    index: OnceLock<SearchIndex>,
    /// The places of tools whose definitions were not the accepted ones when the catalog was first used.
    changed: OnceLock<HashSet<usize>>,
    /// The tools that the catalog was built from.
    own: Vec<ToolDefinition>,
    listed: Vec<Arc<dyn Tool>>,
    sets: Vec<SourceTools>,
}

/// A tool of a catalog.
pub(crate) struct CatalogTool {
    pub(crate) definition: ToolDefinition,
    pub(crate) runner: Runner,
    /// Whether the tool's definition is not sent to a model initially.
    pub(crate) is_deferred: bool,
    /// The index of its source among the sets, if it comes from a source.
    source: Option<usize>,
}

/// The implementation that runs a tool.
#[derive(Clone)]
pub(crate) enum Runner {
    /// The agent's flow.
    Flow,
    /// The tool itself.
    Tool(Arc<dyn Tool>),
    /// The engine, which finds deferred tools.
    Search,
    /// The engine, which reads shortened results.
    ReadResult,
}

/// The tools that a source returned for a turn.
#[derive(Clone)]
pub(crate) struct SourceTools {
    pub(crate) name: Arc<str>,
    pub(crate) is_deferred: bool,
    /// Whether the tools are stand-ins for those of a stored turn, which may have called tools of the engine.
    pub(crate) is_recorded: bool,
    /// For whom the definitions of the tools are accepted when they are first seen.
    pub(crate) owner: PinOwner,
    pub(crate) tools: Arc<ToolSet>,
}

impl Catalog {
    /// Creates the catalog of these tools. Tools whose names match one of `deferred` are deferred.
    fn new(
        own: Vec<ToolDefinition>,
        listed: &[Arc<dyn Tool>],
        sets: &[SourceTools],
        allowed: &[String],
        deferred: &[String],
    ) -> Self {
        let mut tools: Vec<CatalogTool> = Vec::new();
        let mut add = |definition: &ToolDefinition, runner, is_deferred, source| {
            tools.push(CatalogTool { definition: definition.clone(), runner, is_deferred, source });
        };
        own.iter().for_each(|definition| add(definition, Runner::Flow, false, None));
        for tool in listed {
            let definition = tool.definition();
            add(definition, Runner::Tool(Arc::clone(tool)), matches_any(deferred, &definition.name), None);
        }
        for (source, set) in sets.iter().enumerate() {
            for tool in set.tools.tools() {
                let definition = tool.definition();
                // A source cannot hide a tool of the engine.
                let is_hidden = is_of_engine(&definition.name) && !set.is_recorded;
                let is_allowed = set.is_recorded || matches_any(allowed, &definition.name);
                if !is_hidden && is_allowed {
                    let is_deferred = set.is_deferred || matches_any(deferred, &definition.name);
                    add(definition, Runner::Tool(Arc::clone(tool)), is_deferred, Some(source));
                }
            }
        }
        let mut catalog = Self { own, listed: listed.to_vec(), sets: sets.to_vec(), ..Self::default() };
        catalog.tools = first_of_each_name(tools);
        catalog.is_deferring = catalog.tools.iter().any(|tool| tool.is_deferred);
        if catalog.is_deferring {
            catalog.tools.retain(|tool| tool.source.is_none() || tool.definition.name != SEARCH);
            catalog.searched = catalog.sources_to_search();
            catalog.tools.push(CatalogTool::of_engine(search::definition(&catalog.searched), Runner::Search, false));
        }
        catalog.tools.push(CatalogTool::of_engine(search::read_result_definition(), Runner::ReadResult, true));
        catalog.tools = first_of_each_name(catalog.tools);
        if !catalog.tools.iter().any(|tool| matches!(tool.runner, Runner::Search)) {
            // A tool of this name hides the search, so no deferred tool could be found.
            catalog.is_deferring = false;
            let found = catalog.tools.iter_mut().filter(|tool| !matches!(tool.runner, Runner::ReadResult));
            found.for_each(|tool| tool.is_deferred = false);
        }
        catalog.definitions =
            catalog.tools.iter().filter(|tool| !tool.is_deferred).map(|tool| tool.definition.clone()).collect();
        catalog.is_open = catalog.tools.iter().any(|tool| tool.definition.flags.may_return_untrusted_text());
        catalog.by_name = (0..catalog.tools.len()).collect();
        let tools = &catalog.tools;
        catalog.by_name.sort_by(|one, other| tools[*one].definition.name.cmp(&tools[*other].definition.name));
        catalog
    }

    /// Reports whether the catalog was built from these tools.
    fn is_of(&self, own: &[ToolDefinition], listed: &[Arc<dyn Tool>], sets: &[SourceTools]) -> bool {
        let same_set = |one: &SourceTools, other: &SourceTools| {
            let same_name = Arc::ptr_eq(&one.name, &other.name) || one.name == other.name;
            let same_use = one.is_deferred == other.is_deferred && one.owner == other.owner;
            Arc::ptr_eq(&one.tools, &other.tools) && same_use && same_name
        };
        let same_tool =
            |one: &Arc<dyn Tool>, other: &Arc<dyn Tool>| std::ptr::addr_eq(Arc::as_ptr(one), Arc::as_ptr(other));
        are_same(&self.sets, sets, same_set) && are_same(&self.listed, listed, same_tool) && self.own == own
    }

    /// Returns the number of tools.
    fn len(&self) -> usize {
        self.tools.len()
    }

    /// Returns the definitions that are sent to a model initially.
    pub(crate) fn definitions(&self) -> &Arc<[ToolDefinition]> {
        &self.definitions
    }

    /// Reports whether a model has to search for some of the tools.
    pub(crate) fn is_deferring(&self) -> bool {
        self.is_deferring
    }

    /// Returns the place of the tool with this name.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        let found = self.by_name.binary_search_by(|place| self.tools[*place].definition.name.as_str().cmp(name));
        found.ok().and_then(|at| self.by_name.get(at).copied())
    }

    /// Returns the tool at a place.
    pub(crate) fn at(&self, place: usize) -> Option<&CatalogTool> {
        self.tools.get(place)
    }

    /// Returns the tool with this name, whether or not its definition is sent to a model.
    pub(crate) fn find(&self, name: &str) -> Option<&CatalogTool> {
        self.at(self.place(name)?)
    }

    /// Returns all tools, each with the name of its source if it comes from one.
    pub(crate) fn tools(&self) -> impl Iterator<Item = (&CatalogTool, Option<&str>)> {
        self.tools.iter().map(|tool| (tool, self.source_of(tool)))
    }

    fn source_of(&self, tool: &CatalogTool) -> Option<&str> {
        tool.source.and_then(|at| self.sets.get(at)).map(|set| &*set.name)
    }

    /// Reports whether results of any tool may contain untrusted text.
    pub(crate) fn is_open(&self) -> bool {
        self.is_open
    }

    /// Returns the deferred tools that can be searched for, each with the name of its source.
    fn deferred(&self) -> impl Iterator<Item = (&ToolDefinition, Option<&str>)> {
        let searched = self.tools.iter().filter(|tool| tool.is_searched());
        searched.map(|tool| (&tool.definition, self.source_of(tool)))
    }

    /// Returns the words of the deferred tools.
    fn index(&self) -> &SearchIndex {
        self.index.get_or_init(|| {
            let searched = self.tools.iter().enumerate().filter(|(_, tool)| tool.is_searched());
            SearchIndex::new(searched.map(|(place, tool)| (place, &tool.definition)))
        })
    }

    /// Returns the names of the sources with deferred tools.
    fn sources_to_search(&self) -> Vec<String> {
        let mut names: Vec<String> = self.deferred().filter_map(|(_, source)| source.map(str::to_owned)).collect();
        names.sort();
        names.dedup();
        names
    }
}

impl Runner {
    /// Returns the tool, if it comes from the agent's list or a source.
    pub(crate) fn tool(&self) -> Option<&dyn Tool> {
        match self {
            Self::Tool(tool) => Some(&**tool),
            _ => None,
        }
    }
}

impl CatalogTool {
    fn of_engine(definition: ToolDefinition, runner: Runner, is_deferred: bool) -> Self {
        Self { definition, runner, is_deferred, source: None }
    }

    /// Reports whether a model can search for the tool.
    fn is_searched(&self) -> bool {
        self.is_deferred && !matches!(self.runner, Runner::ReadResult)
    }

    /// Reports whether the tool is one of the flow's own.
    pub(crate) fn is_own(&self) -> bool {
        matches!(self.runner, Runner::Flow)
    }
}

fn first_of_each_name(tools: Vec<CatalogTool>) -> Vec<CatalogTool> {
    let mut names = HashSet::with_capacity(tools.len());
    let is_first: Vec<bool> = tools.iter().map(|tool| names.insert(tool.definition.name.as_str())).collect();
    if is_first.iter().all(|is_first| *is_first) {
        return tools;
    }
    let kept = tools.into_iter().zip(is_first);
    kept.filter(|(tool, is_first)| {
        if !is_first && tool.source.is_some() {
            let name = &tool.definition.name;
            tracing::warn!(tool = %name, "a tool of a source is hidden by an earlier tool of the same name");
        }
        *is_first
    })
    .map(|(tool, _)| tool)
    .collect()
}

fn matches_any(patterns: &[String], name: &str) -> bool {
    patterns.iter().any(|pattern| matches_name(pattern, name))
}

fn are_same<T>(one: &[T], other: &[T], is_same: impl Fn(&T, &T) -> bool) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_same(one, other))
}
