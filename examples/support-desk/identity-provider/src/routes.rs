//! The routes of the provider.

use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, State};
use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use jsonwebtoken::jwk::JwkSet;
use serde_json::{Value, json};

use crate::error::OAuthError;
use crate::exchange;
use crate::form::Form;
use crate::issuer::{IssuedToken, Subject};
use crate::provider::{Provider, USERS};
use crate::statistics::Counts;

/// The grant with which a client gets a token for itself.
const CLIENT_CREDENTIALS: &str = "client_credentials";

type Fields = axum::Form<Vec<(String, String)>>;

pub(crate) fn routes(provider: Arc<Provider>) -> Router {
    Router::new()
        .route("/.well-known/openid-configuration", get(discovery))
        .route("/jwks", get(jwks))
        .route("/token", post(token))
        .route("/login", post(login))
        .route("/rotate", post(rotate))
        .route("/statistics", get(statistics))
        .with_state(provider)
}

async fn discovery(State(provider): State<Arc<Provider>>) -> Json<Value> {
    let url = &provider.issuer.url;
    Json(json!({
        "issuer": url,
        "token_endpoint": format!("{url}/token"),
        "jwks_uri": format!("{url}/jwks"),
        "grant_types_supported": [CLIENT_CREDENTIALS, exchange::GRANT],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        "response_types_supported": ["token"],
        "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["ES256"],
    }))
}

async fn jwks(State(provider): State<Arc<Provider>>) -> Json<JwkSet> {
    Json(provider.issuer.keys.public((provider.issuer.clock)()))
}

async fn token(
    State(provider): State<Arc<Provider>>,
    headers: HeaderMap,
    axum::Form(fields): Fields,
) -> Result<impl IntoResponse, OAuthError> {
    let granted = granted(&provider, &headers, &Form::new(fields));
    let granted = granted.inspect_err(|_| provider.statistics.refused.count())?;
    Ok(([(header::CACHE_CONTROL, "no-store")], Json(granted)))
}

fn granted(provider: &Provider, headers: &HeaderMap, form: &Form) -> Result<IssuedToken, OAuthError> {
    provider.client.authenticate(headers, form)?;
    match form.required("grant_type")? {
        CLIENT_CREDENTIALS => {
            let client = provider.client.id.clone();
            let subject = Subject { user: client.clone(), client, actor: None, latest: None };
            let issued = provider.issuer.issue(subject, form.audiences()?)?;
            provider.statistics.client_credentials.count();
            Ok(issued)
        }
        exchange::GRANT => {
            let user = exchange::subject_token(&provider.issuer, form)?;
            let client = provider.client.id.clone();
            let subject = Subject { user: user.sub, actor: Some(client.clone()), client, latest: Some(user.exp) };
            let mut issued = provider.issuer.issue(subject, form.audiences()?)?;
            issued.issued_token_type = Some(exchange::ACCESS_TOKEN);
            provider.statistics.token_exchange.count();
            Ok(issued)
        }
        other => Err(OAuthError::UnsupportedGrantType(other.to_owned())),
    }
}

/// Issues a token to a user, as a login page would at its end.
async fn login(
    State(provider): State<Arc<Provider>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    axum::Form(fields): Fields,
) -> Result<Json<IssuedToken>, OAuthError> {
    only_local(peer)?;
    let form = Form::new(fields);
    let user = form.required("user")?;
    if !USERS.contains(&user) {
        return Err(OAuthError::InvalidGrant(format!("there is no user {user}: the users are {}", USERS.join(", "))));
    }
    let client = provider.client.id.clone();
    let subject = Subject { user: user.to_owned(), client, actor: None, latest: None };
    let issued = provider.issuer.issue(subject, form.audiences()?)?;
    provider.statistics.logins.count();
    Ok(Json(issued))
}

/// Lets a new key sign.
async fn rotate(
    State(provider): State<Arc<Provider>>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
) -> Result<Json<Value>, OAuthError> {
    only_local(peer)?;
    Ok(Json(json!({ "kid": provider.issuer.rotate()? })))
}

async fn statistics(State(provider): State<Arc<Provider>>) -> Json<Counts> {
    Json(provider.statistics.counts())
}

fn only_local(peer: SocketAddr) -> Result<(), OAuthError> {
    if peer.ip().is_loopback() { Ok(()) } else { Err(OAuthError::Remote) }
}
