//! Parts of a transcript that every wire writes in the same way.

use std::borrow::Cow;

use turnkit_core::{CallUid, Message, Opaque, Part, RawJson, Str, ToolCall, ToolResult};

use super::Vendor;

/// The introduction of a compacted history.
const SUMMARY_LEAD: &str = "Summary of the conversation so far:\n";
/// Minimum length of an id that counts as unique. A server that numbers its ids repeats shorter ones in its next
/// answer.
const UNIQUE_ID_LENGTH: usize = 12;

/// Returns the text of a part that is sent as text. Summaries get an introduction, and contexts the name of their
/// source.
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

/// Splits a message of the user or the host into messages for a wire. Each context becomes its own message, and all
/// other parts form one message after them.
pub(super) fn message_groups(message: &Message) -> impl Iterator<Item = Vec<&Part>> {
    let is_visible = |part: &&Part| match part {
        Part::Context(_) | Part::Image(_) | Part::File(_) => true,
        _ => text(part).is_some(),
    };
    let message_groups = message.parts.iter().filter(is_visible);
    let (contexts, rest): (Vec<&Part>, Vec<&Part>) = message_groups.partition(|part| matches!(part, Part::Context(_)));
    contexts.into_iter().map(|context| vec![context]).chain([rest]).filter(|parts| !parts.is_empty())
}

/// Returns the media type and the base64 data of a `data:` URL.
pub(super) fn base64_of(url: &str) -> Option<(&str, &str)> {
    url.strip_prefix("data:")?.split_once(";base64,")
}

/// Returns the arguments as a JSON object, even if the model wrote something else. Servers parse them again, and each
/// limits their depth.
pub(super) fn arguments(call: &ToolCall) -> Cow<'_, str> {
    if call.arguments.is_empty() {
        return Cow::Borrowed("{}");
    }
    let written = call.arguments.0.trim();
    let is_object = written.starts_with('{') && RawJson::check(written).is_ok();
    if is_object { written.into() } else { serde_json::json!({ "not_a_json_object": written }).to_string().into() }
}

/// Returns the call that a result belongs to, with the message that contains the call.
pub(super) fn caller_of<'a>(result: &ToolResult, caller: Option<&'a Message>) -> Option<(&'a Message, &'a ToolCall)> {
    caller.and_then(|caller| Some((caller, caller.calls().find(|call| call.uid == result.uid)?)))
}

/// Returns the JSON data that `vendor` produced and requires back.
pub(super) fn opaque_of<'a>(opaque: Option<&'a Opaque>, vendor: &Vendor) -> Option<&'a str> {
    opaque.filter(|opaque| vendor.name == opaque.vendor).map(|opaque| opaque.data.get())
}

/// Returns an id for wires that match calls and results across the whole transcript. Uses the provider's id if it is
/// long enough to be random and thus unique; otherwise derives one from the call's own identity.
pub(super) fn unique_id<'a>(message: &Message, call: &'a ToolCall) -> Cow<'a, str> {
    let id = &call.provider_id;
    let is_legal = id.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    let is_repeated = || message.calls().filter(|other| other.provider_id == *id).count() > 1;
    if (UNIQUE_ID_LENGTH..=64).contains(&id.len()) && is_legal && !is_repeated() {
        return Cow::Borrowed(id);
    }
    own_id(&call.uid)
}

/// Returns the [`unique_id`] of the call that `result` belongs to.
pub(super) fn unique_result_id<'a>(result: &ToolResult, caller: Option<&'a Message>) -> Cow<'a, str> {
    caller_of(result, caller).map_or_else(|| own_id(&result.uid), |(caller, call)| unique_id(caller, call))
}

fn own_id(uid: &CallUid) -> Cow<'static, str> {
    format!("call_{}_{}_{}", uid.turn.0.simple(), uid.step, uid.ordinal).into()
}

/// Generates an id for a call without one, from its position in the answer.
pub(super) fn made_up_id(ordinal: usize) -> Str {
    format!("call_{ordinal}").into()
}
