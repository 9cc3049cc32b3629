//! Tests of the web page's files.

use turnkit_server::{AuthMode, PageFiles, Settings};

use crate::running::Running;

const FILES: [(&str, &str); 6] = [
    ("/", "text/html; charset=utf-8"),
    ("/theme.js", "text/javascript; charset=utf-8"),
    ("/app.js", "text/javascript; charset=utf-8"),
    ("/vendor.js", "text/javascript; charset=utf-8"),
    ("/app.css", "text/css; charset=utf-8"),
    ("/icon.svg", "image/svg+xml"),
];

/// Starts a server with a page that requires keys for everything else.
async fn with_page() -> Running {
    Running::with(Settings { auth: AuthMode::ApiKey, page: PageFiles::Embedded, ..Settings::default() }).await
}

#[tokio::test]
async fn the_files_of_the_page_need_no_key_and_restrict_what_it_may_do() {
    let server = with_page().await;
    for (path, media_type) in FILES {
        let reply = server.ask("GET", path, &[], "").await;
        assert_eq!((reply.status, reply.header("content-type")), (200, Some(media_type)), "{path}");
        let policy = reply.header("content-security-policy").unwrap();
        for part in ["default-src 'none'", "require-trusted-types-for 'script'", "frame-ancestors 'none'"] {
            assert!(policy.contains(part), "{path}: {policy}");
        }
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        for (name, value) in [
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cache-control", "no-cache"),
            ("vary", "accept-encoding"),
        ] {
            assert_eq!(reply.header(name), Some(value), "{path}: {name}");
        }
        assert!(reply.header("permissions-policy").is_some_and(|policy| policy.contains("camera=()")), "{path}");
        assert!(reply.header("content-encoding").is_none(), "{path}");
    }
    assert_eq!(server.ask("GET", "/api/v1/sessions", &[], "").await.status, 401, "the page itself needs a key");
}

#[tokio::test]
async fn a_browser_that_has_a_file_does_not_load_it_again() {
    let server = with_page().await;
    let plain: &[&str] = &[];
    for head in [plain, &["accept-encoding: gzip, br"]] {
        let all = [head, &["connection: close"]].concat();
        let first = server.ask("HEAD", "/app.js", &all, "").await;
        assert_eq!(first.header("content-encoding"), head.first().map(|_| "gzip"));
        let tag = first.header("etag").unwrap().to_owned();
        for (known, status) in [
            (tag.clone(), 304),
            (format!("W/{tag}"), 304),
            (format!("\"other\", {tag}"), 304),
            ("*".to_owned(), 304),
            ("\"other\"".to_owned(), 200),
        ] {
            let known_line = format!("if-none-match: {known}");
            let all = [&all[..], &[known_line.as_str()]].concat();
            let again = server.ask("HEAD", "/app.js", &all, "").await;
            assert_eq!((again.status, again.header("etag")), (status, Some(tag.as_str())), "{known}");
            assert_eq!(again.header("content-encoding").is_some(), status == 200 && !head.is_empty(), "{known}");
        }
    }
}

#[tokio::test]
async fn the_page_learns_which_credentials_requests_need() {
    for (auth, expected) in [(AuthMode::None, "none"), (AuthMode::ApiKey, "api_key")] {
        let server = Running::with(Settings { auth, page: PageFiles::Embedded, ..Settings::default() }).await;
        let reply = server.ask("GET", "/page.json", &[], "").await;
        let summary = reply.json();
        assert_eq!((reply.status, summary["auth"].as_str()), (200, Some(expected)));
        assert_eq!(summary["build"].as_str().map(str::len), Some(16), "{summary}");
        assert_eq!(reply.header("cache-control"), Some("no-store"));
    }
}

#[tokio::test]
async fn the_page_is_offered_only_under_known_names_and_for_reading() {
    let server = with_page().await;
    let foreign = server.send("GET / HTTP/1.1\r\nhost: attacker.example\r\n\r\n").await;
    assert_eq!((foreign.status, foreign.code().as_str()), (403, "host_not_allowed"));
    let embedding = server.ask("GET", "/", &["origin: https://attacker.example"], "").await;
    assert_eq!((embedding.status, embedding.code().as_str()), (403, "origin_not_allowed"));
    let written = server.ask("POST", "/", &[], "").await;
    assert_eq!((written.status, written.code().as_str()), (405, "method_not_allowed"));
}

#[tokio::test]
async fn without_a_page_its_addresses_are_unknown() {
    let server = Running::open().await;
    for path in ["/", "/app.js", "/page.json"] {
        let reply = server.ask("GET", path, &[], "").await;
        assert_eq!((reply.status, reply.code().as_str()), (404, "not_found"), "{path}");
    }
}
