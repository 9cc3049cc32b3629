//! The state of a session's watcher.

use turnkit_core::{Cursor, QueuedTurn, Scope, Snapshot, TurnEvent};

/// The events, the cursor and the queue that the watcher of a session was shown.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) scope: Scope,
    pub(super) seen: Vec<(Cursor, TurnEvent)>,
    pub(super) cursor: Option<Cursor>,
    /// Whether the turn at the cursor has ended.
    pub(super) over: bool,
    pub(super) queue: Vec<QueuedTurn>,
}

impl Watched {
    pub(super) fn new(scope: Scope) -> Self {
        Self { scope, seen: Vec::new(), cursor: None, over: false, queue: Vec::new() }
    }

    /// Records an event. Returns an error if events before it were left out.
    pub(super) fn show(&mut self, cursor: Cursor, event: TurnEvent) -> Result<(), String> {
        let follows = self.cursor.is_some_and(|last| {
            let same = cursor.turn == last.turn && cursor.seq == last.seq + 1 && !self.over;
            let next = cursor.turn == last.turn + 1 && cursor.seq == 1 && self.over;
            same || next
        });
        let gap = format!("after {:?} (over: {}) its session's watcher was shown {cursor}", self.cursor, self.over);
        (self.cursor, self.over) = (Some(cursor), event.kind.is_terminal());
        self.seen.push((cursor, event));
        if follows { Ok(()) } else { Err(gap) }
    }

    pub(super) fn resync(&mut self, snapshot: Snapshot) {
        self.cursor = Some(snapshot.cursor);
        self.over = snapshot.turn.is_some_and(|turn| turn.view.status.is_some());
        self.queue = snapshot.queue;
    }
}
