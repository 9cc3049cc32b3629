//! Reading what a model passed.

use serde::Deserialize;
use turnkit_core::{RawJson, ToolDefinition, ToolError, ToolFlags};

/// Reads `arguments` as a `T`. Its `deny_unknown_fields` makes the message name what the tool knows.
pub(crate) fn read<'a, T: Deserialize<'a>>(arguments: &'a RawJson) -> Result<T, ToolError> {
    arguments.read().map_err(|error| ToolError::InvalidArguments(error.to_string()))
}

/// A definition of a tool that only looks.
pub(crate) fn read_only(name: &str, description: &str, schema: &'static str) -> ToolDefinition {
    #[expect(clippy::expect_used, reason = "the schemas are constants of this crate, and a test reads each of them")]
    let definition = ToolDefinition::new(name, description, schema).expect("a schema is JSON");
    definition.with_flags(ToolFlags::read_only())
}
