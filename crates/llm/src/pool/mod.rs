//! A pool of several providers that answers like one provider.
//!
//! `route` finds and orders the providers that fit a call. `slots` and `limiter` grant permits; `health` tracks which
//! providers may be asked; `admit` waits for the first free slot. A failure before the first output is attributed to
//! its cause (`freeze`), retried if it is temporary (`retry`), or retried with a reduced request (`downgrade`). Then
//! the next provider is asked. The answer holds its slot in a `lease` until it ends; notices report what happened
//! before it.

mod admit;
mod call;
#[cfg(test)]
mod classification;
mod dice;
mod directory;
#[cfg(test)]
mod documented;
mod downgrade;
mod failures;
mod freeze;
mod health;
mod lease;
mod limiter;
mod pass;
mod retry;
mod route;
mod seat;
mod slots;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use turnkit_core::ports::{BoxFuture, CallContext, Clock, LlmProvider, ModelLimits, OpenedAnswer};
use turnkit_core::{ChatRequest, ModelName, ProviderError, Route};

use call::Call;
pub(crate) use call::can_fail_over;
use dice::Dice;
pub(crate) use downgrade::MissingCapabilities;
pub(crate) use failures::CallFailures;
pub use limiter::RateLimit;
use route::Choice;
pub use route::Strategy;
use seat::Seat;
pub use seat::{Member, MemberModel};

/// Several providers that answer as one: the caller sees one clean answer, whatever happens at each of them.
///
/// ```
/// use std::sync::Arc;
/// use turnkit_core::Timestamp;
/// use turnkit_core::ports::Clock;
/// use turnkit_llm::offline::OfflineResponder;
/// use turnkit_llm::{Member, Pool, PoolOptions};
///
/// # struct Noon;
/// # impl Clock for Noon {
/// #     fn now(&self) -> Timestamp {
/// #         Timestamp::from_millis(43_200_000)
/// #     }
/// # }
/// let member = |id: &str| Member::new(id, Arc::new(OfflineResponder));
/// let pool = Pool::new([member("main"), member("spare")], PoolOptions::default(), Arc::new(Noon));
/// ```
pub struct Pool {
    seats: Vec<Arc<Seat>>,
    options: PoolOptions,
    clock: Arc<dyn Clock>,
    dice: Dice,
    /// The number of times a provider was chosen.
    turns: AtomicU64,
}

/// How a pool chooses providers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolOptions {
    /// How to choose among providers that fit equally well.
    pub strategy: Strategy,
    /// How long a call waits for a slot if all fitting providers are busy.
    pub max_wait: Duration,
    /// The seed of random choices.
    pub seed: u64,
}

impl Default for PoolOptions {
    fn default() -> Self {
        Self { strategy: Strategy::default(), max_wait: Duration::from_secs(30), seed: 0 }
    }
}

impl Pool {
    /// Creates a pool of these providers, the preferred one first.
    pub fn new(members: impl IntoIterator<Item = Member>, options: PoolOptions, clock: Arc<dyn Clock>) -> Self {
        let seats = members.into_iter().map(|member| Arc::new(Seat::new(member))).collect();
        Self { seats, options, clock, dice: Dice::new(options.seed), turns: AtomicU64::new(0) }
    }
}

impl LlmProvider for Pool {
    fn stream<'a>(
        &'a self,
        request: ChatRequest,
        call: &'a CallContext,
    ) -> BoxFuture<'a, Result<OpenedAnswer, ProviderError>> {
        Box::pin(async move { Call::new(self, request, call)?.run().await })
    }

    fn limits(&self, model: Option<&ModelName>, route: Option<&Route>) -> Option<ModelLimits> {
        let choices = route::choices(&self.seats, route, model).ok()?;
        let limits = |choice: &Choice| self.seats.get(choice.seat)?.limits(choice.model.as_ref());
        let smallest = choices.iter().filter_map(limits).min_by_key(|limits| limits.window)?;
        let larger = |largest: u32, choice| Some(largest.max(limits(choice)?.window));
        Some(ModelLimits { largest_window: choices.iter().try_fold(0, larger), ..smallest })
    }
}
