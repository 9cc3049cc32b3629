//! Telling one turn.

use std::task::{Context, Poll, ready};

use turnkit_core::ports::{Detach, EventEncoder};
use turnkit_core::{Frames, StoreError, TurnEvent};
use turnkit_engine::{Told as Fed, TurnFeed};

use super::{Batch, Telling, Told};

/// A turn, told by its protocol's encoder.
pub(crate) struct TurnTelling {
    feed: TurnFeed,
    encoder: Box<dyn EventEncoder>,
    batch: Batch,
}
