//! An identity provider that repeats the credentials of its client in all of its errors.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use serde_json::json;

use super::http::{HttpServer, Reply, Request};
use super::scan::{Secret, unique};

/// The length of a token: longer than any excerpt of an error, so that a cut would leave a part of it.
const TOKEN_CHARS: usize = 700;

/// The identity provider of the MCP servers. `/token` issues tokens. `/refusing`, `/failing` and `/garbled` answer with
/// errors, each in another form.
pub(super) struct IdentityProvider {
    server: HttpServer,
    /// The tokens that it has issued, and the credentials that it was sent.
    seen: Arc<Mutex<Vec<Secret>>>,
}

impl IdentityProvider {
    pub(super) async fn start() -> Self {
        let seen = Arc::<Mutex<Vec<Secret>>>::default();
        let known = Arc::clone(&seen);
        let server = HttpServer::start(move |request| answer(request, &known)).await;
        Self { server, seen }
    }

    pub(super) fn address(&self) -> SocketAddr {
        self.server.address
    }

    /// Takes the tokens that it has issued, and the credentials of its client as they were sent.
    pub(super) fn take_seen(&self) -> Vec<Secret> {
        std::mem::take(&mut self.seen.lock().unwrap())
    }
}

fn answer(request: &Request, seen: &Mutex<Vec<Secret>>) -> Reply {
    let mut seen = seen.lock().unwrap();
    let sent = request.header("authorization").and_then(|value| value.split_once(' '));
    seen.extend(sent.map(|(_, value)| Secret { name: "credentials of a client", value: value.to_owned() }));
    let whole = format!("{}{}", request.head, request.body);
    let garbled = |status, body| Reply { status, media_type: "text/html", body };
    if request.is_post_to("/token") {
        let token = unique(&format!("token {} {whole}", seen.len()), TOKEN_CHARS);
        let is_exchange = request.body.contains("token-exchange");
        let name = if is_exchange { "token in exchange for that of a user" } else { "access token" };
        seen.push(Secret { name, value: token.clone() });
        Reply::json(200, &json!({ "access_token": token, "expires_in": 600, "token_type": "Bearer" }))
    } else if request.is_post_to("/refusing") {
        Reply::json(401, &json!({ "error": "invalid_client", "error_description": whole }))
    } else if request.is_post_to("/failing") {
        garbled(503, whole)
    } else {
        garbled(200, format!("<html>{whole}"))
    }
}
