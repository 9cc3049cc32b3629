//! Checks that events arrive as they are sent. A buffering proxy would hold them until the stream ends.

use std::time::Duration;

use super::finding::Finding;
use crate::remote::Client;

const CHECK: &str = "streams";
/// The largest time between the events of a buffered stream. The probe takes 750 ms from its first event to its last.
const MAX_BUFFERED_SPREAD: Duration = Duration::from_millis(400);

/// Requests a stream from the server, through the address that clients use.
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
            .with_remedy("is server.public_url right, and does the proxy pass /api/v1 on?"),
        Ok(spread) if spread < MAX_BUFFERED_SPREAD => {
            Finding::fail(CHECK, format!("{way}, events arrive together instead of one after the other"))
                .with_remedy("turn buffering and compression of text/event-stream off in the proxy")
        }
        Ok(_) => Finding::ok(CHECK, format!("{way}, events arrive as they are sent")),
    }
}
