//! `turnkit sessions` and `turnkit turns`.

use std::path::PathBuf;

use clap::Subcommand;
use turnkit_core::{SessionId, TurnId, TurnState};
use turnkit_engine::ExportFormat;

#[derive(Debug, clap::Args)]
pub(crate) struct Sessions {
    /// Use the server at this URL instead of local data; TURNKIT_API_KEY holds its key
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) server: Option<String>,

    #[command(subcommand)]
    pub(crate) command: SessionsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum SessionsCommand {
    /// List sessions, pinned ones first, otherwise the last used first
    Ls {
        /// As JSON
        #[arg(long)]
        json: bool,
        /// Show at most this many
        #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
        limit: u32,
        /// Sessions of this user instead of yours; for operators of a server, or on the machine that has the data
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
        /// Only what comes after this session in the list
        #[arg(long, value_name = "ID")]
        after: Option<SessionId>,
        /// Archived sessions instead of the others
        #[arg(long)]
        archived: bool,
    },
    /// Find sessions by words in their titles or messages, the last used first
    Search {
        /// Words that must all be in the title or in one turn; each also matches longer words that begin with it
        #[arg(required = true, value_name = "WORD")]
        words: Vec<String>,
        /// As JSON
        #[arg(long)]
        json: bool,
        /// Show at most this many
        #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
        limit: u32,
        /// Sessions of this user instead of yours; for operators of a server, or on the machine that has the data
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
        /// Only what comes after this session in the list
        #[arg(long, value_name = "ID")]
        after: Option<SessionId>,
    },
    /// Show the messages of a session
    Show {
        /// The session: its id, or your name for it
        session: String,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Show the request that a session would send now, with the tokens of each piece
    Context {
        /// The session: its id, or your name for it
        session: String,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Summarise the earlier messages of a session; models are sent the summary instead
    Compact {
        /// The session: its id, or your name for it
        session: String,
    },
    /// List the turns at which branches end; a star marks the one that the next message continues
    Branches {
        /// The session: its id, or your name for it
        session: String,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Let the next message continue another turn; all branches stay
    Switch {
        /// The session: its id, or your name for it
        session: String,
        /// The number of the turn in the session, as `branches` shows it
        turn: u32,
    },
    /// Write a session to standard output, for a later import or for people
    Export {
        /// The session: its id, or your name for it
        session: String,
        /// jsonl: all branches with their files; md: the messages of the current branch, as Markdown; json: the
        /// messages that a model is sent, as one object
        #[arg(long, default_value = "jsonl", value_name = "FORMAT")]
        format: ExportFormat,
    },
    /// Create a session from one that was exported as jsonl, with new ids; prints the id of the new session
    Import {
        /// The exported file; without it, standard input is read
        file: Option<PathBuf>,
    },
    /// Let lists begin with a session
    Pin {
        /// The session: its id, or your name for it
        session: String,
    },
    /// List a session among the others again
    Unpin {
        /// The session: its id, or your name for it
        session: String,
    },
    /// Leave a session out of lists until its next message
    Archive {
        /// The session: its id, or your name for it
        session: String,
    },
    /// List a session again
    Unarchive {
        /// The session: its id, or your name for it
        session: String,
    },
    /// Remove a session and all that belongs to it
    Rm {
        /// The session: its id, or your name for it
        session: String,
    },
}

#[derive(Debug, clap::Args)]
pub(crate) struct Turns {
    /// Use the server at this URL instead of local data; TURNKIT_API_KEY holds its key
    #[arg(long, global = true, value_name = "URL")]
    pub(crate) server: Option<String>,

    #[command(subcommand)]
    pub(crate) command: TurnsCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum TurnsCommand {
    /// List turns, the last accepted first
    Ls {
        /// As JSON
        #[arg(long)]
        json: bool,
        /// Only turns of this session: its id, or your name for it
        #[arg(long, value_name = "ID")]
        session: Option<String>,
        /// Only turns in this state: queued, running, waiting, cancelling, or how they ended
        #[arg(long, value_name = "STATE")]
        state: Option<TurnState>,
        /// Turns of this user instead of yours; for operators of a server, or on the machine that has the data
        #[arg(long, value_name = "NAME")]
        user: Option<String>,
        /// Show at most this many
        #[arg(long, default_value_t = 50, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
        limit: u32,
        /// Only what comes after this turn in the list
        #[arg(long, value_name = "ID")]
        after: Option<TurnId>,
    },
    /// Show a turn from its start, and follow it to its end
    Tail {
        /// The turn
        turn: TurnId,
        /// As one JSON object when the turn has ended
        #[arg(long)]
        json: bool,
    },
    /// Show what took how long in a turn
    Trace {
        /// The turn
        turn: TurnId,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Replay an ended turn offline, and show where it differs
    #[command(after_help = "\
Answers of the model come from recordings made with TURNKIT_RECORD, results of tools from the stored turn, and nothing is
written. Instructions, tools, permissions and limits are those of the present configuration.
Exit codes: 0 the same, 1 different, or nothing is recorded.")]
    Replay {
        /// The turn
        turn: TurnId,
        /// The folder of the recordings [default: the value of TURNKIT_RECORD]
        #[arg(long, value_name = "DIR")]
        from: Option<PathBuf>,
        /// As JSON
        #[arg(long)]
        json: bool,
    },
    /// Stop a turn; what was done is kept
    Cancel {
        /// The turn
        turn: TurnId,
    },
}
