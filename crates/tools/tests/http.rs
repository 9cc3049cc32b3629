//! Tests of requests as tools, against local servers.
#![expect(clippy::unwrap_used, reason = "a missing answer fails the test")]
#![expect(clippy::disallowed_methods, reason = "servers end with the runtime of their test")]

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use turnkit_core::ports::{Tool as _, ToolContext};
use turnkit_core::{
    CallUid, RawJson, Session, SessionId, Subject, Timestamp, ToolDefinition, ToolError, ToolFlags, TurnId,
};
use turnkit_net::{ClientOptions, HttpClient};
use turnkit_tools::{HttpAuth, HttpMethod, HttpRequest, HttpTool, Parameters};

const PARAMETERS: &str = r#"{"properties":{"a":{},"b":{},"c":{}},"required":["a"]}"#;

fn parameters() -> Parameters {
    Parameters::parse(PARAMETERS).unwrap()
}

fn get(url: &str) -> HttpRequest {
    HttpRequest::new(HttpMethod::Get, url, &parameters()).unwrap()
}

fn tool_of(request: HttpRequest, flags: ToolFlags) -> HttpTool {
    let definition = ToolDefinition::new("tool", "", PARAMETERS).unwrap().with_flags(flags);
    HttpTool::new(definition, request, HttpClient::new(&ClientOptions::default()))
}

fn tool(request: HttpRequest) -> HttpTool {
    tool_of(request, ToolFlags::default())
}

fn raw(arguments: &Value) -> RawJson {
    RawJson::parse(&arguments.to_string()).unwrap()
}

async fn call(tool: &HttpTool, arguments: &Value) -> Result<String, ToolError> {
    let session = Session::new(SessionId::default(), "test", Timestamp::default());
    let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
    tool.call(&raw(arguments), ToolContext::new(&session, uid)).await.map(|output| output.content)
}

fn failure(outcome: Result<String, ToolError>) -> String {
    outcome.unwrap_err().to_string()
}

/// Starts a server that responds to each request with `answer`, and records the requests.
async fn serve(answer: impl Into<String>) -> (SocketAddr, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (answer, received) = (answer.into(), Arc::new(Mutex::new(Vec::new())));
    let keeps = Arc::clone(&received);
    tokio::spawn(async move {
        while let Ok((mut socket, _)) = listener.accept().await {
            let (mut request, mut length) = (String::new(), None);
            while length != Some(request.len()) {
                let Ok(byte) = socket.read_u8().await else { break };
                request.push(char::from(byte));
                if length.is_none() && request.ends_with("\r\n\r\n") {
                    let body = request.lines().find_map(|line| line.strip_prefix("content-length: "));
                    length = Some(request.len() + body.map_or(0, |body| body.parse::<usize>().unwrap()));
                }
            }
            keeps.lock().unwrap().push(request);
            _ = socket.write_all(answer.as_bytes()).await;
        }
    });
    (address, received)
}

fn answer(status: u16, headers: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status} X\r\n{headers}connection: close\r\ncontent-length: {length}\r\n\r\n{body}")
}

