//! A simulation with one process at a time, on a disk of its own.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::runtime::Runtime;
use turnkit_core::{Timestamp, WaitKind};

use super::client::{self, Intent};
use super::fate::Fate;
use super::judge::{judge, judge_sessions};
use super::members::{Member, Members};
use super::outage::Outage;
use super::process_context::ProcessContext;
use super::record::Record;
use super::{LIVENESS, Report, SECOND_LIFE, START, people, plans, process, rewrites, runtime, watcher};
use crate::dice::Dice;
use crate::model_store::{Disk, Flaw};

/// The successive lives of a process.
pub(super) struct SingleProcess {
    dice: Dice,
    flaw: Option<Flaw>,
    /// Whether sessions exceed the context windows of their models.
    in_small_windows: bool,
    /// Whether calls wait for people and for clients with their own tools.
    has_people: bool,
    disk: Disk,
    record: Record,
    /// The intents, by client.
    plans: Vec<Vec<Intent>>,
    now: Timestamp,
    deaths: usize,
    /// A process that was presumed dead.
    presumed_dead: Option<(Runtime, Arc<ProcessContext>)>,
}

impl SingleProcess {
    pub(super) fn new(seed: u64, flaw: Option<Flaw>) -> Self {
        let mut dice = Dice::new(seed);
        let (plans, now) = (plans(&mut dice), START);
        let (disk, record) = (Disk::default(), Record::default());
        Self {
            dice,
            flaw,
            in_small_windows: false,
            has_people: false,
            disk,
            record,
            plans,
            now,
            deaths: 0,
            presumed_dead: None,
        }
    }

    /// Uses models with small context windows, whose size changes from process to process.
    pub(super) fn in_small_windows(self) -> Self {
        Self { in_small_windows: true, ..self }
    }

    /// Adds calls that wait for people and for clients with their own tools.
    pub(super) fn with_people(self) -> Self {
        Self { has_people: true, ..self }
    }

    pub(super) fn run(mut self) -> Result<Report, String> {
        let intents: Vec<Intent> = self.plans.iter().flatten().cloned().collect();
        let lives = u16::try_from(self.dice.below(5)).unwrap_or(0);
        for life in 0..lives {
            let stops_at = 1 + [20, 80, 400][self.dice.below(3) as usize];
            let stops_at = 1 + self.dice.below(stops_at);
            self.live(life, Some(stops_at))?;
            judge(&self.disk, &self.record, &intents, false)?;
        }
        self.live(lives, None)?;
        judge(&self.disk, &self.record, &intents, true)?;
        runtime()?.block_on(judge_sessions(&self.disk, &intents))?;
        let facts = self.record.facts();
        Ok(Report {
            turns: self.disk.turns().len(),
            deaths: self.deaths,
            effects: facts.effects.len(),
            shown: facts.clients.values().map(|client| client.seen.len()).sum(),
            rewrites: rewrites(&self.disk),
            waits: self.disk.waits().len(),
            children: self.disk.waits().values().filter(|wait| wait.kind == WaitKind::Child).count(),
        })
    }

    /// Runs one process from its start until it dies or everything has ended.
    fn live(&mut self, life: u16, stops_at: Option<u64>) -> Result<(), String> {
        let runtime = runtime()?;
        // If an earlier process was presumed dead, this one pauses to let it wake up.
        let pauses_at = self.presumed_dead.as_ref().map(|_| 1 + self.dice.below(60)).filter(|_| stops_at.is_some());
        let mut fate = || Fate::new(self.dice.fork(), pauses_at.or(stops_at), stops_at.is_some(), Outage::default());
        let fate = runtime.block_on(async { fate() });
        let window = self.in_small_windows.then(|| [1_600, 2_000, 4_000][self.dice.below(3) as usize]);
        let process =
            ProcessContext::new(self.disk.clone(), self.record.clone(), fate, life, (window, self.has_people));
        let dice = self.dice.fork();
        let (service, clock) = runtime.block_on(async { process::start(&process, life, self.now, self.flaw, dice) });
        let worker = process::worker(life);
        let member = Arc::new(Member { worker, process: Arc::clone(&process), service: service.clone() });
        let members = Members::new(self.dice.clone());
        members.add(&member);
        let mut serve = Box::pin(async {
            while service.resume_unfinished().await.is_err() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            let clients =
                self.plans.iter().map(|plan| client::live(Arc::clone(&member), members.clone(), plan.clone()));
            let watched = watcher::watch_all(Arc::clone(&process), service.clone(), join_all(clients));
            tokio::select! {
                biased;
                () = watched => {}
                never = people::decide(Arc::clone(&process), service.clone()), if process.has_people => match never {},
            }
            // No client follows chores until they end.
            service.finish(LIVENESS).await;
        });
        let mut stopped = run_until_stopped(&runtime, &process.fate, serve.as_mut())?;
        if let Some((presumed_dead, its)) = self.presumed_dead.take() {
            its.fate.resume_presumed_dead();
            presumed_dead.block_on(async { tokio::time::sleep(SECOND_LIFE).await });
            drop(presumed_dead);
            if stopped && pauses_at.is_some() {
                process.fate.resume(stops_at);
                stopped = run_until_stopped(&runtime, &process.fate, serve.as_mut())?;
            }
        }
        drop(serve);
        // Outside the runtime, the clock would show real time.
        self.now = runtime.block_on(async { clock.now() }).plus(Duration::from_secs(1));
        if stopped {
            self.deaths += 1;
            self.record.lose_requests();
            if self.dice.chance(40) {
                self.presumed_dead = Some((runtime, process));
            }
        }
        Ok(())
    }
}

/// Returns `true` if the process stopped before it had finished.
fn run_until_stopped(runtime: &Runtime, fate: &Fate, serve: impl Future<Output = ()>) -> Result<bool, String> {
    runtime.block_on(async {
        tokio::select! {
            biased;
            () = fate.stops() => Ok(true),
            done = tokio::time::timeout(LIVENESS, serve) => match done {
                Ok(()) => Ok(false),
                Err(_) => Err(format!("not over after {LIVENESS:?}")),
            },
        }
    })
}
