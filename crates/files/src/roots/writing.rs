//! Changes files of the folders.

use std::io::{self, ErrorKind};
use std::sync::Arc;

use super::{ABSENT, RootFile, Roots, checked, reason};
use crate::replace::{WRITE_PROTECTED, create, replace};
use crate::secrets::Secrets;
use crate::text_file::run_blocking;

impl Roots {
    /// Creates a file, along with any missing parent folders, or replaces its content. Readers see either the old
    /// content or the new content, never a part. Returns `true` if the file is new. If it cannot be written, returns
    /// the reason for the client.
    pub async fn write(self: &Arc<Self>, path: &str, content: Vec<u8>) -> Result<bool, String> {
        let (roots, path) = (Arc::clone(self), path.to_owned());
        let written = run_blocking(move || roots.replace(&path, &content)).await;
        written.unwrap_or_else(|error| Err(error.to_string()))
    }

    /// Changes the text of a file of at most `limit` bytes. Returns the text before and after the change. If it cannot
    /// be changed, returns the reason for the client.
    pub async fn edit(
        self: &Arc<Self>,
        path: &str,
        limit: u64,
        edit: impl FnOnce(&str) -> Result<String, String> + Send + 'static,
    ) -> Result<(String, String), String> {
        let (roots, path) = (Arc::clone(self), path.to_owned());
        let edited = run_blocking(move || {
            let before = roots.text(&path, limit)?;
            let after = edit(&before)?;
            roots.replace(&path, after.as_bytes())?;
            Ok((before, after))
        });
        edited.await.unwrap_or_else(|error| Err(error.to_string()))
    }

    /// Returns the current text of a file of at most `limit` bytes, or `None` if there is no such file. If it cannot be
    /// read, returns the reason for the client. Blocks.
    pub fn read_text_blocking(&self, path: &str, limit: u64) -> Result<Option<String>, String> {
        match self.text(path, limit) {
            Err(why) if why == ABSENT => Ok(None),
            text => text.map(Some),
        }
    }

    /// Checks that [`write`](Self::write) may create or replace a file, as far as that is known without writing. If it
    /// may not, returns the reason for the client. Blocks.
    pub fn check_writable_blocking(&self, path: &str) -> Result<(), String> {
        let checked = self.open(path, |secrets, folder, names| {
            match secrets.open_file(folder, names)?.metadata()?.permissions().readonly() {
                true => Err(io::Error::other(WRITE_PROTECTED)),
                false => Ok(()),
            }
        });
        match checked {
            Err(why) if why == ABSENT => Ok(()),
            checked => checked,
        }
    }

    fn text(&self, path: &str, limit: u64) -> Result<String, String> {
        let content = RootFile(self.open(path, Secrets::open_file)?).content(limit);
        let content = content.map_err(|error| reason(&error))?;
        let content = content.ok_or_else(|| format!("larger than {limit} bytes"))?;
        String::from_utf8(content).map_err(|_| "not UTF-8".to_owned())
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
}
