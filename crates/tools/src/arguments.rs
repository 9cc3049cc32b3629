//! Helpers for the arguments and definitions of tools.

use serde::Deserialize;
use turnkit_core::{RawJson, ToolDefinition, ToolError, ToolFlags};

/// Parses `arguments` as a `T`. If `T` has `deny_unknown_fields`, the error message lists the known fields.
pub(crate) fn read<'a, T: Deserialize<'a>>(arguments: &'a RawJson) -> Result<T, ToolError> {
    arguments.read().map_err(|error| ToolError::InvalidArguments(error.to_string()))
}

/// Returns the definition of a read-only tool.
pub(crate) fn read_only(name: &str, description: &str, schema: &'static str) -> ToolDefinition {
    #[expect(clippy::expect_used, reason = "the schemas are constants of this crate, and a test reads each of them")]
    let definition = ToolDefinition::new(name, description, schema).expect("a schema is JSON");
    definition.with_flags(ToolFlags::read_only())
}
