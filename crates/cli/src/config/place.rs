//! Which file, and where relative paths start.

use std::path::{Path, PathBuf};

use super::providers::from_environment;
use super::resolve::resolve;
use super::{Config, ConfigError, environment};
use crate::args::Place;

const FILE: &str = "turnkit.toml";

/// The configuration, and the folder its relative paths start at.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) config: Config,
    pub(crate) folder: PathBuf,
    /// What the user should know about where the providers come from.
    pub(crate) notices: Vec<String>,
}

/// Reads the configuration of a command.
pub(crate) fn load(place: &Place) -> Result<Resolved, ConfigError> {
    let environment = environment::read();
    let file = match &place.config {
        Some(file) => Some(file.clone()),
        None => Some(PathBuf::from(FILE)).filter(|file| file.is_file()),
    };
    let text = match &file {
        Some(file) => Some(
            std::fs::read_to_string(file)
                .map_err(|error| ConfigError::in_file(file, format!("cannot be read: {error}")))?,
        ),
        None => None,
    };
    let mut config = resolve(file.as_deref().zip(text.as_deref()), &environment)?;
    let folder = file.as_deref().and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
    for agent in &mut config.agents {
        if let Some(file) = &agent.instructions_file {
            let file = folder.join(file);
            let text = std::fs::read_to_string(&file);
            agent.instructions =
                Some(text.map_err(|error| ConfigError::in_file(&file, format!("cannot be read: {error}")))?);
        }
    }
    let mut notices = Vec::new();
    if config.providers.is_empty() {
        (config.providers, notices) = from_environment(&environment);
    }
    Ok(Resolved { config, folder, notices })
}
