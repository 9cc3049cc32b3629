//! Files and folders that turns never read, and how all others are opened.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use cap_fs_ext::{DirExt as _, FollowSymlinks, MetadataExt as _, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};

/// The reason for the client why a secret is not read.
pub(crate) const PRIVATE: &str = "it is private";
/// The reason for the client why a link is not opened.
const LINK: &str = "links are not followed: name what it leads to";

/// Files and folders that are never read, as they are now.
#[derive(Debug, Default)]
pub(crate) struct Secrets(Vec<Secret>);

/// A file or a folder that is never read. Its identity is absent while an editor replaces it.
type Secret = (PathBuf, Option<Identity>);

/// A file or a folder, whatever its names.
type Identity = (u64, u64);

impl Secrets {
    /// Finds the secrets at these paths.
    pub(crate) fn at(paths: &[PathBuf]) -> Self {
        let found = paths.iter().filter_map(|path| {
            let (folder, name) = (path.parent()?, path.file_name()?);
            let path = path.canonicalize().or_else(|_| Ok::<_, io::Error>(folder.canonicalize()?.join(name))).ok()?;
            let folder = Dir::open_ambient_dir(path.parent()?, ambient_authority());
            let metadata = folder.and_then(|folder| folder.symlink_metadata(path.file_name().unwrap_or_default()));
            Some((path, metadata.ok().map(|metadata| identity(&metadata))))
        });
        Self(found.collect())
    }

    /// Opens a regular file beneath `folder`, name by name. None of them, nor of the folder's own, may be a link.
    pub(crate) fn open_file(&self, folder: &Path, names: &[&OsStr]) -> io::Result<File> {
        self.check_path(folder, names)?;
        let Some((name, parents)) = names.split_last() else { return Err(ErrorKind::IsADirectory.into()) };
        self.open_file_in(&self.open_folder(folder, parents)?, name)
    }

    /// Opens the regular file of this name in `folder`. It may not be a link.
    pub(crate) fn open_file_in(&self, folder: &Dir, name: &OsStr) -> io::Result<File> {
        let mut options = OpenOptions::new();
        // A pipe is opened and refused, where opening it would wait for its writer.
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = folder.open_with(name, &options).map_err(|error| explained(folder, name, error))?;
        self.checked_file(file.metadata()?)?;
        Ok(file.into_std())
    }

    /// Refuses what is no regular file, has a second name, or is a secret.
    pub(crate) fn checked_file(&self, metadata: Metadata) -> io::Result<Metadata> {
        let metadata = self.checked(metadata)?;
        match (metadata.is_file(), metadata.nlink()) {
            (true, 0 | 1) => Ok(metadata),
            (true, _) => Err(io::Error::other("it has more than one name (hard links): copy it")),
            (false, _) if metadata.is_dir() => Err(ErrorKind::IsADirectory.into()),
            (false, _) if metadata.is_symlink() => Err(io::Error::other(LINK)),
            (false, _) => Err(io::Error::other("it is not a regular file")),
        }
    }

    /// Opens a folder beneath `folder`, name by name. None of them, nor of the folder's own, may be a link.
    pub(crate) fn open_folder(&self, folder: &Path, below: &[&OsStr]) -> io::Result<Dir> {
        self.check_path(folder, below)?;
        let top = folder.ancestors().last().unwrap_or(folder);
        let mut opened = Dir::open_ambient_dir(top, ambient_authority())?;
        for name in names(folder).chain(below.iter().copied()) {
            opened = self.enter(&opened, name)?;
        }
        Ok(opened)
    }

    /// Opens the folder of this name in `folder`. It may not be a link.
    pub(crate) fn enter(&self, folder: &Dir, name: &OsStr) -> io::Result<Dir> {
        let entered = folder.open_dir_nofollow(name).map_err(|error| explained(folder, name, error))?;
        self.checked(entered.dir_metadata()?)?;
        Ok(entered)
    }

    /// Refuses the path of a secret, whichever file has it when it is opened, because an editor may be replacing that file.
    pub(crate) fn check_path(&self, folder: &Path, below: &[&OsStr]) -> io::Result<()> {
        let path: PathBuf = [folder.as_os_str()].iter().chain(below).collect();
        match self.0.iter().any(|(secret, _)| path.starts_with(secret)) {
            true => Err(io::Error::other(PRIVATE)),
            false => Ok(()),
        }
    }

    /// Refuses what is a secret by another path, such as one that differs in capitals.
    fn checked(&self, metadata: Metadata) -> io::Result<Metadata> {
        match self.0.iter().any(|(_, secret)| *secret == Some(identity(&metadata))) {
            true => Err(io::Error::other(PRIVATE)),
            false => Ok(metadata),
        }
    }
}

/// Reports whether files and folders of this name are never read. Some file systems take `.Git`, `.git.`, `.git:` and `GIT~1`
/// for `.git`, or skip characters that cannot be seen.
pub(crate) fn is_private(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase().replace(|character: char| !character.is_ascii(), "");
    name.trim_end_matches(['.', ' ']) == ".git"
        || [".git:", "git~", ".env", "env~"].iter().any(|it| name.starts_with(it))
}

/// The names of folders and files that a path holds.
pub(crate) fn names(path: &Path) -> impl Iterator<Item = &OsStr> {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name),
        _ => None,
    })
}

fn identity(metadata: &Metadata) -> Identity {
    (metadata.dev(), metadata.ino())
}

/// Names the link, if one was not followed. Systems report that as different errors.
fn explained(folder: &Dir, name: &OsStr, error: io::Error) -> io::Error {
    match folder.symlink_metadata(name) {
        Ok(metadata) if metadata.is_symlink() => io::Error::other(LINK),
        _ => error,
    }
}
