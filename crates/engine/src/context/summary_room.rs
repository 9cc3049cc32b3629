//! The room in requests for summaries that go to another model than requests for answers.

use std::sync::Arc;

use turnkit_core::ports::LlmProvider;
use turnkit_core::{ModelName, Route};

use super::fill::RESERVE;
use super::{TokenRatios, tokens};

/// Returns how many estimated tokens fit a request for a summary to the smallest model that may write it. If no window is
/// known, all do.
pub(crate) fn summary_room(
    (model, route): &(Option<ModelName>, Arc<Route>),
    provider: &dyn LlmProvider,
    ratios: &TokenRatios,
) -> u64 {
    let Some(limits) = provider.limits(model.as_ref(), Some(route)) else { return u64::MAX };
    let window = u64::from(limits.window);
    let reserve = RESERVE.min(window / 4).min(limits.max_output.map_or(u64::MAX, u64::from));
    let ratio = ratios.of(model.as_ref().map(|model| &*model.0));
    tokens::scaled(window - reserve, 1.0 / ratio)
}
