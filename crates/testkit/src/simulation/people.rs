//! People, and clients with their own tools, who decide waits.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::task::JoinSet;
use turnkit_core::ports::WaitPage;
use turnkit_core::{
    Arguments, KnownOutcome, Resolution, ResolveOutcome, Scope, StoreError, TurnId, Wait, WaitId, WaitKind,
};
use turnkit_engine::{ResolveError, TurnService};

use super::process_context::ProcessContext;
use crate::dice::Dice;

/// The time after which a wait expires.
pub(super) const EXPIRES_AFTER: Duration = Duration::from_secs(20);
/// How often people look for pending waits.
const LOOKS_EVERY: Duration = Duration::from_millis(50);
/// How long a person waits before sending a decision again.
const RETRY_DELAY: Duration = Duration::from_millis(50);
/// The users who decide waits.
const USERS: [&str; 2] = ["ada", "bob"];

/// The plan of a person for one wait.
struct Plan {
    after: Duration,
    /// The decisions to send. There are several if the person and another decider act at the same time, and none if the
    /// wait is never decided.
    decisions: Vec<Resolution>,
}

/// Decides the waits of a process, forever.
pub(super) async fn decide(process: Arc<ProcessContext>, service: TurnService) -> Infallible {
    let (mut tasks, mut seen) = (JoinSet::new(), BTreeSet::new());
    loop {
        let to_stop: BTreeSet<TurnId> = seen
            .iter()
            .map(|wait: &WaitId| wait.call.turn)
            .filter(|turn| process.disk.stop_of(*turn).is_some())
            .collect();
        for user in USERS {
            let scope = Scope::new("acme", user);
            let page = WaitPage { session: None, turn: None, below: false, pending: true, limit: 200, after: None };
            let Ok(list) = service.waits(&scope, page).await else { continue };
            if let Some(wait) = list.waits.iter().find(|wait| to_stop.contains(&wait.id.call.turn)) {
                process.record.report_violation(format!("{} is to be decided, and its turn is to stop", wait.id));
            }
            for wait in list.waits.into_iter().filter(|wait| seen.insert(wait.id)) {
                tasks.spawn(consider(Arc::clone(&process), service.clone(), scope.clone(), wait));
            }
        }
        while tasks.try_join_next().is_some() {}
        tokio::time::sleep(LOOKS_EVERY).await;
    }
}

async fn consider(process: Arc<ProcessContext>, service: TurnService, scope: Scope, wait: Wait) {
    let took_effect = process.record.facts().effects.iter().any(|(uid, _)| *uid == wait.id.call);
    let Plan { after, decisions } = process.fate.draw(|dice| Plan::random(&wait, took_effect, dice));
    tokio::time::sleep(after).await;
    let decide = |resolution| send(&process, &service, &scope, &wait, resolution);
    futures_util::future::join_all(decisions.into_iter().map(decide)).await;
}

/// Sends a decision until the process responds.
async fn send(process: &ProcessContext, service: &TurnService, scope: &Scope, wait: &Wait, resolution: Resolution) {
    loop {
        match service.resolve(scope, wait.id, resolution.clone()).await {
            Ok(ResolveOutcome::Decided { .. } | ResolveOutcome::Repeated) => {
                return process.record.acknowledge(wait.id, resolution);
            }
            Ok(ResolveOutcome::AlreadyResolved(_) | ResolveOutcome::TooLate)
            | Err(ResolveError::Store(StoreError::NotFound)) => {
                return;
            }
            Err(ResolveError::Store(_)) => tokio::time::sleep(RETRY_DELAY).await,
            Err(error) => {
                return process
                    .record
                    .report_violation(format!("{} was refused a decision that fits: {error}", wait.id));
            }
        }
    }
}

impl Plan {
    fn random(wait: &Wait, took_effect: bool, dice: &mut Dice) -> Self {
        let after = match dice.below(10) {
            0..3 => dice.millis(20),
            3..6 => dice.millis(500),
            6..8 => dice.millis(25_000),
            // At the expiry of the wait, or just after it.
            _ => EXPIRES_AFTER.saturating_sub(dice.millis(80)) + dice.millis(80),
        };
        let count = match dice.below(100) {
            0..12 => 0,
            12..35 => 2,
            _ => 1,
        };
        Self { after, decisions: (0..count).map(|_| decision(wait.kind, took_effect, dice)).collect() }
    }
}

/// Creates a random decision that fits the kind of wait. About an outcome, people report what they know.
fn decision(kind: WaitKind, took_effect: bool, dice: &mut Dice) -> Resolution {
    let note = dice.chance(50).then(|| format!("note {}", dice.below(100)));
    match kind {
        WaitKind::Outcome if took_effect => Resolution::Outcome { outcome: KnownOutcome::Done, note },
        WaitKind::Approval if dice.chance(70) => {
            let arguments = dice.chance(20).then(|| Arguments(json!({ "amount": dice.below(9) }).to_string()));
            Resolution::Approved { arguments, note, grant: None }
        }
        WaitKind::Question if dice.chance(80) => Resolution::Answered { answer: json!(dice.below(9).to_string()) },
        WaitKind::ClientTool if dice.chance(80) => {
            Resolution::returned(dice.chance(80), format!("shown {}", dice.below(9)))
        }
        _ => Resolution::denied(note),
    }
}
