//! `turnkit sessions compact`: replaces earlier messages with a summary.

use std::process::ExitCode;

use crate::chat::follow_to_end;
use crate::data::Data;
use crate::failure::Failure;

pub(super) async fn run(data: &Data, wanted: &str) -> Result<ExitCode, Failure> {
    let session = data.find_session(wanted).await?;
    let runner = data.runner();
    let turn = runner.compact(session).await?;
    follow_to_end(data, &runner, session, turn).await
}
