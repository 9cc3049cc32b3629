//! Folds tokens into the log of their turn.

use std::hint::black_box;
use std::sync::Arc;
use std::task::{Context, Waker};

use turnkit_core::{Delta, Entry, Fence, LiveTurn, Message, PartKind, Recorded, SessionId, Timestamp, TurnId, TurnLog};

use crate::Outcome;

/// Writes each token separately, without followers.
pub(crate) fn show(tokens: usize) -> Outcome {
    let live = running()?;
    let token = Delta::text(0, " word");
    for _ in 0..tokens {
        live.write(|log| log.show(&token))?;
    }
    Ok(())
}

/// Writes each token separately, and reads it at once with one follower.
pub(crate) fn show_and_read(tokens: usize) -> Outcome {
    let live = running()?;
    let token = Delta::text(0, " word");
    let (mut tail, mut events) = (live.tail(0), Vec::new());
    let mut context = Context::from_waker(Waker::noop());
    for _ in 0..tokens {
        live.write(|log| log.show(&token))?;
        events.clear();
        let _ = tail.poll_batch(&mut context, &mut events);
        black_box(&events);
    }
    Ok(())
}

fn running() -> Result<Arc<LiveTurn>, Box<dyn std::error::Error>> {
    let mut log = TurnLog::new(SessionId::default(), TurnId::default(), 1, Fence(1));
    log.stage_message(Entry::new(Message::user("Hi")));
    log.stage(Timestamp::default(), Recorded::turn_started("a"));
    log.commit();
    log.open_attempt(Timestamp::default(), 1, "provider", "model");
    log.show(&Delta::start(0, PartKind::Text))?;
    Ok(LiveTurn::new(log))
}
