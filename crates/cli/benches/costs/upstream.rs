//! The model's answers in the counted turns.

use serde_json::json;
use turnkit_testkit::{Gate, Response};

/// The text of every token.
pub(crate) const WORD: &str = " word";

/// The shape of a turn.
pub(crate) enum Kind {
    /// This many tokens in one write.
    AtOnce(usize),
    /// This many tokens, each in a separate write after the client has read the previous one, so that no two can be
    /// read together.
    OneByOne(usize),
    /// This many rounds of a read-only tool, then 50 tokens in one write.
    Rounds(usize),
    /// This many tokens in one write, for an agent with the deferred tools of 20 MCP servers, which are not called.
    Deferred(usize),
}

/// The model's part of one turn.
pub(crate) struct Script {
    /// The model's responses, one per request.
    pub(crate) responses: Vec<Response>,
    /// One gate for each token that is held back. The client opens it when it has read the tokens before.
    pub(crate) gates: Vec<Gate>,
}

impl Kind {
    /// Parses names such as `at-once-50`, `one-by-one-50`, `rounds-3` and `deferred-50`.
    pub(crate) fn read(name: &str) -> Option<Self> {
        let (kind, count) = name.rsplit_once('-')?;
        let count = count.parse().ok()?;
        match kind {
            "at-once" => Some(Self::AtOnce(count)),
            "one-by-one" => Some(Self::OneByOne(count)),
            "rounds" => Some(Self::Rounds(count)),
            "deferred" => Some(Self::Deferred(count)),
            _ => None,
        }
    }

    /// Returns the number of MCP servers whose tools the agent has.
    pub(crate) fn mcp_servers(&self) -> usize {
        match self {
            Self::Deferred(_) => 20,
            _ => 0,
        }
    }

    pub(crate) fn script(&self) -> Script {
        match *self {
            Self::AtOnce(tokens) | Self::Deferred(tokens) => {
                Script { responses: vec![said(tokens)], gates: Vec::new() }
            }
            Self::OneByOne(tokens) => {
                let gates: Vec<Gate> = (1..tokens).map(|_| Gate::new()).collect();
                let begun = gates.iter().fold(token(Response::stream()), |response, gate| token(response.wait(gate)));
                Script { responses: vec![begun.finish("stop").usage(10, 5).done()], gates }
            }
            Self::Rounds(rounds) => {
                let call = Response::calls(&[("call_1", "calculator", r#"{"expression":"2+3"}"#)]);
                let calls = std::iter::repeat_n(at_once(&call), rounds);
                Script { responses: calls.chain([said(50)]).collect(), gates: Vec::new() }
            }
        }
    }
}

/// Returns a response with this many tokens in one write.
fn said(tokens: usize) -> Response {
    at_once(&(0..tokens).fold(Response::stream(), |response, _| token(response)).finish("stop").usage(10, 5).done())
}

fn token(response: Response) -> Response {
    response.delta(json!({ "content": WORD }))
}

/// Returns the same response in one write.
fn at_once(response: &Response) -> Response {
    Response::stream().raw(&response.body())
}
