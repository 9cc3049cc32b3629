//! The tools of one source.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use super::Tool;
use crate::tool_failure::is_tool_name;

/// The tools of one source. All names are valid and unique.
#[derive(Default)]
pub struct ToolSet {
    tools: Vec<Arc<dyn Tool>>,
    left_out: usize,
}

impl ToolSet {
    /// Creates a set of these tools. A tool is left out if its name does not consist of 1 to 128 ASCII letters, digits
    /// and `_-.:/`, or if an earlier tool has the same name.
    pub fn new(tools: impl IntoIterator<Item = Arc<dyn Tool>>) -> Self {
        let (mut set, mut names) = (Self::default(), HashSet::new());
        for tool in tools {
            let name = &tool.definition().name;
            if is_tool_name(name) && names.insert(name.clone()) {
                set.tools.push(tool);
            } else {
                set.left_out += 1;
            }
        }
        set
    }

    /// Returns the tools, in the order of the source.
    pub fn tools(&self) -> &[Arc<dyn Tool>] {
        &self.tools
    }

    /// Returns the number of tools that were left out because of their names.
    pub fn left_out(&self) -> usize {
        self.left_out
    }
}

impl fmt::Debug for ToolSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.tools.iter().map(|tool| &tool.definition().name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::{BoxFuture, ToolContext};
    use crate::{RawJson, ToolDefinition, ToolError, ToolOutput};

    struct Named(ToolDefinition);

    impl Tool for Named {
        fn definition(&self) -> &ToolDefinition {
            &self.0
        }

        fn call<'a>(&'a self, _: &'a RawJson, _: ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
            Box::pin(std::future::ready(Ok(ToolOutput::default())))
        }
    }

    #[test]
    fn names_that_no_tool_can_have_and_repeated_names_are_left_out() {
        let long = "x".repeat(129);
        let names = ["a__b", "", "a b", "a\u{202e}b", "a\nb", "a__b", "c.d:e/f-g", &long, &long[1..]];
        let tool = |name: &str| Arc::new(Named(ToolDefinition::new(name, "", "{}").unwrap())) as Arc<dyn Tool>;
        let set = ToolSet::new(names.map(tool));
        let kept: Vec<&str> = set.tools().iter().map(|tool| tool.definition().name.as_str()).collect();
        assert_eq!((kept, set.left_out()), (vec!["a__b", "c.d:e/f-g", &long[1..]], 6));
    }
}
