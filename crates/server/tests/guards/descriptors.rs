//! Tests of a process that has reached its limit of open files.

use std::net::TcpStream;
use std::process::Command;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use crate::running::Running;

#[test]
fn a_server_without_descriptors_recovers_when_some_are_freed() {
    // The limit applies to a whole process, so the test runs in a process of its own.
    let own = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "descriptors::exhausted", "--ignored"])
        .status();
    assert!(own.unwrap().success());
}

#[tokio::test]
#[ignore = "the test above runs it, in a process of its own"]
async fn exhausted() {
    let server = Running::open().await;
    setrlimit(Resource::Nofile, Rlimit { current: Some(64), ..getrlimit(Resource::Nofile) }).unwrap();
    // This block does not await, so the server accepts no connection before they have taken all descriptors.
    let client = TcpStream::connect(server.address).unwrap();
    let others: Vec<TcpStream> = std::iter::from_fn(|| TcpStream::connect(server.address).ok()).collect();

    client.set_nonblocking(true).unwrap();
    let mut client = tokio::net::TcpStream::from_std(client).unwrap();
    client.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();
    let mut answer = [0; 12];
    let early = tokio::time::timeout(Duration::from_millis(200), client.read_exact(&mut answer)).await;
    assert!(early.is_err(), "the server had a descriptor left");
    drop(others);
    client.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
}
