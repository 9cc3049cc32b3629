//! Changing files of the folders.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{ABSENT, OUTSIDE, Root, RootFile, Roots, checked, reason};
use crate::replace::{create, replace};
use crate::secrets::Secrets;
use crate::text_file::off_thread;

impl Roots {
    /// Creates a file, with the folders it is in, or replaces its content. Readers see the old content or the new one, never a
    /// part. Returns whether the file is new, or the reason why it is not written, for the client.
    pub async fn write(self: &Arc<Self>, path: &str, content: Vec<u8>) -> Result<bool, String> {
        let (roots, path) = (Arc::clone(self), path.to_owned());
        let written = off_thread(move || roots.replace(&path, &content)).await;
        written.unwrap_or_else(|error| Err(error.to_string()))
    }

    /// Changes the text of a file of at most `limit` bytes. Returns the text before and after, or the reason why it is not
    /// changed, for the client.
    pub async fn edit(
        self: &Arc<Self>,
        path: &str,
        limit: u64,
        edit: impl FnOnce(&str) -> Result<String, String> + Send + 'static,
    ) -> Result<(String, String), String> {
        let (roots, path) = (Arc::clone(self), path.to_owned());
        let edited = off_thread(move || {
            let before = roots.text(&path, limit)?;
            let after = edit(&before)?;
            roots.replace(&path, after.as_bytes())?;
            Ok((before, after))
        });
        edited.await.unwrap_or_else(|error| Err(error.to_string()))
    }

    /// Returns the text of a file of at most `limit` bytes as it is now, `None` if there is no such file, or the reason why it
    /// cannot be read, for the client. Blocks.
    pub fn text_now(&self, path: &str, limit: u64) -> Result<Option<String>, String> {
        match self.text(path, limit) {
            Err(why) if why == ABSENT => Ok(None),
            text => text.map(Some),
        }
    }

    /// Returns where the file is that [`write`](Self::write) would replace or create now: its absolute path without links, or
    /// the reason why no folder can have it, for the client. Whether it may be written is not said. Blocks.
    pub fn place_now(&self, path: &str) -> Result<PathBuf, String> {
        let secrets = Secrets::at(&self.secrets);
        let checked = checked(path)?;
        let is_there = |(root, names): &(&Root, Vec<&OsStr>)| match secrets.open_file(&root.real, names) {
            Ok(_) => true,
            Err(error) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
        };
        let there = self.places(checked).find(is_there);
        let (root, names) = there.map_or_else(|| self.place_of_new(checked, &secrets), Ok)?;
        Ok(std::iter::once(root.real.as_os_str()).chain(names).collect())
    }

    fn text(&self, path: &str, limit: u64) -> Result<String, String> {
        let content = RootFile(self.open(path, Secrets::open_file)?).content(limit);
        let content = content.map_err(|error| reason(&error))?;
        let content = content.ok_or_else(|| format!("it is longer than {limit} bytes"))?;
        String::from_utf8(content).map_err(|_| "it is not UTF-8".to_owned())
    }

    pub(super) fn replace(&self, path: &str, content: &[u8]) -> Result<bool, String> {
        match self.open(path, |secrets, folder, names| {
            let (name, parents) = names.split_last().ok_or(ErrorKind::IsADirectory)?;
            secrets.open_file(folder, names)?;
            replace(&secrets.open_folder(folder, parents)?, name, content, secrets)
        }) {
            Err(why) if why == ABSENT => self.create(path, content),
            replaced => replaced,
        }
    }

    fn create(&self, path: &str, content: &[u8]) -> Result<bool, String> {
        let secrets = Secrets::at(&self.secrets);
        let (root, names) = self.place_of_new(checked(path)?, &secrets)?;
        create(&root.real, &names, content, &secrets).map_err(|error| reason(&error))
    }

    /// Where a new file goes: into the first folder that has all folders of its path, else into the first that it may be in.
    fn place_of_new<'a>(&'a self, path: &'a Path, secrets: &Secrets) -> Result<(&'a Root, Vec<&'a OsStr>), String> {
        let has_parents = |(root, names): &(&Root, Vec<&OsStr>)| {
            names.split_last().is_some_and(|(_, parents)| secrets.open_folder(&root.real, parents).is_ok())
        };
        let place = self.places(path).find(has_parents).or_else(|| self.places(path).next());
        place.ok_or_else(|| OUTSIDE.to_owned())
    }

    /// The folders that may have `path`, with the names that lead to it.
    fn places<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = (&'a Root, Vec<&'a OsStr>)> {
        self.folders.iter().filter_map(move |root| Some((root, root.names_beneath(path)?)))
    }
}
