//! Clients that submit turns, follow them, cancel them, lose their connection, and retry.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;
use turnkit_core::{
    AcceptError, AgentReach, BranchPoint, BusyPolicy, CancelOutcome, ClientCaps, Idempotency, Message, SamplingParams,
    Scope, SessionKey, SessionName, TurnId,
};
use turnkit_engine::{FeedItem, Receipt, TurnRequest};

use super::members::{Member, Members};
use super::stop_delay::AcknowledgedStop;
use super::tools;
use super::watched::Watched;
use crate::dice::Dice;

/// The delay before a client retries.
const RETRY_DELAY: Duration = Duration::from_millis(50);
/// The time in which a process sends its pending messages.
const SENT_WITHIN: Duration = Duration::from_millis(5);

/// A turn that a client wants. The client submits it until it learns the outcome.
#[derive(Debug, Clone)]
pub(super) struct Intent {
    /// The number of the intent, which is also its idempotency key and its text.
    pub(super) number: usize,
    pub(super) scope: Scope,
    pub(super) session: SessionName,
    pub(super) busy: BusyPolicy,
    /// The delay before the client submits it.
    after: Duration,
    /// Whether two requests are sent at once.
    twice: bool,
    /// How long the client waits for the first response before it drops the request and retries.
    patience: Option<Duration>,
    /// The delay before the client cancels the turn, if it does.
    cancel: Option<Duration>,
    /// The number of items after which the follower loses its connection.
    hang_up: Option<u64>,
}

impl Intent {
    pub(super) fn random(number: usize, dice: &mut Dice) -> Option<Self> {
        let user = if dice.chance(70) { "ada" } else { "bob" };
        let session = format!("session {}", dice.below(2)).parse().ok()?;
        let busy = match dice.below(10) {
            0..4 => BusyPolicy::Enqueue,
            4..6 => BusyPolicy::Steer,
            6..8 => BusyPolicy::Interrupt,
            _ => BusyPolicy::Reject,
        };
        Some(Self {
            number,
            scope: Scope::new("acme", user),
            session,
            busy,
            after: dice.millis(150),
            twice: dice.chance(25),
            patience: dice.chance(25).then(|| dice.millis(20)),
            cancel: dice.chance(30).then(|| if dice.chance(40) { dice.millis(10) } else { dice.millis(1500) }),
            hang_up: dice.chance(40).then(|| 1 + dice.below(12)),
        })
    }

    /// Returns `true` if two requests are sent at once, so that one may arrive too early and be refused while the other
    /// is accepted.
    pub(super) fn may_overtake_itself(&self) -> bool {
        self.twice
    }

    /// Returns the user's message, which identifies the turn of this intent.
    pub(super) fn text(&self) -> String {
        format!("intent {}", self.number)
    }

    fn request(&self, has_people: bool) -> TurnRequest {
        TurnRequest {
            session: SessionKey::Name(self.session.clone()),
            agent: None,
            route: None,
            params: SamplingParams::default(),
            tools: None,
            client_tools: if has_people { tools::of_client() } else { Vec::new() },
            mode: None,
            message: Message::user(self.text()),
            files: Vec::new(),
            context: None,
            caps: ClientCaps { interact: has_people, resume: true },
            busy: Some(self.busy),
            reach: AgentReach::default(),
            idempotency: Some(Idempotency { key: self.text().into(), body_sha256: [1; 32] }),
            after: BranchPoint::Head,
            trace: None,
        }
    }
}

/// Runs the intents of a client at one of the processes until it has seen the end of each. Some requests go to another
/// process.
pub(super) async fn live(at: Arc<Member>, members: Members, intents: Vec<Intent>) {
    let (mut tasks, process) = (JoinSet::new(), &at.process);
    for intent in intents {
        let client = process.record.client(intent.number);
        if client.turn.is_none() && !client.refused {
            tokio::time::sleep(intent.after).await;
            if intent.twice {
                let (other, intent) = (members.any().unwrap_or_else(|| Arc::clone(&at)), intent.clone());
                tasks.spawn(async move {
                    tokio::select! {
                        biased;
                        () = other.process.fate.stops() => {}
                        () = post(&other, &intent) => {}
                    }
                });
            }
            post(&at, &intent).await;
        }
        let client = process.record.client(intent.number);
        let Some(turn) = client.turn else { continue };
        if let Some(after) = intent.cancel.filter(|_| client.cancel.is_none()) {
            tasks.spawn(cancel(Arc::clone(&at), members.clone(), intent.clone(), turn, after));
        }
        if !client.ended {
            tasks.spawn(follow(Arc::clone(&at), intent, turn));
        }
    }
    while tasks.join_next().await.is_some() {}
}

