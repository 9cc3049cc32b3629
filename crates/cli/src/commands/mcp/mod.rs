//! `turnkit mcp`: the Model Context Protocol.

mod call;
mod doctor;
mod images;
mod import;
mod list;
mod serve;
pub(super) mod servers;
mod tools;

use std::process::ExitCode;
use std::time::Duration;

use crate::args::{Mcp, Place};
use crate::failure::Failure;
pub(super) use servers::server_tool;

pub(crate) async fn run(place: &Place, command: &Mcp) -> Result<ExitCode, Failure> {
    match command {
        Mcp::Ls { json } => list::run(place, *json),
        Mcp::Tools { server, json } => tools::run(place, server.as_deref(), *json).await,
        Mcp::Call(call) => call::run(place, call).await,
        Mcp::Doctor { timeout, json } => doctor::run(place, Duration::from_secs(*timeout), *json).await,
        Mcp::Import { file } => import::run(file),
        Mcp::Serve => serve::run(place).await,
    }
}
