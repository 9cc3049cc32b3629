//! Tests that the OpenAPI document is complete and describes nothing else.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use turnkit_server::{ErrorCode, openapi};
use turnkit_testkit::Reply;

use crate::running::Setup;

/// Returns the OpenAPI document.
pub(crate) fn document() -> Value {
    serde_json::from_str(openapi()).unwrap()
}

/// Returns all operations: method, path and description.
pub(crate) fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let operations = paths.flat_map(|(path, item)| {
        item.as_object().unwrap().iter().map(move |(method, operation)| (method.as_str(), path.as_str(), operation))
    });
    operations.collect()
}

fn codes() -> BTreeSet<String> {
    ErrorCode::ALL.iter().map(|code| json!(code).as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn the_server_shows_it() {
    let server = Setup::always(Reply::text("Hello")).run().await;
    let shown = server.client.get("/openapi.json").await;
    assert_eq!((shown.status, shown.header("content-type")), (200, "application/json"));
    assert_eq!(shown.body, openapi());
    let info = &document()["info"];
    assert_eq!((&info["title"], &info["license"]["name"]), (&json!("turnkit"), &json!("Apache-2.0")));
}

#[test]
fn every_operation_documents_its_purpose_request_and_responses() {
    let document = document();
    let mut names = BTreeSet::new();
    for (method, path, operation) in operations(&document) {
        let place = format!("{method} {path}");
        let summary = operation["summary"].as_str().unwrap_or_default();
        assert!(!summary.is_empty() && !summary.ends_with('.'), "{place} has no summary: {summary:?}");
        assert!(names.insert(operation["operationId"].as_str().unwrap().to_owned()), "{place} has another's name");
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            assert!(parameter["description"].is_string(), "{place}: {parameter}");
        }
        if let Some(body) = operation.get("requestBody") {
            let content = body["content"].as_object().unwrap().values().next().unwrap();
            assert!(shows_an_example(content), "{place} has no example of a body");
            if content["example"].is_string() {
                continue; // the body of an upload has no fields
            }
            let schema = content["schema"]["$ref"]
                .as_str()
                .map_or(&content["schema"], |reference| document.pointer(reference.trim_start_matches('#')).unwrap());
            for field in content["example"].as_object().unwrap().keys() {
                assert!(schema["properties"][field].is_object(), "{place} does not say what {field} is");
            }
        }
        let responses = operation["responses"].as_object().unwrap();
        assert!(responses.keys().any(|status| status.starts_with('2')), "{place} never succeeds");
        for (status, response) in responses {
            assert!(response["description"].as_str().is_some_and(|said| !said.is_empty()), "{place}: {status}");
            let content = response["content"].as_object();
            assert!(status == "204" || content.is_some(), "{place}: {status} has no content");
            for (media_type, content) in content.into_iter().flatten() {
                assert!(shows_an_example(content), "{place}: {status} {media_type} has no example");
            }
        }
    }
}

fn shows_an_example(content: &Value) -> bool {
    content
        .get("example")
        .or(content.get("examples"))
        .is_some_and(|example| !example.is_null() && *example != json!({}))
}

#[test]
fn every_refusal_has_the_one_form_and_a_code_that_exists() {
    let (document, codes) = (document(), codes());
    for (method, path, operation) in operations(&document) {
        for (status, response) in operation["responses"].as_object().unwrap() {
            // Readiness is a probe, so its 503 response contains the state and not an error.
            if status.as_str() < "400" || path == "/readyz" && status == "503" {
                continue;
            }
            let content = &response["content"]["application/json"];
            assert_eq!(content["schema"]["$ref"], "#/components/schemas/Error", "{method} {path}: {status}");
            for (code, example) in content["examples"].as_object().unwrap() {
                assert!(codes.contains(code), "{method} {path}: {status} has the code {code}");
                assert_eq!(example["value"]["error"]["code"], json!(code), "{method} {path}: {status}");
            }
        }
    }
}

#[test]
fn every_reference_leads_somewhere() {
    let document = document();
    let text = document.to_string();
    for reference in text.split("\"$ref\":\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(document.pointer(reference).is_some(), "{reference}");
    }
}

#[test]
fn operations_that_need_a_key_are_documented_as_such() {
    let document = document();
    for (method, path, operation) in operations(&document) {
        let open = matches!(path, "/healthz" | "/readyz");
        assert_eq!(operation.get("security").is_none(), open, "{method} {path}");
        assert_eq!(operation["responses"].get("401").is_none(), open, "{method} {path}");
    }
}

/// Returns the parameter of an operation with this name.
fn parameter<'a>(operation: &'a Value, name: &str) -> Option<&'a Value> {
    operation["parameters"].as_array()?.iter().find(|parameter| parameter["name"] == name)
}

