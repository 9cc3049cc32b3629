//! The client and judge of a host that is killed.

mod client;
mod door;
mod life;
mod oracle;
mod person;
mod plan;
mod snapshot;
mod table;
mod trial;
mod violation;

use std::io;
use std::path::PathBuf;

pub use plan::{Fault, Life, Plan};
pub use table::{Failure, Table};
pub use violation::{Check, Violation};

use crate::kill::Over;
use crate::kill::host::Mutant;

/// Many trials, one after the other, with seeds in a row.
#[derive(Debug, Clone)]
pub struct Campaign {
    /// The binary `turnkit-kill-host`.
    pub binary: PathBuf,
    /// How often a host is killed, at least.
    pub kills: usize,
    /// How its clients reach it.
    pub over: Over,
    /// The seed of the first trial.
    pub seed: u64,
    /// A bug to plant in each host.
    pub mutant: Option<Mutant>,
    /// What kills the hosts.
    pub kind: CampaignKind,
}

/// What kills the hosts of a campaign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CampaignKind {
    /// Each kind of fault in turn, once or twice in a trial.
    #[default]
    Faults,
    /// Something that kills each host soon after its start, many times in a trial.
    CrashLoop,
    /// Each point of turns that wait for a person or a sub-agent in turn, in two lives of each trial.
    Waits,
}

impl CampaignKind {
    /// What the campaign is called in options.
    fn option(self) -> &'static str {
        match self {
            Self::Faults => "",
            Self::CrashLoop => " --crash-loop",
            Self::Waits => " --waits",
        }
    }
}

impl Campaign {
    /// Runs the trials; `progress` is told after each. The folder of a trial stays only if a promise was broken.
    ///
    /// # Errors
    /// A host cannot be started, or what it left cannot be read.
    pub fn run(&self, mut progress: impl FnMut(&Table)) -> io::Result<Table> {
        let mut table = Table::of(self.over, self.kind);
        for seed in self.seed.. {
            if table.kills() >= self.kills {
                break;
            }
            let folder = tempfile::Builder::new().prefix("turnkit-kill-").tempdir()?;
            let plan = match self.kind {
                CampaignKind::Faults => Plan::of(seed),
                CampaignKind::CrashLoop => Plan::crash_loop(seed),
                CampaignKind::Waits => Plan::waits(seed),
            };
            let outcome = trial::run(plan, self, folder.path().to_owned());
            if outcome.as_ref().map_or(true, |outcome| !outcome.violations.is_empty()) {
                let _ = folder.keep();
            }
            table.add(outcome?);
            progress(&table);
        }
        Ok(table)
    }
}
