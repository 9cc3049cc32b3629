//! The OpenAPI document of the server.

mod events;

use std::sync::LazyLock;

use axum::http::header;
use axum::response::IntoResponse;
use serde_json::{Map, Value, json};
use turnkit_core::AccessScope;
use utoipa::PartialSchema;
use utoipa_axum::routes;

use super::scoped::ScopedRouter;
use crate::dialect::native::FrameSchemas;
use crate::error::{ApiError, ErrorBody, ErrorCode};

static DOCUMENT: LazyLock<String> = LazyLock::new(|| format!("{}\n", document()));

/// Returns the interface of the server as an OpenAPI document. Every server of this version has the same document.
///
/// ```
/// assert!(turnkit_server::openapi().contains("/api/v1/turns"));
/// ```
pub fn openapi() -> &'static str {
    &DOCUMENT
}

pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(show))
}

/// Show this document
#[utoipa::path(
    get,
    path = "/openapi.json",
    tag = "operation",
    operation_id = "openapi",
    responses((status = 200, description = "The document.", body = Value, example = json!({ "openapi": "3.1.0" }))),
)]
async fn show() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], openapi())
}

fn document() -> Value {
    let closed = super::router().merge(super::metrics()).merge(super::uploads()).into_described();
    let (mut closed, mut open) = (json!(closed.into_openapi()), json!(super::open().into_openapi()));
    for (path, method, operation) in operations(&mut closed) {
        add_errors(operation, &AUTHENTICATED);
        add_scope_error(operation);
        add_usual_errors(operation, &path, &method);
    }
    for (path, method, operation) in operations(&mut open) {
        add_usual_errors(operation, &path, &method);
    }
    let mut document = frame();
    for part in [open, closed] {
        add(&mut document["paths"], &part["paths"]);
        add(&mut document["components"]["schemas"], &part["components"]["schemas"]);
    }
    let FrameSchemas { frames, definitions } = FrameSchemas::at("/components/schemas");
    add(&mut document["components"]["schemas"], &definitions.into());
    for (_, _, operation) in operations(&mut document) {
        add_error_schemas(operation);
        events::name(operation, &frames);
        if operation["operationId"].as_str().is_some_and(|id| BODY_IS_OPTIONAL.contains(&id)) {
            operation["requestBody"]["required"] = json!(false);
        }
    }
    document
}

/// Operations with an optional body, which the route macro cannot express.
const BODY_IS_OPTIONAL: [&str; 3] = ["fork_session", "regenerate_turn", "accept_mcp_tools"];

/// Returns the parts of the document that do not come from routes.
fn frame() -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "turnkit",
            "description": "Chat turns that survive: accepted once, followed from anywhere, in several protocols. The extension \
                            `x-events` of a stream's content names the schema of each native event; docs/http.md describes the \
                            events of the other protocols.",
            "version": env!("CARGO_PKG_VERSION"),
            "license": { "name": "Apache-2.0", "identifier": "Apache-2.0" },
        },
        "tags": [
            { "name": "turns", "description": "Turns: each runs from one user input to one terminal event." },
            { "name": "sessions", "description": "Conversations." },
            { "name": "interactions", "description": "Decisions that turns wait for." },
            { "name": "chat", "description": "Turns in the protocols of other systems." },
            { "name": "files", "description": "Files that turns can name." },
            { "name": "providers", "description": "Providers and their status." },
            { "name": "mcp", "description": "MCP servers whose tools agents use." },
            { "name": "recordings", "description": "Recorded exchanges with providers, and replays." },
            { "name": "usage", "description": "Usage and cost." },
            { "name": "keys", "description": "API keys." },
            { "name": "operation", "description": "Health, readiness and metrics." },
        ],
        "paths": {},
        "components": {
            "schemas": { "Error": ErrorBody::schema() },
            "securitySchemes": {
                "bearer": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An API key, or a token of the identity provider. Operations name the scope that it must have.",
                },
                "header": { "type": "apiKey", "in": "header", "name": "x-api-key", "description": "The same API key." },
            },
        },
    })
}

/// Returns all operations: path, method and description.
fn operations(document: &mut Value) -> impl Iterator<Item = (String, String, &mut Value)> {
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    paths.flat_map(|(path, item)| {
        let methods = item.as_object_mut().into_iter().flatten();
        methods.map(|(method, operation)| (path.clone(), method.clone(), operation))
    })
}

fn add(to: &mut Value, from: &Value) {
    if let (Some(to), Some(from)) = (to.as_object_mut(), from.as_object()) {
        to.extend(from.clone());
    }
}

/// A status and the reasons for it. Error codes are between backticks.
type ErrorDoc<'a> = (&'a str, &'a str);

