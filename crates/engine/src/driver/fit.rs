//! Making a request small enough before it is sent.

use turnkit_core::ports::{LlmProvider, ModelLimits};
use turnkit_core::{Answer, ChatRequest, Part, TurnLog};

use super::{Driver, Environment};
use crate::context::{ContextSettings, Fill, Rewrite, TokenRatios, limit, rewrite};
use crate::machine::Input;

/// What a turn knows about the sizes of its requests.
pub(crate) struct Window<'a> {
    ratios: &'a TokenRatios,
    /// Looked up before the first call.
    limits: Option<Limits>,
    /// The size of the newest request.
    fill: Option<Fill>,
}

#[derive(Clone, Copy)]
struct Limits {
    of_model: Option<ModelLimits>,
    /// The most tokens of a request and its answer.
    total: Option<u64>,
}

impl<'a> Window<'a> {
    pub(crate) fn new(ratios: &'a TokenRatios) -> Self {
        Self { ratios, limits: None, fill: None }
    }

    /// Measures a request; `None` if nothing limits its size.
    fn measure(
        &mut self,
        request: &ChatRequest,
        provider: &dyn LlmProvider,
        settings: ContextSettings,
    ) -> Option<&Fill> {
        let limits = *self.limits.get_or_insert_with(|| {
            let of_model = provider.limits(request.model.as_ref(), request.route.as_deref());
            Limits { of_model, total: limit(of_model, settings) }
        });
        self.fill = limits.total.map(|total| Fill::of(request, limits.of_model, total, self.ratios));
        self.fill.as_ref()
    }
}

impl<E: Environment> Driver<'_, E> {
    /// Returns the input that leaves out messages or contents of results before step `step`, if some are to be left out.
    pub(super) async fn fit(&mut self, request: &ChatRequest, step: u16) -> Option<Input> {
        let (window, settings, provider) = (&mut self.window, self.settings.context, self.provider);
        let decide = || {
            let fill = window.as_mut().and_then(|window| window.measure(request, provider, settings));
            rewrite(request, settings, step, fill)
        };
        let Rewrite { change, code, text } = self.environment.rewrite(decide).await?;
        tracing::info!(turn = %self.live.read(TurnLog::turn), code, text, "messages left out");
        Some(Input::ViewChanged { change, code, text })
    }

    /// Takes over the size of the request as its provider counted it.
    pub(super) fn count(&mut self, answer: &Answer, model: &str) {
        let Some(window) = &mut self.window else { return };
        let Some(fill) = window.fill.take() else { return };
        // What a provider's own tools read is in its count, and not in the next request.
        let own_tools = answer.parts.iter().any(|part| matches!(part, Part::ProviderTool(_)));
        if own_tools || answer.usage.unmetered_calls > 0 {
            return;
        }
        if let Some(model) = fill.learn(&answer.usage, model, window.ratios) {
            self.session.history.set_anchor(answer.usage.input(), model);
        }
    }
}
