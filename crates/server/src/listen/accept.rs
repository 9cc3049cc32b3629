//! The listening socket.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::peer::Peer;

/// The size of the kernel's send buffer for a client that does not read. A stalled reader costs this much memory
/// instead of megabytes.
const SEND_BUFFER_BYTES: usize = 64 * 1024;
/// The time within which a client must acknowledge sent data. A stalled response body is not polled for more data, so
/// no layer above the socket would notice.
#[cfg(target_os = "linux")]
const STALL_TIMEOUT: Duration = Duration::from_secs(30);
/// The pause before the next accept when the process has no file descriptors left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
const LOG_INTERVAL: Duration = Duration::from_secs(1);

/// A listening socket.
pub(super) struct Listener {
    socket: tokio::net::TcpListener,
    address: SocketAddr,
    failures: LogThrottle,
}

impl Listener {
    pub(super) fn open(listener: std::net::TcpListener) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        // Accepted connections inherit the size.
        SockRef::from(&listener).set_send_buffer_size(SEND_BUFFER_BYTES)?;
        let address = listener.local_addr()?;
        let socket = tokio::net::TcpListener::from_std(listener)?;
        Ok(Self { socket, address, failures: LogThrottle::default() })
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the next connection and the address of its client. After an error, waits and retries: no client may end
    /// the loop for all others.
    pub(super) async fn next(&mut self) -> (impl AsyncRead + AsyncWrite + Send + Unpin + 'static, Peer) {
        loop {
            match self.socket.accept().await {
                Ok((stream, address)) => {
                    prepare(&SockRef::from(&stream));
                    return (stream, Peer(address.ip()));
                }
                Err(error) if is_of_one_client(&error) => {}
                Err(error) => {
                    self.failures.record(&error);
                    tokio::time::sleep(ACCEPT_PAUSE).await;
                }
            }
        }
    }
}

/// Sets socket options. If they cannot be set, the connection works without them.
fn prepare(socket: &SockRef<'_>) {
    let outcome = socket.set_tcp_nodelay(true);
    #[cfg(target_os = "linux")]
    let outcome = outcome.and_then(|()| socket.set_tcp_user_timeout(Some(STALL_TIMEOUT)));
    if let Err(error) = outcome {
        tracing::debug!(%error, "a connection cannot be set up");
    }
}

/// Reports whether the error means that a client left before its connection was accepted.
fn is_of_one_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::ConnectionAborted
            | ErrorKind::ConnectionRefused
            | ErrorKind::ConnectionReset
            | ErrorKind::Interrupted
    )
}

/// Limits the log messages about failed accepts to one per second.
#[derive(Default)]
struct LogThrottle {
    last: Option<Instant>,
    suppressed: u64,
}

impl LogThrottle {
    fn record(&mut self, error: &io::Error) {
        if self.last.is_some_and(|last| last.elapsed() < LOG_INTERVAL) {
            self.suppressed += 1;
            return;
        }
        tracing::warn!(%error, suppressed = self.suppressed, "cannot accept connections: raise the limit of open files");
        (self.last, self.suppressed) = (Some(Instant::now()), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_reader_that_stalls_holds_little_and_not_for_long() {
        let listener = Listener::open(std::net::TcpListener::bind("127.0.0.1:0").unwrap()).unwrap();
        let _client = std::net::TcpStream::connect(listener.address()).unwrap();
        let (stream, _) = listener.socket.accept().await.unwrap();
        let socket = SockRef::from(&stream);
        prepare(&socket);
        assert!(socket.tcp_nodelay().unwrap());
        // The kernel doubles the size for its own use.
        assert!(socket.send_buffer_size().unwrap() <= 2 * SEND_BUFFER_BYTES);
        #[cfg(target_os = "linux")]
        assert_eq!(socket.tcp_user_timeout().unwrap(), Some(STALL_TIMEOUT));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn accept_errors_of_one_client_cause_no_pause() {
        // ECONNABORTED, ECONNRESET, EINTR; EMFILE, ENFILE, ENOMEM.
        for (number, passed_over) in [(103, true), (104, true), (4, true), (24, false), (23, false), (12, false)] {
            assert_eq!(is_of_one_client(&io::Error::from_raw_os_error(number)), passed_over, "{number}");
        }
    }

    #[test]
    fn failed_accepts_are_logged_once_a_second() {
        let (mut failures, error) = (LogThrottle::default(), io::Error::from_raw_os_error(24));
        for _ in 0..1000 {
            failures.record(&error);
        }
        assert_eq!(failures.suppressed, 999);
        failures.last = Instant::now().checked_sub(LOG_INTERVAL);
        failures.record(&error);
        assert_eq!(failures.suppressed, 0);
    }
}
