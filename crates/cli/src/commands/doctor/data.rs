//! Checks of the data: its location, the process that has locked it, and whether it is intact.

use std::path::{Path, PathBuf};

use super::finding::Finding;
use crate::failure::Failure;
use crate::remote::Client;
use crate::wiring::{Database, Examination, Installation};

const DATABASE: &str = "database";
const DIRECTORY: &str = "directory";
const SERVER: &str = "server";

/// Reports data that cannot be opened, or that a process other than a server has locked.
pub(super) fn unusable(failure: &Failure) -> Finding {
    Finding::fail(DATABASE, failure.to_string())
}

pub(super) fn none_yet(directory: &Path) -> Finding {
    let directory = absolute(directory).display().to_string();
    Finding::ok(DATABASE, format!("no database yet; the first turn creates it in {directory}"))
}

/// Examines opened data. It was opened, so it has the schema of this version.
pub(super) async fn examine(installation: &Installation) -> Vec<Finding> {
    let path = absolute(installation.database().path()).display().to_string();
    let unwritable = installation.check_writable().await.err();
    let database = match (installation.examine(), unwritable) {
        (Ok(examined), None) if examined.damage.is_empty() => {
            Finding::ok(DATABASE, format!("{path}: schema {}, sound and writable", examined.schema))
        }
        (Ok(examined), Some(error)) if examined.damage.is_empty() => {
            Finding::fail(DATABASE, format!("{path}: schema {}, sound, but not writable: {error}", examined.schema))
        }
        (Ok(examined), _) => damaged(&path, &examined),
        (Err(error), _) => Finding::fail(DATABASE, error.to_string()),
    };
    let server = Finding::ok(SERVER, "no server is using this data directory");
    if installation.directory().is_private() {
        return vec![database, server];
    }
    let directory = absolute(installation.directory().path()).display().to_string();
    let open = Finding::warn(DIRECTORY, format!("others on this machine can read {directory}"));
    vec![database, open.with_remedy(format!("chmod 700 {directory}")), server]
}

/// Reports damage in data that a server has locked. The server's readiness tells whether the data can be written.
pub(super) fn examine_served(database: &Database) -> Option<Finding> {
    match database.examine() {
        Ok(examined) if examined.damage.is_empty() => None,
        Ok(examined) => Some(damaged(&absolute(database.path()).display().to_string(), &examined)),
        Err(error) => Some(Finding::fail(DATABASE, error.to_string())),
    }
}

fn damaged(path: &str, examined: &Examination) -> Finding {
    Finding::fail(DATABASE, format!("{path} is damaged: {}", examined.damage.join("; "))).with_remedy(
        "restore it from a backup, or remove a session that is damaged with `turnkit sessions rm`; the damaged file is \
         worth keeping until then",
    )
}

/// Returns findings about data that a server has locked: its directory, and the server's readiness.
pub(super) async fn served(client: &Client, directory: &Path) -> [Finding; 2] {
    [Finding::ok(DIRECTORY, absolute(directory).display().to_string()), server(client).await]
}

/// Returns the absolute path, for a user who may look for it from another folder.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

async fn server(client: &Client) -> Finding {
    let url = client.url();
    match client.readiness().await {
        Ok(found) if found.status == "ready" => {
            Finding::ok(SERVER, format!("{url} is using the data directory and is ready"))
        }
        Ok(found) => {
            let degraded =
                if found.degraded.is_empty() { String::new() } else { format!(": {}", found.degraded.join(", ")) };
            Finding::fail(SERVER, format!("{url} is {}{degraded}", found.status)).with_remedy("its log has the reason")
        }
        Err(error) => Finding::fail(SERVER, error.to_string()),
    }
}
