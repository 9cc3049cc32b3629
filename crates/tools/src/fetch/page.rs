//! The text of a response.

use futures_util::StreamExt as _;
use turnkit_core::ToolError;
use turnkit_net::Response;

use super::html::rendered;

/// How much of a page is read, in bytes.
const PAGE_BYTES: usize = 1024 * 1024;

/// Reads the text of a page, of its first [`PAGE_BYTES`] if it is longer.
pub(super) async fn text(response: Response) -> Result<String, ToolError> {
    let media_type = media_type(response.header("content-type"));
    let is_html = matches!(media_type.as_str(), "text/html" | "application/xhtml+xml");
    if !is_html && !is_text(&media_type) {
        return Err(ToolError::Failed(format!("the page is {media_type}, not text")));
    }
    let mut body = response.into_body();
    let (mut content, mut is_cut) = (Vec::new(), false);
    while let Some(piece) = body.next().await {
        content.extend_from_slice(&piece.map_err(|error| ToolError::Failed(error.to_string()))?);
        if content.len() > PAGE_BYTES {
            content.truncate(PAGE_BYTES);
            is_cut = true;
            break;
        }
    }
    let mut text = match is_html {
        true => readable(content).await?,
        false => String::from_utf8_lossy(&content).into_owned(),
    };
    if is_cut {
        text.push_str(&format!("\n[the page is longer than {PAGE_BYTES} bytes; the rest is left out]"));
    }
    Ok(text)
}

/// Renders HTML as text. It takes the time and the stack of a thread of its own.
#[expect(clippy::disallowed_methods, reason = "a large page takes long to lay out")]
async fn readable(html: Vec<u8>) -> Result<String, ToolError> {
    let rendered = tokio::task::spawn_blocking(move || rendered(&html)).await;
    rendered.unwrap_or_else(|error| Err(error.to_string())).map_err(ToolError::Failed)
}

/// The type of the content, in small letters, without its parameters. A page that names none is taken for text.
fn media_type(content_type: Option<&str>) -> String {
    let essence = content_type.and_then(|value| value.split(';').next()).map(str::trim).unwrap_or_default();
    if essence.is_empty() { "text/plain".to_owned() } else { essence.to_ascii_lowercase() }
}

fn is_text(media_type: &str) -> bool {
    let is_structured = |suffix: &str| media_type.ends_with(suffix);
    media_type.starts_with("text/")
        || ["+json", "+xml", "/json", "/xml", "/javascript", "/yaml", "/toml"].into_iter().any(is_structured)
}
