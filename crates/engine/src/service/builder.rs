//! The builder of a service.

use std::sync::Arc;

use turnkit_core::ports::{Broker, Clock as _, IdSource as _, LlmProvider, ProviderDirectory, Store};

use super::{ServiceParts, TurnService};
use crate::agent::Agent;
use crate::failpoint::Failpoints;
use crate::system::{RandomIds, SystemClock};

/// The default number of turns that run at once.
const SLOTS: usize = 100;

/// Builds a [`TurnService`]. The store, the broker and the provider are required.
pub struct ServiceBuilder {
    parts: ServiceParts,
}

impl TurnService {
    /// Creates the builder of a service that keeps its turns in `store` and sends requests to `provider`. Followers
    /// find running turns through `broker`.
    ///
    /// Call [`resume_unfinished`](Self::resume_unfinished) once before accepting turns.
    pub fn builder(store: Arc<dyn Store>, broker: Arc<dyn Broker>, provider: Arc<dyn LlmProvider>) -> ServiceBuilder {
        let clock = SystemClock;
        let worker = RandomIds.worker(clock.now());
        let parts = ServiceParts {
            store,
            broker,
            provider,
            directory: None,
            agents: Vec::new(),
            clock: Arc::new(clock),
            ids: Arc::new(RandomIds),
            worker,
            slots: SLOTS,
            first_suspension: Self::FIRST_SUSPENSION,
            failpoints: Failpoints::default(),
        };
        ServiceBuilder { parts }
    }
}

impl ServiceBuilder {
    /// Adds an agent. The first one answers turns that name none.
    #[must_use]
    pub fn agent(mut self, agent: Agent) -> Self {
        self.parts.agents.push(agent);
        self
    }

    /// Rejects turns whose route matches no provider of this directory. Without a directory, such turns are accepted
    /// and fail.
    #[must_use]
    pub fn directory(mut self, directory: Arc<dyn ProviderDirectory>) -> Self {
        self.parts.directory = Some(directory);
        self
    }

    /// Sets how many turns may run at once. 100 by default.
    #[must_use]
    pub fn slots(mut self, slots: usize) -> Self {
        self.parts.slots = slots;
        self
    }

    /// Returns the service, which runs nothing yet.
    pub fn build(self) -> TurnService {
        TurnService::new(self.parts)
    }
}
