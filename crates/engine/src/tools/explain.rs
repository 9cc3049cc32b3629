//! Explaining how a call would be judged, and why.

use turnkit_core::{Arguments, Scope, Subject, ToolErrorKind, ToolUse};

use super::Toolbox;
use crate::agent::Agent;
use crate::catalog::OfferedTools;
use crate::permission::{Judgement, Proposal};

/// The subject of a permanent grant for a call, or the reason why it cannot be granted.
pub(crate) type GrantSubject = Result<Subject, String>;

/// How a call would be judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// The subject that the call accesses.
    pub subject: Subject,
    /// A description of the call's effect, as shown to the person who decides; `None` if the arguments describe it
    /// fully.
    pub preview: Option<String>,
    /// The judgement of the call.
    pub judgement: Judgement,
}

impl Agent {
    /// Explains how a call would be judged in a turn with this mode, without running it. `untrusted` is `true` if the
    /// model was sent untrusted text.
    ///
    /// # Errors
    /// The reason why no rule decides: the tool does not exist, or the tool itself refuses the call.
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

    /// Checks arguments that a person changed. The tool belongs to the agent, or to a source that offers it in this
    /// scope now. Returns the subject of a permanent grant for the changed call. If the tool is gone, nothing is
    /// checked: the call will not run.
    ///
    /// # Errors
    /// The reason why the tool does not accept the arguments.
    pub(crate) async fn check_arguments(
        &self,
        scope: &Scope,
        tool: &str,
        arguments: &Arguments,
    ) -> Result<GrantSubject, String> {
        let offered = self.settings.sources.ask(Some(scope)).await;
        let toolbox = Toolbox::new(self.flow.as_ref(), &self.tools, ToolUse::Auto, &self.settings, offered);
        // If the tool is deferred, the session has found it.
        let Some(found) = toolbox.catalog().find(tool) else { return Ok(Err(toolbox.unknown(tool))) };
        let (arguments, _) = toolbox.checked(&found.definition, arguments).map_err(|(_, why)| why)?;
        Ok(toolbox.grant_subject(tool, &arguments).map_err(|error| error.to_string()))
    }
}
