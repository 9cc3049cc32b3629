//! Progress reports of running tool calls.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{CallUid, Str};

/// The last progress report of a running call. It is sent to followers while the call runs, but is not part of the
/// turn: it is not stored in the log, and models read it only if the call is stopped at its time limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolProgress {
    /// The call.
    #[serde(rename = "call_id")]
    pub uid: CallUid,
    /// The text of the report, at most [`MAX_BYTES`](Self::MAX_BYTES) long.
    pub text: Str,
}

impl ToolProgress {
    /// The maximum size of a report in bytes. Longer reports are truncated.
    pub const MAX_BYTES: usize = 2 * 1024;
    /// The minimum time between two published reports of a call. Of the reports in between, only the last one is
    /// published.
    pub const INTERVAL: Duration = Duration::from_millis(250);

    /// Creates a report about a call.
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