#[test]
fn arguments_stay_in_their_place_of_the_address() {
    let tool = self::tool(get("http://example.com/{a}?q={b}&r={c}&both={b}-{c}&fixed=1"));
    for (a, path) in [
        (json!("plain"), "plain"),
        (json!(17), "17"),
        (json!("a/b"), "a%2Fb"),
        (json!("a\\b"), "a%5Cb"),
        (json!("..a/b..c/..."), "..a%2Fb..c%2F..."),
        (json!("%2e%2e"), "%252e%252e"),
        (json!("..."), "..."),
        (json!("?admin=1"), "%3Fadmin%3D1"),
        (json!("#x"), "%23x"),
        (json!("@evil.org"), "%40evil.org"),
        (json!("//evil.org"), "%2F%2Fevil.org"),
        (json!(":1@evil.org:80/"), "%3A1%40evil.org%3A80%2F"),
        (json!("x HTTP/1.1\r\nhost: evil.org"), "x%20HTTP%2F1.1%0D%0Ahost%3A%20evil.org"),
        (json!("\0"), "%00"),
        (json!("ü"), "%C3%BC"),
    ] {
        let url = tool.subject(&raw(&json!({ "a": a })));
        assert_eq!(url, Ok(Subject::Url(format!("http://example.com/{path}?fixed=1"))), "{a}");
    }
    for (b, c, query) in [
        (json!(null), json!(null), "fixed=1"),
        (json!(""), json!(null), "q=&fixed=1"),
        (json!("1&r=2#x"), json!(null), "q=1%26r%3D2%23x&fixed=1"),
        (json!("a+b c"), json!([1, 2]), "q=a%2Bb%20c&r=%5B1%2C2%5D&both=a%2Bb%20c-%5B1%2C2%5D&fixed=1"),
        (json!(null), json!(true), "r=true&fixed=1"),
    ] {
        let url = tool.subject(&raw(&json!({ "a": "x", "b": b, "c": c })));
        assert_eq!(url, Ok(Subject::Url(format!("http://example.com/x?{query}"))), "{b} {c}");
    }
    for a in ["", ".", "..", "../../admin", "..\\admin", "x/..", "x\\..\\y", "/..", "x/./y", "./"] {
        let why = "`a` would lead to another path: it must not be empty, and have no part `.` or `..`";
        let refused = tool.subject(&raw(&json!({ "a": a })));
        assert_eq!(refused, Err(ToolError::InvalidArguments(why.to_owned())), "{a}");
    }
    let halves = Parameters::parse(r#"{"properties":{"a":{},"b":{}},"required":["a","b"]}"#).unwrap();
    let halves = HttpRequest::new(HttpMethod::Get, "http://example.com/x/{a}{b}", &halves).unwrap();
    let halves = self::tool(halves);
    for (a, b) in [(".", "."), ("a/.", "."), (".", "./a")] {
        assert!(halves.subject(&raw(&json!({ "a": a, "b": b }))).is_err(), "{a} {b}");
    }
    let query = self::tool(get("http://example.com/?path={a}")).subject(&raw(&json!({ "a": "../x" })));
    assert_eq!(query, Ok(Subject::Url("http://example.com/?path=..%2Fx".to_owned())));
}

#[test]
fn an_approval_is_about_the_request_that_the_operator_wrote() {
    let post = |url: &str| HttpRequest::new(HttpMethod::Post, url, &parameters()).unwrap();
    let (here, body) =
        ("http://example.com/{a}", |body: Value| post("http://example.com/{a}").with_body(&body, &parameters()));
    let bearer = |token: &str| HttpAuth::Bearer(token.to_owned());
    let header = |name: &str| HttpAuth::Header { name: name.to_owned(), value: "old".to_owned() };
    let requests = [
        post(here),
        post("http://example.com/x/{a}"),
        get(here),
        body(json!({ "x": "{a}" })).unwrap(),
        body(json!({ "x": "{{a}}" })).unwrap(),
        post(here).with_header("x-one", "old").unwrap(),
        post(here).with_auth(bearer("old")).unwrap(),
        post(here).with_auth(header("x-key")).unwrap(),
        post(here).with_auth(header("x-other")).unwrap(),
    ];
    let fingerprint = |request: &HttpRequest| tool(request.clone()).definition().fingerprint.unwrap();
    let all: Vec<_> = requests.iter().map(fingerprint).collect();
    for (index, one) in all.iter().enumerate() {
        assert!(!all[..index].contains(one), "{index}");
    }
    assert_eq!(
        fingerprint(&post(here).with_header("x-one", "new").unwrap()),
        all[5],
        "a secret is not what the tool does"
    );
    assert_eq!(
        fingerprint(&post(here).with_auth(bearer("new")).unwrap()),
        all[6],
        "a secret is not what the tool does"
    );
}

#[tokio::test]
async fn only_declared_parameters_are_sent_and_required_ones_must_be_present() {
    let (address, received) = serve(answer(200, "", "")).await;
    let (required, unknown) = (
        "`a` is required: it cannot be absent or null",
        "`admin` is not a parameter of this tool; the parameters are a, b, c",
    );
    for method in [HttpMethod::Get, HttpMethod::Post, HttpMethod::Delete] {
        let new =
            |url: &str| tool(HttpRequest::new(method, &format!("http://{address}/items{url}"), &parameters()).unwrap());
        for tool in [new(""), new("/{a}"), new("?id={a}")] {
            for (arguments, why) in [
                (json!({ "a": "1", "admin": true }), unknown),
                (json!({ "a": "1", "admin": null }), unknown),
                (json!({ "a": null }), required),
                (json!({ "b": "1" }), required),
            ] {
                let refused = Err(ToolError::InvalidArguments(why.to_owned()));
                assert_eq!(call(&tool, &arguments).await, refused, "{method} {arguments}");
                assert_eq!(tool.subject(&raw(&arguments)).map(drop), refused.map(drop), "{method} {arguments}");
                assert_eq!(tool.preview(&raw(&arguments)), None, "{method} {arguments}");
            }
        }
    }
    assert_eq!(*received.lock().unwrap(), [""; 0]);
}

#[test]
fn a_request_that_cannot_be_used_names_the_key() {
    let new = |method, url: &str| HttpRequest::new(method, url, &parameters());
    let fixed = "its scheme, host and port are fixed: a placeholder can be in its path and its query only";
    let scheme = "must begin with http:// or https:// and a host, such as \"https://api.example.com/items/{id}\"";
    for (url, why) in [
        ("{a}", fixed),
        ("https://{a}/", fixed),
        ("https://{a}.example.com/", fixed),
        ("https://example.com:{a}/", fixed),
        ("https://{a}@example.com/", fixed),
        ("{a}://example.com/", fixed),
        ("https://example.com{a}", fixed),
        ("ftp://example.com/{a}", scheme),
        ("file:///etc/{a}", scheme),
        ("https://example.com\\@evil.org/{a}", scheme),
        ("example.com/{a}", "must be an address, such as \"https://api.example.com/items/{id}\""),
        ("https://example.com/{b}", "`{b}` is in its path, so the parameter must be `required`"),
        ("https://example.com/#{a}", "a part after `#` is not sent: leave it out"),
        (
            "https://me:x@example.com/",
            "must not contain a user: write `auth = { type = \"basic\", user = …, password = … }`",
        ),
    ] {
        let error = new(HttpMethod::Get, url).unwrap_err();
        let matches = error.reason == why || (url == "{a}" && error.reason.contains("must be an address"));
        assert!(error.key == "url" && matches, "{url}: {error}");
    }
    let unknown = new(HttpMethod::Get, "https://example.com/?x={d}").unwrap_err();
    assert!(
        unknown.reason.starts_with("`{d}` is the placeholder of no parameter; the parameters are a, b, c"),
        "{unknown}"
    );
    let request = || new(HttpMethod::Get, "https://example.com/").unwrap();
    let body = request().with_body(&json!({ "x": "{a}" }), &parameters()).unwrap_err();
    assert_eq!(body.to_string(), "`body`: a GET request has no body; put arguments into the query of `url`");
    let post = new(HttpMethod::Post, "https://example.com/").unwrap().with_body(&json!(["{d}"]), &parameters());
    assert_eq!(post.unwrap_err().key, "body");
    for (name, value) in [("content-length", "1"), ("Host", "x"), ("x y", "1"), ("x", "a\r\nb: c")] {
        let error = request().with_header(name, value).unwrap_err();
        assert_eq!(error.key, format!("headers.{name}"), "{error}");
    }
    let auth = request().with_auth(HttpAuth::Bearer("hidden\n".to_owned())).unwrap_err();
    assert!(auth.key == "auth" && !auth.to_string().contains("hidden"), "{auth}");
}

#[tokio::test]
async fn a_body_is_made_of_arguments_with_their_types() {
    let (address, received) = serve(answer(200, "content-type: application/json\r\n", "{\"ok\":true}")).await;
    let template =
        json!({ "whole": "{a}", "text": "x{a}y", "list": ["{b}", 1], "deep": { "c": "{c}" }, "fixed": null });
    let url = format!("http://{address}/{{a}}");
    let post = HttpRequest::new(HttpMethod::Post, &url, &parameters()).unwrap();
    let written = post.clone().with_body(&template, &parameters()).unwrap();
    for (request, arguments, body) in [
        (&written, json!({ "a": 1 }), json!({ "whole": 1, "text": "x1y", "list": [1], "deep": {}, "fixed": null })),
        (
            &written,
            json!({ "a": "\",\"x\":\"", "b": { "k": [true] }, "c": "{a}" }),
            json!({ "whole": "\",\"x\":\"", "text": "x\",\"x\":\"y", "list": [{ "k": [true] }, 1], "deep": { "c": "{a}" }, "fixed": null }),
        ),
        (&post, json!({ "a": 1, "b": 2, "c": null }), json!({ "b": 2, "c": null })),
    ] {
        let outcome = call(&tool(request.clone()), &arguments).await;
        assert_eq!(outcome.as_deref(), Ok("{\"ok\":true}"), "{arguments}");
        let sent = received.lock().unwrap().pop().unwrap();
        let (head, sent) = sent.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("POST /") && head.contains("content-type: application/json"), "{head}");
        assert_eq!(serde_json::from_str::<Value>(sent).unwrap(), body, "{arguments}");
    }
    let written = tool(written);
    let granted = |b: &str| written.grant_subject(&raw(&json!({ "a": 1, "b": b }))).unwrap();
    assert!(
        granted("x") == granted("x") && granted("x") != granted("y"),
        "an approval for always is about what is sent, too"
    );
    let get = tool(get(&url));
    assert_eq!(get.grant_subject(&raw(&json!({ "a": 1 }))), get.subject(&raw(&json!({ "a": 1 }))));
    let shown = written.preview(&raw(&json!({ "a": 1 }))).unwrap();
    assert!(shown.starts_with(&format!("POST http://{address}/1\n{{\n")) && shown.contains("\"whole\": 1"), "{shown}");
}

