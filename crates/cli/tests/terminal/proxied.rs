//! A provider behind a proxy. The certificates in `tests/tls` are valid for `llm.example` only, and their key is
//! public.

use std::io;
use std::path::Path;
use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::{Outcome, Place, outcome};

/// The head of a client's request to the proxy.
struct ProxyRequest(String);

/// Serves one connection as a proxy that responds with `status`. If the status is 200, the tunnel carries TLS for
/// `llm.example` and forwards it to `upstream`.
async fn serve(proxy: &TcpListener, status: u16, upstream: &FakeUpstream) -> io::Result<ProxyRequest> {
    let (mut client, _) = proxy.accept().await?;
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(client.read_u8().await?);
    }
    client.write_all(format!("HTTP/1.1 {status} So\r\n\r\n").as_bytes()).await?;
    if status == 200 {
        let mut client = acceptor().accept(client).await?;
        let mut server = TcpStream::connect(address_of(upstream)).await?;
        // It does not matter how the client ends the connection.
        let _ = copy_bidirectional(&mut client, &mut server).await;
    }
    Ok(ProxyRequest(String::from_utf8_lossy(&head).into_owned()))
}

fn acceptor() -> TlsAcceptor {
    let certificate = CertificateDer::from_pem_slice(include_bytes!("../tls/cert.pem")).unwrap();
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("../tls/key.pem")).unwrap();
    let config = ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
    TlsAcceptor::from(Arc::new(config))
}

fn address_of(upstream: &FakeUpstream) -> String {
    let url = upstream.base_url();
    url.trim_start_matches("http://").split('/').next().unwrap().to_owned()
}

/// Sends a message to a provider at `https://llm.example/v1`.
async fn ask(variables: &[(&str, &str)]) -> Outcome {
    run(&["chat", "-p", "Hi"], variables).await
}

/// Runs a command whose provider is at `https://llm.example/v1`.
async fn run(words: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let place = Place::asking_at("https://llm.example/v1");
    let authority = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tls/ca.pem");
    let mut command = place.command(words);
    command.env("SSL_CERT_FILE", authority).envs(variables.iter().copied());
    outcome(command.spawn().unwrap()).await
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_provider_is_asked_through_the_proxy_of_the_environment() {
    for name in ["HTTPS_PROXY", "https_proxy"] {
        let upstream = FakeUpstream::start([Response::text("Hello from afar.")]).await.unwrap();
        let proxy = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://me:hidden@{}", proxy.local_addr().unwrap());
        let variables = [(name, url.as_str())];
        let (asked, answered) = tokio::join!(serve(&proxy, 200, &upstream), ask(&variables));
        let ProxyRequest(head) = asked.unwrap();
        assert!(head.starts_with("CONNECT llm.example:443 HTTP/1.1\r\n"), "{head}");
        assert!(head.contains("\r\nProxy-Authorization: Basic bWU6aGlkZGVu\r\n"), "{head}");
        assert_eq!((answered.code, answered.stdout.as_str()), (Some(0), "Hello from afar.\n"), "{answered:?}");
        assert!(!answered.stderr.contains("hidden"), "{answered:?}");
        let request = &upstream.requests()[0];
        assert_eq!(
            request.header("authorization"),
            Some("Bearer secret-key"),
            "the provider's key goes to the provider"
        );
        assert_eq!(request.header("proxy-authorization"), None, "and the proxy's to the proxy");
    }
}

#[tokio::test]
async fn a_proxy_that_refuses_is_named_as_the_reason() {
    let upstream = FakeUpstream::start([]).await.unwrap();
    let proxy = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = proxy.local_addr().unwrap();
    let url = format!("http://me:hidden@{address}");
    let refusing = async {
        // Requests to an unreachable provider are retried.
        while serve(&proxy, 407, &upstream).await.is_ok() {}
    };
    let variables = [("HTTPS_PROXY", url.as_str())];
    let refused = tokio::select! {
        () = refusing => unreachable!("it refuses as long as it is asked"),
        refused = ask(&variables) => refused,
    };
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(1), ""), "{refused:?}");
    let said = format!("fake: the proxy {address}: does not accept the user and password of its address");
    assert!(refused.stderr.contains(&said), "{refused:?}");
    assert!(!refused.stderr.contains("hidden"), "{refused:?}");
}

#[tokio::test]
async fn exceptions_are_asked_without_the_proxy_and_one_that_cannot_be_used_is_refused() {
    // An address of this machine that is not exempt by default and needs no name lookup.
    let nobody = Place::asking_at("https://0.0.0.0:1/v1");
    for (exceptions, said) in [
        ("other, 0.0.0.0", "fake: the connection was refused"),
        ("other", "fake: the proxy 127.0.0.1:1: the connection was refused"),
    ] {
        let mut command = nobody.command(&["chat", "-p", "Hi"]);
        command.envs([("HTTPS_PROXY", "http://127.0.0.1:1"), ("NO_PROXY", exceptions)]);
        let unreached = outcome(command.spawn().unwrap()).await;
        assert_eq!((unreached.code, unreached.stderr.contains(said)), (Some(1), true), "{said}: {unreached:?}");
    }
    let refused = ask(&[("HTTPS_PROXY", "socks5://me:hidden@h:1")]).await;
    let said = "error: environment variable HTTPS_PROXY: not a usable address: only proxies whose address begins with \
                http:// are supported\n";
    assert_eq!((refused.code, refused.stderr.as_str()), (Some(2), said));
    let place = Place::new();
    let mut command = place.command(&["chat", "-p", "What is 1 + 1?"]);
    let offline = outcome(command.env("HTTPS_PROXY", "socks5://h:1").spawn().unwrap()).await;
    assert_eq!(offline.code, Some(0), "nobody is asked over the network: {offline:?}");
}

#[tokio::test]
async fn doctor_names_the_proxy_and_suspects_it_if_no_provider_is_reached() {
    let report = run(&["doctor"], &[("HTTPS_PROXY", "http://me:hidden@127.0.0.1:1")]).await;
    assert_eq!(report.code, Some(1), "{report:?}");
    for said in [
        "ok    proxy          https addresses of providers are reached through 127.0.0.1:1\n",
        "fake: the proxy 127.0.0.1:1: the connection was refused; are its base_url and HTTPS_PROXY right?\n",
    ] {
        assert!(report.stdout.contains(said), "{said:?}: {report:?}");
    }
    assert!(!report.stdout.contains("hidden"), "{report:?}");
}
