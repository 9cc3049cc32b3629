//! Several providers that answer as one.
//!
//! A call goes through `route` (who may answer, and in which order), `slots` and `limiter` (who has a place), and `health`
//! (who may be asked); `admit` waits for the first of them to have a place. A failure before the first output is put down
//! to whoever is to blame (`freeze`), asked again if it may pass (`retry`), asked for less if that helps (`downgrade`), and
//! then the next is asked. The answer holds its slot in a `lease` until it is over; what happened on the way to it is told
//! with it.

mod admit;
mod call;
#[cfg(test)]
mod classification;
mod dice;
mod directory;
#[cfg(test)]
mod documented;
mod downgrade;
mod freeze;
mod health;
mod lease;
mod limiter;
mod pass;
mod retry;
mod route;
mod seat;
mod slots;
mod story;

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use turnkit_core::ports::{BoxFuture, CallContext, Clock, LlmProvider, ModelLimits, Opened};
use turnkit_core::{ChatRequest, ModelName, ProviderError, Route};

use call::Call;
pub(crate) use call::goes_on_after;
use dice::Dice;
pub(crate) use downgrade::Lacks;
pub use limiter::RateLimit;
use route::Choice;
pub use route::Strategy;
use seat::Seat;
pub use seat::{Member, MemberModel};
pub(crate) use story::Story;

/// Providers that answer as one: whoever asks sees one clean answer whatever each of them does.
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
    /// How often somebody was chosen.
    turns: AtomicU64,
}

/// How a pool chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolOptions {
    /// How one is chosen among providers that fit equally well.
    pub strategy: Strategy,
    /// How long a call waits for a place where all that fit are busy.
    pub max_wait: Duration,
    /// What chance comes from.
    pub seed: u64,
}

impl Default for PoolOptions {
    fn default() -> Self {
        Self { strategy: Strategy::default(), max_wait: Duration::from_secs(30), seed: 0 }
    }
}

impl Pool {
    /// A pool of these providers, the first of which is the most wanted.
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
    ) -> BoxFuture<'a, Result<Opened, ProviderError>> {
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
