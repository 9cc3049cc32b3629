//! Routes that start turns. Each protocol has its own paths.

use axum::extract::State;
use axum::http::{HeaderMap, Uri};
use axum::routing::post;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;
use turnkit_core::AccessScope;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, Paths};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::{ContentBuilder, Object, ObjectBuilder, Ref, Required, ResponseBuilder, Type};
use utoipa::{IntoParams, PartialSchema, ToSchema};
use utoipa_axum::router::UtoipaMethodRouter;

use super::extract::{Query, extensions};
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::dialect::{Components, DIALECTS, Dialect, Endpoint, Head};
use crate::error::{ApiError, ErrorCode};
use crate::start::{AcceptedTurn, Start, start};
use crate::trace_parent::{ABOUT_TRACE_PARENT, TRACE_PARENT};

const JSON: &str = "application/json";
const EVENT_STREAM: &str = "text/event-stream";

pub(super) fn router() -> ScopedRouter {
    DIALECTS.iter().fold(ScopedRouter::new(), |router, dialect| router.merge(routes(dialect)))
}

/// Returns the routes of a protocol, with their descriptions in the OpenAPI document.
pub(crate) fn routes(dialect: &'static Dialect) -> ScopedRouter {
    let routes = dialect.endpoints.iter().map(|endpoint| route(dialect, endpoint));
    routes.fold(ScopedRouter::new(), |router, route| router.routes(AccessScope::Chat, route))
}

/// Query parameters. Unknown ones are ignored, because clients of other systems may send more.
#[derive(Deserialize, IntoParams)]
struct ChatParams {
    ext: Option<String>,
}

fn route(dialect: &'static Dialect, endpoint: &'static Endpoint) -> UtoipaMethodRouter<App> {
    let answer = move |State(app): State<App>, principal: Principal, uri: Uri, headers: HeaderMap, body: Bytes| async move {
        let head = Head { headers: &headers, uri: &uri };
        let started = async {
            let ext = extensions(Query::<ChatParams>::of(head.uri)?.0.ext.as_deref())?;
            start(&app, &principal, Start { dialect, endpoint, ext, head, body: &body }).await
        };
        started.await.unwrap_or_else(endpoint.error_response)
    };
    let (mut paths, mut components) = (Paths::new(), vec![(AcceptedTurn::name().into_owned(), AcceptedTurn::schema())]);
    paths.add_path_operation(endpoint.path, vec![HttpMethod::Post], operation(endpoint, &mut components));
    (components, paths, post(answer))
}

fn operation(endpoint: &Endpoint, components: &mut Components) -> OperationBuilder {
    let docs = &endpoint.docs;
    let body = ContentBuilder::new().schema(Some((docs.schema)(components))).example(json(docs.request)).build();
    let events = ContentBuilder::new().schema(Some(of_type(Type::String))).example(Some(docs.stream.into())).build();
    let events =
        ResponseBuilder::new().description("The turn's events, sent as they occur.").content(EVENT_STREAM, events);
    let mut operation = OperationBuilder::new()
        .tag(if docs.receipt.is_some() { "turns" } else { "chat" })
        .operation_id(Some(docs.operation_id))
        .summary(Some(docs.summary))
        .description(Some(docs.description))
        .parameter(parameter(
            ParameterIn::Query,
            "ext",
            "`1` for what the protocol itself does not have: cursors, and events it has no word for.",
            ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).maximum(Some(1)).default(Some(0.into())),
        ))
        .parameter(parameter(
            ParameterIn::Header,
            "idempotency-key",
            "Sent twice with one key, a request starts one turn.",
            ObjectBuilder::new().schema_type(Type::String).min_length(Some(1)).max_length(Some(255)),
        ))
        .parameter(parameter(
            ParameterIn::Header,
            TRACE_PARENT,
            ABOUT_TRACE_PARENT,
            ObjectBuilder::new().schema_type(Type::String),
        ))
        .request_body(Some(RequestBodyBuilder::new().required(Some(Required::True)).content(JSON, body).build()))
        .response("200", events);
    if let Some(receipt) = docs.receipt {
        let begun = Ref::from_schema_name(AcceptedTurn::name());
        let begun = ContentBuilder::new().schema(Some(begun)).example(json(receipt)).build();
        let accepted = "The turn is accepted. So it is answered unless the client accepts `text/event-stream`.";
        operation = operation.response("202", ResponseBuilder::new().description(accepted).content(JSON, begun));
    }
    for (status, why) in ERRORS {
        operation = operation.response(status, ResponseBuilder::new().description(why));
    }
    let wrong = (endpoint.error_response)(ApiError::new(ErrorCode::InvalidRequest, "")).status();
    operation.response(wrong.as_str(), ResponseBuilder::new().description(WRONG))
}

/// The errors that only routes that start a turn return.
const ERRORS: [(&str, &str); 5] = [
    ("403", "`forbidden`: the key or token lacks the scope chat, or a scope for the agent."),
    ("404", "`not_found`: there is no such session or agent for this caller."),
    (
        "409",
        "`session_busy`: the session runs another turn and its agent refuses a second one, or the turn to continue \
         has not ended.",
    ),
    ("410", "`stream_expired`: the request is a repeated one, and the events of its turn are no longer stored."),
    ("429", "`queue_full`: too many turns wait for the session."),
];

const WRONG: &str = "`invalid_request`: the message says which field is wrong. `key_reused`: the idempotency key was used \
                     for another request.";

fn parameter(place: ParameterIn, name: &str, what: &str, schema: ObjectBuilder) -> Parameter {
    let parameter = ParameterBuilder::new().name(name).parameter_in(place).required(Required::False);
    parameter.description(Some(what)).schema(Some(schema)).build()
}

fn of_type(schema: Type) -> Object {
    Object::with_type(schema)
}

fn json(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_each_endpoint_are_json() {
        for Endpoint { path, docs, .. } in DIALECTS.iter().flat_map(|dialect| dialect.endpoints) {
            for text in std::iter::once(docs.request).chain(docs.receipt) {
                assert!(json(text).is_some(), "{path}: {text}");
            }
        }
    }
}
