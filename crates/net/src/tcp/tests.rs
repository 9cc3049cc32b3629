//! Names whose addresses change between lookups.

use std::collections::VecDeque;
use std::future::{Ready, ready};
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, Mutex, PoisonError};

use hyper::Uri;
use tokio::net::{TcpListener, TcpStream};

use super::*;

/// A name server that rebinds a name returns a public address and another one, in one answer or alternately.
#[test]
fn a_name_with_an_address_that_is_not_public_is_refused() {
    for (addresses, expected) in [
        (&["1.1.1.1:80", "[2606:4700::1]:80"][..], Ok(2)),
        (&["1.1.1.1:80", "127.0.0.1:80"][..], Err(NetError::NotPublic)),
        (&["127.0.0.1:80", "1.1.1.1:80"][..], Err(NetError::NotPublic)),
        (&["[::ffff:10.0.0.1]:80"][..], Err(NetError::NotPublic)),
        (&[][..], Ok(0)),
    ] {
        let addresses = || addresses.iter().map(|address| address.parse().unwrap());
        assert_eq!(reachable(addresses(), Reach::Public).map(|found| found.count()), expected);
        assert!(reachable(addresses(), Reach::Any).is_ok());
    }
}

/// A name server with a list of answers. It repeats the last one forever.
#[derive(Debug, Clone)]
struct Rebinding(Arc<Mutex<VecDeque<&'static [&'static str]>>>);

impl Rebinding {
    fn answering(answers: &[&'static [&'static str]]) -> Self {
        Self(Arc::new(Mutex::new(answers.iter().copied().collect())))
    }

    fn left(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

impl Service<Name> for Rebinding {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Ready<Result<Self::Response, io::Error>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), io::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Name) -> Self::Future {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().copied() };
        let address = |address: &&str| SocketAddr::new(address.parse().unwrap(), 0);
        ready(Ok(answer.unwrap_or_default().iter().map(address).collect::<Vec<_>>().into_iter()))
    }
}

const PUBLIC: &[&str] = &["1.1.1.1"];
const LOOPBACK: &[&str] = &["127.0.0.1"];

/// Connects to a name from the loopback interface only. The kernel refuses connections from there to a public address,
/// so such an attempt fails with an error of its own and no packet leaves this machine.
async fn connect(lookup: &Rebinding, reach: Reach, port: u16) -> Result<(), NetError> {
    let mut tcp = with_lookup(lookup.clone(), reach);
    tcp.set_local_addresses(Ipv4Addr::LOCALHOST, Ipv6Addr::LOCALHOST);
    let uri: Uri = format!("http://rebinding.example:{port}/").parse().unwrap();
    tcp.call(uri).await.map(drop).map_err(|error| NetError::from_error(&error))
}

#[tokio::test]
async fn the_checked_address_is_connected_even_if_the_name_resolves_differently_later() {
    let sentinel = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
    let port = sentinel.local_addr().unwrap().port();
    for (answers, tried) in [
        // The first attempt connects to the public address; every later one is rejected.
        (&[PUBLIC, LOOPBACK][..], &[true, false, false][..]),
        (&[PUBLIC, &["::1"]], &[true, false]),
        (&[PUBLIC, &["::ffff:127.0.0.1"]], &[true, false]),
        (&[PUBLIC, &["64:ff9b::7f00:1"]], &[true, false]),
        (&[PUBLIC, &["0.0.0.0"]], &[true, false]),
        (&[PUBLIC, &["169.254.169.254"]], &[true, false]),
        (&[PUBLIC, &["1.1.1.1", "127.0.0.1"]], &[true, false]),
        (&[PUBLIC, &["127.0.0.1", "1.1.1.1"]], &[true, false]),
        (&[LOOPBACK, PUBLIC, LOOPBACK], &[false, true, false]),
        (&[PUBLIC, LOOPBACK, PUBLIC, LOOPBACK], &[true, false, true, false]),
        (&[&["1.1.1.1", "8.8.8.8"], LOOPBACK], &[true, false]),
    ] {
        let lookup = Rebinding::answering(answers);
        for (number, tried) in tried.iter().enumerate() {
            let error = connect(&lookup, Reach::Public, port).await.unwrap_err();
            assert_eq!(error != NetError::NotPublic, *tried, "{answers:?}, attempt {number}: {error:?}");
            let left = answers.len().saturating_sub(number + 1).max(1);
            assert_eq!(lookup.left(), left, "{answers:?}: one lookup for each connection");
        }
    }
    // With the same name server, an unrestricted client reaches the sentinel on the second attempt.
    let lookup = Rebinding::answering(&[PUBLIC, LOOPBACK]);
    assert!(connect(&lookup, Reach::Any, port).await.is_err());
    let (connected, accepted) = tokio::join!(connect(&lookup, Reach::Any, port), sentinel.accept());
    connected.unwrap();
    let last = TcpStream::connect(sentinel.local_addr().unwrap()).await.unwrap();
    let (_, from) = sentinel.accept().await.unwrap();
    assert!(accepted.is_ok() && from == last.local_addr().unwrap(), "there was no connection besides these two");
}
