//! Resolution of a file's text and the environment to a configuration.

use std::path::Path;

use serde::Deserialize;
use toml::de::{DeTable, DeValue, Deserializer};
use toml::{Spanned, Table};

use super::check::check;
use super::environment::{Missing, expand, overlay, refuse_empty, refuse_empty_variables};
use super::filled::filled;
use super::schema::{Environment, Secret};
use super::source::Source;
use super::{Config, ConfigError, permission, prompt, shape, tools};

/// The keys that are sent only to a provider or a tool. No other setting depends on them.
const SECRET_KEYS: [&str; 6] = ["api_key", "credentials", "headers", "body", "auth", "env"];
/// The keys among them that cannot be empty.
const NON_EMPTY_KEYS: [&str; 2] = ["api_key", "credentials"];
/// The keys among them in which no variable may be empty: `Bearer ${TOKEN}` would be sent without a token.
const KEYS_WITHOUT_EMPTY_VARIABLES: [&str; 2] = ["headers", "auth"];
/// The keys in `auth` that are addresses. Addresses are checked, so nothing replaces their missing variables.
const ADDRESSES_IN_AUTH: [&str; 2] = ["token_url", "issuer"];

/// Resolves `source` and `environment` to a configuration. Reads nothing else. `unset` replaces missing variables that
/// are sent only to a provider or a tool.
pub(super) fn resolve(source: &Source, environment: &Environment, unset: Option<&str>) -> Result<Config, ConfigError> {
    let (mut table, credentials) = match source.file() {
        Some((path, text)) => read(path, text, environment, unset)?,
        None => (Table::new(), Vec::new()),
    };
    overlay(&mut table, environment)?;
    let place = source.file().map_or(Path::new("configuration"), |(path, _)| path);
    let mut config = Config::deserialize(table).map_err(|error| ConfigError::in_file(place, error.message()))?;
    for (server, credentials) in config.mcp.iter_mut().zip(credentials) {
        server.filled = credentials;
    }
    check(&config, source)?;
    read_rules(&mut config, source)?;
    tools::read(&mut config.tools, source)?;
    read_shapes(&mut config, source)?;
    read_prompts(&mut config, source)?;
    Ok(config)
}

/// Parses the rules, which keep their order.
fn read_rules(config: &mut Config, source: &Source) -> Result<(), ConfigError> {
    for (index, rule) in config.permissions.rules.iter().enumerate() {
        let wrong = |(key, why): (String, String)| source.complaint(&format!("permissions.rules.{index}.{key}"), why);
        config.permissions.found.push(permission::read(rule, &config.tools).map_err(wrong)?);
    }
    Ok(())
}

/// Parses the output schemas that are written in the configuration itself.
fn read_shapes(config: &mut Config, source: &Source) -> Result<(), ConfigError> {
    for (index, agent) in config.agents.iter_mut().enumerate() {
        let shape = agent.output_schema.as_deref().map(shape::read).transpose();
        agent.shape = shape.map_err(|why| source.complaint(&format!("agents.{index}.output_schema"), why))?;
    }
    Ok(())
}

/// The longest name of a mode, in bytes.
const MAX_MODE_BYTES: usize = 128;

/// Parses the prompts that are written in the configuration itself.
fn read_prompts(config: &mut Config, source: &Source) -> Result<(), ConfigError> {
    for (index, agent) in config.agents.iter_mut().enumerate() {
        let read = agent.instructions.as_deref().map(prompt::read).transpose();
        let broken = |why| format!("agent `{}`: {why}", agent.name);
        agent.prompt = read.map_err(|why| source.complaint(&format!("agents.{index}.instructions"), broken(why)))?;
        for (mode, instructions) in &agent.modes {
            let key = format!("agents.{index}.modes.{mode}");
            if mode.is_empty() || mode.len() > MAX_MODE_BYTES || mode.chars().any(char::is_control) {
                let why =
                    format!("the name of a mode must be 1 to {MAX_MODE_BYTES} bytes long, without control characters");
                return Err(source.complaint(&key, broken(why)));
            }
            let read = prompt::read(instructions.text())
                .map_err(|why| source.complaint(&key, broken(format!("mode `{mode}`: {why}"))))?;
            agent.mode_prompts.push((mode.clone(), read));
        }
    }
    for (index, selectable) in config.prompts.iter_mut().enumerate() {
        let read = selectable.text.as_deref().map(prompt::read).transpose();
        let broken = |why| format!("prompt `{}`: {why}", selectable.name);
        selectable.prompt = read.map_err(|why| source.complaint(&format!("prompts.{index}.text"), broken(why)))?;
    }
    Ok(())
}

