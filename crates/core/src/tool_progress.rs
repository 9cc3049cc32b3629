//! How far a call that runs has come.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{CallUid, Str};

/// What a tool reported last about a call that runs. It is shown while the call runs and is no part of the turn: the log
/// does not keep it, and no model reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolProgress {
    /// The call.
    #[serde(rename = "call_id")]
    pub uid: CallUid,
    /// What the tool says, of at most [`MAX_BYTES`](Self::MAX_BYTES).
    pub text: Str,
}

impl ToolProgress {
    /// The most bytes that a report may have. The rest of a longer one is left out.
    pub const MAX_BYTES: usize = 2 * 1024;
    /// The shortest time between two reports of a call. Of those in between only the last is shown.
    pub const INTERVAL: Duration = Duration::from_millis(250);

    /// A report about a call.
    pub fn new(uid: CallUid, text: &str) -> Self {
        Self { uid, text: text[..text.floor_char_boundary(Self::MAX_BYTES)].into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TurnId;

    #[test]
    fn a_long_report_ends_before_the_character_that_does_not_fit() {
        let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
        for (text, bytes) in
            [("".to_owned(), 0), ("é".repeat(1_024), 2_048), (format!("a{}", "é".repeat(1_024)), 2_047)]
        {
            assert_eq!(ToolProgress::new(uid, &text).text.len(), bytes);
        }
    }
}
