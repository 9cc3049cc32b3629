//! Many pages that follow an idle session.

use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use turnkit_testkit::trial::{Size, report};

use crate::measure::{MeasuredProcess, come_to, may_open, megabytes};
use crate::server::Server;

/// The largest memory of the server, in KiB.
const MAX_MEMORY: u64 = 400 * 1024;
/// The number of bytes that a closed stream may leave behind, on average. Memory kept for reuse varies by some
/// megabytes, so a leak shows only over many streams.
const LEFT_BEHIND: u64 = 100;
/// The time in which the server must notice that all clients have left.
const UNTIL_NOTICED: Duration = Duration::from_secs(5);
/// The tolerance for the number of open files afterwards.
const FILES: usize = 5;
/// The share of a processor that idle streams may use, in percent.
const MAX_PROCESSOR: u128 = 10;
/// The largest number of clients that connect at the same time.
const CONCURRENT: usize = 64;

#[tokio::test]
async fn idle_streams_cost_little_and_nothing_once_they_are_closed() {
    let size = Size::from_env();
    let (streams, rounds) = size.of((1_000, 80), (9_500, 40));
    let server = Server::offline().await;
    let (Some(process), true) = (MeasuredProcess::of(&server), may_open(streams as u64 + 100)) else { return };
    let session = server.session().await;
    let mut open = Vec::new();
    let files = process.open_files();
    let (mut most, mut processor, mut slowest) = (0, 0, Duration::ZERO);
    let mut allocated = Vec::new();
    for round in 1..=rounds {
        connect(&server, &session, streams, &mut open).await;
        assert!(come_to(&server, streams, UNTIL_NOTICED).await, "{streams} streams are open");
        if round == 1 {
            // In a full trial, each stream gets two keep-alive comments meanwhile.
            processor = used_in(&process, size.of(Duration::from_secs(1), Duration::from_secs(31))).await;
        }
        most = most.max(process.memory());
        allocated.push(process.allocated());
        let leaving = Instant::now();
        open.clear();
        assert!(come_to(&server, 0, UNTIL_NOTICED).await, "the server does not notice that everyone has left");
        slowest = slowest.max(leaving.elapsed());
    }
    let files_after = settle(&process, files).await;
    assert!(files_after.abs_diff(files) <= FILES, "{files} files were open before and {files_after} are now");
    assert!(most <= MAX_MEMORY, "{} MB", megabytes(most));
    let (first, middle) = (allocated[0], median(&allocated[rounds / 4..rounds / 2]));
    let last = median(&allocated[rounds * 3 / 4..]);
    let growth = last.saturating_sub(middle) * 1024 / (streams * rounds / 2) as u64;
    assert!(
        growth <= LEFT_BEHIND,
        "{middle} KiB, then {last} KiB: {growth} bytes more for each stream between: {allocated:?}"
    );
    assert!(processor <= MAX_PROCESSOR, "{processor} % of a processor");
    let counted = format!(
        "{streams} streams, opened and closed {rounds} times: {} MB at most; {} MB allocated the first time, {} MB in \
         the middle, {} MB the last time, {growth} bytes for each between, {processor} % of a processor, closed within \
         {} ms, {files} files before and {files_after} after",
        megabytes(most),
        megabytes(first),
        megabytes(middle),
        megabytes(last),
        slowest.as_millis()
    );
    report("idle streams", counted);
}

/// Returns the median of these rounds. Memory kept for reuse makes some rounds higher or lower. Memory that is never
/// freed makes all later rounds higher.
fn median(memory: &[u64]) -> u64 {
    let mut sorted = memory.to_vec();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}

/// Opens streams until this many are open. A stream is open once it has received the snapshot of the session.
async fn connect(server: &Server, session: &str, streams: usize, open: &mut Vec<TcpStream>) {
    let mut opening = JoinSet::new();
    while open.len() < streams {
        while opening.len() < CONCURRENT && open.len() + opening.len() < streams {
            opening.spawn(listen(server.address().to_owned(), session.to_owned()));
        }
        open.extend(opening.join_next().await.map(Result::unwrap));
    }
}

async fn listen(address: String, session: String) -> TcpStream {
    let mut socket = TcpStream::connect(&address).await.unwrap();
    let request = format!("GET /api/v1/sessions/{session}/events HTTP/1.1\r\nhost: {address}\r\n\r\n");
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut told = Vec::new();
    while !told.windows(14).any(|bytes| bytes == b"event: resync\n") {
        assert_ne!(socket.read_buf(&mut told).await.unwrap(), 0, "{}", String::from_utf8_lossy(&told));
    }
    socket
}

/// Returns the share of a processor that is used in this time, in percent.
async fn used_in(process: &MeasuredProcess, time: Duration) -> u128 {
    let before = process.processor_time();
    tokio::time::sleep(time).await;
    (process.processor_time() - before).as_millis() * 100 / time.as_millis()
}

/// Returns the number of open files, after waiting for the sockets of clients that left to be closed.
async fn settle(process: &MeasuredProcess, before: usize) -> usize {
    for _ in 0..100 {
        if process.open_files().abs_diff(before) <= FILES {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    process.open_files()
}
