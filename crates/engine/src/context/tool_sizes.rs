//! The estimated sizes of the tools that requests carry.

use std::sync::{Arc, Mutex, PoisonError};

use turnkit_core::ToolDefinition;

use super::tokens;

/// The fewest tools whose size is remembered. Fewer are estimated anew in less time.
const FEWEST: usize = 32;
/// The number of lists of tools that are remembered. The oldest leaves.
const MOST: usize = 16;

/// The sizes of long lists of tools, each estimated once: turns share the lists.
#[derive(Debug, Default)]
pub(super) struct ToolSizes {
    known: Mutex<Vec<(Arc<[ToolDefinition]>, u64)>>,
}

impl ToolSizes {
    /// The estimated tokens of these tools.
    pub(super) fn of(&self, tools: &Arc<[ToolDefinition]>) -> u64 {
        let estimate = || tools.iter().map(tokens::of_tool).sum::<u64>();
        if tools.len() < FEWEST {
            return estimate();
        }
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, tokens)) = lock().iter().find(|(known, _)| Arc::ptr_eq(known, tools)) {
            return *tokens;
        }
        let tokens = estimate();
        let mut known = lock();
        if known.len() >= MOST {
            known.remove(0);
        }
        known.push((Arc::clone(tools), tokens));
        tokens
    }
}
