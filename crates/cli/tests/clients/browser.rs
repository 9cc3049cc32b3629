//! The `EventSource` of a browser.

use serde_json::json;
use tokio::process::Command;

use crate::program::{Running, named_by, script};
use crate::returning::{Feed, Listener, check_reconnect};

#[tokio::test]
async fn a_page_that_follows_a_turn_reconnects_after_the_server_was_killed() {
    in_a_page(Feed::Turn).await;
}

#[tokio::test]
async fn a_page_that_follows_a_session_reconnects_after_the_server_was_killed() {
    in_a_page(Feed::Session).await;
}

async fn in_a_page(feed: Feed) {
    let (Some(node), Some(browser)) = (named_by("TURNKIT_NODE"), named_by("TURNKIT_BROWSER")) else { return };
    let profile = tempfile::tempdir().unwrap();
    let listen = |listener: &Listener| {
        let mut wanted = listener.wanted();
        // A page of the server's own origin may send requests to it.
        wanted["page"] = json!(listener.page);
        wanted["browser"] = json!(browser);
        wanted["profile"] = json!(profile.path());
        let mut command = Command::new(&node);
        Running::start(command.arg(script("browser.cjs")).arg(wanted.to_string()))
    };
    check_reconnect(feed, listen).await;
}
