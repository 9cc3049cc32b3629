//! What every broker must do, as tests that run against any of them.
//!
//! [`broker_conformance!`](crate::broker_conformance) makes one test per behaviour of one process;
//! [`cluster_conformance!`](crate::cluster_conformance) those of several processes, for brokers that connect them. A
//! [`Cluster`] says how processes are started and disturbed.

pub mod following;
mod original;
pub mod reaching;
pub mod single;

use turnkit_core::WorkerId;
use turnkit_core::ports::{BoxFuture, Broker};

pub use super::Outcome;
pub(crate) use original::Original;

/// A broker under test, seen by one process.
pub trait SingleProcess {
    /// The broker.
    type Broker: Broker;

    /// A broker that knows no turn.
    fn start() -> BoxFuture<'static, Self::Broker>;
}

/// Processes that a broker connects.
pub trait Cluster: Sized + Send + Sync {
    /// The broker of one process. Dropping it is the death of the process.
    type Broker: Broker;

    /// No process yet.
    fn fresh() -> BoxFuture<'static, Self>;

    /// Starts a process.
    fn start(&self, process: &WorkerId) -> BoxFuture<'_, Self::Broker>;

    /// Starts or stops losing, delaying, repeating and reordering messages between processes.
    fn disturb(&self, is_disturbed: bool);

    /// Pauses a process, or lets it continue.
    fn pause(&self, process: &WorkerId, is_paused: bool);
}

/// One test per behaviour of a broker in one process. Needs tokio's test macro where it is used.
#[macro_export]
macro_rules! broker_conformance {
    ($backend:ty) => {
        $crate::broker_conformance! { @groups $backend:
            single {
                a_turn_is_found_while_it_is_in_this_process,
                who_watches_a_session_learns_of_its_changes_and_of_no_others,
                a_turn_of_a_process_that_is_not_there_cannot_be_followed,
                a_stop_for_a_process_that_is_not_there_stops_nothing_here,
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

/// One test per behaviour of a broker that connects several processes. Needs tokio's test macro where it is used.
#[macro_export]
macro_rules! cluster_conformance {
    ($cluster:ty) => {
        $crate::broker_conformance! { @groups $cluster:
            following {
                a_turn_elsewhere_is_followed_as_if_it_ran_here,
                what_is_staged_is_not_seen_elsewhere_before_its_commit,
                followers_of_one_process_share_a_mirror,
                what_is_lost_on_the_way_is_asked_for_again,
                a_turn_the_owner_does_not_have_is_refused,
                a_mirror_ends_when_its_owner_lets_go,
                a_mirror_ends_when_its_owner_dies,
                a_turn_that_begins_anew_is_followed_from_its_new_log,
                a_follower_elsewhere_counts_until_it_leaves,
                a_process_that_reads_nothing_delays_no_other,
            }
            reaching {
                a_stop_reaches_the_owner_elsewhere,
                a_change_of_a_session_reaches_who_watches_it_elsewhere,
            }
        }
    };
}
