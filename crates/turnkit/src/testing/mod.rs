//! Models that answer from a script or a recording, so that tests of agents need neither a key nor a network.
//!
//! | to | use |
//! |---|---|
//! | answer with what the test wants | [`ScriptedProvider`], with a [`Reply`] for each call |
//! | answer with a real model's answers, recorded once | [`RecordedProvider`] |
//! | compare a whole turn in one assertion | [`transcript`] |
//! | run concurrent steps in a fixed order | [`Gate`] |
//!
//! ```
//! use serde_json::json;
//! use std::sync::Arc;
//! use turnkit::Agent;
//! use turnkit::testing::{Reply, ScriptedProvider, transcript};
//!
//! /// Adds two numbers.
//! #[turnkit::tool(read_only)]
//! async fn add(a: i64, b: i64) -> i64 {
//!     a + b
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(async {
//! let model = Arc::new(ScriptedProvider::new([
//!     Reply::new().call("add", json!({ "a": 2, "b": 3 })),
//!     Reply::text("It is 5."),
//! ]));
//! let agent = Agent::with_provider(Arc::clone(&model)).instructions("You add numbers.").tool(add);
//!
//! let answer = agent.ask("2 + 3?").await?;
//!
//! assert_eq!(
//!     transcript(answer.messages()),
//!     ["user: 2 + 3?", r#"assistant calls add {"a":2,"b":3}"#, "add gave 5", "assistant: It is 5."],
//! );
//! assert_eq!(model.calls()[0].tools(), ["add"]);
//! # Ok::<_, turnkit::Error>(()) }).unwrap();
//! ```

mod recorded;

pub use recorded::{RecordedError, RecordedProvider};
/// Returns messages as lines that are easy to compare.
pub use turnkit_scripted::transcript::lines as transcript;
pub use turnkit_scripted::{Call, Gate, Reply, ScriptedProvider};
