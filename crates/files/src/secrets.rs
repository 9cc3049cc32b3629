//! Files and folders that turns never read, and the checks for opening all others.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use cap_fs_ext::{DirExt as _, FollowSymlinks, MetadataExt as _, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata, OpenOptions};

/// The error for a path that is a secret, as sent to the client.
pub(crate) const PRIVATE: &str =
    "access denied: files such as .git and .env, and the server's own files, are never read or written";
/// The error for a path that contains a link, as sent to the client.
const LINK: &str = "links are not followed: name the target of the link";

/// A snapshot of the files and folders that are never read.
#[derive(Debug, Default)]
pub(crate) struct Secrets(Vec<Secret>);

/// The path and identity of a file or a folder that is never read. The identity is `None` while an editor replaces the
/// file.
type Secret = (PathBuf, Option<Identity>);

/// The identity of a file or a folder, independent of its name: device and inode.
type Identity = (u64, u64);

impl Secrets {
    /// Resolves these paths and reads the identities of their files.
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

    /// Opens a regular file beneath `folder`, one path component at a time. No component may be a link, including those
    /// of `folder` itself.
    pub(crate) fn open_file(&self, folder: &Path, names: &[&OsStr]) -> io::Result<File> {
        self.check_path(folder, names)?;
        let Some((name, parents)) = names.split_last() else { return Err(ErrorKind::IsADirectory.into()) };
        self.open_file_in(&self.open_folder(folder, parents)?, name)
    }

    /// Opens the regular file of this name in `folder`. It may not be a link.
    pub(crate) fn open_file_in(&self, folder: &Dir, name: &OsStr) -> io::Result<File> {
        let mut options = OpenOptions::new();
        // With `nonblock`, a pipe is opened and then rejected; without it, opening a pipe would wait for a writer.
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        let file = folder.open_with(name, &options).map_err(|error| explained(folder, name, error))?;
        self.checked_file(file.metadata()?)?;
        Ok(file.into_std())
    }

    /// Rejects a file that is not regular, has a second name, or is a secret.
    pub(crate) fn checked_file(&self, metadata: Metadata) -> io::Result<Metadata> {
        let metadata = self.checked(metadata)?;
        match (metadata.is_file(), metadata.nlink()) {
            (true, 0 | 1) => Ok(metadata),
            (true, _) => Err(io::Error::other("has more than one name (hard links): copy it")),
            (false, _) if metadata.is_dir() => Err(ErrorKind::IsADirectory.into()),
            (false, _) if metadata.is_symlink() => Err(io::Error::other(LINK)),
            (false, _) => Err(io::Error::other("not a regular file")),
        }
    }

    /// Opens a folder beneath `folder`, one path component at a time. No component may be a link, including those of
    /// `folder` itself.
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

    /// Rejects the path of a secret. The path alone decides, whatever file it names now, because an editor may be
    /// replacing that file.
    pub(crate) fn check_path(&self, folder: &Path, below: &[&OsStr]) -> io::Result<()> {
        let path: PathBuf = [folder.as_os_str()].iter().chain(below).collect();
        match self.0.iter().any(|(secret, _)| path.starts_with(secret)) {
            true => Err(io::Error::other(PRIVATE)),
            false => Ok(()),
        }
    }

    /// Rejects a secret that was reached by another path, such as one that differs only in case.
    fn checked(&self, metadata: Metadata) -> io::Result<Metadata> {
        match self.0.iter().any(|(_, secret)| *secret == Some(identity(&metadata))) {
            true => Err(io::Error::other(PRIVATE)),
            false => Ok(metadata),
        }
    }
}

/// Reports whether files and folders of this name are never read. Some file systems treat `.Git`, `.git.`, `.git:` and
/// `GIT~1` as `.git`, or ignore invisible characters.
pub(crate) fn is_private(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_lowercase().replace(|character: char| !character.is_ascii(), "");
    name.trim_end_matches(['.', ' ']) == ".git"
        || [".git:", "git~", ".env", "env~"].iter().any(|it| name.starts_with(it))
}

/// Returns the names of folders and files in a path.
pub(crate) fn names(path: &Path) -> impl Iterator<Item = &OsStr> {
    path.components().filter_map(|component| match component {
        Component::Normal(name) => Some(name),
        _ => None,
    })
}

fn identity(metadata: &Metadata) -> Identity {
    (metadata.dev(), metadata.ino())
}

/// Returns a clearer error if the entry is a link that was not followed. Operating systems report this case as
/// different errors.
fn explained(folder: &Dir, name: &OsStr, error: io::Error) -> io::Error {
    match folder.symlink_metadata(name) {
        Ok(metadata) if metadata.is_symlink() => io::Error::other(LINK),
        _ => error,
    }
}
