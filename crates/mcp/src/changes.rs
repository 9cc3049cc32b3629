//! Changes of the definitions of a server's tools.

use std::collections::{HashMap, HashSet};

use tokio::time::Instant;
use turnkit_core::ToolDefinition;

/// The number of tools whose definitions are kept. Above it, those that the server does not list any more are dropped.
const MAX_SEEN: usize = 4_000;

/// The definitions that a server has listed since it was first used, by the names of their tools. A tool that was gone
/// meanwhile is compared with its earlier definition.
#[derive(Default)]
pub(crate) struct SeenDefinitions(HashMap<String, Seen>);

struct Seen {
    fingerprint: Option<[u8; 32]>,
    changed_at: Option<Instant>,
}

impl SeenDefinitions {
    /// Compares the definitions of a list with earlier ones, and keeps them. Returns the names of changed tools.
    pub(crate) fn update<'a>(&mut self, listed: &'a [ToolDefinition], now: Instant) -> Vec<&'a str> {
        let mut changed = Vec::new();
        for ToolDefinition { name, fingerprint, .. } in listed {
            let fingerprint = *fingerprint;
            match self.0.get_mut(name) {
                Some(seen) if seen.fingerprint == fingerprint => {}
                Some(seen) => {
                    *seen = Seen { fingerprint, changed_at: Some(now) };
                    changed.push(name.as_str());
                }
                None => {
                    self.0.insert(name.clone(), Seen { fingerprint, changed_at: None });
                }
            }
        }
        if self.0.len() > MAX_SEEN {
            let listed: HashSet<&str> = listed.iter().map(|definition| definition.name.as_str()).collect();
            self.0.retain(|name, _| listed.contains(name.as_str()));
        }
        changed
    }

    /// Returns when the definition of a tool was last found to have changed.
    pub(crate) fn changed_at(&self, name: &str) -> Option<Instant> {
        self.0.get(name)?.changed_at
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn definition(name: &str, says: u8) -> ToolDefinition {
        ToolDefinition { fingerprint: Some([says; 32]), ..ToolDefinition::new(name, "", "{}").unwrap() }
    }

    #[test]
    fn a_definition_that_differs_from_the_one_before_is_a_change_even_if_its_tool_was_gone() {
        let (mut seen, start) = (SeenDefinitions::default(), Instant::now());
        for (second, listed, changed) in [
            (0, vec![definition("a", 1), definition("b", 1)], vec![]),
            (1, vec![definition("a", 1)], vec![]),
            (2, vec![definition("a", 1), definition("b", 2)], vec!["b"]),
            (3, vec![definition("a", 1), definition("b", 2)], vec![]),
            (4, vec![definition("b", 1)], vec!["b"]),
        ] {
            assert_eq!(seen.update(&listed, start + Duration::from_secs(second)), changed, "{second}");
        }
        assert_eq!(seen.changed_at("a"), None);
        assert_eq!(seen.changed_at("b"), Some(start + Duration::from_secs(4)));
        assert_eq!(seen.changed_at("c"), None);
    }

    #[test]
    fn a_server_that_lists_ever_new_names_does_not_grow_the_memory_without_end() {
        let (mut seen, now) = (SeenDefinitions::default(), Instant::now());
        for round in 0..10 {
            let listed: Vec<_> = (0..1_000).map(|tool| definition(&format!("{round}-{tool}"), 1)).collect();
            seen.update(&listed, now);
            assert!(seen.0.len() <= MAX_SEEN, "{round}");
        }
    }
}
