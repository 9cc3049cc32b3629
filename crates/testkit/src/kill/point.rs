//! The points at which a process is killed.

use super::{Chore, Task};

/// A named point in the course of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The name of the point.
    pub name: &'static str,
    per: Per,
}

/// The unit of work that passes a point at least once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Per {
    Turn,
    Step,
    Word,
    /// A silence after the first word of an answer.
    Pause,
    Round,
    Change,
    Fit,
    Picture,
    /// A round with calls that need a decision.
    Waiting,
    /// A decision of a person.
    Decision,
    /// A round in which every call waits.
    Pausing,
    /// A call that changes something and is not denied.
    Run,
    Child,
}

/// The points of a turn that waits for no decision, in the order the turn passes them. Those of the store are on its
/// writing thread. `model.asked` is in the model, `tool.running` and `tool.done` surround the effect itself, and all
/// others are in the engine.
pub const POINTS: &[Point] = &[
    // The content of an upload is durable, and no row names it yet.
    Point::new("blob.renamed", Per::Picture),
    // Nothing is stored, and the client knows nothing.
    Point::new("accept.before_commit", Per::Turn),
    // The turn is stored, and the client does not know it yet.
    Point::new("accept.after_commit", Per::Turn),
    Point::new("turn.claimed", Per::Turn),
    // The instructions are complete, and no model has been called.
    Point::new("context.assembled", Per::Turn),
    // The request has too many messages, and nothing has been changed yet.
    Point::new("fit.asked", Per::Fit),
    // Durable: the next request of the session has fewer messages.
    Point::new("fit.applied", Per::Fit),
    Point::new("model.request_built", Per::Step),
    Point::new("model.asked", Per::Step),
    Point::new("model.opened", Per::Step),
    Point::new("model.delta", Per::Word),
    // The text of an incomplete answer is stored, and will be generated again.
    Point::new("partial.saved", Per::Pause),
    // The answer is complete, and not stored.
    Point::new("model.answered", Per::Step),
    Point::new("machine.applied", Per::Step),
    Point::new("checkpoint.before_commit", Per::Step),
    // Durable, and the turn's owner does not know it yet.
    Point::new("checkpoint.after_commit", Per::Step),
    // Durable, and no client has been shown it.
    Point::new("checkpoint.committed", Per::Step),
    // The calls are stored as started, and none has run.
    Point::new("tools.starting", Per::Round),
    Point::new("tool.running", Per::Change),
    // The effect has happened, and its result is not stored.
    Point::new("tool.done", Per::Change),
    Point::new("tools.finished", Per::Round),
    Point::new("turn.ending", Per::Turn),
];

/// The points of turns that wait for a person or a sub-agent, in the order such a turn passes them.
pub const WAIT_POINTS: &[Point] = &[
    // The waits are stored, and no client has been shown them.
    Point::new("wait.stored", Per::Waiting),
    // The decision is stored, and the person does not know it yet.
    Point::new("wait.resolved", Per::Decision),
    // The turn has an owner again, and has not acted on the decision yet.
    Point::new("wait.taken_up", Per::Pausing),
    Point::new("tool.running", Per::Run),
    Point::new("tool.done", Per::Run),
    // The sub-agent's turn has ended, and the turn that waits for it has not been resumed.
    Point::new("child.ended", Per::Child),
];

/// Points where another worker takes a turn over while its owner is blocked: before a call, and before a write.
pub(super) const TAKE_OVER_POINTS: &[&str] =
    &["model.request_built", "model.answered", "tools.starting", "tools.finished", "turn.ending"];

impl Point {
    const fn new(name: &'static str, per: Per) -> Self {
        Self { name, per }
    }

    /// Returns `true` if the point is passed only if requests have a limit of messages.
    pub fn is_of_fits(self) -> bool {
        self.per == Per::Fit
    }

    /// Returns the point with this name.
    pub fn named(name: &str) -> Option<Self> {
        POINTS.iter().find(|point| point.name == name).copied()
    }

    /// Returns how often, at least, the point is passed while `tasks` run.
    pub fn passes<'a>(self, tasks: impl IntoIterator<Item = &'a Task>) -> u32 {
        u32::try_from(tasks.into_iter().map(|task| self.passes_in(task)).sum::<usize>()).unwrap_or(u32::MAX)
    }

    fn passes_in(self, task: &Task) -> usize {
        let rounds = |are: fn(&[Chore]) -> bool| task.rounds.iter().filter(|round| are(round)).count();
        let calls = |is: fn(usize, Chore) -> bool| {
            let of_round = |round: &Vec<Chore>| (0..).zip(round).filter(|(place, chore)| is(*place, **chore)).count();
            task.rounds.iter().map(of_round).sum::<usize>()
        };
        let own = match self.per {
            Per::Turn => 1,
            Per::Step => usize::from(task.steps()),
            Per::Word => usize::from(task.steps()) * usize::from(task.words),
            Per::Pause => {
                if task.pause_ms > 0 {
                    task.steps().into()
                } else {
                    0
                }
            }
            Per::Round => task.rounds.len(),
            // The second round alone makes a request too large if the trial limits requests.
            Per::Fit => usize::from(task.rounds.len() > 1),
            Per::Picture => usize::from(task.picture),
            Per::Change => task.changes(turnkit_core::TurnId::default()).count(),
            Per::Waiting => rounds(|round| round.iter().any(|chore| chore.waits())),
            Per::Decision => calls(|_, chore| chore.is_decided()),
            Per::Pausing => rounds(|round| round.iter().all(|chore| chore.waits())),
            Per::Run => calls(|place, chore| chore.changes() && !chore.is_denied(place)),
            Per::Child => calls(|_, chore| chore == Chore::Delegate),
        };
        own + task.below().map(|child| self.passes_in(&child)).sum::<usize>()
    }
}
