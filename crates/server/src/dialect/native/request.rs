//! The body of a native request. Unknown fields are rejected, because the client may rely on an effect that they do not
//! have.

use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use turnkit_core::{
    BlobId, BranchPoint, Message, Part, RawJson, Role, SessionKey, ToolDefinition, ToolFlags, TurnRoute,
};
use utoipa::ToSchema;

use super::context::ContextBody;
use super::image;
use super::route::RouteBody;
use crate::dialect::{Answer, Head, TurnSubmission};
use crate::error::ApiError;
use crate::json::on_busy::OnBusyBody;
use crate::json::params::ParamsBody;
use crate::json::tool_use::ToolUseBody;
use crate::json::{self, text};

/// A user's message, with the agent and the settings that respond to it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Body {
    /// The session to continue. Without it, the turn starts a new session.
    #[schema(format = Uuid)]
    session_id: Option<String>,
    /// The agent that responds. Without it, the agent with which the session was created.
    agent: Option<String>,
    /// Constraints on the provider and model. An absent constraint is taken from the agent.
    #[schema(inline)]
    route: Option<RouteBody>,
    /// Settings of the model calls of this turn. An absent setting is taken from the session, or else from the agent.
    #[schema(inline)]
    params: Option<ParamsBody>,
    /// `none`: this turn has no tools, and its model receives no earlier calls and results. `auto`: it has the tools of
    /// its agent. Without this field, the session's setting applies.
    #[schema(inline)]
    tools: Option<ToolUseBody>,
    /// Tools that the client runs itself, with up to 256 KiB of names, descriptions and schemas. A call to one of them
    /// waits, announced by `interaction.requested` of the kind `client_tool`, until the client reports its result.
    /// Needs `interact`.
    #[serde(default)]
    #[schema(max_items = 128)]
    client_tools: Vec<ClientToolBody>,
    /// The mode of this turn: `general`, `plan`, `build`, `explore` or another mode of the agent. Without it, the
    /// session's mode applies.
    mode: Option<Box<str>>,
    /// The user's message.
    #[serde(default, deserialize_with = "text::optional_not_blank")]
    #[schema(min_length = 1)]
    message: Option<String>,
    /// The user's message as texts and images, in place of `message`.
    #[schema(min_items = 1)]
    parts: Option<Vec<InputPart>>,
    /// The ids of uploaded files that the model reads before the message: UTF-8 texts up to 256 KiB, images up to 5 MiB
    /// and PDFs up to 16 MiB.
    #[serde(default)]
    #[schema(max_items = 20)]
    files: Vec<String>,
    /// Files in the folders of `files.roots` that the model reads before the message, as absolute paths or paths
    /// relative to one of these folders. Together with `files`, at most 20.
    #[schema(inline)]
    context: Option<ContextBody>,
    /// The idempotency key, in place of the header.
    #[schema(min_length = 1, max_length = 255)]
    idempotency_key: Option<String>,
    /// The turn of the session to continue, which must have ended; `null` to start without history. Without this field,
    /// the turn continues the session's head.
    #[serde(default, deserialize_with = "read_after")]
    #[schema(value_type = Option<uuid::Uuid>)]
    after: BranchPoint,
    /// What happens to the turn while another turn of the session runs. `enqueue`: it waits in the queue. `interrupt`:
    /// it ends the running turn and the waiting turns, and runs next. `reject`: it is rejected with `session_busy`.
    /// `steer`: the running turn receives it before its next model call; if the running turn ends first, it is handled
    /// as `enqueue`. Without this field, the agent's setting applies.
    #[schema(inline)]
    on_busy: Option<OnBusyBody>,
    /// Whether a person can answer questions. If so, a call that needs approval waits, announced by
    /// `interaction.requested`. Otherwise it is denied, and the model reads the reason.
    #[serde(default)]
    interact: bool,
}

/// A tool that the client runs itself.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct ClientToolBody {
    /// The name of the tool, which no tool of the agent may have.
    #[serde(deserialize_with = "text::not_blank")]
    #[schema(min_length = 1)]
    name: String,
    /// What the tool does, for the model.
    #[serde(default, deserialize_with = "text::without_nul")]
    description: String,
    /// The JSON Schema of its arguments: its `type` is `object` or absent. The client itself validates the arguments.
    #[serde(default, deserialize_with = "read_parameters")]
    #[schema(value_type = Object)]
    parameters: Option<RawJson>,
}

impl From<ClientToolBody> for ToolDefinition {
    fn from(body: ClientToolBody) -> Self {
        let ClientToolBody { name, description, parameters } = body;
        let parameters = parameters.unwrap_or_else(RawJson::empty_object);
        Self { name, description, parameters, flags: ToolFlags::default(), fingerprint: None }
    }
}

