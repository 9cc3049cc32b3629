//! Text files that are part of the instructions of every session.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, Category, ContextError, ContextItem, ContextProvider, ContextRequest};
use turnkit_files::{read_text, run_blocking, stamp_of};

/// The token limit of one file in the instructions.
const MAX_TOKENS: u32 = 8_000;

/// Adds text files to the instructions. A changed file is read again before the next turn. A file that is unreadable or
/// longer than 256 KiB is left out with a notice.
#[derive(Debug, Clone)]
pub struct BootstrapFiles {
    folder: Arc<Path>,
    files: Arc<[PathBuf]>,
}

impl BootstrapFiles {
    /// Creates a provider of `files`, in this order. A relative path is resolved in `folder` and cannot leave it
    /// through `..` or a link. An absolute path is opened unchecked.
    pub fn new(folder: impl Into<PathBuf>, files: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        let folder: PathBuf = folder.into();
        let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
        Self { folder: folder.into(), files: files.into_iter().map(Into::into).collect() }
    }
}

impl ContextProvider for BootstrapFiles {
    fn name(&self) -> &str {
        "bootstrap"
    }

    fn priority(&self) -> u16 {
        Category::Bootstrap.place()
    }

    fn stamp(&self, _: &ContextRequest<'_>) -> Option<u64> {
        let mut stamp = DefaultHasher::new();
        self.files.iter().for_each(|file| stamp_of(&self.folder.join(file)).hash(&mut stamp));
        Some(stamp.finish())
    }

    fn provide<'a>(&'a self, _: &'a ContextRequest<'a>) -> BoxFuture<'a, Result<Vec<ContextItem>, ContextError>> {
        let Self { folder, files } = self.clone();
        Box::pin(async move {
            let items = move || (0..).zip(&*files).map(|(place, file)| item(&folder, file, place)).collect();
            run_blocking(items).await.map_err(|error| ContextError(format!("the files cannot be read: {error}")))
        })
    }
}

fn item(folder: &Path, file: &Path, priority: u16) -> ContextItem {
    let (category, source) = (Category::Bootstrap, file.to_string_lossy());
    match read_text(folder, file) {
        Ok(text) => ContextItem { priority, cap: Some(MAX_TOKENS), ..ContextItem::new(category, source, text) },
        Err(why) => ContextItem::left_out(category, source, why),
    }
}

#[cfg(test)]
mod tests {
    use turnkit_core::{Day, Session, SessionId, Timestamp};

    use super::*;

    async fn items(files: &BootstrapFiles) -> Vec<ContextItem> {
        let session = Session::new(SessionId::default(), "a", Timestamp::default());
        let request = ContextRequest {
            agent: "a",
            session: &session,
            scope: None,
            today: Day::from_number(0),
            tools: &[],
            mode: None,
        };
        files.provide(&request).await.unwrap()
    }

    #[tokio::test]
    async fn a_file_that_is_missing_too_long_or_no_file_is_left_out_with_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &[u8]| std::fs::write(folder.path().join(name), text).unwrap();
        write("AGENTS.md", b"Use tabs.\n");
        write("long.md", &vec![b'x'; 256 * 1024 + 1]);
        write("binary.md", b"\xff\xfe");
        std::fs::create_dir(folder.path().join("folder")).unwrap();
        let absolute = folder.path().join("AGENTS.md");
        for (file, expected) in [
            (Path::new("AGENTS.md"), Ok("Use tabs.\n")),
            (Path::new("./folder/../AGENTS.md"), Ok("Use tabs.\n")),
            (&absolute, Ok("Use tabs.\n")),
            (Path::new("missing.md"), Err("cannot be read: No such file")),
            (Path::new("long.md"), Err("larger than 262144 bytes")),
            (Path::new("binary.md"), Err("not UTF-8")),
            (Path::new("folder"), Err("cannot be read: not a regular file")),
        ] {
            let items = items(&BootstrapFiles::new(folder.path(), [file])).await;
            let [item] = items.as_slice() else { panic!("{items:?}") };
            assert_eq!(item.source, file.to_string_lossy());
            match expected {
                Ok(text) => assert_eq!((item.text.as_str(), &item.left_out), (text, &None)),
                Err(why) => assert!(item.left_out.as_deref().is_some_and(|said| said.starts_with(why)), "{item:?}"),
            }
        }
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn neither_a_link_nor_a_parent_folder_leads_out_and_a_pipe_is_refused() {
        let outside = tempfile::tempdir().unwrap();
        let folder = outside.path().join("inside");
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(outside.path().join("secret"), "secret").unwrap();
        std::fs::write(folder.join("inner.md"), "inner").unwrap();
        std::os::unix::fs::symlink("../secret", folder.join("out.md")).unwrap();
        std::os::unix::fs::symlink(outside.path().join("secret"), folder.join("absolute.md")).unwrap();
        std::os::unix::fs::symlink("inner.md", folder.join("link.md")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(folder.join("pipe.md")).status().unwrap();
        assert!(made.success());
        for (file, text) in
            [("out.md", ""), ("absolute.md", ""), ("../secret", ""), ("pipe.md", ""), ("link.md", "inner")]
        {
            let items = items(&BootstrapFiles::new(&folder, [file])).await;
            assert_eq!(items[0].text, text, "{file}");
            assert_eq!(items[0].left_out.is_some(), text.is_empty(), "{items:?}");
        }
    }
}
