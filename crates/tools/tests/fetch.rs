//! Tests of the tool that reads pages, against local servers.
#![expect(clippy::unwrap_used, reason = "a missing answer fails the test")]
#![expect(clippy::disallowed_methods, reason = "servers end with the runtime of their test")]

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use turnkit_core::ports::{Tool as _, ToolContext};
use turnkit_core::{CallUid, RawJson, Session, SessionId, Timestamp, TurnId};
use turnkit_net::{ClientOptions, HttpClient};
use turnkit_tools::FetchUrl;

async fn fetch(tool: &FetchUrl, url: &str) -> Result<String, String> {
    let session = Session::new(SessionId::default(), "test", Timestamp::default());
    let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
    let arguments = RawJson::parse(&serde_json::json!({ "url": url }).to_string()).unwrap();
    let output = tool.call(&arguments, ToolContext::new(&session, uid)).await;
    output.map(|output| output.content).map_err(|error| error.to_string())
}

/// Starts a server for these pages: path, status, header lines, body.
async fn serve(pages: Vec<(&'static str, u16, String, Vec<u8>)>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let pages: HashMap<_, _> =
        pages.into_iter().map(|(path, status, head, body)| (path, (status, head, body))).collect();
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                let Ok(byte) = socket.read_u8().await else { break };
                request.push(byte);
            }
            let request = String::from_utf8(request).unwrap();
            let path = request.split(' ').nth(1).unwrap_or("/");
            let Some((status, head, body)) = pages.get(path) else { continue };
            let length = body.len();
            let head = format!("HTTP/1.1 {status} X\r\n{head}connection: close\r\ncontent-length: {length}\r\n\r\n");
            // The client may close the connection once it has read enough.
            _ = socket.write_all(head.as_bytes()).await;
            _ = socket.write_all(body).await;
        }
    });
    address
}

#[tokio::test]
async fn a_page_is_returned_as_text() {
    let html = "content-type: text/html; charset=utf-8\r\n".to_owned();
    let long = format!("<p>{}</p>", "word ".repeat(300_000)).into_bytes();
    let pages = vec![
        (
            "/",
            200,
            html.clone(),
            b"<title>T</title><h1>Hi</h1><p>One <a href=\"/b\">link</a><script>no()</script>".to_vec(),
        ),
        ("/json", 200, "content-type: application/problem+json\r\n".to_owned(), b"{\"a\":1}".to_vec()),
        ("/bare", 200, String::new(), b"bare \xff".to_vec()),
        ("/image", 200, "content-type: image/png\r\n".to_owned(), b"PNG".to_vec()),
        ("/gone", 404, html.clone(), b"gone".to_vec()),
        ("/moved", 302, "location: json\r\n".to_owned(), vec![]),
        ("/loop", 301, "location: /loop\r\n".to_owned(), vec![]),
        ("/file", 307, "location: file:///etc/passwd\r\n".to_owned(), vec![]),
        ("/away", 302, "location: https://example.com/a\r\n".to_owned(), vec![]),
        ("/long", 200, html.clone(), long),
        ("/deep", 200, html.clone(), "<div><b>".repeat(120_000).into_bytes()),
        ("/shallow", 200, html, "<div>".repeat(4_000).into_bytes()),
    ];
    let address = serve(pages).await;
    let tool = FetchUrl::new(HttpClient::new(&ClientOptions::default()));
    for (path, expected) in [
        ("/", Ok("# Hi\n\nOne [link][1]\n\n[1]: /b\n")),
        ("/json", Ok("{\"a\":1}")),
        ("/bare", Ok("bare \u{fffd}")),
        ("/moved", Ok("{\"a\":1}")),
        ("/image", Err("the page is image/png, not text")),
        ("/gone", Err("127.0.0.1 answered with status 404")),
        ("/loop", Err("more than 3 redirects")),
        ("/file", Err("redirected to another host: file:///etc/passwd")),
        ("/away", Err("redirected to another host: https://example.com/a")),
        ("/deep", Err("the page nests more than 4000 elements")),
        ("/shallow", Ok("")),
    ] {
        let fetched = fetch(&tool, &format!("http://{address}{path}")).await;
        assert_eq!(fetched.as_deref().map_err(String::as_str), expected, "{path}");
    }
    let long = fetch(&tool, &format!("http://{address}/long")).await.unwrap();
    assert!(long.ends_with("\n[the page is longer than 1048576 bytes; the rest is left out]"));
}

