//! A hint about the use of tools.

use turnkit_core::ports::{BoxFuture, Category, ContextError, ContextItem, ContextProvider, ContextRequest};

/// Adds a text to the instructions of turns that have tools.
#[derive(Debug, Clone)]
pub struct ToolsHint(pub String);

impl ContextProvider for ToolsHint {
    fn name(&self) -> &str {
        "tools_hint"
    }

    fn priority(&self) -> u16 {
        Category::Tools.place()
    }

    fn stamp(&self, request: &ContextRequest<'_>) -> Option<u64> {
        Some(u64::from(request.tools.is_empty()))
    }

    fn provide<'a>(&'a self, request: &'a ContextRequest<'a>) -> BoxFuture<'a, Result<Vec<ContextItem>, ContextError>> {
        let hint = (!request.tools.is_empty()).then(|| ContextItem::new(Category::Tools, self.name(), self.0.as_str()));
        Box::pin(std::future::ready(Ok(hint.into_iter().collect())))
    }
}
