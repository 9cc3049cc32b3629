//! What the environment adds: `TURNKIT_SECTION__KEY` sets a key, `${NAME}` in the file stands for a variable.

use serde::Deserialize;
use toml::{Table, Value};

use super::error::with_hint;
use super::schema::Environment;
use super::{Config, ConfigError};

const PREFIX: &str = "TURNKIT_";

/// All variables of this process whose names and values are text.
#[expect(clippy::disallowed_methods, reason = "the one place where the environment is read")]
pub(super) fn read() -> Environment {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// Sets the keys that variables name. Lists of tables have no variables.
pub(super) fn overlay(table: &mut Table, environment: &Environment) -> Result<(), ConfigError> {
    for (name, text) in environment {
        let Some(path) = name.strip_prefix(PREFIX).filter(|path| path.contains("__")) else { continue };
        let path: Vec<String> = path.split("__").map(str::to_lowercase).collect();
        let value = text.parse::<Value>().unwrap_or_else(|_| Value::String(text.clone()));
        let mut alone = Table::new();
        set(&mut alone, &path, value.clone());
        if let Err(first) = Config::deserialize(alone) {
            // A text that happens to look like a number or a list.
            let mut as_text = Table::new();
            set(&mut as_text, &path, Value::String(text.clone()));
            Config::deserialize(as_text).map_err(|_| ConfigError::in_variable(name, with_hint(first.message())))?;
            set(table, &path, Value::String(text.clone()));
        } else {
            set(table, &path, value);
        }
    }
    Ok(())
}

fn set(table: &mut Table, path: &[String], value: Value) {
    match path {
        [] => {}
        [key] => {
            table.insert(key.clone(), value);
        }
        [section, rest @ ..] => {
            let inner = table.entry(section.clone()).or_insert_with(|| Value::Table(Table::new()));
            if let Value::Table(inner) = inner {
                set(inner, rest, value);
            }
        }
    }
}

/// Replaces every `${NAME}`. Gives the name of the first variable that is not set.
pub(super) fn expand(value: &mut Value, environment: &Environment) -> Result<(), String> {
    match value {
        Value::String(text) => *text = expanded(text, environment)?,
        Value::Array(items) => items.iter_mut().try_for_each(|item| expand(item, environment))?,
        Value::Table(table) => table.iter_mut().try_for_each(|(_, item)| expand(item, environment))?,
        _ => {}
    }
    Ok(())
}

fn expanded(text: &str, environment: &Environment) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, after)) = after.split_once('}') else { break };
        out.push_str(before);
        out.push_str(environment.get(name).ok_or_else(|| name.to_owned())?);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}
