//! One connection: reads requests and writes responses, including their faults.

use std::io;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;

use super::response::{Act, Response};
use super::{Shared, request};

/// How a response ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// The response was written completely; the next request may follow.
    Whole,
    /// The script closes the connection.
    Cut,
    /// The script resets the connection.
    Reset,
    /// The client closed the connection first.
    Abandoned,
}

/// Serves a connection until either side closes it.
pub(super) async fn serve(mut stream: TcpStream, shared: Arc<Shared>) {
    // Each write should become a separate segment. If this fails, the bytes are still correct.
    let _ = stream.set_nodelay(true);
    let mut buffer = Vec::new();
    while let Some(received) = request::read(&mut stream, &mut buffer).await {
        let response = shared.respond(received);
        shared.counts.send_modify(|counts| counts.responding += 1);
        let ending = respond(&mut stream, &mut buffer, response).await;
        shared.counts.send_modify(|counts| counts.responding -= 1);
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

/// Plays `response`, and meanwhile watches for the client closing the connection.
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

/// Encodes one chunk of the transfer coding, so that a single write sends it.
fn chunk(bytes: &[u8]) -> Vec<u8> {
    let mut chunk = format!("{:x}\r\n", bytes.len()).into_bytes();
    chunk.extend_from_slice(bytes);
    chunk.extend_from_slice(b"\r\n");
    chunk
}
