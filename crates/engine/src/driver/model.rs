//! One model call. Its deltas are shown as they arrive, and its outcome is an input of the machine.

use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;

use futures_util::StreamExt;
use tokio::time::Sleep;
use turnkit_core::ports::{CallContext, DeltaStream, NoticeClass, OpeningNotice};
use turnkit_core::{
    ChatRequest, Delta, ModelName, Params, PartialAnswer, Prices, ProviderError, Recorded, Route, Str, ToolChoice,
};

use super::Driver;
use super::environment::Environment;
use super::partial_saver::PartialSaver;
use crate::agent::AgentSettings;
use crate::machine::Input;
use crate::tools::View;

/// The properties of an answer that are known when it begins.
#[derive(Default)]
struct Opening {
    prices: Option<Arc<Prices>>,
    model: Str,
}

impl<'a, E: Environment> Driver<'a, E> {
    pub(super) async fn call_model(&mut self, call: CallContext, tools: bool, mut expiry: Pin<&mut Sleep>) -> Input {
        if let Some(stop) = self.assembled(expiry.as_mut()).await {
            return stop;
        }
        self.toolbox.activate(&self.session.history);
        self.notify_missing_tools();
        let mut request = self.request(tools);
        if let Some(change) = self.fit(&mut request, &call, expiry.as_mut()).await {
            return change;
        }
        self.failpoints.hit("model.request_built");
        let (mut opening, mut saver) = (Opening::default(), self.partial_saver(&call));
        let outcome = tokio::select! {
            biased;
            why = self.environment.interrupted(expiry) => Err(why),
            heard = self.listen(request, &call, &mut opening, saver.as_deref_mut()) => Ok(heard),
        };
        if let Some(saver) = saver {
            // The outcome of a write that has begun must be known before the next write.
            self.has_partials |= saver.finish().await;
        }
        let prices = opening.prices.as_deref();
        match outcome {
            Err(why) => {
                let since = self.live.read(|log| log.attempt_seq().unwrap_or(log.last_seq().saturating_add(1)));
                why.of_call(self.break_off(&call, prices), since)
            }
            Ok(heard) => match heard.and_then(|()| self.live.read(turnkit_core::TurnLog::answer)) {
                Ok(mut answer) => {
                    self.failpoints.hit("model.answered");
                    self.environment.charge(&mut answer.usage, &call, prices);
                    self.count(&answer, &opening.model);
                    let plans = self.plans(&answer.parts).await;
                    Input::Answered { answer, plans }
                }
                Err(mut error) => {
                    tracing::warn!(turn = %call.turn, step = call.step, code = error.kind.code(), status = error.status, "model call failed");
                    self.keep_attempts(call.step, &mut error);
                    if self.may_fit_again(&error)
                        && let Some(change) = Box::pin(self.fit_again(tools)).await
                    {
                        return change;
                    }
                    let since = self.live.read(turnkit_core::TurnLog::attempt_seq);
                    let partial = self.break_off(&call, prices);
                    let plans = match &partial {
                        Some(partial) => self.plans(&partial.parts).await,
                        None => Vec::new(),
                    };
                    Input::ModelFailed { error, partial, plans, since }
                }
            },
        }
    }

    /// Shows the model's answer until it is complete. Sets `opening` once the answer begins. Dropping this future
    /// closes the connection.
    async fn listen(
        &self,
        request: ChatRequest,
        call: &CallContext,
        opening: &mut Opening,
        saver: Option<&mut PartialSaver<'_>>,
    ) -> Result<(), ProviderError> {
        let mut request = request;
        if request.history.has_late_results() {
            request.history = request.history.in_call_order();
        }
        let request = match request.history.has_blobs() {
            // Boxed so that calls without files do not carry the state of this future.
            true => Box::pin(self.environment.with_contents(request)).await?,
            false => request,
        };
        let began = Instant::now();
        let mut opened = self.provider.stream(request, call).await?;
        if let Some(timings) = self.timings {
            timings.model_waits.record_time(began.elapsed());
        }
        let now = self.clock.now();
        self.live.write(|log| {
            for notice in std::mem::take(&mut opened.notices) {
                let OpeningNotice { class, code, text } = notice;
                if class == NoticeClass::Condition && log.has_notice(&code, &text) {
                    continue;
                }
                log.stage(now, Recorded::Notice { code, text });
            }
            log.add_failed_attempts(call.step, std::mem::take(&mut opened.failed));
            log.open_attempt(now, call.step, &opened.provider, &opened.model);
        });
        *opening = Opening { prices: opened.prices, model: opened.model };
        self.failpoints.hit("model.opened");
        if let Some(saver) = saver {
            return Box::pin(self.show_and_save(opened.deltas, saver)).await;
        }
        while let Some(batch) = opened.deltas.next().await {
            self.show(&batch?)?;
        }
        Ok(())
    }

