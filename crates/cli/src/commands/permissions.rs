//! `turnkit permissions`: the permissions of tools.

use std::process::ExitCode;

use serde_json::{Value, json};
use turnkit_core::ports::GrantPage;
use turnkit_core::{Arguments, ToolErrorKind};
use turnkit_engine::Modes;
use turnkit_engine::permission::Decision;

use super::grants;
use super::mcp::server_tool;
use crate::args::{Explain, Permissions, Place};
use crate::config::{AgentConfig, Config, Resolved, load, load_without_keys};
use crate::failure::Failure;
use crate::terminal::{json_line, line, revealed};
use crate::wiring::{Explained, explain, server_to_ask};

pub(crate) async fn run(place: &Place, permissions: &Permissions) -> Result<ExitCode, Failure> {
    match permissions {
        Permissions::Explain(wanted) => explain_call(place, wanted).await,
        Permissions::Ls { server, json, limit, after } => {
            let page = GrantPage { limit: *limit, after: *after };
            grants::list(place, server.as_deref(), page, *json).await
        }
        Permissions::Revoke { id, server } => grants::revoke(place, server.as_deref(), *id).await,
    }
}

async fn explain_call(place: &Place, wanted: &Explain) -> Result<ExitCode, Failure> {
    let resolved = configuration(place, wanted)?;
    let agent = agent(&resolved.config, wanted.agent.as_deref())?;
    let mode = mode(agent, wanted.mode.as_deref())?;
    let arguments = arguments(&wanted.arguments)?;
    let server_tool = match server_to_ask(&wanted.tool, agent, &resolved.config) {
        Some(server) => Some(server_tool(&resolved, server, &wanted.tool).await?),
        None => None,
    };
    let call = (wanted.tool.as_str(), &arguments);
    let explained = explain(&resolved, agent, server_tool.as_ref(), call, mode, wanted.untrusted);
    if let Err((ToolErrorKind::UnknownTool, why)) = &explained {
        return Err(Failure::Usage(format!("agent `{}`, tool `{}`: {why}", agent.name, wanted.tool)));
    }
    let printed = match wanted.json {
        true => json_line(&as_json(wanted, agent, &explained).to_string()),
        false => lines(wanted, &explained).iter().try_for_each(|text| line(&revealed(text))),
    };
    printed.map_err(|error| Failure::of_output(&error))?;
    Ok(ExitCode::SUCCESS)
}

/// Reads the configuration. An MCP server is connected to only if the agent lists the tool as one of its tools, and may
/// need credentials.
fn configuration(place: &Place, wanted: &Explain) -> Result<Resolved, Failure> {
    let resolved = load_without_keys(place)?;
    let agent = agent(&resolved.config, wanted.agent.as_deref())?;
    let is_server_asked = server_to_ask(&wanted.tool, agent, &resolved.config).is_some();
    Ok(if is_server_asked { load(place)? } else { resolved })
}

fn agent<'a>(config: &'a Config, wanted: Option<&str>) -> Result<&'a AgentConfig, Failure> {
    let mut agents = config.agents.iter();
    let found = agents.find(|agent| wanted.is_none_or(|wanted| agent.name == wanted));
    found.ok_or_else(|| {
        let names: Vec<&str> = config.agents.iter().map(|agent| agent.name.as_str()).collect();
        Failure::Usage(format!(
            "there is no agent `{}`; the agents are {}",
            wanted.unwrap_or_default(),
            names.join(", ")
        ))
    })
}

fn mode<'a>(agent: &AgentConfig, wanted: Option<&'a str>) -> Result<Option<&'a str>, Failure> {
    let mut modes: Vec<&str> = Modes::built_in().collect();
    modes.extend(agent.modes.keys().map(String::as_str));
    modes.sort_unstable();
    modes.dedup();
    match wanted.filter(|mode| !modes.contains(mode)) {
        Some(mode) => {
            let (agent, modes) = (&agent.name, modes.join(", "));
            Err(Failure::Usage(format!("agent `{agent}` has no mode `{mode}`; its modes are {modes}")))
        }
        None => Ok(wanted),
    }
}

/// Reads the arguments of the call. No tool accepts a text that is not a JSON object, so no rule would decide the call.
fn arguments(text: &str) -> Result<Arguments, Failure> {
    let arguments = Arguments(text.to_owned());
    match arguments.json() {
        Ok(json) if json.get().starts_with('{') => Ok(arguments),
        Ok(_) => {
            Err(Failure::Usage("the arguments must be a JSON object, such as '{\"path\": \"notes.md\"}'".to_owned()))
        }
        Err(error) => Err(Failure::Usage(format!("the arguments are not valid JSON: {error}"))),
    }
}

fn lines(wanted: &Explain, explained: &Result<Explained, (ToolErrorKind, String)>) -> Vec<String> {
    let tool = &wanted.tool;
    match explained {
        Err((_, why)) => vec![format!("{tool}: refused, whatever the rules say"), format!("  because {why}")],
        Ok(explained) => {
            let explanation = &explained.explanation;
            let decision = in_words(explanation.judgement.decision);
            let mut lines = vec![format!("{tool}: {decision}"), format!("  because {}", explained.because())];
            lines.extend(explained.fails.iter().map(|why| format!("  the call fails, even if it is approved: {why}")));
            lines.push(format!("  it touches {}", explanation.subject));
            lines.extend(
                explanation.preview.iter().flat_map(|preview| preview.lines()).map(|text| format!("    {text}")),
            );
            lines
        }
    }
}

fn in_words(decision: Decision) -> &'static str {
    match decision {
        Decision::Allow => "it runs",
        Decision::Notify => "it runs, and the user is notified",
        Decision::Ask => "a person is asked; without a person, it is denied",
        Decision::Deny => "it is denied",
    }
}

fn as_json(wanted: &Explain, agent: &AgentConfig, explained: &Result<Explained, (ToolErrorKind, String)>) -> Value {
    let Explain { tool, mode, untrusted, .. } = wanted;
    let call = json!({ "tool": tool, "agent": agent.name, "mode": mode, "untrusted": untrusted });
    let fields = match explained {
        Err((kind, why)) => json!({ "decision": "deny", "because": why, "error": kind }),
        Ok(explained @ Explained { explanation, rule, fails }) => json!({
            "decision": explanation.judgement.decision,
            "because": explained.because(),
            "rule": rule,
            "fails": fails,
            "subject": explanation.subject,
            "preview": explanation.preview,
        }),
    };
    let (Value::Object(mut all), Value::Object(fields)) = (call, fields) else { return Value::Null };
    all.extend(fields);
    Value::Object(all)
}
