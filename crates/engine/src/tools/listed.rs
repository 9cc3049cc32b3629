//! The tools of an agent, as shown in lists.

use turnkit_core::{Scope, Subject, ToolFlags};

use crate::agent::Agent;
use crate::catalog::Runner;
use crate::permission::{Decision, Proposal};

/// A tool that an agent's turns may call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedTool {
    /// The name of the tool.
    pub name: String,
    /// The description that models read.
    pub description: String,
    /// The effects of its calls.
    pub flags: ToolFlags,
    /// Where the tool comes from.
    pub origin: ToolOrigin,
    /// The decision about a call whose subject no rule names, in a turn without a mode, without grants and without
    /// untrusted text.
    pub policy: Decision,
}

/// Where a tool of an agent comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToolOrigin {
    /// The agent's flow.
    Flow,
    /// The agent's list.
    List,
    /// A source with this name.
    Source(String),
}

impl Agent {
    /// Returns the tools of the agent in a turn of `scope`: those of its flow, those of its list, and those of its
    /// sources that are [known](turnkit_core::ports::ToolSource::known_tools) without asking them. Tools of the engine
    /// itself are left out.
    pub fn listed_tools(&self, scope: &Scope) -> Vec<ListedTool> {
        let sources = &self.settings.sources;
        let catalog = sources.catalog(self.flow.tools(), &self.tools, &sources.known(scope));
        let permissions = self.settings.permissions(None, true);
        let listed = catalog.tools().filter(|(tool, _)| !matches!(tool.runner, Runner::Search | Runner::ReadResult));
        listed
            .map(|(tool, source)| {
                let judgement = permissions.judge(&Proposal {
                    tool: &tool.definition,
                    subject: &Subject::None,
                    grant_subject: &|| None,
                    own: tool.is_own(),
                    untrusted: &|| false,
                });
                ListedTool {
                    name: tool.definition.name.clone(),
                    description: tool.definition.description.clone(),
                    flags: tool.definition.flags,
                    origin: match source {
                        Some(name) => ToolOrigin::Source(name.to_owned()),
                        None if tool.is_own() => ToolOrigin::Flow,
                        None => ToolOrigin::List,
                    },
                    policy: judgement.decision,
                }
            })
            .collect()
    }
}
