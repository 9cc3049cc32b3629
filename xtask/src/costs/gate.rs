//! The comparison of costs as a step of `cargo xtask test`.

use anyhow::bail;

use super::counting::Counters;
use super::judgement::Judgement;
use super::record::{FILE, Machine, Record};
use crate::Repository;
use crate::repository::environment;

/// If this variable is set to `require`, a missing tool is an error.
const VARIABLE: &str = "TURNKIT_COSTS";

/// The result of checking whether costs can be compared on this machine.
pub(crate) enum Gate {
    /// Costs can be compared, with this record and these tools.
    Open(Record, Counters),
    /// Costs cannot be compared, for this reason.
    Closed(String),
}

impl Gate {
    /// Reads the record and finds the tools.
    ///
    /// # Errors
    /// A tool is missing although the environment requires it, or there is no record to compare with.
    pub(crate) fn find(repository: &Repository) -> anyhow::Result<Self> {
        let Some(record) = Record::read(repository.root())? else {
            bail!("there is no {FILE}: `cargo xtask costs --accept` makes it")
        };
        let (known, here) = (&record.machine.target, Machine::this()?.target);
        if *known != here {
            return Ok(Self::Closed(format!("{FILE} was counted on {known}, and this is {here}")));
        }
        match Counters::find() {
            Ok(counters) => Ok(Self::Open(record, counters)),
            Err(why) if environment(VARIABLE).is_some_and(|value| value == "require") => {
                bail!("costs cannot be counted: {why:#}; {VARIABLE}=require asks for it")
            }
            Err(why) => Ok(Self::Closed(format!("{why:#}"))),
        }
    }

    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Open(..) => format!("costs are compared with {FILE}"),
            Self::Closed(why) => format!("costs are NOT compared with {FILE}: {why}"),
        }
    }

    /// Counts and compares the costs. Returns `None` if they cannot be compared.
    pub(crate) fn judge(&self, repository: &Repository) -> anyhow::Result<Option<Judgement>> {
        let Self::Open(record, counters) = self else { return Ok(None) };
        Ok(Some(Judgement::new(record, &counters.count(repository)?)))
    }
}
