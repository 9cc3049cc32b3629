//! Settings from the environment: `TURNKIT_SECTION__KEY` sets a key. In the file, `${NAME}` stands for a variable and
//! `$${NAME}` for the text `${NAME}`.

use std::cell::RefCell;
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::de::DeValue;
use toml::{Spanned, Table, Value};

use super::error::with_hint;
use super::schema::Environment;
use super::{Config, ConfigError};

pub(super) const PREFIX: &str = "TURNKIT_";
/// The variable with the folder for recordings.
pub(crate) const RECORD: &str = "TURNKIT_RECORD";
/// The variable with the API key for a server.
const API_KEY: &str = "TURNKIT_API_KEY";
/// The variable with the model of the provider that is used without a configuration.
pub(super) const MODEL: &str = "TURNKIT_MODEL";
/// The variable with the folder of the built page, for work on the page itself.
const PAGE_DIR: &str = "TURNKIT_PAGE_DIR";
/// All variables with [`PREFIX`] that do not set a key of the file.
pub(super) const VARIABLES: [&str; 4] = [API_KEY, MODEL, RECORD, PAGE_DIR];

/// Reads all variables of this process whose names and values are valid Unicode.
#[expect(clippy::disallowed_methods, reason = "the one place where the environment is read")]
pub(super) fn read() -> Environment {
    std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect()
}

/// Returns the API key for a server, from [`API_KEY`].
pub(crate) fn api_key() -> Option<String> {
    read().remove(API_KEY).filter(|key| !key.is_empty())
}

/// Returns the folders of `PATH` in which programs are looked up. Relative folders are left out, because they would
/// depend on where the server was started.
pub(super) fn search_path() -> Option<String> {
    let path = read().remove("PATH")?;
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    std::env::join_paths(folders).ok()?.into_string().ok()
}

/// Returns the folder for recordings, from [`RECORD`].
pub(super) fn record(environment: &Environment) -> Option<PathBuf> {
    environment.get(RECORD).filter(|folder| !folder.is_empty()).map(PathBuf::from)
}

/// Returns the folder of the page's files, from [`PAGE_DIR`]. A released program always offers its own page.
pub(super) fn page_folder(environment: &Environment) -> Option<PathBuf> {
    let folder = environment.get(PAGE_DIR).filter(|folder| cfg!(debug_assertions) && !folder.is_empty());
    folder.map(PathBuf::from)
}

