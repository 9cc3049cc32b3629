//! Tests bodies that arrive compressed although the request asked for the identity encoding.
#![expect(clippy::unwrap_used, reason = "a failing helper is a failing test")]

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::StreamExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use turnkit_net::{Body, ClientOptions, HttpClient, NetError, Target};

const TEXT: &str = "data: one\n\ndata: two\n\ndata: one\n\ndata: two\n\ndata: one\n\ndata: two\n\n";
/// [`TEXT`] as brotli.
const BROTLI: &str = "1b4100f81d076e2cc73b37afb30421736b059d373a1d56f67627393086a00aa0848b510b7c49";
/// 100,000 times the letter a.
const BROTLI_BOMB: &str = "5b9f86815f222c1e0b04b2fc0200";
/// Two events, each flushed separately, and the end of the stream.
const BROTLI_EVENTS: [&str; 3] = ["0b0580646174613a206f6e650a0a", "5000805f5ae18dee4e11a24a04600b", "03"];
const MAX_BODY: usize = 50_000;

fn hex(digits: &str) -> Vec<u8> {
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Opens a response and returns its socket, its unread body, and the head of the request.
async fn begun(encoding: &str) -> (TcpStream, Body, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let target = Target::new(&format!("http://{}/", listener.local_addr().unwrap())).unwrap();
    let client = HttpClient::new(&ClientOptions { max_body: MAX_BODY, ..ClientOptions::default() });
    let server = async {
        let (mut socket, _) = listener.accept().await.unwrap();
        let mut head = vec![0; 1024];
        let read = socket.read(&mut head).await.unwrap();
        let reply = format!("HTTP/1.1 200 OK\r\n{encoding}transfer-encoding: chunked\r\n\r\n");
        socket.write_all(reply.as_bytes()).await.unwrap();
        (socket, String::from_utf8_lossy(&head[..read]).into_owned())
    };
    let ((socket, head), response) = tokio::join!(server, client.get(&target));
    (socket, response.unwrap().into_body(), head)
}

async fn write(socket: &mut TcpStream, chunk: &[u8]) {
    let mut framed = format!("{:x}\r\n", chunk.len()).into_bytes();
    framed.extend_from_slice(chunk);
    framed.extend_from_slice(b"\r\n");
    // The reader may have closed the connection.
    let _ = socket.write_all(&framed).await;
}

/// Decodes a body that arrives in chunks of `size` bytes.
async fn read(encoding: &str, body: &[u8], size: usize) -> Result<Vec<u8>, NetError> {
    let (mut socket, arriving, _) = begun(encoding).await;
    let server = async {
        for chunk in body.chunks(size) {
            write(&mut socket, chunk).await;
        }
        let _ = socket.write_all(b"0\r\n\r\n").await;
    };
    tokio::join!(server, arriving.collect(MAX_BODY)).1
}

#[tokio::test]
async fn requests_accept_only_bodies_without_an_encoding() {
    let (_, _, head) = begun("").await;
    assert!(head.contains("accept-encoding: identity\r\n"), "{head}");
}

#[tokio::test]
async fn gzip_and_brotli_are_decoded_for_any_split_of_the_body() {
    for (encoding, body) in [
        ("content-encoding: gzip\r\n", gzip(TEXT.as_bytes())),
        ("Content-Encoding: X-GZIP\r\n", gzip(TEXT.as_bytes())),
        ("content-encoding: gzip\r\n", [gzip(&TEXT.as_bytes()[..20]), gzip(&TEXT.as_bytes()[20..])].concat()),
        ("content-encoding: br\r\n", hex(BROTLI)),
        ("content-encoding: identity\r\n", TEXT.into()),
        ("content-encoding:\r\n", TEXT.into()),
        // The header left by a gateway that decodes the body without removing it.
        ("content-encoding: gzip\r\n", TEXT.into()),
        ("", TEXT.into()),
    ] {
        for size in [1, 7, body.len()] {
            let read = read(encoding, &body, size).await;
            assert_eq!(read.as_deref(), Ok(TEXT.as_bytes()), "{encoding} in chunks of {size}");
        }
    }
}

#[tokio::test]
async fn flushed_bytes_are_decoded_before_the_rest_arrives() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let mut gzip = Vec::new();
    for event in ["data: one\n\n", "data: two\n\n"] {
        encoder.write_all(event.as_bytes()).unwrap();
        encoder.flush().unwrap();
        gzip.push(std::mem::take(encoder.get_mut()));
    }
    gzip.push(encoder.finish().unwrap());
    let brotli = BROTLI_EVENTS.map(hex).to_vec();
    for (encoding, pieces) in [("content-encoding: gzip\r\n", gzip), ("content-encoding: br\r\n", brotli)] {
        let (mut socket, mut body, _) = begun(encoding).await;
        for (piece, event) in pieces.iter().zip(["data: one\n\n", "data: two\n\n"]) {
            write(&mut socket, piece).await;
            let mut said = Vec::new();
            while said.len() < event.len() {
                said.extend_from_slice(&body.next().await.unwrap().unwrap());
            }
            assert_eq!(String::from_utf8(said).unwrap(), event, "{encoding}");
        }
        write(&mut socket, &pieces[2]).await;
        socket.write_all(b"0\r\n\r\n").await.unwrap();
        assert_eq!(body.next().await, None, "{encoding}");
    }
}

#[tokio::test]
async fn an_encoded_body_is_limited_and_must_be_complete() {
    let whole = gzip(TEXT.as_bytes());
    let mut damaged = whole.clone();
    damaged[15] ^= 0xFF;
    for (encoding, body, expected) in [
        ("gzip", gzip(&[b'a'; MAX_BODY + 1]), NetError::TooLarge),
        ("br", hex(BROTLI_BOMB), NetError::TooLarge),
        ("gzip", whole[..whole.len() - 1].to_vec(), NetError::Incomplete),
        ("gzip", whole[..5].to_vec(), NetError::Incomplete),
        ("br", hex(BROTLI)[..20].to_vec(), NetError::Incomplete),
        ("gzip", damaged, NetError::Damaged("gzip")),
        ("br", TEXT.into(), NetError::Damaged("br")),
        ("zstd", TEXT.into(), NetError::Encoding("zstd".to_owned())),
        ("gzip, br", TEXT.into(), NetError::Encoding("gzip, br".to_owned())),
        (&*"x".repeat(1000), TEXT.into(), NetError::Encoding("x".repeat(64))),
    ] {
        let header = format!("content-encoding: {encoding}\r\n");
        let size = body.len();
        assert_eq!(read(&header, &body, size).await, Err(expected), "{encoding}");
    }
    let error = NetError::Encoding("zstd".to_owned()).to_string();
    assert_eq!(error, r#"the response is encoded as "zstd", which was not asked for and cannot be read"#);
}

#[tokio::test]
async fn an_encoded_response_without_a_body_is_empty() {
    assert_eq!(read("content-encoding: gzip\r\n", b"", 1).await.as_deref(), Ok(&b""[..]));
}