async fn post(at: &Member, intent: &Intent) {
    let process = &at.process;
    let mut patience = intent.patience;
    loop {
        process.record.update_client(intent.number, |client| client.unanswered += 1);
        let accepting = at.service.accept(&intent.scope, intent.request(process.has_people));
        let answer = match patience.take() {
            Some(patience) => match tokio::time::timeout(patience, accepting).await {
                Ok(answer) => answer,
                Err(_) => continue,
            },
            None => accepting.await,
        };
        process.record.update_client(intent.number, |client| client.unanswered -= 1);
        match answer {
            Ok(Receipt { turn, session, .. }) => {
                let watched = || Watched::new(intent.scope.clone());
                process.record.facts().watched.entry(session).or_insert_with(watched);
                let known = process.record.client(intent.number).turn;
                if known.is_some_and(|known| known != turn) {
                    process.record.report_violation(format!("{} was accepted as two turns", intent.text()));
                }
                return process.record.update_client(intent.number, |client| client.turn = Some(turn));
            }
            Err(AcceptError::Busy) => {
                if process.record.client(intent.number).turn.is_none() {
                    process.record.update_client(intent.number, |client| client.refused = true);
                }
                return;
            }
            Err(AcceptError::Store(_)) => tokio::time::sleep(RETRY_DELAY).await,
            Err(error) => return process.record.report_violation(format!("{} was refused: {error}", intent.text())),
        }
    }
}

async fn cancel(at: Arc<Member>, members: Members, intent: Intent, turn: TurnId, after: Duration) {
    let record = &at.process.record;
    tokio::time::sleep(after).await;
    loop {
        let asked = members.any().unwrap_or_else(|| Arc::clone(&at));
        let (fate, asked_at) = (&asked.process.fate, Instant::now());
        let outcome = tokio::select! {
            biased;
            () = fate.stops() => None,
            outcome = asked.service.cancel(&intent.scope, turn) => outcome.ok(),
        };
        let Some(outcome) = outcome else {
            tokio::time::sleep(RETRY_DELAY).await;
            continue;
        };
        record.update_client(intent.number, |client| client.cancel = Some(outcome));
        if outcome == CancelOutcome::Stopping {
            let mut stop = AcknowledgedStop { at: Instant::now(), is_sent: false };
            record.facts().stopped.insert(turn, stop);
            tokio::time::sleep(SENT_WITHIN).await;
            stop.is_sent = !fate.is_stopped() && !fate.is_presumed_dead() && fate.undisturbed_since() < asked_at;
            record.facts().stopped.insert(turn, stop);
        }
        return;
    }
}

async fn follow(at: Arc<Member>, intent: Intent, turn: TurnId) {
    loop {
        if read(&at, &intent, turn).await {
            return at.process.record.update_client(intent.number, |client| client.ended = true);
        }
        tokio::time::sleep(RETRY_DELAY).await;
    }
}

/// Reads one connection until it ends. Returns `true` if the turn has ended, too.
async fn read(at: &Member, intent: &Intent, turn: TurnId) -> bool {
    let record = &at.process.record;
    let cursor = record.client(intent.number).cursor;
    let Ok(mut feed) = at.service.follow(&intent.scope, turn, cursor.into()).await else { return false };
    let mut left = intent.hang_up.unwrap_or(u64::MAX);
    while left > 0 {
        left -= 1;
        match feed.next().await {
            Ok(Some(FeedItem::Event(event))) => {
                let cursor = event.cursor(feed.number());
                record.show(intent.number, event, cursor);
            }
            Ok(Some(FeedItem::Resync(snapshot))) => record.update_client(intent.number, |client| {
                client.cursor = Some(snapshot.cursor);
                client.view = snapshot.turn.map(|turn| turn.view).unwrap_or_default();
            }),
            Ok(Some(FeedItem::Pending(_) | FeedItem::Progress(_))) => {}
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
    false
}
