//! `turnkit serve`: serves the installation over HTTP until a signal stops it.

mod browser;
mod open_files;
mod stop;

use std::net::{SocketAddr, TcpListener};
use std::process::ExitCode;
use std::time::Duration;

use turnkit_engine::TurnService;

use crate::args::{Place, Serve};
use crate::config::{AuthMode, Listen, LogFormat, Resolved, load};
use crate::failure::Failure;
use crate::log;
use crate::terminal::{line, remark};
use crate::wiring::Installation;
pub(in crate::commands) use stop::StopSignals;

/// The interval at which the logs of old turns are deleted.
const LOG_CLEANUP_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// The time for turns to be handed over when the server exits at once.
const HAND_OVER: Duration = Duration::from_secs(1);

pub(crate) async fn run(place: &Place, serve: &Serve, verbose: u8) -> Result<ExitCode, Failure> {
    let resolved = load(place)?;
    let _log = log::for_a_server(&resolved.config.log, verbose);
    let wanted = address(&resolved, serve.listen)?;
    if serve.open && !resolved.config.page.enabled {
        return Err(Failure::Usage("--open: page.enabled is false, so there is no page to open".to_owned()));
    }
    let of_metrics = resolved.config.server.metrics_listen;
    notices(&resolved);
    let installation = Installation::open(resolved, place.data.as_deref())?;
    let mut stop = StopSignals::listen()?;
    let (listener, url) = listen(wanted, "--listen")?;
    let of_metrics = of_metrics.map(|Listen(address)| listen(address, "server.metrics_listen")).transpose()?;
    let service = installation.service();
    let resumed = service.resume_unfinished().await?;
    let mut server = installation.server(service.clone()).await?;
    if let Some((listener, url)) = of_metrics {
        tracing::info!(url = format!("{url}/metrics"), "metrics are served at an address of their own");
        server = server.with_metrics_on(listener);
    }
    installation.announce(&url, server.operator_token())?;
    if resumed > 0 {
        tracing::info!(turns = resumed, "unfinished turns continue");
    }
    line(&format!("turnkit listening on {url}")).map_err(|error| Failure::of_output(&error))?;
    if serve.open {
        browser::open(&url);
    }

    let (stop_sender, stop_receiver) = tokio::sync::oneshot::channel::<()>();
    let served = server.serve(listener, async { drop(stop_receiver.await) }, installation.drain());
    let leave = async {
        stop.next().await;
        tracing::info!("stopping; a second signal exits immediately");
        drop(stop_sender);
        stop.next().await;
    };
    tokio::select! {
        served = served => {
            let finished = served.map_err(|error| Failure::Failed(format!("cannot serve on {url}: {error}")))?;
            if !finished {
                tracing::warn!("turns that did not finish in time continue at the next start");
            }
        }
        () = leave => {
            let _ = tokio::time::timeout(HAND_OVER, service.drain(Duration::ZERO)).await;
            tracing::warn!("exited immediately; unfinished turns continue at the next start");
        }
        () = delete_old_logs(&service) => {}
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the address to listen on. Anyone who can reach an address without authentication may do everything, so only
/// loopback addresses may lack it.
fn address(resolved: &Resolved, wanted: Option<Listen>) -> Result<SocketAddr, Failure> {
    let Listen(address) = wanted.unwrap_or(resolved.config.server.listen);
    if address.ip().is_loopback() || resolved.config.auth.mode != AuthMode::None {
        return Ok(address);
    }
    let message = format!(
        "{address} can be reached from other machines, and without authentication everyone there could use the agents \
         and read all sessions: make a key with `turnkit keys create NAME` and set auth.mode = \"api_key\", or listen \
         on 127.0.0.1"
    );
    match wanted {
        Some(_) => Err(Failure::Usage(format!("--listen: {message}"))),
        None => Err(resolved.source.complaint("server.listen", message).into()),
    }
}

/// Prints notices for the person who starts the server.
fn notices(resolved: &Resolved) {
    let limited = open_files::raise();
    for notice in resolved.notices.iter().chain(&resolved.data_notice).chain(&limited) {
        match resolved.config.log.format {
            LogFormat::Text => remark(notice),
            LogFormat::Json => tracing::warn!("{notice}"),
        }
    }
}

/// Returns a listener on the address in `setting`, and its URL on this machine.
fn listen(address: SocketAddr, setting: &str) -> Result<(TcpListener, String), Failure> {
    let cannot = |error: std::io::Error| {
        Failure::Failed(format!("cannot listen on {address}: {error}; choose another address with {setting}"))
    };
    let listener = TcpListener::bind(address).map_err(cannot)?;
    let local = listener.local_addr().map_err(cannot)?;
    Ok((listener, turnkit_server::local_url(local)))
}

/// Deletes the logs of old turns at regular intervals, forever. After a failure, the next interval retries.
pub(in crate::commands) async fn delete_old_logs(service: &TurnService) {
    let mut times = tokio::time::interval(LOG_CLEANUP_INTERVAL);
    loop {
        times.tick().await;
        if let Err(error) = service.delete_expired().await {
            tracing::warn!(%error, "cannot delete the logs of old turns");
        }
    }
}
