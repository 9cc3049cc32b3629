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
/// The number of bytes that are read, as JSON: of tools, and of the names of pages.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// The tools of a server, as it lists them.
#[derive(Default)]
pub(crate) struct Listing {
    pub(crate) tools: Vec<RemoteTool>,
    /// How long the list may be used, if the server says so.
    pub(crate) ttl: Option<Duration>,
    /// Whether the server has more tools than are read.
    pub(crate) is_cut: bool,
    /// The size of what was read.
    bytes: usize,
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
        let answer = answer.map_err(|error| connection.failure(error))?;
        let ServerResult::ListToolsResult(page) = answer else { return Err(unusable("the answer is no list")) };
        listing.ttl = page.ttl_ms.map(Duration::from_millis).into_iter().chain(listing.ttl).min();
        if !listing.take(page.tools) {
            break;
        }
        match page.next_cursor {
            Some(next) if !listing.reserve(next.len()) => break,
            Some(next) if seen.insert(next.clone()) => cursor = Some(next),
            Some(_) => return Err(unusable("its pages have no end")),
            None => return Ok(listing),
        }
    }
    listing.is_cut = true;
    Ok(listing)
}

impl Listing {
    /// Adds the tools of a page. Returns whether there was room for all of them.
    fn take(&mut self, tools: Vec<RemoteTool>) -> bool {
        for tool in tools {
            let size = serde_json::to_vec(&tool).map_or(usize::MAX, |text| text.len());
            if self.tools.len() == MAX_TOOLS || !self.reserve(size) {
                return false;
            }
            self.tools.push(tool);
        }
        true
    }

    /// Reserves room for this number of bytes. Returns whether there is as much.
    fn reserve(&mut self, size: usize) -> bool {
        self.bytes = self.bytes.saturating_add(size);
        self.bytes <= MAX_BYTES
    }
}

fn unusable(why: &str) -> RequestFailure {
    RequestFailure::Unknown { why: why.to_owned(), is_lost: false }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_list_is_cut_where_it_becomes_too_large() {
        for (count, bytes, kept) in [(3, 1_000, 3), (MAX_TOOLS + 1, 10, MAX_TOOLS), (10, 1024 * 1024, 7)] {
            let tool = json!({ "name": "x", "description": "x".repeat(bytes), "inputSchema": { "type": "object" } });
            let tool: RemoteTool = serde_json::from_value(tool).unwrap();
            let mut listing = Listing::default();
            let has_all = (0..count).all(|_| listing.take(vec![tool.clone()]));
            assert_eq!((listing.tools.len(), has_all), (kept, kept == count), "{count} of {bytes} bytes");
        }
        let mut listing = Listing::default();
        assert!(listing.reserve(MAX_BYTES) && !listing.reserve(1));
    }
}
