//! Promises that a broker can break on purpose.

use turnkit_core::{LiveTurn, LogBatch, LogOperation};

/// A promise that a [`ModelBroker`](super::ModelBroker) breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BrokerFlaw {
    /// A mirror applies operations although earlier ones are missing.
    IgnoredGap,
    /// Repeated operations are taken for new ones.
    RepeatTaken,
    /// Stop requests to an owner in another process are never sent.
    LostStop,
}

impl BrokerFlaw {
    /// All flaws.
    pub const ALL: [Self; 3] = [Self::IgnoredGap, Self::RepeatTaken, Self::LostStop];
}

/// Renumbers the operations of a batch so that they seem to be the next ones for the mirror.
pub(super) fn renumber(batch: &mut LogBatch, mirror: &LiveTurn) {
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
