//! Durations and consumption of turns and their parts. A value is recorded once per turn, call or commit, never per
//! token.

use std::time::Duration;

use turnkit_core::{Recorded, TurnLog};

use crate::driver::Timings;
use crate::histogram::{Histogram, HistogramSnapshot};

/// The measurements of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceMetrics {
    /// Turns, from their acceptance to their end, in microseconds.
    pub turns: HistogramSnapshot,
    /// Turns, from their acceptance to the first output of a model, in microseconds.
    pub first_outputs: HistogramSnapshot,
    /// Runs of turns, from their claim to the start of their driver, in microseconds. This covers reading the stored
    /// state and building the agent's own instructions. Context providers are asked later.
    pub preparations: HistogramSnapshot,
    /// Model calls that were answered, from the request to the beginning of the answer, in microseconds.
    pub model_waits: HistogramSnapshot,
    /// Answers of models, from their beginning to their end, in microseconds.
    pub model_answers: HistogramSnapshot,
    /// Calls of tools that ran, in microseconds.
    pub tools: HistogramSnapshot,
    /// Commits of boundaries, in microseconds, including the wait for others in the same commit.
    pub commits: HistogramSnapshot,
    /// Input tokens of a turn, cached ones included.
    pub input_tokens: HistogramSnapshot,
    /// Output tokens of a turn.
    pub output_tokens: HistogramSnapshot,
    /// The cost of a turn, in billionths of a US dollar, as far as it is known.
    pub costs: HistogramSnapshot,
}

/// Bounds of the durations of turns, model calls and tools, in microseconds: 10 ms to 30 minutes.
const LONG: &[u64] = &[
    10_000,
    25_000,
    50_000,
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    30_000_000,
    60_000_000,
    120_000_000,
    300_000_000,
    900_000_000,
    1_800_000_000,
];
/// Bounds of the durations of preparations and commits, in microseconds: 100 µs to 10 s.
const SHORT: &[u64] =
    &[100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 500_000, 1_000_000, 10_000_000];
const TOKENS: &[u64] =
    &[100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000];
/// Bounds of costs, in billionths of a US dollar: a hundredth of a cent to 10 dollars.
const NANO_USD: &[u64] = &[
    100_000,
    250_000,
    500_000,
    1_000_000,
    2_500_000,
    5_000_000,
    10_000_000,
    25_000_000,
    50_000_000,
    100_000_000,
    250_000_000,
    500_000_000,
    1_000_000_000,
    10_000_000_000,
];

/// The histograms of a service.
#[derive(Debug)]
pub(super) struct Meter {
    turns: Histogram,
    first_outputs: Histogram,
    preparations: Histogram,
    model_answers: Histogram,
    tools: Histogram,
    driver: Timings,
    input_tokens: Histogram,
    output_tokens: Histogram,
    costs: Histogram,
}

impl Default for Meter {
    fn default() -> Self {
        Self {
            turns: Histogram::new(LONG),
            first_outputs: Histogram::new(LONG),
            preparations: Histogram::new(SHORT),
            model_answers: Histogram::new(LONG),
            tools: Histogram::new(LONG),
            driver: Timings { commits: Histogram::new(SHORT), model_waits: Histogram::new(LONG) },
            input_tokens: Histogram::new(TOKENS),
            output_tokens: Histogram::new(TOKENS),
            costs: Histogram::new(NANO_USD),
        }
    }
}

impl Meter {
    /// Records the measurements of a turn that has ended, from its log.
    pub(super) fn ended(&self, log: &TurnLog) {
        let mut entries = log.entries();
        let Some(accepted) = entries.next().map(|entry| entry.at) else { return };
        let mut is_answered = false;
        let mut answering = None;
        // A call that was refused or names no tool finishes without having started.
        let mut running = Vec::new();
        for entry in entries {
            match &entry.kind {
                Recorded::Attempt { .. } => {
                    if !std::mem::replace(&mut is_answered, true) {
                        self.first_outputs.record_time(entry.at.since(accepted));
                    }
                    answering = Some(entry.at);
                }
                Recorded::StepEnded { .. } => {
                    if let Some(began) = answering.take() {
                        self.model_answers.record_time(entry.at.since(began));
                    }
                }
                Recorded::ToolStarted { uid } => running.push(*uid),
                Recorded::ToolFinished { uid, ms } => {
                    if let Some(at) = running.iter().position(|other| other == uid) {
                        running.swap_remove(at);
                        self.tools.record_time(Duration::from_millis(*ms));
                    }
                }
                Recorded::TurnEnded { usage, .. } => {
                    self.turns.record_time(entry.at.since(accepted));
                    let input = usage.fresh.saturating_add(usage.cache_read).saturating_add(usage.cache_write);
                    self.input_tokens.record(input);
                    self.output_tokens.record(usage.output);
                    self.costs.record(usage.cost.nano_usd);
                }
                _ => {}
            }
        }
    }

    /// Records how long the preparation of a run took.
    pub(super) fn prepared(&self, took: Duration) {
        self.preparations.record_time(took);
    }

    /// Returns the histograms that drivers fill.
    pub(super) fn driver(&self) -> &Timings {
        &self.driver
    }

    pub(super) fn metrics(&self) -> ServiceMetrics {
        ServiceMetrics {
            turns: self.turns.measured(),
            first_outputs: self.first_outputs.measured(),
            preparations: self.preparations.measured(),
            model_waits: self.driver.model_waits.measured(),
            model_answers: self.model_answers.measured(),
            tools: self.tools.measured(),
            commits: self.driver.commits.measured(),
            input_tokens: self.input_tokens.measured(),
            output_tokens: self.output_tokens.measured(),
            costs: self.costs.measured(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_grow() {
        for bounds in [LONG, SHORT, TOKENS, NANO_USD] {
            assert!(bounds.is_sorted_by(|a, b| a < b), "{bounds:?}");
        }
    }
}
