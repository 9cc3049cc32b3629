//! One trial: the lives of a plan, the life after them, and the verdict.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

use turnkit_core::{TurnId, TurnState, TurnStatus};

use super::Campaign;
use super::client::Client;
use super::life::{Ending, Host, LifeResult};
use super::oracle::{Evidence, judge};
use super::person::Person;
use super::plan::Plan;
use super::snapshot::{Contents, Snapshot};
use super::violation::{Check, Violation};
use crate::Ledger;
use crate::kill::host::{LEDGER, QUESTIONS, Question};

/// The name of the data directory within the folder of a trial.
const DATA: &str = "data";

/// The result of a trial.
#[derive(Debug)]
pub(super) struct Outcome {
    /// The plan of the trial.
    pub(super) plan: Plan,
    /// The kills, in order.
    pub(super) kills: Vec<Kill>,
    /// The number of acknowledged turns.
    pub(super) turns: usize,
    /// The time from the last start until the turns of earlier lives had ended, if there were any.
    pub(super) resumed_after: Option<Duration>,
    /// For each start that found pending decisions, the time until it listed them.
    pub(super) listed_after: Vec<Duration>,
    /// The violations that were found.
    pub(super) violations: Vec<Violation>,
    /// The folder with the files of the trial.
    pub(super) folder: PathBuf,
}

/// The outcome of one kill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kill {
    /// Whether the host died at its planned point.
    pub(super) landed: bool,
    /// Whether the kill left an acknowledged turn unfinished.
    pub(super) live: bool,
}

/// Runs the trial of `plan` in `folder`, which is created.
///
/// # Errors
/// The host cannot be started, or the data it left cannot be read.
pub(super) fn run(plan: Plan, campaign: &Campaign, folder: PathBuf) -> io::Result<Outcome> {
    let directory = folder.join(DATA);
    fs::create_dir_all(&directory)?;
    let host = Host { campaign, directory: &directory, most_messages: plan.most_messages };
    let questions = directory.join(QUESTIONS);
    let mut client = Client::new(Person::new(Ledger::open(directory.join(LEDGER))?));
    let (mut lives, mut snapshots) = (Vec::new(), Vec::new());
    for life in plan.lives.iter().map(Some).chain([None]) {
        lives.push(host.live(&mut client, lives.len(), life)?);
        snapshots.push(Snapshot::take(&directory, folder.join(format!("after-{}", lives.len())), &questions)?);
    }

    let stored = read(&client, &snapshots)?;
    let questions = split(&Question::read(&questions)?, &snapshots);
    let effects = Ledger::open(directory.join(LEDGER))?.counts()?;
    let mut violations =
        judge(&Evidence { client: &client, stored: &stored, questions: &questions, effects: &effects });
    violations.extend(violations_of_lives(&lives));
    let kills = lives.iter().zip(&stored).take(plan.lives.len());
    let kills = kills.map(|(life, stored)| Kill {
        landed: life.ending == Ending::AsPlanned,
        live: stored.turns.values().any(|turn| turn.state != TurnState::Ended(TurnStatus::Completed)),
    });
    Ok(Outcome {
        kills: kills.collect(),
        turns: client.turns.len(),
        listed_after: lives
            .iter()
            .skip(1)
            .zip(&stored)
            .filter(|(_, before)| before.pending().next().is_some())
            .filter_map(|(life, _)| life.listed_after)
            .collect(),
        resumed_after: lives.last().and_then(|life| life.resumed_after),
        plan,
        violations,
        folder,
    })
}

fn read(client: &Client, snapshots: &[Snapshot]) -> io::Result<Vec<Contents>> {
    let runtime = tokio::runtime::Builder::new_current_thread().build()?;
    let turns: Vec<TurnId> = client.turns.keys().copied().collect();
    let sessions: BTreeSet<&str> = client.orders.iter().map(|order| order.request.session.as_str()).collect();
    let read = |snapshot: &Snapshot| runtime.block_on(snapshot.read(turns.iter().copied(), sessions.iter().copied()));
    snapshots.iter().map(read).collect()
}

/// Splits the questions by life.
fn split(questions: &[Question], snapshots: &[Snapshot]) -> Vec<Vec<Question>> {
    let mut from = 0;
    let mut lives = Vec::new();
    for snapshot in snapshots {
        lives.push(questions.get(from..snapshot.questions).unwrap_or_default().to_vec());
        from = snapshot.questions;
    }
    lives
}

/// Returns a violation for each life that ended in an unplanned way. A fault that never occurred is not a violation;
/// the table shows it as a kill that did not land.
fn violations_of_lives(lives: &[LifeResult]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (number, life) in (1..).zip(lives) {
        match life.ending {
            Ending::AsPlanned | Ending::Finished => {}
            Ending::Hung => {
                violations.push(Violation::new(Check::Lost, format!("life {number} did not come to an end")))
            }
            Ending::Failed => violations.push(Violation::new(Check::Lost, format!("the host of life {number} failed"))),
        }
    }
    violations
}
