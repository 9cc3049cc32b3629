//! The images of a result, written as files.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use turnkit_core::ToolImage;

use crate::failure::Failure;

/// The number of names that are tried for an image before the folder counts as full.
const MAX_NAMES: usize = 10_000;

/// Writes images into a folder, which is created if it does not exist. No file is overwritten. Returns the paths, in
/// the order of the images.
///
/// # Errors
/// The folder cannot be created, or a file cannot be written.
pub(super) fn save(images: &[ToolImage], folder: &Path, tool: &str) -> Result<Vec<PathBuf>, Failure> {
    let failed = |path: &Path, error: &io::Error| {
        Failure::Failed(format!("cannot write an image of the result to {}: {error}", path.display()))
    };
    if !images.is_empty() {
        fs::create_dir_all(folder).map_err(|error| failed(folder, &error))?;
    }
    let write = |image: &ToolImage| write_new(image, folder, tool).map_err(|(path, error)| failed(&path, &error));
    images.iter().map(write).collect()
}

/// Writes an image into a file that does not exist yet, named after the tool with a number.
fn write_new(image: &ToolImage, folder: &Path, tool: &str) -> Result<PathBuf, (PathBuf, io::Error)> {
    let extension = image.media_type().trim_start_matches("image/");
    let names = (1..=MAX_NAMES).map(|number| folder.join(format!("{tool}-{number}.{extension}")));
    for path in names {
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                let written = file.write_all(image.content());
                return written.map(|()| path.clone()).map_err(|error| (path, error));
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err((path, error)),
        }
    }
    Err((folder.to_owned(), io::Error::new(io::ErrorKind::AlreadyExists, "all names are taken")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A PNG of one pixel, as far as its type is concerned.
    const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";

    #[test]
    fn images_are_written_under_free_names() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("pictures");
        assert_eq!(save(&[], &folder, "shop__draw").unwrap(), Vec::<PathBuf>::new());
        assert!(!folder.exists(), "there is nothing to write");

        let image = || ToolImage::new(PNG).unwrap();
        let paths = |numbers: [u32; 2]| numbers.map(|number| folder.join(format!("shop__draw-{number}.png")));
        assert_eq!(save(&[image(), image()], &folder, "shop__draw").unwrap(), paths([1, 2]));
        fs::write(folder.join("shop__draw-1.png"), "mine").unwrap();
        assert_eq!(save(&[image(), image()], &folder, "shop__draw").unwrap(), paths([3, 4]));
        assert_eq!(fs::read(folder.join("shop__draw-1.png")).unwrap(), b"mine");
        assert_eq!(fs::read(folder.join("shop__draw-4.png")).unwrap(), PNG);
    }

    #[test]
    fn a_folder_that_cannot_be_created_is_named() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        fs::write(&file, "").unwrap();
        let image = ToolImage::new(PNG).unwrap();
        let failure = save(&[image], &file.join("pictures"), "shop__draw").unwrap_err();
        assert!(failure.to_string().contains(&file.display().to_string()), "{failure}");
    }
}
