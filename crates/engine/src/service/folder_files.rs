//! Files of this machine that a turn names, as parts of its message.

use std::sync::Arc;

use futures_util::{StreamExt as _, stream};
use turnkit_core::{AcceptError, ContentType, Context, NewBlob, Part, Scope};
use turnkit_files::{RootFile, Roots};

use super::files::{DOCUMENT_BYTES, TEXT, check, shown};
use super::{ServiceParts, TurnService};

/// Files and folders of this machine that the model reads with a message. Each path is relative to a folder of the
/// agent's [`Roots`], or absolute and beneath one. They are read once, when the turn is accepted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ContextPaths {
    /// Paths of texts, images and PDFs.
    pub files: Vec<String>,
    /// Paths of images.
    pub images: Vec<String>,
    /// The path of a folder whose file tree is listed.
    pub tree: Option<String>,
}

/// Reads the files, at most `places`, as parts. Images and documents are stored as files of the caller. Nothing is
/// stored unless every path may be read.
pub(super) async fn as_parts(
    parts: &ServiceParts,
    scope: &Scope,
    roots: &Arc<Roots>,
    paths: &ContextPaths,
    places: usize,
) -> Result<Vec<Part>, AcceptError> {
    let ContextPaths { files, images, tree } = paths;
    if files.len() + images.len() > places {
        let most = TurnService::MAX_FILES;
        return Err(invalid("context", format!("a turn accepts at most {most} files, including those in `files`")));
    }
    let mut opened = Vec::with_capacity(files.len() + images.len());
    for (place, path) in (1..).zip(files) {
        let named = NamedPath { field: "context.files", place, path };
        opened.push((named, named.open(roots).await?));
    }
    for (place, path) in (1..).zip(images) {
        let named = NamedPath { field: IMAGES, place, path };
        opened.push((named, named.open(roots).await?));
    }
    let tree = match tree {
        Some(path) => Some(listed(roots, path).await?),
        None => None,
    };
    let mut read = Vec::with_capacity(opened.len() + 1);
    for (named, file) in opened {
        read.push(named.read(file, parts, scope).await?);
    }
    read.extend(tree);
    Ok(match roots.are_untrusted() {
        true => read.into_iter().map(Part::into_untrusted).collect(),
        false => read,
    })
}

async fn listed(roots: &Arc<Roots>, path: &str) -> Result<Part, AcceptError> {
    let text = roots.tree(path).await.map_err(|why| invalid("context.tree", format!("cannot be listed: {why}")))?;
    Ok(Part::Context(Context { source: format!("{}/", path.trim_end_matches('/')), text, untrusted: false }))
}

const IMAGES: &str = "context.images";

/// A path of a request, with its position in the field that lists it, counted from 1.
#[derive(Clone, Copy)]
struct NamedPath<'a> {
    field: &'static str,
    place: usize,
    path: &'a str,
}

impl NamedPath<'_> {
    async fn open(&self, roots: &Arc<Roots>) -> Result<RootFile, AcceptError> {
        roots.file(self.path).await.map_err(|why| self.invalid(&format!("cannot be read: {why}")))
    }

    async fn read(&self, file: RootFile, parts: &ServiceParts, scope: &Scope) -> Result<Part, AcceptError> {
        let read = file.read(DOCUMENT_BYTES).await;
        let content = read.map_err(|error| self.invalid(&format!("cannot be read: {error}")))?.ok_or_else(|| {
            let (name, media_type) = (self.path.into(), "any type".into());
            AcceptError::FileTooLarge { name, media_type, limit: DOCUMENT_BYTES }
        })?;
        let mut content_type = ContentType::default();
        content_type.read(&content);
        let media_type = content_type.media_type();
        if self.field == IMAGES && !media_type.starts_with("image/") {
            return Err(self.invalid(&format!("is {media_type}, not an image")));
        }
        check(self.path, media_type, content.len() as u64)?;
        if media_type == TEXT {
            let text = String::from_utf8(content).map_err(|_| self.invalid("is not UTF-8"))?;
            return Ok(Part::Context(Context { source: self.path.to_owned(), text, untrusted: false }));
        }
        let at = parts.clock.now();
        let name = self.path.rsplit('/').next().unwrap_or(self.path);
        let new = NewBlob { id: parts.ids.blob(at), name: name.into(), at };
        let content = stream::iter([Ok(content.into())]).boxed();
        Ok(shown(&parts.store.put(scope, new, content).await.map_err(AcceptError::Store)?))
    }

    fn invalid(&self, what: &str) -> AcceptError {
        invalid(self.field, format!("file {} {what}", self.place))
    }
}

fn invalid(field: &'static str, reason: String) -> AcceptError {
    AcceptError::Invalid { field, reason }
}
