//! An upstream with a real socket.

mod connection;
mod request;
mod response;

use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::transcript::{Violation, check_for, listed};
pub use request::Received;
pub use response::Response;

/// A server on the loopback interface that answers from a script, with real faults on a real socket.
///
/// Every `POST` to where a wire asks for an answer (`…/chat/completions`, `…/responses`, `…/messages`,
/// `…:streamRawPredict`, `…:streamGenerateContent?alt=sse`) takes the next [`Response`]; what that says is up to the
/// script, which has words of its own for Chat Completions and [`event`](Response::event) for the others. A function of the
/// request may take the place of the script. A request whose transcript is malformed is answered 400,
/// takes none, and is recorded with its violations. After the end of the script the answer is 500. Dropping the server
/// closes all its connections.
///
/// Do not pause tokio's time around it: paused time jumps ahead while a socket is waited for. A [`Gate`](crate::Gate)
/// holds a response exactly where a test wants it.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
/// use turnkit_testkit::{FakeUpstream, Response};
///
/// let upstream = FakeUpstream::start([Response::status(429, "slow down").header("retry-after", "2")]).await?;
/// // … after a provider that was pointed at `upstream.base_url()` has called:
/// assert_eq!(upstream.counts().requests, 0);
/// # std::io::Result::Ok(()) }).unwrap();
/// ```
#[derive(Debug)]
pub struct FakeUpstream {
    address: SocketAddr,
    shared: Arc<Shared>,
    _server: JoinSet<()>,
}

/// How many there were, and are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Connections that are open now.
    pub open_connections: usize,
    /// Connections ever accepted.
    pub connections: usize,
    /// Requests ever received whole.
    pub requests: usize,
    /// Responses that are being given now.
    pub answering: usize,
    /// Responses the client did not let come to their end.
    pub abandoned: usize,
}

/// Makes the response to a request.
type Answering = Box<dyn Fn(&Received) -> Response + Send + Sync>;

struct Shared {
    script: Mutex<VecDeque<Response>>,
    answering: Option<Answering>,
    tokens: Mutex<Tokens>,
    received: Mutex<Vec<Received>>,
    counts: watch::Sender<Counts>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("script", &self.script).field("received", &self.received).finish_non_exhaustive()
    }
}

/// Access tokens.
#[derive(Debug, Default)]
struct Tokens {
    /// How many seconds each that is left is said to live.
    left: VecDeque<u32>,
    given: usize,
}

impl Tokens {
    fn next(&mut self) -> Response {
        let Some(lifetime) = self.left.pop_front() else {
            return Response::json(400, &json!({ "error": "invalid_grant" }));
        };
        self.given += 1;
        let token = format!("token-{}", self.given);
        Response::json(200, &json!({ "access_token": token, "expires_in": lifetime, "token_type": "Bearer" }))
    }
}

impl FakeUpstream {
    /// Starts a server on a free port with a response for each request, in the order the requests come.
    ///
    /// # Errors
    /// No port can be bound.
    pub async fn start(script: impl IntoIterator<Item = Response>) -> io::Result<Self> {
        Self::run(script.into_iter().collect(), None).await
    }

    /// Starts a server on a free port that makes the response to each request of what is in it.
    ///
    /// # Errors
    /// No port can be bound.
    pub async fn answering(answer: impl Fn(&Received) -> Response + Send + Sync + 'static) -> io::Result<Self> {
        Self::run(VecDeque::new(), Some(Box::new(answer))).await
    }

    async fn run(script: VecDeque<Response>, answering: Option<Answering>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            script: Mutex::new(script),
            answering,
            tokens: Mutex::default(),
            received: Mutex::new(Vec::new()),
            counts: watch::Sender::new(Counts::default()),
        });
        let mut server = JoinSet::new();
        server.spawn(accept(listener, Arc::clone(&shared)));
        Ok(Self { address, shared, _server: server })
    }

    /// What a provider is given as its base URL, ending in `/v1`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Adds a response to the end of the script.
    pub fn then(&self, response: Response) {
        lock(&self.shared.script).push_back(response);
    }

    /// Adds access tokens, each said to live so many seconds: every `POST …/token` takes the next, named `token-1` and on.
    pub fn then_tokens(&self, lifetimes: impl IntoIterator<Item = u32>) {
        lock(&self.shared.tokens).left.extend(lifetimes);
    }

    /// Drops the responses that nobody has asked for.
    pub fn forget(&self) {
        lock(&self.shared.script).clear();
    }

    /// What it received so far, refused requests included.
    pub fn requests(&self) -> Vec<Received> {
        lock(&self.shared.received).clone()
    }

    /// The numbers now.
    pub fn counts(&self) -> Counts {
        *self.shared.counts.borrow()
    }

    /// Waits until the numbers are as `wanted`, and gives them.
    pub async fn until(&self, wanted: impl FnMut(&Counts) -> bool) -> Counts {
        // The sender lives in `self`, so the channel cannot be closed.
        self.shared.counts.subscribe().wait_for(wanted).await.map(|counts| *counts).unwrap_or_default()
    }

    /// Waits until the client has closed a connection before the response on it was over.
    pub async fn abandoned(&self) {
        self.until(|counts| counts.abandoned > 0).await;
    }

    /// Waits until no connection is open.
    pub async fn closed(&self) {
        self.until(|counts| counts.open_connections == 0).await;
    }
}

async fn accept(listener: TcpListener, shared: Arc<Shared>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            biased;
            Some(_) = connections.join_next() => {}
            accepted = listener.accept() => {
                let Ok((stream, _)) = accepted else { continue };
                shared.counts.send_modify(|counts| {
                    counts.connections += 1;
                    counts.open_connections += 1;
                });
                connections.spawn(connection::serve(stream, Arc::clone(&shared)));
            }
        }
    }
}

impl Shared {
    /// Records a request and decides on its response.
    fn respond(&self, mut received: Received) -> Response {
        if received.method == "POST" && received.path.ends_with("/token") {
            self.record(received);
            return lock(&self.tokens).next();
        }
        let body = serde_json::from_slice::<Value>(&received.body);
        let check = check_for(&received.path).filter(|_| received.method == "POST");
        let refusal = match (check, body) {
            (None, _) => Some(Response::status(404, &format!("no {} {} here", received.method, received.path))),
            (_, Err(error)) => Some(Response::status(400, &format!("the body is not JSON: {error}"))),
            (Some(check), Ok(body)) => {
                received.violations = check(&body).err().unwrap_or_default();
                refused(&received.violations)
            }
        };
        let response = refusal.unwrap_or_else(|| {
            let made = || self.answering.as_ref().map(|answer| answer(&received));
            let next = lock(&self.script).pop_front().or_else(made);
            next.unwrap_or_else(|| Response::status(500, "the script has no response for this request"))
        });
        self.record(received);
        response
    }

    fn record(&self, received: Received) {
        lock(&self.received).push(received);
        self.counts.send_modify(|counts| counts.requests += 1);
    }
}

fn refused(violations: &[Violation]) -> Option<Response> {
    (!violations.is_empty()).then(|| {
        let error = json!({ "message": listed(violations), "type": "invalid_request_error", "code": null });
        Response::json(400, &json!({ "error": error }))
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
