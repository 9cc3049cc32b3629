//! The model broker passes the conformance suite under all message faults, and the suite detects its flaws.

use std::cell::Cell;

use turnkit_core::WorkerId;
use turnkit_core::ports::BoxFuture;
use turnkit_testkit::conformance::broker::{self as suite, Cluster, SingleProcess};
use turnkit_testkit::model_broker::{BrokerFlaw, Carrier, CarrierFaults, ModelBroker};

thread_local! {
    /// Determines the faults of messages between processes.
    static SEED: Cell<u64> = const { Cell::new(7) };
}

struct Alone;

impl SingleProcess for Alone {
    type Broker = ModelBroker;

    fn start() -> BoxFuture<'static, ModelBroker> {
        Box::pin(async { ModelBroker::start(&Carrier::new(1), WorkerId("alone".into())) })
    }
}

turnkit_testkit::broker_conformance!(Alone);

/// Processes with flaw number `FLAW`, or without a flaw if it is 0.
struct Processes<const FLAW: usize = 0>(Carrier);

impl<const FLAW: usize> Cluster for Processes<FLAW> {
    type Broker = ModelBroker;

    fn fresh() -> BoxFuture<'static, Self> {
        Box::pin(async { Self(Carrier::new(SEED.get())) })
    }

    fn start(&self, process: &WorkerId) -> BoxFuture<'_, ModelBroker> {
        let flaw = [None, Some(BrokerFlaw::IgnoredGap), Some(BrokerFlaw::LostStop)][FLAW];
        let process = process.clone();
        Box::pin(async move { ModelBroker::start_with_flaw(&self.0, process, flaw) })
    }

    fn disturb(&self, is_disturbed: bool) {
        self.0.set_faults(if is_disturbed { CarrierFaults::HEAVY } else { CarrierFaults::default() });
    }

    fn pause(&self, process: &WorkerId, is_paused: bool) {
        self.0.pause(process, is_paused);
    }
}

turnkit_testkit::cluster_conformance!(Processes);

#[tokio::test(start_paused = true)]
async fn lost_operations_are_requested_again_at_any_loss_rate() {
    for seed in 0..50 {
        SEED.set(seed);
        let outcome = suite::following::lost_operations_are_requested_again::<Processes>().await;
        assert!(outcome.is_ok(), "seed {seed}: {outcome:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_mirror_that_ignores_a_gap_is_noticed() {
    let outcome = suite::following::lost_operations_are_requested_again::<Processes<1>>().await;
    assert!(outcome.is_err_and(|error| error.to_string().contains("the mirror shows")));
}

#[tokio::test(start_paused = true)]
async fn a_stop_that_is_lost_is_noticed() {
    let outcome = suite::signals::a_stop_reaches_the_owner_elsewhere::<Processes<2>>().await;
    assert!(outcome.is_err_and(|error| error.is::<tokio::time::error::Elapsed>()));
}
