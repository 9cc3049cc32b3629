//! The measured costs. Each is the difference between two runs of a program, divided by the number of additional
//! operations.

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
];

const fn piece(what: &'static str, name: &'static str, times: u32) -> Measure {
    Measure { what, less: Run::Piece(name, times), more: Run::Piece(name, 2 * times), times }
}

const fn turns(what: &'static str, kind: &'static str, times: u32) -> Measure {
    Measure { what, less: Run::Turns(times, kind), more: Run::Turns(2 * times, kind), times }
}
