//! One run of a claimed turn by its owner, and the error that ends a turn which cannot continue.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::SetOnce;
use tracing::Span;
use turnkit_core::{ClaimedTurn, History, LiveTurn, TurnLog, TurnRegistry, TurnRun, TurnStatus};

use crate::machine::Input;

/// One run of a claimed turn by its owner.
pub(super) struct Run {
    pub(super) claimed: Box<ClaimedTurn>,
    /// The run's entry in the registry, with the signal that stops it.
    pub(super) registered: TurnRun,
    /// The turn's log. It is set from the start if nothing has to be read, else once the log has been read.
    pub(super) live: SetOnce<Arc<LiveTurn>>,
    /// The error that ends the turn, if it cannot continue.
    pub(super) broken: Option<Broken>,
    /// The pause before this run, because the previous run could not be saved.
    pub(super) paused: Duration,
    /// The messages before the turn as the client sent them, if the session was just created for this turn alone.
    pub(super) ephemeral_history: Option<History>,
}

impl Run {
    /// Begins a run of a claimed turn, which the caller starts at once. The run can be stopped from now on.
    pub(super) fn begin(claimed: Box<ClaimedTurn>, live: Option<Arc<LiveTurn>>, turns: &TurnRegistry) -> Self {
        let registered = turns.begin_run(claimed.claim.turn(), claimed.stop);
        let (live, paused) = (SetOnce::new_with(live), Duration::ZERO);
        Self { claimed, registered, live, broken: None, paused, ephemeral_history: None }
    }

    /// Returns the span of a turn that is part of its caller's trace. Log lines of other turns need no span: their
    /// trace id is the turn's id.
    pub(super) fn span(&self) -> Span {
        let trace = self.live.get().and_then(|live| live.read(TurnLog::caller_trace));
        trace.map_or_else(Span::none, |trace| tracing::error_span!("turn", id = %self.claimed.claim.turn(), %trace))
    }
}

/// The error that ends a turn which cannot continue.
#[derive(Debug, Clone)]
pub(super) struct Broken {
    code: String,
    message: String,
}

impl Broken {
    pub(super) fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into() }
    }

    pub(super) fn into_input(self) -> Input {
        let error = Some((self.code, self.message));
        Input::Stop { status: TurnStatus::Failed, error, partial: None, finished: Vec::new() }
    }
}
