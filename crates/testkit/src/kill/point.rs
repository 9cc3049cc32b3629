//! The points at which a process is killed.

use super::{HostTool, Task};

/// A named point in the course of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Point {
    /// The name of the point.
    pub name: &'static str,
    passed_by: PassedBy,
}

/// The unit of work that passes a point at least once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PassedBy {
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
    WaitingRound,
    /// A call that changes something and is not denied.
    Run,
    Child,
}

/// The points of a turn that waits for no decision, in the order the turn passes them. Those of the store are on its
/// writing thread. `model.asked` is in the model, `tool.running` and `tool.done` surround the effect itself, and all
/// others are in the engine.
pub const POINTS: &[Point] = &[
    // The content of an upload is durable, and no row names it yet.
    Point::new("blob.renamed", PassedBy::Picture),
    // Nothing is stored, and the client knows nothing.
    Point::new("accept.before_commit", PassedBy::Turn),
    // The turn is stored, and the client does not know it yet.
    Point::new("accept.after_commit", PassedBy::Turn),
    Point::new("turn.claimed", PassedBy::Turn),
    // The instructions are complete, and no model has been called.
    Point::new("context.assembled", PassedBy::Turn),
    // The request has too many messages, and nothing has been changed yet.
    Point::new("fit.asked", PassedBy::Fit),
    // Durable: the next request of the session has fewer messages.
    Point::new("fit.applied", PassedBy::Fit),
    Point::new("model.request_built", PassedBy::Step),
    Point::new("model.asked", PassedBy::Step),
    Point::new("model.opened", PassedBy::Step),
    Point::new("model.delta", PassedBy::Word),
    // The text of an incomplete answer is stored, and will be generated again.
    Point::new("partial.saved", PassedBy::Pause),
    // The answer is complete, and not stored.
    Point::new("model.answered", PassedBy::Step),
    Point::new("machine.applied", PassedBy::Step),
    Point::new("checkpoint.before_commit", PassedBy::Step),
    // Durable, and the turn's owner does not know it yet.
    Point::new("checkpoint.after_commit", PassedBy::Step),
    // Durable, and no client has been shown it.
    Point::new("checkpoint.committed", PassedBy::Step),
    // The calls are stored as started, and none has run.
    Point::new("tools.starting", PassedBy::Round),
    Point::new("tool.running", PassedBy::Change),
    // The effect has happened, and its result is not stored.
    Point::new("tool.done", PassedBy::Change),
    Point::new("tools.finished", PassedBy::Round),
    Point::new("turn.ending", PassedBy::Turn),
];

/// The points of turns that wait for a person or a sub-agent, in the order such a turn passes them.
pub const WAIT_POINTS: &[Point] = &[
    // The waits are stored, and no client has been shown them.
    Point::new("wait.stored", PassedBy::Waiting),
    // The decision is stored, and the person does not know it yet.
    Point::new("wait.resolved", PassedBy::Decision),
    // The turn has an owner again, and has not acted on the decision yet.
    Point::new("wait.taken_up", PassedBy::WaitingRound),
    Point::new("tool.running", PassedBy::Run),
    Point::new("tool.done", PassedBy::Run),
    // The sub-agent's turn has ended, and the turn that waits for it has not been resumed.
    Point::new("child.ended", PassedBy::Child),
];

/// Points where another worker takes a turn over while its owner is blocked: before a call, and before a write.
pub(super) const TAKE_OVER_POINTS: &[&str] =
    &["model.request_built", "model.answered", "tools.starting", "tools.finished", "turn.ending"];

impl Point {
    const fn new(name: &'static str, passed_by: PassedBy) -> Self {
        Self { name, passed_by }
    }

    /// Returns `true` if the point is passed only if requests have a limit of messages.
    pub fn needs_message_limit(self) -> bool {
        self.passed_by == PassedBy::Fit
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
        let rounds = |are: fn(&[HostTool]) -> bool| task.rounds.iter().filter(|round| are(round)).count();
        let calls = |is: fn(usize, HostTool) -> bool| {
            let of_round = |round: &Vec<HostTool>| (0..).zip(round).filter(|(place, tool)| is(*place, **tool)).count();
            task.rounds.iter().map(of_round).sum::<usize>()
        };
        let own = match self.passed_by {
            PassedBy::Turn => 1,
            PassedBy::Step => usize::from(task.steps()),
            PassedBy::Word => usize::from(task.steps()) * usize::from(task.words),
            PassedBy::Pause => {
                if task.pause_ms > 0 {
                    task.steps().into()
                } else {
                    0
                }
            }
            PassedBy::Round => task.rounds.len(),
            // The second round alone makes a request too large if the trial limits requests.
            PassedBy::Fit => usize::from(task.rounds.len() > 1),
            PassedBy::Picture => usize::from(task.picture),
            PassedBy::Change => task.changes(turnkit_core::TurnId::default()).count(),
            PassedBy::Waiting => rounds(|round| round.iter().any(|tool| tool.waits())),
            PassedBy::Decision => calls(|_, tool| tool.is_decided()),
            PassedBy::WaitingRound => rounds(|round| round.iter().all(|tool| tool.waits())),
            PassedBy::Run => calls(|place, tool| tool.changes() && !tool.is_denied(place)),
            PassedBy::Child => calls(|_, tool| tool == HostTool::Delegate),
        };
        own + task.below().map(|child| self.passes_in(&child)).sum::<usize>()
    }
}
