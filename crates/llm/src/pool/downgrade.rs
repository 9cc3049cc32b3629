//! Downgrading: removes features from a request that the model lacks, and reports each removal to the user.

use std::time::Duration;

use turnkit_core::ports::{NoticeClass, OpeningNotice};
use turnkit_core::{ChatRequest, History, Message, Part, ProviderErrorKind as Kind, Timestamp, ToolResult};

/// How long a missing feature of a model is remembered. Models may change under the same name.
const REMEMBERED: Duration = Duration::from_secs(3600);
/// Placeholder for a removed image.
const NO_IMAGE: &str = "[image omitted: the model does not support images]";
/// Placeholder for a removed document.
const NO_FILE: &str = "[document omitted: the model does not support documents]";

/// The features removed from a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct MissingCapabilities {
    pub(super) tools: bool,
    pub(super) images: bool,
    pub(super) files: bool,
}

impl MissingCapabilities {
    /// Restricts the set to features that `request` uses.
    pub(super) fn of(self, request: &ChatRequest) -> Self {
        Self {
            tools: self.tools && !request.tools.is_empty(),
            images: self.images && has(&request.history, is_image),
            files: self.files && has(&request.history, is_file),
        }
    }

    /// Returns the number of removed features.
    pub(super) fn count(self) -> u8 {
        u8::from(self.tools) + u8::from(self.images) + u8::from(self.files)
    }

    /// Adds the feature to remove after a failure of this kind; `None` if there is nothing to remove.
    pub(crate) fn with_rejected(self, kind: Kind, request: &ChatRequest) -> Option<Self> {
        match kind {
            Kind::ToolsUnsupported if !self.tools && !request.tools.is_empty() => Some(Self { tools: true, ..self }),
            Kind::ImagesUnsupported if !self.images && has(&request.history, is_image) => {
                Some(Self { images: true, ..self })
            }
            _ => None,
        }
    }

    /// Returns the features that were not known to be missing before.
    pub(super) fn beyond(self, known: Self) -> Self {
        Self {
            tools: self.tools && !known.tools,
            images: self.images && !known.images,
            files: self.files && !known.files,
        }
    }

    /// Returns the request without these features.
    pub(crate) fn without(self, mut request: ChatRequest) -> ChatRequest {
        if self.tools {
            request.tools = [].into();
        }
        if self.images {
            request.history = request.history.with(|message| without(message, is_image, NO_IMAGE));
        }
        if self.files {
            request.history = request.history.with(|message| without(message, is_file, NO_FILE));
        }
        request
    }

    /// Returns the notices to the user. Each `code` begins with the way in which the removal came about.
    pub(super) fn notices(self, cause: DowngradeCause, model: &str) -> impl Iterator<Item = OpeningNotice> {
        let notice = |what: &str| {
            let text = format!("{what} were not sent to {model}: the model does not support them");
            OpeningNotice { class: cause.class(), code: format!("{}_without_{what}", cause.code_prefix()), text }
        };
        let tools = self.tools.then(|| notice("tools"));
        let images = self.images.then(|| notice("images"));
        let files = self.files.then(|| notice("files"));
        tools.into_iter().chain(images).chain(files)
    }
}

/// The way in which a removal came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DowngradeCause {
    /// The provider rejected the full request and got the reduced one.
    Rejected,
    /// The missing feature was known before the request.
    Known,
}

impl DowngradeCause {
    fn code_prefix(self) -> &'static str {
        match self {
            Self::Rejected => "retried",
            Self::Known => "asked",
        }
    }

    fn class(self) -> NoticeClass {
        match self {
            Self::Rejected => NoticeClass::Occurrence,
            Self::Known => NoticeClass::Condition,
        }
    }
}

/// The features found missing at a model, with the times until which this is remembered.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct LearntCapabilities {
    tools: Option<Timestamp>,
    images: Option<Timestamp>,
}

impl LearntCapabilities {
    /// Returns the missing features that have not expired.
    pub(super) fn missing(self, now: Timestamp) -> MissingCapabilities {
        let believed = |until: Option<Timestamp>| until.is_some_and(|until| now < until);
        MissingCapabilities { tools: believed(self.tools), images: believed(self.images), files: false }
    }

    /// Records features found missing at a model.
    pub(super) fn remember(&mut self, missing: MissingCapabilities, now: Timestamp) {
        let until = now.plus(REMEMBERED);
        if missing.tools {
            self.tools = Some(until);
        }
        if missing.images {
            self.images = Some(until);
        }
    }
}

fn has(history: &History, is_unsupported: fn(&Part) -> bool) -> bool {
    history.iter().any(|entry| entry.message().parts.iter().any(is_unsupported))
}

fn without(message: &Message, is_unsupported: fn(&Part) -> bool, placeholder: &str) -> Option<Message> {
    if !message.parts.iter().any(is_unsupported) {
        return None;
    }
    let parts = message.parts.iter().map(|part| match part {
        part if !is_unsupported(part) => part.clone(),
        Part::ToolResult(result) => Part::ToolResult(without_images(result, placeholder)),
        _ => Part::text(placeholder),
    });
    Some(Message { parts: parts.collect(), role: message.role, mark: message.mark })
}

/// Returns a result without its images. Its text names them already.
fn without_images(result: &ToolResult, placeholder: &str) -> ToolResult {
    let mut result = result.clone();
    result.images.clear();
    result.content.push('\n');
    result.content.push_str(placeholder);
    result
}

/// Reports whether the part is an image or a result with images.
fn is_image(part: &Part) -> bool {
    !part.images().is_empty()
}

fn is_file(part: &Part) -> bool {
    matches!(part, Part::File(_))
}
