//! The origin of settings: a line of the file, or an environment variable.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::ConfigError;
use super::environment::variable_of;
use super::schema::Environment;

/// The file and the variables from which a configuration was read.
#[derive(Debug, Default)]
pub(crate) struct Source {
    file: Option<(PathBuf, String)>,
    /// The names of the environment variables. Their values may be secret, so they are not kept.
    variables: BTreeSet<String>,
}

impl Source {
    pub(super) fn new(file: Option<(PathBuf, String)>, environment: &Environment) -> Self {
        Self { file, variables: environment.keys().cloned().collect() }
    }

    /// Returns the path of the file and its text.
    pub(crate) fn file(&self) -> Option<(&Path, &str)> {
        self.file.as_ref().map(|(path, text)| (path.as_path(), text.as_str()))
    }

    /// Returns an error about the setting at `path`, such as `store.url` or `agents.0.tools.2`.
    pub(crate) fn complaint(&self, path: &str, message: impl Into<String>) -> ConfigError {
        let variable = variable_of(path);
        if self.variables.contains(&variable) {
            return ConfigError::in_variable(&variable, message);
        }
        match self.file() {
            Some((file, text)) => ConfigError::at(file, text, span_of(text, path), message),
            None => ConfigError::in_file(Path::new("configuration"), message),
        }
    }
}

/// Returns the location of the setting at `path` in `text`, or of its nearest existing parent.
fn span_of(text: &str, path: &str) -> Option<Range<usize>> {
    let table = DeTable::parse(text).ok()?;
    let mut steps = path.split('.');
    let mut at: &Spanned<DeValue<'_>> = table.get_ref().get(steps.next()?)?;
    for step in steps {
        let inner = match step.parse::<usize>() {
            Ok(index) => at.get_ref().get(index),
            Err(_) => at.get_ref().get(step),
        };
        let Some(inner) = inner else { break };
        at = inner;
    }
    Some(at.span())
}
