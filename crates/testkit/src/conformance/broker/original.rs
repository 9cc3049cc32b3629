//! A turn that one process runs and others follow.

use std::future::poll_fn;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;
use turnkit_core::ports::Broker;
use turnkit_core::{
    Delta, Entry, Fence, LiveTurn, Message, PartKind, Recorded, SessionId, Tail, Timestamp, TurnEvent, TurnId, TurnLog,
    TurnRun, TurnStatus, Usage, WorkerId,
};
use uuid::Uuid;

use super::Outcome;

/// Timeout of every wait in these tests.
pub(crate) const SOON: Duration = Duration::from_secs(60);

/// The log and the run of the turn, as held by its owner.
pub(crate) struct Original {
    pub(crate) live: Arc<LiveTurn>,
    pub(crate) run: TurnRun,
}

impl Original {
    /// Returns the id of the turn that these tests follow.
    pub(crate) fn turn() -> TurnId {
        TurnId(Uuid::from_u128(1))
    }

    /// Starts a run of the turn in the process of `owner`.
    pub(crate) fn run_by(owner: &impl Broker, fence: Fence) -> Self {
        let live = LiveTurn::new(TurnLog::new(SessionId::default(), Self::turn(), 3, fence));
        live.write(|log| {
            log.stage_message(Entry::new(Message::user("Hi")));
            log.stage(Timestamp::default(), Recorded::turn_started("a"));
            log.commit();
        });
        let run = owner.turns().begin_run(Self::turn(), None);
        owner.turns().replace(&run, Arc::clone(&live));
        Self { live, run }
    }

    /// Opens an attempt and a text part in it.
    pub(crate) fn opens(&self) -> Outcome {
        self.live.write(|log| log.open_attempt(Timestamp::default(), 1, "provider", "model"));
        self.live.write(|log| log.show(&Delta::start(0, PartKind::Text))).map_err(Into::into)
    }

    /// Appends text to the answer.
    pub(crate) fn says(&self, text: &str) -> Outcome {
        self.live.write(|log| log.show(&Delta::text(0, text))).map_err(Into::into)
    }

    /// Commits a notice, a kind of event that has no message.
    pub(crate) fn notes(&self, text: &str) {
        self.live.write(|log| {
            log.stage(Timestamp::default(), Recorded::Notice { code: "n".to_owned(), text: text.to_owned() });
            log.commit();
        });
    }

    /// Closes the attempt and stores its message.
    pub(crate) fn closes(&self) {
        self.live.write(|log| {
            let parts = log.break_off().map(|partial| partial.parts).unwrap_or_default();
            let place = log.stage_message(Entry::new(Message::new(turnkit_core::Role::Assistant, parts)));
            log.close_attempt(Some(place));
            log.stage(Timestamp::default(), Recorded::Notice { code: "n".to_owned(), text: "closed".to_owned() });
            log.commit();
        });
    }

    /// Ends the turn and its run.
    pub(crate) fn ends(&self, owner: &impl Broker) {
        self.live.write(|log| {
            let kind = Recorded::TurnEnded {
                status: TurnStatus::Completed,
                usage: Usage::default(),
                steps: 1,
                steered_into: None,
            };
            log.stage(Timestamp::default(), kind);
            log.commit();
        });
        owner.turns().end_run(&self.run, Timestamp::default());
    }
}

/// Returns the id of the process with this name.
pub(crate) fn process(name: &str) -> WorkerId {
    WorkerId(name.into())
}

/// Reads the events of a followed turn until its stream ends.
pub(crate) async fn rest_of(mut tail: Tail) -> Result<Vec<TurnEvent>, tokio::time::error::Elapsed> {
    let mut events = Vec::new();
    let read = async { while poll_fn(|context| tail.poll_batch(context, &mut events)).await {} };
    timeout(SOON, read).await?;
    Ok(events)
}

/// Waits until the mirror has the event with this number.
pub(crate) async fn until_seen(mirror: &Arc<LiveTurn>, seq: u32) -> Outcome {
    let (mut tail, mut events) = (mirror.tail(0), Vec::new());
    let read = async {
        while mirror.read(TurnLog::last_visible_seq) < seq {
            if !poll_fn(|context| tail.poll_batch(context, &mut events)).await {
                return Err(format!("the mirror ended after event {}", mirror.read(TurnLog::last_visible_seq)));
            }
        }
        Ok(())
    };
    Ok(timeout(SOON, read).await??)
}

/// Fails with the first difference between the two event lists.
pub(crate) fn same(mirrored: &[TurnEvent], original: &[TurnEvent]) -> Outcome {
    if mirrored == original {
        return Ok(());
    }
    let at = mirrored.iter().zip(original).take_while(|(one, other)| one == other).count();
    Err(format!("the mirror shows {:?} for {:?}", mirrored.get(at), original.get(at)).into())
}
