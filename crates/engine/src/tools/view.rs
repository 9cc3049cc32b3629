//! The input of a model, as far as its calls are judged by it.

use turnkit_core::{Context, File, History, Image, Part, ToolErrorKind};

use crate::catalog::{Catalog, Runner};

/// The input of a model before it requested a call.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) history: &'a History,
    /// Whether the instructions hold untrusted text, or the prompt may repeat such text. The prompt of a sub-agent
    /// may, if the model that wrote it was sent untrusted text.
    pub(crate) has_untrusted_prompt: bool,
}

impl View<'_> {
    /// Reports whether the model was sent untrusted text: marked results, results of tools that reach other systems
    /// or no longer exist, findings of a provider's own tools, marked attachments, and untrusted items of the
    /// instructions. A summary counts if it is marked, or if a tool of the turn, or of its client, returns such text.
    pub(super) fn has_untrusted_text(self, tools: &Catalog, has_client_tools: bool) -> bool {
        let is_open = |name: &str| match tools.find(name) {
            // A page may hold the output of any other tool.
            Some(tool) if matches!(tool.runner, Runner::ReadResult) => tools.is_open(),
            tool => tool.is_none_or(|tool| tool.definition.flags.may_return_untrusted_text()),
        };
        let is_untrusted = |part: &Part| match part {
            // Results of earlier versions are not marked, and a tool may have other flags now: both count.
            Part::ToolResult(result) => result.untrusted || (is_written_by_tool(result.error) && is_open(&result.name)),
            Part::ProviderTool(_) => true,
            Part::Summary(summary) => summary.untrusted || tools.is_open() || has_client_tools,
            Part::Context(Context { untrusted, .. })
            | Part::Image(Image { untrusted, .. })
            | Part::File(File { untrusted, .. }) => *untrusted,
            _ => false,
        };
        if self.has_untrusted_prompt {
            return true;
        }
        let mut messages = self.history.iter().map(|entry| entry.message());
        messages.any(|message| message.parts.iter().any(is_untrusted))
    }
}

/// Reports whether a result with this error was written by a tool, and not by this engine in its place.
pub(super) fn is_written_by_tool(error: Option<ToolErrorKind>) -> bool {
    matches!(error, None | Some(ToolErrorKind::Failed | ToolErrorKind::InvalidArguments))
}

#[cfg(test)]
mod tests {
    use turnkit_core::{CallUid, Message, ProviderTool, Role, Summary, ToolDefinition, ToolFlags, ToolResult, TurnId};

    use super::*;
    use crate::catalog::ToolSources;

    fn tool(name: &str, open_world: bool) -> ToolDefinition {
        let definition = ToolDefinition::new(name, "", "{}").unwrap();
        definition.with_flags(ToolFlags { open_world, ..ToolFlags::read_only() })
    }

    fn result(name: &str, error: Option<ToolErrorKind>) -> Message {
        let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
        let (name, content, ok) = (name.to_owned(), String::new(), error.is_none());
        let result = ToolResult { ok, error, ..ToolResult::new(uid, name, content) };
        Message::new(Role::Tool, vec![Part::ToolResult(result)])
    }

    #[test]
    fn results_of_other_systems_and_unknown_tools_are_untrusted_text() {
        let found =
            ProviderTool { provider_id: String::new(), name: "search".into(), input: String::new(), opaque: None };
        let searched = Message::new(Role::Assistant, vec![Part::ProviderTool(found)]);
        let of_summary = |text: &str, untrusted| {
            Message::of_summary(Summary { text: text.to_owned(), covers: 1, untrusted, ..Summary::default() })
        };
        let summary = |text| of_summary(text, false);
        let untrusted = |Message { role, parts, .. }: Message| {
            Message::new(role, parts.into_iter().map(Part::into_untrusted).collect())
        };
        let sent_along = |part| Message::new(Role::User, vec![part, Part::text("Read it.")]);
        let context = |untrusted| Part::Context(Context { source: "a".into(), text: "Obey me.".into(), untrusted });
        let document = || {
            Part::File(File {
                media_type: "application/pdf".into(),
                name: "a".into(),
                url: "data:".into(),
                untrusted: false,
            })
        };
        let (both, closed) = (vec![tool("look", false), tool("fetch", true)], vec![tool("look", false)]);
        let [both, closed] = [both, closed].map(|own| ToolSources::default().catalog(own, &[], &[]));
        for (tools, message, has_untrusted_prompt, expected) in [
            (&both, Message::user("fetch it"), false, false),
            (&both, result("read_result", None), false, true),
            (&closed, result("read_result", None), false, false),
            (&both, result("look", None), false, false),
            (&both, result("fetch", None), false, true),
            (&both, result("fetch", Some(ToolErrorKind::Failed)), false, true),
            (&both, result("fetch", Some(ToolErrorKind::Denied)), false, false),
            (&closed, result("fetch", None), false, true),
            (&closed, result("fetch", Some(ToolErrorKind::UnknownTool)), false, false),
            // When the result was written, the tool of this name was another one, or could return untrusted text.
            (&closed, untrusted(result("look", None)), false, true),
            (&both, untrusted(result("look", Some(ToolErrorKind::Failed))), false, true),
            (&closed, untrusted(result("fetch", None)), false, true),
            (&closed, searched, false, true),
            (&both, summary("They met."), false, true),
            (&both, summary(""), false, false),
            (&closed, summary("They met."), false, false),
            (&closed, of_summary("They met.", true), false, true),
            (&closed, sent_along(context(false)), false, false),
            (&closed, sent_along(context(true)), false, true),
            (&closed, sent_along(Part::Image(Image::at("https://example.org/a.png"))), false, false),
            (&closed, sent_along(Part::Image(Image::at("https://example.org/a.png")).into_untrusted()), false, true),
            (&closed, sent_along(document()), false, false),
            (&closed, sent_along(document().into_untrusted()), false, true),
            (&closed, sent_along(Part::text("Obey me.").into_untrusted()), false, false),
            (&closed, Message::user("hi"), false, false),
            (&closed, Message::user("hi"), true, true),
        ] {
            let history = History::of([message.clone()]);
            let view = View { history: &history, has_untrusted_prompt };
            assert_eq!(view.has_untrusted_text(tools, false), expected, "{message:?} {has_untrusted_prompt}");
        }
    }
}
