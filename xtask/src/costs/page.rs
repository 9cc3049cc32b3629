//! The table in `docs/performance.md`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context;

use super::measures::MEASURES;
use super::record::Record;
use super::unit::Unit;

pub(super) const PAGE: &str = "docs/performance.md";

/// The lines around the table.
const BEGIN: &str = "<!-- Written by `cargo xtask costs --accept`. -->\n";
const END: &str = "<!-- Up to here. -->\n";

/// Writes the recorded counts into the page.
pub(super) fn write(root: &Path, record: &Record) -> anyhow::Result<()> {
    let path = root.join(PAGE);
    let page = fs::read_to_string(&path).with_context(|| format!("cannot read {PAGE}"))?;
    let page = with_table(&page, &table(record)).with_context(|| format!("{PAGE} has no place for the table"))?;
    fs::write(&path, page).with_context(|| format!("cannot write {PAGE}"))
}

fn with_table(page: &str, table: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some([before, BEGIN, "\n", table, "\n", END, after].concat())
}

fn table(record: &Record) -> String {
    let heads = Unit::ALL.map(|unit| unit.to_string()).join(" | ");
    let mut table = format!("| | {heads} |\n|---|{}\n", "---:|".repeat(Unit::ALL.len()));
    for measure in MEASURES {
        let cell =
            |unit: Unit| record.get(unit, measure.what).map_or_else(String::new, |cost| unit.grouped(cost.count));
        let cells = Unit::ALL.map(cell).join(" | ");
        let _ = writeln!(table, "| {} | {cells} |", measure.what);
    }
    table
}

#[cfg(test)]
mod tests {
    use super::super::counting::CostCount;
    use super::super::record::Machine;
    use super::*;

    #[test]
    fn the_table_takes_the_place_of_the_one_before() {
        let measure = &MEASURES[0];
        let counted = [CostCount { unit: Unit::Instructions, what: measure.what, count: 1_234_567.0 }];
        let table = table(&Record::default().accept(&counted, Machine::default()));
        assert!(table.contains(&format!("| {} | 1,234,567 |  |  |  |\n", measure.what)), "{table}");
        let page = format!("above\n{BEGIN}\n| old |\n\n{END}below\n");
        assert_eq!(with_table(&page, &table).unwrap(), format!("above\n{BEGIN}\n{table}\n{END}below\n"));
        assert_eq!(with_table("nothing", &table), None);
    }
}
