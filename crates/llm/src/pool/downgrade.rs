//! Downgrading: removes features from a request that the model lacks, and reports each removal to the user.

use std::time::Duration;

use turnkit_core::ports::{NoticeClass, OpeningNotice};
use turnkit_core::{ChatRequest, History, Message, Part, ProviderErrorKind as Kind, Timestamp};

/// How long a missing feature of a model is remembered. Models may change under the same name.
const REMEMBERED: Duration = Duration::from_secs(3600);
/// Placeholder for a removed image.
const NO_IMAGE: &str = "[an image was left out: the model looks at no images]";
/// Placeholder for a removed document.
const NO_FILE: &str = "[a document was left out: the model reads no documents]";

/// The features removed from a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Lacks {
    pub(super) tools: bool,
    pub(super) images: bool,
    pub(super) files: bool,
}

impl Lacks {
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
    pub(crate) fn learn(self, kind: Kind, request: &ChatRequest) -> Option<Self> {
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
    pub(super) fn notices(self, how: How, model: &str) -> impl Iterator<Item = OpeningNotice> {
        let notice = |what: &str, why: &str| {
            let text = format!("{model} was asked without {what}: it {why}");
            OpeningNotice { class: how.class(), code: format!("{}_without_{what}", how.word()), text }
        };
        let tools = self.tools.then(|| notice("tools", "calls none"));
        let images = self.images.then(|| notice("images", "looks at none"));
        let files = self.files.then(|| notice("files", "reads none"));
        tools.into_iter().chain(images).chain(files)
    }
}

/// The way in which a removal came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// The provider rejected the full request and got the reduced one.
    Retried,
    /// The missing feature was known before the request.
    Asked,
}

impl How {
    fn word(self) -> &'static str {
        match self {
            Self::Retried => "retried",
            Self::Asked => "asked",
        }
    }

    fn class(self) -> NoticeClass {
        match self {
            Self::Retried => NoticeClass::Occurrence,
            Self::Asked => NoticeClass::Condition,
        }
    }
}

/// The features found missing at a model, with the times until which this is remembered.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Learnt {
    tools: Option<Timestamp>,
    images: Option<Timestamp>,
}

impl Learnt {
    /// Returns the missing features that have not expired.
    pub(super) fn lacks(self, now: Timestamp) -> Lacks {
        let believed = |until: Option<Timestamp>| until.is_some_and(|until| now < until);
        Lacks { tools: believed(self.tools), images: believed(self.images), files: false }
    }

    /// Records features found missing at a model.
    pub(super) fn remember(&mut self, lacks: Lacks, now: Timestamp) {
        let until = now.plus(REMEMBERED);
        if lacks.tools {
            self.tools = Some(until);
        }
        if lacks.images {
            self.images = Some(until);
        }
    }
}

fn has(history: &History, is_lacked: fn(&Part) -> bool) -> bool {
    history.iter().any(|entry| entry.message().parts.iter().any(is_lacked))
}

fn without(message: &Message, is_lacked: fn(&Part) -> bool, stand_in: &str) -> Option<Message> {
    if !message.parts.iter().any(is_lacked) {
        return None;
    }
    let parts = message.parts.iter().map(|part| if is_lacked(part) { Part::text(stand_in) } else { part.clone() });
    Some(Message { parts: parts.collect(), ..message.clone() })
}

fn is_image(part: &Part) -> bool {
    matches!(part, Part::Image(_))
}

fn is_file(part: &Part) -> bool {
    matches!(part, Part::File(_))
}
