//! The data: where it is, who has it, and whether it is sound.

use super::finding::Finding;
use crate::failure::Failure;
use crate::remote::Client;
use crate::wiring::Installation;

const DATABASE: &str = "database";
const DIRECTORY: &str = "directory";
const SERVER: &str = "server";

/// It cannot be opened, or somebody who is no server has it.
pub(super) fn unusable(failure: &Failure) -> Finding {
    Finding::fail(DATABASE, failure.to_string())
}

pub(super) fn none_yet() -> Finding {
    Finding::ok(DATABASE, "nothing was saved yet; the first turn makes it")
}

/// It was opened, so it can be written and has the schema of this version.
pub(super) fn examine(installation: &Installation) -> Vec<Finding> {
    let path = installation.database().path().display().to_string();
    let database = match installation.examine() {
        Ok(examined) if examined.damage.is_empty() => {
            Finding::ok(DATABASE, format!("{path}: schema {}, sound and writable", examined.schema))
        }
        Ok(examined) => Finding::fail(DATABASE, format!("{path} is damaged: {}", examined.damage.join("; ")))
            .with_way_out("restore it from a backup; the damaged file is worth keeping until then"),
        Err(error) => Finding::fail(DATABASE, error.to_string()),
    };
    let server = Finding::ok(SERVER, "none runs on this data");
    if installation.directory().is_private() {
        return vec![database, server];
    }
    let directory = installation.directory().path().display().to_string();
    let open = Finding::warn(DIRECTORY, format!("others on this machine can look into {directory}"));
    vec![database, open.with_way_out(format!("chmod 700 {directory}")), server]
}

/// A server has it: whether that is of use.
pub(super) async fn served(client: &Client) -> Finding {
    let url = client.url();
    match client.readiness().await {
        Ok(found) if found.status == "ready" => Finding::ok(SERVER, format!("{url} has the data and is ready")),
        Ok(found) => {
            let degraded =
                if found.degraded.is_empty() { String::new() } else { format!(": {}", found.degraded.join(", ")) };
            Finding::fail(SERVER, format!("{url} is {}{degraded}", found.status)).with_way_out("its log says why")
        }
        Err(error) => Finding::fail(SERVER, error.to_string()),
    }
}
