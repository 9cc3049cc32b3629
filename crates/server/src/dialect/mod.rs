//! The protocols of clients. Each is one file with a decoder of requests and an encoder of events, and one line here.
//!
//! None of them does I/O: a decoder is a function of the body, an encoder a function of the log.

pub(crate) mod native;

mod door;
mod extended;
mod named;
mod relay;
#[cfg(test)]
mod tests;
mod typed;

use turnkit_core::ports::EventEncoder;
use turnkit_core::{ClientCaps, Message, SessionKey, TurnId, TurnRoute};

pub(crate) use self::door::Door;
use crate::error::{ApiError, Code};

/// All protocols, by the name a client gives as `?dialect=`.
pub(crate) static DIALECTS: &[Dialect] = &[native::DIALECT, named::DIALECT, typed::DIALECT, relay::DIALECT];

/// A client's protocol.
pub(crate) struct Dialect {
    /// Its public name.
    pub(crate) name: &'static str,
    /// What its clients are able to do. None of them can decide a call that needs approval.
    pub(crate) caps: ClientCaps,
    /// Reads the body of a request that starts a turn.
    pub(crate) decode: fn(&[u8]) -> Result<Asked, ApiError>,
    /// Tells a turn. Two encoders of one turn write the same bytes.
    pub(crate) encoder: fn(&Reader) -> Box<dyn EventEncoder>,
    /// Whether frames carry cursors without `?ext=1` too.
    pub(crate) ids: bool,
    /// Whether frames say what the session is called.
    pub(crate) calls_session: bool,
    /// Where turns are started in it.
    pub(crate) door: Door,
}

/// What a client asks for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Asked {
    /// In which session.
    pub(crate) session: SessionKey,
    /// Who is to answer, if not whom the session was begun with.
    pub(crate) agent: Option<String>,
    /// Who is to answer for the agent, if the client says so.
    pub(crate) route: Option<TurnRoute>,
    /// What the user says.
    pub(crate) message: Message,
    /// The client's name for this request, if it gave one in the body.
    pub(crate) idempotency_key: Option<String>,
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

impl Dialect {
    /// The same refusal, as the protocol has it: some know another status for what can be read and is wrong.
    pub(crate) fn refuse(&self, error: ApiError) -> ApiError {
        match error.code() {
            Code::InvalidRequest | Code::KeyReused => error.with_status(self.door.wrong),
            _ => error,
        }
    }
}

impl Asked {
    /// Asks for an answer to `message` and nothing else.
    fn new(session: SessionKey, message: Message) -> Self {
        Self { session, agent: None, route: None, message, idempotency_key: None }
    }
}

/// The protocol with this name.
pub(crate) fn named(name: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().find(|dialect| dialect.name == name)
}
