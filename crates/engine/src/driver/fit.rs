//! Making a request small enough to be sent.

use std::pin::Pin;
use std::sync::Arc;

use tokio::time::Sleep;
use turnkit_core::ports::{CallContext, LlmProvider, ModelLimits};
use turnkit_core::{
    Answer, ChatRequest, History, ModelName, Part, ProviderError, ProviderErrorKind, Route, TurnLog, TurnStatus,
};

use super::optional::OptionalItems;
use super::{Driver, Environment};
use crate::context::{
    CompactionCut, ContextSettings, Fill, FitAction, Pieces, Rewrite, TokenRatios, fit, limit, rewrite_after_overflow,
    summarisable_ahead, summary_room,
};
use crate::machine::Input;

/// The code of the error that ends a turn whose request is too large for every model.
pub(crate) const CONTEXT_OVERFLOW: &str = "context_overflow";

/// The known sizes of a turn's requests.
pub(crate) struct Window<'a> {
    ratios: &'a TokenRatios,
    /// Looked up before the first call.
    limits: Option<Limits>,
    /// The size of the newest request.
    fill: Option<Fill>,
    /// Optional parts of the instructions that can still be dropped; absent if there are none.
    pub(super) optional: Option<OptionalItems<'a>>,
}

#[derive(Clone, Copy)]
struct Limits {
    of_model: Option<ModelLimits>,
    /// The most tokens of a request and its answer.
    total: Option<u64>,
    /// The estimated tokens that fit a request for a summary, if it goes to another model.
    summary_room: Option<u64>,
}

/// The model and the route of requests for summaries.
type SummaryRoute = (Option<ModelName>, Arc<Route>);

impl<'a> Window<'a> {
    pub(crate) fn new(ratios: &'a TokenRatios) -> Self {
        Self { ratios, limits: None, fill: None, optional: None }
    }

    /// Measures a request, if something limits its size. Returns the limits of the model as well.
    fn measure(
        &mut self,
        request: &ChatRequest,
        provider: &dyn LlmProvider,
        settings: ContextSettings,
        summaries: Option<&SummaryRoute>,
    ) -> (Option<ModelLimits>, Option<&Fill>) {
        let limits = *self.limits.get_or_insert_with(|| {
            let of_model = provider.limits(request.model.as_ref(), request.route.as_deref());
            let summary_room = summaries.map(|route| summary_room(route, provider, self.ratios));
            Limits { of_model, total: limit(of_model, settings), summary_room }
        });
        let measured = |total| Fill::new(request, limits.of_model, total, self.ratios);
        self.fill = limits.total.map(|total| measured(total).with_summary_room(limits.summary_room));
        (limits.of_model, self.fill.as_ref())
    }
}

