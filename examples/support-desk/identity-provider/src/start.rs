//! The start of the provider.

use std::net::SocketAddr;
use std::sync::Arc;

use support_desk_shared::{RunningServer, bind};
use tokio_util::sync::CancellationToken;

use crate::client::Client;
use crate::clock::Clock;
use crate::issuer::Issuer;
use crate::keys::Keys;
use crate::provider::Provider;
use crate::routes::routes;
use crate::statistics::Statistics;

/// The settings of the provider.
#[derive(Clone)]
pub struct ProviderOptions {
    /// The address to listen on. Port 0 stands for any free port.
    pub listen: SocketAddr,
    /// The client that gets tokens.
    pub client: Client,
    /// The life of a token, in seconds.
    pub token_life: u64,
    /// The time of issued tokens.
    pub clock: Clock,
}

/// Starts the provider with a new key.
pub async fn start(options: ProviderOptions) -> anyhow::Result<RunningServer> {
    let listener = bind(options.listen).await?;
    let url = format!("http://{}", listener.local_addr()?);
    let issuer = Issuer { url, keys: Keys::generate()?, clock: options.clock, token_life: options.token_life };
    let provider = Provider { client: options.client, issuer, statistics: Statistics::default() };
    Ok(RunningServer::start(listener, routes(Arc::new(provider)), CancellationToken::new())?)
}
