//! What would become of a call, and why.

use turnkit_core::{Arguments, Scope, Subject, ToolErrorKind, ToolUse};

use super::Toolbox;
use crate::agent::Agent;
use crate::catalog::OfferedTools;
use crate::permission::{Judgement, Proposal};

/// What would become of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// What the call touches.
    pub subject: Subject,
    /// What the call would do, as the person who decides is shown it; `None` where the arguments say it all.
    pub preview: Option<String>,
    /// What is decided about it.
    pub judgement: Judgement,
}

impl Agent {
    /// Says what would become of a call in a turn with this mode, without running it; `untrusted` says whether the model was
    /// sent text from outside.
    ///
    /// # Errors
    /// Says why no rule decides: there is no such tool, or the tool itself refuses the call.
    pub fn explain(
        &self,
        tool: &str,
        arguments: &Arguments,
        mode: Option<&str>,
        untrusted: bool,
    ) -> Result<Explanation, (ToolErrorKind, String)> {
        let offered = OfferedTools::default();
        let toolbox = Toolbox::new(self.flow.as_ref(), &self.tools, ToolUse::Auto, &self.settings, offered);
        let found = toolbox.catalog().find(tool).ok_or_else(|| (ToolErrorKind::UnknownTool, toolbox.unknown(tool)))?;
        let (tool, own) = (&found.definition, found.is_own());
        let (arguments, subject) = toolbox.checked(tool, arguments)?;
        let judgement = self.settings.permissions(mode, true).judge(&Proposal {
            tool,
            subject: &subject,
            grant_subject: &|| toolbox.grant_subject(&tool.name, &arguments).ok(),
            own,
            untrusted: &|| untrusted,
        });
        let preview = found.runner.tool().and_then(|tool| tool.preview(&arguments));
        Ok(Explanation { subject, preview, judgement })
    }

    /// What a grant for always of a call is about, of a tool of the agent's or of a source that offers it to this owner now.
    ///
    /// # Errors
    /// There is no such tool, or it does not take these arguments.
    pub(crate) async fn grantable(
        &self,
        scope: &Scope,
        tool: &str,
        arguments: &Arguments,
    ) -> Result<Subject, (ToolErrorKind, String)> {
        let offered = self.settings.sources.ask(Some(scope)).await;
        let toolbox = Toolbox::new(self.flow.as_ref(), &self.tools, ToolUse::Auto, &self.settings, offered);
        // The session has found it, if it is deferred.
        let found = toolbox.catalog().find(tool);
        let found = found.ok_or_else(|| (ToolErrorKind::UnknownTool, toolbox.unknown(tool)))?;
        let (arguments, _) = toolbox.checked(&found.definition, arguments)?;
        toolbox.grant_subject(tool, &arguments).map_err(|error| (error.kind(), error.to_string()))
    }
}