/// Reads the text of the file. Returns its settings, and the values of variables that are credentials of each MCP
/// server.
fn read(
    path: &Path,
    text: &str,
    environment: &Environment,
    unset: Option<&str>,
) -> Result<(Table, Vec<Vec<Secret>>), ConfigError> {
    let wrong = |error: toml::de::Error| ConfigError::of_toml(path, text, &error);
    toml::from_str::<Config>(text).map_err(wrong)?;
    let mut table = DeTable::parse(text).map_err(wrong)?;
    let known = |name: &str| environment.get(name).map(String::as_str);
    let has_text = |value: &&str| unset.is_none() || !value.trim().is_empty();
    let or_unset = |name: &str| known(name).filter(has_text).or(unset);
    let mut credentials = Vec::new();
    for (key, value) in table.get_mut() {
        let expanded = match (key.get_ref().as_ref(), value.get_mut()) {
            ("providers", DeValue::Array(providers)) => {
                providers.iter_mut().try_for_each(|provider| expand_secrets(provider, &known, &or_unset))
            }
            ("mcp", DeValue::Array(servers)) => {
                credentials = servers.iter().map(|server| filled(server, &known)).collect();
                servers.iter_mut().try_for_each(|server| expand_secrets(server, &known, &or_unset))
            }
            ("tools", DeValue::Table(settings)) => {
                settings.iter_mut().try_for_each(|(_, setting)| match setting.get_mut() {
                    DeValue::Array(tools) => {
                        tools.iter_mut().try_for_each(|tool| expand_secrets(tool, &known, &or_unset))
                    }
                    _ => expand_secrets(setting, &known, &or_unset),
                })
            }
            _ => expand(value, &known),
        };
        expanded.map_err(|missing| missing.complaint(path, text))?;
    }
    let table = Table::deserialize(Deserializer::from(table)).map_err(wrong)?;
    Ok((table, credentials))
}

/// Expands the settings of a provider, a tool or a server of tools: secret keys with `secrets`, all other keys with
/// `known`.
fn expand_secrets<'a>(
    value: &mut Spanned<DeValue<'_>>,
    known: &dyn Fn(&str) -> Option<&'a str>,
    secrets: &dyn Fn(&str) -> Option<&'a str>,
) -> Result<(), Missing> {
    let DeValue::Table(settings) = value.get_mut() else { return expand(value, known) };
    settings.iter_mut().try_for_each(|(key, value)| {
        let key = key.get_ref().as_ref();
        if NON_EMPTY_KEYS.contains(&key) {
            refuse_empty(value, secrets)?;
        }
        if KEYS_WITHOUT_EMPTY_VARIABLES.contains(&key) {
            refuse_empty_variables(value, secrets)?;
        }
        match (key, value.get_mut()) {
            ("auth", DeValue::Table(auth)) => auth.iter_mut().try_for_each(|(key, value)| {
                let is_address = ADDRESSES_IN_AUTH.contains(&key.get_ref().as_ref());
                expand(value, if is_address { known } else { secrets })
            }),
            _ => expand(value, if SECRET_KEYS.contains(&key) { secrets } else { known }),
        }
    })
}

#[cfg(test)]
mod tests;
