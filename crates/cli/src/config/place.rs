//! Which file, and where relative paths start.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use super::providers::from_environment;
use super::resolve::resolve;
use super::schema::Environment;
use super::source::Source;
use super::{AgentConfig, Config, ConfigError, environment, shape};
use crate::args::Place;

const FILE: &str = "turnkit.toml";

/// What stands for a variable that only a provider is told, where nobody asks one.
const UNSET: &str = "unset";

/// The longest file that is read, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// The configuration, and the folder its relative paths start at.
#[derive(Debug)]
pub(crate) struct Resolved {
    /// At least one agent and one provider are in it.
    pub(crate) config: Config,
    pub(crate) folder: PathBuf,
    /// What the user should know about what nobody said in the file.
    pub(crate) notices: Vec<String>,
    /// Where exchanges with providers are to be recorded.
    pub(crate) record: Option<PathBuf>,
    /// Where its settings were said.
    pub(crate) source: Source,
}

/// Reads the configuration of a command.
pub(crate) fn load(place: &Place) -> Result<Resolved, ConfigError> {
    read_all(place, None)
}

/// Reads the configuration of a command that asks no provider: variables that only those are told may be missing.
pub(crate) fn load_without_keys(place: &Place) -> Result<Resolved, ConfigError> {
    read_all(place, Some(UNSET))
}

fn read_all(place: &Place, unset: Option<&str>) -> Result<Resolved, ConfigError> {
    let environment = environment::read();
    let file = match &place.config {
        Some(file) => Some(file.clone()),
        None => Some(PathBuf::from(FILE)).filter(|file| file.is_file()),
    };
    let folder = file.as_deref().and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
    let file = file.map(|file| read(&file).map(|text| (file, text))).transpose()?;
    let source = Source::new(file, &environment);
    let mut config = resolve(&source, &environment, unset)?;
    read_files(&mut config, &folder)?;
    let mut notices = fill_in(&mut config, &environment)?;
    let record = environment::record(&environment);
    notices.extend(record.as_deref().map(|folder| {
        format!("TURNKIT_RECORD is set: what is said to providers and by them is recorded in {}", folder.display())
    }));
    Ok(Resolved { config, folder, notices, record, source })
}

/// Reads what is said of agents in files of their own.
fn read_files(config: &mut Config, folder: &Path) -> Result<(), ConfigError> {
    for agent in &mut config.agents {
        if let Some(file) = &agent.instructions_file {
            agent.instructions = Some(read(&folder.join(file))?);
        }
        if let Some(file) = agent.output_schema_file.as_ref().map(|file| folder.join(file)) {
            let shape = shape::read(&read(&file)?);
            agent.shape = Some(shape.map_err(|why| ConfigError::in_file(&file, why))?);
        }
    }
    Ok(())
}

/// Puts in what nobody configured, and gives what the user should know about it.
fn fill_in(config: &mut Config, environment: &Environment) -> Result<Vec<String>, ConfigError> {
    if config.agents.is_empty() {
        config.agents.push(AgentConfig::default());
    }
    if !config.providers.is_empty() {
        return Ok(Vec::new());
    }
    let (provider, notice) = from_environment(environment)?;
    config.providers.push(provider);
    Ok(vec![notice])
}

fn read(file: &Path) -> Result<String, ConfigError> {
    let mut text = String::new();
    let opened = File::open(file).and_then(|opened| opened.take(MAX_BYTES + 1).read_to_string(&mut text));
    opened.map_err(|error| ConfigError::in_file(file, format!("cannot be read: {error}")))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(ConfigError::in_file(file, format!("it is longer than {MAX_BYTES} bytes")));
    }
    Ok(text)
}
