//! What tests of turnkit, and of agents built on it, stand on.
//!
//! | for | there is |
//! |---|---|
//! | a model that says what the test wants | [`ScriptedProvider`], told with [`Reply`] |
//! | an upstream with a real socket, and real faults on it | [`FakeUpstream`], told with [`Response`] |
//! | whether a transcript is one every provider takes | [`transcript`] |
//! | tools that change, wait, fail, panic, remember | [`tools`], with [`Ledger`] for what really happened |
//! | time and ids that are the same in every run | [`VirtualClock`], [`SeededIds`] |
//! | an order where there would be a race | [`Gate`] |
//! | a store in memory that can be killed anywhere, or break a promise | [`model_store`] |
//! | thousands of lives of the service, in virtual time | the module `simulation`, with the feature of this name |
//! | whether a turn looks the same once its log is gone | [`check_views`] |
//! | a server, seen by one of its clients | the module `http`, with the feature of this name |
//! | a service account of Google, whose tokens an upstream gives | the module `google`, with the feature of this name |
//! | the same test at two sizes | [`trial`] |
//! | processes that lose each other's messages | the module `model_broker`, with the feature `simulation` |
//! | a store whose calls a test counts, holds up or gets wrong | [`InterceptedStore`] |
//! | whether a store keeps what it promises | [`store_conformance!`], a suite for any [`Backend`](conformance::Backend) |
//! | whether a broker does | [`broker_conformance!`] and, between processes, [`cluster_conformance!`] |
//! | a process to kill, and a judge of what it left | the module `kill`, with the feature `kill-host` |
//!
//! Here an upstream answers once and is then cut in the middle of its second answer:
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! use turnkit_testkit::{FakeUpstream, Response};
//!
//! let upstream = FakeUpstream::start([Response::text("Hello there"), Response::text("Hello again").cut_at(100)]).await?;
//! // Point a provider at `upstream.base_url()` and talk to it.
//! assert!(upstream.base_url().starts_with("http://127.0.0.1:"));
//! assert_eq!(upstream.requests().len(), 0);
//! # std::io::Result::Ok(()) }).unwrap();
//! ```

mod clock;
pub mod conformance;
mod dice;
mod fake_upstream;
#[cfg(feature = "google")]
pub mod google;
#[cfg(feature = "http")]
pub mod http;
mod ids;
mod intercepted_store;
#[cfg(feature = "kill-host")]
pub mod kill;
mod ledger;
#[cfg(feature = "simulation")]
pub mod model_broker;
pub mod model_store;
mod same_view;
#[cfg(feature = "simulation")]
pub mod simulation;
mod tool_source;
pub mod tools;
pub mod trial;

pub use clock::VirtualClock;
pub use fake_upstream::{Counts, FakeUpstream, Received, Response};
pub use ids::SeededIds;
pub use intercepted_store::{InterceptedStore, StoreCall, StoreInterceptor};
pub use ledger::{Effect, Ledger};
pub use same_view::check_views;
pub use tool_source::TestSource;
pub use turnkit_scripted::{Call, Gate, Reply, ScriptedProvider, transcript};
