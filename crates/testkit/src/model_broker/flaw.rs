//! Promises a broker could break.

use turnkit_core::{LiveTurn, LogBatch, LogOperation};

/// One broken promise of a [`ModelBroker`](super::ModelBroker).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BrokerFlaw {
    /// A mirror takes over operations although others are missing before them.
    IgnoredGap,
    /// Operations that come again are taken for new ones.
    RepeatTaken,
    /// The request to stop is never sent to an owner elsewhere.
    LostStop,
}

impl BrokerFlaw {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::IgnoredGap, Self::RepeatTaken, Self::LostStop];
}

/// Numbers operations as if they were the next ones for the mirror.
pub(super) fn number_anew(batch: &mut LogBatch, mirror: &LiveTurn) {
    let (last, known) = mirror.read(|log| (log.last_visible_seq(), log.messages().len()));
    let events = last.saturating_sub(batch.after.seq);
    let messages = u32::try_from(known).unwrap_or(u32::MAX).saturating_sub(batch.after.messages);
    for operation in &mut batch.operations {
        match operation {
            LogOperation::Message { place, .. } => *place += messages,
            LogOperation::Entry { seq, .. } | LogOperation::Open { seq, .. } | LogOperation::Show { seq, .. } => {
                *seq += events;
            }
            LogOperation::Begin { .. } | LogOperation::Progress { .. } | LogOperation::Detach => {}
        }
    }
}
