//! One connection: requests in, responses out, faults included.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;

use super::response::{Act, Response};
use super::{Shared, request};

/// How a response came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// It was said whole; the next request may come.
    Whole,
    /// The script cuts the connection.
    Cut,
    /// The script resets the connection.
    Reset,
    /// The client left first.
    Abandoned,
}

/// Serves a connection until either side ends it.
pub(super) async fn serve(mut stream: TcpStream, shared: Arc<Shared>) {
    // Each write shall be a segment of its own; where that fails, the bytes are still right.
    let _ = stream.set_nodelay(true);
    let mut buffer = Vec::new();
    while let Some(received) = request::read(&mut stream, &mut buffer).await {
        let response = shared.respond(received);
        shared.counts.send_modify(|counts| counts.answering += 1);
        let ending = respond(&mut stream, &mut buffer, response).await;
        shared.counts.send_modify(|counts| counts.answering -= 1);
        match ending {
            Ending::Whole => continue,
            Ending::Cut => {}
            Ending::Reset => {
                let _ = stream.set_zero_linger();
            }
            Ending::Abandoned => shared.counts.send_modify(|counts| counts.abandoned += 1),
        }
        break;
    }
    drop(stream);
    shared.counts.send_modify(|counts| counts.open_connections -= 1);
}

/// Plays `response`, and watches meanwhile whether the client leaves.
async fn respond(stream: &mut TcpStream, buffer: &mut Vec<u8>, response: Response) -> Ending {
    let (mut input, mut output) = stream.split();
    let left = async { while matches!(input.read_buf(buffer).await, Ok(1..)) {} };
    tokio::select! {
        biased;
        ending = play(&mut output, response) => ending.unwrap_or(Ending::Abandoned),
        () = left => Ending::Abandoned,
    }
}

async fn play(output: &mut (impl AsyncWrite + Unpin), response: Response) -> io::Result<Ending> {
    output.write_all(&response.head()).await?;
    let chunked = response.is_chunked();
    for act in response.into_acts() {
        match act {
            Act::Send(bytes) if bytes.is_empty() => {}
            Act::Send(bytes) if chunked => output.write_all(&chunk(&bytes)).await?,
            Act::Send(bytes) => output.write_all(&bytes).await?,
            Act::Sleep(duration) => tokio::time::sleep(duration).await,
            Act::Wait(gate) => gate.pass().await,
            Act::Hang => std::future::pending().await,
            Act::Cut => return Ok(Ending::Cut),
            Act::Reset => return Ok(Ending::Reset),
        }
    }
    if chunked {
        output.write_all(b"0\r\n\r\n").await?;
    }
    Ok(Ending::Whole)
}

/// A chunk of the transfer coding, to be written at once.
fn chunk(bytes: &[u8]) -> Vec<u8> {
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    chunk
}
