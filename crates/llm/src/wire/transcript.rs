//! What every wire says about a transcript in the same words.

use std::borrow::Cow;

use turnkit_core::{CallUid, Message, Opaque, Part, RawJson, Str, ToolCall, ToolResult};

use super::Vendor;

/// What a compacted history is introduced with.
const SUMMARY_LEAD: &str = "Summary of the conversation so far:\n";
/// A shorter id is one that a server counts, and will give again in its next answer.
const UNIQUE_ID_LENGTH: usize = 12;

/// The text of a part that is sent as text; summaries say what they are, and contexts where they are from.
pub(super) fn text(part: &Part) -> Option<Cow<'_, str>> {
    match part {
        Part::Text(text) if !text.text.is_empty() => Some(Cow::Borrowed(text.text.as_str())),
        Part::Summary(summary) if !summary.text.is_empty() => {
            Some(Cow::Owned(format!("{SUMMARY_LEAD}{}", summary.text)))
        }
        Part::Context(context) => Some(Cow::Owned(format!("Context from {}:\n\n{}", context.source, context.text))),
        _ => None,
    }
}

/// What a person or the host said, as the messages of a wire that has each context in one of its own: contexts first,
/// then all else together.
pub(super) fn said(message: &Message) -> impl Iterator<Item = Vec<&Part>> {
    let can_be_said = |part: &&Part| match part {
        Part::Context(_) | Part::Image(_) | Part::File(_) => true,
        _ => text(part).is_some(),
    };
    let said = message.parts.iter().filter(can_be_said);
    let (contexts, rest): (Vec<&Part>, Vec<&Part>) = said.partition(|part| matches!(part, Part::Context(_)));
    contexts.into_iter().map(|context| vec![context]).chain([rest]).filter(|parts| !parts.is_empty())
}

/// The media type and the base64 of a `data:` URL.
pub(super) fn base64_of(url: &str) -> Option<(&str, &str)> {
    url.strip_prefix("data:")?.split_once(";base64,")
}

/// The arguments as a JSON object, whatever the model wrote: servers parse them again, and none takes any depth.
pub(super) fn arguments(call: &ToolCall) -> Cow<'_, str> {
    if call.arguments.is_nothing() {
        return Cow::Borrowed("{}");
    }
    let written = call.arguments.0.trim();
    let is_object = written.starts_with('{') && RawJson::check(written).is_ok();
    if is_object { written.into() } else { serde_json::json!({ "not_a_json_object": written }).to_string().into() }
}

/// The call a result belongs to, with the message that holds it.
pub(super) fn caller_of<'a>(result: &ToolResult, caller: Option<&'a Message>) -> Option<(&'a Message, &'a ToolCall)> {
    caller.and_then(|caller| Some((caller, caller.calls().find(|call| call.uid == result.uid)?)))
}

/// What `vendor` made and wants back, as the JSON it made it of.
pub(super) fn opaque_of<'a>(opaque: Option<&'a Opaque>, vendor: &Vendor) -> Option<&'a str> {
    opaque.filter(|opaque| vendor.name == opaque.vendor).map(|opaque| opaque.data.get())
}

/// An id for wires that pair calls and results across the whole transcript: the provider's, if it is long enough to be
/// random and so its own, else one made of our identity of the call.
pub(super) fn unique_id<'a>(message: &Message, call: &'a ToolCall) -> Cow<'a, str> {
    let id = &call.provider_id;
    let is_legal = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let is_repeated = || message.calls().filter(|other| other.provider_id == *id).count() > 1;
    if (UNIQUE_ID_LENGTH..=64).contains(&id.len()) && is_legal && !is_repeated() {
        return Cow::Borrowed(id);
    }
    own_id(&call.uid)
}

/// The id under which [`unique_id`] made the call known that `result` belongs to.
pub(super) fn unique_result_id<'a>(result: &ToolResult, caller: Option<&'a Message>) -> Cow<'a, str> {
    caller_of(result, caller).map_or_else(|| own_id(&result.uid), |(caller, call)| unique_id(caller, call))
}

fn own_id(uid: &CallUid) -> Cow<'static, str> {
    format!("call_{}_{}_{}", uid.turn.0.simple(), uid.step, uid.ordinal).into()
}

/// The id of a call whose provider gave none: the call's place in the answer.
pub(super) fn made_up_id(ordinal: usize) -> Str {
    format!("call_{ordinal}").into()
}
