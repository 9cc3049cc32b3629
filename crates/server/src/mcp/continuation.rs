//! The state that a client sends back with the answer to a question: the call that it continues.

use std::fmt;
use std::str::FromStr;

use turnkit_core::TurnId;

/// The marker of this form of the state.
const FORM: &str = "1";

/// The call that a request continues. A client may send any state: it selects only among the turns of its user.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Continuation {
    /// The turn of the call.
    pub(super) turn: TurnId,
    /// The number of the last event about which the client received a report.
    pub(super) seen: u32,
}

/// The error for a text that is not a state of this server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct NotAState;

impl fmt::Display for Continuation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{FORM}.{}.{}", self.turn, self.seen)
    }
}

impl FromStr for Continuation {
    type Err = NotAState;

    fn from_str(text: &str) -> Result<Self, NotAState> {
        let mut words = text.split('.');
        let (Some(FORM), Some(turn), Some(seen), None) = (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(NotAState);
        };
        let seen = seen.parse().ok().filter(|_| seen.bytes().all(|byte| byte.is_ascii_digit()));
        Ok(Self { turn: turn.parse().map_err(|_| NotAState)?, seen: seen.ok_or(NotAState)? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_read_as_it_was_written_and_nothing_else_is_one() {
        let state = Continuation { turn: "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01".parse().unwrap(), seen: 12 };
        let written = state.to_string();
        assert_eq!(written.parse(), Ok(state));
        for text in ["", "1", "1..", "1.7.0", &written[2..], &*format!("{written}.0"), &*format!("{written}x"), "2.a.0"]
        {
            assert_eq!(text.parse::<Continuation>(), Err(NotAState), "{text}");
        }
    }
}
