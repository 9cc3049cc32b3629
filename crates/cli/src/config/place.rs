//! The configuration file, and the folder at which its relative paths start.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use turnkit_engine::Skills;
use turnkit_files::Roots;
use turnkit_net::Proxy;

use super::providers::{from_environment, idle_model};
use super::resolve::resolve;
use super::schema::Environment;
use super::source::Source;
use super::variables::meaningless;
use super::{
    AgentConfig, Api, Config, ConfigError, ProviderConfig, data, environment, prompt, proxy, run_command, shape,
    warnings,
};
use crate::place::Place;

const FILE: &str = "turnkit.toml";
/// The name of the database in a data directory.
pub(crate) const DATABASE: &str = "turnkit.db";

/// Placeholder for a secret variable in commands that contact no provider.
const UNSET: &str = "unset";

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// The configuration, and the folder at which its relative paths start.
#[derive(Debug)]
pub(crate) struct Resolved {
    /// The configuration, with at least one agent and one provider.
    pub(crate) config: Config,
    pub(crate) folder: PathBuf,
    /// Notices for the user: about defaults that replace missing settings, and settings that may not be intended.
    pub(crate) notices: Vec<String>,
    /// A notice for the user about the location of the data, if the command opens it.
    pub(crate) data_notice: Option<String>,
    /// The data directory, unless `--data` or `store.url` sets another one. `None` if the user has no home folder.
    pub(crate) data: Option<PathBuf>,
    /// The proxy for connections to providers, tools and the identity provider.
    pub(crate) proxy: Option<Proxy>,
    /// The folder in which exchanges with providers are recorded.
    pub(crate) record: Option<PathBuf>,
    /// The folder from which the page is read instead of the program. Only debug builds have one.
    pub(crate) page_folder: Option<PathBuf>,
    /// The origin of the settings.
    pub(crate) source: Source,
}

/// Reads the configuration of a command.
pub(crate) fn load(place: &Place) -> Result<Resolved, ConfigError> {
    read_all(place, None)
}

/// Reads the configuration of a command that contacts no provider. Variables that are sent only to providers may be
/// missing.
pub(crate) fn load_without_keys(place: &Place) -> Result<Resolved, ConfigError> {
    read_all(place, Some(UNSET))
}

fn read_all(place: &Place, unset: Option<&str>) -> Result<Resolved, ConfigError> {
    let environment = environment::read();
    let file = place.config.clone().or_else(|| Some(PathBuf::from(FILE)).filter(|file| is_there(file)));
    let folder = file.as_deref().and_then(Path::parent).map(Path::to_owned).unwrap_or_default();
    let file = file.map(|file| read(&file).map(|text| (file, text))).transpose()?;
    let source = Source::new(file, &environment);
    let mut config = resolve(&source, &environment, unset)?;
    read_files(&mut config, &folder, &source)?;
    let record = environment::record(&environment);
    let secrets = source.file().map(|(file, _)| file).into_iter().chain(record.as_deref());
    let credentials = |provider: &ProviderConfig| Some(folder.join(provider.credentials.as_ref()?));
    let credentials: Vec<PathBuf> = config.providers.iter().filter_map(credentials).collect();
    let found = find_roots(&config.files.roots, &folder, &source)?;
    let secrets: Vec<&Path> = secrets.chain(credentials.iter().map(PathBuf::as_path)).collect();
    let found = secrets.iter().copied().fold(found, Roots::without);
    config.files.found_roots = if config.files.untrusted { found.untrusted() } else { found };
    let mut notices = meaningless(&source, &environment);
    if let Some(run) = &mut config.tools.run_command {
        notices.extend(run_command::find(run, &folder, &secrets, &source)?);
    }
    run_command::check_programs(&config, &folder, &source)?;
    notices.extend(warnings::of_tools(&config, &folder, &source));
    notices.extend(fill_in(&mut config, &environment)?);
    notices.extend(
        record.as_deref().map(|folder| {
            format!("TURNKIT_RECORD is set: exchanges with providers are recorded in {}", folder.display())
        }),
    );
    let (data, data_notice) = match source.file() {
        Some(_) => data::beside(&folder, DATABASE),
        None => data::without_file(DATABASE),
    };
    let data_notice = data_notice.filter(|_| place.data.is_none() && config.store.url.is_none());
    let is_asked = |provider: &ProviderConfig| unset.is_none() && provider.api != Some(Api::Offline);
    let are_tools_asked = !config.tools.http.is_empty() || !config.mcp.is_empty();
    let are_others_asked = are_tools_asked || config.auth.mode.accepts_tokens();
    let is_any_asked = config.providers.iter().any(is_asked) || (unset.is_none() && are_others_asked);
    let proxy = is_any_asked.then(|| proxy::from_environment(&environment)).transpose()?.flatten();
    let page_folder = environment::page_folder(&environment);
    Ok(Resolved { config, folder, notices, data_notice, data, proxy, record, page_folder, source })
}

