//! The protocols of clients. Each is one file with decoders of requests and an encoder of events, and one line here.
//!
//! None of them does I/O: a decoder is a function of the request, an encoder a function of the log.

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
pub(crate) use self::head::Head;
pub(crate) use self::submission::{Answer, TurnSubmission};

/// All protocols, by the name a client gives as `?dialect=`.
pub(crate) static DIALECTS: &[Dialect] = &[native::DIALECT, named::DIALECT, typed::DIALECT, relay::DIALECT];

/// A client's protocol.
pub(crate) struct Dialect {
    /// Its public name.
    pub(crate) name: &'static str,
    /// What its clients are able to do. None of them can decide a call that needs approval.
    pub(crate) caps: ClientCaps,
    /// Tells a turn. Two encoders of one turn write the same bytes.
    pub(crate) encoder: fn(&Reader) -> Box<dyn EventEncoder>,
    /// Whether frames carry cursors without `?ext=1` too.
    pub(crate) ids: bool,
    /// Whether frames say what the session is called.
    pub(crate) calls_session: bool,
    /// The addresses at which turns are started in it.
    pub(crate) endpoints: &'static [Endpoint],
}

/// Which turn a client is told, and how.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    /// The turn.
    pub(crate) turn: TurnId,
    /// What the session is called: its name, else its id.
    pub(crate) called: String,
    /// Whether the client asked for what the protocol itself does not have.
    pub(crate) ext: bool,
}

/// The protocol with this name.
pub(crate) fn named(name: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().find(|dialect| dialect.name == name)
}
