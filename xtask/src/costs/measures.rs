//! The measured costs. Each is the difference between two runs of a program, divided by the number of additional
//! operations.

use super::unit::Unit;

/// The cost of one operation.
pub(super) struct Measure {
    /// The operation, as `costs.toml` names it.
    pub(super) what: &'static str,
    pub(super) less: Run,
    pub(super) more: Run,
    /// The number of operations in `more` beyond those in `less`.
    pub(super) times: u32,
}

/// A run of the program in `crates/cli/benches/costs`, which does one operation many times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Run {
    /// An operation of the library, this many times.
    Piece(&'static str, u32),
    /// This many turns of the binary, of one kind.
    Turns(u32, &'static str),
}

/// The measures. A new one needs one line here, and a loop or a kind of turn in the program.
pub(super) const MEASURES: &[Measure] = &[
    piece("token decoded, openai-chat", "decode-openai-chat", 2_000),
    piece("token decoded, openai-responses", "decode-openai-responses", 2_000),
    piece("token decoded, anthropic", "decode-anthropic", 2_000),
    piece("token decoded, gemini", "decode-gemini", 2_000),
    piece("token folded into its turn's log", "show", 10_000),
    piece("token folded, and read by a follower", "show-and-read", 10_000),
    piece("warm history of 100 messages encoded", "encode-history", 100),
    piece("machine, a step without calls", "step", 1_000),
    piece("machine, a step with a call", "step-with-a-call", 1_000),
    piece("call through a pool of 1", "pool-1", 1_000),
    piece("call through a pool of 10", "pool-10", 1_000),
    piece("call through a pool of 100", "pool-100", 1_000),
    piece("new database", "open", 5),
    piece("transaction that accepts", "accept", 100),
    Measure {
        what: "transaction that ends",
        less: Run::Piece("accept", 100),
        more: Run::Piece("accept-and-end", 100),
        times: 100,
    },
    turns("turn of 50 tokens in one read", "at-once-50", 20),
    Measure {
        what: "token of a turn, with others in one read",
        less: Run::Turns(20, "at-once-50"),
        more: Run::Turns(20, "at-once-250"),
        times: 20 * 200,
    },
    Measure {
        what: "token of a turn, in a read of its own",
        less: Run::Turns(2, "one-by-one-50"),
        more: Run::Turns(2, "one-by-one-150"),
        times: 2 * 100,
    },
    turns("turn of 3 tool rounds", "rounds-3", 10),
    turns(WITHOUT_SERVERS, "at-once-50", 100),
    turns(WITH_SERVERS, "deferred-50", 100),
];

/// The same turn without and with MCP servers, whose tools are read before the first turn. Their streams are opened in
/// the meantime, at a cost that varies, so more turns are counted than elsewhere.
const WITHOUT_SERVERS: &str = "warm turn, an agent with 1 tool";
const WITH_SERVERS: &str = "warm turn, the same with 20 servers and 1,000 deferred tools";

/// A cost that may be higher than another one by a share only, whatever is recorded.
pub(super) struct Surcharge {
    /// The measure with the cost.
    pub(super) what: &'static str,
    /// The measure to compare with.
    pub(super) beyond: &'static str,
    pub(super) unit: Unit,
    /// The highest share, in percent.
    pub(super) percent: f64,
}

/// The limits between measures.
pub(super) const SURCHARGES: &[Surcharge] =
    &[Surcharge { what: WITH_SERVERS, beyond: WITHOUT_SERVERS, unit: Unit::Instructions, percent: 6.0 }];

const fn piece(what: &'static str, name: &'static str, times: u32) -> Measure {
    Measure { what, less: Run::Piece(name, times), more: Run::Piece(name, 2 * times), times }
}

const fn turns(what: &'static str, kind: &'static str, times: u32) -> Measure {
    Measure { what, less: Run::Turns(times, kind), more: Run::Turns(2 * times, kind), times }
}
