//! Costs as a step of `cargo xtask test`.

use anyhow::bail;

use super::counting::Counters;
use super::judgement::Judgement;
use super::record::{FILE, Machine, Record};
use crate::Repository;
use crate::repository::environment;

/// Set to `require`, programs that cannot be had are an error.
const VARIABLE: &str = "TURNKIT_COSTS";

/// Whether costs can be compared on this machine.
pub(crate) enum Gate {
    /// They can, with what is known and what counts.
    Open(Record, Counters),
    /// They cannot, and why.
    Closed(String),
}

impl Gate {
    /// Looks for what it takes.
    ///
    /// # Errors
    /// A program is missing, and the environment says that none may be; or there is nothing to compare with.
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

    /// Counts and compares; nothing where that cannot be done.
    pub(crate) fn judge(&self, repository: &Repository) -> anyhow::Result<Option<Judgement>> {
        let Self::Open(record, counters) = self else { return Ok(None) };
        Ok(Some(Judgement::of(record, &counters.count(repository)?)))
    }
}
