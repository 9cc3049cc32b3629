//! The tools of a server that models are offered.

use std::collections::HashSet;
use std::sync::Arc;

use turnkit_core::ToolDefinition;
use turnkit_core::ports::{LeftOutTool, Tool, ToolSet};

use crate::definition::define;
use crate::link::Link;
use crate::listing::Listing;
use crate::tool::McpTool;

/// The number of tools whose names are kept although models are not offered them.
const MAX_LEFT_OUT: usize = 100;

/// The tools of a server that models are offered, and those they are not.
pub(crate) struct Offered {
    pub(crate) set: Arc<ToolSet>,
    pub(crate) definitions: Vec<ToolDefinition>,
    pub(crate) left_out: Vec<LeftOutTool>,
}

impl Offered {
    /// Sorts out the tools that cannot be offered. If the others are those of `before`, the result shares its set.
    pub(crate) fn new(link: &Arc<Link>, listing: Listing, before: Option<&Self>) -> Self {
        let (mut tools, mut definitions): (Vec<Arc<dyn Tool>>, Vec<_>) = (Vec::new(), Vec::new());
        let (mut left_out, mut names) = (Vec::new(), HashSet::new());
        let mut leave_out = |name: &str, why: &str| {
            if left_out.len() < MAX_LEFT_OUT {
                let name = link.secrets().line(name, 100);
                left_out.push(LeftOutTool { name, why: why.to_owned() });
            }
        };
        if listing.is_cut {
            leave_out("…", "the server has more tools than are read");
        }
        for remote in listing.tools {
            let definition = match define(link.settings(), link.secrets(), &remote) {
                Ok(definition) => definition,
                Err(why) => {
                    leave_out(&remote.name, &why);
                    continue;
                }
            };
            let tool: Arc<dyn Tool> = Arc::new(McpTool::new(Arc::clone(link), &remote, definition.clone()));
            if remote.name.is_empty() || ToolSet::new([Arc::clone(&tool)]).left_out() > 0 {
                leave_out(&remote.name, "its name is empty, too long, or has characters that no tool's name may have");
            } else if !names.insert(definition.name.clone()) {
                leave_out(&remote.name, "an earlier tool has the same name");
            } else {
                tools.push(tool);
                definitions.push(definition);
            }
        }
        let set = match before.filter(|before| before.definitions == definitions) {
            Some(before) => Arc::clone(&before.set),
            None => Arc::new(ToolSet::new(tools)),
        };
        Self { set, definitions, left_out }
    }
}
