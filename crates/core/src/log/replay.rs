//! Rebuilds the events that were streamed from the stored log.

use std::sync::Arc;

use crate::{
    Arguments, CallHead, CallUid, Data, Entry, EventKind, Fold, InteractionRequest, Part, PartId, PartKind, Piece,
    Recorded, Resolution, Role, SessionId, ToolCall, ToolResult, TraceId,
};

/// Returns the parts of the message that holds an attempt's text.
pub(super) fn message_parts(messages: &[Arc<Entry>], message: Option<u32>) -> &[Part] {
    let found = message.and_then(|index| messages.get(index as usize));
    found.map_or(&[], |entry| &entry.message().parts)
}

/// The source of an attempt's text: the fold of an open attempt, or stored parts.
pub(super) enum AttemptText<'a> {
    Open(&'a Fold),
    Stored(&'a [Part]),
}

/// One piece of an attempt.
pub(super) enum PieceRef<'a> {
    /// The part began.
    Start(u16),
    /// The part grew by this text.
    Text(u16, &'a str),
    /// The part was complete.
    End(u16),
}

impl<'a> AttemptText<'a> {
    /// Returns the text source of an attempt with these fields.
    pub(super) fn of_attempt(
        message: Option<u32>,
        withdrawn: &'a [Part],
        open: Option<&'a Fold>,
        messages: &'a [Arc<Entry>],
    ) -> Self {
        let stored = if message.is_some() { message_parts(messages, message) } else { withdrawn };
        open.map_or(Self::Stored(stored), Self::Open)
    }

    /// Returns everything that was streamed of a part.
    pub(super) fn of(&self, part: u16) -> &'a str {
        match self {
            Self::Open(fold) => fold.text_of(part),
            Self::Stored(parts) => parts.get(usize::from(part)).map_or("", Part::streamed),
        }
    }

    /// Creates the event for the start of a part. It is kept out of line, like [`ended`](Self::ended), because nearly
    /// all events are text.
    #[cold]
    pub(super) fn started(&self, id: PartId) -> EventKind {
        let (kind, name) = self.head(id.part);
        EventKind::PartStarted { id, kind, name: name.map(Into::into) }
    }

    /// Creates the event for a complete part.
    #[cold]
    pub(super) fn ended(&self, id: PartId) -> EventKind {
        EventKind::PartEnded { id, part: self.part(id.part).unwrap_or_else(|| Part::text("")) }
    }

    /// Returns the piece with all data that another process needs to publish it.
    pub(super) fn piece(&self, shown: PieceRef<'a>) -> Piece {
        match shown {
            PieceRef::Start(part) => Piece::Start(part, self.head(part).0, self.call(part)),
            PieceRef::Text(part, text) => Piece::Text(part, text.into()),
            PieceRef::End(part) => Piece::End(part, self.part(part).and_then(|whole| whole.opaque().cloned())),
        }
    }

    /// Returns the kind of a part and the name of its tool.
    fn head(&self, part: u16) -> (PartKind, Option<&'a str>) {
        let head = match self {
            Self::Open(fold) => fold.head_of(part),
            Self::Stored(parts) => parts.get(usize::from(part)).and_then(PartKind::of),
        };
        head.unwrap_or((PartKind::Text, None))
    }

    /// Returns the id and name of a tool call.
    fn call(&self, part: u16) -> Option<CallHead> {
        let (provider_id, name) = match self {
            Self::Open(fold) => return fold.call_of(part).cloned(),
            Self::Stored(parts) => match parts.get(usize::from(part))? {
                Part::ToolCall(call) => (&call.provider_id, &call.name),
                Part::ProviderTool(tool) => (&tool.provider_id, &tool.name),
                _ => return None,
            },
        };
        Some(CallHead { provider_id: provider_id.into(), name: name.into() })
    }

    /// Returns a part as far as it was streamed.
    fn part(&self, part: u16) -> Option<Part> {
        match self {
            Self::Open(fold) => fold.part(part),
            Self::Stored(parts) => parts.get(usize::from(part)).cloned(),
        }
    }
}

