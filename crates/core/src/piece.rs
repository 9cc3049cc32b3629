//! Published pieces of an attempt, for other processes.

use serde::{Deserialize, Serialize};

use crate::{CallHead, Opaque, PartKind, Str};

/// A published change of one part: a [`TimelineEntry`](crate::TimelineEntry) with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Piece {
    /// The part begins. `CallHead` is set for tool calls, including those that the provider runs itself.
    #[serde(rename = "s")]
    Start(u16, PartKind, Option<CallHead>),
    /// Text is appended to the part.
    #[serde(rename = "t")]
    Text(u16, Str),
    /// The part is complete. `Opaque` is the data that must be sent back to its vendor.
    #[serde(rename = "e")]
    End(u16, Option<Opaque>),
}
