//! Promises a broker could break.

/// One broken promise of a [`ModelBroker`](super::ModelBroker).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BrokerFlaw {
    /// A mirror takes over operations although others are missing before them.
    IgnoredGap,
    /// The request to stop is never sent to an owner elsewhere.
    LostStop,
}
