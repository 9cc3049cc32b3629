//! The list of a server's tools.

use std::collections::HashSet;
use std::time::Duration;

use rmcp::model::{ClientRequest, ListToolsRequest, PaginatedRequestParams, ServerResult, Tool as RemoteTool};

use crate::connection::Connection;
use crate::failure::RequestFailure;

/// The number of tools of a server that are read.
const MAX_TOOLS: usize = 2_000;
/// The number of pages that are read.
const MAX_PAGES: usize = 500;

/// The tools of a server, as it lists them.
#[derive(Default)]
pub(crate) struct Listing {
    pub(crate) tools: Vec<RemoteTool>,
    /// How long the list may be used, if the server says so.
    pub(crate) ttl: Option<Duration>,
    /// Whether the server has more tools than are read.
    pub(crate) is_cut: bool,
}

/// Reads all pages of the list.
///
/// # Errors
/// The server did not list its tools.
pub(crate) async fn list(connection: &Connection) -> Result<Listing, RequestFailure> {
    let mut listing = Listing::default();
    // A server that does not claim to have tools need not know the request.
    if connection.info().is_some_and(|info| info.capabilities.tools.is_none()) {
        return Ok(listing);
    }
    let (mut cursor, mut seen) = (None, HashSet::new());
    for _ in 0..MAX_PAGES {
        let params = PaginatedRequestParams::default().with_cursor(cursor);
        // Not by the method of the peer, which would return an old list if the server fails.
        let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params));
        let answer = connection.peer().send_request(request).await;
        let answer = answer.map_err(|error| RequestFailure::of(error, connection.is_over_pipes()))?;
        let ServerResult::ListToolsResult(page) = answer else { return Err(unusable("the answer is no list")) };
        listing.ttl = page.ttl_ms.map(Duration::from_millis).into_iter().chain(listing.ttl).min();
        listing.tools.extend(page.tools);
        if listing.tools.len() > MAX_TOOLS {
            break;
        }
        match page.next_cursor {
            Some(next) if seen.insert(next.clone()) => cursor = Some(next),
            Some(_) => return Err(unusable("its pages have no end")),
            None => return Ok(listing),
        }
    }
    listing.is_cut = true;
    listing.tools.truncate(MAX_TOOLS);
    Ok(listing)
}

fn unusable(why: &str) -> RequestFailure {
    RequestFailure::Unknown { why: why.to_owned(), is_lost: false }
}
