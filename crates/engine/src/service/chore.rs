//! Chores: turns that the service starts itself, in idle sessions.

use std::convert::Infallible;

use turnkit_core::{
    AcceptError, AgentReach, BranchPoint, BusyPolicy, ClientCaps, Message, Notice, Part, Role, SamplingParams,
    SessionKey, Tier, TurnKind, TurnRoute,
};

use super::accept::Purpose;
use super::claimed_run::Run;
use super::{TurnRequest, TurnService};
use crate::title::{default_title, first_user_message};

/// The most chores that may wait for a slot. Further ones are skipped until another turn of their session ends.
const MAX_WAITING_CHORES: u64 = 100;

impl TurnService {
    /// Returns the number of slots for chores, in addition to those for turns.
    pub(super) fn slots_of_chores(slots: usize) -> usize {
        slots.div_ceil(4)
    }

    /// Starts no more chores, and cancels the running ones. A program that exits after a turn calls this first: a chore
    /// would be cut short, and its model call paid for nothing.
    pub fn end_chores(&self) {
        self.inner.chores.ended.cancel();
    }

    /// Accepts a chore in the session of `run`, if the session is still idle. The chore sends its request with the
    /// route, tools and mode of `run`, so that the provider's cache can serve most of a request for a summary.
    pub(super) async fn start_chore(&self, run: &Run, kind: TurnKind) {
        let chores = &self.inner.chores;
        // The store refuses chores in ephemeral sessions.
        if run.ephemeral_history.is_some()
            || chores.ended.is_cancelled()
            || chores.waiting.is_at_least(MAX_WAITING_CHORES)
        {
            return;
        }
        let Some(live) = run.live.get() else { return };
        let (route, tools, mode) =
            live.read(|log| (log.route().cloned().unwrap_or_default(), log.tools(), log.mode().map(Into::into)));
        let (code, text) = match kind {
            TurnKind::Message => return,
            TurnKind::Compact => {
                ("precompact", "the earlier messages are summarised before they fill the window of the model")
            }
            TurnKind::Title if !self.has_default_title(run).await => return,
            TurnKind::Title => ("title", "the model writes a title of the session"),
        };
        let notice = Notice { code: code.to_owned(), text: text.to_owned(), error: false };
        let request = TurnRequest {
            session: SessionKey::Id(run.claimed.session.id),
            agent: Some(run.claimed.agent.to_string()),
            route: Some(TurnRoute { tier: Some(Tier::Idle), ..route }),
            params: SamplingParams::default(),
            tools,
            mode,
            client_tools: Vec::new(),
            message: Message::new(Role::User, vec![Part::Notice(notice)]),
            files: Vec::new(),
            context: None,
            caps: ClientCaps { interact: false, resume: true },
            busy: Some(BusyPolicy::Reject),
            reach: AgentReach::default(),
            idempotency: None,
            after: BranchPoint::Head,
            trace: None,
        };
        let scope = run.claimed.claim.scope();
        match self.accept_valid(scope, request, Purpose::Chore(kind)).await {
            Ok(_) => {}
            // The session is busy or ephemeral.
            Err(AcceptError::Busy | AcceptError::NotFound(_)) => {}
            Err(error) => tracing::debug!(session = %run.claimed.session.id, %error, "chore not accepted"),
        }
    }

    /// Reports whether the session still has its default title, which a title from the model would replace.
    async fn has_default_title(&self, run: &Run) -> bool {
        let (store, session) = (&self.inner.parts.store, run.claimed.session.id);
        let scope = run.claimed.claim.scope();
        let Ok(summary) = store.summary(scope, session).await else { return false };
        if summary.title.is_empty() {
            return true;
        }
        // The history is short: a title is due after the first answer.
        let history = store.session_history(scope, session).await;
        history.is_ok_and(|history| {
            first_user_message(&history).is_some_and(|message| *default_title(message) == *summary.title)
        })
    }

    /// Cancels a chore when chores are ended. This future is part of the task that runs the chore, and never completes.
    pub(super) async fn cancel_at_end_of_chores(&self, run: &Run) -> Infallible {
        self.inner.chores.ended.cancelled().await;
        if self.inner.halt.is_cancelled() {
            // Another process may own the chore.
            return std::future::pending().await;
        }
        let claim = &run.claimed.claim;
        if let Err(error) = self.request_cancel(claim.scope(), claim.turn()).await {
            tracing::warn!(turn = %claim.turn(), %error, "could not cancel a chore");
        }
        std::future::pending().await
    }
}
