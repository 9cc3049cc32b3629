//! Tests that a data directory is locked for one process.

use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use turnkit_store::{DataDirectory, LocalServer, LockError};

fn server(url: &str, token: &str) -> LocalServer {
    LocalServer { url: url.to_owned(), token: token.to_owned() }
}

/// Set in a child process to the directory that it tries to lock.
const CHILD: &str = "TURNKIT_TEST_TAKE_DIRECTORY";

#[test]
fn a_second_process_finds_the_url_of_the_first() -> Result<(), Box<dyn Error>> {
    #[expect(clippy::disallowed_methods, reason = "how the child learns what it is for")]
    let child = std::env::var_os(CHILD);
    if let Some(directory) = child {
        let Err(LockError::Held { path, server: Some(server) }) = DataDirectory::lock(PathBuf::from(directory)) else {
            return Err("no server holds the directory".into());
        };
        println!("held {} {} {}", path.display(), server.url, server.token);
        return Ok(());
    }
    let folder = tempfile::tempdir()?;
    let directory = DataDirectory::lock(folder.path().join("data"))?;
    directory.announce(&server("http://127.0.0.1:10000/and/something/longer", "earlier-token"))?;
    directory.announce(&server("http://127.0.0.1:8787", "token"))?;
    assert_eq!(DataDirectory::announced_server(directory.path()), Some(server("http://127.0.0.1:8787", "token")));

    let name = "a_second_process_finds_the_url_of_the_first";
    let mut child = Command::new(std::env::current_exe()?);
    child.args([name, "--exact", "--nocapture"]).env(CHILD, directory.path()).stderr(Stdio::inherit());
    let said = String::from_utf8(child.output()?.stdout)?;
    let expected = format!("held {} http://127.0.0.1:8787 token\n", directory.path().display());
    assert!(said.contains(&expected), "{said}");
    Ok(())
}

#[test]
fn a_directory_is_unlocked_and_its_server_forgotten_when_the_owner_exits() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let first = DataDirectory::lock(folder.path())?;
    first.announce(&server("http://127.0.0.1:8787", "token"))?;
    drop(first);
    let second = DataDirectory::lock(folder.path())?;
    let held = DataDirectory::lock(folder.path()).map(|_| ());
    assert!(matches!(&held, Err(LockError::Held { server: None, .. })), "{held:?}");
    assert_eq!(second.path(), folder.path());
    Ok(())
}

#[test]
fn a_directory_that_cannot_be_made_is_named() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("file"), "in the way")?;
    let Err(error) = DataDirectory::lock(folder.path().join("file").join("data")) else {
        return Err("made a directory in a file".into());
    };
    assert!(error.to_string().contains("file/data"), "{error}");
    Ok(())
}

#[test]
fn a_token_is_shown_neither_to_other_users_nor_in_errors() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let lock = folder.path().join("turnkit.lock");
    fs::write(&lock, "left by an earlier version")?;
    let directory = DataDirectory::lock(folder.path())?;
    directory.announce(&server("http://127.0.0.1:8787", "hidden"))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&lock)?.permissions().mode() & 0o777, 0o600);
    }
    let Err(error) = DataDirectory::lock(folder.path()) else {
        return Err("the directory was free".into());
    };
    assert!(error.to_string().ends_with("is in use by http://127.0.0.1:8787"), "{error}");
    assert!(!format!("{error:?}").contains("hidden"), "{error:?}");
    Ok(())
}

#[cfg(unix)]
#[test]
fn a_new_directory_is_private_and_an_existing_one_is_unchanged() -> Result<(), Box<dyn Error>> {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir()?;
    let mode = |path: &PathBuf| fs::metadata(path).map(|found| found.permissions().mode() & 0o777);
    let made = folder.path().join("new/data");
    let directory = DataDirectory::lock(&made)?;
    assert_eq!((mode(&made)?, directory.is_private()), (0o700, true));

    let there = folder.path().join("there");
    fs::create_dir(&there)?;
    fs::set_permissions(&there, fs::Permissions::from_mode(0o755))?;
    let directory = DataDirectory::lock(&there)?;
    assert_eq!((mode(&there)?, directory.is_private()), (0o755, false));
    Ok(())
}