impl<E: Environment> Driver<'_, E> {
    /// Measures the next request. A compaction that a user asked for sends the same request as the session's next turn
    /// would.
    pub(super) fn measure(&mut self) {
        let (request, summaries) = (self.request(true), self.summary_route());
        if let Some(window) = &mut self.window {
            window.measure(&request, self.provider, self.settings.context, summaries.as_ref());
        }
    }

    /// Reports whether earlier messages should be summarised before the next turn, because the next request would fill
    /// too much of the window and the agent's settings ask for it.
    pub(super) fn is_nearly_full(&self) -> bool {
        let settings = self.settings.context;
        let Some(Window { ratios, fill: Some(fill), .. }) = &self.window else { return false };
        if settings.precompact_at == 0 || !settings.summarise {
            return false;
        }
        // The whole history is at least as large as the messages that are sent.
        let history = &self.session.history;
        if fill.next(history, ratios).percent() <= u64::from(settings.precompact_at) {
            return false;
        }
        let history = self.toolbox.sent(history);
        summarisable_ahead(&history, settings, &fill.next(&history, ratios)).is_some()
    }

    /// Returns where to cut for a summary ahead of need, by the current measure of the next request.
    pub(super) fn cut_ahead(&self) -> Option<CompactionCut> {
        let fill = self.window.as_ref()?.fill.as_ref()?;
        summarisable_ahead(&self.toolbox.sent(&self.session.history), self.settings.context, fill)
    }

    /// Splits messages to summarise into pieces that fit requests. Messages that are known not to fit even then stay
    /// one piece.
    pub(super) fn pieces(&self, covered: History) -> Pieces {
        let fill = self.window.as_ref().and_then(|window| window.fill.as_ref());
        let split = fill.and_then(|fill| Pieces::split(covered.clone(), fill.room(&self.session.history)));
        split.unwrap_or_else(|| Pieces::whole(covered))
    }

    /// Returns the input that makes a request smaller before it is sent, if it is too large. Messages or contents of
    /// results are left out, or messages are summarised. If none of these helps, optional items are dropped from the
    /// instructions. If the request is then still too large for every model, the input ends the turn.
    ///
    /// The conversation that a sub-agent reads as a summary is summarised even if the request is not too large.
    pub(super) async fn fit(
        &mut self,
        request: &mut ChatRequest,
        call: &CallContext,
        mut expiry: Pin<&mut Sleep>,
    ) -> Option<Input> {
        let (may_summarise, has_compactor) = (self.machine.may_summarise(), self.settings.compactor.is_some());
        let summaries = self.summary_route();
        let summarises_conversation = may_summarise && self.summarises_conversation(call.step);
        loop {
            let (window, settings, provider) = (&mut self.window, self.settings.context, self.provider);
            let may = (may_summarise, window.as_ref().is_some_and(|window| window.optional.is_some()));
            let decide = || {
                let measured =
                    window.as_mut().map(|window| window.measure(request, provider, settings, summaries.as_ref()));
                let (limits, fill) = measured.unwrap_or_default();
                if summarises_conversation && let Some(cut) = CompactionCut::of_contexts(&request.history) {
                    return Some(FitAction::Summarise(cut));
                }
                fit(request, settings, call.step, limits, fill, may, has_compactor)
            };
            let fit = self.environment.fit(call, decide).await?;
            self.failpoints.hit("fit.asked");
            return Some(match fit {
                // Boxed, so that calls that fit do not carry the state of this future.
                FitAction::DropOptional(needed) => match Box::pin(self.drop_optional(needed, expiry.as_mut())).await {
                    Ok(()) => {
                        request.instructions.clone_from(&self.instructions);
                        continue;
                    }
                    Err(stop) => stop,
                },
                FitAction::Rewrite(Rewrite { change, code, text }) => {
                    tracing::info!(turn = %call.turn, code, text, "messages left out");
                    Input::ViewChanged { change, code, text }
                }
                FitAction::Summarise(cut) => Box::pin(self.summarise(cut, call, expiry)).await,
                FitAction::Reject(text) => {
                    tracing::warn!(turn = %call.turn, text, "request not sent");
                    let error = Some((CONTEXT_OVERFLOW.to_owned(), text));
                    Input::Stop { status: TurnStatus::Failed, error, partial: None, finished: Vec::new() }
                }
            });
        }
    }

    /// Reports whether the step may be retried with fewer messages: nothing has been shown, and no earlier request of
    /// the step was rejected as too large.
    pub(super) fn may_fit_again(&self, error: &ProviderError) -> bool {
        let is_shown = || self.live.read(|log| log.attempt_seq().is_some());
        error.kind == ProviderErrorKind::ContextOverflow && !self.machine.has_overflowed() && !is_shown()
    }

    /// Returns the input that leaves out messages after the provider rejected the request as too large.
    pub(super) async fn fit_again(&self, tools: bool) -> Option<Input> {
        let decide = || {
            // If the host keeps the session, it would lose the messages.
            let window = self.window.as_ref()?;
            rewrite_after_overflow(&self.request(tools), window.fill.as_ref())
        };
        let Rewrite { change, code, text } = self.environment.fit_again(decide).await?;
        tracing::info!(turn = %self.live.read(TurnLog::turn), code, text, "messages left out");
        Some(Input::Overflowed { change, code, text })
    }

    /// Records the size of the request as its provider counted it.
    pub(super) fn count(&mut self, answer: &Answer, model: &str) {
        let Some(window) = &mut self.window else { return };
        let Some(fill) = &window.fill else { return };
        // The count includes what the provider's own tools read, which is not part of the next request.
        let own_tools = answer.parts.iter().any(|part| matches!(part, Part::ProviderTool(_)));
        if own_tools || answer.usage.unmetered_calls > 0 {
            return;
        }
        if let Some(model) = fill.learn(&answer.usage, model, window.ratios) {
            let history = &mut self.session.history;
            history.set_anchor(answer.usage.input(), fill.overhead, model);
            let anchor =
                history.anchor().filter(|_| self.toolbox.definitions().is_empty() && history.has_calls()).cloned();
            // The request had no calls, so its size does not give the ratio of the whole history.
            if let Some(anchor) = anchor {
                history.keep_anchor(anchor, 0);
            }
        }
    }
}
