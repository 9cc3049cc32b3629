//! Tests of the allowed hosts and origins.

use turnkit_server::Settings;

use crate::running::Running;

/// Hosts, and whether the server accepts them. `PORT` stands for the server's port.
const HOSTS: &[(&str, bool)] = &[
    ("localhost", true),
    ("localhost:PORT", true),
    ("LocalHost:PORT", true),
    ("localhost:1", true),
    ("chat.localhost", true),
    ("127.0.0.1:PORT", true),
    ("127.9.8.7", true),
    ("[::1]:PORT", true),
    ("[0:0:0:0:0:0:0:1]", true),
    ("other.example", true),
    ("other.example:8443", true),
    ("narrow.example:8443", true),
    ("public.example", true),
    ("narrow.example", false),
    ("narrow.example:8444", false),
    ("evil.example", false),
    ("evil.example:PORT", false),
    ("localhost.evil.example", false),
    ("evillocalhost", false),
    ("localhost.", false),
    ("127.1", false),
    ("0x7f000001", false),
    ("2130706433", false),
    ("0177.0.0.1", false),
    ("0.0.0.0:PORT", false),
    ("[::ffff:127.0.0.1]", false),
    ("[::1", false),
    ("::1", false),
    ("localhost@evil.example", false),
    ("evil.example@localhost", false),
    ("localhost,evil.example", false),
    ("localhost:+1", false),
    ("localhost:99999", false),
    ("localhost/evil", false),
    ("", false),
];

/// Origins, and how the server classifies their pages. `HOST` stands for the requested host.
const ORIGINS: &[(Option<&str>, Requester)] = &[
    (None, Requester::SameOrigin),
    (Some("http://HOST"), Requester::SameOrigin),
    (Some("https://HOST"), Requester::SameOrigin),
    (Some("https://listed.example"), Requester::Listed),
    (Some("https://LISTED.example"), Requester::Listed),
    (Some("https://public.example"), Requester::Listed),
    (Some("https://ported.example"), Requester::Listed),
    (Some("http://odd.example:8080"), Requester::Listed),
    (Some("http://odd.example"), Requester::Unknown),
    (Some("http://ported.example"), Requester::Unknown),
    (Some("http://ported.example:443"), Requester::Unknown),
    (Some("http://listed.example"), Requester::Unknown),
    (Some("https://listed.example:444"), Requester::Unknown),
    (Some("https://listed.example.evil.example"), Requester::Unknown),
    (Some("http://evil.example"), Requester::Unknown),
    (Some("http://127.0.0.1:9"), Requester::Unknown),
    (Some("file://"), Requester::Unknown),
    (Some("null"), Requester::Unknown),
    (Some(""), Requester::Unknown),
];

const ROUTES: &[(&str, &str)] = &[
    ("GET", "/readyz"),
    ("GET", "/metrics"),
    ("GET", "/api/v1/keys"),
    ("DELETE", "/api/v1/keys/1"),
    ("GET", "/no/such/route"),
    ("PUT", "/readyz"),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Requester {
    SameOrigin,
    Listed,
    Unknown,
}

async fn server() -> Running {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    Running::with(Settings {
        allowed_hosts: texts(&["Other.example", "narrow.example:8443"]),
        allowed_origins: texts(&["https://listed.example/", "https://ported.example:443", "http://odd.example:8080"]),
        public_url: Some("https://public.example/chat".to_owned()),
        ..Settings::default()
    })
    .await
}

#[tokio::test]
async fn known_hosts_and_pages_pass_on_every_route_and_others_do_not() {
    let server = server().await;
    for (host, known) in HOSTS {
        let host = host.replace("PORT", &server.address.port().to_string());
        for (origin, page) in ORIGINS {
            let origin = origin.map(|origin| format!("origin: {}\r\n", origin.replace("HOST", &host)));
            let origin = origin.unwrap_or_default();
            for (method, path) in ROUTES {
                let request = format!("{method} {path} HTTP/1.1\r\nhost: {host}\r\n{origin}\r\n");
                let reply = server.send(&request).await;
                let expected = match (known, page) {
                    (false, _) => "host_not_allowed",
                    (true, Requester::Unknown) => "origin_not_allowed",
                    (true, Requester::SameOrigin | Requester::Listed) => "",
                };
                let refused = |code: &String| matches!(&**code, "host_not_allowed" | "origin_not_allowed");
                let code = Some(reply.code()).filter(refused).unwrap_or_default();
                assert_eq!(code, expected, "{request}: {}", reply.body);
                assert!(expected.is_empty() || reply.status == 403, "{request}");
                let own = origin.trim_end() == format!("origin: https://{host}");
                let shared = reply.header("access-control-allow-origin").is_some();
                assert_eq!(shared, *known && *page == Requester::Listed && !own, "{request}");
            }
        }
    }
}

#[tokio::test]
async fn every_page_may_ask_whether_the_process_is_up() {
    let server = server().await;
    let asked = server.ask("GET", "/healthz", &["origin: null"], "").await;
    assert_eq!((asked.status, asked.header("access-control-allow-origin")), (200, None));
}

#[tokio::test]
async fn one_host_and_one_origin_count_and_two_are_refused() {
    let server = server().await;
    for (head, code) in [
        ("", "host_not_allowed"),
        ("host: localhost\r\nhost: localhost\r\n", "host_not_allowed"),
        ("host: localhost\r\norigin: http://localhost\r\norigin: http://localhost\r\n", "origin_not_allowed"),
    ] {
        let reply = server.send(format!("GET /readyz HTTP/1.1\r\n{head}\r\n")).await;
        assert_eq!((reply.status, reply.code().as_str()), (403, code), "{head}");
    }
}

#[tokio::test]
async fn a_target_with_another_host_is_refused() {
    let server = server().await;
    for (target, status) in [("localhost", 200), ("localhost:80", 200), ("evil.example", 403), ("x@localhost", 403)] {
        let reply = server.send(format!("GET http://{target}/healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")).await;
        assert_eq!(reply.status, status, "{target}");
    }
}

#[tokio::test]
async fn a_preflight_lists_the_permissions_of_a_listed_page() {
    let server = server().await;
    let asked =
        ["access-control-request-method: POST", "access-control-request-headers: authorization, x-stainless-os"];
    let listed =
        server.ask("OPTIONS", "/api/v1/keys", &[&["origin: https://listed.example"], &asked[..]].concat(), "").await;
    assert_eq!((listed.status, listed.header("access-control-allow-origin")), (204, Some("https://listed.example")));
    assert_eq!(listed.header("access-control-allow-headers"), Some("authorization, x-stainless-os"));
    assert!(listed.header("access-control-allow-methods").unwrap().contains("POST"));
    assert_eq!((listed.header("vary"), listed.header("access-control-allow-credentials")), (Some("origin"), None));

    let unknown =
        server.ask("OPTIONS", "/api/v1/keys", &[&["origin: https://evil.example"], &asked[..]].concat(), "").await;
    assert_eq!((unknown.status, unknown.code().as_str()), (403, "origin_not_allowed"));
    assert_eq!(unknown.header("access-control-allow-origin"), None);

    let request = server.ask("GET", "/readyz", &["origin: https://listed.example"], "").await;
    let exposed = request.header("access-control-expose-headers");
    assert_eq!(exposed, Some("x-request-id, x-turn-id, mcp-session-id, retry-after"));
}
