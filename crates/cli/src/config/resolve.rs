//! From a file's text and the environment to a configuration.

use std::path::Path;

use serde::Deserialize;
use toml::{Table, Value};

use super::environment::{expand, overlay};
use super::schema::Environment;
use super::{Config, ConfigError};

/// The configuration that `text` and `environment` say. Nothing else is looked at.
pub(super) fn resolve(file: Option<(&Path, &str)>, environment: &Environment) -> Result<Config, ConfigError> {
    let mut table = match file {
        Some((path, text)) => read(path, text, environment)?,
        None => Table::new(),
    };
    overlay(&mut table, environment)?;
    let place = file.map_or(Path::new("configuration"), |(path, _)| path);
    let config = Config::deserialize(table).map_err(|error| ConfigError::in_file(place, error.message()))?;
    if let Some((path, text)) = file {
        check(&config, path, text)?;
    }
    Ok(config)
}

fn read(path: &Path, text: &str, environment: &Environment) -> Result<Table, ConfigError> {
    toml::from_str::<Config>(text).map_err(|error| ConfigError::of_toml(path, text, &error))?;
    let table = text.parse::<Table>().map_err(|error| ConfigError::of_toml(path, text, &error))?;
    let mut value = Value::Table(table);
    expand(&mut value, environment).map_err(|name| {
        let place = text.find(&format!("${{{name}}}")).map(|start| start..start);
        ConfigError::at(path, text, place, format!("the environment variable {name} is not set"))
    })?;
    match value {
        Value::Table(table) => Ok(table),
        _ => Ok(Table::new()),
    }
}

/// What the shape alone cannot say.
fn check(config: &Config, path: &Path, text: &str) -> Result<(), ConfigError> {
    let named = |word: &str| text.find(&format!("\"{word}\"")).map(|start| start..start);
    let twice = |names: Vec<&str>, what: &str| {
        let repeated = names.iter().enumerate().find(|(index, name)| names[..*index].contains(name));
        repeated.map_or(Ok(()), |(_, name)| {
            let last = text.rfind(&format!("\"{name}\"")).map(|start| start..start);
            Err(ConfigError::at(path, text, last, format!("two {what} are called `{name}`")))
        })
    };
    twice(config.providers.iter().map(|provider| provider.id.as_str()).collect(), "providers")?;
    twice(config.agents.iter().map(|agent| agent.name.as_str()).collect(), "agents")?;
    for agent in &config.agents {
        if agent.instructions.is_some() && agent.instructions_file.is_some() {
            let message = format!("agent `{}` has both `instructions` and `instructions_file`; keep one", agent.name);
            return Err(ConfigError::at(path, text, named(&agent.name), message));
        }
        if agent.max_rounds == Some(0) {
            let message = format!("agent `{}`: `max_rounds` must be at least 1", agent.name);
            return Err(ConfigError::at(path, text, named(&agent.name), message));
        }
    }
    for provider in &config.providers {
        if provider.api == super::Api::OpenaiChat && provider.base_url.is_none() {
            let message =
                format!("provider `{}` needs a `base_url`, such as \"http://localhost:11434/v1\"", provider.id);
            return Err(ConfigError::at(path, text, named(&provider.id), message));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
