//! Decodes chunks to deltas.
//!
//! A stream is complete if and only if a finish reason arrived, or a report that the prompt was blocked. The finish is
//! passed on at the end, because parts and usage may follow it.

use serde_json::value::RawValue;
use turnkit_core::{Delta, FinishReason, Opaque, PartKind, ProviderError, RawJson};

use super::error::in_band;
use super::types::{Chunk, FunctionCall, Part};
use super::usage::usage;
use crate::sse;
use crate::wire::Vendor;
use crate::wire::decode::{Decode, empty, finish_after, malformed_call, not_an_answer, truncated};
use crate::wire::failure::bad_response;
use crate::wire::json::write_json;
use crate::wire::lenient::Raws;
use crate::wire::parts::{Parts, UNNAMED};
use crate::wire::surrogates::read_repaired;
use crate::wire::transcript::made_up_id;

/// Placeholder arguments of a call that is only named in an explanation. They are not JSON, so the call does not run.
const UNKNOWN_ARGUMENTS: &str = "(the provider sent no arguments)";

/// Decodes one answer.
#[derive(Debug, Clone)]
pub(in crate::wire) struct Decoder {
    vendor: String,
    parts: Parts,
    calls: usize,
    finish: Option<FinishReason>,
    begun: bool,
}

impl Decode for Decoder {
    fn take(&mut self, event: sse::Event<'_>, out: &mut Vec<Delta>) -> Result<bool, ProviderError> {
        let text = event.text();
        let data = text.trim_ascii();
        if !data.starts_with('{') {
            return Ok(true);
        }
        let taken = read_repaired(data, |data| Some(self.chunk(&serde_json::from_str(data).ok()?, out)));
        taken.map_or(Ok(false), |taken| taken.map(|()| true))
    }

    /// Decodes one answer, or a list of chunks, which is how the provider streams unless the request asks for events.
    fn body(&mut self, body: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let chunks: Raws<'_> = match body.trim_start().starts_with('[') {
            true => serde_json::from_str(body).map_err(|_| not_an_answer())?,
            false => Raws(vec![serde_json::from_str(body).map_err(|_| not_an_answer())?]),
        };
        for chunk in chunks.0 {
            self.chunk(&serde_json::from_str(chunk.get()).map_err(|_| not_an_answer())?, out)?;
        }
        if !self.begun {
            return Err(bad_response("the provider's answer holds no candidate"));
        }
        // A buffered answer has ended, even without a finish reason.
        self.finish.get_or_insert(FinishReason::Stop);
        self.end(out)
    }

    fn end(&mut self, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        match (self.finish.take(), self.begun) {
            (Some(reason), _) => {
                out.push(Delta::Finish(finish_after(reason, self.calls > 0)));
                Ok(())
            }
            (None, true) => Err(truncated()),
            (None, false) => Err(empty()),
        }
    }

    fn copy(&self) -> Box<dyn Decode> {
        Box::new(self.clone())
    }

    /// Always `false`: nothing indicates that no chunk follows.
    fn is_done(&self) -> bool {
        false
    }

    fn is_complete(&self) -> bool {
        self.finish.is_some()
    }
}

impl Decoder {
    pub(in crate::wire) fn new(vendor: &Vendor) -> Self {
        Self { vendor: vendor.name.to_string(), parts: Parts::default(), calls: 0, finish: None, begun: false }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        // First, because failed requests are counted as well.
        out.extend(chunk.usage_metadata.and_then(usage).map(Delta::Usage));
        if let Some(error) = chunk.error.map(RawValue::get).filter(|error| !matches!(*error, "null" | "{}")) {
            return Err(in_band(error));
        }
        if chunk.prompt_feedback.0.as_ref().is_some_and(|feedback| feedback.block_reason.text().is_some()) {
            self.begun = true;
            self.finish = Some(FinishReason::ContentFilter);
        }
        if let Some(candidate) = chunk.candidate() {
            self.begun = true;
            for part in candidate.content.0.iter().flat_map(|content| &content.parts.0) {
                self.part(part.get(), out)?;
            }
            if let Some(word) = candidate.finish_reason.text() {
                let why = candidate.finish_message.text();
                if word == "UNEXPECTED_TOOL_CALL" {
                    self.undeclared_call(why, out)?;
                }
                self.finish = Some(finish_reason(word, why)?);
            }
        }
        Ok(())
    }

    fn part(&mut self, raw: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        read_repaired(raw, |raw| Some(self.decode_part(&serde_json::from_str(raw).ok()?, raw, out))).unwrap_or(Ok(()))
    }

