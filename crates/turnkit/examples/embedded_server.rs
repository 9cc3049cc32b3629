//! The HTTP server inside a host program, next to a route of the host. The command line names the folder for its data
//! and the address to listen on.
//!
//! ```sh
//! cargo run --example embedded_server --features server
//! curl -sN http://127.0.0.1:8787/chat -H 'content-type: application/json' -d '{"message": "Hello!"}'
//! curl -s http://127.0.0.1:8787/hello
//! ```

use std::path::PathBuf;

use turnkit::axum::{Router, routing::get};
use turnkit::{Agent, Server, Turnkit};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut words = std::env::args().skip(1);
    let folder = words.next().map_or_else(|| "turnkit-server".into(), PathBuf::from);
    let address = words.next().unwrap_or_else(|| "127.0.0.1:8787".to_owned());

    let url = format!("sqlite:{}", folder.join("turnkit.db").display());
    let turnkit = Turnkit::open(url).agent("assistant", Agent::new("offline")).await?;
    let routes = Router::new().route("/hello", get(|| async { "Hello from the host." }));
    Server::new(turnkit).routes(routes).serve(address).await?;
    Ok(())
}
