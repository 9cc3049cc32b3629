//! Starting turns, in every protocol at its own address.

use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use axum::routing::post;
use bytes::Bytes;
use serde::Deserialize;
use serde_json::Value;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, Parameter, ParameterBuilder, ParameterIn, Paths};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::{ContentBuilder, Object, ObjectBuilder, Ref, RefOr, Required, ResponseBuilder, Schema, Type};
use utoipa::{IntoParams, PartialSchema, ToSchema};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouter};

use super::extract::{Query, extensions};
use crate::app::App;
use crate::auth::Principal;
use crate::dialect::{DIALECTS, Dialect, Door};
use crate::error::ApiError;
use crate::start::{Answer, Begun, Start, start};

const JSON: &str = "application/json";
const EVENT_STREAM: &str = "text/event-stream";

pub(super) fn router() -> OpenApiRouter<App> {
    DIALECTS.iter().fold(OpenApiRouter::new(), |router, dialect| router.routes(route(dialect)))
}

/// Clients of other systems may send more than is asked for.
#[derive(Deserialize, IntoParams)]
struct Wanted {
    ext: Option<String>,
}

/// The route of a protocol, with what the document says about it.
fn route(dialect: &'static Dialect) -> UtoipaMethodRouter<App> {
    let answer = move |State(app): State<App>,
                       principal: Principal,
                       wanted: Result<Query<Wanted>, ApiError>,
                       headers: HeaderMap,
                       body: Bytes| async move {
        let asked = async {
            let ext = extensions(wanted?.0.ext.as_deref())?;
            let receipt = dialect.door.receipt.is_some() && !wants_events(&headers);
            let answer = if receipt { Answer::Receipt } else { Answer::Stream };
            start(&app, &principal, Start { dialect, ext, answer, headers: &headers, body: &body }).await
        };
        asked.await.map_err(|error: ApiError| dialect.refuse(error)) as Result<Response, ApiError>
    };
    let mut paths = Paths::new();
    paths.add_path_operation(dialect.door.path, vec![HttpMethod::Post], operation(dialect.name, &dialect.door));
    (vec![(Begun::name().into_owned(), Begun::schema())], paths, post(answer))
}

/// Whether the client says that it reads event streams.
fn wants_events(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|range| {
        let mut words = range.split(';').map(str::trim);
        words.next().is_some_and(|media_type| media_type.eq_ignore_ascii_case(EVENT_STREAM)) && !words.any(is_refusal)
    })
}

/// Whether a parameter of a media type says that it is not wanted at all.
fn is_refusal(parameter: &str) -> bool {
    let weight = parameter.strip_prefix("q=").or(parameter.strip_prefix("Q="));
    weight.and_then(|weight| weight.parse::<f32>().ok()).is_some_and(|weight| weight <= 0.0)
}

fn operation(name: &str, door: &Door) -> OperationBuilder {
    let schema: Option<RefOr<Schema>> = serde_json::from_str(door.schema).ok();
    let body = ContentBuilder::new().schema(schema).example(json(door.request)).build();
    let events = ContentBuilder::new().schema(Some(of_type(Type::String))).example(Some(door.stream.into())).build();
    let events = ResponseBuilder::new().description("The turn's events, as they come.").content(EVENT_STREAM, events);
    let mut operation = OperationBuilder::new()
        .tag(if door.receipt.is_some() { "turns" } else { "chat" })
        .operation_id(Some(format!("start_{name}")))
        .summary(Some(door.summary))
        .description(Some(door.description))
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
        .request_body(Some(RequestBodyBuilder::new().required(Some(Required::True)).content(JSON, body).build()))
        .response("200", events);
    if let Some(receipt) = door.receipt {
        let begun = Ref::from_schema_name(Begun::name());
        let begun = ContentBuilder::new().schema(Some(begun)).example(json(receipt)).build();
        let accepted = "The turn is accepted. So it is answered unless the client accepts `text/event-stream`.";
        operation = operation.response("202", ResponseBuilder::new().description(accepted).content(JSON, begun));
    }
    for (status, why) in REFUSALS {
        operation = operation.response(status, ResponseBuilder::new().description(why));
    }
    operation.response(door.wrong.as_str(), ResponseBuilder::new().description(WRONG))
}

/// What only routes that start a turn refuse.
const REFUSALS: [(&str, &str); 4] = [
    ("404", "`not_found`: there is no such session or agent for this caller."),
    ("409", "`session_busy`: the session runs another turn, and its agent refuses a second one."),
    ("410", "`stream_expired`: the request is a repeated one, and the events of its turn are not kept any more."),
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
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn a_client_that_accepts_event_streams_gets_one_unless_it_says_that_it_does_not() {
        for (accept, wants) in [
            ("text/event-stream", true),
            ("application/json, Text/Event-Stream ; q=0.1", true),
            ("text/event-stream;charset=utf-8", true),
            ("text/event-stream;q=0", false),
            ("application/json, text/event-stream; Q=0.000", false),
            ("*/*", false),
            ("text/event-streams", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]);
            assert_eq!(wants_events(&headers), wants, "{accept}");
        }
    }

    #[test]
    fn what_is_said_about_an_address_can_be_shown() {
        for Dialect { name, door, .. } in DIALECTS {
            assert!(serde_json::from_str::<RefOr<Schema>>(door.schema).is_ok(), "{name}");
            for text in std::iter::once(door.request).chain(door.receipt) {
                assert!(json(text).is_some(), "{name}: {text}");
            }
        }
    }
}
