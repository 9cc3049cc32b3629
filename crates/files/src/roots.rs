//! Folders of this machine whose files turns may name.

mod looking;
mod places;
mod writing;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::{Component, Path, PathBuf, absolute};
use std::sync::Arc;

use crate::secrets::{PRIVATE, Secrets, is_private, names};
use crate::text_file::off_thread;

/// The reason for the client why a path leads to nothing.
const ABSENT: &str = "no folder of `files.roots` has it";
/// The reason for the client why no folder can have a path.
const OUTSIDE: &str = "it is not in a folder of `files.roots`";
/// The longest path that is looked for, in bytes.
const PATH_BYTES: usize = 4096;

/// Folders of this machine whose files turns may name. A file is opened name by name, and no name may be a link or `..`, so that
/// neither a path nor a change at the same time leads out. `.git` and names that begin with `.env` can be neither read nor
/// written, nor can files with a second name (a hard link).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Roots {
    folders: Vec<Root>,
    /// Files and folders that are never read.
    secrets: Vec<PathBuf>,
    untrusted: bool,
}

/// One of the folders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// Its absolute path as the operator wrote it; its path without links if that has `..`, which no path of a call may have.
    written: PathBuf,
    /// Its path without links.
    real: PathBuf,
}

/// A file of one of the folders, open for reading.
#[derive(Debug)]
pub struct RootFile(File);

impl Roots {
    /// Adds a folder. A relative path is looked for in the folders in the order in which they were added.
    ///
    /// # Errors
    /// There is no such folder, or it is the whole file system, in which processes and devices are files too.
    pub fn with(mut self, folder: &Path) -> io::Result<Self> {
        let (written, real) = (absolute(folder)?, folder.canonicalize()?);
        let root = Root { written: if has_parent(&written) { real.clone() } else { written }, real };
        if !root.real.is_dir() {
            return Err(ErrorKind::NotADirectory.into());
        }
        if root.real.parent().is_none() {
            return Err(io::Error::other("it is the whole file system"));
        }
        self.folders.push(root);
        Ok(self)
    }

    /// Excludes a file, or a folder with all that is in it, wherever it is.
    #[must_use]
    pub fn without(mut self, secret: &Path) -> Self {
        self.secrets.push(absolute(secret).unwrap_or_else(|_| secret.to_owned()));
        self
    }

    /// Says that others write these files: names and contents are text from outside, which may tell a model to do what the user
    /// does not want.
    #[must_use]
    pub fn untrusted(self) -> Self {
        Self { untrusted: true, ..self }
    }

    /// Reports whether names and contents are text from outside.
    pub fn are_untrusted(&self) -> bool {
        self.untrusted
    }

    /// Returns the first folder that is `folder` or in it.
    pub fn folder_in(&self, folder: &Path) -> Option<&Path> {
        let folder = folder.canonicalize().ok()?;
        self.folders.iter().map(|root| root.real.as_path()).find(|root| root.starts_with(&folder))
    }

    /// Returns the path from its folder to what `path` names, in the same form however it is written, or the reason why nothing
    /// has this name, for the client. The file need not be there.
    pub fn path_beneath(&self, path: &str) -> Result<String, String> {
        let path = checked(path)?;
        let names = self.folders.iter().find_map(|root| root.names_beneath(path));
        let names = names.ok_or_else(|| OUTSIDE.to_owned())?;
        let names: Vec<_> = names.into_iter().map(OsStr::to_string_lossy).collect();
        Ok(if names.is_empty() { ".".to_owned() } else { names.join("/") })
    }

    /// Opens a file, or returns the reason why it is not opened, for the client.
    pub async fn file(self: &Arc<Self>, path: &str) -> Result<RootFile, String> {
        let (roots, path) = (Arc::clone(self), path.to_owned());
        let opened = off_thread(move || roots.open(&path, Secrets::open_file)).await;
        opened.unwrap_or_else(|error| Err(error.to_string())).map(RootFile)
    }

    /// Returns the folders in the order in which they were added.
    pub fn folders(&self) -> impl Iterator<Item = &Root> {
        self.folders.iter()
    }

    /// Opens what `path` names, in the first folder that has it.
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
    /// Returns its absolute path, which calls may name.
    pub fn path(&self) -> &Path {
        &self.written
    }

    /// Returns its absolute path without links.
    pub fn real_path(&self) -> &Path {
        &self.real
    }

    /// The names that lead from the folder to `path`; `None` if an absolute path does not begin with it.
    fn names_beneath<'a>(&self, path: &'a Path) -> Option<Vec<&'a OsStr>> {
        let beneath = match path.has_root() {
            true => path.strip_prefix(&self.written).or_else(|_| path.strip_prefix(&self.real)).ok()?,
            false => path,
        };
        Some(names(beneath).collect())
    }
}

impl RootFile {
    /// Reads the content; `None` if it is longer than `limit` bytes.
    pub async fn read(self, limit: u64) -> io::Result<Option<Vec<u8>>> {
        off_thread(move || self.content(limit)).await.unwrap_or_else(|error| Err(io::Error::other(error)))
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
        Err("it is empty".to_owned())
    } else if path.len() > PATH_BYTES {
        Err(format!("it is longer than {PATH_BYTES} bytes"))
    } else if path.chars().any(char::is_control) {
        Err("it holds a control character".to_owned())
    } else if has_parent(checked) {
        Err("`..` is not allowed in it".to_owned())
    } else {
        Ok(checked)
    }
}

fn has_parent(path: &Path) -> bool {
    path.components().any(|component| component == Component::ParentDir)
}

/// The reason for the client.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "it is not there".to_owned(),
        ErrorKind::NotADirectory => "a name in it is no folder".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        ErrorKind::PermissionDenied => "the server may not read it".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests;
