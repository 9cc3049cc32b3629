//! What a native request asks for. A field that nobody knows is refused: it may be one whose effect is missed.

use turnkit_core::{Message, Part, Role, SessionKey};

use super::{image, route};
use crate::dialect::{Answer, Head, TurnSubmission};
use crate::error::ApiError;
use crate::json::{Field, Object};

/// `{session_id?, agent?, route?, message | parts, idempotency_key?}`. A client that does not ask for a stream gets a
/// receipt.
pub(super) fn decode(head: &Head<'_>, body: &[u8]) -> Result<TurnSubmission, ApiError> {
    let names = ["session_id", "agent", "route", "message", "parts", "idempotency_key"];
    let [session, agent, route, message, parts, key] = Object::read(body, names)?.only()?;
    let said = match (message.is_given(), parts.is_given()) {
        (true, true) => return Err(parts.wrong("give message or parts, not both")),
        (false, true) => parts.items()?.iter().map(read_part).collect::<Result<Vec<_>, _>>()?,
        (_, false) => vec![Part::text(message.message()?)],
    };
    if said.iter().filter_map(Part::as_text).all(|text| text.trim().is_empty()) && !said.iter().any(is_image) {
        return Err(parts.wrong("they are empty"));
    }
    let session = session.optional_text()?;
    Ok(TurnSubmission {
        session: session.as_deref().map_or(Ok(SessionKey::New), read_session)?,
        agent: agent.optional_text()?,
        route: route.is_given().then(|| route::read(&route)).transpose()?,
        message: Message::new(Role::User, said),
        idempotency_key: key.optional_text()?,
        answer: if head.accepts("text/event-stream") { Answer::Stream } else { Answer::Whole },
    })
}

/// What is not an id is the id of nothing.
fn read_session(id: &str) -> Result<SessionKey, ApiError> {
    id.parse().map(SessionKey::Id).map_err(|_| ApiError::not_found())
}

fn read_part(item: &Field<'_>) -> Result<Part, ApiError> {
    let [kind] = item.object(["type"])?.fields;
    match kind.text()?.as_str() {
        "text" => {
            let [_, text] = item.object(["type", "text"])?.only()?;
            Ok(Part::text(text.sound_text()?))
        }
        "image" => {
            let [_, media_type, url] = item.object(["type", "media_type", "url"])?.only()?;
            image::read(&media_type, &url).map(Part::Image)
        }
        _ => Err(kind.wrong("it must be text or image")),
    }
}

fn is_image(part: &Part) -> bool {
    matches!(part, Part::Image(_))
}
