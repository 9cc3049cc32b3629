//! From a file's text and the environment to a configuration.

use std::path::Path;

use serde::Deserialize;
use toml::Table;
use toml::de::{DeTable, Deserializer};

use super::check::check;
use super::environment::{expand, overlay};
use super::schema::Environment;
use super::source::Source;
use super::{Config, ConfigError};

/// The configuration that `source` and `environment` say. Nothing else is looked at. `unset` stands for variables that are
/// not there and say something of providers.
pub(super) fn resolve(source: &Source, environment: &Environment, unset: Option<&str>) -> Result<Config, ConfigError> {
    let mut table = match source.file() {
        Some((path, text)) => read(path, text, environment, unset)?,
        None => Table::new(),
    };
    overlay(&mut table, environment)?;
    let place = source.file().map_or(Path::new("configuration"), |(path, _)| path);
    let config = Config::deserialize(table).map_err(|error| ConfigError::in_file(place, error.message()))?;
    check(&config, source)?;
    Ok(config)
}

fn read(path: &Path, text: &str, environment: &Environment, unset: Option<&str>) -> Result<Table, ConfigError> {
    let wrong = |error: toml::de::Error| ConfigError::of_toml(path, text, &error);
    toml::from_str::<Config>(text).map_err(wrong)?;
    let mut table = DeTable::parse(text).map_err(wrong)?;
    for (key, value) in table.get_mut() {
        let unset = unset.filter(|_| key.get_ref() == "providers");
        let lookup = |name: &str| environment.get(name).map(String::as_str).or(unset);
        expand(value, &lookup).map_err(|missing| missing.complaint(path, text))?;
    }
    Table::deserialize(Deserializer::from(table)).map_err(wrong)
}

#[cfg(test)]
mod tests;
