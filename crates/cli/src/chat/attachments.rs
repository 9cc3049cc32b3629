//! Files attached to a message.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use turnkit_core::BlobId;

use crate::args::Chat;
use crate::data::Data;
use crate::failure::Failure;

/// The size of the largest file, in bytes. Turns accept no larger file, and servers reject one by default.
const MAX_BYTES: u64 = 50_000_000;

/// Uploads the files from the command line, as the caller.
pub(super) async fn upload(data: &Data, chat: &Chat) -> Result<Vec<BlobId>, Failure> {
    let mut uploaded = Vec::new();
    for path in &chat.image {
        let (id, media_type) = data.upload(&name(path), read(path)?).await?;
        if !media_type.starts_with("image/") {
            return Err(Failure::Usage(format!("--image: {} is {media_type}, not a picture", path.display())));
        }
        uploaded.push(id);
    }
    for path in &chat.file {
        uploaded.push(data.upload(&name(path), read(path)?).await?.0);
    }
    Ok(uploaded)
}

/// Returns the file name that is sent to the model.
fn name(path: &Path) -> String {
    path.file_name().map_or_else(|| "file".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut content = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut content));
    read.map_err(|error| Failure::Usage(format!("cannot read {}: {error}", path.display())))?;
    if content.len() as u64 > MAX_BYTES {
        return Err(Failure::Usage(format!("{} is larger than {MAX_BYTES} bytes", path.display())));
    }
    Ok(content)
}
