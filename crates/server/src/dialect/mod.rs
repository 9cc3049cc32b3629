//! The protocols of clients. Each protocol is one file, with request decoders and an event encoder, and one line in
//! this module.
//!
//! Protocols do no I/O: a decoder is a function of the request, an encoder a function of the log.

pub(crate) mod native;

mod endpoint;
mod extended;
mod head;
mod named;
mod relay;
mod submission;
#[cfg(test)]
mod tests;
mod typed;

use turnkit_core::ports::EventEncoder;
use turnkit_core::{ClientCaps, TurnId};

pub(crate) use self::endpoint::{Components, Endpoint, EndpointDocs, schema_of};
pub(crate) use self::extended::sentence;
pub(crate) use self::head::Head;
pub(crate) use self::submission::{Answer, TurnSubmission};

/// All protocols, each selected by its name in `?dialect=`.
pub(crate) static DIALECTS: &[Dialect] = &[native::DIALECT, named::DIALECT, typed::DIALECT, relay::DIALECT];

/// A protocol that clients use.
pub(crate) struct Dialect {
    /// Its public name.
    pub(crate) name: &'static str,
    /// The capabilities of its clients. None of them can decide a call that needs approval.
    pub(crate) caps: ClientCaps,
    /// Creates an encoder for one turn. Two encoders of one turn write the same bytes.
    pub(crate) encoder: fn(&StreamContext) -> Box<dyn EventEncoder>,
    /// Whether frames carry cursors even without `?ext=1`.
    pub(crate) ids: bool,
    /// Whether frames name the session.
    pub(crate) shows_session_label: bool,
    /// The endpoints that start turns in this protocol.
    pub(crate) endpoints: &'static [Endpoint],
}

/// The turn that a client follows, and how its events are encoded.
#[derive(Debug, Clone)]
pub(crate) struct StreamContext {
    pub(crate) turn: TurnId,
    /// The name by which the client refers to the session: the session's name, or else its id.
    pub(crate) session_label: String,
    /// Whether the client asked for extensions to the protocol.
    pub(crate) ext: bool,
}

/// Returns the protocol with this name.
pub(crate) fn named(name: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().find(|dialect| dialect.name == name)
}
