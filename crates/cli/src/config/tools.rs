//! Parsing of the tools in a configuration.

use std::time::Duration;

use turnkit_core::{ToolDefinition, ToolFlags};
use turnkit_engine::ToolSchemas;
use turnkit_tools::{CommandLine, HttpRequest, InvalidTemplate, Parameters};

use super::schema::{CommandToolConfig, HttpToolConfig, JsonConfig, MethodConfig, ToolsConfig};
use super::source::Source;
use super::{ConfigError, unused};

/// Parses the tools that the operator adds.
pub(super) fn read(tools: &mut ToolsConfig, source: &Source) -> Result<(), ConfigError> {
    for (index, tool) in tools.command.iter_mut().enumerate() {
        tool.found = Some(command(tool).map_err(|error| complaint("command", index, &tool.name, &error, source))?);
    }
    for (index, tool) in tools.http.iter_mut().enumerate() {
        tool.found = Some(request(tool).map_err(|error| complaint("http", index, &tool.name, &error, source))?);
    }
    Ok(())
}

fn complaint(list: &str, index: usize, name: &str, error: &InvalidTemplate, source: &Source) -> ConfigError {
    let InvalidTemplate { key, .. } = error;
    source.complaint(&format!("tools.{list}.{index}.{key}"), format!("tool `{name}`: {error}"))
}

fn command(tool: &CommandToolConfig) -> Result<(ToolDefinition, CommandLine), InvalidTemplate> {
    let parameters = parameters(tool.parameters.as_ref())?;
    let parse = |parameters: &Parameters| CommandLine::parse(&tool.run, tool.stdin.as_deref(), parameters);
    let line = parse(&parameters)?;
    unused::check(&parameters, "write its name in braces as a word of `run`, or into `stdin`", |fewer| {
        parse(fewer).is_ok()
    })?;
    let flags = ToolFlags {
        read_only: tool.read_only,
        idempotent: tool.idempotent,
        parallel_safe: tool.parallel_safe,
        open_world: tool.open_world,
        repeats: tool.repeats,
        timeout: tool.timeout_s.map(Duration::from_secs),
        ..ToolFlags::default()
    };
    Ok((definition(&tool.name, &tool.description, parameters, flags), line))
}

fn request(tool: &HttpToolConfig) -> Result<(ToolDefinition, HttpRequest), InvalidTemplate> {
    let parameters = parameters(tool.parameters.as_ref())?;
    let request = http_request(tool, &parameters)?;
    let has_body = matches!(tool.method, MethodConfig::Post | MethodConfig::Put | MethodConfig::Patch);
    // Without a template, the body has all arguments that are not in the URL.
    if !has_body || tool.body.is_some() {
        let remedy = match has_body {
            true => "write its name in braces into `body`, or into the path or the query of `url`",
            false => "write its name in braces into the path or the query of `url`",
        };
        unused::check(&parameters, remedy, |fewer| http_request(tool, fewer).is_ok())?;
    }
    let flags = ToolFlags {
        read_only: tool.read_only,
        idempotent: tool.idempotent,
        parallel_safe: tool.parallel_safe,
        open_world: tool.open_world,
        repeats: tool.repeats,
        timeout: tool.timeout_s.map(Duration::from_secs),
        ..ToolFlags::default()
    };
    Ok((definition(&tool.name, &tool.description, parameters, flags), request))
}

fn http_request(tool: &HttpToolConfig, parameters: &Parameters) -> Result<HttpRequest, InvalidTemplate> {
    let request = HttpRequest::new(tool.method.into(), &tool.url, parameters)?;
    let mut headers = tool.headers.iter();
    let request = headers.try_fold(request, |request, (name, value)| request.with_header(name, &value.0))?;
    let request = tool.auth.iter().try_fold(request, |request, auth| request.with_auth(auth.into()))?;
    match tool.body.as_ref().map(JsonConfig::value).transpose() {
        Ok(None) => Ok(request),
        Ok(Some(body)) => request.with_body(&body, parameters),
        Err(error) => Err(InvalidTemplate { key: "body".to_owned(), reason: format!("not JSON: {error}") }),
    }
}

fn definition(name: &str, description: &str, parameters: Parameters, flags: ToolFlags) -> ToolDefinition {
    let (name, description) = (name.to_owned(), description.to_owned());
    ToolDefinition { name, description, parameters: parameters.schema().clone(), flags, fingerprint: None }
}

fn parameters(written: Option<&JsonConfig>) -> Result<Parameters, InvalidTemplate> {
    let text = written.map_or_else(|| "{}".to_owned(), JsonConfig::text);
    let usable = |parameters: Parameters| match ToolSchemas::check_schema(parameters.schema()) {
        Ok(()) => Ok(parameters),
        Err(why) => Err(format!("not a JSON Schema that arguments can be checked against: {why}")),
    };
    let parameters = Parameters::parse(&text).and_then(usable);
    parameters.map_err(|reason| InvalidTemplate { key: "parameters".to_owned(), reason })
}
