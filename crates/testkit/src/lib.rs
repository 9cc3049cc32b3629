//! Test doubles and test suites for turnkit and for agents built on it.
//!
//! | purpose | item |
//! |---|---|
//! | a model with scripted answers | [`ScriptedProvider`], scripted with [`Reply`] |
//! | a provider upstream on a real socket, with real faults | [`FakeUpstream`], scripted with [`Response`] |
//! | a check that every provider accepts a transcript | [`transcript`] |
//! | tools that change, wait, fail, panic, remember | [`tools`], with [`Ledger`] for their effects |
//! | reproducible time and ids | [`VirtualClock`], [`SeededIds`] |
//! | a fixed order in place of a race | [`Gate`] |
//! | a store in memory that can be killed at any point, or break a promise | [`model_store`] |
//! | thousands of simulated service lives, in virtual time | the module `simulation`, with the feature of this name |
//! | a check that a turn looks the same once its log has been removed | [`check_views`] |
//! | an HTTP client of a server | the module `http`, with the feature of this name |
//! | a Google service account with tokens from an upstream | the module `google`, with the feature of this name |
//! | the same test in two sizes | [`trial`] |
//! | a broker whose processes lose each other's messages | the module `model_broker`, with the feature `simulation` |
//! | a store whose calls a test counts, delays or falsifies | [`InterceptedStore`] |
//! | a conformance suite for stores | [`store_conformance!`], for any [`Backend`](conformance::Backend) |
//! | conformance suites for brokers | [`broker_conformance!`] and, between processes, [`cluster_conformance!`] |
//! | a process to kill, and a judge of the state it leaves | the module `kill`, with the feature `kill-host` |
//!
//! In this example, an upstream answers once, and then closes the connection in the middle of its second answer:
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