#[test]
fn ext_is_0_or_1_wherever_it_is_taken() {
    let document = document();
    let mut taken = 0;
    for (method, path, operation) in operations(&document) {
        let Some(ext) = parameter(operation, "ext") else { continue };
        let schema = &ext["schema"];
        let types = [json!("integer"), json!(["integer", "null"])];
        assert!(types.contains(&schema["type"]), "{method} {path}: {schema}");
        assert_eq!((&schema["minimum"], &schema["maximum"]), (&json!(0), &json!(1)), "{method} {path}: {schema}");
        taken += 1;
    }
    assert_eq!(taken, 5, "four protocols, and the events of a turn in any of them");
}

#[tokio::test]
async fn fields_that_must_not_be_empty_are_documented_and_rejected_if_empty() {
    let server = Setup::always(Reply::text("Hello")).run().await;
    let document = document();
    let mut asked = BTreeSet::new();
    for (method, path, operation) in operations(&document) {
        let Some(content) = operation.pointer("/requestBody/content/application~1json") else { continue };
        let schema = content["schema"]["$ref"]
            .as_str()
            .map_or(&content["schema"], |reference| document.pointer(reference.trim_start_matches('#')).unwrap());
        for (name, field) in schema["properties"].as_object().unwrap() {
            if field["minLength"] != 1 && field["minItems"] != 1 {
                continue;
            }
            let mut body = content["example"].clone();
            body[name] = if field["type"] == "array" { json!([]) } else { json!("") };
            if name == "parts" {
                body.as_object_mut().unwrap().remove("message");
            }
            let path = path.replace("{id}", "0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01");
            let refused = server.operator().request(method, &path).json(&body).send().await;
            let documented = &operation["responses"][refused.status.to_string()]["content"]["application/json"];
            assert!(documented["examples"]["invalid_request"].is_object(), "{method} {path}: {}", refused.status);
            assert_eq!(
                (refused.code(), refused.field()),
                ("invalid_request".to_owned(), name.clone()),
                "{method} {path}"
            );
            asked.insert(name.clone());
        }
    }
    let expected = ["idempotency_key", "message", "messages", "name", "parts", "sessionId", "session_id", "user"];
    assert_eq!(asked, BTreeSet::from(expected.map(str::to_owned)));
}

#[tokio::test]
async fn a_fork_needs_no_body() {
    let document = document();
    let body = &document["paths"]["/api/v1/sessions/{id}/fork"]["post"]["requestBody"];
    assert_eq!(body["required"], false);
    let server = Setup::always(Reply::text("Hello")).run().await;
    let (_, session) = server.client.run_turn(None, "Hi").await;
    let forked = server.client.request("POST", &format!("/api/v1/sessions/{session}/fork")).send().await;
    assert_eq!(forked.status, 201, "{}", forked.body);
    // Every other body is required, except those of a regeneration and of an acceptance.
    for (method, path, operation) in operations(&document) {
        let Some(body) = operation.get("requestBody") else { continue };
        let optional = ["/fork", "/regenerate", "/accept"].iter().any(|end| path.ends_with(end));
        assert_eq!(body["required"], !optional, "{method} {path}");
    }
}

#[test]
fn the_document_is_one_line() {
    assert_eq!(openapi().lines().count(), 1);
    assert!(openapi().ends_with("}\n"));
}
