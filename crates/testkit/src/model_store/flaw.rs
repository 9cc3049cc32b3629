//! Promises that a store can break on purpose.

/// A promise that a [`ModelStore`](super::ModelStore) breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// Any former owner of a turn may write it.
    NoFence,
    /// An accepted turn is durable only after the next commit.
    AcceptedTooEarly,
    /// A checkpoint within a turn is durable only after the next commit, so calls take effect before their receipts
    /// are.
    CheckpointedTooEarly,
    /// The end of a turn does not let the next one begin.
    LostPromotion,
    /// The newest queued turn begins first.
    LastComeFirst,
    /// Two turns of a session may run at once.
    NoQueue,
    /// Messages are not written with their checkpoint.
    LostMessages,
    /// Receipts are not written with their checkpoint.
    LostReceipts,
    /// A turn can be claimed under the same fence while its owner is alive.
    DoubleClaim,
    /// A turn that has ended can be stopped, and then ends a second time.
    SecondEnd,
    /// An idempotency key is written in a transaction of its own.
    KeyAfterTurn,
    /// Checkpoints succeed although the turn is to stop.
    StopIgnored,
    /// A new owner does not see the last chunk of the log, and reuses its event numbers.
    NumbersReused,
    /// The usage of a turn is not added to its session.
    LostUsage,
    /// Any worker that knows the fence may write the turn, even one whose ownership a sweep has ended.
    OwnerNotChecked,
    /// Leases expire by the clock of the calling process, not by the store's.
    LeaseByLocalClock,
    /// A worker takes turns over although its own lease was interrupted.
    SweepWithoutOwnLease,
    /// A sweep ends the leases of all other workers, expired or not.
    SweepOfTheLiving,
    /// A lease renewal is acknowledged but not written.
    RenewalWithoutEffect,
    /// A starting worker takes over every turn, not only the turns of dead workers.
    StartTakesAll,
    /// The turns of dead workers keep their owners.
    DeadKeepTurns,
    /// A turn that is taken over keeps its fence.
    FenceKept,
    /// The next owner of a turn does not receive the request to stop it.
    StopLostInHandOver,
    /// A stop request is acknowledged but not written.
    StopNotStored,
    /// A sweep does not list the turns that are to stop.
    StopLostInSweep,
    /// A queued turn may be claimed while another turn of its session runs.
    QueueIgnoredByClaim,
    /// An idempotency key is known only to the worker that used it.
    KeyOfOneWorker,
    /// A message that changes what models are sent is not written with its checkpoint.
    ChangeLost,
    /// A checkpoint with a message that changes what models are sent is durable only after the next commit.
    ChangeTooEarly,
    /// A summary is written without its text.
    SummaryWithoutText,
    /// A summary is written without the place of the message that it keeps.
    KeptMessageForgotten,
    /// A summary is written as if it covered one message more.
    SummaryCoversMore,
    /// A summary is written as if it covered one message less.
    SummaryCoversLess,
    /// Edits are written with the places of other messages.
    EditsMisplaced,
    /// The history that is read has no summaries.
    SummariesNotRead,
    /// The history that is read has only the first summary of the session.
    FirstSummaryRead,
    /// The history that is read has only the summaries of the turn itself.
    SummaryNotInherited,
    /// The history that is read starts after its newest summary.
    ReadFromNewestSummary,
    /// The history that is read contains the contents that edits removed.
    EditsNotRead,
    /// The model calls of a compaction are not counted.
    CompactionNotCounted,
    /// A partial save of an answer is acknowledged but not written.
    PartialLost,
    /// A checkpoint does not remove partial saves.
    PartialsKept,
    /// A message waits for a chore instead of stopping it.
    ChoreNotStopped,
    /// The owner of a chore that a message stopped is not notified, and may still write.
    StoppedChoreWrites,
    /// The waits of a turn are not written with its checkpoint.
    WaitsLost,
    /// The wait for a tool's question is written without the question.
    QuestionForgotten,
    /// A decision is acknowledged but not written.
    DecisionLost,
    /// A decision replaces an earlier one.
    DecisionReplaced,
    /// A decision is accepted although the wait has expired.
    LateDecisionCounts,
    /// A turn may be claimed after the first decision although it waits for others.
    FirstDecisionIsEnough,
    /// If calls are decided before their turn begins to wait, the turn does not receive the decisions.
    EarlyDecisionsNotReturned,
    /// The next owner of a turn does not receive the decisions.
    DecisionsNotLoaded,
    /// The owner of a turn receives a denial as an approval.
    DenialTakenForApproval,
    /// The decisions of two calls are swapped.
    DecisionsExchanged,
    /// The owner of a turn does not receive what a decision was about.
    BindingsForgotten,
    /// Undecided waits do not expire.
    NothingExpires,
    /// Waits expire too early.
    ExpiresEarly,
    /// The waits of a turn that is to stop remain open.
    StopLeavesWaits,
    /// The turn of a sub-agent is not written with the checkpoint that starts it.
    ChildNotStarted,
    /// The end of a sub-agent does not decide the wait of its call.
    ReportLost,
    /// A call receives its sub-agent's status without the text of the report.
    ReportWithoutText,
    /// Stopping a turn does not stop its sub-agents.
    StopLeavesChildren,
    /// A message taken by a running turn stays in the queue, and runs a second time.
    SteeredStaysQueued,
}

