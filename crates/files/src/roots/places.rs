//! Where in the folders a path leads.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::{OUTSIDE, Root, Roots, checked};
use crate::secrets::Secrets;

/// A folder that may have a path, with the names that lead to it.
type Place<'a> = (&'a Root, Vec<&'a OsStr>);

impl Roots {
    /// Returns where the file is that `path` names now, or that [`write`](Self::write) would create: its absolute path without
    /// links, or the reason why no folder can have it, for the client. Whether it may be read is not said. Blocks.
    pub fn file_place(&self, path: &str) -> Result<PathBuf, String> {
        self.place(path, Secrets::open_file)
    }

    /// Returns where the folder is that `path` names now, as [`file_place`](Self::file_place) does of files.
    pub fn folder_place(&self, path: &str) -> Result<PathBuf, String> {
        self.place(path, Secrets::open_folder)
    }

    /// The place in the first folder where opening `path` finds something, else where it would be created.
    fn place<T>(
        &self,
        path: &str,
        open: impl Fn(&Secrets, &Path, &[&OsStr]) -> io::Result<T>,
    ) -> Result<PathBuf, String> {
        let (path, secrets) = (checked(path)?, Secrets::at(&self.secrets));
        // What is there and may not be opened is where the path ends, too.
        let is_there = |(root, names): &Place<'_>| match open(&secrets, &root.real, names) {
            Ok(_) => true,
            Err(error) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
        };
        let found = self.places(path).find(is_there);
        let (root, names) = found.map_or_else(|| self.place_of_new(path, &secrets), Ok)?;
        Ok(std::iter::once(root.real.as_os_str()).chain(names).collect())
    }

    /// Where a new file goes: into the first folder that has all folders of its path, else into the first that it may be in.
    pub(super) fn place_of_new<'a>(&'a self, path: &'a Path, secrets: &Secrets) -> Result<Place<'a>, String> {
        let has_parents = |(root, names): &Place<'_>| {
            names.split_last().is_some_and(|(_, parents)| secrets.open_folder(&root.real, parents).is_ok())
        };
        let place = self.places(path).find(has_parents).or_else(|| self.places(path).next());
        place.ok_or_else(|| OUTSIDE.to_owned())
    }

    fn places<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = Place<'a>> {
        self.folders.iter().filter_map(move |root| Some((root, root.names_beneath(path)?)))
    }
}
