//! An image that the user sends.

use axum::http::Uri;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use turnkit_core::Image;

/// Checks and returns the image at `url`, or returns the invalid field and the reason. A provider would reject the
/// whole turn because of an invalid image, at a point when the client's request has already been accepted.
pub(super) fn read(media_type: String, url: String) -> Result<Image, (&'static str, &'static str)> {
    let image = Image::new(media_type, url);
    if !is_of_images(&image.media_type) {
        return Err(("media_type", "must be the media type of an image, such as image/png"));
    }
    match after_scheme(&image.url, "data:") {
        Some(data) => {
            let Some((named, content)) = data.split_once(";base64,") else {
                return Err(("url", "a data: URL must hold base64: data:image/png;base64,…"));
            };
            if !named.eq_ignore_ascii_case(&image.media_type) {
                return Err(("url", "does not match `media_type`"));
            }
            if content.is_empty() || STANDARD.decode(content).is_err() {
                return Err(("url", "the data is not valid base64"));
            }
        }
        None if !is_on_the_web(&image.url) => {
            return Err(("url", "must be an https: URL or a data: URL of an image"));
        }
        None => {}
    }
    Ok(image)
}

fn is_of_images(media_type: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte);
    after_scheme(media_type, "image/").is_some_and(|kind| !kind.is_empty() && kind.bytes().all(is_token))
}

fn is_on_the_web(url: &str) -> bool {
    after_scheme(url, "https://").is_some()
        && url.parse().is_ok_and(|uri: Uri| uri.host().is_some_and(|host| !host.is_empty()))
}

/// Returns the text after the prefix `start`, whose case is ignored.
fn after_scheme<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(start.len())?;
    head.eq_ignore_ascii_case(start).then_some(rest)
}
