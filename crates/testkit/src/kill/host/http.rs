//! Runs the service behind an HTTP server for ordinary clients.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use turnkit_engine::{RandomIds, SystemClock, TurnService};
use turnkit_server::{Server, ServerParts, Settings};
use turnkit_store::SqliteStore;

use super::pipes::{commands, print_line};
use crate::kill::protocol::{Command, Line};

/// The time running turns have to finish after the client has left.
const PATIENCE: Duration = Duration::from_secs(10);

/// Reports its address, then serves requests until the client quits.
pub(super) async fn serve(service: TurnService, sqlite: Arc<SqliteStore>) -> Result<(), Box<dyn std::error::Error>> {
    let server = Server::new(ServerParts {
        service,
        store: sqlite,
        providers: None,
        mcp_servers: None,
        recordings: None,
        clock: Arc::new(SystemClock),
        ids: Arc::new(RandomIds),
        settings: Settings::default(),
    });
    let server = server.await?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    print_line(&Line::Listening { address: listener.local_addr()?.to_string() });
    server.serve(listener, quit(commands()), PATIENCE).await?;
    Ok(())
}

async fn quit(mut commands: mpsc::Receiver<Command>) {
    while let Some(command) = commands.recv().await {
        if command == Command::Quit {
            return;
        }
    }
}
