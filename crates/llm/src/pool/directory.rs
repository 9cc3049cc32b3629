//! Status of the members, and thawing on request.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use turnkit_core::ports::{BoxFuture, CallContext, Freeze, ModelStatus, ProviderDirectory, ProviderStatus};
use turnkit_core::{
    ChatRequest, History, Message, Params, Phase, ProviderError, ProviderErrorKind, Timestamp, ToolChoice, TurnId,
};

use super::Pool;
use super::freeze::Blame;
use super::seat::{MemberModel, Seat};
use crate::profile::Capability;

/// Time limit of a ping.
const PING_TIMEOUT: Duration = Duration::from_secs(10);

impl ProviderDirectory for Pool {
    fn providers(&self) -> Vec<ProviderStatus> {
        let now = self.clock.now();
        self.seats.iter().map(|seat| seat.status(now)).collect()
    }

    fn models(&self) -> Vec<ModelStatus> {
        let now = self.clock.now();
        self.seats.iter().flat_map(|seat| seat.models.iter().map(move |model| seat.model_status(model, now))).collect()
    }

    fn thaw<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Option<Result<(), ProviderError>>> {
        Box::pin(async move {
            let seat = self.seats.iter().find(|seat| seat.id == id)?;
            // The operator's request is newer than what was learnt about the models, and a ping does not test it.
            seat.forget_models();
            let answered = ping(seat).await;
            if is_working(&answered) && seat.thaw() {
                tracing::info!(provider = %seat.id, "provider thawed");
            }
            Some(answered)
        })
    }
}

impl Seat {
    fn model_status(&self, model: &MemberModel, now: Timestamp) -> ModelStatus {
        let missing = self.missing_capabilities(Some(&model.name), now);
        ModelStatus {
            name: model.name.clone(),
            provider: self.id.clone(),
            tools: !missing.tools,
            images: !missing.images,
            reasoning: model.profile.can(Capability::Reasoning),
            window: self.limits(Some(&model.name)).map(|limits| limits.window),
        }
    }

    fn status(&self, now: Timestamp) -> ProviderStatus {
        let frozen = self.frozen().map(|freeze| Freeze {
            kind: freeze.error.kind,
            message: freeze.error.message,
            since: freeze.since,
            until: freeze.until,
            failures: freeze.failures,
        });
        ProviderStatus {
            id: self.id.clone(),
            models: self.models.iter().map(|model| model.name.clone()).collect(),
            tags: self.tags.clone(),
            frozen,
            missing: self.all_missing(now),
            running: self.slots.used(),
            waiting: self.waiting(),
            max_concurrency: self.slots.capacity(),
            calls: self.calls.load(Ordering::Relaxed),
            failures: self.failures.load(Ordering::Relaxed),
        }
    }
}

/// Reports whether the pinged provider works. A provider that only lacks the model counts as working.
fn is_working(answered: &Result<(), ProviderError>) -> bool {
    answered.as_ref().map_or_else(|error| matches!(Blame::for_kind(error.kind), Blame::Model(_)), |()| true)
}

/// Asks the provider for one word, bypassing all limits. Rejecting just this request also proves that it is reachable
/// and accepts the credentials.
async fn ping(seat: &Arc<Seat>) -> Result<(), ProviderError> {
    let request = ChatRequest {
        model: None,
        route: None,
        instructions: None,
        history: History::of([Message::user("ping")]),
        tools: [].into(),
        params: Params { max_tokens: Some(1), ..Params::default() },
        tool_choice: ToolChoice::Auto,
    };
    let context = CallContext { turn: TurnId::default(), step: 1, attempt: 1 };
    let asked = turnkit_net::timeout(PING_TIMEOUT, seat.provider.stream(request, &context)).await;
    let late = |_| {
        let message = format!("{}: no answer within {} s", seat.id, PING_TIMEOUT.as_secs());
        ProviderError::new(ProviderErrorKind::Timeout(Phase::FirstEvent), message)
    };
    match asked.map_err(late)? {
        Ok(_) => Ok(()),
        Err(error) if Blame::for_kind(error.kind) == Blame::Answer => Ok(()),
        Err(error) if Blame::for_kind(error.kind) == Blame::Request && !error.is_missing_endpoint() => Ok(()),
        Err(error) => Err(error),
    }
}
