//! Guarded access to the files of the host: the only way in which turnkit opens them.
//!
//! [`Roots`] are folders whose files turns and tools may name; no path leads out of them. The operator's own files,
//! such as skills, are read as text.
//!
//! ```
//! use std::sync::Arc;
//! use turnkit_files::Roots;
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let folder = tempfile::tempdir().unwrap();
//! std::fs::write(folder.path().join("notes.md"), "Buy milk").unwrap();
//! let roots = Arc::new(Roots::default().with(folder.path()).unwrap());
//! let notes = roots.file("notes.md").await.unwrap().read(1_000).await.unwrap();
//! assert_eq!(notes.as_deref(), Some(b"Buy milk".as_slice()));
//! assert_eq!(roots.file("../notes.md").await.unwrap_err(), "must not contain `..`");
//! # });
//! ```

mod directory_tree;
mod pattern;
mod replace;
mod roots;
mod search;
mod secrets;
mod text_file;

pub use pattern::SearchPattern;
pub use roots::{Root, RootFile, Roots};
pub use search::{MatchingLine, SearchResult};
pub use text_file::{read_text, run_blocking, stamp_of};
