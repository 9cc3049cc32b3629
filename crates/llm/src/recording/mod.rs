//! Recorded exchanges with providers, unmodified, for bug reports and replays.
//!
//! ```text
//! DIR/openai_chat/TURN-001-1-1/     wire / turn, step, attempt, and which exchange of that attempt
//!   exchange.json                   provider and model, status, headers, how it ended
//!   request.json                    the body that was sent
//!   response.sse                    the body that was received, byte for byte (.json, .txt: by its media type)
//! ```
//!
//! A folder gets this name once it is complete. Until then it is hidden and called `….partial`; one that remains
//! belongs to a process that died. Credentials are masked; the conversation itself is recorded.

mod backlog;
mod difference;
mod exchange;
mod library;
mod listing;
mod mask;
mod playback;
mod recorder;
mod secrets;
mod writer;

pub use difference::first_difference;
pub use exchange::{Exchange, ExchangeOutcome, Failure};
pub(crate) use library::Recorded;
pub use library::{Recordings, RecordingsError, ReplayDifferences};
pub use listing::{recorded_exchanges, recorded_turns};
pub(crate) use playback::Playback;
pub(crate) use recorder::Recording;
pub use recorder::{Recorder, RecorderError};
pub(crate) use secrets::secrets;
