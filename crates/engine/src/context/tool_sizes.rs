//! The estimated sizes of the tools in requests.

use std::sync::{Arc, Mutex, PoisonError};

use turnkit_core::ToolDefinition;

use super::tokens;

/// The minimum length of a list whose size is cached. A shorter list is faster to estimate again.
const MIN_CACHED_TOOLS: usize = 32;
/// The maximum number of cached lists of tools. The oldest is evicted.
const MAX_CACHED_LISTS: usize = 16;

/// The sizes of long lists of tools. Turns share these lists, so each is estimated once.
#[derive(Debug, Default)]
pub(super) struct ToolSizes {
    known: Mutex<Vec<(Arc<[ToolDefinition]>, u64)>>,
}

impl ToolSizes {
    /// Returns the estimated tokens of these tools.
    pub(super) fn of(&self, tools: &Arc<[ToolDefinition]>) -> u64 {
        let estimate = || tools.iter().map(tokens::of_tool).sum::<u64>();
        if tools.len() < MIN_CACHED_TOOLS {
            return estimate();
        }
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, tokens)) = lock().iter().find(|(known, _)| Arc::ptr_eq(known, tools)) {
            return *tokens;
        }
        let tokens = estimate();
        let mut known = lock();
        if known.len() >= MAX_CACHED_LISTS {
            known.remove(0);
        }
        known.push((Arc::clone(tools), tokens));
        tokens
    }
}
