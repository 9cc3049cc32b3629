//! Files in the server's folders that a native request names.

use serde::Deserialize;
use turnkit_core::{Image, Part};
use turnkit_engine::ContextPaths;
use utoipa::ToSchema;

use super::image;
use crate::error::ApiError;

/// The prefix of an image that is embedded in the request.
const DATA_URL: &str = "data:";

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ContextBody {
    /// Paths of UTF-8 texts up to 256 KiB, images up to 5 MiB and PDFs up to 16 MiB.
    #[serde(default)]
    #[schema(max_items = 20)]
    files: Vec<String>,
    /// Paths of images, or `data:` URLs with base64.
    #[serde(default)]
    #[schema(max_items = 20)]
    images: Vec<String>,
    /// The path of a folder whose files and folders are listed.
    tree: Option<String>,
}

impl ContextBody {
    /// Returns the paths, or `None` if there are none, and the images that are embedded in the request.
    pub(super) fn read(self) -> Result<(Option<Box<ContextPaths>>, Vec<Part>), ApiError> {
        let Self { files, images, tree } = self;
        let mut paths = ContextPaths { files, images: Vec::new(), tree };
        let mut shown = Vec::new();
        for (index, image) in images.into_iter().enumerate() {
            if image.starts_with(DATA_URL) {
                let Image { media_type, url, .. } = Image::at(image);
                let wrong = |(_, why)| ApiError::field(&format!("context.images[{index}]"), why);
                shown.push(Part::Image(image::read(media_type, url).map_err(wrong)?));
            } else {
                paths.images.push(image);
            }
        }
        Ok(((paths != ContextPaths::default()).then(|| Box::new(paths)), shown))
    }
}
