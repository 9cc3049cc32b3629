//! What an attempt has shown, for a process that did not make it.

use serde::{Deserialize, Serialize};

use crate::{CallHead, Opaque, PartKind, Str};

/// One thing that an attempt shows of one part: a [`Beat`](crate::Beat) with its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Piece {
    /// The part begins. A tool call has its id and name, also one that the provider runs itself.
    #[serde(rename = "s")]
    Start(u16, PartKind, Option<CallHead>),
    /// The part grows.
    #[serde(rename = "t")]
    Text(u16, Str),
    /// The part is whole, with what its vendor wants back.
    #[serde(rename = "e")]
    End(u16, Option<Opaque>),
}
