//! The harness: the client of a host that is killed, and the judge of what it leaves.

mod client;
mod connection;
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

/// A series of trials with consecutive seeds.
#[derive(Debug, Clone)]
pub struct Campaign {
    /// The path of the binary `turnkit-kill-host`.
    pub binary: PathBuf,
    /// The minimum number of kills.
    pub kills: usize,
    /// How the clients of a host reach it.
    pub over: Over,
    /// The seed of the first trial.
    pub seed: u64,
    /// A bug to plant in each host.
    pub mutant: Option<Mutant>,
    /// The kind of campaign.
    pub kind: CampaignKind,
}

/// The kind of a campaign, which determines what kills its hosts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CampaignKind {
    /// Each kind of fault in turn, once or twice per trial.
    #[default]
    Faults,
    /// A kill soon after each start of the host, many times per trial.
    CrashLoop,
    /// A kill at each point of turns that wait for a person or a sub-agent, in turn, in two lives of each trial.
    Waits,
}

impl CampaignKind {
    /// Returns the command line option that selects this campaign.
    fn option(self) -> &'static str {
        match self {
            Self::Faults => "",
            Self::CrashLoop => " --crash-loop",
            Self::Waits => " --waits",
        }
    }
}

impl Campaign {
    /// Runs the trials, and calls `progress` after each of them. The folder of a trial is kept only if a promise was
    /// broken.
    ///
    /// # Errors
    /// A host cannot be started, or the data it left cannot be read.
    pub fn run(&self, mut progress: impl FnMut(&Table)) -> io::Result<Table> {
        let mut table = Table::new(self.over, self.kind);
        for seed in self.seed.. {
            if table.kills() >= self.kills {
                break;
            }
            let folder = tempfile::Builder::new().prefix("turnkit-kill-").tempdir()?;
            let plan = match self.kind {
                CampaignKind::Faults => Plan::from_seed(seed),
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
