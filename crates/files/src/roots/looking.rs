//! Lists and searches the folders.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cap_std::fs::Dir;

use super::{Root, Roots, reason};
use crate::directory_tree::directory_tree;
use crate::pattern::SearchPattern;
use crate::search::{SearchResult, search};
use crate::secrets::Secrets;
use crate::text_file::run_blocking;

impl Roots {
    /// Lists the contents of a folder as text. If it cannot be listed, returns the reason for the client.
    pub async fn tree(self: &Arc<Self>, path: &str) -> Result<String, String> {
        let (roots, path) = (Arc::clone(self), path.to_owned());
        let listed = run_blocking(move || roots.listing(&path)).await;
        listed.unwrap_or_else(|error| Err(error.to_string()))
    }

    /// Lists the contents of one of the folders, as [`tree`](Self::tree) does.
    pub async fn tree_of(self: &Arc<Self>, root: &Root) -> Result<String, String> {
        let (roots, root) = (Arc::clone(self), root.clone());
        let listed = run_blocking(move || roots.list(&roots.open_root(&root)?)).await;
        listed.unwrap_or_else(|error| Err(error.to_string()))
    }

    /// Searches the files of a folder whose names end with `suffix` for lines that match a pattern. If the search fails,
    /// returns the reason for the client. Dropping the future ends the search.
    pub async fn search(
        self: &Arc<Self>,
        path: &str,
        pattern: &SearchPattern,
        suffix: &str,
    ) -> Result<SearchResult, String> {
        let path = path.to_owned();
        self.search_opened(pattern, suffix, move |roots| roots.open(&path, Secrets::open_folder)).await
    }

    /// Searches the files of one of the folders, as [`search`](Self::search) does.
    pub async fn search_of(
        self: &Arc<Self>,
        root: &Root,
        pattern: &SearchPattern,
        suffix: &str,
    ) -> Result<SearchResult, String> {
        let root = root.clone();
        self.search_opened(pattern, suffix, move |roots| roots.open_root(&root)).await
    }

    async fn search_opened(
        self: &Arc<Self>,
        pattern: &SearchPattern,
        suffix: &str,
        open: impl FnOnce(&Self) -> Result<Dir, String> + Send + 'static,
    ) -> Result<SearchResult, String> {
        let (roots, pattern, suffix) = (Arc::clone(self), pattern.clone(), suffix.to_owned());
        let dropped = Arc::new(AtomicBool::new(false));
        let _guard = SetOnDrop(Arc::clone(&dropped));
        let searched = run_blocking(move || {
            let secrets = Secrets::at(&roots.secrets);
            search(&open(&roots)?, &secrets, pattern.regex(), &suffix, &dropped).map_err(|error| reason(&error))
        });
        searched.await.unwrap_or_else(|error| Err(error.to_string()))
    }

    pub(super) fn listing(&self, path: &str) -> Result<String, String> {
        self.list(&self.open(path, Secrets::open_folder)?)
    }

    fn list(&self, folder: &Dir) -> Result<String, String> {
        directory_tree(folder, &Secrets::at(&self.secrets)).map_err(|error| reason(&error))
    }

    fn open_root(&self, root: &Root) -> Result<Dir, String> {
        Secrets::at(&self.secrets).open_folder(&root.real, &[]).map_err(|error| reason(&error))
    }
}

/// Sets a flag when the caller drops its future.
struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
