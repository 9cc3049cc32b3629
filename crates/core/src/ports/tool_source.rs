//! Tools that are not known before a turn asks for them.

use std::sync::Arc;

use super::{BoxFuture, ToolSet};
use crate::Scope;

/// Why a source has no tools now, as a sentence for the operator and the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ToolSourceError(pub String);

/// A source of tools, such as a server. A turn asks its agent's sources once, when an owner takes it up, and keeps what they
/// gave: changes count from the next turn. A source that fails, or takes longer than two seconds, leaves the turn without its
/// tools.
///
/// ```
/// use std::sync::Arc;
/// use turnkit_core::Scope;
/// use turnkit_core::ports::{BoxFuture, ToolSet, ToolSource, ToolSourceError};
///
/// struct Tickets(Arc<ToolSet>);
///
/// impl ToolSource for Tickets {
///     fn name(&self) -> &str {
///         "tickets"
///     }
///     fn tools<'a>(&'a self, _: Option<&'a Scope>) -> BoxFuture<'a, Result<Arc<ToolSet>, ToolSourceError>> {
///         Box::pin(std::future::ready(Ok(Arc::clone(&self.0))))
///     }
/// }
///
/// let tickets = Tickets(Arc::default());
/// assert_eq!(tickets.name(), "tickets");
/// ```
pub trait ToolSource: Send + Sync {
    /// Its name, for notices, and for a model that looks for its tools.
    fn name(&self) -> &str;

    /// Whether its tools are deferred: a model is not told of them until it has found them with `tool_search`.
    fn defers(&self) -> bool {
        false
    }

    /// Its tools for this owner of a session; `None` where the host keeps the session. While nothing has changed it should
    /// give the same set: turns that are given the same sets share what is made of them.
    ///
    /// # Errors
    /// It has no tools now.
    fn tools<'a>(&'a self, scope: Option<&'a Scope>) -> BoxFuture<'a, Result<Arc<ToolSet>, ToolSourceError>>;
}
