//! The tools of the server of organisations.

use serde_json::json;

use crate::servers::Servers;

#[tokio::test]
async fn organisations_are_found_by_a_part_of_their_name_or_city() {
    let servers = Servers::start().await;
    let desk = servers.organisations().await;
    for (arguments, expected) in [
        (json!({ "query": "lisbon" }), &["Beacon Travel"][..]),
        (json!({ "query": "CEDAR" }), &["Cedar Clinic"]),
        (json!({ "query": "_" }), &[]),
        (json!({}), &["Alder Printing", "Beacon Travel", "Cedar Clinic", "Dune Films"]),
    ] {
        let found = desk.call("search_organisations", arguments.clone()).await;
        let names: Vec<_> = found["organisations"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
        assert_eq!(names, expected, "{arguments}");
    }
}

#[tokio::test]
async fn an_organisation_has_members_and_contracts() {
    let servers = Servers::start().await;
    let desk = servers.organisations().await;
    assert_eq!(desk.call("get_organisation", json!({ "id": 2 })).await["plan"], "premium");
    let members = desk.call("list_members", json!({ "organisation_id": 2 })).await;
    assert_eq!(members["members"][0]["name"], "Rita Campos");
    let contracts = desk.call("list_contracts", json!({ "organisation_id": 2 })).await;
    assert_eq!(contracts["contracts"][0]["response_hours"], 2, "the one that ends last comes first");
    let none = desk.call("list_contracts", json!({ "organisation_id": 4 })).await;
    assert_eq!(none, json!({ "contracts": [] }));
}

#[tokio::test]
async fn a_member_is_changed_as_far_as_the_call_says() {
    let servers = Servers::start().await;
    let desk = servers.organisations().await;
    let changed = desk.call("update_member", json!({ "id": 4, "role": "administrator" })).await;
    assert_eq!([&changed["role"], &changed["name"]], [&json!("administrator"), &json!("Tiago Dias")]);
    assert_eq!(desk.call("get_member", json!({ "id": 4 })).await, changed);
}

#[tokio::test]
async fn a_call_that_fails_says_why() {
    let servers = Servers::start().await;
    let desk = servers.organisations().await;
    for (tool, arguments, expected) in [
        ("get_organisation", json!({ "id": 99 }), "there is no organisation 99: find one with search_organisations"),
        ("list_members", json!({ "organisation_id": 99 }), "there is no organisation 99"),
        ("list_contracts", json!({ "organisation_id": 99 }), "there is no organisation 99"),
        ("get_member", json!({ "id": 99 }), "there is no member 99: find one with list_members"),
        ("update_member", json!({ "id": 99, "role": "owner" }), "there is no member 99"),
        ("update_member", json!({ "id": 4, "email": "tiago" }), "which is no address"),
    ] {
        let text = desk.failure(tool, arguments.clone()).await;
        assert!(text.contains(expected), "{tool} {arguments}: {text}");
    }
}