    /// Shows an answer, and saves it as it grows.
    async fn show_and_save(&self, mut deltas: DeltaStream, saver: &mut PartialSaver<'_>) -> Result<(), ProviderError> {
        loop {
            let batch = tokio::select! {
                biased;
                never = saver.run() => match never {},
                batch = deltas.next() => batch,
            };
            let Some(batch) = batch else { return Ok(()) };
            self.show(&batch?)?;
            saver.grow();
        }
    }

    fn show(&self, batch: &[Delta]) -> Result<(), ProviderError> {
        self.live.write(|log| batch.iter().try_for_each(|delta| log.show(delta)))?;
        self.failpoints.hit("model.delta");
        Ok(())
    }

    /// Creates the saver of a growing answer, if the agent's settings ask for one.
    fn partial_saver(&self, call: &CallContext) -> Option<Box<PartialSaver<'a>>> {
        let delay = self.settings.partial_save?;
        let (store, claim) = self.store?;
        let (live, failpoints) = (Arc::clone(&self.live), self.failpoints.clone());
        Some(Box::new(PartialSaver::new(store, claim, live, *call, delay, failpoints)))
    }

    /// Keeps the attempts of a call that no provider answered for its step, which may be asked again. The error then has
    /// those of earlier calls of the step, too.
    fn keep_attempts(&self, step: u16, error: &mut ProviderError) {
        if !error.attempts.is_empty() {
            error.attempts = self.live.write(|log| {
                log.add_failed_attempts(step, std::mem::take(&mut error.attempts));
                log.failed_attempts(step)
            });
        }
    }

    /// Breaks off the running attempt. Returns the partial answer with its cost.
    fn break_off(&self, call: &CallContext, prices: Option<&Prices>) -> Option<PartialAnswer> {
        let mut partial = self.live.write(turnkit_core::TurnLog::break_off)?;
        if let Some(usage) = &mut partial.usage {
            self.environment.charge(usage, call, prices);
        }
        Some(partial)
    }

    pub(super) fn request(&self, tools: bool) -> ChatRequest {
        let (model, route) = self.route();
        let params = self.params();
        ChatRequest {
            model,
            route,
            instructions: self.instructions.clone(),
            history: self.toolbox.sent(&self.session.history),
            tools: self.toolbox.definitions().clone(),
            params,
            tool_choice: if tools { ToolChoice::Auto } else { ToolChoice::None },
        }
    }

    /// Returns the parameters of the call. Field by field, those of the turn override those of the session, which
    /// override those of the agent.
    fn params(&self) -> Params {
        let mut params = self.settings.params.clone();
        self.session.params.apply_to(&mut params);
        self.live.read(|log| log.params().into_iter().for_each(|of_turn| of_turn.apply_to(&mut params)));
        params
    }

    /// Returns the model and route for answers: those of the agent, overridden by those of the client.
    fn route(&self) -> (Option<ModelName>, Option<Arc<Route>>) {
        let AgentSettings { model, route, .. } = self.settings;
        let asked = self.live.read(|log| Some(log.route()?.merged_with(model.as_ref(), route.as_deref())));
        asked.map_or_else(|| (model.clone(), route.clone()), |(model, route)| (model, Some(route)))
    }

    /// Returns the model and route for summaries, if they differ from those for answers.
    pub(super) fn summary_route(&self) -> Option<(Option<ModelName>, Arc<Route>)> {
        let wanted = self.settings.compact_route.as_ref()?;
        if self.live.read(|log| log.route().is_some_and(|asked| asked.provider.is_some())) {
            return None;
        }
        let (model, route) = self.route();
        Some(wanted.merged_with(model.as_ref(), route.as_deref()))
    }

    /// Returns what the model was sent before it requested the calls of the running round.
    pub(super) fn view(&self) -> View<'_> {
        View {
            history: &self.session.history,
            has_untrusted_prompt: self.has_untrusted_prompt || self.machine.has_untrusted_instructions(),
        }
    }
}
