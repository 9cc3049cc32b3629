//! Text files that the operator wrote.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;
use std::time::SystemTime;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use tokio::task::JoinError;

/// The longest file that is read, in bytes.
const MAX_BYTES: u64 = 256 * 1024;

/// Reads files on a thread that may block.
///
/// # Errors
/// `read` panicked, or the process is ending.
#[expect(clippy::disallowed_methods, reason = "files are read when they have changed, not in every turn")]
pub(super) async fn off_thread<T: Send + 'static>(read: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
    tokio::task::spawn_blocking(read).await
}

/// Returns the text of a file, or why there is none. A relative path must stay beneath `folder`, links included; an
/// absolute path is opened as it is.
pub(super) fn read_text(folder: &Path, file: &Path) -> Result<String, String> {
    let mut text = String::new();
    let opened = if file.is_absolute() { open(file) } else { open_beneath(folder, file) };
    let opened = opened.map_err(|error| format!("it cannot be read: {error}"))?;
    let read = opened.take(MAX_BYTES + 1).read_to_string(&mut text);
    read.map_err(|error| format!("it cannot be read: {error}"))?;
    if text.len() as u64 > MAX_BYTES { Err(format!("it is longer than {MAX_BYTES} bytes")) } else { Ok(text) }
}

/// Returns the length of a file and when it was last written, which change with its text. Costs one `stat`.
pub(super) fn stamp_of(file: &Path) -> Option<(u64, SystemTime)> {
    let metadata = file.metadata().ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

fn open(file: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, NONBLOCK);
    regular(options.open(file)?)
}

fn open_beneath(folder: &Path, file: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    cap_std::fs::OpenOptionsExt::custom_flags(&mut options, NONBLOCK);
    let folder = Dir::open_ambient_dir(folder, ambient_authority())?;
    regular(folder.open_with(file, &options)?.into_std())
}

/// Lets a pipe be opened and refused, where opening it would wait for its writer.
#[cfg(unix)]
const NONBLOCK: i32 = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();

fn regular(file: File) -> io::Result<File> {
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("it is not a regular file")),
    }
}
