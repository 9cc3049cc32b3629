//! `turnkit mcp`: the Model Context Protocol.

mod serve;

use std::process::ExitCode;

use crate::args::{Mcp, Place};
use crate::failure::Failure;

pub(crate) async fn run(place: &Place, command: &Mcp) -> Result<ExitCode, Failure> {
    match command {
        Mcp::Serve => serve::run(place).await,
    }
}
