//! Readers that stop reading, next to readers that continue.

use std::time::{Duration, Instant};

use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use turnkit_testkit::http::HttpClient;
use turnkit_testkit::trial::{Size, report};
use turnkit_testkit::{FakeUpstream, Gate, Response};

use crate::measure::{MeasuredProcess, come_to, may_open, megabytes};
use crate::server::Server;

/// The number of pieces in an answer, and the length of each. Together they are ten times the kernel's buffer for a
/// reader.
const PIECES: usize = 4_000;
const PIECE: usize = 200;
/// The number of pieces that the provider sends at once.
const CONCURRENT: usize = 4;
/// The additional memory that the server may use, in KiB.
const MAX_MEMORY: u64 = 64 * 1024;
/// The time after which a stalled reader must be disconnected.
const UNTIL_CLOSED: Duration = Duration::from_secs(35);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn stalled_readers_delay_no_other_reader_cost_little_and_are_closed() {
    let size = Size::from_env();
    let (stalled, live) = size.of((100, 10), (1_000, 100));
    let (first, second) = (Gate::new(), Gate::new());
    let upstream = FakeUpstream::start([answer(&first), answer(&second)]).await.unwrap();
    let server = Server::asking(&upstream).await;
    let (Some(process), true) = (MeasuredProcess::of(&server), may_open(stalled as u64 + 500)) else { return };

    let (alone, _) = one_turn(&server, &first, 0, live).await;
    let before = process.memory();
    let (beside, readers) = one_turn(&server, &second, stalled, live).await;
    let more = process.memory().saturating_sub(before);
    assert!(more <= MAX_MEMORY, "{} MB more for {stalled} readers that stall", megabytes(more));
    let stalled_since = Instant::now();
    let closed = if size == Size::Full {
        assert!(come_to(&server, 0, UNTIL_CLOSED).await, "readers that stall are still there");
        format!("{stalled} closed after {} s", stalled_since.elapsed().as_secs())
    } else {
        assert!(come_to(&server, stalled, Duration::from_secs(5)).await, "only those who stall are still there");
        "their closing was not waited for".to_owned()
    };
    drop(readers);
    let counted = format!(
        "{stalled} stalled, {live} live: each of {PIECES} pieces reached each live reader, the longest of 99 in 100 gaps \
         was {} ms ({} ms without the stalled), {} MB more, {closed}",
        beside.as_millis(),
        alone.as_millis(),
        megabytes(more)
    );
    report("stalled readers", counted);
}

/// Returns an answer that begins when the gate opens.
fn answer(gate: &Gate) -> Response {
    let pieces = |from: usize| (from..from + CONCURRENT).map(piece).map(|piece| json!({ "content": piece }));
    let bodies =
        (0..PIECES).step_by(CONCURRENT).map(|from| pieces(from).fold(Response::stream(), Response::delta).body());
    let said = bodies.fold(Response::stream(), |response, body| response.raw(&body)).pace(Duration::from_millis(1));
    Response::stream().wait(gate).followed_by(said.finish("stop").done())
}

fn piece(number: usize) -> String {
    format!("{number:>width$} ", width = PIECE - 1)
}

/// Runs a turn for these readers. Returns the 99th percentile of the gaps between two pieces that live readers saw, and
/// the connections of the stalled readers.
async fn one_turn(server: &Server, gate: &Gate, stalled: usize, live: usize) -> (Duration, Vec<TcpStream>) {
    let session = server.session().await;
    let turn = server.say(&session, "Say a lot.").await;
    let path = format!("/api/v1/turns/{turn}/events");
    let mut readers = Vec::new();
    for _ in 0..stalled {
        readers.push(ask_and_stall(server.address(), &path).await);
    }
    let reading: JoinSet<Vec<Duration>> = (0..live).map(|_| read_all(server.client(), path.clone())).collect();
    assert!(come_to(server, stalled + live, Duration::from_secs(10)).await, "all readers are there");
    gate.open();
    let mut gaps = reading.join_all().await.concat();
    gaps.sort();
    let text: String = (0..PIECES).map(piece).collect();
    assert_eq!(server.answer(&turn).await, text);
    (gaps[gaps.len() * 99 / 100], readers)
}

/// Sends a request and never reads the response.
async fn ask_and_stall(address: &str, path: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4 * 1024).unwrap();
    let mut stream = socket.connect(address.parse().unwrap()).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    stream
}

/// Reads a turn to its end. Returns the gap before each piece.
async fn read_all(client: HttpClient, path: String) -> Vec<Duration> {
    let mut stream = client.follow(&path, None).await.unwrap();
    let (mut pieces, mut gaps, mut last) = (0, Vec::new(), None::<Instant>);
    while let Some(frame) = stream.next().await.unwrap() {
        match frame.name() {
            "part.delta" => {
                assert_eq!(frame.json()["delta"], piece(pieces));
                pieces += 1;
                gaps.extend(last.map(|last| last.elapsed()));
                last = Some(Instant::now());
            }
            "turn.ended" => assert_eq!(frame.json()["status"], "completed"),
            _ => {}
        }
    }
    assert_eq!(pieces, PIECES);
    gaps
}