/// Spellings of addresses that are not public. The port is that of a local server.
const HOSTS: &[&str] = &[
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "127.0.0.1.",
    "127.255.255.254",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0x7f.0x0.0x0.0x1",
    "0177.0.0.1",
    "0177.0.0.01",
    "017700000001",
    "%31%32%37.0.0.1",
    "127%2e0%2e0%2e1",
    "①②⑦.⓪.⓪.①",
    "１２７.0.0.1",
    "127。0。0。1",
    "0",
    "0.0",
    "0.0.0.0",
    "0x0",
    "localhost",
    "LOCALHOST",
    "lOcAlHoSt",
    "localhost.",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::]",
    "[::127.0.0.1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[0:0:0:0:0:ffff:127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b::10.0.0.1]",
    "[2002:7f00:1::]",
    "[2002:c0a8:101::1]",
    "[fe80::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[ff02::1]",
    "[::ffff:169.254.169.254]",
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "169.254.43518",
    "169.16689662",
    "10.0.0.1",
    "10.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.0.1",
    "192.168.1",
    "192.0.0.192",
    "100.64.0.1",
    "100.100.100.200",
    "168.63.129.16",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
];

#[test]
fn a_person_sees_the_address_that_is_asked() {
    for (url, shown) in [
        ("https://EXAMPLE.com/a/../b", Some("GET https://example.com/b")),
        ("https://p\u{430}ypal.com/", Some("GET https://xn--pypal-4ve.com/")),
        ("https://example.com:443/?q=a b", Some("GET https://example.com/?q=a%20b")),
        ("ftp://example.com/", None),
    ] {
        let arguments = RawJson::of(&serde_json::json!({ "url": url })).unwrap();
        assert_eq!(FetchUrl::default().preview(&arguments).as_deref(), shown, "{url}");
    }
}

#[tokio::test]
async fn no_address_that_is_not_public_is_connected_to() {
    let (reached, sentinel) = (Arc::new(AtomicUsize::new(0)), TcpListener::bind("127.0.0.1:0").await.unwrap());
    let port = sentinel.local_addr().unwrap().port();
    let count = Arc::clone(&reached);
    tokio::spawn(async move {
        while sentinel.accept().await.is_ok() {
            count.fetch_add(1, Ordering::Relaxed);
        }
    });
    let written = HOSTS.iter().flat_map(|host| ["http", "https"].map(|scheme| format!("{scheme}://{host}:{port}/")));
    let hidden = [
        "http://example.com\\@127.0.0.1:PORT/",
        "http:127.0.0.1:PORT/",
        "http:\\\\127.0.0.1:PORT\\",
        "//127.0.0.1:PORT/",
    ];
    let hidden = hidden.iter().map(|url| url.replace("PORT", &port.to_string()));
    let others =
        ["file:///etc/passwd", "ftp://127.0.0.1/", "gopher://127.0.0.1/", "data:text/html,x", "unix:/run/x", ""];
    let user = format!("http://user:password@127.0.0.1:{port}/");
    let urls = written.chain(hidden).chain(others.map(str::to_owned)).chain([user]);
    let tool = FetchUrl::default();
    let mut tried = 0;
    for url in urls {
        let error = fetch(&tool, &url).await.unwrap_err();
        let is_refused = ["not public", "`url` ", "could not be resolved"].iter().any(|why| error.contains(why));
        assert!(is_refused, "{url}: {error}");
        tried += 1;
    }
    assert!(tried >= 120, "{tried}");
    // The server accepts connections in order, so an earlier connection would have been accepted before this one.
    drop(tokio::net::TcpStream::connect(("127.0.0.1", port)).await.unwrap());
    tokio::task::yield_now().await;
    assert!(reached.load(Ordering::Relaxed) <= 1, "{reached:?}");
}
