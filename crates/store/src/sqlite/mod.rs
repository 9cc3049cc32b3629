//! The store in SQLite: one writer, two readers, plain SQL.

mod accept;
mod accepted_before;
mod ancestor;
mod batch;
mod blob_content;
mod blob_files;
mod blob_rows;
mod blob_store;
mod blob_thread;
mod busy;
mod checkpoint;
mod child;
mod children;
mod claim;
mod consumption;
mod cut;
mod days;
mod deaths;
mod examine;
mod expired;
mod failpoint;
mod failure;
mod find;
mod fork;
mod grants;
mod health;
mod import;
mod job;
mod key_store;
mod leases;
mod log;
mod messages;
mod open;
mod options;
mod owned;
mod partials;
mod pins;
mod place;
mod promote;
mod queue;
mod readers;
mod removal;
mod rows;
mod schema;
mod search;
mod search_index;
mod session_edit;
mod session_list;
mod session_state;
mod session_store;
mod shelf;
mod steering;
mod stop;
#[cfg(test)]
mod tests;
mod turn_list;
mod turn_store;
mod wait_list;
mod waits;
mod worker_store;
mod writer;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use rusqlite::Connection;
use tokio::sync::{Mutex, Semaphore};
use turnkit_core::StoreError;
use turnkit_core::ports::{BoxFuture, Clock};

use batch::Batcher;
use blob_files::BlobFiles;
use days::Days;
pub use examine::Examination;
use failpoint::Failpoints;
use failure::Failure;
use health::WriteHealth;
use job::JobKind;
use leases::Leases;
pub use options::{SqliteOptions, Synchronous, UrlError};
use readers::Readers;
use writer::Writer;

/// Sessions and turns in one SQLite file. Closing the store waits for queued jobs.
#[derive(Debug)]
pub struct SqliteStore {
    // Fields drop in this order: the last connection to close moves the log into the database, and only a writer can do
    // that.
    readers: Readers,
    writer: Writer,
    blobs: BlobFiles,
    days: Arc<Days>,
    health: Arc<WriteHealth>,
    leases: Leases,
    /// Lets only one search run at a time: a search may be long, and other reads need the other reading thread.
    searching: Arc<Semaphore>,
    /// Held by a search from when it empties a damaged index until it has searched again.
    repairing_search: Mutex<()>,
    failpoints: Arc<Failpoints>,
}

/// The reason why a database could not be opened. In every case, no stored data is lost.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The program was built with an SQLite that can lose committed data.
    #[error("SQLite {linked} can lose committed data: build with 3.51.3 or newer, and not 3.52.0")]
    UnsafeSqlite {
        /// The version number of that SQLite, such as 3051003.
        linked: i32,
    },
    /// The file has other names, under which another process could open it. SQLite would then write two logs for one
    /// database.
    #[error(
        "{} has {names} names (hard links), under which another process could use it: remove the others, or make a copy of \
         it", path.display()
    )]
    HardLinked {
        /// The path of the file.
        path: PathBuf,
        /// The number of its names.
        names: u64,
    },
    /// The database cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl OpenError {
    fn thread(error: io::Error) -> Self {
        Self::Store(StoreError::Unavailable(format!("cannot start a storage thread: {error}")))
    }
}

impl SqliteStore {
    /// Opens the database, creates it if it does not exist, and upgrades it to the schema of this version. The caller
    /// must hold the [`DataDirectory`](crate::DataDirectory): running turns in the file are considered abandoned.
    ///
    /// On Unix, a write that exceeds the file size limit of the process (`ulimit -f`) raises SIGXFSZ, which ends a
    /// process that neither handles nor ignores it. Otherwise the write fails with [`StoreError::Full`].
    ///
    /// # Errors
    /// The file is unfit, in which case it is left unchanged. Or a thread or a connection could not be created, in
    /// which case the file may already have the new schema.
    pub fn open(options: &SqliteOptions) -> Result<Self, OpenError> {
        Self::open_for(options, Leases::WhileLocked)
    }

