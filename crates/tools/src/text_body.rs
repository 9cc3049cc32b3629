//! Reads the bodies of text responses.

use futures_util::StreamExt as _;
use turnkit_core::ToolError;
use turnkit_net::Response;

/// The largest number of bytes read from a body.
const BODY_BYTES: usize = 1024 * 1024;

/// Reads the text of a response. If it is longer than [`BODY_BYTES`], reads only that many bytes.
pub(crate) async fn text_of(response: Response) -> Result<String, ToolError> {
    let media_type = media_type(&response);
    if !is_text(&media_type) {
        return Err(ToolError::Failed(format!("the response is {media_type}, not text")));
    }
    let (content, is_cut) = read_text(response).await?;
    Ok(with_note(String::from_utf8_lossy(&content).into_owned(), is_cut, "response"))
}

/// Reads the first [`BODY_BYTES`] of a body, and reports whether there are more bytes.
pub(crate) async fn read_text(response: Response) -> Result<(Vec<u8>, bool), ToolError> {
    let mut body = response.into_body();
    let mut content = Vec::new();
    while let Some(piece) = body.next().await {
        content.extend_from_slice(&piece.map_err(|error| ToolError::Failed(error.to_string()))?);
        if content.len() > BODY_BYTES {
            content.truncate(BODY_BYTES);
            return Ok((content, true));
        }
    }
    Ok((content, false))
}

/// Appends a note to a text that was cut.
pub(crate) fn with_note(mut text: String, is_cut: bool, what: &str) -> String {
    if is_cut {
        text.push_str(&format!("\n[the {what} is longer than {BODY_BYTES} bytes; the rest is left out]"));
    }
    text
}

/// Returns the media type of the content, in lower case and without parameters. If the response names no type, assumes
/// text.
pub(crate) fn media_type(response: &Response) -> String {
    let content_type = response.header("content-type");
    let essence = content_type.and_then(|value| value.split(';').next()).map(str::trim).unwrap_or_default();
    if essence.is_empty() { "text/plain".to_owned() } else { essence.to_ascii_lowercase() }
}

pub(crate) fn is_text(media_type: &str) -> bool {
    let is_structured = |suffix: &str| media_type.ends_with(suffix);
    media_type.starts_with("text/")
        || ["+json", "+xml", "/json", "/xml", "/javascript", "/yaml", "/toml"].into_iter().any(is_structured)
}
