//! A follower in another process. The turn's operations are sent to it as JSON; some are lost and some arrive twice.

use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::vec;

use turnkit_core::{
    LiveTurn, LogBatch, LogOperation, LogPosition, Mirror, MirrorError, OperationTail, Tail, TurnEvent, TurnLog,
};

/// The mirror of the current owner's log, and the batches in transit to it.
#[derive(Debug)]
pub(crate) struct Remote {
    chance: vec::IntoIter<u16>,
    operations: OperationTail,
    sent: Vec<String>,
    mirror: Option<Mirror>,
    /// A follower of the mirror, and the events that it has received.
    follower: Option<Tail>,
    seen: Vec<TurnEvent>,
}

impl Remote {
    pub(crate) fn of(live: &Arc<LiveTurn>, chance: Vec<u16>) -> Self {
        Self {
            chance: chance.into_iter(),
            operations: live.operations(LogPosition::default()),
            sent: Vec::new(),
            mirror: None,
            follower: None,
            seen: Vec::new(),
        }
    }

    /// Performs a random action on the connection.
    pub(crate) fn step(&mut self, live: &Arc<LiveTurn>) {
        match self.pick(6) {
            0 => {}
            1 if !self.sent.is_empty() => {
                let which = self.pick(self.sent.len());
                let again = self.sent[which].clone();
                self.deliver(live, &again);
            }
            2 => drop(self.send()),
            3 => self.read(),
            _ => {
                for batch in self.send() {
                    if self.pick(4) > 0 {
                        self.deliver(live, &batch);
                    }
                }
            }
        }
    }

    /// Requests and delivers all missing operations, and checks that the mirror and its follower equal the original.
    pub(crate) fn catch_up(&mut self, live: &Arc<LiveTurn>) {
        self.ask(live);
        loop {
            let batches = self.send();
            if batches.is_empty() {
                break;
            }
            batches.iter().for_each(|batch| self.deliver(live, batch));
        }
        let mirror = self.mirror.as_ref().unwrap();
        assert_eq!(mirror.live().read(TurnLog::events), live.read(TurnLog::events));
        for seq in 0..=live.read(TurnLog::last_visible_seq) + 1 {
            assert_eq!(mirror.live().read(|log| log.fence_of(seq)), live.read(|log| log.fence_of(seq)));
        }
        assert_eq!(mirror.live().read(TurnLog::has_ended), live.read(TurnLog::has_ended));
        self.read();
        assert_eq!(self.seen, live.read(TurnLog::events));
    }

    /// Ends the mirror: the owner stops writing and another one takes over. Returns the remaining random numbers.
    pub(crate) fn end(mut self, live: &Arc<LiveTurn>) -> Vec<u16> {
        self.catch_up(live);
        assert!(self.mirror.as_ref().unwrap().live().is_closed());
        self.chance.collect()
    }

    fn pick(&mut self, choices: usize) -> usize {
        self.chance.next().map_or(choices - 1, |number| usize::from(number) % choices)
    }

    fn ask(&mut self, live: &Arc<LiveTurn>) {
        self.operations = live.operations(self.mirror.as_ref().map(Mirror::position).unwrap_or_default());
    }

    /// Returns the operations that are available now, split into two batches.
    fn send(&mut self) -> Vec<String> {
        let Some(batch) = self.operations.batch() else { return Vec::new() };
        let cut = self.pick(batch.operations.len() + 1);
        let (before, after) = batch.operations.split_at(cut);
        let between = before.iter().fold(batch.after, end_of);
        let part = |after, operations: &[LogOperation]| LogBatch { after, operations: operations.to_vec(), ..batch };
        let batches =
            [part(batch.after, before), part(between, after)].map(|batch| serde_json::to_string(&batch).unwrap());
        self.sent.extend(batches.clone());
        batches.to_vec()
    }

    fn deliver(&mut self, live: &Arc<LiveTurn>, batch: &str) {
        let batch: LogBatch = serde_json::from_str(batch).unwrap();
        let applied = match &mut self.mirror {
            Some(mirror) => mirror.apply(batch),
            None => Mirror::begin(batch).map(|mirror| self.mirror = Some(mirror)),
        };
        let Err(refused) = applied else { return };
        let expected = self.mirror.as_ref().map(Mirror::position).unwrap_or_default();
        assert!(matches!(refused, MirrorError::Gap { expected: at, .. } if at == expected), "{refused}");
        self.ask(live);
    }

    /// Lets the follower of the mirror read all available events.
    fn read(&mut self) {
        let Some(mirror) = &self.mirror else { return };
        let tail = self.follower.get_or_insert_with(|| mirror.live().tail(0));
        let mut context = Context::from_waker(Waker::noop());
        while tail.poll_batch(&mut context, &mut self.seen) == Poll::Ready(true) {}
    }
}

/// Returns the position after an operation.
fn end_of(at: LogPosition, operation: &LogOperation) -> LogPosition {
    let seq = match operation {
        LogOperation::Begin { base, .. } => *base,
        LogOperation::Message { place, .. } => return LogPosition { messages: place + 1, ..at },
        LogOperation::Entry { seq, entry, .. } => seq + entry.events() - 1,
        LogOperation::Open { seq, .. } => *seq,
        LogOperation::Show { seq, pieces } => seq + u32::try_from(pieces.len()).unwrap() - 1,
        LogOperation::Progress { .. } | LogOperation::Detach => at.seq,
    };
    LogPosition { seq, ..at }
}
