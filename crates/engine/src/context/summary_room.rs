//! The room for messages in requests for summaries, if another model than the session's writes them.

use std::sync::Arc;

use turnkit_core::ports::LlmProvider;
use turnkit_core::{ModelName, Route};

use super::fill::RESERVE;
use super::{TokenRatios, tokens};

/// Returns the estimated tokens of messages that fit into a request for a summary to the smallest model that may write
/// it. If no window is known, there is no limit.
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