/// Reports whether a file of this name exists, even if it cannot be read.
fn is_there(file: &Path) -> bool {
    !matches!(file.symlink_metadata(), Err(error) if error.kind() == ErrorKind::NotFound)
}

/// Reads the files that agents and prompts refer to.
fn read_files(config: &mut Config, folder: &Path, source: &Source) -> Result<(), ConfigError> {
    for (index, selectable) in config.prompts.iter_mut().enumerate() {
        let Some(file) = selectable.file.as_ref().map(|file| folder.join(file)) else { continue };
        let unusable = |why| format!("prompt `{}`: {}: {why}", selectable.name, file.display());
        let text = read_text(&file);
        let text = text.map_err(|why| source.complaint(&format!("prompts.{index}.file"), unusable(why)))?;
        selectable.prompt = Some(prompt::read(&text).map_err(|why| ConfigError::in_file(&file, why))?);
    }
    for (index, agent) in config.agents.iter_mut().enumerate() {
        let name = &agent.name;
        let read = |key: &str, file: &Path| {
            let unusable = |why| format!("agent `{name}`: {}: {why}", file.display());
            read_text(file).map_err(|why| source.complaint(&format!("agents.{index}.{key}"), unusable(why)))
        };
        if let Some(file) = agent.instructions_file.as_ref().map(|file| folder.join(file)) {
            let text = read("instructions_file", &file)?;
            agent.prompt = Some(prompt::read(&text).map_err(|why| ConfigError::in_file(&file, why))?);
            agent.instructions = Some(text);
        }
        if let Some(skills) = &agent.skills {
            let unusable = |why| format!("agent `{name}`: {why}");
            let skills = Skills::new(folder.join(skills));
            let skills = skills.map_err(|why| source.complaint(&format!("agents.{index}.skills"), unusable(why)));
            agent.found_skills = Some(skills?);
        }
        if let Some(file) = agent.output_schema_file.as_ref().map(|file| folder.join(file)) {
            let shape = shape::read(&read("output_schema_file", &file)?);
            agent.shape = Some(shape.map_err(|why| ConfigError::in_file(&file, why))?);
        }
    }
    Ok(())
}

/// Resolves the folders whose files turns may name.
fn find_roots(roots: &[PathBuf], folder: &Path, source: &Source) -> Result<Roots, ConfigError> {
    let find = |found: Roots, (index, root): (usize, &PathBuf)| {
        let root = folder.join(root);
        let unusable = |error| format!("files.roots: {}: {error}; list folders that may be read", root.display());
        found.with(&root).map_err(|error| source.complaint(&format!("files.roots.{index}"), unusable(error)))
    };
    roots.iter().enumerate().try_fold(Roots::default(), find)
}

/// Fills in defaults and returns notices for the user.
fn fill_in(config: &mut Config, environment: &Environment) -> Result<Vec<String>, ConfigError> {
    if config.agents.is_empty() {
        config.agents.push(AgentConfig::default());
    }
    if !config.providers.is_empty() {
        return Ok(idle_model(environment, None).into_iter().collect());
    }
    let (provider, notice) = from_environment(environment)?;
    let idle = idle_model(environment, Some(&provider));
    config.providers.push(provider);
    Ok(std::iter::once(notice).chain(idle).collect())
}

fn read(file: &Path) -> Result<String, ConfigError> {
    read_text(file).map_err(|why| ConfigError::in_file(file, why))
}

/// Reads the text of a file. The error says why it cannot be used.
fn read_text(file: &Path) -> Result<String, String> {
    if file.is_dir() {
        return Err("is a folder, not a file".to_owned());
    }
    let mut text = String::new();
    let opened = File::open(file).and_then(|opened| opened.take(MAX_BYTES + 1).read_to_string(&mut text));
    opened.map_err(|error| format!("cannot be read: {error}"))?;
    if text.len() as u64 > MAX_BYTES {
        return Err(format!("larger than {MAX_BYTES} bytes"));
    }
    Ok(text)
}
