//! `turnkit mcp serve`: agents as tools, over standard input and output.

use std::process::ExitCode;

use crate::args::Place;
use crate::commands::serve::{StopSignals, delete_old_logs};
use crate::config::load;
use crate::failure::Failure;
use crate::terminal::remark;
use crate::wiring::{Installation, Opened};

pub(super) async fn run(place: &Place) -> Result<ExitCode, Failure> {
    let resolved = load(place)?;
    resolved.notices.iter().chain(&resolved.data_notice).for_each(|notice| remark(notice));
    let installation = match Installation::open_or_remote(resolved, place.data.as_deref())? {
        Opened::Local(installation) => installation,
        Opened::Remote(path, server) => {
            return Err(Failure::Data(format!(
                "a server uses the data in {}: let the program connect to {}/mcp instead, or choose another directory \
                 with --data",
                path.display(),
                server.url
            )));
        }
    };
    let mut stop = StopSignals::listen()?;
    let service = installation.service();
    service.resume_unfinished().await?;
    let server = installation.server(service.clone()).await?;
    let (input, output) = (tokio::io::stdin(), tokio::io::stdout());
    tokio::select! {
        served = server.serve_mcp(input, output, stop.next(), installation.drain()) => {
            let finished = served.map_err(|error| Failure::of_output(&error))?;
            if !finished {
                tracing::warn!("turns that did not finish in time continue at the next start");
            }
        }
        () = delete_old_logs(&service) => {}
    }
    Ok(ExitCode::SUCCESS)
}
