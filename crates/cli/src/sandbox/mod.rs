//! The sandbox of programs that a model chooses: what a process may do once it has entered it, with all programs that it then
//! becomes or starts.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;
#[cfg(target_os = "linux")]
mod limits;

use std::path::{Component, Path, PathBuf, absolute};

/// What a sandbox gives access to, besides the programs and libraries of the system.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Sandbox {
    /// Folders whose files may be read, run and changed.
    pub(crate) roots: Vec<PathBuf>,
    /// Folders whose files may be read and run.
    pub(crate) readable: Vec<PathBuf>,
}

impl Sandbox {
    /// Returns the folder through which the file or folder at `path`, or a part of it, could be read in the sandbox.
    pub(crate) fn exposes(&self, path: &Path) -> Option<&Path> {
        let path = resolved(path);
        let folders = self.roots.iter().chain(&self.readable).map(PathBuf::as_path);
        let mut folders = folders.chain(system_folders().iter().map(Path::new));
        folders.find(|folder| path.starts_with(folder) || folder.starts_with(&path))
    }

    /// Returns the folder through which the file or folder that `path` leads to could become another one in the sandbox: it,
    /// or a link or folder on the way to it, is in there.
    pub(crate) fn lets_change(&self, path: &Path) -> Option<&Path> {
        let path = absolute(path).unwrap_or_else(|_| path.to_owned());
        let places: Vec<PathBuf> = path.ancestors().map(resolved).collect();
        let mut roots = self.roots.iter().map(PathBuf::as_path);
        roots.find(|root| places.iter().any(|place| place.starts_with(root)))
    }
}

/// A path from the root without links, as folders in the sandbox are. What is not there yet will be made without any.
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

/// Returns why no program can run in a sandbox here. `None` if one can.
#[cfg(target_os = "linux")]
pub(crate) fn unavailable() -> Option<String> {
    files::check().and_then(|()| calls::check()).err()
}

/// Returns why no program can run in a sandbox here.
#[cfg(not(target_os = "linux"))]
pub(crate) fn unavailable() -> Option<String> {
    Some("only Linux has the sandbox".to_owned())
}

#[cfg(target_os = "linux")]
impl Sandbox {
    /// Puts this process into the sandbox for good. It must have one thread.
    ///
    /// # Errors
    /// Says what could not be restricted. The process must end then.
    pub(crate) fn enter(&self) -> Result<(), String> {
        limits::set()?;
        files::restrict(self)?;
        calls::restrict()
    }
}
