//! `turnkit permissions`: the permissions of tools.

use std::process::ExitCode;

use serde_json::{Value, json};
use turnkit_core::ports::GrantPage;
use turnkit_core::{Arguments, ToolErrorKind};
use turnkit_engine::Modes;
use turnkit_engine::permission::Decision;

use super::grants;
use crate::args::{Explain, Permissions, Place};
use crate::config::{AgentConfig, Config, load_without_keys};
use crate::failure::Failure;
use crate::terminal::{json_line, line, revealed};
use crate::wiring::{Explained, explain};

pub(crate) async fn run(place: &Place, permissions: &Permissions) -> Result<ExitCode, Failure> {
    match permissions {
        Permissions::Explain(wanted) => explain_call(place, wanted),
        Permissions::Ls { server, json, limit, after } => {
            let page = GrantPage { limit: *limit, after: *after };
            grants::list(place, server.as_deref(), page, *json).await
        }
        Permissions::Revoke { id, server } => grants::revoke(place, server.as_deref(), *id).await,
    }
}

fn explain_call(place: &Place, wanted: &Explain) -> Result<ExitCode, Failure> {
    let resolved = load_without_keys(place)?;
    let agent = agent(&resolved.config, wanted.agent.as_deref())?;
    let mode = mode(agent, wanted.mode.as_deref())?;
    let arguments = Arguments(wanted.arguments.clone());
    let explained = explain(&resolved, agent, (&wanted.tool, &arguments), mode, wanted.untrusted);
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

fn agent<'a>(config: &'a Config, wanted: Option<&str>) -> Result<&'a AgentConfig, Failure> {
    let mut agents = config.agents.iter();
    let found = agents.find(|agent| wanted.is_none_or(|wanted| agent.name == wanted));
    found.ok_or_else(|| {
        let names: Vec<&str> = config.agents.iter().map(|agent| agent.name.as_str()).collect();
        Failure::Usage(format!("there is no agent {}; the agents are {}", wanted.unwrap_or_default(), names.join(", ")))
    })
}

fn mode<'a>(agent: &AgentConfig, wanted: Option<&'a str>) -> Result<Option<&'a str>, Failure> {
    let is_known = |mode: &str| agent.modes.contains_key(mode) || Modes::built_in().any(|known| known == mode);
    match wanted.filter(|mode| !is_known(mode)) {
        Some(mode) => Err(Failure::Usage(format!("agent `{}` has no mode `{mode}`", agent.name))),
        None => Ok(wanted),
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
        Ok(explained @ Explained { explanation, rule }) => json!({
            "decision": explanation.judgement.decision,
            "because": explained.because(),
            "rule": rule,
            "subject": explanation.subject,
            "preview": explanation.preview,
        }),
    };
    let (Value::Object(mut all), Value::Object(fields)) = (call, fields) else { return Value::Null };
    all.extend(fields);
    Value::Object(all)
}
