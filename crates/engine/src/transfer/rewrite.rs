//! Rewrites a message of an imported session: with new ids, and with system messages as context.

use std::collections::HashMap;

use turnkit_core::{Blob, BlobId, CallUid, Context, File, Image, Message, Part, Role, TurnId};

/// The source that models see for imported instructions.
const INSTRUCTIONS: &str = "imported instructions";

/// The prefix of the media types of images.
const IMAGE: &str = "image/";

/// Returns the message with the id of the new turn in its calls, and with the ids of the stored files. System messages
/// become context of the user, because the exporter must not instruct this agent. Tool results and attached content are
/// marked as untrusted, regardless of the exporter's marks. Opaque data of vendors is left out, because it cannot be
/// verified.
pub(super) fn rewritten(
    message: Message,
    (exported, new): (TurnId, TurnId),
    files: &HashMap<BlobId, Blob>,
) -> Result<Message, String> {
    let is_system = message.role == Role::System;
    let mut parts = Vec::with_capacity(message.parts.len());
    for part in message.parts {
        let part = match part.without_opaque() {
            Part::Text(text) if is_system => {
                Part::Context(Context { source: INSTRUCTIONS.to_owned(), text: text.text, untrusted: false })
            }
            _ if is_system => return Err("parts: a system message holds text only".to_owned()),
            Part::Summary(_) => return Err("parts: a summary is a message of its own, with its mark".to_owned()),
            Part::Edits(_) => return Err("parts: edits are a message of their own, with its mark".to_owned()),
            Part::ToolCall(mut call) => {
                call.uid = own(call.uid, exported, new)?;
                Part::ToolCall(call)
            }
            Part::ToolResult(mut result) => {
                result.uid = own(result.uid, exported, new)?;
                // The full results stay in the exported session.
                result.kept = None;
                let images = std::mem::take(&mut result.images).into_iter().filter(|_| result.ok);
                result.images = images.map(|image| stored_image(image, files)).collect::<Result<_, _>>()?;
                Part::ToolResult(result)
            }
            Part::Image(image) => Part::Image(stored_image(image, files)?),
            Part::File(file) => {
                let (media_type, url) = stored(file.media_type, file.url, files, "application/pdf")?;
                Part::File(File { media_type, url, ..file })
            }
            part => part,
        };
        parts.push(part.into_untrusted());
    }
    let role = if is_system { Role::User } else { message.role };
    Ok(Message { role, parts, mark: message.mark })
}

fn own(uid: CallUid, exported: TurnId, new: TurnId) -> Result<CallUid, String> {
    match uid.turn == exported {
        true => Ok(CallUid { turn: new, ..uid }),
        false => Err("uid: belongs to another turn".to_owned()),
    }
}

/// Returns the stored image that replaces an exported one.
fn stored_image(image: Image, files: &HashMap<BlobId, Blob>) -> Result<Image, String> {
    let (media_type, url) = stored(image.media_type, image.url, files, IMAGE)?;
    Ok(Image::new(media_type, url))
}

/// Returns the media type and the URL of the stored file that replaces an exported one, if its type begins with `kind`.
fn stored(
    media_type: String,
    url: String,
    files: &HashMap<BlobId, Blob>,
    kind: &str,
) -> Result<(String, String), String> {
    let Some(id) = url.strip_prefix("blob:") else {
        let schemes: &[&str] = if kind == IMAGE { &["https://", "data:"] } else { &["data:"] };
        let is_known = schemes
            .iter()
            .any(|scheme| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme)));
        return if is_known { Ok((media_type, url)) } else { Err("url: not the address of a file".to_owned()) };
    };
    let file = id.parse().ok().and_then(|id: BlobId| files.get(&id));
    match file.ok_or("url: the file is not in the export before it")? {
        file if file.media_type.starts_with(kind) => Ok((file.media_type.to_string(), file.url())),
        _ => Err("url: the file is of another type".to_owned()),
    }
}
