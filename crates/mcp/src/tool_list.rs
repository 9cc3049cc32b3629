//! The tools of a connection, read again when they may have changed.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::time::Instant;
use turnkit_core::ToolDefinition;
use turnkit_core::ports::{LeftOutTool, McpInfo, McpState, McpToolStatus, Tool, ToolSet};
use turnkit_net::timeout;

use crate::changes::SeenDefinitions;
use crate::connection::Connection;
use crate::failure::RequestFailure;
use crate::flight::Flight;
use crate::link::{Link, LinkStatus, Unavailable};
use crate::listing::{Listing, list};
use crate::offered::Offered;
use crate::text::seconds;

/// How long a list may be used if the server does not say so.
const LIFETIME: Duration = Duration::from_secs(5 * 60);
/// The shortest and the longest time that a list may be used, whatever the server says. Many servers say zero, and some
/// announce a change after every call, which would be a request in each turn.
const BOUNDS: (Duration, Duration) = (Duration::from_secs(30), Duration::from_secs(24 * 60 * 60));
/// The number of changed tools that a log line names. A server can change all of its tools with each list.
const MAX_NAMED: usize = 20;

/// The tools of a server on behalf of one owner. The list is read over each new connection. Over the same connection,
/// it is read again in the background when the server has announced a change and when it has become old. Turns use the
/// present list until then, so that no server can delay them.
///
/// A list that cannot be read again is not used any more, and the connection is given up: a server that cannot list its
/// tools cannot run them either, and a turn that misses tools is better than one whose calls all fail.
pub(crate) struct ToolList {
    link: Arc<Link>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    current: Option<Current>,
    reading: Option<Reading>,
    /// The definitions of all lists so far.
    seen: SeenDefinitions,
}

/// The list that was read last.
struct Current {
    offered: Offered,
    connection: Weak<Connection>,
    /// The number of announced changes before it was read.
    changes: u64,
    read_at: Instant,
    /// When an announced change counts.
    may_change: Instant,
    expires: Instant,
}

/// A list that is being read.
#[derive(Clone)]
struct Reading {
    connection: Weak<Connection>,
    flight: Flight<ListedTools>,
}

/// The tools that were read; `None` if the connection was lost meanwhile.
type ListedTools = Result<Option<Arc<ToolSet>>, Unavailable>;

impl ToolList {
    pub(crate) fn new(link: Link) -> Self {
        Self { link: Arc::new(link), state: Mutex::default() }
    }

    /// Returns the tools. As long as nothing is known to have changed, it returns the same set.
    ///
    /// # Errors
    /// The server cannot be used now.
    pub(crate) async fn tools(self: &Arc<Self>) -> Result<Arc<ToolSet>, Unavailable> {
        // The second time over a new connection: a server that was restarted does not know its sessions any more.
        for _ in 0..2 {
            if let Some(tools) = self.current_tools().await? {
                return Ok(tools);
            }
        }
        let why = "it ends its sessions while its tools are listed".into();
        Err(Unavailable { why, retry_in: Duration::ZERO })
    }

    async fn current_tools(self: &Arc<Self>) -> ListedTools {
        let connection = self.link.connection().await?;
        let reading = {
            let mut state = self.lock();
            if let Some(set) = self.current(&mut state, &connection) {
                return Ok(Some(set));
            }
            let running = state.reading.as_ref().filter(|reading| is_same(&reading.connection, &connection)).cloned();
            running.unwrap_or_else(|| state.reading.insert(self.read(&connection)).clone())
        };
        match reading.flight.result().await {
            Some(read) => read,
            None => {
                self.lock().reading = None;
                Err(self.link.failed(&connection, "reading its list of tools was interrupted"))
            }
        }
    }

    /// Returns the tools if the connection is open and they were read over it.
    pub(crate) fn known(self: &Arc<Self>) -> Option<Arc<ToolSet>> {
        let connection = self.link.open()?;
        self.current(&mut self.lock(), &connection)
    }

    /// Returns the tools that were read over this connection. If they may have changed, they are read again meanwhile.
    fn current(self: &Arc<Self>, state: &mut State, connection: &Arc<Connection>) -> Option<Arc<ToolSet>> {
        let current = state.current.as_ref().filter(|it| is_same(&it.connection, connection))?;
        let (set, is_stale) = (Arc::clone(&current.offered.set), current.is_stale(connection));
        let running = state.reading.as_ref().filter(|reading| is_same(&reading.connection, connection));
        if is_stale && running.is_none_or(|reading| reading.flight.has_ended()) {
            state.reading = Some(self.read(connection));
        }
        Some(set)
    }

