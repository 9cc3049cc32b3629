//! Resolves paths to locations in the folders.

use std::ffi::OsStr;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::{OUTSIDE, Root, Roots, checked};
use crate::secrets::Secrets;

/// A folder that may contain a path, with the path's components beneath the folder.
type Place<'a> = (&'a Root, Vec<&'a OsStr>);

impl Roots {
    /// Returns the absolute path, without links, of the file that `path` names now or that [`write`](Self::write) would
    /// create. If no folder can contain it, returns the reason for the client. Does not check whether the file may be
    /// read. Blocks.
    pub fn resolve_file(&self, path: &str) -> Result<PathBuf, String> {
        self.place(path, Secrets::open_file)
    }

    /// Returns the absolute path of the folder that `path` names now, as [`resolve_file`](Self::resolve_file) does for
    /// files.
    pub fn resolve_folder(&self, path: &str) -> Result<PathBuf, String> {
        self.place(path, Secrets::open_folder)
    }

    /// Returns the location in the first folder where opening `path` finds an entry, or the location where it would be
    /// created.
    fn place<T>(
        &self,
        path: &str,
        open: impl Fn(&Secrets, &Path, &[&OsStr]) -> io::Result<T>,
    ) -> Result<PathBuf, String> {
        let (path, secrets) = (checked(path)?, Secrets::at(&self.secrets));
        // An entry that exists but may not be opened also settles the location.
        let is_there = |(root, names): &Place<'_>| match open(&secrets, &root.real, names) {
            Ok(_) => true,
            Err(error) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
        };
        let found = self.places(path).find(is_there);
        let (root, names) = found.map_or_else(|| self.place_of_new(path, &secrets), Ok)?;
        Ok(std::iter::once(root.real.as_os_str()).chain(names).collect())
    }

    /// Returns the location of a new file: in the first folder that has all parent folders of its path, or else in the
    /// first folder that may contain it.
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
