//! The OpenAPI document: all there is, and nothing else.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use turnkit_server::{Code, openapi};
use turnkit_testkit::Reply;

use crate::running::Setup;

/// The document.
pub(crate) fn document() -> Value {
    serde_json::from_str(openapi()).unwrap()
}

/// All operations: method, path, and what is said about it.
pub(crate) fn operations(document: &Value) -> Vec<(&str, &str, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    let operations = paths.flat_map(|(path, item)| {
        item.as_object().unwrap().iter().map(move |(method, operation)| (method.as_str(), path.as_str(), operation))
    });
    operations.collect()
}

fn codes() -> BTreeSet<String> {
    Code::ALL.iter().map(|code| json!(code).as_str().unwrap().to_owned()).collect()
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
fn every_operation_says_what_it_does_takes_and_answers() {
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
            let content = &body["content"]["application/json"];
            assert!(shows_an_example(content), "{place} has no example of a body");
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
            // A probe of the operator's tells its state, ready or not.
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
fn what_needs_a_key_says_so() {
    let document = document();
    for (method, path, operation) in operations(&document) {
        let open = matches!(path, "/healthz" | "/readyz");
        assert_eq!(operation.get("security").is_none(), open, "{method} {path}");
        assert_eq!(operation["responses"].get("401").is_none(), open, "{method} {path}");
    }
}