    fn read(self: &Arc<Self>, connection: &Arc<Connection>) -> Reading {
        let (tools, link) = (Arc::downgrade(self), Arc::clone(&self.link));
        let (reader, changes) = (Arc::clone(connection), connection.list_changes());
        let flight = Flight::start(async move {
            let limit = link.settings().start_timeout;
            let listed = match link.wait_for_token().await {
                Ok(()) => timeout(limit, list(&reader)).await.unwrap_or_else(|_| Err(late(limit))),
                Err(failure) => Err(failure),
            };
            let Some(tools) = tools.upgrade() else { return Ok(None) };
            match listed {
                Ok(listing) => Ok(Some(tools.finish(listing, &reader, changes))),
                Err(failure) => {
                    tools.lock().reading = None;
                    if failure.is_lost() {
                        link.lost(&reader);
                        return Ok(None);
                    }
                    let why = link.secrets().line(&failure.to_string(), 500);
                    let why = format!("its tools cannot be listed: {why}");
                    match failure.lacks_token() {
                        true => Err(link.lacks_token(&reader, &why)),
                        false => Err(link.failed(&reader, &why)),
                    }
                }
            }
        });
        Reading { connection: Arc::downgrade(connection), flight }
    }

    fn finish(&self, listing: Listing, connection: &Arc<Connection>, changes: u64) -> Arc<ToolSet> {
        let (now, (shortest, longest)) = (Instant::now(), BOUNDS);
        let expires = now + listing.ttl.unwrap_or(LIFETIME).clamp(shortest, longest);
        let mut state = self.lock();
        let offered = Offered::new(&self.link, listing, state.current.as_ref().map(|current| &current.offered));
        let server = self.link.settings().name();
        for LeftOutTool { name, why } in &offered.left_out {
            tracing::warn!(server, tool = name, reason = why, "a tool of a server is not offered");
        }
        let changed = state.seen.update(&offered.definitions, now);
        if !changed.is_empty() {
            let named: Vec<_> = changed.iter().take(MAX_NAMED).map(|tool| self.link.secrets().removed(*tool)).collect();
            let (count, tools) = (changed.len(), named.join(", "));
            tracing::warn!(server, count, tools, "tools of a server have changed: their calls need approval");
        }
        let set = Arc::clone(&offered.set);
        let (connection, may_change) = (Arc::downgrade(connection), now + shortest);
        state.current = Some(Current { offered, connection, changes, read_at: now, may_change, expires });
        state.reading = None;
        set
    }

    /// Returns the link over which the tools are read and called.
    pub(crate) fn link(&self) -> &Arc<Link> {
        &self.link
    }

    /// Closes the connection until it is needed again, which may be at once even after a failure.
    pub(crate) fn reset(&self) {
        self.link.reset();
    }

    /// Returns the state of the connection.
    pub(crate) fn state(&self) -> McpState {
        match self.link.status() {
            LinkStatus::Idle => McpState::NotStarted,
            LinkStatus::Starting => McpState::Starting,
            LinkStatus::Ready(connection) => McpState::Ready(self.info(&connection)),
            LinkStatus::Failing(Unavailable { why, retry_in }) => {
                McpState::Failing { error: why.to_string(), retry_in }
            }
        }
    }

    fn info(&self, connection: &Arc<Connection>) -> McpInfo {
        let (mut info, secrets) = (McpInfo::default(), self.link.secrets());
        let shown = |part: &str, max: usize| secrets.line(part, max);
        if let Some(peer) = connection.info() {
            info.protocol = shown(peer.protocol_version.as_str(), 40);
            let server = peer.server_info.as_ref();
            info.server = server.map(|it| format!("{} {}", shown(&it.name, 100), shown(&it.version, 100)));
        }
        let state = self.lock();
        let status = |tool: &Arc<dyn Tool>| {
            let ToolDefinition { name, description, parameters, flags, .. } = tool.definition();
            McpToolStatus {
                name: secrets.removed(name.as_str()).into_owned(),
                description: description.clone(),
                parameters: parameters.clone(),
                flags: *flags,
                fingerprint: tool.pin(),
                changed: state.seen.changed_at(name).map(|at| at.elapsed()),
            }
        };
        if let Some(current) = &state.current {
            info.list_age = Some(current.read_at.elapsed());
            info.tools = current.offered.set.tools().iter().map(status).collect();
            info.left_out = current.offered.left_out.clone();
        }
        info
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Current {
    /// Reports whether the list may have changed at the server. `connection` is the one over which it was read.
    fn is_stale(&self, connection: &Connection) -> bool {
        let now = Instant::now();
        let is_announced = self.changes != connection.list_changes();
        now >= self.expires || (is_announced && now >= self.may_change)
    }
}

fn late(limit: Duration) -> RequestFailure {
    RequestFailure::Unknown { why: format!("no answer within {}", seconds(limit)), is_lost: false }
}

fn is_same(known: &Weak<Connection>, connection: &Arc<Connection>) -> bool {
    std::ptr::eq(known.as_ptr(), Arc::as_ptr(connection))
}
