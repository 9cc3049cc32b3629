//! Overload: more turns than a server has room for.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::task::JoinSet;
use turnkit_testkit::http::{EventStream, HttpClient};
use turnkit_testkit::trial::{Size, report};
use turnkit_testkit::{FakeUpstream, Gate, Response};

use crate::measure::{MeasuredProcess, gauge, gauge_comes_to, may_open, megabytes};
use crate::server::Server;

/// The number of turns that may wait for a slot.
const WAITING: usize = 1_000;
/// The largest number of clients that connect at the same time.
const CONCURRENT: usize = 64;
/// The number of clients that submit further turns at the same time.
const CLIENTS: usize = 10;
/// The number of tokens in a long answer, and the pause between them.
const TOKENS: usize = 100;
const PAUSE: Duration = Duration::from_millis(100);
/// The time limit of every step.
const PATIENCE: Duration = Duration::from_secs(120);

#[test]
fn turns_beyond_the_limits_are_rejected_at_once_and_no_other_is_lost() {
    let runtime = Builder::new_multi_thread().worker_threads(2).on_thread_start(give_way).enable_all().build();
    runtime.unwrap().block_on(overload());
}

/// Lowers the priority of readers and provider, so that the server has the processors as if they ran on other machines.
fn give_way() {
    #[cfg(unix)]
    rustix::process::nice(10).unwrap();
}

async fn overload() {
    let (running, refused) = Size::from_env().of((50, 50), (5_000, 1_000));
    let (begin, end) = (Gate::new(), Gate::new());
    let script = (0..running).map(|_| long(&begin, &end)).chain((0..=WAITING).map(|_| Response::text("At last.")));
    let upstream = FakeUpstream::start(script).await.unwrap();
    let server = Server::asking_with(&upstream, &format!("[worker]\nslots = {running}\n")).await;
    let files = 2 * running as u64 + 500;
    let (Some(process), true) = (MeasuredProcess::of(&server), may_open(files)) else { return };
    let before = process.memory();

    let streams = many(running, || begin_stream(server.client())).await;
    come_to(&server, "turnkit_turns_running", running).await;
    let receipts = many(WAITING, || say(server.client())).await;
    assert!(receipts.iter().all(|status| *status == 202), "as many may wait");
    come_to(&server, "turnkit_turns_waiting", WAITING).await;

    begin.open();
    let began = Instant::now();
    let readers: JoinSet<usize> = streams.into_iter().map(read_all).collect();
    let mut answers = refusals(server.address(), refused);
    answers.sort();
    let slowest = answers[answers.len() * 99 / 100];
    let memory = process.memory().saturating_sub(before);
    assert_eq!(gauge(&server, "turnkit_turns_waiting").await, WAITING, "who was refused takes no place");

    end.open();
    assert_eq!(readers.join_all().await, vec![TOKENS; running]);
    let took = began.elapsed();
    come_to(&server, "turnkit_turns_ended_total{status=\"completed\"}", running + WAITING).await;
    assert_eq!(say(server.client()).await, 202, "there is room again");
    let counted = format!(
        "{running} turns at 10 tokens/s and {WAITING} that wait: {refused} more were refused, 99 in 100 within {} ms; \
         {} tokens/s, {} MB more, none lost",
        slowest.as_millis(),
        (running * TOKENS) as u128 * 1_000 / took.as_millis(),
        megabytes(memory)
    );
    report("overload", counted);
}

async fn come_to(server: &Server, name: &str, number: usize) {
    assert!(gauge_comes_to(server, name, number, PATIENCE).await, "{name} comes to {number}");
}

/// Returns an answer that begins and ends when the gates open.
fn long(begin: &Gate, end: &Gate) -> Response {
    let words = (0..TOKENS).fold(Response::stream(), |said, _| said.delta(json!({ "content": "word " })));
    let words = words.pace(PAUSE);
    Response::stream().wait(begin).followed_by(words).wait(end).finish("stop").done()
}

/// Runs an action this many times, several at once.
async fn many<F, T>(times: usize, mut act: impl FnMut() -> F) -> Vec<T>
where
    F: Future<Output = T> + Send + 'static,
    T: Send + 'static,
{
    let (mut acting, mut done) = (JoinSet::new(), Vec::with_capacity(times));
    while done.len() < times {
        while acting.len() < CONCURRENT && done.len() + acting.len() < times {
            acting.spawn(act());
        }
        done.extend(acting.join_next().await.map(Result::unwrap));
    }
    done
}

fn message() -> Value {
    json!({ "message": "Say something." })
}

async fn begin_stream(client: HttpClient) -> EventStream {
    let stream = client.post_for_events("/api/v1/turns", &[], &message()).await.unwrap();
    assert_eq!(stream.status(), 200);
    stream
}

/// Starts a turn without following it.
async fn say(client: HttpClient) -> u16 {
    client.post("/api/v1/turns", &[], &message()).await.unwrap().status
}

/// Submits turns that the server has no room for. Returns the time of each response. Dedicated threads send the
/// requests, because a client among thousands of readers would measure its own delays.
fn refusals(address: &str, times: usize) -> Vec<Duration> {
    let ask = || (0..times / CLIENTS).map(|_| refusal(address)).collect::<Vec<_>>();
    std::thread::scope(|scope| {
        let asking: Vec<_> = (0..CLIENTS).map(|_| scope.spawn(ask)).collect();
        asking.into_iter().flat_map(|asker| asker.join().unwrap()).collect()
    })
}

/// Returns the time until the server responds that the client should retry later.
fn refusal(address: &str) -> Duration {
    let body = message().to_string();
    let asked = Instant::now();
    let mut socket = TcpStream::connect(address).unwrap();
    let head = format!(
        "POST /api/v1/turns HTTP/1.1\r\nhost: {address}\r\naccept: text/event-stream\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    socket.write_all((head + &body).as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    let took = asked.elapsed();
    assert!(answer.starts_with("HTTP/1.1 429 "), "{answer}");
    let again = answer.lines().find_map(|line| line.strip_prefix("retry-after: "));
    assert!(again.is_some_and(|seconds| seconds.parse::<u32>().is_ok()), "{answer}");
    took
}

/// Reads a turn to its end. Returns the number of its tokens.
async fn read_all(mut stream: EventStream) -> usize {
    let frames = stream.rest().await.unwrap();
    let last = frames.last().expect("an end");
    assert_eq!((last.name(), &last.json()["status"]), ("turn.ended", &json!("completed")));
    frames.iter().filter(|frame| frame.name() == "part.delta").count()
}
