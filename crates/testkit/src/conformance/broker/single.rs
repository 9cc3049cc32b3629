//! The behaviour of a broker within one process.

use std::sync::Arc;
use std::task::{Context, Waker};

use turnkit_core::ports::Broker as _;
use turnkit_core::{BrokerError, Fence, SessionId, StopReason};
use uuid::Uuid;

use super::original::process;
use super::{Original, Outcome, SingleProcess};

/// Finding a local turn needs no message to another process.
pub async fn a_turn_is_found_while_it_is_in_this_process<B: SingleProcess>() -> Outcome {
    let broker = B::start().await;
    assert!(broker.turns().find(Original::turn()).is_none());
    let original = Original::run_by(&broker, Fence(1));
    assert!(broker.turns().find(Original::turn()).is_some_and(|found| Arc::ptr_eq(&found, &original.live)));
    Ok(())
}

/// Several changes between two polls are reported as one.
pub async fn a_watcher_of_a_session_is_notified_of_its_changes_and_of_no_others<B: SingleProcess>() -> Outcome {
    let broker = B::start().await;
    let session = |number| SessionId(Uuid::from_u128(number));
    let [mut one, mut same, mut other] = [1, 1, 2].map(|number| broker.changes(session(number)).watch());
    broker.changed(session(1));
    broker.changed(session(1));
    broker.changed(session(3));
    let mut context = Context::from_waker(Waker::noop());
    assert!(one.poll_changed(&mut context).is_ready() && same.poll_changed(&mut context).is_ready());
    assert!(one.poll_changed(&mut context).is_pending() && other.poll_changed(&mut context).is_pending());
    Ok(())
}

/// The error names the process that cannot be reached.
pub async fn a_turn_of_a_missing_process_cannot_be_followed<B: SingleProcess>() -> Outcome {
    let broker = B::start().await;
    let refused = broker.follow(Original::turn(), &process("absent")).await;
    assert_eq!(refused.err(), Some(BrokerError::Unreachable(process("absent"))));
    Ok(())
}

/// A local turn with the same id is a different run, which the stop must not affect.
pub async fn a_stop_for_a_missing_process_stops_nothing_here<B: SingleProcess>() -> Outcome {
    let broker = B::start().await;
    let original = Original::run_by(&broker, Fence(1));
    broker.stop(Original::turn(), &process("absent"), StopReason::Cancelled);
    tokio::time::sleep(super::original::SOON).await;
    assert_eq!(original.run.stop().reason(), None);
    Ok(())
}
