//! Clients that post turns, follow them, cancel them, lose their connection, and try again.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Instant;
use turnkit_core::{
    AcceptError, BusyPolicy, CancelOutcome, ClientCaps, Idempotency, Message, Scope, SessionKey, SessionName, TurnId,
};
use turnkit_engine::{FeedItem, Receipt, TurnRequest, TurnService};

use super::process::Surroundings;
use super::watcher::Watched;
use crate::dice::Dice;

/// How long a client waits before it tries again.
const AGAIN: Duration = Duration::from_millis(50);

/// One turn somebody wants. It is posted until the client knows what became of it.
#[derive(Debug, Clone)]
pub(super) struct Intent {
    /// Its number, which is also its key and its text.
    pub(super) number: usize,
    pub(super) scope: Scope,
    pub(super) session: SessionName,
    pub(super) busy: BusyPolicy,
    /// How long the client waits before it posts it.
    after: Duration,
    /// Whether it is posted twice at once.
    twice: bool,
    /// How long the client waits for the first answer before it hangs up and posts again.
    patience: Option<Duration>,
    /// When it is cancelled, if it is.
    cancel: Option<Duration>,
    /// After how many items its follower loses the connection.
    hang_up: Option<u64>,
}

impl Intent {
    pub(super) fn random(number: usize, dice: &mut Dice) -> Option<Self> {
        let user = if dice.chance(70) { "ada" } else { "bob" };
        let session = format!("session {}", dice.below(2)).parse().ok()?;
        let busy = match dice.below(10) {
            0..6 => BusyPolicy::Enqueue,
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

    /// Whether it is posted twice at once, so that one request may come too early and the other in time.
    pub(super) fn may_overtake_itself(&self) -> bool {
        self.twice
    }

    /// What the user says, by which its turn is found again.
    pub(super) fn text(&self) -> String {
        format!("intent {}", self.number)
    }

    fn request(&self) -> TurnRequest {
        TurnRequest {
            session: SessionKey::Name(self.session.clone()),
            agent: None,
            route: None,
            message: Message::user(self.text()),
            caps: ClientCaps { interact: false, resume: true },
            busy: Some(self.busy),
            idempotency: Some(Idempotency { key: self.text().into(), body_sha256: [1; 32] }),
        }
    }
}

/// Goes through its intents until it has seen the end of each.
pub(super) async fn live(around: Arc<Surroundings>, service: TurnService, intents: Vec<Intent>) {
    let mut tasks = JoinSet::new();
    for intent in intents {
        let told = around.record.told(intent.number);
        if told.turn.is_none() && !told.refused {
            tokio::time::sleep(intent.after).await;
            if intent.twice {
                let (around, service, intent) = (Arc::clone(&around), service.clone(), intent.clone());
                tasks.spawn(async move { post(&around, &service, &intent).await });
            }
            post(&around, &service, &intent).await;
        }
        let told = around.record.told(intent.number);
        let Some(turn) = told.turn else { continue };
        if let Some(after) = intent.cancel.filter(|_| told.cancel.is_none()) {
            tasks.spawn(cancel(Arc::clone(&around), service.clone(), intent.clone(), turn, after));
        }
        if !told.ended {
            tasks.spawn(follow(Arc::clone(&around), service.clone(), intent, turn));
        }
    }
    while tasks.join_next().await.is_some() {}
}

async fn post(around: &Surroundings, service: &TurnService, intent: &Intent) {
    let mut patience = intent.patience;
    loop {
        around.record.tell(intent.number, |told| told.unanswered += 1);
        let accepting = service.accept(&intent.scope, intent.request());
        let answer = match patience.take() {
            Some(patience) => match tokio::time::timeout(patience, accepting).await {
                Ok(answer) => answer,
                Err(_) => continue,
            },
            None => accepting.await,
        };
        around.record.tell(intent.number, |told| told.unanswered -= 1);
        match answer {
            Ok(Receipt { turn, session, .. }) => {
                let watched = || Watched::new(intent.scope.clone());
                around.record.facts().watched.entry(session).or_insert_with(watched);
                let known = around.record.told(intent.number).turn;
                if known.is_some_and(|known| known != turn) {
                    around.record.wrong(format!("{} was accepted as two turns", intent.text()));
                }
                return around.record.tell(intent.number, |told| told.turn = Some(turn));
            }
            Err(AcceptError::Busy) => {
                if around.record.told(intent.number).turn.is_none() {
                    around.record.tell(intent.number, |told| told.refused = true);
                }
                return;
            }
            Err(AcceptError::Store(_)) => tokio::time::sleep(AGAIN).await,
            Err(error) => return around.record.wrong(format!("{} was refused: {error}", intent.text())),
        }
    }
}

async fn cancel(around: Arc<Surroundings>, service: TurnService, intent: Intent, turn: TurnId, after: Duration) {
    tokio::time::sleep(after).await;
    loop {
        match service.cancel(&intent.scope, turn).await {
            Ok(outcome) => {
                if outcome == CancelOutcome::Stopping {
                    around.record.facts().stopped.insert(turn, Instant::now());
                }
                return around.record.tell(intent.number, |told| told.cancel = Some(outcome));
            }
            Err(_) => tokio::time::sleep(AGAIN).await,
        }
    }
}

async fn follow(around: Arc<Surroundings>, service: TurnService, intent: Intent, turn: TurnId) {
    loop {
        if read(&around, &service, &intent, turn).await {
            return around.record.tell(intent.number, |told| told.ended = true);
        }
        tokio::time::sleep(AGAIN).await;
    }
}

/// Reads one connection to its end. Says whether that was the end of the turn.
async fn read(around: &Surroundings, service: &TurnService, intent: &Intent, turn: TurnId) -> bool {
    let cursor = around.record.told(intent.number).cursor;
    let Ok(mut feed) = service.follow(&intent.scope, turn, cursor.into()).await else { return false };
    let mut left = intent.hang_up.unwrap_or(u64::MAX);
    while left > 0 {
        left -= 1;
        match feed.next().await {
            Ok(Some(FeedItem::Event(event))) => {
                let cursor = event.cursor(feed.number());
                around.record.show(intent.number, event, cursor);
            }
            Ok(Some(FeedItem::Resync(snapshot))) => around.record.tell(intent.number, |told| {
                told.cursor = Some(snapshot.cursor);
                told.view = snapshot.turn.map(|turn| turn.view).unwrap_or_default();
            }),
            Ok(None) => return true,
            Err(_) => return false,
        }
    }
    false
}
