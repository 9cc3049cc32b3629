//! Exchanges with providers, kept as they were: what a user attaches to a bug report, or replays.
//!
//! ```text
//! DIR/openai_chat/TURN-001-1-1/     wire / turn, step, attempt, and which exchange of that attempt
//!   exchange.json                   who was asked for what, status, headers, how it ended
//!   request.json                    the body that was sent
//!   response.sse                    the body that came, byte for byte (.json, .txt: what its media type says)
//! ```
//!
//! A folder has this name once it is whole. Until then it is hidden, and called `….partial`; one that stays so is of a
//! process that died. Credentials are masked; the conversation itself is what is recorded.

mod backlog;
mod difference;
mod exchange;
mod library;
mod mask;
mod playback;
mod recorder;
mod secrets;
mod writer;

pub use difference::first_difference;
pub use exchange::{Ended, Exchange, Failure};
pub(crate) use library::Recorded;
pub use library::{Found, Recordings, RecordingsError};
pub(crate) use playback::Playback;
pub(crate) use recorder::Recording;
pub use recorder::{Recorder, RecorderError};
pub(crate) use secrets::secrets;