    fn decode_part(&mut self, part: &Part<'_>, raw: &str, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        if let Some(call) = &part.function_call.0 {
            return self.call(call, part, out);
        }
        if let Some(code) = &part.executable_code.0 {
            let id = code.id.text().unwrap_or_default();
            return self.tool("code_execution", id, code.code.text().unwrap_or_default(), raw, out);
        }
        if let Some(result) = &part.code_execution_result.0 {
            let id = result.id.text().unwrap_or_default();
            return self.tool("code_execution_result", id, result.output.text().unwrap_or_default(), raw, out);
        }
        if let Some(data) = &part.inline_data.0 {
            let (media_type, data) = (data.mime_type.text().unwrap_or_default(), data.data.text().unwrap_or_default());
            return self.whole(PartKind::Image, &format!("data:{media_type};base64,{data}"), part, out);
        }
        if let Some(file) = &part.file_data.0 {
            return self.whole(PartKind::Image, file.file_uri.text().unwrap_or_default(), part, out);
        }
        let Some(text) = part.text.0.as_deref() else {
            out.extend(RawJson::parse(raw).ok().map(Delta::Raw));
            return Ok(());
        };
        let kind = if part.is_thought() { PartKind::Reasoning } else { PartKind::Text };
        // A signature belongs to its own part, which may have no text. It does not sign earlier pieces.
        if part.thought_signature.text().is_some() {
            return self.whole(kind, text, part, out);
        }
        if text.is_empty() { Ok(()) } else { self.parts.text(kind, text, out) }
    }

    fn call(&mut self, call: &FunctionCall<'_>, part: &Part<'_>, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let id = call.id.text().map_or_else(|| made_up_id(self.calls), Into::into);
        self.calls += 1;
        let number = self.parts.call(id, call.name.text().unwrap_or(UNNAMED).into(), out)?;
        let arguments = call.args.map(RawValue::get).filter(|arguments| *arguments != "null");
        out.extend(arguments.map(|arguments| Delta::text(number, arguments)));
        self.sign(number, part, out);
        out.push(Delta::end(number));
        Ok(())
    }

    /// Handles a call of a tool that the request does not declare. Some answers contain the call, others only name the
    /// tool in their explanation. Both become a call, and its result tells the model that the tool does not exist. If
    /// the tool does exist, because the request was sent without tools, a call without known arguments is rejected as
    /// invalid.
    ///
    /// # Errors
    /// [`MalformedCall`](turnkit_core::ProviderErrorKind::MalformedCall) if the answer names no tool.
    fn undeclared_call(&mut self, why: Option<&str>, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        if self.calls > 0 {
            return Ok(());
        }
        let name = why.and_then(tool_named_by).ok_or_else(|| malformed_call(why))?;
        let number = self.parts.call(made_up_id(self.calls), name.into(), out)?;
        self.calls += 1;
        out.extend([Delta::text(number, UNKNOWN_ARGUMENTS), Delta::end(number)]);
        Ok(())
    }

    /// Adds a part for a tool of the provider, which is sent back unchanged.
    fn tool(
        &mut self,
        name: &str,
        id: &str,
        shown: &str,
        raw: &str,
        out: &mut Vec<Delta>,
    ) -> Result<(), ProviderError> {
        let number = self.parts.provider_tool(id, name, out)?;
        out.push(Delta::text(number, shown));
        self.keep(number, raw, out);
        out.push(Delta::end(number));
        Ok(())
    }

    fn whole(
        &mut self,
        kind: PartKind,
        text: &str,
        part: &Part<'_>,
        out: &mut Vec<Delta>,
    ) -> Result<(), ProviderError> {
        let number = self.parts.begin(kind, out)?;
        if !text.is_empty() {
            out.push(Delta::text(number, text));
        }
        self.sign(number, part, out);
        out.push(Delta::end(number));
        Ok(())
    }

    fn sign(&self, number: u16, part: &Part<'_>, out: &mut Vec<Delta>) {
        let Some(signature) = part.thought_signature.text() else { return };
        let mut json = Vec::new();
        write_json(&mut json, signature);
        self.keep(number, &String::from_utf8_lossy(&json), out);
    }

    /// Keeps data that must be sent back with a part.
    fn keep(&self, part: u16, json: &str, out: &mut Vec<Delta>) {
        let Ok(data) = RawJson::parse(json) else { return };
        out.push(Delta::opaque(part, Opaque { vendor: self.vendor.clone(), data }));
    }
}

/// Returns the tool name at the end of an explanation such as "… tried to call an undeclared function: search".
fn tool_named_by(why: &str) -> Option<&str> {
    let (_, last) = why.rsplit_once(": ")?;
    let name = last.trim().trim_end_matches('.').trim_matches(['\'', '"', '`']);
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':');
    Some(name).filter(|name| !name.is_empty() && name.chars().all(is_name))
}

/// Returns the finish reason for `word`; `why` is the provider's explanation.
fn finish_reason(word: &str, why: Option<&str>) -> Result<FinishReason, ProviderError> {
    Ok(match word {
        "STOP" => FinishReason::Stop,
        "MAX_TOKENS" => FinishReason::Length,
        "UNEXPECTED_TOOL_CALL" => FinishReason::ToolCalls,
        "SAFETY"
        | "RECITATION"
        | "BLOCKLIST"
        | "PROHIBITED_CONTENT"
        | "SPII"
        | "MODEL_ARMOR"
        | "IMAGE_SAFETY"
        | "IMAGE_PROHIBITED_CONTENT"
        | "IMAGE_RECITATION" => FinishReason::ContentFilter,
        // Another attempt may succeed.
        "MALFORMED_FUNCTION_CALL" | "MALFORMED_RESPONSE" => return Err(malformed_call(why)),
        other => FinishReason::other(other.to_ascii_lowercase().into()),
    })
}