/// Sets the keys that have variables. Lists of tables have no variables.
pub(super) fn overlay(table: &mut Table, environment: &Environment) -> Result<(), ConfigError> {
    for (name, text) in environment {
        let Some(path) = name.strip_prefix(PREFIX).filter(|path| path.contains("__")) else { continue };
        let path: Vec<String> = path.split("__").map(str::to_lowercase).collect();
        let value = text.parse::<Value>().unwrap_or_else(|_| Value::String(text.clone()));
        let mut alone = Table::new();
        set(&mut alone, &path, value.clone());
        if let Err(first) = Config::deserialize(alone) {
            // The value may be a text that looks like a number or a list.
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

/// Returns the name of the variable that sets the key at `path`.
pub(super) fn variable_of(path: &str) -> String {
    format!("{PREFIX}{}", path.replace('.', "__").to_uppercase())
}

/// A variable in a string of the file that has no usable value.
#[derive(Debug)]
pub(super) struct Missing {
    name: String,
    /// Whether the variable is set, but empty.
    is_empty: bool,
    /// The location of the string.
    span: Range<usize>,
}

impl Missing {
    pub(super) fn complaint(&self, file: &Path, text: &str) -> ConfigError {
        let string = text.get(self.span.clone()).unwrap_or_default();
        let name = format!("${{{}}}", self.name);
        let mut named = string.match_indices(&name).map(|(at, _)| at);
        let at = self.span.start + named.find(|at| !string[..*at].ends_with('$')).unwrap_or_default();
        let message = if self.is_empty {
            format!("the environment variable {} is set and empty; leave this key out if it is not needed", self.name)
        } else {
            format!("the environment variable {0} is not set; `$${{{0}}}` stands for the text itself", self.name)
        };
        ConfigError::at(file, text, Some(at..at), message)
    }
}

/// Replaces every `${NAME}` with the result of `lookup`, and every `$${NAME}` with `${NAME}`.
pub(super) fn expand<'a>(
    value: &mut Spanned<DeValue<'_>>,
    lookup: &dyn Fn(&str) -> Option<&'a str>,
) -> Result<(), Missing> {
    let span = value.span();
    match value.get_mut() {
        DeValue::String(text) => {
            *text = expanded(text, lookup).map_err(|name| Missing { name, is_empty: false, span })?.into();
            Ok(())
        }
        DeValue::Array(items) => items.iter_mut().try_for_each(|item| expand(item, lookup)),
        DeValue::Table(table) => table.iter_mut().try_for_each(|(_, item)| expand(item, lookup)),
        _ => Ok(()),
    }
}

/// Rejects a text that contains a variable and that [`expand`] would leave empty.
pub(super) fn refuse_empty<'a>(
    value: &Spanned<DeValue<'_>>,
    lookup: &dyn Fn(&str) -> Option<&'a str>,
) -> Result<(), Missing> {
    let Some(text) = value.get_ref().as_str() else { return Ok(()) };
    let is_empty = expanded(text, lookup).is_ok_and(|expanded| expanded.trim().is_empty());
    let name = text.split_once("${").and_then(|(_, after)| Some(after.split_once('}')?.0));
    match name.filter(|_| is_empty) {
        Some(name) => Err(Missing { name: name.to_owned(), is_empty, span: value.span() }),
        None => Ok(()),
    }
}

/// Rejects a variable anywhere in `value` that is set but empty.
pub(super) fn refuse_empty_variables<'a>(
    value: &Spanned<DeValue<'_>>,
    lookup: &dyn Fn(&str) -> Option<&'a str>,
) -> Result<(), Missing> {
    match value.get_ref() {
        DeValue::String(text) => {
            let filled = |name: &str| lookup(name).filter(|value| !value.trim().is_empty());
            match expanded(text, &filled) {
                Err(name) if lookup(&name).is_some() => Err(Missing { name, is_empty: true, span: value.span() }),
                _ => Ok(()),
            }
        }
        DeValue::Array(items) => items.iter().try_for_each(|item| refuse_empty_variables(item, lookup)),
        DeValue::Table(table) => table.iter().try_for_each(|(_, item)| refuse_empty_variables(item, lookup)),
        _ => Ok(()),
    }
}

/// Returns the names of the variables in the texts of `value`.
pub(super) fn names_in(value: &Spanned<DeValue<'_>>) -> Vec<String> {
    match value.get_ref() {
        DeValue::String(text) => {
            let names = RefCell::new(Vec::new());
            let record = |name: &str| {
                names.borrow_mut().push(name.to_owned());
                Some("")
            };
            // Succeeds, because each variable has a value.
            _ = expanded(text, &record);
            names.into_inner()
        }
        DeValue::Array(items) => items.iter().flat_map(names_in).collect(),
        DeValue::Table(table) => table.iter().flat_map(|(_, item)| names_in(item)).collect(),
        _ => Vec::new(),
    }
}

/// Returns the text with its variables expanded, or the name of the first variable that is not set.
fn expanded<'a>(text: &str, lookup: &dyn Fn(&str) -> Option<&'a str>) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, after)) = after.split_once('}') else { break };
        out.push_str(before);
        if before.ends_with('$') {
            out.push('{');
            out.push_str(name);
            out.push('}');
        } else {
            out.push_str(lookup(name).ok_or_else(|| name.to_owned())?);
        }
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}
