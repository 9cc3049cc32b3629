//! The sandbox for programs that a model chooses. A process that enters it is restricted for good, together with all
//! programs that it executes or starts.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod limits;

use std::path::{Component, Path, PathBuf, absolute};

/// The folders that a sandbox gives access to, in addition to the programs and libraries of the system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sandbox {
    /// Folders whose files may be read, run and changed.
    pub(crate) roots: Vec<PathBuf>,
    /// Folders whose files may be read and run.
    pub(crate) readable: Vec<PathBuf>,
}

impl Sandbox {
    /// Returns the folder that makes `path`, or a file in it, readable in the sandbox.
    pub(crate) fn exposes(&self, path: &Path) -> Option<&Path> {
        let path = resolved(path);
        let folders = self.roots.iter().chain(&self.readable).map(PathBuf::as_path);
        let mut folders = folders.chain(system_folders().iter().map(Path::new));
        folders.find(|folder| path.starts_with(folder) || folder.starts_with(&path))
    }

    /// Returns the folder that lets a program in the sandbox replace the target of `path`: the folder contains the
    /// target, or a link or folder on the way to it.
    pub(crate) fn lets_change(&self, path: &Path) -> Option<&Path> {
        let path = absolute(path).unwrap_or_else(|_| path.to_owned());
        let places: Vec<PathBuf> = path.ancestors().map(resolved).collect();
        let mut roots = self.roots.iter().map(PathBuf::as_path);
        roots.find(|root| places.iter().any(|place| place.starts_with(root)))
    }
}

/// Returns the absolute path without links, in the form in which the sandbox stores folders. Components that do not
/// exist yet are assumed not to be links.
pub(crate) fn resolved(path: &Path) -> PathBuf {
    let path = absolute(path).unwrap_or_else(|_| path.to_owned());
    let found = |there: &Path| Some((there.canonicalize().ok()?, path.strip_prefix(there).ok()?.to_owned()));
    let Some((mut resolved, missing)) = path.ancestors().find_map(found) else { return path };
    for component in missing.components() {
        match component {
            Component::ParentDir => _ = resolved.pop(),
            component => resolved.push(component),
        }
    }
    resolved
}

#[cfg(target_os = "linux")]
fn system_folders() -> &'static [&'static str] {
    files::SYSTEM
}

#[cfg(not(target_os = "linux"))]
fn system_folders() -> &'static [&'static str] {
    &[]
}

/// Returns the reason why no program can run in a sandbox on this machine, or `None` if programs can.
#[cfg(target_os = "linux")]
pub(crate) fn unavailable() -> Option<String> {
    files::check().and_then(|()| calls::check()).err()
}

/// Returns the reason why no program can run in a sandbox on this machine.
#[cfg(not(target_os = "linux"))]
pub(crate) fn unavailable() -> Option<String> {
    Some("only Linux has the sandbox".to_owned())
}

#[cfg(target_os = "linux")]
impl Sandbox {
    /// Restricts this process irrevocably. The process must have a single thread.
    ///
    /// # Errors
    /// A restriction failed, which the error names. The process must exit then.
    pub(crate) fn enter(&self) -> Result<(), String> {
        limits::set()?;
        files::restrict(self)?;
        calls::restrict()
    }
}
