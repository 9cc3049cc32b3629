//! A fake provider upstream on a real socket.

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

use crate::transcript::{Violation, check_for, join_violations};
pub use request::Received;
pub use response::Response;

/// A scripted server on the loopback interface, with real faults on a real socket.
///
/// Each `POST` to a path of a wire's model calls (`…/chat/completions`, `…/responses`, `…/messages`,
/// `…:streamRawPredict`, `…:streamGenerateContent?alt=sse`) takes the next [`Response`] of the script, or is answered
/// by a function of the request. A malformed transcript gets 400, takes no response, and is recorded with its
/// violations; after the end of the script the answer is 500. [`Response`] has methods for Chat Completions; scripts
/// write events of the other wires with [`event`](Response::event). Dropping the server closes its connections.
///
/// Do not pause tokio's time: it jumps ahead while a task waits for a socket. Hold a response with a
/// [`Gate`](crate::Gate).
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

/// Connection, request and response counters of a [`FakeUpstream`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Connections that are currently open.
    pub open_connections: usize,
    /// Connections accepted since the start.
    pub connections: usize,
    /// Complete requests received since the start.
    pub requests: usize,
    /// Responses that are currently being written.
    pub responding: usize,
    /// Responses cut short because the client closed the connection.
    pub abandoned: usize,
}

/// Creates the response to a request.
type Handler = Box<dyn Fn(&Received) -> Response + Send + Sync>;

struct Shared {
    script: Mutex<VecDeque<Response>>,
    handler: Option<Handler>,
    tokens: Mutex<Tokens>,
    received: Mutex<Vec<Received>>,
    counts: watch::Sender<Counts>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared").field("script", &self.script).field("received", &self.received).finish_non_exhaustive()
    }
}

/// The access tokens that the upstream issues.
#[derive(Debug, Default)]
struct Tokens {
    /// The lifetimes, in seconds, of the tokens not issued yet.
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
    /// Starts a server on a free port with one response per request, in the order the requests arrive.
    ///
    /// # Errors
    /// No port can be bound.
    pub async fn start(script: impl IntoIterator<Item = Response>) -> io::Result<Self> {
        Self::run(script.into_iter().collect(), None).await
    }

    /// Starts a server on a free port that computes each response from its request.
    ///
    /// # Errors
    /// No port can be bound.
    pub async fn with_handler(handler: impl Fn(&Received) -> Response + Send + Sync + 'static) -> io::Result<Self> {
        Self::run(VecDeque::new(), Some(Box::new(handler))).await
    }

    async fn run(script: VecDeque<Response>, handler: Option<Handler>) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            script: Mutex::new(script),
            handler,
            tokens: Mutex::default(),
            received: Mutex::new(Vec::new()),
            counts: watch::Sender::new(Counts::default()),
        });
        let mut server = JoinSet::new();
        server.spawn(accept(listener, Arc::clone(&shared)));
        Ok(Self { address, shared, _server: server })
    }

    /// Returns the base URL to configure in a provider; it ends in `/v1`.
    pub fn base_url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Returns the address the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Appends a response to the script.
    pub fn push(&self, response: Response) {
        lock(&self.shared.script).push_back(response);
    }

    /// Adds access tokens with these lifetimes in seconds. Every `POST …/token` takes the next token; their names are
    /// `token-1`, `token-2` and so on.
    pub fn push_tokens(&self, lifetimes: impl IntoIterator<Item = u32>) {
        lock(&self.shared.tokens).left.extend(lifetimes);
    }

    /// Drops the responses that no request has taken yet.
    pub fn clear_script(&self) {
        lock(&self.shared.script).clear();
    }

    /// Returns all requests received so far, including rejected ones.
    pub fn requests(&self) -> Vec<Received> {
        lock(&self.shared.received).clone()
    }

    /// Returns the current counters.
    pub fn counts(&self) -> Counts {
        *self.shared.counts.borrow()
    }

    /// Waits until `wanted` returns `true` for the counters, then returns them.
    pub async fn wait_for(&self, wanted: impl FnMut(&Counts) -> bool) -> Counts {
        // The sender lives in `self`, so the channel cannot close.
        self.shared.counts.subscribe().wait_for(wanted).await.map(|counts| *counts).unwrap_or_default()
    }

    /// Waits until the client has closed a connection before the response on it was complete.
    pub async fn wait_abandoned(&self) {
        self.wait_for(|counts| counts.abandoned > 0).await;
    }

    /// Waits until no connection is open.
    pub async fn wait_closed(&self) {
        self.wait_for(|counts| counts.open_connections == 0).await;
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
            let made = || self.handler.as_ref().map(|handle| handle(&received));
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
        let error = json!({ "message": join_violations(violations), "type": "invalid_request_error", "code": null });
        Response::json(400, &json!({ "error": error }))
    })
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
