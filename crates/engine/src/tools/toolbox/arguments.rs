//! The arguments of calls: checked against the schemas of their tools, and the subjects that they name.

use turnkit_core::{Arguments, RawJson, Subject, ToolCall, ToolDefinition, ToolError, ToolErrorKind};

use super::Toolbox;
use crate::machine::Binding;

impl Toolbox<'_> {
    /// Reports whether the arguments of a call are valid for its tool.
    pub(crate) fn accepts(&self, call: &ToolCall) -> bool {
        self.find(&call.name).is_some_and(|(tool, _)| self.checked(tool, &call.arguments).is_ok())
    }

    /// Returns why a call cannot succeed as things are now, if its tool knows. Every reason but wrong arguments is a
    /// denial.
    pub(crate) fn failed_check(&self, call: &ToolCall) -> Option<(ToolErrorKind, String)> {
        let tool = self.tool(&call.name)?.runner.tool()?;
        let error = tool.check(&self.arguments(call).ok()?).err()?;
        let kind = match error {
            ToolError::InvalidArguments(_) => ToolErrorKind::InvalidArguments,
            _ => ToolErrorKind::Denied,
        };
        Some((kind, error.to_string()))
    }

    /// Returns the subject of a permanent grant for a call, if its arguments are valid for its tool.
    pub(crate) fn grantable(&self, call: &ToolCall) -> Option<Subject> {
        let (tool, _) = self.find(&call.name)?;
        let (arguments, _) = self.checked(tool, &call.arguments).ok()?;
        self.grant_subject(&tool.name, &arguments).ok()
    }

    /// Returns the binding of an approval of the call.
    pub(crate) fn binding(&self, call: &ToolCall) -> Option<Binding> {
        let definition = self.catalog.find(&call.name).map(|tool| &tool.definition);
        let definition = definition.or_else(|| self.of_client(&call.name))?;
        Some(Binding::new(definition, &call.arguments))
    }

    /// Returns the arguments and the subject of a call, if the arguments are valid for its tool; else why the call does
    /// not run.
    pub(in crate::tools) fn checked(
        &self,
        tool: &ToolDefinition,
        arguments: &Arguments,
    ) -> Result<(RawJson, Subject), (ToolErrorKind, String)> {
        let invalid = |why| (ToolErrorKind::InvalidArguments, why);
        let arguments = self.schemas.without_nulls(tool, object(arguments).map_err(invalid)?);
        self.schemas.check(tool, &arguments).map_err(|why| invalid(format!("invalid arguments: {why}")))?;
        let subject = self.subject(&tool.name, &arguments).map_err(|error| (error.kind(), error.to_string()))?;
        Ok((arguments, subject))
    }

    /// Returns the arguments that the tool of a call receives. A client receives those of its tools as they are.
    pub(in crate::tools) fn arguments(&self, call: &ToolCall) -> Result<RawJson, String> {
        let arguments = object(&call.arguments)?;
        Ok(match self.catalog.find(&call.name) {
            Some(tool) => self.schemas.without_nulls(&tool.definition, arguments),
            None => arguments,
        })
    }

    /// Returns the subject of a call. The flow does not report the subjects of its own tools.
    pub(super) fn subject(&self, name: &str, arguments: &RawJson) -> Result<Subject, ToolError> {
        let tool = self.catalog.find(name).and_then(|tool| tool.runner.tool());
        tool.map_or(Ok(Subject::None), |tool| tool.subject(arguments))
    }

    /// Returns the subject of a permanent grant for a call.
    pub(in crate::tools) fn grant_subject(&self, name: &str, arguments: &RawJson) -> Result<Subject, ToolError> {
        let tool = self.catalog.find(name).and_then(|tool| tool.runner.tool());
        tool.map_or(Ok(Subject::None), |tool| tool.grant_subject(arguments))
    }
}

/// Parses the arguments as a JSON object.
pub(super) fn object(arguments: &Arguments) -> Result<RawJson, String> {
    let json = arguments.json().map_err(|error| format!("the arguments are not valid JSON: {error}"))?;
    if json.get().starts_with('{') { Ok(json) } else { Err("the arguments must be a JSON object".to_owned()) }
}
