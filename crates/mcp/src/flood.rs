//! Servers that send more messages than can be handled.

use std::time::Duration;

use tokio::time::Instant;

/// The number of messages per second that are read from a stream. Each request and each notification becomes a task.
const MESSAGES_PER_SECOND: u32 = 1_000;

/// Counts the messages of a stream.
pub(crate) struct MessageRate {
    second: Instant,
    messages: u32,
}

/// The end of a stream with too many messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the server sends more than {limit} messages per second", limit = MESSAGES_PER_SECOND)]
pub(crate) struct Flood;

impl MessageRate {
    pub(crate) fn new() -> Self {
        Self { second: Instant::now(), messages: 0 }
    }

    /// Counts a message.
    ///
    /// # Errors
    /// There were too many in this second. The stream must not be read any further.
    pub(crate) fn count(&mut self) -> Result<(), Flood> {
        if self.second.elapsed() >= Duration::from_secs(1) {
            *self = Self::new();
        }
        self.messages = self.messages.saturating_add(1);
        if self.messages > MESSAGES_PER_SECOND { Err(Flood) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_number_of_messages_in_a_second_is_limited() {
        let mut rate = MessageRate::new();
        for second in 0..3 {
            for _ in 0..MESSAGES_PER_SECOND {
                assert_eq!(rate.count(), Ok(()), "second {second}");
            }
            assert_eq!(rate.count(), Err(Flood), "second {second}");
            tokio::time::advance(Duration::from_secs(1)).await;
        }
    }
}