/// Returns the event of an entry that stands for a single event, in a turn of this session and trace. `before` is the
/// entry before it.
pub(super) fn plain(
    (before, recorded): (Option<&Recorded>, &Recorded),
    (session, trace): (SessionId, TraceId),
    messages: &[Arc<Entry>],
) -> EventKind {
    match recorded.clone() {
        Recorded::TurnStarted { agent, parent, kind, .. } => EventKind::TurnStarted {
            session,
            agent,
            input: message_parts(messages, Some(0)).to_vec(),
            parent,
            trace,
            kind,
        },
        Recorded::Attempt { step, provider, model, .. } => EventKind::StepStarted { step, provider, model },
        Recorded::StepEnded { step, finish, usage, attempts } => EventKind::StepEnded { step, finish, usage, attempts },
        Recorded::ToolStarted { uid } => {
            let (name, written) = call(messages, uid).map(|call| (call.name.clone(), &call.arguments)).unzip();
            let arguments = changed_arguments(before, uid).or(written).cloned();
            EventKind::ToolStarted { uid, name: name.unwrap_or_default(), arguments: arguments.unwrap_or_default() }
        }
        Recorded::InteractionRequested { id, kind, reason, preview, question, child, expires_at } => {
            let (name, arguments) =
                call(messages, id.call).map(|call| (call.name.clone(), call.arguments.clone())).unwrap_or_default();
            let uid = id.call;
            let request =
                InteractionRequest { id, kind, uid, name, arguments, reason, preview, question, child, expires_at };
            EventKind::InteractionRequested { request: Box::new(request) }
        }
        Recorded::InteractionResolved { id, resolution } => {
            EventKind::InteractionResolved { id, decision: Box::new((*resolution).into()) }
        }
        Recorded::Steered { steering, message } => {
            EventKind::Steered { steering, input: message_parts(messages, Some(message)).to_vec() }
        }
        Recorded::Data { uid } => {
            let data = result(messages, uid).and_then(|result| result.data.clone());
            data.map_or_else(
                || EventKind::Notice {
                    code: "data_missing".to_owned(),
                    text: "the data of this call is gone".to_owned(),
                },
                |Data { kind, payload }| EventKind::Data { uid, kind, payload },
            )
        }
        Recorded::ToolFinished { uid, ms } => result(messages, uid).map_or_else(
            || EventKind::ToolFinished {
                uid,
                name: String::new(),
                ok: false,
                content: String::new(),
                error: None,
                images: Vec::new(),
                ms,
            },
            |found| EventKind::ToolFinished {
                uid,
                name: found.name.clone(),
                ok: found.ok,
                content: found.content.clone(),
                error: found.error,
                images: found.images.clone(),
                ms,
            },
        ),
        Recorded::Notice { code, text } => EventKind::Notice { code, text },
        Recorded::Retracted { from_seq, attempt, lost_calls } => EventKind::Retracted { from_seq, attempt, lost_calls },
        Recorded::Error { code, message, retryable, scope, attempts } => {
            EventKind::Error { code, message, retryable, scope, attempts }
        }
        Recorded::Compacted { messages, tokens_before, tokens_after, failure, provider, model, usage, ms } => {
            EventKind::Compacted { messages, tokens_before, tokens_after, failure, provider, model, usage, ms }
        }
        Recorded::TurnEnded { status, usage, steps, steered_into } => {
            let answers = messages.iter().map(|entry| entry.message());
            // Notices at the end of a turn have a separate assistant message, which is not an answer of the model.
            let answers = answers.filter(|message| message.role == Role::Assistant && !message.is_notices_only());
            let (mut earlier, mut last) = (String::new(), String::new());
            for answer in answers {
                earlier.push_str(&last);
                last = answer.text();
            }
            let (text, final_text) = if earlier.is_empty() { (last, None) } else { (earlier + &last, Some(last)) };
            EventKind::TurnEnded { status, text, final_text, usage: usage.into(), steps, trace, steered_into }
        }
    }
}

/// Returns the arguments that a person set when approving a call, given the entry before the start of the call. An
/// approved call starts right after its approval.
fn changed_arguments(before: Option<&Recorded>, uid: CallUid) -> Option<&Arguments> {
    match before {
        Some(Recorded::InteractionResolved { id, resolution }) if id.call == uid => match &**resolution {
            Resolution::Approved { arguments, .. } => arguments.as_ref(),
            _ => None,
        },
        _ => None,
    }
}

fn call(messages: &[Arc<Entry>], uid: CallUid) -> Option<&ToolCall> {
    messages.iter().rev().flat_map(|entry| entry.message().calls()).find(|call| call.uid == uid)
}

fn result(messages: &[Arc<Entry>], uid: CallUid) -> Option<&ToolResult> {
    messages.iter().rev().flat_map(|entry| &entry.message().parts).find_map(|part| match part {
        Part::ToolResult(result) if result.uid == uid => Some(result),
        _ => None,
    })
}
