//! Connections that differ by the owner of a session.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::ProtocolVersion;
use serde_json::json;
use turnkit_core::Scope;
use turnkit_core::ports::ToolSource as _;
use turnkit_mcp::{HttpServer, McpServer, Transport};
use turnkit_net::Target;

use crate::raw::{self, Answer, Raw};
use crate::support::{call, client, pass, server, until, with};
use crate::tickets::Tickets;
use crate::web::serve;

/// Starts a server whose requests hold this header.
async fn served(header: &str) -> (McpServer, crate::web::Seen) {
    let (address, seen) = serve(Tickets::new(ProtocolVersion::LATEST)).await;
    let target = Target::new(&format!("http://{address}/")).unwrap();
    let http = HttpServer::new(client(), target).with_header("x-owner", header).unwrap();
    (server(with(Transport::Http(http))), seen)
}

#[tokio::test]
async fn each_user_has_a_connection_with_headers_of_their_own() {
    let (server, seen) = served("{tenant}/{user}").await;
    let (anna, ben) = (Scope::new("acme", "anna"), Scope::new("acme", "ben"));
    let of_anna = server.tools(Some(&anna)).await.unwrap();
    assert!(seen.lock().unwrap().iter().all(|owner| owner.as_deref() == Some("acme/anna")));
    let of_ben = server.tools(Some(&ben)).await.unwrap();
    assert!(seen.lock().unwrap().contains(&Some("acme/ben".to_owned())));
    assert!(!Arc::ptr_eq(&of_anna, &of_ben));
    assert!(Arc::ptr_eq(&of_anna, &server.tools(Some(&anna)).await.unwrap()));
    assert_eq!(server.status().connections, 2);
}

#[tokio::test]
async fn users_of_a_tenant_share_a_connection_that_names_only_the_tenant() {
    let (server, _) = served("{tenant}").await;
    let of_anna = server.tools(Some(&Scope::new("acme", "anna"))).await.unwrap();
    let of_ben = server.tools(Some(&Scope::new("acme", "ben"))).await.unwrap();
    assert!(Arc::ptr_eq(&of_anna, &of_ben));
    assert_eq!(server.status().connections, 1);
}

#[tokio::test]
async fn an_owner_that_no_header_can_name_gets_no_tools() {
    let (server, seen) = served("{user}").await;
    for (scope, why) in [
        (None, "the header `x-owner` needs a user, and this session has none"),
        (Some(Scope::new("acme", "a\r\nx-admin: 1")), "visible ASCII only"),
        (Some(Scope::new("acme", "jürgen")), "visible ASCII only"),
    ] {
        let error = server.tools(scope.as_ref()).await.unwrap_err();
        assert!(error.0.contains(why), "{error}");
    }
    assert!(seen.lock().unwrap().is_empty());
}

#[tokio::test]
async fn the_number_of_connections_is_limited() {
    let (server, _) = served("{user}").await;
    for number in 0..300 {
        server.tools(Some(&Scope::new("acme", format!("user-{number}")))).await.unwrap();
    }
    assert_eq!(server.status().connections, 256);
}

/// Starts a server with sessions, one for each user.
async fn with_sessions() -> (McpServer, Raw) {
    let raw = raw::serve(|method, _| match method {
        "tools/list" => raw::tools(&json!([{ "name": "find", "inputSchema": { "type": "object" } }])),
        _ => Answer::Result(json!({ "content": [{ "type": "text", "text": "found" }] })),
    })
    .await;
    let target = Target::new(&format!("http://{}/mcp", raw.address)).unwrap();
    let http = HttpServer::new(client(), target).with_header("x-owner", "{user}").unwrap();
    (server(with(Transport::Http(http))), raw)
}

#[tokio::test]
async fn a_connection_that_is_not_used_is_closed_although_its_tools_are_held() {
    let (server, raw) = with_sessions().await;
    let tools = server.tools(Some(&Scope::new("acme", "anna"))).await.unwrap();
    pass(Duration::from_secs(6 * 60)).await;
    // The request that ends the session.
    until(|| raw.count("DELETE") == 1).await;
    assert_eq!(server.status().connections, 0);
    assert_eq!(call(&tools.tools()[0], &json!({})).await.unwrap().content, "found");
    assert_eq!(raw.count("initialize"), 2);
    // The connection that the call has opened is not used any more either.
    pass(Duration::from_secs(6 * 60)).await;
    until(|| raw.count("DELETE") == 2).await;
}

#[tokio::test]
async fn calls_of_a_long_turn_keep_its_connection_open() {
    let (server, raw) = with_sessions().await;
    let tools = server.tools(Some(&Scope::new("acme", "anna"))).await.unwrap();
    for _ in 0..3 {
        pass(Duration::from_secs(4 * 60)).await;
        assert_eq!(call(&tools.tools()[0], &json!({})).await.unwrap().content, "found");
    }
    assert_eq!((raw.count("initialize"), server.status().connections), (1, 1));
    pass(Duration::from_secs(6 * 60)).await;
    until(|| raw.count("DELETE") == 1).await;
    assert_eq!(server.status().connections, 0);
}