#[tokio::test]
async fn each_method_is_sent_with_the_headers_of_the_operator() {
    let (address, received) = serve(answer(204, "", "")).await;
    for (method, line) in [
        (HttpMethod::Get, "GET /x HTTP/1.1"),
        (HttpMethod::Post, "POST /x HTTP/1.1"),
        (HttpMethod::Put, "PUT /x HTTP/1.1"),
        (HttpMethod::Patch, "PATCH /x HTTP/1.1"),
        (HttpMethod::Delete, "DELETE /x HTTP/1.1"),
    ] {
        let request = HttpRequest::new(method, &format!("http://{address}/x"), &parameters()).unwrap();
        let request = request.with_header("X-Team", "{a}").unwrap().with_header("accept", "text/csv").unwrap();
        assert_eq!(call(&tool(request), &json!({ "a": "1" })).await.as_deref(), Ok(""), "{method}");
        let sent = received.lock().unwrap().pop().unwrap();
        for expected in [line, "x-team: {a}\r\n", "accept: text/csv\r\n", "idempotency-key: ", "user-agent: turnkit/"] {
            assert!(sent.contains(expected), "{expected}: {sent}");
        }
    }
}

#[tokio::test]
async fn credentials_are_sent_and_never_shown() {
    let base64 = "bWU6aGlkZGVu";
    for (auth, sent) in [
        (HttpAuth::Bearer("hidden".to_owned()), "authorization: Bearer hidden\r\n".to_owned()),
        (
            HttpAuth::Basic { user: "me".to_owned(), password: "hidden".to_owned() },
            format!("authorization: Basic {base64}\r\n"),
        ),
        (
            HttpAuth::Header { name: "X-Api-Key".to_owned(), value: "hidden".to_owned() },
            "x-api-key: hidden\r\n".to_owned(),
        ),
    ] {
        assert_eq!(format!("{auth:?}"), "(secret)");
        for (status, headers) in [(200, ""), (500, ""), (302, "location: /?key=hidden\r\n")] {
            let (address, received) = serve(answer(status, headers, &format!("you sent hidden and {base64}"))).await;
            let request = get(&format!("http://{address}/{{a}}")).with_auth(auth.clone()).unwrap();
            assert!(!format!("{request:?}").contains("hidden"));
            let tool = tool(request);
            let outcome = format!("{:?}", call(&tool, &json!({ "a": "1" })).await);
            let shown = format!("{outcome}{:?}{:?}", tool.preview(&raw(&json!({ "a": 1 }))), tool.definition());
            let repeats_base64 = matches!(auth, HttpAuth::Basic { .. }) && shown.contains(base64);
            assert!(!shown.contains("hidden") && !repeats_base64 && outcome.contains("(secret)"), "{shown}");
            assert!(received.lock().unwrap()[0].contains(&sent), "{received:?}");
        }
    }
}

