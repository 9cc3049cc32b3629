//! Files as `data:` URLs.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Returns a URL that holds the content of a file.
pub(crate) fn data_url(media_type: &str, content: &[u8]) -> String {
    let mut url = format!("data:{media_type};base64,");
    STANDARD.encode_string(content, &mut url);
    url
}
