//! Results of many trials, per kind of fault.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use super::CampaignKind;
use super::plan::{Fault, Plan};
use super::trial::Outcome;
use super::violation::{Check, Violation};
use crate::kill::{Over, POINTS, Point, WAIT_POINTS};

/// The totals over a campaign's trials. Displaying it prints the table.
#[derive(Debug, Default)]
pub struct Table {
    over: Over,
    kind: CampaignKind,
    rows: BTreeMap<String, Row>,
    resumed_after: Vec<Duration>,
    listed_after: Vec<Duration>,
    failures: Vec<Failure>,
    trials: usize,
}

/// The totals for one kind of fault.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    kills: usize,
    landed: usize,
    live: usize,
    turns: usize,
    lost: usize,
    terminals: usize,
    messages: usize,
    effects: usize,
    decisions: usize,
    integrity: usize,
    other: usize,
}

/// A trial in which a promise was broken.
#[derive(Debug)]
pub struct Failure {
    /// The plan of the trial.
    pub plan: Plan,
    /// How the client reached the host.
    pub over: Over,
    /// The kind of campaign.
    pub kind: CampaignKind,
    /// The broken promises.
    pub violations: Vec<Violation>,
    /// The folder with the files of the trial.
    pub folder: std::path::PathBuf,
}

impl Table {
    pub(super) fn new(over: Over, kind: CampaignKind) -> Self {
        Self { over, kind, ..Self::default() }
    }

    /// Adds a trial. Its turns and violations are counted with its first fault.
    pub(super) fn add(&mut self, outcome: Outcome) {
        self.trials += 1;
        for (kill, life) in outcome.kills.iter().zip(&outcome.plan.lives) {
            let row = self.row(&life.fault);
            row.kills += 1;
            row.landed += usize::from(kill.landed);
            row.live += usize::from(kill.live);
        }
        if let Some(life) = outcome.plan.lives.first() {
            let row = self.row(&life.fault);
            row.turns += outcome.turns;
            outcome.violations.iter().for_each(|violation| row.count(violation.check));
        }
        self.resumed_after.extend(outcome.resumed_after);
        self.listed_after.extend(&outcome.listed_after);
        if !outcome.violations.is_empty() {
            let Outcome { plan, violations, folder, .. } = outcome;
            self.failures.push(Failure { plan, over: self.over, kind: self.kind, violations, folder });
        }
    }

    /// Returns the number of kills.
    pub fn kills(&self) -> usize {
        self.total().kills
    }

    /// Returns the share of kills that happened at their planned point, from 0 to 1.
    pub fn landed(&self) -> f64 {
        share(self.total().landed, self.kills())
    }

    /// Returns the share of kills that left a turn unfinished, from 0 to 1.
    pub fn live(&self) -> f64 {
        share(self.total().live, self.kills())
    }

    /// Returns the number of kills at this point.
    pub fn kills_at(&self, point: Point) -> usize {
        self.rows.get(point.name).map_or(0, |row| row.kills)
    }

    /// Returns the number of starts that found pending decisions of a person and listed them.
    pub fn starts_with_waits(&self) -> usize {
        self.listed_after.len()
    }

    /// Returns the trials in which a promise was broken.
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    /// Returns the kinds of promises that were broken.
    pub fn broken(&self) -> BTreeSet<Check> {
        self.failures.iter().flat_map(|failure| &failure.violations).map(|violation| violation.check).collect()
    }

    /// Returns the 99th percentile, over the trials, of the time from a start until the turns of earlier lives had
    /// ended.
    pub fn resumed_within(&self) -> Option<Duration> {
        within(&self.resumed_after)
    }

    /// Returns the 99th percentile, over the starts, of the time from a start until the pending decisions were listed.
    pub fn listed_within(&self) -> Option<Duration> {
        within(&self.listed_after)
    }

    fn row(&mut self, fault: &Fault) -> &mut Row {
        self.rows.entry(fault.name().to_owned()).or_default()
    }

