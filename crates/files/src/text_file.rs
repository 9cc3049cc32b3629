//! Text files that the operator writes.

use std::fs::{File, Metadata};
use std::io::{self, Read as _};
#[cfg(unix)]
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::SystemTime;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use tokio::task::JoinError;

/// The longest accepted file, in bytes.
const MAX_BYTES: u64 = 256 * 1024;

/// Runs `read` on a thread that may block.
///
/// # Errors
/// `read` panicked, or the process is ending.
#[expect(clippy::disallowed_methods, reason = "reads files that have changed, and skills that the model asks for")]
pub async fn run_blocking<T: Send + 'static>(read: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
    tokio::task::spawn_blocking(read).await
}

/// Returns the text of a file, or the reason why it cannot be read. A relative path must stay beneath `folder`, after
/// links are resolved. An absolute path is opened as it is.
pub fn read_text(folder: &Path, file: &Path) -> Result<String, String> {
    let mut bytes = Vec::new();
    let opened = if file.is_absolute() { open(file) } else { open_beneath(folder, file) };
    let opened = opened.map_err(|error| format!("cannot be read: {error}"))?;
    let read = opened.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("larger than {MAX_BYTES} bytes"));
    }
    let text = String::from_utf8(bytes).map_err(|_| "not UTF-8".to_owned())?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Returns the length and the timestamps of a file, which change with its text and its permissions. Costs one `stat`.
pub fn stamp_of(file: &Path) -> Option<(u64, SystemTime, (i64, i64))> {
    let metadata = file.metadata().ok()?;
    Some((metadata.len(), metadata.modified().ok()?, changed(&metadata)))
}

/// Returns the time at which a file or its permissions last changed.
#[cfg(unix)]
fn changed(metadata: &Metadata) -> (i64, i64) {
    (metadata.ctime(), metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn changed(_: &Metadata) -> (i64, i64) {
    (0, 0)
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

/// With this flag, a pipe is opened and then rejected; without it, opening a pipe would wait for a writer.
#[cfg(unix)]
const NONBLOCK: i32 = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();

fn regular(file: File) -> io::Result<File> {
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(io::Error::other("not a regular file")),
    }
}
