//! The prompt of an agent and the prompt that a session selects.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use turnkit_core::ports::{BoxFuture, Category, ContextError, ContextItem, ContextProvider, ContextRequest};

/// The prompt if there is no other.
const STAND_IN: &str = "You are a helpful assistant.";

/// Adds the prompt of the agent and the one that the session selects by its name. If both are the same, adds one. If the
/// agent has none and the selected one is missing, adds a fixed sentence.
///
/// ```
/// use turnkit_engine::{ContextPipeline, Prompts};
///
/// let own = "You are a travel guide.".to_owned();
/// let selectable = [("terse".to_owned(), "Answer in one sentence.".to_owned())];
/// let context = ContextPipeline::default().with(Prompts::new(Some(own), selectable));
/// ```
#[derive(Debug, Clone)]
pub struct Prompts {
    own: Option<String>,
    selectable: BTreeMap<String, String>,
}

impl Prompts {
    /// Creates a provider of an agent's `own` prompt and of prompts that sessions select, each with its name.
    pub fn new(own: Option<String>, selectable: impl IntoIterator<Item = (String, String)>) -> Self {
        Self { own, selectable: selectable.into_iter().collect() }
    }

    /// Returns the item of the prompt that the session selects. `None` if the agent's own prompt is the same.
    fn selected(&self, name: &str) -> Option<ContextItem> {
        match self.selectable.get(name) {
            Some(text) if self.own.as_deref().map(str::trim) == Some(text.trim()) => None,
            Some(text) => Some(ContextItem::new(Category::System, name, text.as_str())),
            None => Some(ContextItem::left_out(Category::System, name, "there is no prompt of this name any more")),
        }
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
        request.session.prompt.hash(&mut stamp);
        Some(stamp.finish())
    }

    fn provide<'a>(&'a self, request: &'a ContextRequest<'a>) -> BoxFuture<'a, Result<Vec<ContextItem>, ContextError>> {
        let own = self.own.as_deref().map(|own| ContextItem::new(Category::System, "agent", own));
        let selected = request.session.prompt.as_deref().and_then(|name| self.selected(name));
        let mut items: Vec<ContextItem> = own.into_iter().chain(selected).collect();
        if !items.is_empty() && items.iter().all(|item| item.text.is_empty()) {
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
        for (own, selected, expected) in [
            (Some("Be brief."), None, &["Be brief."][..]),
            (Some("Be brief."), Some("pirate"), &["Be brief.", "Talk like a pirate."]),
            (Some("Talk like a pirate.\n"), Some("pirate"), &["Talk like a pirate.\n"]),
            (Some("Be brief."), Some("gone"), &["Be brief.", ""]),
            (None, Some("pirate"), &["Talk like a pirate."]),
            (None, Some("gone"), &["", STAND_IN]),
            (None, None, &[]),
        ] {
            let mut session = Session::new(SessionId::default(), "a", Timestamp::default());
            session.prompt = selected.map(Into::into);
            let today = Day::from_number(0);
            let request = ContextRequest { agent: "a", session: &session, scope: None, today, tools: &[] };
            let selectable = [("pirate".to_owned(), "Talk like a pirate.".to_owned())];
            let items = Prompts::new(own.map(str::to_owned), selectable).provide(&request).await.unwrap();
            let texts: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
            assert_eq!(texts, expected, "{own:?} {selected:?}");
            assert_eq!(items.iter().any(|item| item.left_out.is_some()), selected == Some("gone"));
        }
    }
}
