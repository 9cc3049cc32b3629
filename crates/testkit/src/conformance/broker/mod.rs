//! Conformance suite for brokers: the behaviour required of every broker, as tests that run against any implementation.
//!
//! [`broker_conformance!`](crate::broker_conformance) generates one test per behaviour within one process.
//! [`cluster_conformance!`](crate::cluster_conformance) generates those that involve several processes, for brokers
//! that connect them. A [`Cluster`] defines how processes are started and disturbed.

pub mod following;
mod original;
pub mod signals;
pub mod single;

use turnkit_core::WorkerId;
use turnkit_core::ports::{BoxFuture, Broker};

pub use super::Outcome;
pub(crate) use original::Original;

/// A broker under test that lives in one process.
pub trait SingleProcess {
    /// The broker under test.
    type Broker: Broker;

    /// Starts a broker without any turns.
    fn start() -> BoxFuture<'static, Self::Broker>;
}

/// A set of processes connected by the broker under test.
pub trait Cluster: Sized + Send + Sync {
    /// The broker of one process. Dropping it simulates the death of the process.
    type Broker: Broker;

    /// Creates a cluster without processes.
    fn fresh() -> BoxFuture<'static, Self>;

    /// Starts a process and returns its broker.
    fn start(&self, process: &WorkerId) -> BoxFuture<'_, Self::Broker>;

    /// Starts or stops the loss, delay, repetition and reordering of messages between processes.
    fn disturb(&self, is_disturbed: bool);

    /// Pauses a process, or lets it continue.
    fn pause(&self, process: &WorkerId, is_paused: bool);
}

/// Generates one test per behaviour of a broker within one process. The calling crate must depend on tokio with its
/// test macro.
#[macro_export]
macro_rules! broker_conformance {
    ($backend:ty) => {
        $crate::broker_conformance! { @groups $backend:
            single {
                a_turn_is_found_while_it_is_in_this_process,
                a_watcher_of_a_session_is_notified_of_its_changes_and_of_no_others,
                a_turn_of_a_missing_process_cannot_be_followed,
                a_stop_for_a_missing_process_stops_nothing_here,
            }
        }
    };
    (@groups $backend:ty: $($group:ident { $($behaviour:ident,)* })*) => {
        $(mod $group {
            use super::*;

            $(#[tokio::test(start_paused = true)]
            async fn $behaviour() -> $crate::conformance::Outcome {
                $crate::conformance::broker::$group::$behaviour::<$backend>().await
            })*
        })*
    };
}

/// Generates one test per behaviour of a broker that connects several processes. The calling crate must depend on tokio
/// with its test macro.
#[macro_export]
macro_rules! cluster_conformance {
    ($cluster:ty) => {
        $crate::broker_conformance! { @groups $cluster:
            following {
                a_turn_elsewhere_is_followed_as_if_it_ran_here,
                staged_entries_are_not_seen_elsewhere_before_their_commit,
                followers_of_one_process_share_a_mirror,
                lost_operations_are_requested_again,
                a_turn_the_owner_does_not_have_is_refused,
                a_mirror_ends_when_its_owner_releases_the_turn,
                a_mirror_ends_when_its_owner_dies,
                a_restarted_turn_is_followed_from_its_new_log,
                a_follower_elsewhere_counts_until_it_leaves,
                a_process_that_reads_nothing_delays_no_other,
            }
            signals {
                a_stop_reaches_the_owner_elsewhere,
                a_session_change_reaches_watchers_elsewhere,
            }
        }
    };
}
