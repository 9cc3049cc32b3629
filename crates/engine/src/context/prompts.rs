//! The prompt of an agent and the prompt that a session selects.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher};

use turnkit_core::ports::{BoxFuture, Category, ContextError, ContextItem, ContextProvider, ContextRequest};

use super::template::{Template, TemplateError};

/// The fallback prompt.
const STAND_IN: &str = "You are a helpful assistant.";

/// A text for the model: either fixed, or a template that is rendered for each turn.
#[derive(Debug, Clone)]
pub struct Prompt {
    text: String,
    template: Option<Template>,
}

impl Prompt {
    /// Parses a prompt in the Jinja language, without includes. `{{ agent }}`, `{{ user }}`, `{{ today }}`,
    /// `{{ mode }}` and `{{ session.metadata.KEY }}` are replaced by values of the turn.
    ///
    /// ```
    /// use turnkit_engine::Prompt;
    ///
    /// assert!(Prompt::parse("The user's plan is {{ session.metadata.plan | default('free') }}.").is_ok());
    /// let error = Prompt::parse("Hello.\nToday is {{ day }}.").unwrap_err();
    /// let values = "agent, mode, session.metadata, today, user";
    /// assert_eq!(error.to_string(), format!("line 2: there is no value `day`; the values are {values}"));
    /// ```
    ///
    /// # Errors
    /// The text is not a template, or names a value or a filter that does not exist.
    pub fn parse(text: impl Into<String>) -> Result<Self, TemplateError> {
        let text = text.into();
        Ok(Self { template: Template::parse(&text)?, text })
    }

    /// Creates a prompt that is sent unchanged.
    pub fn fixed(text: impl Into<String>) -> Self {
        Self { text: text.into(), template: None }
    }

    /// Reports whether the prompt is rendered for each turn.
    pub fn is_template(&self) -> bool {
        self.template.is_some()
    }

    /// Reports whether the prompt has no text.
    pub(super) fn is_empty(&self) -> bool {
        self.text.trim().is_empty()
    }

    /// Hashes the values that the prompt uses, if it is a template.
    pub(super) fn hash_values(&self, request: &ContextRequest<'_>, state: &mut impl Hasher) {
        if let Some(template) = &self.template {
            template.hash_values(request, state);
        }
    }

    /// Returns the item of the prompt for a turn. If the template fails, the item has no text.
    pub(super) fn item(&self, source: &str, request: &ContextRequest<'_>) -> ContextItem {
        let text = self.template.as_ref().map_or_else(|| Ok(self.text.clone()), |template| template.render(request));
        match text {
            Ok(text) => ContextItem::new(Category::System, source, text),
            Err(why) => ContextItem::left_out(Category::System, source, why),
        }
    }
}

/// Adds the agent's own prompt and the prompt that the session selects by name. Adds only one if both are the same. If
/// neither has a text, because it is missing or its template fails, adds a fixed sentence.
///
/// ```
/// use turnkit_engine::{ContextPipeline, Prompt, Prompts};
///
/// let own = Prompt::fixed("You are a travel guide.");
/// let terse = Prompt::fixed("Answer in one sentence.");
/// let context = ContextPipeline::default().with(Prompts::new(Some(own), [("terse".to_owned(), terse)]));
/// ```
#[derive(Debug, Clone)]
pub struct Prompts {
    own: Option<Prompt>,
    selectable: BTreeMap<String, Prompt>,
}

impl Prompts {
    /// Creates a provider of an agent's `own` prompt, and of named prompts that sessions can select.
    pub fn new(own: Option<Prompt>, selectable: impl IntoIterator<Item = (String, Prompt)>) -> Self {
        Self { own, selectable: selectable.into_iter().collect() }
    }

    /// Returns the item of the prompt that the session selects. Returns `None` if it selects none, or one equal to the
    /// agent's own.
    fn selected(&self, request: &ContextRequest<'_>) -> Option<ContextItem> {
        let name = request.session.prompt.as_deref()?;
        let Some(prompt) = self.selectable.get(name) else {
            return Some(ContextItem::left_out(Category::System, name, "no prompt of this name is configured"));
        };
        let is_own = self.own.as_ref().is_some_and(|own| own.text.trim() == prompt.text.trim());
        (!is_own).then(|| prompt.item(name, request))
    }
}

impl ContextProvider for Prompts {
    fn name(&self) -> &str {
        "prompts"
    }

    fn priority(&self) -> u16 {
        Category::System.place()
    }

    fn stamp(&self, request: &ContextRequest<'_>) -> Option<u64> {
        let mut stamp = DefaultHasher::new();
        let selected = request.session.prompt.as_deref();
        selected.hash(&mut stamp);
        let prompts = self.own.iter().chain(selected.and_then(|name| self.selectable.get(name)));
        prompts.for_each(|prompt| prompt.hash_values(request, &mut stamp));
        Some(stamp.finish())
    }

    fn provide<'a>(&'a self, request: &'a ContextRequest<'a>) -> BoxFuture<'a, Result<Vec<ContextItem>, ContextError>> {
        let own = self.own.as_ref().map(|own| own.item("agent", request));
        let mut items: Vec<ContextItem> = own.into_iter().chain(self.selected(request)).collect();
        if !items.is_empty() && items.iter().all(|item| item.left_out.is_some()) {
            items.push(ContextItem::new(Category::System, "stand-in", STAND_IN));
        }
        Box::pin(std::future::ready(Ok(items)))
    }
}

#[cfg(test)]
mod tests {
    use turnkit_core::{Day, Session, SessionId, Timestamp};

    use super::*;

    #[tokio::test]
    async fn the_selected_prompt_follows_the_own_one_and_is_not_repeated() {
        let plan = "{{ session.metadata.plan }}";
        for (own, selected, expected, left_out) in [
            (Some("Be brief."), None, &["Be brief."][..], 0),
            (Some("Be brief."), Some("pirate"), &["Be brief.", "Talk like a pirate."], 0),
            (Some("Talk like a pirate.\n"), Some("pirate"), &["Talk like a pirate.\n"], 0),
            (Some("Be brief."), Some("gone"), &["Be brief.", ""], 1),
            (None, Some("pirate"), &["Talk like a pirate."], 0),
            (None, Some("gone"), &["", STAND_IN], 1),
            (None, None, &[], 0),
            (Some("You are {{ agent }}."), Some("pirate"), &["You are a.", "Talk like a pirate."], 0),
            // If a template fails, the next prompt takes its place. If the last one fails, the fixed sentence does.
            (Some(plan), Some("pirate"), &["", "Talk like a pirate."], 1),
            (Some("Be brief."), Some("plan"), &["Be brief.", ""], 1),
            (Some(plan), None, &["", STAND_IN], 1),
            (Some("{{ agent }}{{ session.metadata.plan }}"), Some("plan"), &["", "", STAND_IN], 2),
        ] {
            let mut session = Session::new(SessionId::default(), "a", Timestamp::default());
            session.prompt = selected.map(Into::into);
            let today = Day::from_number(0);
            let request = ContextRequest { agent: "a", session: &session, scope: None, today, tools: &[], mode: None };
            let selectable = [("pirate", "Talk like a pirate."), ("plan", plan)]
                .map(|(name, text)| (name.to_owned(), Prompt::parse(text).unwrap()));
            let own = own.map(|own| Prompt::parse(own).unwrap());
            let items = Prompts::new(own, selectable).provide(&request).await.unwrap();
            let texts: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
            assert_eq!(texts, expected, "{selected:?}");
            assert_eq!(items.iter().filter(|item| item.left_out.is_some()).count(), left_out, "{items:?}");
        }
    }
}
