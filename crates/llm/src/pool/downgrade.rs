//! Asking for less: what a model cannot do is left out of its request, and that is told.

use std::time::Duration;

use turnkit_core::ports::{NoticeClass, OpeningNotice};
use turnkit_core::{ChatRequest, History, Message, Part, ProviderErrorKind as Kind, Timestamp};

/// How long it is remembered that a model cannot do something: models change behind their names.
const REMEMBERED: Duration = Duration::from_secs(3600);
/// What stands for an image that was left out.
const NO_IMAGE: &str = "[an image was left out: the model looks at no images]";
/// What stands for a document that was left out.
const NO_FILE: &str = "[a document was left out: the model reads no documents]";

/// What is left out of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Lacks {
    pub(super) tools: bool,
    pub(super) images: bool,
    pub(super) files: bool,
}

impl Lacks {
    /// How much of what `request` wants is left out.
    pub(super) fn of(self, request: &ChatRequest) -> Self {
        Self {
            tools: self.tools && !request.tools.is_empty(),
            images: self.images && has(&request.history, is_image),
            files: self.files && has(&request.history, is_file),
        }
    }

    /// How much is left out.
    pub(super) fn count(self) -> u8 {
        u8::from(self.tools) + u8::from(self.images) + u8::from(self.files)
    }

    /// What else is to be left out after a failure of this kind; `None` if there is nothing to leave out.
    pub(crate) fn learn(self, kind: Kind, request: &ChatRequest) -> Option<Self> {
        match kind {
            Kind::ToolsUnsupported if !self.tools && !request.tools.is_empty() => Some(Self { tools: true, ..self }),
            Kind::ImagesUnsupported if !self.images && has(&request.history, is_image) => {
                Some(Self { images: true, ..self })
            }
            _ => None,
        }
    }

    /// What is left out beyond what was known before.
    pub(super) fn beyond(self, known: Self) -> Self {
        Self {
            tools: self.tools && !known.tools,
            images: self.images && !known.images,
            files: self.files && !known.files,
        }
    }

    /// The request without it.
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

    /// What the user is told about it: `code` begins with how it came about.
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

/// How it came about that something was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// The provider refused the whole request, and got what was left.
    Retried,
    /// It was known before.
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

/// What was learnt of a model, and until when it is believed.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Learnt {
    tools: Option<Timestamp>,
    images: Option<Timestamp>,
}

impl Learnt {
    /// What is still believed.
    pub(super) fn lacks(self, now: Timestamp) -> Lacks {
        let believed = |until: Option<Timestamp>| until.is_some_and(|until| now < until);
        Lacks { tools: believed(self.tools), images: believed(self.images), files: false }
    }

    /// Remembers what a model was found to lack.
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