/// Any header may carry credentials, whatever its name.
#[tokio::test]
async fn values_of_headers_are_shown_nowhere() {
    let repeated = "{\"key\":\"hidden-key\",\"cookie\":\"sid=hidden-session\",\"token\":\"hidden-token\",\"version\":7,\"accept\":\"text/html\"}";
    for (status, headers) in [(200, ""), (500, ""), (302, "location: /?key=hidden-key\r\n")] {
        let (address, received) = serve(answer(status, headers, repeated)).await;
        let request = get(&format!("http://{address}/{{a}}")).with_header("X-Key", "hidden-key").unwrap();
        let request = request.with_header("cookie", "sid=hidden-session").unwrap();
        let request = request.with_header("authorization", "Token hidden-token").unwrap();
        let request = request.with_header("x-version", "7").unwrap().with_header("accept", "text/html").unwrap();
        let debug = format!("{request:?}");
        assert!(!debug.contains("hidden") && debug.contains("X-Key"), "{debug}");
        let outcome = format!("{:?}", call(&tool(request), &json!({ "a": "1" })).await);
        assert!(!outcome.contains("hidden") && outcome.contains("(secret)"), "{outcome}");
        assert!(status == 302 || (outcome.contains(":7,") && outcome.contains("text/html")), "{outcome}");
        assert!(received.lock().unwrap()[0].contains("x-key: hidden-key\r\n"), "{received:?}");
    }
}

