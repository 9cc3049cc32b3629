//! The plan of a trial, derived from its seed.

use std::time::Duration;

use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::kill::host::Pass;
use crate::kill::point::TAKE_OVER_POINTS;
use crate::kill::protocol::Request;
use crate::kill::{HostTool, POINTS, Point, Task, WAIT_POINTS};

/// The number of sessions that the turns of a trial share.
const SESSIONS: u32 = 3;
/// The number of lives in a crash loop.
const LOOP: usize = 15;
/// The longest life in a crash loop, in milliseconds.
const MAX_LIFE_MS: u64 = 200;
/// How long a pausing model is silent, in milliseconds. It is longer than the delay before the host saves the text of
/// an answer.
const PAUSE_MS: u64 = 20;
/// The maximum number of messages per request in trials with a limit. A task with two rounds has more.
const FEW_MESSAGES: u32 = 4;
/// The maximum number of lines per task before a kill from outside. Every task has more lines, so the kill always comes
/// in time.
const LINES_PER_TASK: u32 = 12;

/// The plan of one trial: one or more lives of a host on one data directory, each ended by a fault, followed by a life
/// without a fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The seed that determines the whole plan.
    pub seed: u64,
    /// The lives of the host.
    pub lives: Vec<Life>,
    /// The maximum number of messages per request; 0 means no limit.
    pub most_messages: u32,
}

/// One life of a host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Life {
    /// The requests that the client sends in this life.
    pub requests: Vec<Request>,
    /// The fault that ends the life.
    pub fault: Fault,
}

/// The fault that ends a life.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The host kills itself at this pass of a point.
    KilledAt(Pass),
    /// The client kills the host after reading this many lines.
    KilledAfterLines(u32),
    /// The client kills the host this long after its start, whatever the host is doing.
    KilledAfter(Duration),
    /// Another worker takes over all running turns, then the client kills the host.
    TakenOverAt(Pass),
}

impl Plan {
    /// Creates the plan for a seed. Consecutive seeds cycle through all kinds of faults.
    pub fn from_seed(seed: u64) -> Self {
        let mut random = SmallRng::seed_from_u64(seed);
        let kinds = POINTS.len() as u64 + 2;
        let mut lives = vec![Life::new(seed % kinds, 1, &mut random)];
        // A turn fails at its third death, and a takeover counts as two deaths.
        if !matches!(lives[0].fault, Fault::TakenOverAt(_)) && random.random_ratio(1, 3) {
            lives.push(Life::new(random.random_range(0..kinds - 1), 2, &mut random));
        }
        let needs_message_limit = |life: &Life| Point::named(life.fault.name()).is_some_and(Point::needs_message_limit);
        let is_small = lives.iter().any(needs_message_limit) || random.random_ratio(1, 3);
        Self { seed, lives, most_messages: if is_small { FEW_MESSAGES } else { 0 } }
    }

    /// Creates the plan for a seed in which turns wait for a person and for sub-agents, and two hosts are killed.
    /// Consecutive seeds cycle through all pairs of points.
    pub fn waits(seed: u64) -> Self {
        let mut random = SmallRng::seed_from_u64(seed);
        let count = WAIT_POINTS.len() as u64;
        let lives = (1..).zip([seed % count, (seed + seed / count) % count]);
        let lives = lives.map(|(number, kind)| Life::of_waits(kind, number, &mut random)).collect();
        Self { seed, lives, most_messages: 0 }
    }

    /// Creates the plan for a seed in which the host is killed over and over, soon after each start. The client sends
    /// all its requests in the first life.
    pub fn crash_loop(seed: u64) -> Self {
        let mut random = SmallRng::seed_from_u64(seed);
        let mut first = Life::new(0, 1, &mut random).requests;
        // No answer can complete before its host is killed.
        first.iter_mut().for_each(|request| request.task.pause_ms = MAX_LIFE_MS);
        let requests = std::iter::once(first).chain(std::iter::repeat(Vec::new()));
        let mut fault = || Fault::KilledAfter(Duration::from_millis(random.random_range(1..=MAX_LIFE_MS)));
        let lives = requests.take(LOOP).map(|requests| Life { requests, fault: fault() }).collect();
        Self { seed, lives, most_messages: 0 }
    }
}

