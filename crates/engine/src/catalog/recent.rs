//! The catalogs of recent turns, so that turns that are offered the same tools share one.

use std::sync::Arc;

use super::Catalog;

/// The largest number of catalogs. A source with a connection for each user may have so many connections.
const MAX_CATALOGS: usize = 256;
/// The largest number of tools of all catalogs together. A catalog copies the names and descriptions of its tools, and
/// keeps the tools that its sources returned.
const MAX_TOOLS: usize = 256 * 1024;

/// Catalogs in the order in which they were last used, the latest last.
#[derive(Default)]
pub(super) struct RecentCatalogs {
    catalogs: Vec<Arc<Catalog>>,
    /// The number of tools of all catalogs.
    tools: usize,
}

impl RecentCatalogs {
    /// Returns the catalog that `is_wanted` accepts, which thereby becomes the latest.
    pub(super) fn find(&mut self, is_wanted: impl Fn(&Catalog) -> bool) -> Option<Arc<Catalog>> {
        let place = self.catalogs.iter().rposition(|catalog| is_wanted(catalog))?;
        self.catalogs.get_mut(place..)?.rotate_left(1);
        self.catalogs.last().cloned()
    }

    /// Adds a catalog. Returns those that were not used for the longest time and exceed the limits: the caller drops
    /// them once its lock is free, because that may close connections.
    #[must_use]
    pub(super) fn add(&mut self, catalog: Arc<Catalog>) -> Vec<Arc<Catalog>> {
        self.tools = self.tools.saturating_add(catalog.len());
        self.catalogs.push(catalog);
        let (mut excess, mut evicted) = (self.catalogs.len().saturating_sub(MAX_CATALOGS), 0);
        // The latest one stays, however many tools it has.
        let others = self.catalogs.split_last().map_or(&[][..], |(_, others)| others);
        for catalog in others {
            if excess == 0 && self.tools <= MAX_TOOLS {
                break;
            }
            excess = excess.saturating_sub(1);
            self.tools = self.tools.saturating_sub(catalog.len());
            evicted += 1;
        }
        self.catalogs.drain(..evicted).collect()
    }
}

#[cfg(test)]
mod tests {
    use turnkit_core::ToolDefinition;

    use super::*;

    /// Creates a catalog of this many tools.
    fn catalog(tools: usize) -> Arc<Catalog> {
        let tool = |number: usize| ToolDefinition::new(&format!("tool_{number}"), "", "{}").unwrap();
        Arc::new(Catalog::new((1..tools).map(tool).collect(), &[], &[], &[], &[]))
    }

    /// Reports whether the catalog is still there, without using it.
    fn holds(recent: &RecentCatalogs, catalog: &Arc<Catalog>) -> bool {
        recent.catalogs.iter().any(|known| Arc::ptr_eq(known, catalog))
    }

    #[test]
    fn each_of_256_users_keeps_a_catalog_and_the_least_recently_used_one_gives_way() {
        let (mut recent, users) = (RecentCatalogs::default(), [(); MAX_CATALOGS + 1].map(|()| catalog(1)));
        let [first, second, .., last] = &users;
        for user in &users[..MAX_CATALOGS] {
            assert!(recent.add(Arc::clone(user)).is_empty());
        }
        let found = recent.find(|known| std::ptr::eq(known, Arc::as_ptr(first)));
        assert!(found.is_some_and(|found| Arc::ptr_eq(&found, first)));
        let evicted = recent.add(Arc::clone(last));
        assert!(evicted.len() == 1 && Arc::ptr_eq(&evicted[0], second));
        assert!(holds(&recent, first) && holds(&recent, last));
        assert_eq!((recent.catalogs.len(), recent.tools), (MAX_CATALOGS, MAX_CATALOGS));
    }

    #[test]
    fn the_number_of_tools_is_limited_but_the_latest_catalog_stays() {
        let mut recent = RecentCatalogs::default();
        let (small, large) = (catalog(2), catalog(MAX_TOOLS));
        for _ in 0..3 {
            assert!(recent.add(Arc::clone(&small)).is_empty());
        }
        assert_eq!(recent.add(Arc::clone(&large)).len(), 3);
        assert!(holds(&recent, &large));
        assert_eq!(recent.add(Arc::clone(&small)).len(), 1, "both do not fit");
        assert_eq!((recent.catalogs.len(), recent.tools), (1, 2));
    }
}