#[tokio::test]
async fn a_response_that_is_no_success_is_a_failure_with_its_beginning() {
    let json = "content-type: application/json\r\n";
    let long = "x".repeat(3_000_000);
    for (answer, expected) in [
        (answer(404, json, "{\"why\":\"gone\"}"), "127.0.0.1 answered with status 404: {\"why\":\"gone\"}".to_owned()),
        (answer(500, "", &long), format!("127.0.0.1 answered with status 500: {}", &long[..2_000])),
        (
            answer(302, "location: http://169.254.169.254/\r\n", ""),
            "127.0.0.1 answered with status 302: it leads to http://169.254.169.254/, which is not followed".to_owned(),
        ),
        (answer(503, "content-type: image/png\r\n", "x"), "127.0.0.1 answered with status 503: ".to_owned()),
    ] {
        let (address, received) = serve(answer).await;
        let outcome = call(&tool(get(&format!("http://{address}/{{a}}"))), &json!({ "a": "1" })).await;
        assert_eq!(failure(outcome), expected);
        assert_eq!(received.lock().unwrap().len(), 1, "nothing is sent again");
    }
    let read_only = ToolFlags { read_only: true, ..ToolFlags::default() };
    let (address, _) = serve(answer(200, "content-type: image/png\r\n", "x")).await;
    let picture = call(&tool_of(get(&format!("http://{address}/")), read_only), &json!({ "a": "1" })).await;
    assert_eq!(failure(picture), "the response is image/png, not text");
    let (address, _) = serve(answer(200, "", &long)).await;
    let cut = call(&tool(get(&format!("http://{address}/"))), &json!({ "a": "" })).await.unwrap();
    assert!(
        cut.ends_with("\n[the response is longer than 1048576 bytes; the rest is left out]") && cut.len() < 1_100_000
    );
}

/// The status shows that the request took effect. If it were reported as a failure, it would be sent again.
#[tokio::test]
async fn a_request_that_succeeded_is_no_failure_though_its_response_cannot_be_read() {
    let cut = answer(201, "", "twelve bytes").replace("length: 12", "length: 13");
    for (answer, why) in [
        (answer(201, "content-type: application/pdf\r\n", "x"), "the response is application/pdf, not text"),
        (cut, "the connection closed before the response was complete"),
        (
            answer(201, "content-encoding: zstd\r\n", "x"),
            "the response is encoded as \"zstd\", which was not asked for and cannot be read",
        ),
        (
            answer(201, "content-encoding: gzip\r\n", "\u{1f}no gzip follows here"),
            "the response is not the gzip that its content-encoding says",
        ),
    ] {
        let (address, received) = serve(answer).await;
        let post = |flags| {
            tool_of(HttpRequest::new(HttpMethod::Post, &format!("http://{address}/"), &parameters()).unwrap(), flags)
        };
        let done = call(&post(ToolFlags::default()), &json!({ "a": "1" })).await;
        let note = format!("[127.0.0.1 answered with status 201, so it is done; the response is missing: {why}]");
        assert_eq!(done, Ok(note));
        for flags in [
            ToolFlags { read_only: true, ..ToolFlags::default() },
            ToolFlags { idempotent: true, ..ToolFlags::default() },
        ] {
            assert_eq!(failure(call(&post(flags), &json!({ "a": "1" })).await), why);
        }
        assert_eq!(received.lock().unwrap().len(), 3, "each was sent once");
    }
}

#[tokio::test]
async fn a_request_whose_response_was_lost_may_have_taken_effect() {
    let refused = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let (cut, received) = serve("HTTP/1.1 200 X\r\n").await;
    let read_only = ToolFlags { read_only: true, ..ToolFlags::default() };
    let idempotent = ToolFlags { idempotent: true, ..ToolFlags::default() };
    let lost = "the connection closed before the response was complete";
    for (address, flags, expected) in [
        (cut, ToolFlags::default(), ToolError::OutcomeUnknown { reason: Some(lost.to_owned()) }),
        (cut, read_only, ToolError::Failed(lost.to_owned())),
        (cut, idempotent, ToolError::Failed(lost.to_owned())),
        (refused, ToolFlags::default(), ToolError::Failed("the connection was refused".to_owned())),
    ] {
        let request = HttpRequest::new(HttpMethod::Post, &format!("http://{address}/"), &parameters()).unwrap();
        assert_eq!(call(&tool_of(request, flags), &json!({ "a": "1" })).await, Err(expected), "{flags:?}");
    }
    assert_eq!(received.lock().unwrap().len(), 3, "each was sent once");
}
