//! Images of tool results. They are stored like the files of users, so that neither the history nor the database holds
//! megabytes of base64.

use turnkit_core::{Image, ToolImage, ToolResult};

use super::kept_results::KeptResults;
use crate::data_url::data_url;

/// The text that the model reads if an image could not be stored.
const NOT_STORED: &str = "\n[an image is not shown: it could not be stored]";

/// Stores images, and adds them to the result that they belong to. Without a store, the result holds their contents.
pub(super) async fn add(images: &[ToolImage], store: Option<KeptResults<'_>>, result: &mut ToolResult) {
    for image in images {
        let url = match store {
            Some(store) => store.keep_image(image).await,
            None => Some(data_url(image.media_type(), image.content())),
        };
        match url {
            Some(url) => result.images.push(Image::new(image.media_type(), url)),
            None => result.content.push_str(NOT_STORED),
        }
    }
}
