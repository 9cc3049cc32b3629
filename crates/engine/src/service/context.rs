//! The request that a session would send to a model now.

use turnkit_core::ports::ContextRequest;
use turnkit_core::{ChatRequest, Day, Entry, Scope, SessionId, StoreError, ToolChoice};

use super::TurnService;
use crate::agent::AgentSettings;
use crate::catalog::OfferedTools;
use crate::context::{
    ContextPipeline, ContextReport, Fill, FitAction, change, fit, learn_stored, limit, push, summary_room,
};
use crate::tools::Toolbox;

impl TurnService {
    /// Returns the request that a turn of the session would send now, with the size of each piece. Reads the messages
    /// that are sent, and asks every context provider and every source of tools.
    ///
    /// # Errors
    /// `NotFound` if the session does not exist or there is no agent; otherwise storage failed.
    pub async fn context(&self, scope: &Scope, session: SessionId) -> Result<ContextReport, StoreError> {
        let parts = &self.inner.parts;
        let mut session = parts.store.session(scope, session).await?;
        let agent = self.agent(&session.agent).or(parts.agents.first()).ok_or(StoreError::NotFound)?;
        session.history = parts.store.session_history(scope, session.id).await?;
        learn_stored(&session.history, &self.inner.ratios);
        let AgentSettings { model, route, .. } = &agent.settings;
        let pipeline = agent.settings.pipeline(session.mode.as_deref());
        let mut params = agent.settings.params.clone();
        session.params.apply_to(&mut params);
        let offered = match agent.settings.sources.is_empty() {
            true => OfferedTools::default(),
            false => agent.settings.sources.ask(Some(scope)).await,
        };
        let mut toolbox = Toolbox::new(agent.flow.as_ref(), &agent.tools, session.tools, &agent.settings, offered);
        toolbox.activate(&session.history);
        let asked = ContextRequest {
            agent: &agent.name,
            session: &session,
            scope: Some(scope),
            today: Day::from(parts.clock.now()),
            tools: toolbox.definitions(),
            mode: session.mode.as_deref(),
        };
        let own = agent.flow.instructions(&session);
        let no_providers = ContextPipeline::default();
        let mut assembled = pipeline.as_deref().unwrap_or(&no_providers).assemble(&asked, own.as_deref()).await;
        // Without context providers, a turn sends the agent's own instructions unchanged.
        let instructions = match pipeline {
            Some(_) => assembled.instructions(),
            None => own.map(Into::into),
        };
        let mut request = ChatRequest {
            model: model.clone(),
            route: route.clone(),
            instructions,
            history: toolbox.sent(&session.history),
            tools: toolbox.definitions().clone(),
            params,
            tool_choice: ToolChoice::Auto,
        };
        let (limits, settings) = (parts.provider.limits(model.as_ref(), route.as_deref()), agent.settings.context);
        let (limit, has_compactor) = (limit(limits, settings), agent.settings.compactor.is_some());
        let room = agent.settings.compact_route.as_ref().map(|wanted| {
            let wanted = wanted.merged_with(model.as_ref(), route.as_deref());
            summary_room(&wanted, parts.provider.as_ref(), &self.inner.ratios)
        });
        let fill = |request: &ChatRequest| {
            Some(Fill::new(request, limits, limit?, &self.inner.ratios).with_summary_room(room))
        };
        // A request with too many messages may still have too many tokens after its oldest messages are dropped. No
        // model is asked for a summary here.
        while let Some(FitAction::Rewrite(rewrite)) = change(&request, settings, 1, fill(&request).as_ref(), true) {
            push(&mut request.history, Entry::new(rewrite.change));
        }
        while let Some(FitAction::DropOptional(needed)) =
            fit(&request, settings, 1, limits, fill(&request).as_ref(), (true, true), has_compactor)
            && assembled.drop_optional(needed)
        {
            request.instructions = assembled.instructions();
        }
        Ok(ContextReport::new(&agent.name, assembled, request, limits, limit, &self.inner.ratios))
    }
}
