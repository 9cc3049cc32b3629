//! The list of tools.

use rmcp::model::{PaginatedRequestParams, Tool, ToolAnnotations};

use crate::servers::{Connection, Servers};

async fn listed(connection: &Connection) -> Vec<Tool> {
    connection.client().list_all_tools().await.unwrap()
}

#[tokio::test]
async fn fourteen_tools_say_what_they_change() {
    let servers = Servers::start().await;
    let annotations = |read_only, destructive, idempotent| {
        let hints = ToolAnnotations::new().read_only(read_only).destructive(destructive);
        Some(hints.idempotent(idempotent).open_world(false))
    };
    let reads = || annotations(true, false, true);
    let adds = || annotations(false, false, false);
    let replaces = || annotations(false, true, true);
    let expected = [
        ("search_tickets", reads()),
        ("get_ticket", reads()),
        ("my_tickets", reads()),
        ("create_ticket", adds()),
        ("update_ticket", replaces()),
        ("add_comment", adds()),
        ("assign_ticket", replaces()),
        ("close_ticket", replaces()),
        ("search_organisations", reads()),
        ("get_organisation", reads()),
        ("list_members", reads()),
        ("get_member", reads()),
        ("update_member", replaces()),
        ("list_contracts", reads()),
    ];
    let tools = [listed(&servers.ticketing().await).await, listed(&servers.organisations().await).await].concat();
    let found: Vec<_> = tools.iter().map(|tool| (tool.name.as_ref(), tool.annotations.clone())).collect();
    assert_eq!(found, expected);
    for tool in &tools {
        let of_an_object = |schema: &rmcp::model::JsonObject| schema["type"] == "object";
        assert!(of_an_object(&tool.input_schema), "{}", tool.name);
        assert!(tool.output_schema.as_deref().is_some_and(of_an_object), "{}", tool.name);
        assert_eq!(tool.input_schema["additionalProperties"], false, "{}", tool.name);
        assert!(tool.description.as_deref().is_some_and(|text| text.ends_with('.')), "{}", tool.name);
    }
}

#[tokio::test]
async fn the_list_has_pages() {
    let servers = Servers::start().await;
    let connection = servers.ticketing().await;
    let first = connection.client().list_tools(None).await.unwrap();
    assert_eq!(first.tools.len(), 5);
    let next = PaginatedRequestParams::default().with_cursor(first.next_cursor);
    let second = connection.client().list_tools(Some(next)).await.unwrap();
    assert_eq!((second.tools.len(), second.next_cursor), (3, None));

    for cursor in ["8", "-1", "next"] {
        let wrong = PaginatedRequestParams::default().with_cursor(Some(cursor.to_owned()));
        assert!(connection.client().list_tools(Some(wrong)).await.is_err(), "{cursor}");
    }
}