impl Life {
    /// Creates life number `number` of a trial. The values of `kind` are first the points, then a kill from outside,
    /// then a takeover.
    fn new(kind: u64, number: usize, random: &mut SmallRng) -> Self {
        let count = random.random_range(3..=5);
        let requests: Vec<Request> = (1..=count).map(|index| request(number, index, random)).collect();
        let tasks = || requests.iter().map(|request| &request.task);
        let most_lines = LINES_PER_TASK * u32::try_from(requests.len()).unwrap_or(1);
        let mut pass = |point: &Point| {
            let count = random.random_range(1..=point.passes(tasks()).max(1));
            Pass { name: point.name.to_owned(), count }
        };
        let point = usize::try_from(kind).ok().and_then(|index| POINTS.get(index));
        let fault = match point {
            Some(point) => Fault::KilledAt(pass(point)),
            None if kind == POINTS.len() as u64 => Fault::KilledAfterLines(random.random_range(1..=most_lines)),
            None => {
                let name = TAKE_OVER_POINTS[random.random_range(0..TAKE_OVER_POINTS.len())];
                let count = Point::named(name).map_or(1, |point| point.passes(tasks()).max(1));
                Fault::TakenOverAt(Pass { name: name.to_owned(), count: random.random_range(1..=count) })
            }
        };
        Self { requests, fault }
    }

    /// Creates life number `number` of a trial with waits. It ends at point number `kind`.
    fn of_waits(kind: u64, number: usize, random: &mut SmallRng) -> Self {
        let requests: Vec<Request> = (1..=3).map(|index| waiting_request(number, index, random)).collect();
        let point = usize::try_from(kind).ok().and_then(|index| WAIT_POINTS.get(index));
        let fault = point.map_or(Fault::KilledAfterLines(1), |point| {
            let passes = point.passes(requests.iter().map(|request| &request.task)).max(1);
            Fault::KilledAt(Pass { name: point.name.to_owned(), count: random.random_range(1..=passes) })
        });
        Self { requests, fault }
    }
}

impl Fault {
    /// Returns the name of the fault in the table.
    pub fn name(&self) -> &str {
        match self {
            Self::KilledAt(pass) => &pass.name,
            Self::KilledAfterLines(_) => "(from outside)",
            Self::KilledAfter(_) => "(crash loop)",
            Self::TakenOverAt(_) => "(taken over)",
        }
    }
}

fn request(life: usize, index: u32, random: &mut SmallRng) -> Request {
    let name = format!("task-{life}-{index}");
    let mut tools = |count: u32| -> Vec<HostTool> {
        let all = [HostTool::Pay, HostTool::Upsert, HostTool::Lookup];
        (0..count).map(|_| all[random.random_range(0..all.len())]).collect()
    };
    let rounds = match index {
        // These rounds make every life pass each point.
        1 => vec![vec![HostTool::Upsert, HostTool::Pay, HostTool::Lookup], tools(1)],
        2 => vec![],
        3 => vec![vec![HostTool::Lookup, HostTool::Lookup], tools(2)],
        _ => vec![tools(3)],
    };
    let key = (index != 4).then(|| format!("key-{name}"));
    let session = format!("session-{}", random.random_range(0..SESSIONS));
    // Answers that pause are saved before they are complete.
    let pause_ms = if index == 2 { PAUSE_MS } else { 0 };
    let words = random.random_range(3..=8);
    Request { session, key, task: Task { name, rounds, words, pause_ms, picture: index == 3, person: false } }
}

/// Creates a request whose turn waits. Each has its own session, so that no turn waits for another.
fn waiting_request(life: usize, index: u32, random: &mut SmallRng) -> Request {
    let name = format!("task-{life}-{index}");
    let rounds = match index {
        1 => vec![
            vec![HostTool::Transfer, HostTool::Replace, HostTool::Transfer],
            vec![HostTool::Replace, HostTool::Ask],
        ],
        2 => vec![vec![HostTool::Delegate, HostTool::Transfer], vec![HostTool::Pay, HostTool::Lookup]],
        _ => vec![
            vec![HostTool::Delegate, HostTool::Upsert],
            vec![HostTool::Ask, HostTool::Show],
            vec![HostTool::Delegate],
        ],
    };
    let words = random.random_range(3..=8);
    let task = Task { name: name.clone(), rounds, words, pause_ms: 0, picture: false, person: true };
    Request { session: format!("session-{name}"), key: Some(format!("key-{name}")), task }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn seeds_in_a_row_go_through_all_faults() {
        let kinds = POINTS.len() + 2;
        let mut names: Vec<String> =
            (7..).take(kinds).map(|seed| Plan::from_seed(seed).lives[0].fault.name().to_owned()).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), kinds);
    }

    #[test]
    fn seeds_in_a_row_kill_at_each_point_of_waits_as_often() {
        let mut times = BTreeMap::new();
        for life in (0..30).flat_map(|seed| Plan::waits(seed).lives) {
            *times.entry(life.fault.name().to_owned()).or_insert(0) += 1;
        }
        let expected = WAIT_POINTS.iter().map(|point| (point.name.to_owned(), 10)).collect();
        assert_eq!(times, expected);
    }

    #[test]
    fn a_seed_is_one_plan() {
        assert_eq!(Plan::from_seed(5), Plan::from_seed(5));
        assert_ne!(Plan::from_seed(5).lives[0].requests, Plan::from_seed(24).lives[0].requests);
    }
}
