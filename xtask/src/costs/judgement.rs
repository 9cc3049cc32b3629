//! The comparison of new counts with the record.

use std::fmt;

use super::counting::CostCount;
use super::measures::{SURCHARGES, Surcharge};
use super::record::{FILE, Record};

/// The growth that is always allowed, for rounding. A tolerance in percent allows almost none for counts near zero.
const ROUNDING: f64 = 0.1;

/// The counts, compared with the record.
pub(crate) struct Judgement {
    lines: Vec<String>,
    problems: Vec<String>,
}

impl Judgement {
    pub(super) fn new(record: &Record, counted: &[CostCount]) -> Self {
        let mut judgement = Self { lines: Vec::new(), problems: Vec::new() };
        for counted in counted {
            judgement.compare(record, counted);
        }
        let is_counted = |(unit, what)| counted.iter().any(|counted| (counted.unit, counted.what) == (unit, what));
        let gone = record.names().filter(|known| !is_counted(*known));
        judgement.problems.extend(gone.map(|(unit, what)| format!("{what}: {FILE} has {unit}, which no run counts")));
        judgement.problems.extend(SURCHARGES.iter().filter_map(|surcharge| exceeded(surcharge, counted)));
        judgement
    }

    /// Reports whether no cost grew and all costs are in the record.
    pub(crate) fn passed(&self) -> bool {
        self.problems.is_empty()
    }

    /// Returns every count, one per line.
    pub(super) fn counts(&self) -> &[String] {
        &self.lines
    }

    /// Returns a summary in one line.
    pub(crate) fn summary(&self) -> String {
        format!("{} counted, {} failed", self.lines.len(), self.problems.len())
    }

    fn compare(&mut self, record: &Record, &CostCount { unit, what, count }: &CostCount) {
        let now = unit.written(count);
        let Some(known) = record.get(unit, what) else {
            self.lines.push(format!("{now:>8} {unit:<13} {what}"));
            self.problems.push(format!("{what}: {now} {unit} are not in {FILE}"));
            return;
        };
        let (before, tolerance) = (unit.written(known.count), known.tolerance);
        let changed = if now == before { String::new() } else { format!(" (was {before})") };
        self.lines.push(format!("{now:>8} {unit:<13} {what}{changed}"));
        let grown = count - known.count;
        if grown > ROUNDING && grown * 100.0 > known.count * tolerance {
            let percent = grown * 100.0 / known.count;
            let by = if percent.is_finite() { format!("{percent:.1} %, ") } else { String::new() };
            self.problems.push(format!("{what}: {unit} grew from {before} to {now} ({by}tolerated: {tolerance} %)"));
        }
    }
}

/// Returns the problem if a cost is higher than its surcharge allows.
fn exceeded(&Surcharge { what, beyond, unit, percent }: &Surcharge, counted: &[CostCount]) -> Option<String> {
    let count = |name| counted.iter().find(|counted| (counted.unit, counted.what) == (unit, name)).map(|it| it.count);
    let (now, base) = (count(what)?, count(beyond)?);
    let more = (now - base) * 100.0 / base;
    let counts = (unit.written(now), unit.written(base));
    (more > percent).then(|| {
        format!(
            "{what}: {} {unit} are {more:.1} % more than {} of `{beyond}` (allowed: {percent} %)",
            counts.0, counts.1
        )
    })
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            writeln!(f, "{line}")?;
        }
        for problem in &self.problems {
            writeln!(f, "FAIL {problem}")?;
        }
        if !self.passed() {
            writeln!(
                f,
                "if that is worth what it brings, `cargo xtask costs --accept` writes it to {FILE}; say why in the commit"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::Machine;
    use super::super::unit::Unit;
    use super::*;

    const WHAT: &str = "token decoded, openai-chat";

    fn problems(unit: Unit, before: f64, now: f64) -> Vec<String> {
        let count = |count| [CostCount { unit, what: WHAT, count }];
        let record = Record::default().accept(&count(before), Machine::default());
        Judgement::new(&record, &count(now)).problems
    }

    #[test]
    fn growth_beyond_the_tolerance_is_named_with_both_counts() {
        let expected = format!("{WHAT}: instructions grew from 1000 to 1060 (6.0 %, tolerated: 5 %)");
        assert_eq!(problems(Unit::Instructions, 1_000.0, 1_060.0), [expected]);
        let expected = format!("{WHAT}: allocations grew from 0.0 to 1.0 (tolerated: 3 %)");
        assert_eq!(problems(Unit::Allocations, 0.0, 1.0), [expected]);
    }

    #[test]
    fn changes_within_the_tolerance_and_reductions_pass() {
        for (unit, before, now) in [
            (Unit::Instructions, 1_000.0, 1_050.0),
            (Unit::Instructions, 1_000.0, 100.0),
            (Unit::Allocations, 0.0, 0.05),
            (Unit::SystemCalls, 20.0, 22.0),
        ] {
            assert_eq!(problems(unit, before, now), <[String; 0]>::default());
        }
    }

    #[test]
    fn a_cost_that_exceeds_another_one_by_too_much_is_named_with_both() {
        let &Surcharge { what, beyond, unit, percent } = &SURCHARGES[0];
        assert_eq!((unit, percent), (Unit::Instructions, 6.0));
        for (now, is_exceeded) in [(1_060.0, false), (900.0, false), (1_090.0, true)] {
            let counted = [CostCount { unit, what, count: now }, CostCount { unit, what: beyond, count: 1_000.0 }];
            let record = Record::default().accept(&counted, Machine::default());
            let problems = Judgement::new(&record, &counted).problems;
            let expected = format!("{what}: 1090 instructions are 9.0 % more than 1000 of `{beyond}` (allowed: 6 %)");
            assert_eq!(problems, if is_exceeded { vec![expected] } else { Vec::new() });
        }
    }

    #[test]
    fn counts_that_only_one_side_has_are_problems() {
        let counted = [CostCount { unit: Unit::Instructions, what: WHAT, count: 1.0 }];
        let record = Record::default().accept(&counted, Machine::default());
        assert_eq!(Judgement::new(&Record::default(), &counted).problems.len(), 1);
        assert_eq!(Judgement::new(&record, &[]).problems.len(), 1);
    }
}
