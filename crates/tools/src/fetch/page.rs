//! Extracts the text of a page.

use turnkit_core::ToolError;
use turnkit_net::Response;

use super::html::rendered;
use crate::text_body::{is_text, media_type, read_text, with_note};

/// Reads the text of a page. HTML is converted to text with its links.
pub(super) async fn text(response: Response) -> Result<String, ToolError> {
    let media_type = media_type(&response);
    let is_html = matches!(media_type.as_str(), "text/html" | "application/xhtml+xml");
    if !is_html && !is_text(&media_type) {
        return Err(ToolError::Failed(format!("the page is {media_type}, not text")));
    }
    let (content, is_cut) = read_text(response).await?;
    let text = match is_html {
        true => readable(content).await?,
        false => String::from_utf8_lossy(&content).into_owned(),
    };
    Ok(with_note(text, is_cut, "page"))
}

/// Renders HTML as text on a blocking thread, because it takes long and needs that thread's stack.
#[expect(clippy::disallowed_methods, reason = "a large page takes long to lay out")]
async fn readable(html: Vec<u8>) -> Result<String, ToolError> {
    let rendered = tokio::task::spawn_blocking(move || rendered(&html)).await;
    rendered.unwrap_or_else(|error| Err(error.to_string())).map_err(ToolError::Failed)
}
