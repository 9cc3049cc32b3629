//! What the model says in the turns that are counted.

use serde_json::json;
use turnkit_testkit::{Gate, Response};

/// What every token is.
pub(crate) const WORD: &str = " word";

/// How a turn goes.
pub(crate) enum Kind {
    /// So many tokens in one write.
    AtOnce(usize),
    /// So many tokens, each in a write of its own after the client has the one before: no two can be read together.
    OneByOne(usize),
    /// So many rounds of a tool that only reads, then 50 tokens in one write.
    Rounds(usize),
}

/// One turn as the model takes part in it.
pub(crate) struct Script {
    /// What it answers, request by request.
    pub(crate) responses: Vec<Response>,
    /// One for each token that waits: it may be said once the client has so many.
    pub(crate) gates: Vec<Gate>,
}

impl Kind {
    /// What `at-once-50`, `one-by-one-50` and `rounds-3` mean.
    pub(crate) fn read(name: &str) -> Option<Self> {
        let (kind, count) = name.rsplit_once('-')?;
        let count = count.parse().ok()?;
        match kind {
            "at-once" => Some(Self::AtOnce(count)),
            "one-by-one" => Some(Self::OneByOne(count)),
            "rounds" => Some(Self::Rounds(count)),
            _ => None,
        }
    }

    pub(crate) fn script(&self) -> Script {
        match *self {
            Self::AtOnce(tokens) => Script { responses: vec![said(tokens)], gates: Vec::new() },
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

/// So many tokens in one write.
fn said(tokens: usize) -> Response {
    at_once(&(0..tokens).fold(Response::stream(), |response, _| token(response)).finish("stop").usage(10, 5).done())
}

fn token(response: Response) -> Response {
    response.delta(json!({ "content": WORD }))
}

/// The same answer in one write.
fn at_once(response: &Response) -> Response {
    Response::stream().raw(&response.body())
}
