//! Servers that act on behalf of the user whose token is exchanged.

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::join_all;
use rmcp::model::ProtocolVersion;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use turnkit_core::ports::{CallerToken, CallerTokens, NoCallerToken, Tool, ToolSource as _};
use turnkit_core::{Scope, ToolError};
use turnkit_mcp::{HttpServer, McpServer, McpServerSettings, McpState, Transport};
use turnkit_net::{Target, TokenEndpoint, TokenGrant, TokenSettings, TokenSource};

use crate::proxy::relay;
use crate::support::{call, client, server, with};
use crate::tickets::Tickets;
use crate::tokens::{answering, write};
use crate::web::serve;

/// Names in the order in which a server has seen them.
type Seen = Arc<Mutex<Vec<String>>>;

/// The tokens that users have sent.
#[derive(Default)]
struct Callers(Mutex<HashMap<Scope, Result<&'static str, NoCallerToken>>>);

impl Callers {
    fn set(&self, owner: &Scope, token: Result<&'static str, NoCallerToken>) {
        self.0.lock().unwrap().insert(owner.clone(), token);
    }
}

impl CallerTokens for Callers {
    fn newest(&self, owner: &Scope) -> Result<CallerToken, NoCallerToken> {
        let known = self.0.lock().unwrap().get(owner).copied().unwrap_or(Err(NoCallerToken::Missing));
        known.map(|text| CallerToken::new(text, Duration::from_secs(300)))
    }

    fn refused(&self, owner: &Scope, token: &CallerToken) {
        let mut known = self.0.lock().unwrap();
        if known.get(owner).is_some_and(|known| *known == Ok(token.as_str())) {
            known.insert(owner.clone(), Err(NoCallerToken::Refused));
        }
    }
}

/// An MCP server, and what the servers around it have seen.
struct Desk {
    server: McpServer,
    callers: Arc<Callers>,
    /// The tokens that were exchanged.
    exchanged: Seen,
    /// The users in the tokens of calls.
    called: Seen,
}

impl Desk {
    /// Starts a server that accepts tokens with this end.
    async fn start(accepted: &'static str) -> Self {
        Self::start_within(accepted, Duration::from_secs(10), |_| {}).await
    }

    /// Starts a server whose token requests have this time limit, and whose settings `change` changes.
    async fn start_within(
        accepted: &'static str,
        timeout: Duration,
        change: impl FnOnce(&mut McpServerSettings),
    ) -> Self {
        let (provider, exchanged) = identity_provider().await;
        let (address, called) = guarded(accepted).await;
        let endpoint = TokenEndpoint::Url(format!("http://{provider}/token"));
        let settings = TokenSettings {
            grant: TokenGrant::Exchange,
            timeout,
            ..TokenSettings::new(endpoint, "desk", "the-secret-of-the-desk")
        };
        let tokens = Arc::new(TokenSource::new(&settings, client()).unwrap());
        let callers = Arc::new(Callers::default());
        let target = Target::new(&format!("http://{address}/mcp")).unwrap();
        let http = HttpServer::new(client(), target).with_exchange(tokens, callers.clone());
        let mut settings = with(Transport::Http(http));
        change(&mut settings);
        Self { server: server(settings), callers, exchanged, called }
    }

    async fn tool(&self, owner: &Scope) -> Arc<dyn Tool> {
        self.tool_named(owner, "tickets__find").await
    }

    async fn tool_named(&self, owner: &Scope, name: &str) -> Arc<dyn Tool> {
        let tools = self.server.tools(Some(owner)).await.unwrap();
        Arc::clone(tools.tools().iter().find(|tool| tool.definition().name == name).unwrap())
    }
}

/// Starts an identity provider that exchanges `anna.1` for `access~anna.1~1`, then for `access~anna.1~2`. It refuses
/// tokens that begin with `revoked`, and exchanges those that begin with `once` a single time. It gives no answer about
/// those that begin with `silent`, and none to the second request about those that begin with `late`.
async fn identity_provider() -> (SocketAddr, Seen) {
    let exchanged = Seen::default();
    let keeps = Arc::clone(&exchanged);
    let answer = move |socket: TcpStream, _: String, body: Vec<u8>| {
        let form = String::from_utf8(body).unwrap();
        let own = form.split('&').find_map(|field| field.strip_prefix("subject_token=")).unwrap_or_default().to_owned();
        let number = {
            let mut exchanged = keeps.lock().unwrap();
            exchanged.push(own.clone());
            exchanged.iter().filter(|earlier| **earlier == own).count()
        };
        let is_refused = own.starts_with("revoked") || (own.starts_with("once") && number > 1);
        let (status, body) = match is_refused {
            true => (400, json!({ "error": "invalid_grant" })),
            false => (200, json!({ "access_token": format!("access~{own}~{number}"), "expires_in": 600 })),
        };
        let is_silent = own.starts_with("silent") || (own.starts_with("late") && number > 1);
        async move {
            if is_silent {
                std::future::pending::<()>().await;
            }
            write(socket, status, &body).await;
        }
    };
    (answering(answer).await, exchanged)
}

/// Starts a server of tickets that accepts tokens with this end. Its calls return the user of their token. For the user
/// `once`, it refuses to list its tools, and for the user `late`, it refuses calls.
async fn guarded(accepted: &'static str) -> (SocketAddr, Seen) {
    let (tickets, _) = serve(Tickets::new(ProtocolVersion::LATEST)).await;
    let called = Seen::default();
    let keeps = Arc::clone(&called);
    let answer = move |mut socket: TcpStream, head: String, body: Vec<u8>| {
        let keeps = Arc::clone(&keeps);
        async move {
            let sent = head.lines().find_map(|line| line.strip_prefix("authorization: Bearer access~"));
            let message: Value = serde_json::from_slice(&body).unwrap_or_default();
            let lists = message["method"] == "tools/list";
            let calls = message["method"] == "tools/call";
            let is_refused = |sent: &&str| (lists && sent.starts_with("once")) || (calls && sent.starts_with("late"));
            let is_accepted = |sent: &&str| sent.ends_with(accepted) && !is_refused(sent);
            let Some(sent) = sent.filter(is_accepted) else {
                return write(socket, 401, &json!({ "error": "invalid_token" })).await;
            };
            let user = sent.split('.').next().unwrap_or_default().to_owned();
            if !calls {
                let head = head.replacen("\r\n", "\r\nconnection: close\r\n", 1);
                return relay(&mut socket, tickets, &[head.as_bytes(), &body].concat()).await;
            }
            keeps.lock().unwrap().push(user.clone());
            let result = json!({ "resultType": "complete", "content": [{ "type": "text", "text": user }] });
            write(socket, 200, &json!({ "jsonrpc": "2.0", "id": message["id"], "result": result })).await;
        }
    };
    (answering(answer).await, called)
}

fn seen(seen: &Seen) -> Vec<String> {
    seen.lock().unwrap().clone()
}

#[tokio::test]
async fn calls_of_each_user_have_a_token_in_exchange_for_the_users_own() {
    let desk = Desk::start("~1").await;
    let users = [("acme", "anna", "anna.1"), ("acme", "ben", "ben.1"), ("other", "anna", "elsewhere.1")];
    let users = users.map(|(tenant, name, token)| (Scope::new(tenant, name), token));
    for (owner, token) in &users {
        desk.callers.set(owner, Ok(*token));
    }
    let tools = join_all(users.iter().map(|(owner, _)| desk.tool(owner))).await;
    for _ in 0..2 {
        let arguments = json!({});
        let outputs = join_all(tools.iter().map(|tool| call(tool, &arguments))).await;
        let names: Vec<String> = outputs.into_iter().map(|output| output.unwrap().content).collect();
        assert_eq!(names, ["anna", "ben", "elsewhere"]);
    }
    let mut exchanged = seen(&desk.exchanged);
    exchanged.sort();
    assert_eq!(exchanged, ["anna.1", "ben.1", "elsewhere.1"]);
    assert_eq!(desk.server.status().connections, 3);
}

#[tokio::test]
async fn fifty_parallel_calls_of_a_user_make_one_exchange() {
    let desk = Desk::start("~1").await;
    let anna = Scope::new("acme", "anna");
    desk.callers.set(&anna, Ok("anna.1"));
    let listed = join_all((0..10).map(|_| desk.server.tools(Some(&anna)))).await;
    assert!(listed.iter().all(Result::is_ok), "{:?}", listed.into_iter().find_map(Result::err));
    let (find, arguments) = (desk.tool(&anna).await, json!({}));
    for output in join_all((0..50).map(|_| call(&find, &arguments))).await {
        assert_eq!(output.unwrap().content, "anna");
    }
    assert_eq!((seen(&desk.exchanged).len(), seen(&desk.called).len()), (1, 50));
}

#[tokio::test]
async fn a_token_that_the_server_refuses_is_exchanged_again_once() {
    let anna = Scope::new("acme", "anna");
    let desk = Desk::start("~2").await;
    desk.callers.set(&anna, Ok("anna.1"));
    assert_eq!(call(&desk.tool(&anna).await, &json!({})).await.unwrap().content, "anna");
    assert_eq!(seen(&desk.exchanged), ["anna.1", "anna.1"]);

    let desk = Desk::start("~never").await;
    desk.callers.set(&anna, Ok("anna.1"));
    let error = desk.server.tools(Some(&anna)).await.err().unwrap();
    assert!(error.0.starts_with("the server refused the request with status 401"), "{error}");
    assert_eq!(seen(&desk.exchanged).len(), 2);
}

#[tokio::test]
async fn without_a_token_of_the_caller_nothing_is_sent_until_there_is_a_newer_one() {
    let anna = Scope::new("acme", "anna");
    for missing in [NoCallerToken::Missing, NoCallerToken::Expired] {
        let desk = Desk::start("").await;
        let is_missing = async || desk.server.tools(Some(&anna)).await.err().unwrap().0 == missing.to_string();
        desk.callers.set(&anna, Err(missing));
        assert!(is_missing().await, "before the first connection: {missing:?}");
        desk.callers.set(&anna, Ok("anna.1"));
        let find = desk.tool(&anna).await;
        assert_eq!(call(&find, &json!({})).await.unwrap().content, "anna");
        assert!(desk.server.known_tools(Some(&anna)).is_some(), "{missing:?}");

        desk.callers.set(&anna, Err(missing));
        assert!(desk.server.known_tools(Some(&anna)).is_none(), "{missing:?}");
        let expected = ToolError::Failed(format!("the call did not run: {missing}"));
        assert_eq!(call(&find, &json!({})).await, Err(expected));
        assert!(is_missing().await, "over an open connection: {missing:?}");
        assert_eq!((seen(&desk.exchanged).len(), seen(&desk.called).len()), (1, 1), "{missing:?}");

        desk.callers.set(&anna, Ok("anna.2"));
        assert_eq!(call(&find, &json!({})).await.unwrap().content, "anna");
        assert_eq!(seen(&desk.exchanged), ["anna.1", "anna.2"]);
    }
}

#[tokio::test]
async fn a_caller_without_a_token_takes_no_connection() {
    let (desk, anna) = (Desk::start("").await, Scope::new("acme", "anna"));
    for missing in [NoCallerToken::Missing, NoCallerToken::Expired] {
        desk.callers.set(&anna, Err(missing));
        assert_eq!(desk.server.tools(Some(&anna)).await.err().unwrap().0, missing.to_string());
        assert_eq!(desk.server.status().connections, 0);
    }
    desk.callers.set(&anna, Ok("anna.1"));
    desk.tool(&anna).await;
    assert_eq!(desk.server.status().connections, 1);
}

#[tokio::test]
async fn a_reconnection_for_a_user_without_a_token_leaves_the_connections_of_others() {
    let (desk, anna, ben) = (Desk::start("").await, Scope::new("acme", "anna"), Scope::new("acme", "ben"));
    desk.callers.set(&anna, Ok("anna.1"));
    desk.tool(&anna).await;
    for (own, expected) in [(Err(NoCallerToken::Missing), "no token of"), (Ok("revoked.1"), "the identity provider")] {
        desk.callers.set(&ben, own);
        let error = desk.server.reconnect(Some(&ben)).await.err().unwrap();
        assert!(error.0.starts_with(expected), "{error}");
        assert!(matches!(desk.server.status().state, McpState::Ready(_)), "{expected}");
    }
    desk.callers.set(&ben, Ok("ben.1"));
    assert!(desk.server.reconnect(Some(&ben)).await.is_ok());
}

#[tokio::test]
async fn a_failed_exchange_is_reported_and_does_not_delay_a_newer_token() {
    let (desk, anna) = (Desk::start("").await, Scope::new("acme", "anna"));
    desk.callers.set(&anna, Ok("revoked.1"));
    let error = desk.server.tools(Some(&anna)).await.err().unwrap();
    assert!(error.0.contains("the identity provider 127.0.0.1 issued no token: invalid_grant"), "{error}");
    assert!(!error.0.contains("revoked.1"), "{error}");
    let error = desk.server.tools(Some(&anna)).await.err().unwrap();
    assert_eq!(error.0, NoCallerToken::Refused.to_string(), "the refusal is reported to the source of the token");
    assert_eq!(seen(&desk.exchanged), ["revoked.1"]);
    desk.callers.set(&anna, Ok("anna.2"));
    assert_eq!(call(&desk.tool(&anna).await, &json!({})).await.unwrap().content, "anna");
}

#[tokio::test]
async fn a_failed_exchange_while_tools_are_listed_does_not_delay_a_newer_token() {
    let (desk, anna) = (Desk::start("").await, Scope::new("acme", "anna"));
    desk.callers.set(&anna, Ok("once.1"));
    let error = desk.server.tools(Some(&anna)).await.err().unwrap();
    let expected = "its tools cannot be listed: the identity provider 127.0.0.1 issued no token: invalid_grant";
    assert!(error.0.starts_with(expected), "{error}");
    desk.callers.set(&anna, Ok("anna.2"));
    assert_eq!(call(&desk.tool(&anna).await, &json!({})).await.unwrap().content, "anna");
    assert_eq!(seen(&desk.exchanged), ["once.1", "once.1", "anna.2"]);
}

#[tokio::test]
async fn a_slow_identity_provider_is_neither_a_doubt_about_a_call_nor_a_failure_of_the_server() {
    let (anna, token_limit, server_limit) =
        (Scope::new("acme", "anna"), Duration::from_millis(500), Duration::from_millis(50));
    let slow = "the identity provider 127.0.0.1 did not answer within 500ms: try again later, or raise the time limit";

    let desk = Desk::start_within("", token_limit, |settings| settings.timeout = server_limit).await;
    desk.callers.set(&anna, Ok("anna.1"));
    let close = desk.tool_named(&anna, "tickets__close").await;
    desk.callers.set(&anna, Ok("silent.2"));
    assert_eq!(call(&close, &json!({})).await, Err(ToolError::Failed(format!("the call did not run: {slow}"))));
    assert!(seen(&desk.called).is_empty());

    let (longer, call_limit) = (Duration::from_secs(10), Duration::from_secs(1));
    let desk = Desk::start_within("", longer, |settings| settings.timeout = call_limit).await;
    desk.callers.set(&anna, Ok("late.1"));
    let refused = "the call did not run: there was no access token that the server accepts within 1 second";
    let close = desk.tool_named(&anna, "tickets__close").await;
    assert_eq!(call(&close, &json!({})).await, Err(ToolError::Failed(refused.to_owned())));
    assert!(seen(&desk.called).is_empty());

    let desk = Desk::start_within("", token_limit, |settings| settings.start_timeout = server_limit).await;
    desk.callers.set(&anna, Ok("silent.1"));
    assert_eq!(desk.server.tools(Some(&anna)).await.err().unwrap().0, slow);
    let McpState::Failing { retry_in, .. } = desk.server.status().state else { unreachable!("it has no tools") };
    assert_eq!(retry_in, Duration::ZERO);
}

#[tokio::test]
async fn a_session_without_a_user_has_no_tools_of_a_server_that_acts_for_users() {
    let desk = Desk::start("").await;
    let error = desk.server.tools(None).await.err().unwrap();
    assert_eq!(error.0, "it acts on behalf of a user, and this session has none");
    assert!(desk.server.acts_for_callers() && seen(&desk.exchanged).is_empty());
}
