//! Folders of the host whose files turns may name.

mod looking;
mod places;
mod writing;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::{Component, Path, PathBuf, absolute};
use std::sync::Arc;

use crate::secrets::{PRIVATE, Secrets, is_private, names};
use crate::text_file::run_blocking;

/// The error for a path that no folder contains, as sent to the client.
const ABSENT: &str = "not found in any folder of `files.roots`";
/// The error for a path that cannot be in any folder, as sent to the client.
const OUTSIDE: &str = "not in a folder of `files.roots`";
/// The longest accepted path, in bytes.
const PATH_BYTES: usize = 4096;

/// Folders of the host whose files turns may name.
///
/// Files are opened one path component at a time, and no component may be a link or `..`, so neither a path nor a
/// concurrent change leads out of a folder. Names that are `.git` or begin with `.env` can be neither read nor written,
/// nor can files with a second name (a hard link).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Roots {
    folders: Vec<Root>,
    /// Files and folders that are excluded from reading.
    secrets: Vec<PathBuf>,
    untrusted: bool,
}

/// A folder of [`Roots`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// The absolute path as the operator wrote it. If that contains `..`, which no path of a call may contain, this is
    /// the path without links.
    written: PathBuf,
    /// The absolute path without links.
    real: PathBuf,
}

/// A file of one of the folders, open for reading.
#[derive(Debug)]
pub struct RootFile(File);

impl Roots {
    /// Adds a folder. A relative path is resolved against the folders in the order in which they were added.
    ///
    /// # Errors
    /// The folder does not exist, or it is the root of the file system, which also holds processes and devices as
    /// files.
    pub fn with(mut self, folder: &Path) -> io::Result<Self> {
        let (written, real) = (absolute(folder)?, folder.canonicalize()?);
        let root = Root { written: if has_parent(&written) { real.clone() } else { written }, real };
        if !root.real.is_dir() {
            return Err(ErrorKind::NotADirectory.into());
        }
        if root.real.parent().is_none() {
            return Err(io::Error::other("is the whole file system"));
        }
        self.folders.push(root);
        Ok(self)
    }

    /// Excludes a file, or a folder with all its contents, wherever it is.
    #[must_use]
    pub fn without(mut self, secret: &Path) -> Self {
        self.secrets.push(absolute(secret).unwrap_or_else(|_| secret.to_owned()));
        self
    }

    /// Marks the names and contents of these files as untrusted text, which may instruct a model to act against the
    /// user.
    #[must_use]
    pub fn untrusted(self) -> Self {
        Self { untrusted: true, ..self }
    }

    /// Reports whether file names and contents are untrusted text.
    pub fn are_untrusted(&self) -> bool {
        self.untrusted
    }

    /// Returns the first of these folders that is `folder` or lies within it.
    pub fn folder_in(&self, folder: &Path) -> Option<&Path> {
        let folder = folder.canonicalize().ok()?;
        self.folders.iter().map(|root| root.real.as_path()).find(|root| root.starts_with(&folder))
    }

    /// Returns the path of `path` relative to its folder, in the same form however it is written. The file need not
    /// exist. If no folder can contain the path, returns the reason for the client.
    pub fn path_beneath(&self, path: &str) -> Result<String, String> {
        let path = checked(path)?;
        let names = self.folders.iter().find_map(|root| root.names_beneath(path));
        let names = names.ok_or_else(|| OUTSIDE.to_owned())?;
        let names: Vec<_> = names.into_iter().map(OsStr::to_string_lossy).collect();
        Ok(if names.is_empty() { ".".to_owned() } else { names.join("/") })
    }

    /// Opens a file. If it cannot be opened, returns the reason for the client.
    pub async fn file(self: &Arc<Self>, path: &str) -> Result<RootFile, String> {
        let (roots, path) = (Arc::clone(self), path.to_owned());
        let opened = run_blocking(move || roots.open(&path, Secrets::open_file)).await;
        opened.unwrap_or_else(|error| Err(error.to_string())).map(RootFile)
    }

    /// Returns the folders in the order in which they were added.
    pub fn folders(&self) -> impl Iterator<Item = &Root> {
        self.folders.iter()
    }

    /// Opens `path` in the first folder that contains it.
    fn open<T>(&self, path: &str, open: impl Fn(&Secrets, &Path, &[&OsStr]) -> io::Result<T>) -> Result<T, String> {
        let path = checked(path)?;
        if self.folders.is_empty() {
            return Err("no folder may be read: the operator lists folders in `files.roots`".to_owned());
        }
        let secrets = Secrets::at(&self.secrets);
        let (mut is_beneath, mut why) = (false, None);
        for folder in &self.folders {
            let Some(names) = folder.names_beneath(path) else { continue };
            is_beneath = true;
            if names.iter().any(|name| is_private(name)) {
                return Err(PRIVATE.to_owned());
            }
            match open(&secrets, &folder.real, &names) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) if error.kind() == ErrorKind::NotADirectory => why = Some(reason(&error)),
                opened => return opened.map_err(|error| reason(&error)),
            }
        }
        let absent = if is_beneath { ABSENT } else { OUTSIDE };
        Err(why.unwrap_or_else(|| absent.to_owned()))
    }
}

impl Root {
    /// Returns the absolute path, which calls may name.
    pub fn path(&self) -> &Path {
        &self.written
    }

    /// Returns the absolute path without links.
    pub fn real_path(&self) -> &Path {
        &self.real
    }

    /// Returns the path components from the folder to `path`; `None` if `path` is absolute and not beneath the folder.
    fn names_beneath<'a>(&self, path: &'a Path) -> Option<Vec<&'a OsStr>> {
        let beneath = match path.has_root() {
            true => path.strip_prefix(&self.written).or_else(|_| path.strip_prefix(&self.real)).ok()?,
            false => path,
        };
        Some(names(beneath).collect())
    }
}

impl RootFile {
    /// Reads the content. Returns `None` if it is longer than `limit` bytes.
    pub async fn read(self, limit: u64) -> io::Result<Option<Vec<u8>>> {
        run_blocking(move || self.content(limit)).await.unwrap_or_else(|error| Err(io::Error::other(error)))
    }

    fn content(self, limit: u64) -> io::Result<Option<Vec<u8>>> {
        let mut content = Vec::new();
        self.0.take(limit.saturating_add(1)).read_to_end(&mut content)?;
        Ok((content.len() as u64 <= limit).then_some(content))
    }
}

fn checked(path: &str) -> Result<&Path, String> {
    let checked = Path::new(path);
    if path.trim().is_empty() {
        Err("must not be empty".to_owned())
    } else if path.len() > PATH_BYTES {
        Err(format!("must be at most {PATH_BYTES} bytes"))
    } else if path.chars().any(char::is_control) {
        Err("contains a control character".to_owned())
    } else if has_parent(checked) {
        Err("must not contain `..`".to_owned())
    } else {
        Ok(checked)
    }
}

fn has_parent(path: &Path) -> bool {
    path.components().any(|component| component == Component::ParentDir)
}

/// Returns the error message for the client.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "not found".to_owned(),
        ErrorKind::NotADirectory => "a component of the path is not a folder".to_owned(),
        ErrorKind::IsADirectory => "is a folder".to_owned(),
        ErrorKind::PermissionDenied => "the server has no permission to read it".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
