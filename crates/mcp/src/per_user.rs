//! Connections that differ by the owner of a session.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use lru::LruCache;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};
use turnkit_core::{Scope, TenantId, UserId};

use crate::tool_list::ToolList;

/// The number of connections of a server, 256. The one that was not used for the longest time is closed.
const MAX_CONNECTIONS: NonZeroUsize = NonZeroUsize::MIN.saturating_add(255);
/// How long a connection that is not used stays open.
const IDLE: Duration = Duration::from_secs(5 * 60);
/// How often unused connections are looked for.
const SWEEP: Duration = Duration::from_secs(30);

/// The connections of a server, one for each owner. Calls that are running keep a connection open when it is closed
/// here. Sessions that still hold its tools do not.
pub(crate) struct PerUser {
    lists: Lists,
    /// The task that closes unused connections, from the first connection on.
    sweeper: Mutex<JoinSet<()>>,
}

type Lists = Arc<Mutex<LruCache<Owner, Used>>>;

/// The owner of a connection.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Owner {
    tenant: TenantId,
    /// `None` if all users of the tenant share a connection.
    user: Option<UserId>,
}

struct Used {
    list: Arc<ToolList>,
    at: Instant,
}

impl Owner {
    /// The user.
    pub(crate) fn user(scope: &Scope) -> Self {
        Self { tenant: scope.tenant.clone(), user: Some(scope.user.clone()) }
    }

    /// The tenant.
    pub(crate) fn tenant(scope: &Scope) -> Self {
        Self { tenant: scope.tenant.clone(), user: None }
    }
}

impl PerUser {
    pub(crate) fn new() -> Self {
        Self { lists: Arc::new(Mutex::new(LruCache::new(MAX_CONNECTIONS))), sweeper: Mutex::default() }
    }

    /// Returns the tools of this owner if there is a connection.
    pub(crate) fn known(&self, owner: &Owner) -> Option<Arc<ToolList>> {
        let mut lists = lock(&self.lists);
        let used = lists.get_mut(owner)?;
        used.at = Instant::now();
        Some(Arc::clone(&used.list))
    }

    /// Returns the tools of this owner, with a connection that `create` makes if there is none.
    ///
    /// # Errors
    /// `create` failed.
    pub(crate) fn list<E>(
        &self,
        owner: Owner,
        create: impl FnOnce() -> Result<ToolList, E>,
    ) -> Result<Arc<ToolList>, E> {
        let mut lists = lock(&self.lists);
        if let Some(used) = lists.get_mut(&owner) {
            used.at = Instant::now();
            return Ok(Arc::clone(&used.list));
        }
        let list = Arc::new(create()?);
        let evicted = lists.push(owner, Used { list: Arc::clone(&list), at: Instant::now() });
        drop(lists);
        // After the lock is free, because it may close a connection.
        if let Some((_, used)) = evicted {
            used.list.close();
        }
        self.sweep();
        Ok(list)
    }

    /// Returns the number of connections, and the one that was used last.
    pub(crate) fn state(&self) -> (usize, Option<Arc<ToolList>>) {
        let lists = lock(&self.lists);
        (lists.len(), lists.peek_mru().map(|(_, used)| Arc::clone(&used.list)))
    }

    /// Returns the tools of all owners.
    pub(crate) fn all(&self) -> Vec<Arc<ToolList>> {
        lock(&self.lists).iter().map(|(_, used)| Arc::clone(&used.list)).collect()
    }

    fn sweep(&self) {
        let mut sweeper = self.sweeper.lock().unwrap_or_else(PoisonError::into_inner);
        if sweeper.is_empty() {
            let lists = Arc::downgrade(&self.lists);
            sweeper.spawn(async move {
                while let Some(lists) = lists.upgrade() {
                    for used in unused(&lists) {
                        used.list.close();
                    }
                    drop(lists);
                    sleep(SWEEP).await;
                }
            });
        }
    }
}

/// Removes the connections that were not used for some time.
fn unused(lists: &Lists) -> Vec<Used> {
    let (mut lists, mut unused) = (lock(lists), Vec::new());
    while lists.peek_lru().is_some_and(|(_, used)| used.at.elapsed() >= IDLE) {
        unused.extend(lists.pop_lru().map(|(_, used)| used));
    }
    unused
}

fn lock(lists: &Lists) -> MutexGuard<'_, LruCache<Owner, Used>> {
    lists.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use turnkit_process::LaunchSettings;

    use super::*;
    use crate::link::Link;
    use crate::settings::{McpServerSettings, Transport};

    fn unused_list() -> Result<ToolList, Infallible> {
        let launch = LaunchSettings { folder: "/".into(), environment: Default::default(), launcher: Vec::new() };
        let transport = Transport::Stdio { argv: vec!["server".to_owned()], launch };
        let settings = McpServerSettings::new("tickets", transport).unwrap();
        let endpoint = settings.transport.endpoint(None).unwrap();
        Ok(ToolList::new(Link::new(Arc::new(settings), endpoint)))
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_that_is_not_used_is_closed_after_some_time() {
        let users = PerUser::new();
        let (anna, ben) = (Scope::new("acme", "anna"), Scope::new("acme", "ben"));
        let Ok(first) = users.list(Owner::user(&anna), unused_list);
        let Ok(_) = users.list(Owner::user(&ben), unused_list);
        sleep(IDLE - SWEEP).await;
        let Ok(again) = users.list(Owner::user(&anna), unused_list);
        assert!(Arc::ptr_eq(&first, &again));
        assert_eq!(users.state().0, 2);
        sleep(2 * SWEEP).await;
        assert_eq!(users.state().0, 1, "ben's is closed");
        sleep(IDLE + SWEEP).await;
        assert_eq!(users.state().0, 0);
    }
}