    /// Opens the database like [`open`](Self::open) for several workers of this process. Each has a lease of `length`
    /// by `clock`. A sweep takes over the turns of workers that are not registered.
    ///
    /// # Errors
    /// The errors of [`open`](Self::open).
    pub fn open_shared(options: &SqliteOptions, clock: Arc<dyn Clock>, length: Duration) -> Result<Self, OpenError> {
        Self::open_for(options, Leases::timed(clock, length))
    }

    /// Returns a database of this program in `folder`, the first one by its name. None of them may be open in this
    /// process, which would lose its locks on that file.
    pub fn find(folder: &Path) -> Option<PathBuf> {
        find::in_folder(folder)
    }

    fn open_for(options: &SqliteOptions, leases: Leases) -> Result<Self, OpenError> {
        let options = &open::resolved(options)?;
        let failpoints = Arc::new(Failpoints::default());
        let mut connection = open::writer(options)?;
        if let Leases::WhileLocked = leases {
            open::take_over(&mut connection, options.path())?;
        }
        let (path, days, health) = (options.path().to_owned(), Arc::<Days>::default(), Arc::<WriteHealth>::default());
        let batcher = Batcher {
            connection,
            days: Arc::clone(&days),
            path,
            health: Arc::clone(&health),
            failpoints: Arc::clone(&failpoints),
        };
        let writer = Writer::start(batcher).map_err(OpenError::thread)?;
        let readers = Readers::start(options.path())?;
        let blobs = BlobFiles::beside(options.path()).map_err(OpenError::thread)?;
        let (searching, repairing_search) = (Arc::new(Semaphore::new(1)), Mutex::new(()));
        Ok(Self { readers, writer, blobs, days, health, leases, searching, repairing_search, failpoints })
    }

    /// Calls `hook` with the name of each failpoint that the store reaches. Only the first hook is kept.
    ///
    /// `accept.before_commit`, `accept.after_commit`, `checkpoint.before_commit` and `checkpoint.after_commit` are
    /// reached on the writing thread. `blob.renamed` is reached on the caller's thread, when the content of an upload
    /// is durable but its row is not written yet.
    #[cfg(feature = "failpoints")]
    pub fn on_failpoint(&self, hook: impl Fn(&'static str) + Send + Sync + 'static) {
        self.failpoints.set(Box::new(hook));
    }

    /// Runs `work` on the writing thread, and again if it was rolled back. The returned value is durable.
    fn write<'a, T: Send + 'static>(
        &'a self,
        kind: JobKind,
        work: impl Fn(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> BoxFuture<'a, Result<T, StoreError>> {
        Box::pin(async move {
            let (job, reply) = job::job(kind, work);
            self.writer.submit(job)?;
            job::wait_for_answer(reply).await
        })
    }

    /// Deletes the rows of removed sessions in slices, between other jobs.
    async fn remove_remains(&self) -> Result<(), StoreError> {
        while self.read(removal::has_remaining_rows).await? {
            self.write(JobKind::Other, removal::delete_slice).await?;
        }
        Ok(())
    }

    /// Adds turns that have ended to the search index while `is_behind`, in slices, between other jobs.
    async fn index_turns(&self, is_behind: fn(&Connection) -> Result<bool, Failure>) -> Result<(), StoreError> {
        while self.read(is_behind).await? {
            self.write(JobKind::Other, search_index::add_turns).await?;
        }
        Ok(())
    }

    /// Runs `work` on a reading thread, on a consistent snapshot.
    fn read<'a, T: Send + 'static>(
        &'a self,
        work: impl Fn(&Connection) -> Result<T, Failure> + Send + 'static,
    ) -> BoxFuture<'a, Result<T, StoreError>> {
        Box::pin(async move {
            let (job, reply) = job::job(JobKind::Other, work);
            self.readers.submit(job)?;
            job::wait_for_answer(reply).await
        })
    }
}
