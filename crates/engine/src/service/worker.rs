//! Running claimed turns, one task each.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use turnkit_core::{
    Claimed, Entry, History, LiveTurn, Session, StopReason, StoreError, TurnId, TurnLog, TurnState, TurnStatus,
};

use super::TurnService;
use crate::agent::Agent;
use crate::driver::{Driver, Exit};
use crate::machine::{Input, TurnMachine};
use crate::permission::Permissions;
use crate::tools::Toolbox;

/// Code and sentence of the error that a turn is to end with.
pub(super) type Broken = (String, String);

impl TurnService {
    /// Runs a turn this process owns. `live` is given for a turn that has not run yet.
    pub(super) fn start(&self, claimed: Box<Claimed>, live: Option<Arc<LiveTurn>>, broken: Option<Broken>) {
        let service = self.clone();
        let turn = claimed.claim.turn();
        self.inner.tasks.spawn(async move {
            let halt = service.inner.halt.clone();
            tokio::select! {
                biased;
                () = halt.cancelled() => service.let_go(turn),
                () = service.run_claimed(claimed, live, broken) => {}
            }
        });
    }

    /// Signals the owner of a turn. A turn nobody runs, because it waits for a person, is taken up to be ended.
    pub(super) async fn stop(&self, turn: TurnId, reason: StopReason) {
        if self.stop_live(turn, reason) {
            return;
        }
        self.inner.early_stops.add(turn, reason);
        // Its runner may have begun between the two.
        if !self.stop_live(turn, reason) {
            self.take_up(turn).await;
        }
    }

    /// Whether there was a runner to be told, or nothing left to stop.
    fn stop_live(&self, turn: TurnId, reason: StopReason) -> bool {
        let Some(live) = self.inner.parts.broker.find(turn) else { return false };
        if live.is_closed() {
            return live.read(TurnLog::has_ended);
        }
        self.inner.parts.broker.stop(turn, reason);
        true
    }

    async fn run_claimed(&self, claimed: Box<Claimed>, live: Option<Arc<LiveTurn>>, broken: Option<Broken>) {
        let Ok(_slot) = Arc::clone(&self.inner.slots).acquire_owned().await else { return };
        let turn = claimed.claim.turn();
        self.inner.parts.failpoints.hit("turn.claimed");
        let run = AssertUnwindSafe(self.drive(&claimed, live, broken.as_ref())).catch_unwind().await;
        self.let_go(turn);
        match run {
            Ok(Ok(Exit::Ended(Some(next)))) => self.start_next(next),
            Ok(Ok(Exit::Ended(None))) => {}
            // It may have been asked to stop while it went to wait: then it is nobody's, and to be ended.
            Ok(Ok(Exit::Waiting(_))) => self.take_up(turn).await,
            Ok(Ok(Exit::Fenced) | Err(StoreError::Fenced)) => {
                tracing::warn!(%turn, "another worker took the turn over")
            }
            Ok(Ok(Exit::Unsaved(error)) | Err(error)) => {
                tracing::error!(%turn, %error, "the turn could not be saved and will be resumed");
                self.take_up_again(claimed.claim, broken, true);
            }
            Err(_) => {
                tracing::error!(%turn, "turn panicked");
                let twice = broken.is_some();
                let error = ("internal".to_owned(), "the turn failed because of an internal error".to_owned());
                self.take_up_again(claimed.claim, Some(error), twice);
            }
        }
    }

    /// Runs the turn from where the store has it; or, if it broke, ends it there with this error.
    async fn drive(
        &self,
        claimed: &Claimed,
        live: Option<Arc<LiveTurn>>,
        broken: Option<&Broken>,
    ) -> Result<Exit, StoreError> {
        let parts = &self.inner.parts;
        let claim = &claimed.claim;
        let (stored, receipts, live) = match live {
            Some(live) => (None, Vec::new(), live),
            None => {
                let TurnState { machine, calls, log } = parts.store.load(claim).await?;
                (machine, calls, parts.broker.open(claim.turn(), LiveTurn::new(TurnLog::restore(log, claim.fence()))))
            }
        };
        live.write(|log| log.set_fence(claim.fence()));
        if let Some(reason) = claimed.stop.or(self.inner.early_stops.take(claim.turn())) {
            live.stop(reason);
        }
        let Some(agent) = self.agent(&claimed.agent) else {
            return Err(StoreError::Unavailable(format!("the agent {} is not configured any more", claimed.agent)));
        };
        let mut session = self.session(claimed, &live).await?;
        let (limits, deadline) = (agent.settings.limits, claimed.started_at.plus(agent.settings.turn_deadline));
        let (machine, mut news) = match stored.as_ref().map(TurnMachine::restore) {
            None => (TurnMachine::new(limits, deadline), Vec::new()),
            Some(Ok(machine)) => (machine, Vec::new()),
            Some(Err(error)) => {
                let stand_in = live.read(|log| TurnMachine::stand_in(limits, deadline, log, &receipts));
                (stand_in, vec![failed("incompatible_journal", &error.to_string())])
            }
        };
        if let Some((code, message)) = broken {
            news.push(failed(code, message));
        } else if claimed.attempts > 1 || stored.is_some() {
            news.push(Input::Resumed { attempts: claimed.attempts, last_seq: live.read(TurnLog::last_seq) });
        }
        let driver = self.driver(claimed, agent, machine, live, &mut session);
        let exit = driver.begin_with(news).await;
        if let Exit::Ended(_) = exit {
            self.inner.cache.put(session.id, session.history);
        }
        Ok(exit)
    }

    fn driver<'a>(
        &'a self,
        claimed: &'a Claimed,
        agent: &'a Agent,
        machine: TurnMachine,
        live: Arc<LiveTurn>,
        session: &'a mut Session,
    ) -> Driver<'a> {
        let parts = &self.inner.parts;
        Driver {
            machine,
            live,
            store: Some((parts.store.as_ref(), &claimed.claim)),
            settings: &agent.settings,
            toolbox: Toolbox::new(agent.flow.as_ref(), &agent.tools),
            instructions: agent.flow.instructions(session).map(Into::into),
            permissions: Permissions::new(agent.settings.rules.clone(), claimed.caps.interact),
            provider: parts.provider.as_ref(),
            clock: parts.clock.as_ref(),
            failpoints: parts.failpoints.clone(),
            held: None,
            session,
        }
    }

    /// The session with its history: from the cache if it is warm, else read once.
    async fn session(&self, claimed: &Claimed, live: &LiveTurn) -> Result<Session, StoreError> {
        let own: Vec<Arc<Entry>> = live.read(|log| log.messages().to_vec());
        let before = (claimed.messages as usize).saturating_sub(own.len());
        let mut session = claimed.session.clone();
        session.history = match self.inner.cache.take(session.id, before) {
            Some(history) => history,
            None if before == 0 => History::default(),
            None => History::of(self.inner.parts.store.history(&claimed.claim).await?),
        };
        for entry in own {
            session.history.push(entry);
        }
        Ok(session)
    }

    /// The session's next turn: its followers, if any, are already there.
    fn start_next(&self, next: Box<Claimed>) {
        let live = self.inner.parts.broker.find(next.claim.turn()).filter(|live| !live.is_closed());
        self.start(next, live, None);
    }

    fn let_go(&self, turn: TurnId) {
        self.inner.early_stops.take(turn);
        self.inner.parts.broker.close(turn);
    }
}

fn failed(code: &str, message: &str) -> Input {
    let error = Some((code.to_owned(), message.to_owned()));
    Input::Stop { status: TurnStatus::Failed, error, partial: None, finished: Vec::new() }
}