const EVERYWHERE: [ErrorDoc<'static>; 1] = [(
    "403",
    "`host_not_allowed`: the server does not serve this host. `origin_not_allowed`: it does not serve pages of this \
     origin.",
)];
const AUTHENTICATED: [ErrorDoc<'static>; 3] = [
    ("401", "`unauthenticated`: the key or token is missing, unknown or expired."),
    (
        "429",
        "`rate_limited`: the user sends too many requests, or too many unknown keys or invalid tokens came from this \
         address.",
    ),
    ("503", "`unavailable`: the server cannot process the request now."),
];
const WITH_ID: [ErrorDoc<'static>; 1] = [("404", "`not_found`: the resource does not exist for this caller.")];
const WITH_QUERY: [ErrorDoc<'static>; 1] = [("422", "`invalid_request`: the message says which field is wrong.")];
const WITH_BODY: [ErrorDoc<'static>; 5] = [
    ("400", "`invalid_json`: the body cannot be parsed."),
    ("408", "`timeout`: the body did not arrive in time."),
    ("413", "`body_too_large`: the message says how large it may be."),
    ("415", "`unsupported_media_type`: the body is JSON, without a content-encoding."),
    ("422", "`invalid_request`: the message says which field is wrong."),
];
const WRITES: [ErrorDoc<'static>; 1] = [("507", "`storage_full`: the storage is full.")];

/// Adds the errors that follow from the form of a route.
fn add_usual_errors(operation: &mut Value, path: &str, method: &str) {
    add_errors(operation, &EVERYWHERE);
    if path.contains('{') {
        add_errors(operation, &WITH_ID);
    }
    let parameters = operation["parameters"].as_array().into_iter().flatten();
    if parameters.into_iter().any(|parameter| parameter["in"] != "path") {
        add_errors(operation, &WITH_QUERY);
    }
    if operation.get("requestBody").is_some() {
        add_errors(operation, &WITH_BODY);
    }
    if method != "get" {
        add_errors(operation, &WRITES);
    }
}

/// Adds the error for a caller without the scope that the operation needs.
fn add_scope_error(operation: &mut Value) {
    // Backticks would make the scope an error code.
    let scope = operation["security"][0]["bearer"][0].as_str().unwrap_or_default();
    let why = format!("`forbidden`: the key or token lacks the scope {scope}.");
    add_errors(operation, &[("403", &why)]);
}

/// Adds errors to those that a route documents itself. If the route gives its own reason for a code, that reason stays.
fn add_errors(operation: &mut Value, errors: &[ErrorDoc<'_>]) {
    for (status, why) in errors {
        let documented = operation["responses"][status]["description"].as_str().unwrap_or_default().to_owned();
        if codes(why).any(|(code, _)| documented.contains(code))
            || (*status == "422" && documents_invalid_request(operation))
        {
            continue;
        }
        operation["responses"][status]["description"] = format!("{documented} {why}").trim_start().into();
    }
}

/// Reports whether a route returns invalid requests with status 400 instead of 422.
fn documents_invalid_request(operation: &Value) -> bool {
    let documented = operation["responses"]["400"]["description"].as_str();
    documented.is_some_and(|documented| documented.contains("`invalid_request`"))
}

/// Adds the schema of errors to each error response, with an example of each of its codes.
fn add_error_schemas(operation: &mut Value) {
    for (status, response) in operation["responses"].as_object_mut().into_iter().flatten() {
        if status.as_str() < "400" || response.get("content").is_some() {
            continue;
        }
        let description = response["description"].as_str().unwrap_or_default().to_owned();
        let examples: Map<String, Value> =
            codes(&description).map(|(code, why)| (code.to_owned(), json!({ "value": example(code, why) }))).collect();
        response["content"]["application/json"] =
            json!({ "schema": { "$ref": "#/components/schemas/Error" }, "examples": examples });
    }
}

/// Returns the codes in a description, each with the reason that follows it.
fn codes(description: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut words = description.split('`').skip(1);
    std::iter::from_fn(move || Some((words.next()?, words.next()?)))
        .map(|(code, why)| (code, why.trim_start_matches(':').trim().trim_end_matches('.')))
}

fn example(code: &str, message: &str) -> Value {
    let known = ErrorCode::ALL.into_iter().find(|known| json!(known) == code);
    known
        .map(|code| json!(ApiError::new(code, message).body("0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a00")))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_document_contains_exactly_the_existing_routes() {
        let closed = crate::routes::router().merge(crate::routes::metrics()).merge(crate::routes::uploads());
        let closed = closed.into_described();
        let (router, _) = closed.merge(crate::routes::open()).split_for_parts();
        let shown = format!("{router:?}");
        // The debug output of the router contains its paths and two internal ones for unmatched requests.
        let is_path = |word: &&str| word.starts_with('/') && word.len() > 1 && !word.starts_with("/{*__private");
        let routes: BTreeSet<&str> = shown.split('"').filter(is_path).collect();
        let document = document();
        let paths: BTreeSet<&str> =
            document["paths"].as_object().into_iter().flatten().map(|(path, _)| path.as_str()).collect();
        assert!(routes.contains("/api/v1/turns/{id}/events"), "{shown}");
        assert_eq!(routes, paths);
    }

    #[test]
    fn a_route_keeps_its_own_reason_and_gets_the_usual_ones() {
        let mut operation = json!({ "responses": { "403": { "description": "`forbidden`: only the operator." } } });
        add_errors(&mut operation, &EVERYWHERE);
        add_errors(&mut operation, &EVERYWHERE);
        let description = operation["responses"]["403"]["description"].as_str().unwrap();
        let codes: Vec<&str> = codes(description).map(|(code, _)| code).collect();
        assert_eq!(codes, ["forbidden", "host_not_allowed", "origin_not_allowed"]);
    }
}
