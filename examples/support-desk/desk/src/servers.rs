//! The servers, each in a process of its own.

use std::net::{Ipv4Addr, SocketAddr};

use anyhow::ensure;
use support_desk_identity_provider::{Client, ProviderOptions, system_clock};
use support_desk_shared::{RunningServer, ServerOptions};
use tokio::io::AsyncReadExt;

use crate::arguments::{Server, ServerName};
use crate::environment::CLIENT_ID;
use crate::output;

/// Runs a server until the standard input ends, as it does when the process that started the server ends in any way.
pub(crate) async fn serve(server: &Server) -> anyhow::Result<()> {
    let running = start(server).await?;
    output::line(&format!("{} listening on {}", server.name.as_str(), running.url()))?;
    let mut input = tokio::io::stdin();
    let mut ignored = [0; 64];
    while input.read(&mut ignored).await? > 0 {}
    running.stop().await;
    Ok(())
}

async fn start(server: &Server) -> anyhow::Result<RunningServer> {
    let listen = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let options = || ServerOptions { listen, issuer: server.issuer.clone(), data: server.data.clone() };
    match server.name {
        ServerName::IdentityProvider => {
            ensure!(!server.client_secret.is_empty(), "the client has no secret: set DESK_CLIENT_SECRET");
            let client = Client { id: CLIENT_ID.to_owned(), secret: server.client_secret.clone() };
            let options = ProviderOptions { listen, client, token_life: server.token_life, clock: system_clock() };
            support_desk_identity_provider::start(options).await
        }
        ServerName::Ticketing => support_desk_ticketing::start(&options()).await,
        ServerName::Organisations => support_desk_organisations::start(&options()).await,
    }
}
