//! Promises a store could break.

/// One broken promise of a [`ModelStore`](super::ModelStore).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// Whoever held a turn once may write it.
    NoFence,
    /// An accepted turn is on the disk only with the next commit.
    AcceptedTooEarly,
    /// A checkpoint within a turn is on the disk only with the next commit: calls take effect before their receipts.
    CheckpointedTooEarly,
    /// The end of a turn does not let the next one begin.
    LostPromotion,
    /// The turn that came last begins first.
    LastComeFirst,
    /// Two turns of a session may run.
    NoQueue,
    /// Messages are not written with their checkpoint.
    LostMessages,
    /// Receipts are not written with their checkpoint.
    LostReceipts,
    /// A turn can be claimed while its owner lives, under the same fence.
    DoubleClaim,
    /// A turn that is over can be stopped once more, and ends once more.
    SecondEnd,
    /// A key is written in a transaction of its own.
    KeyAfterTurn,
    /// Checkpoints pass although the turn is to stop.
    StopIgnored,
    /// A new owner does not see the last chunk of the log, and writes its numbers again.
    NumbersReused,
    /// What a turn consumed is not added to its session.
    LostUsage,
    /// Whoever knows the fence may write the turn, also a worker that a sweep took out of it.
    OwnerNotChecked,
    /// Leases end by the clock of the process that asks, not by the store's.
    LeaseByLocalClock,
    /// A worker takes turns over although its own leases were broken.
    SweepWithoutOwnLease,
    /// A sweep ends the leases of all other workers, whether they are over or not.
    SweepOfTheLiving,
    /// A renewal is granted and not written.
    RenewalWithoutEffect,
    /// A worker that starts takes over every turn, not only those of the dead.
    StartTakesAll,
    /// The turns of dead workers keep their owner.
    DeadKeepTurns,
    /// A turn that is taken over keeps its fence.
    FenceKept,
    /// The next owner of a turn does not learn that the turn is to stop.
    StopLostInHandOver,
    /// A request to stop is acknowledged and not written.
    StopNotStored,
    /// A sweep does not name the turns that are to stop.
    StopLostInSweep,
    /// A queued turn may be claimed while another one of its session runs.
    QueueIgnoredByClaim,
    /// A key is known only to the worker that used it.
    KeyOfOneWorker,
    /// A message that changes what models are sent is not written with its checkpoint.
    ChangeLost,
    /// A checkpoint with such a message is on the disk only with the next commit.
    ChangeTooEarly,
    /// A summary is written without its text.
    SummaryWithoutText,
    /// A summary is written without the place of the message that it keeps.
    KeptMessageForgotten,
    /// A summary is written as if it covered one more message.
    SummaryCoversMore,
    /// A summary is written as if it covered one message less.
    SummaryCoversLess,
    /// Edits are written with the places of other messages.
    EditsMisplaced,
    /// What is read of a session has none of its summaries.
    SummariesNotRead,
    /// What is read of a session has the first of its summaries, and no other.
    FirstSummaryRead,
    /// What is read of a session has only the summaries of the turn itself.
    SummaryNotInherited,
    /// What is read of a session begins behind its newest summary.
    ReadFromNewestSummary,
    /// What is read of a session has the contents that were left out.
    EditsNotRead,
    /// The model calls of a compaction are not counted.
    CompactionNotCounted,
    /// A save of an answer that is not whole is acknowledged and not written.
    PartialLost,
    /// A checkpoint does not remove what was saved of answers that were not whole.
    PartialsKept,
    /// A message waits for a chore.
    ChoreNotStopped,
    /// A chore that a message stopped is not told so, and may write.
    StoppedChoreWrites,
    /// What a turn waits for is not written with its checkpoint.
    WaitsLost,
    /// What a tool asks is written without the question.
    QuestionForgotten,
    /// A decision is acknowledged and not written.
    DecisionLost,
    /// A decision takes the place of an earlier one.
    DecisionReplaced,
    /// A decision counts although the wait has expired.
    LateDecisionCounts,
    /// A turn may be claimed after the first decision, although it waits for others.
    FirstDecisionIsEnough,
    /// A turn whose calls were decided before it began to wait is not told so.
    EarlyDecisionsNotReturned,
    /// The next owner of a turn does not learn what was decided.
    DecisionsNotLoaded,
    /// The owner of a turn takes a denial for an approval.
    DenialTakenForApproval,
    /// The decisions of two calls are exchanged.
    DecisionsExchanged,
    /// The owner of a turn does not learn what a decision was about.
    BindingsForgotten,
    /// Waits that nobody decides do not expire.
    NothingExpires,
    /// Waits expire before their time.
    ExpiresEarly,
    /// The waits of a turn that is to stop stay open.
    StopLeavesWaits,
    /// The turn of a sub-agent is not written with the checkpoint that starts it.
    ChildNotStarted,
    /// The end of a sub-agent does not decide what its call waits for.
    ReportLost,
    /// A call is told how its sub-agent ended, and not what it said.
    ReportWithoutText,
    /// A turn that stops does not stop the sub-agents below it.
    StopLeavesChildren,
    /// A message that a running turn took stays in the queue, and runs once more.
    SteeredStaysQueued,
}

impl Flaw {
    /// Those that the simulation of one process must notice.
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

    /// Those that the simulation of several processes must notice.
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

    /// Those that the simulation of sessions in small windows must notice.
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

    /// Those that the simulation with people must notice.
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

    /// Those that the conformance suite of stores must notice on a shared store.
    pub const OF_SEVERAL_WORKERS: [Self; 3] =
        [Self::OwnerNotChecked, Self::LeaseByLocalClock, Self::SweepWithoutOwnLease];
}
