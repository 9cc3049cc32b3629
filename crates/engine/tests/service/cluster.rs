//! Processes that share a store, on virtual time.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use turnkit_broker::InProcess;
use turnkit_core::ports::{Broker, Clock};
use turnkit_core::{SessionKey, StoreError, Timestamp, TurnEvent, TurnId, WorkerId, replay};
use turnkit_engine::{
    Agent, AgentSettings, Failpoints, FollowFrom, Instructions, Receipt, ServiceParts, TurnFeed, TurnService,
};
use turnkit_testkit::model_store::{Disk, ModelStore};
use turnkit_testkit::{Reply, ScriptedProvider, SeededIds, VirtualClock};

use crate::support::{ada, request, rest};

/// The lifetime of a lease.
pub(crate) const LEASE: Duration = Duration::from_secs(15);

/// The state shared by the processes.
pub(crate) struct Cluster {
    pub(crate) disk: Disk,
    clock: Arc<VirtualClock>,
    processes: u16,
}

/// The state of a process's connection to the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StoreAccess {
    Open,
    /// Every operation blocks. To the store, the process looks stopped.
    Blocked,
    /// Every operation fails.
    Broken,
}

/// A process of the cluster.
pub(crate) struct Process {
    pub(crate) id: WorkerId,
    pub(crate) service: TurnService,
    pub(crate) provider: Arc<ScriptedProvider>,
    pub(crate) broker: Arc<dyn Broker>,
    access: watch::Sender<StoreAccess>,
}

impl Cluster {
    pub(crate) fn new() -> Self {
        let clock = Arc::new(VirtualClock::following_tokio(Timestamp::from_millis(1_800_000_000_000)));
        Self { disk: Disk::shared(Arc::clone(&clock) as _, LEASE), clock, processes: 0 }
    }

    /// Starts a process that cannot reach other processes.
    pub(crate) async fn process(&mut self, script: Vec<Reply>, slots: usize) -> Process {
        self.process_with(script, slots, |_| Arc::new(InProcess::default())).await
    }

    /// Starts a process that reaches the others through its broker.
    pub(crate) async fn process_with(
        &mut self,
        script: Vec<Reply>,
        slots: usize,
        broker: impl FnOnce(&WorkerId) -> Arc<dyn Broker>,
    ) -> Process {
        self.processes += 1;
        let id = WorkerId(format!("process-{}", self.processes).into());
        let access = watch::Sender::new(StoreAccess::Open);
        let seen = access.subscribe();
        let store = Arc::new(ModelStore::open(&self.disk).pausing(move |_| {
            let mut seen = seen.clone();
            Box::pin(async move {
                let access = seen.wait_for(|access| *access != StoreAccess::Blocked).await.map(|access| *access);
                // A process whose test has ended has dropped its `StoreAccess`.
                let is_open = access.is_ok_and(|access| access == StoreAccess::Open);
                if is_open { Ok(()) } else { Err(StoreError::Unavailable("it is away".to_owned())) }
            })
        }));
        let provider = Arc::new(ScriptedProvider::new(script));
        let agent = Agent {
            name: "assistant".to_owned(),
            flow: Arc::new(Instructions(None)),
            tools: Vec::new(),
            settings: AgentSettings::default(),
        };
        let broker = broker(&id);
        let service = TurnService::new(ServiceParts {
            store: Arc::clone(&store) as _,
            broker: Arc::clone(&broker),
            provider: Arc::clone(&provider) as _,
            directory: None,
            agents: vec![agent],
            clock: Arc::clone(&self.clock) as Arc<dyn Clock>,
            ids: Arc::new(SeededIds::new(self.processes)),
            worker: id.clone(),
            slots,
            first_suspension: Duration::from_secs(5),
            failpoints: Failpoints::default(),
        });
        service.resume_unfinished().await.unwrap();
        Process { id, service, provider, broker, access }
    }

    /// Returns the stored log of a turn, as events.
    pub(crate) fn stored(&self, turn: TurnId) -> Vec<TurnEvent> {
        let turns = self.disk.turns();
        replay(&turns.iter().find(|(record, _)| record.id == turn).unwrap().1, 0)
    }
}

impl Process {
    /// Sets the state of the process's connection to the store.
    pub(crate) fn set_store_access(&self, access: StoreAccess) {
        self.access.send_replace(access);
    }

    /// Starts a turn in a new session.
    pub(crate) async fn submit(&self, text: &str) -> Receipt {
        self.service.accept(&ada(), request(SessionKey::New, text)).await.unwrap()
    }

    pub(crate) async fn follow(&self, turn: TurnId) -> TurnFeed {
        self.service.follow(&ada(), turn, FollowFrom::Start).await.unwrap()
    }

    /// Returns all events of a turn, up to its end.
    pub(crate) async fn events(&self, turn: TurnId) -> Vec<TurnEvent> {
        rest(&mut self.follow(turn).await).await
    }
}
