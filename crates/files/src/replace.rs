//! Replaces the whole content of a file.

use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use cap_std::fs::{Dir, OpenOptions, Permissions};

use crate::secrets::Secrets;

/// The largest number of names tried for the temporary file that replaces the old one.
const MAX_NAMES: u32 = 100;

/// The error for a file that is write-protected, as sent to the client.
pub(crate) const WRITE_PROTECTED: &str = "is write-protected";

/// The number of the next temporary file, so that two writers of this process never share one.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// Replaces the file `name` with `content`, or creates it. Readers see either all of the old content or all of the new
/// content, even after a crash. Returns `true` if the file is new. An existing file must be readable under the rules of
/// `secrets` and must not be write-protected.
pub(crate) fn replace(folder: &Dir, name: &OsStr, content: &[u8], secrets: &Secrets) -> io::Result<bool> {
    let permissions = match folder.symlink_metadata(name) {
        Ok(metadata) => Some(secrets.checked_file(metadata)?.permissions()),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if permissions.as_ref().is_some_and(Permissions::readonly) {
        return Err(io::Error::other(WRITE_PROTECTED));
    }
    let is_new = permissions.is_none();
    let temporary = write_beside(folder, content, permissions)?;
    // If the name became a link in the meantime, the link is replaced, not followed.
    if let Err(error) = folder.rename(&temporary, folder, name) {
        _ = folder.remove_file(&temporary);
        return Err(error);
    }
    Ok(is_new)
}

/// Creates or replaces a file beneath `folder`, along with any missing parent folders. Returns `true` if the file is
/// new.
pub(crate) fn create(folder: &Path, names: &[&OsStr], content: &[u8], secrets: &Secrets) -> io::Result<bool> {
    secrets.check_path(folder, names)?;
    let (name, parents) = names.split_last().ok_or(ErrorKind::IsADirectory)?;
    let mut parent = secrets.open_folder(folder, &[])?;
    for name in parents {
        match parent.create_dir(name) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
            _ => parent = secrets.enter(&parent, name)?,
        }
    }
    replace(&parent, name, content, secrets)
}

/// Writes a temporary file in the folder and returns its name.
fn write_beside(folder: &Dir, content: &[u8], permissions: Option<Permissions>) -> io::Result<OsString> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    for _ in 0..MAX_NAMES {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = OsString::from(format!(".turnkit-{}-{number}", std::process::id()));
        let mut file = match folder.open_with(&name, &options) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            file => file?,
        };
        let written = permissions
            .map_or(Ok(()), |permissions| file.set_permissions(permissions))
            .and_then(|()| file.write_all(content))
            .and_then(|()| file.sync_all());
        return match written {
            Ok(()) => Ok(name),
            Err(error) => {
                _ = folder.remove_file(&name);
                Err(error)
            }
        };
    }
    Err(io::Error::other("too many unfinished temporary files in the folder"))
}
