//! The record in `costs.toml`: the known counts, each with a tolerance.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

use super::counting::CostCount;
use super::measures::MEASURES;
use super::unit::Unit;
use crate::system::run;

pub(super) const FILE: &str = "costs.toml";

const HEAD: &str = "\
# The counted costs of the hot paths. `cargo xtask costs` counts again, and fails if a count has grown by more than its
# tolerance, in percent. `cargo xtask costs --accept` writes the new counts, and keeps the tolerances.
# docs/performance.md describes the measures and the method.
";

/// The content of the file.
#[derive(Debug, Default, PartialEq, Deserialize)]
pub(crate) struct Record {
    pub(super) machine: Machine,
    #[serde(flatten)]
    costs: BTreeMap<String, BTreeMap<String, Cost>>,
}

/// The machine, which also affects the number of instructions of the same code.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub(crate) struct Machine {
    /// The target, such as `x86_64-unknown-linux-gnu`.
    pub(super) target: String,
    /// The version of the compiler, such as `1.95.0`.
    pub(super) compiler: String,
}

/// The record of one cost.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub(super) struct Cost {
    pub(super) count: f64,
    /// The growth that is allowed, in percent.
    pub(super) tolerance: f64,
}

impl Record {
    /// Reads the file at the root of the repository, if there is one.
    pub(super) fn read(root: &Path) -> anyhow::Result<Option<Self>> {
        match fs::read_to_string(root.join(FILE)) {
            Ok(text) => Ok(Some(toml::from_str(&text).with_context(|| format!("cannot read {FILE}"))?)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error).context(format!("cannot read {FILE}")),
        }
    }

    pub(super) fn write(&self, root: &Path) -> anyhow::Result<()> {
        fs::write(root.join(FILE), self.text()).with_context(|| format!("cannot write {FILE}"))
    }

    pub(super) fn get(&self, unit: Unit, what: &str) -> Option<Cost> {
        self.costs.get(unit.key())?.get(what).copied()
    }

    /// Returns the names of all recorded costs.
    pub(super) fn names(&self) -> impl Iterator<Item = (Unit, &str)> {
        let of =
            |unit: Unit| self.costs.get(unit.key()).into_iter().flatten().map(move |(what, _)| (unit, what.as_str()));
        Unit::ALL.into_iter().flat_map(of)
    }

    /// Returns a record of these counts, with the tolerances of this record.
    pub(super) fn accept(&self, counted: &[CostCount], machine: Machine) -> Self {
        let mut costs: BTreeMap<String, BTreeMap<String, Cost>> = BTreeMap::new();
        for &CostCount { unit, what, count } in counted {
            let tolerance = self.get(unit, what).map_or(unit.tolerance(), |cost| cost.tolerance);
            costs.entry(unit.key().to_owned()).or_default().insert(what.to_owned(), Cost { count, tolerance });
        }
        Self { machine, costs }
    }

    fn text(&self) -> String {
        let Machine { target, compiler } = &self.machine;
        let mut text = format!("{HEAD}\n[machine]\ntarget = \"{target}\"\ncompiler = \"{compiler}\"\n");
        for unit in Unit::ALL {
            let _ = writeln!(text, "\n[{}]", unit.key());
            for measure in MEASURES {
                if let Some(Cost { count, tolerance }) = self.get(unit, measure.what) {
                    let (what, count) = (measure.what, unit.written(count));
                    let _ = writeln!(text, "\"{what}\" = {{ count = {count}, tolerance = {tolerance} }}");
                }
            }
        }
        text
    }
}

impl Machine {
    /// Returns the machine that runs this program, with the compiler that cargo uses.
    pub(super) fn this() -> anyhow::Result<Self> {
        let version = run("rustc", &["-vV".into()])?;
        let line = |name: &str| version.lines().find_map(|line| line.strip_prefix(name)).map(str::to_owned);
        let (target, compiler) = (line("host: "), line("release: "));
        target
            .zip(compiler)
            .map(|(target, compiler)| Self { target, compiler })
            .context("rustc does not say what it is")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_accepted_record_is_read_back_with_its_earlier_tolerances() {
        let what = MEASURES[0].what;
        let machine = Machine { target: "here".to_owned(), compiler: "1.0.0".to_owned() };
        let count = |unit, count| CostCount { unit, what, count };
        let mut record = Record::default().accept(&[count(Unit::Instructions, 100.0)], machine.clone());
        record.costs.get_mut("instructions").unwrap().get_mut(what).unwrap().tolerance = 7.0;

        let counted = [count(Unit::Instructions, 120.4), count(Unit::Allocations, 0.25)];
        let accepted = record.accept(&counted, machine.clone());
        let read: Record = toml::from_str(&accepted.text()).unwrap();
        assert_eq!(read.machine, machine);
        assert_eq!(read.get(Unit::Instructions, what), Some(Cost { count: 120.0, tolerance: 7.0 }));
        assert_eq!(read.get(Unit::Allocations, what), Some(Cost { count: 0.2, tolerance: 3.0 }));
        assert_eq!(read.get(Unit::SystemCalls, what), None);
    }
}