    fn total(&self) -> Row {
        self.rows.values().fold(Row::default(), |sum, row| sum.and(*row))
    }
}

impl Row {
    fn count(&mut self, check: Check) {
        *match check {
            Check::Lost => &mut self.lost,
            Check::Terminal => &mut self.terminals,
            Check::Messages => &mut self.messages,
            Check::Effects => &mut self.effects,
            Check::Integrity | Check::Files => &mut self.integrity,
            Check::Decisions | Check::Reports => &mut self.decisions,
            Check::Key | Check::Shown | Check::Stored | Check::ModelCalledTwice | Check::Fence => &mut self.other,
        } += 1;
    }

    fn and(self, other: Self) -> Self {
        Self {
            kills: self.kills + other.kills,
            landed: self.landed + other.landed,
            live: self.live + other.live,
            turns: self.turns + other.turns,
            lost: self.lost + other.lost,
            terminals: self.terminals + other.terminals,
            messages: self.messages + other.messages,
            effects: self.effects + other.effects,
            decisions: self.decisions + other.decisions,
            integrity: self.integrity + other.integrity,
            other: self.other + other.other,
        }
    }

    fn write(self, name: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kills, landed, live, turns, lost, terminals, messages, effects, decisions, integrity, other } = self;
        writeln!(
            f,
            "{name:26}{kills:>6}{landed:>8}{live:>6}{turns:>7}{lost:>6}{terminals:>11}{messages:>10}{effects:>9}\
             {decisions:>11}{integrity:>11}{other:>7}"
        )
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:26}{:>6}{:>8}{:>6}{:>7}{:>6}{:>11}{:>10}{:>9}{:>11}{:>11}{:>7}",
            "point",
            "kills",
            "landed",
            "live",
            "turns",
            "lost",
            "terminals",
            "messages",
            "effects",
            "decisions",
            "integrity",
            "other"
        )?;
        let places = || POINTS.iter().chain(WAIT_POINTS);
        let place = |name: &str| places().position(|point| point.name == name).unwrap_or(usize::MAX);
        let mut rows: Vec<_> = self.rows.iter().collect();
        rows.sort_by_key(|(name, _)| place(name));
        for (name, row) in rows {
            row.write(name, f)?;
        }
        self.total().write("total", f)?;
        writeln!(
            f,
            "\n{} trials, {} with a broken promise; {:.1} % of kills landed, {:.1} % hit a live turn",
            self.trials,
            self.failures.len(),
            100.0 * self.landed(),
            100.0 * self.live()
        )?;
        if self.failures.is_empty() {
            let bound = 300.0 / self.kills().max(1) as f64;
            writeln!(f, "no failure in {} kills: with 95 % confidence fewer than {bound:.2} % fail", self.kills())?;
        }
        if let Some(time) = self.listed_within() {
            let (starts, ms) = (self.starts_with_waits(), time.as_millis());
            writeln!(f, "what was to be decided at {starts} starts was listed {ms} ms after one (p99)")?;
        }
        match self.resumed_within() {
            Some(time) => writeln!(f, "unfinished turns were over {} ms after a start (p99)", time.as_millis()),
            None => writeln!(f, "no turn was left to be resumed"),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "again with: cargo xtask chaos --kills 1 --over {}{} --seed {}",
            self.over,
            self.kind.option(),
            self.plan.seed
        )?;
        writeln!(f, "  what it left: {}", self.folder.display())?;
        let faults: Vec<String> = self.plan.lives.iter().map(|life| format!("{:?}", life.fault)).collect();
        writeln!(f, "  lives ended by: {}", faults.join(", "))?;
        self.violations.iter().try_for_each(|violation| writeln!(f, "  {violation}"))
    }
}

/// Returns the 99th percentile of `times`.
fn within(times: &[Duration]) -> Option<Duration> {
    let mut sorted = times.to_vec();
    sorted.sort();
    sorted.get((sorted.len() * 99).div_ceil(100).saturating_sub(1)).copied()
}

fn share(part: usize, whole: usize) -> f64 {
    part as f64 / whole.max(1) as f64
}
