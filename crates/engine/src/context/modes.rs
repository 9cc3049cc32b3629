//! Modes: texts appended to an agent's prompt in the sessions and turns that select them.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use turnkit_core::ports::{BoxFuture, Category, ContextError, ContextItem, ContextProvider, ContextRequest};

use super::Prompt;
use super::template::DEFAULT_MODE;
use crate::permission::PermissionMode;

/// The built-in mode that makes no changes.
const PLAN: &str = "plan";

/// The built-in modes. An agent's own mode replaces the built-in one of the same name.
const BUILT_IN: [(&str, &str); 4] = [
    (DEFAULT_MODE, ""),
    (
        PLAN,
        "You are in plan mode. Find out what is needed and write a plan that another person can carry out: the steps in \
         their order, what each changes, and what is not decided yet. Change nothing yourself, and call only tools that \
         read.",
    ),
    (
        "build",
        "You are in build mode. Carry out what was asked, or the plan that was agreed on, without asking before each step. \
         Check the result, and say what was done and what is left.",
    ),
    (
        "explore",
        "You are in explore mode. Find out what the user wants to know, and change nothing. Look at several places before \
         you answer, and say where you found each fact.",
    ),
];

/// The modes of an agent: texts, one of which follows its prompt. A turn that selects no mode runs in `general`, which
/// has no text unless the agent defines one.
///
/// ```
/// use turnkit_engine::{AgentSettings, Modes, Prompt};
///
/// let modes = Modes::new([("review".to_owned(), Prompt::fixed("Look for mistakes."))]);
/// assert_eq!(modes.names().collect::<Vec<_>>(), ["build", "explore", "general", "plan", "review"]);
/// let settings = AgentSettings { modes: Some(modes), ..AgentSettings::default() };
/// ```
#[derive(Debug, Clone)]
pub struct Modes {
    texts: Arc<BTreeMap<String, Prompt>>,
    permission_modes: Arc<BTreeMap<String, PermissionMode>>,
}

impl Modes {
    /// Returns the names of the modes that every agent has.
    pub fn built_in() -> impl Iterator<Item = &'static str> {
        BUILT_IN.iter().map(|(name, _)| *name)
    }

    /// Creates the modes of an agent: the built-in ones, and its `own`, which replace built-in modes of the same name.
    pub fn new(own: impl IntoIterator<Item = (String, Prompt)>) -> Self {
        let built_in = BUILT_IN.map(|(name, text)| (name.to_owned(), Prompt::fixed(text)));
        let permission_modes = [(PLAN.to_owned(), PermissionMode::Plan)];
        Self {
            texts: Arc::new(built_in.into_iter().chain(own).collect()),
            permission_modes: Arc::new(permission_modes.into()),
        }
    }

    /// Sets the permission mode of `mode`. The mode `plan` sets [`PermissionMode::Plan`] unless this method overrides
    /// it. The stricter of the agent's permission mode and that of the turn's mode applies.
    #[must_use]
    pub fn with_permission_mode(mut self, mode: impl Into<String>, permissions: PermissionMode) -> Self {
        Arc::make_mut(&mut self.permission_modes).insert(mode.into(), permissions);
        self
    }

    /// Returns the permission mode that `mode` sets, if any.
    pub(crate) fn permission_mode(&self, mode: &str) -> Option<PermissionMode> {
        self.permission_modes.get(mode).copied()
    }

    /// Returns the names of all modes, in alphabetical order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.texts.keys().map(String::as_str)
    }

    /// Reports whether a turn that selects `mode` gets a text, or a notice that the agent lacks this mode.
    pub(crate) fn applies_to(&self, mode: Option<&str>) -> bool {
        self.texts.get(mode.unwrap_or(DEFAULT_MODE)).is_none_or(|text| !text.is_empty())
    }
}

impl ContextProvider for Modes {
    fn name(&self) -> &str {
        "modes"
    }

    fn priority(&self) -> u16 {
        Category::System.place()
    }

    fn stamp(&self, request: &ContextRequest<'_>) -> Option<u64> {
        let mut stamp = DefaultHasher::new();
        request.mode.hash(&mut stamp);
        if let Some(prompt) = self.texts.get(request.mode.unwrap_or(DEFAULT_MODE)) {
            prompt.hash_values(request, &mut stamp);
        }
        Some(stamp.finish())
    }

    fn provide<'a>(&'a self, request: &'a ContextRequest<'a>) -> BoxFuture<'a, Result<Vec<ContextItem>, ContextError>> {
        let mode = request.mode.unwrap_or(DEFAULT_MODE);
        // The word `mode` distinguishes it from a prompt of the same name.
        let source = format!("mode {mode}");
        let item = match self.texts.get(mode) {
            Some(prompt) if prompt.is_empty() => None,
            Some(prompt) => Some(prompt.item(&source, request)),
            None => Some(ContextItem::left_out(Category::System, source, "the agent has no mode of this name")),
        };
        Box::pin(std::future::ready(Ok(item.into_iter().collect())))
    }
}

#[cfg(test)]
mod tests {
    use turnkit_core::{Day, Session, SessionId, Timestamp};

    use super::*;
    use crate::context::ContextPipeline;

    #[tokio::test]
    async fn the_text_of_the_mode_follows_the_instructions_and_an_own_mode_wins() {
        let own = [("build", "Build {{ mode }}."), ("review", "Look for mistakes.")];
        let own = own.map(|(name, text)| (name.to_owned(), Prompt::parse(text).unwrap()));
        let modes = Modes::new(own);
        let session = Session::new(SessionId::default(), "a", Timestamp::default());
        let today = Day::from_number(0);
        for (mode, expected) in [
            ("general", Some("Be brief.".to_owned())),
            ("plan", Some(format!("Be brief.\n\n{}", BUILT_IN[1].1))),
            ("build", Some("Be brief.\n\nBuild build.".to_owned())),
            ("review", Some("Be brief.\n\nLook for mistakes.".to_owned())),
            ("party", Some("Be brief.".to_owned())),
        ] {
            let request =
                ContextRequest { agent: "a", session: &session, scope: None, today, tools: &[], mode: Some(mode) };
            let assembled = ContextPipeline::default().with(modes.clone()).assemble(&request, Some("Be brief.")).await;
            assert_eq!(assembled.instructions().as_deref(), expected.as_deref(), "{mode}");
            assert_eq!(assembled.left_out.len(), usize::from(mode == "party"));
        }
    }

    #[test]
    fn only_a_mode_with_a_text_or_an_unknown_one_is_asked() {
        let own = |mode: &str| Modes::new([(mode.to_owned(), Prompt::fixed("Be polite."))]);
        for (modes, mode, expected) in [
            (own("review"), None, false),
            (own("review"), Some("general"), false),
            (own("review"), Some("party"), true),
            (own("general"), None, true),
        ] {
            assert_eq!(modes.applies_to(mode), expected, "{mode:?}");
        }
    }
}
