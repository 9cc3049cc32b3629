//! The tools that a turn offers to the model.

use turnkit_core::{History, MAX_CHILD_DEPTH, ToolDefinition, ToolFlags, ToolUse};

use super::Toolbox;
use crate::catalog::SEARCH;

/// How many similar tools are named to a model that calls an unknown one.
const NEAREST: usize = 3;

impl Toolbox<'_> {
    /// Offers the tools that the model has found so far in these messages.
    pub(crate) fn activate(&mut self, history: &History) {
        self.activate_up_to(history, usize::MAX);
    }

    /// Restores the tools that the model had found when it made the calls of the round that is resumed. A tool found in
    /// this round may have displaced one that the model called.
    pub(crate) fn activate_for_round(&mut self, history: &History) {
        let after = history.turn().rev().take_while(|entry| entry.message().calls().next().is_none()).count();
        self.activate_up_to(history, history.len().saturating_sub(after));
    }

    fn activate_up_to(&mut self, history: &History, messages: usize) {
        let activated = self.catalog.activated(history, messages);
        if activated == self.activated {
            return;
        }
        self.activated = activated;
        self.list_definitions();
    }

    /// Returns the toolbox with tools that the client runs itself. A tool of the agent, or of one of its sources, hides
    /// a client tool of the same name, and the user gets a notice. A turn with tools off has none.
    #[must_use]
    pub(crate) fn with_client_tools(mut self, tools: &[ToolDefinition], tool_use: ToolUse) -> Self {
        if tools.is_empty() || tool_use == ToolUse::None {
            return self;
        }
        let is_free = |tool: &&ToolDefinition| self.catalog.find(&tool.name).is_none();
        let hidden = tools.iter().filter(|tool| !is_free(tool)).map(|tool| &tool.name);
        let hidden =
            hidden.map(|name| format!("the tool {name} of the client is missing: the agent has another {name}"));
        self.missing.extend(hidden);
        // The server runs nothing for these tools, and the results that a client reports are untrusted text.
        let flags = ToolFlags { open_world: true, ..ToolFlags::read_only() };
        self.of_client = tools.iter().filter(is_free).map(|tool| tool.clone().with_flags(flags)).collect();
        self.list_definitions();
        self
    }

    /// Returns the toolbox for a turn with `depth` ancestor turns. At the greatest depth, it does not start sub-agents.
    #[must_use]
    pub(crate) fn at_depth(mut self, depth: usize) -> Self {
        self.is_deepest = depth >= MAX_CHILD_DEPTH;
        if self.is_deepest {
            self.list_definitions();
        }
        self
    }

    fn list_definitions(&mut self) {
        let further = self.activated.iter().filter_map(|place| self.catalog.at(*place)).map(|tool| &tool.definition);
        let of_catalog = self.catalog.definitions().iter().chain(further);
        let is_offered = |tool: &&ToolDefinition| !self.is_deepest || !self.is_task(&tool.name);
        self.definitions = of_catalog.filter(is_offered).chain(self.of_client.iter()).cloned().collect();
    }

    /// Returns why a call of an unknown tool does not run. Names the most similar tools, as many as a model needs to
    /// choose.
    pub(in crate::tools) fn unknown(&self, name: &str) -> String {
        if self.catalog.is_deferring() && self.catalog.find(name).is_some() {
            return format!("this tool is not active: find it with {SEARCH} first, then call it in a later step");
        }
        let likeness = |known: &&str| strsim::jaro_winkler(name, known);
        let mut names: Vec<&str> = self.definitions.iter().map(|tool| tool.name.as_str()).collect();
        let all = names.len();
        if all > NEAREST {
            names.sort_by(|a, b| likeness(b).total_cmp(&likeness(a)));
            names.truncate(NEAREST);
        }
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let which = if all > NEAREST { "the most similar tools are" } else { "the tools are" };
        let more = if self.catalog.is_deferring() { format!("; {SEARCH} finds more") } else { String::new() };
        format!("there is no tool of this name; {which}: {names}{more}")
    }
}
