//! Requests with and without a token.

use reqwest::StatusCode;
use serde_json::json;

use crate::servers::Servers;

/// Sends the first request of a connection, and returns the status and the challenge of the response.
async fn initialize(url: &str, authorization: Option<String>) -> (StatusCode, Option<String>) {
    let body = json!({
        "jsonrpc": "2.0", "id": 1, "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" },
        },
    });
    let mut request = reqwest::Client::new().post(url).json(&body);
    request = request.header("accept", "application/json, text/event-stream");
    if let Some(authorization) = authorization {
        request = request.header("authorization", authorization);
    }
    let response = request.send().await.unwrap();
    let challenge = response.headers().get("www-authenticate").map(|value| value.to_str().unwrap().to_owned());
    (response.status(), challenge)
}

#[tokio::test]
async fn a_request_needs_a_token_for_this_server() {
    let servers = Servers::start().await;
    let url = servers.ticketing_url();
    let right = servers.token("ticketing").await;
    let other = servers.token("organisations").await;
    let resource = servers.token(&url).await;
    let invalid = Some("Bearer error=\"invalid_token\"".to_owned());
    for (authorization, expected) in [
        (Some(format!("Bearer {right}")), (StatusCode::OK, None)),
        (Some(format!("bearer {resource}")), (StatusCode::OK, None)),
        (Some(format!("Bearer {other}")), (StatusCode::UNAUTHORIZED, invalid.clone())),
        (Some("Bearer abc".to_owned()), (StatusCode::UNAUTHORIZED, invalid)),
        (Some(format!("Basic {right}")), (StatusCode::UNAUTHORIZED, Some("Bearer".to_owned()))),
        (None, (StatusCode::UNAUTHORIZED, Some("Bearer".to_owned()))),
    ] {
        assert_eq!(initialize(&url, authorization.clone()).await, expected, "{authorization:?}");
    }
}

#[tokio::test]
async fn one_token_may_be_for_both_servers() {
    let servers = Servers::start().await;
    let token = servers.token_for_both().await;
    for url in [servers.ticketing_url(), servers.organisations_url()] {
        assert_eq!(initialize(&url, Some(format!("Bearer {token}"))).await.0, StatusCode::OK, "{url}");
    }
}

#[tokio::test]
async fn a_server_whose_identity_provider_is_down_is_unavailable() {
    let servers = Servers::start().await;
    let (token, url) = (servers.token("ticketing").await, servers.ticketing_url());
    let servers = servers.stop_provider().await;
    assert_eq!(initialize(&url, Some(format!("Bearer {token}"))).await, (StatusCode::SERVICE_UNAVAILABLE, None));
    drop(servers);
}