/// A piece of the user's message.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct InputPart {
    #[schema(inline)]
    r#type: InputKind,
    /// The text of a `text`.
    #[serde(default, deserialize_with = "text::optional_without_nul")]
    #[schema(value_type = String, required = false)]
    text: Option<String>,
    /// The media type of an `image`.
    #[serde(default, deserialize_with = "text::optional_without_nul")]
    #[schema(value_type = String, required = false)]
    media_type: Option<String>,
    /// The address of an `image`: an `https:` URL, or a `data:` URL with base64.
    #[serde(default, deserialize_with = "text::optional_without_nul")]
    #[schema(value_type = String, required = false)]
    url: Option<String>,
}

#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum InputKind {
    Text,
    Image,
}

/// Decodes a request. A client that does not accept a stream receives a receipt.
pub(super) fn decode(head: &Head<'_>, body: &[u8]) -> Result<TurnSubmission, ApiError> {
    let Body {
        session_id,
        agent,
        route,
        params,
        tools,
        client_tools,
        mode,
        message,
        parts,
        files,
        context,
        idempotency_key,
        after,
        on_busy,
        interact,
    } = json::read(body)?;
    let parts = match (message, parts) {
        (Some(_), Some(_)) => return Err(ApiError::field("parts", "give message or parts, not both")),
        (Some(message), None) => vec![Part::text(message)],
        (None, Some(parts)) => read_parts(parts)?,
        (None, None) => return Err(ApiError::field("message", "missing")),
    };
    let (context, mut shown) = context.map(ContextBody::read).transpose()?.unwrap_or_default();
    shown.extend(parts);
    Ok(TurnSubmission {
        session: session_id.map_or(Ok(SessionKey::New), |id| read_session(&id))?,
        agent,
        route: route.map(TurnRoute::from),
        params: params.map(ParamsBody::into_params).transpose()?.unwrap_or_default(),
        tools: tools.map(Into::into),
        client_tools: client_tools.into_iter().map(Into::into).collect(),
        mode,
        message: Message::new(Role::User, shown),
        files: read_files(&files)?,
        context,
        idempotency_key,
        answer: if head.accepts("text/event-stream") { Answer::Stream } else { Answer::Whole },
        after,
        busy: on_busy.map(Into::into),
        interact,
    })
}

/// A string that is not an id is rejected like the id of an unknown turn.
fn read_after<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BranchPoint, D::Error> {
    match Option::<String>::deserialize(deserializer)? {
        None => Ok(BranchPoint::Beginning),
        Some(id) => id.parse().map(BranchPoint::After).map_err(|_| text::invalid("the session has no such turn")),
    }
}

fn read_parameters<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<RawJson>, D::Error> {
    let Some(sent) = Option::<&'de [u8]>::deserialize(deserializer)? else { return Ok(None) };
    let _: Map<String, Value> = serde_json::from_slice(sent).map_err(|_| text::invalid("must be an object"))?;
    serde_json::from_slice(sent).map(Some).map_err(|_| text::invalid("cannot be read"))
}

/// A string that is not an id is rejected like an unknown id.
fn read_session(id: &str) -> Result<SessionKey, ApiError> {
    id.parse().map(SessionKey::Id).map_err(|_| ApiError::no_session())
}

fn read_files(ids: &[String]) -> Result<Vec<BlobId>, ApiError> {
    let read = |(index, id): (usize, &String)| {
        id.parse().map_err(|_| ApiError::field(&format!("files[{index}]"), "not the id of a file"))
    };
    ids.iter().enumerate().map(read).collect()
}

fn read_parts(parts: Vec<InputPart>) -> Result<Vec<Part>, ApiError> {
    let read = |(index, part)| {
        read_part(part).map_err(|(field, why)| ApiError::field(&format!("parts[{index}].{field}"), why))
    };
    let parts = parts.into_iter().enumerate().map(read).collect::<Result<Vec<_>, _>>()?;
    let blank = |part: &Part| part.as_text().is_some_and(|text| text.trim().is_empty());
    if parts.iter().all(blank) {
        return Err(ApiError::field("parts", "must not be empty"));
    }
    Ok(parts)
}

/// Returns the part, or the invalid field and the reason.
fn read_part(part: InputPart) -> Result<Part, (&'static str, &'static str)> {
    let (missing, unknown) = ("missing", "unknown field");
    match part {
        InputPart { r#type: InputKind::Text, media_type: Some(_), .. } => Err(("media_type", unknown)),
        InputPart { r#type: InputKind::Text, url: Some(_), .. } => Err(("url", unknown)),
        InputPart { r#type: InputKind::Text, text, .. } => text.map(Part::text).ok_or(("text", missing)),
        InputPart { r#type: InputKind::Image, text: Some(_), .. } => Err(("text", unknown)),
        InputPart { r#type: InputKind::Image, media_type, url, .. } => {
            let media_type = media_type.ok_or(("media_type", missing))?;
            image::read(media_type, url.ok_or(("url", missing))?).map(Part::Image)
        }
    }
}