impl Flaw {
    /// Flaws that the simulation of one process must detect.
    pub const OF_ONE_PROCESS: [Self; 17] = [
        Self::NoFence,
        Self::AcceptedTooEarly,
        Self::CheckpointedTooEarly,
        Self::LostPromotion,
        Self::LastComeFirst,
        Self::NoQueue,
        Self::LostMessages,
        Self::LostReceipts,
        Self::DoubleClaim,
        Self::SecondEnd,
        Self::KeyAfterTurn,
        Self::StopIgnored,
        Self::NumbersReused,
        Self::LostUsage,
        Self::PartialLost,
        Self::PartialsKept,
        Self::SteeredStaysQueued,
    ];

    /// Flaws that the simulation of several processes must detect.
    pub const AMONG_PROCESSES: [Self; 14] = [
        Self::NoFence,
        Self::OwnerNotChecked,
        Self::LeaseByLocalClock,
        Self::SweepWithoutOwnLease,
        Self::SweepOfTheLiving,
        Self::RenewalWithoutEffect,
        Self::StartTakesAll,
        Self::DeadKeepTurns,
        Self::FenceKept,
        Self::StopLostInHandOver,
        Self::StopNotStored,
        Self::StopLostInSweep,
        Self::QueueIgnoredByClaim,
        Self::KeyOfOneWorker,
    ];

    /// Flaws that the simulation of sessions in small windows must detect.
    pub const OF_SMALL_WINDOWS: [Self; 15] = [
        Self::ChangeLost,
        Self::ChangeTooEarly,
        Self::SummaryWithoutText,
        Self::KeptMessageForgotten,
        Self::SummaryCoversMore,
        Self::SummaryCoversLess,
        Self::EditsMisplaced,
        Self::SummariesNotRead,
        Self::FirstSummaryRead,
        Self::SummaryNotInherited,
        Self::ReadFromNewestSummary,
        Self::EditsNotRead,
        Self::CompactionNotCounted,
        Self::ChoreNotStopped,
        Self::StoppedChoreWrites,
    ];

    /// Flaws that the simulation with people must detect.
    pub const OF_WAITS: [Self; 18] = [
        Self::WaitsLost,
        Self::QuestionForgotten,
        Self::DecisionLost,
        Self::DecisionReplaced,
        Self::LateDecisionCounts,
        Self::FirstDecisionIsEnough,
        Self::EarlyDecisionsNotReturned,
        Self::DecisionsNotLoaded,
        Self::DenialTakenForApproval,
        Self::DecisionsExchanged,
        Self::BindingsForgotten,
        Self::NothingExpires,
        Self::ExpiresEarly,
        Self::StopLeavesWaits,
        Self::ChildNotStarted,
        Self::ReportLost,
        Self::ReportWithoutText,
        Self::StopLeavesChildren,
    ];

    /// Flaws that the conformance suite for stores must detect on a shared store.
    pub const OF_SEVERAL_WORKERS: [Self; 3] =
        [Self::OwnerNotChecked, Self::LeaseByLocalClock, Self::SweepWithoutOwnLease];
}
