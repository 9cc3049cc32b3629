//! The size of a request as a provider counted it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::History;

/// The size of a request as the provider counted it. Only the messages after that request have to be estimated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anchor {
    /// The number of messages in the branch at that time. Messages from this index on are not counted.
    #[serde(rename = "said")]
    pub branch_len: u32,
    /// The number of input tokens, including instructions and tools.
    pub tokens: u64,
    /// The estimated tokens of the instructions and tools.
    #[serde(rename = "besides")]
    pub overhead: u64,
    /// The model that answered the request.
    pub model: Arc<str>,
    /// Whether contents have been left out since then. Their estimated size was subtracted from `tokens`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_reduced: bool,
}

impl History {
    /// Sets the provider's token count for the request that was made with the history as it is now. `overhead` is the
    /// estimated size of its instructions and tools, in tokens. The next summary or edits remove the anchor.
    pub fn set_anchor(&mut self, tokens: u64, overhead: u64, model: Arc<str>) {
        self.anchor = Some(Anchor { branch_len: self.branch_len, tokens, overhead, model, is_reduced: false });
    }

    /// Restores an anchor that edits have just removed. The request would now be about `saved` tokens smaller.
    pub fn keep_anchor(&mut self, anchor: Anchor, saved: u64) {
        self.anchor = Some(Anchor { tokens: anchor.tokens.saturating_sub(saved), is_reduced: true, ..anchor });
    }

    /// Restores the anchor that was stored with the last of these messages, or removes it if none was stored.
    pub fn restore_anchor(&mut self, anchor: Option<Anchor>) {
        self.anchor = anchor.filter(|anchor| anchor.branch_len <= self.branch_len);
    }

    /// Returns the size of the last request whose messages are all still sent unchanged, if a provider counted one.
    pub fn anchor(&self) -> Option<&Anchor> {
        self.anchor.as_ref()
    }
}
