//! Connections that differ by the owner of a session.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::sleep;
use turnkit_core::ports::PinOwner;
use turnkit_core::{Scope, TenantId, UserId};

use crate::link::Link;
use crate::tool_list::ToolList;

/// The number of connections of a server. The one that was not used for the longest time is closed.
const MAX_CONNECTIONS: usize = 256;
/// How long a connection that is not used stays open.
const IDLE: Duration = Duration::from_secs(5 * 60);
/// How often unused connections are looked for.
const SWEEP: Duration = Duration::from_secs(30);

/// The connections of a server, one for each owner. Calls that are running keep a connection open when it is closed
/// here. Sessions that still hold its tools do not: their next call opens another one, which is closed in the same way.
pub(crate) struct PerUser {
    connections: Arc<Mutex<Connections>>,
    /// The task that closes unused connections, from the first connection on.
    sweeper: Mutex<JoinSet<()>>,
}

#[derive(Default)]
struct Connections {
    lists: HashMap<Owner, Arc<ToolList>>,
    /// The links of all lists, also of those that sessions alone still hold.
    links: Vec<Weak<Link>>,
}

/// The owner of a connection.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Owner {
    tenant: TenantId,
    /// `None` if all users of the tenant share a connection.
    user: Option<UserId>,
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

    /// Returns for whom definitions are accepted that connections of this owner list.
    pub(crate) fn pin_owner(self) -> PinOwner {
        let Self { tenant, user } = self;
        match user {
            Some(user) => PinOwner::User(Scope { tenant, user }),
            None => PinOwner::Tenant(tenant),
        }
    }
}

impl PerUser {
    pub(crate) fn new() -> Self {
        Self { connections: Arc::default(), sweeper: Mutex::default() }
    }

    /// Returns the tools of this owner if there is a connection.
    pub(crate) fn known(&self, owner: &Owner) -> Option<Arc<ToolList>> {
        let list = lock(&self.connections).lists.get(owner).cloned()?;
        list.link().record_use();
        Some(list)
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
        let mut connections = lock(&self.connections);
        if let Some(list) = connections.lists.get(&owner) {
            list.link().record_use();
            return Ok(Arc::clone(list));
        }
        let list = Arc::new(create()?);
        let evicted = connections.make_room();
        connections.links.push(Arc::downgrade(list.link()));
        connections.lists.insert(owner, Arc::clone(&list));
        drop(connections);
        // After the lock is free, because it may close a connection.
        if let Some(evicted) = evicted {
            evicted.link().close();
        }
        self.sweep();
        Ok(list)
    }

    /// Returns the number of connections, and the one that was used last.
    pub(crate) fn state(&self) -> (usize, Option<Arc<ToolList>>) {
        let lists = self.all();
        let last = lists.iter().max_by_key(|list| list.link().last_use()).cloned();
        (lists.len(), last)
    }

    /// Returns the owner of the connection that was used last.
    pub(crate) fn last_owner(&self) -> Option<Owner> {
        let connections = lock(&self.connections);
        let last = connections.lists.iter().max_by_key(|(_, list)| list.link().last_use());
        last.map(|(owner, _)| owner.clone())
    }

    /// Returns the tools of all owners.
    pub(crate) fn all(&self) -> Vec<Arc<ToolList>> {
        lock(&self.connections).lists.values().cloned().collect()
    }

    fn sweep(&self) {
        let mut sweeper = self.sweeper.lock().unwrap_or_else(PoisonError::into_inner);
        if sweeper.is_empty() {
            let connections = Arc::downgrade(&self.connections);
            sweeper.spawn(async move {
                while let Some(connections) = connections.upgrade() {
                    close_unused(&connections);
                    drop(connections);
                    sleep(SWEEP).await;
                }
            });
        }
    }
}

impl Connections {
    /// Removes the list that was not used for the longest time, if there is no room for another one.
    fn make_room(&mut self) -> Option<Arc<ToolList>> {
        if self.lists.len() < MAX_CONNECTIONS {
            return None;
        }
        let oldest = self.lists.iter().min_by_key(|(_, list)| list.link().last_use())?.0.clone();
        self.lists.remove(&oldest)
    }

    /// Removes the lists that were not used for some time, and returns them.
    fn unused(&mut self) -> Vec<Arc<ToolList>> {
        let unused = self.lists.extract_if(|_, list| is_unused(list.link()));
        unused.map(|(_, list)| list).collect()
    }

    /// Returns the links that something still holds.
    fn links(&mut self) -> Vec<Arc<Link>> {
        let held: Vec<Arc<Link>> = self.links.iter().filter_map(Weak::upgrade).collect();
        self.links = held.iter().map(Arc::downgrade).collect();
        held
    }
}

/// Closes the connections that were not used for some time.
fn close_unused(connections: &Mutex<Connections>) {
    let mut connections = lock(connections);
    let (links, lists) = (connections.links(), connections.unused());
    // After the lock is free, because it may close connections.
    drop(connections);
    drop(lists);
    links.iter().filter(|link| is_unused(link)).for_each(|link| link.close());
}

fn is_unused(link: &Link) -> bool {
    link.last_use().elapsed() >= IDLE
}

fn lock(connections: &Mutex<Connections>) -> MutexGuard<'_, Connections> {
    connections.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use turnkit_process::LaunchSettings;

    use super::*;
    use crate::settings::{McpServerSettings, Transport};

    fn unused_list() -> Result<ToolList, Infallible> {
        let launch = LaunchSettings { folder: "/".into(), environment: Default::default(), launcher: Vec::new() };
        let transport = Transport::Stdio { argv: vec!["server".to_owned()], launch };
        let settings = McpServerSettings::new("tickets", transport).unwrap();
        let endpoint = settings.endpoint(None).unwrap();
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
