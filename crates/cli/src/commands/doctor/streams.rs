//! Whether what is said arrives while it is said: a proxy may hold streams back until they end.

use std::time::Duration;

use super::finding::Finding;
use crate::remote::Client;

const CHECK: &str = "streams";
/// The probe takes 750 ms from its first event to its last.
const TOGETHER: Duration = Duration::from_millis(400);

/// Asks the server for a stream, through the address clients use.
pub(super) async fn examine(client: &Client, public_url: Option<&str>) -> Finding {
    let (way, asked) = match public_url {
        Some(url) => (format!("through {url}"), client.through(url)),
        None => ("from this machine".to_owned(), Ok(client.clone())),
    };
    let arrived = match asked {
        Ok(client) => client.probe().await,
        Err(error) => Err(error),
    };
    match arrived {
        Err(error) => Finding::fail(CHECK, format!("{way}: {error}"))
            .with_way_out("is server.public_url right, and does the proxy pass /api/v1 on?"),
        Ok(spread) if spread < TOGETHER => {
            Finding::fail(CHECK, format!("{way}, events arrive together instead of one after the other"))
                .with_way_out("turn buffering and compression of text/event-stream off in the proxy")
        }
        Ok(_) => Finding::ok(CHECK, format!("{way}, events arrive as they are sent")),
    }
}
