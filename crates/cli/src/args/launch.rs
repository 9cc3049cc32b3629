//! `turnkit launch`.

use std::ffi::OsString;
use std::path::PathBuf;

/// Become a program that a tool runs. Tools start their programs through it; it is of no use to people.
#[derive(Debug, clap::Args)]
pub(crate) struct Launch {
    /// The parent process; the program is killed when it ends
    #[arg(long, value_name = "PID")]
    pub(crate) parent: i32,

    /// Stay beside the program, and kill its process group when the parent ends
    #[arg(long, conflicts_with = "roots")]
    pub(crate) group: bool,

    /// Run the program in a sandbox, in which it may read, run and change the files of this folder
    #[arg(long = "root", value_name = "DIR")]
    pub(crate) roots: Vec<PathBuf>,

    /// Let the program in the sandbox read and run the files of this folder
    #[arg(long, value_name = "DIR", requires = "roots")]
    pub(crate) readable: Vec<PathBuf>,

    /// The program and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub(crate) command: Vec<OsString>,
}
