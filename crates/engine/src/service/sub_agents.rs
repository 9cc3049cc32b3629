//! Turns of sub-agents, created for the calls of a running turn.

use std::sync::Arc;

use turnkit_core::{
    AgentReach, Ancestor, BranchPoint, BusyPolicy, ChildContext, ChildTurn, ClaimedTurn, ClientCaps, Lineage, LogEntry,
    Message, NewChild, NewTurn, Part, Recorded, Role, SessionKey, TurnKind, TurnRoute, WaitId,
};

use super::TurnService;
use super::claimed_run::Run;
use crate::driver::{ChildInput, SubAgents};
use crate::title::default_title;

/// A running turn that may start sub-agents.
pub(super) struct Parent<'a> {
    pub(super) service: &'a TurnService,
    pub(super) run: &'a Run,
}

impl SubAgents for Parent<'_> {
    /// If the named agent is unknown, the agent of the parent turn answers.
    fn make(&self, wait: WaitId, turn: &ChildTurn, passed: ChildInput) -> NewChild {
        let parts = &self.service.inner.parts;
        let claimed = &self.run.claimed;
        let named = turn.agent.as_deref().filter(|agent| self.service.agent(agent).is_some());
        let agent = named.unwrap_or(&claimed.agent);
        let at = parts.clock.now();
        let ChildInput { conversation, untrusted } = passed;
        let summarise = conversation.is_some() && turn.context == ChildContext::Summary;
        let said = conversation.into_iter().map(Part::Context).chain([Part::text(&*turn.prompt)]);
        let (input, mode) = (Message::new(Role::User, said.collect()), self.mode());
        let is_headless =
            self.service.agent(&claimed.agent).is_some_and(|agent| agent.settings.is_headless(mode.as_deref()));
        let started = self.started(agent, mode, Lineage { untrusted, summarise, ..Lineage::default() });
        let accept = NewTurn {
            turn: parts.ids.turn(at),
            session: turn.session.map_or(SessionKey::New, SessionKey::Id),
            new_session: parts.ids.session(at),
            agent: agent.into(),
            title: default_title(&input).into(),
            input,
            blobs: Vec::new(),
            // Followers of the parent turn also follow this one. It is cancelled once a client that cannot come back
            // has left.
            caps: ClientCaps { interact: claimed.caps.interact && !is_headless, resume: claimed.caps.resume },
            busy: BusyPolicy::Enqueue,
            reach: AgentReach::default(),
            idempotency: None,
            started: LogEntry { at, kind: started },
            worker: parts.worker.clone(),
            at,
            after: BranchPoint::Head,
            chore: false,
        };
        NewChild { wait, accept }
    }

    fn start(&self, child: ClaimedTurn) {
        self.service.inner.tally.accepted();
        self.service.start(Run::begin(Box::new(child), None, self.service.turns()));
    }
}

impl Parent<'_> {
    /// Returns the turn's mode, or else that of its session.
    fn mode(&self) -> Option<Box<str>> {
        let own = self.run.live.get().and_then(|live| live.read(|log| log.mode().map(Into::into)));
        own.or_else(|| self.run.claimed.session.mode.as_deref().map(Into::into))
    }

    /// Returns the first event of a sub-agent's turn. `own` is what its lineage adds to that of the parent turn.
    fn started(&self, agent: &str, mode: Option<Box<str>>, own: Lineage) -> Recorded {
        let claimed = &self.run.claimed;
        let inherited = self.run.live.get().map(|live| {
            live.read(|log| {
                let tier = log.route().and_then(|route| route.tier);
                (log.lineage().map(|(_, lineage)| lineage.clone()), log.caller_trace(), tier)
            })
        });
        let (above, trace, tier) = inherited.unwrap_or_default();
        let Lineage { ancestors, untrusted, .. }: Lineage = above.unwrap_or_default();
        let mut lineage = Lineage { ancestors, untrusted: untrusted || own.untrusted, ..own };
        lineage.ancestors.push(Ancestor { agent: claimed.agent.to_string(), mode: mode.clone() });
        Recorded::TurnStarted {
            agent: agent.to_owned(),
            parent: Some(claimed.claim.turn()),
            route: tier.map(|tier| Box::new(TurnRoute { tier: Some(tier), ..TurnRoute::default() })),
            params: None,
            kind: TurnKind::Message,
            tools: None,
            // Another agent has other modes.
            mode: mode.filter(|_| *agent == *claimed.agent),
            trace,
            client_tools: Arc::default(),
            lineage: Some(Box::new(lineage)),
        }
    }
}

impl TurnService {
    /// Resumes the parent after a sub-agent's turn has ended, if the parent waits for nothing else.
    pub(super) async fn resume_parent(&self, run: &Run) {
        let parent = run.live.get().and_then(|live| live.read(|log| log.lineage().map(|(parent, _)| parent)));
        if let Some(parent) = parent {
            self.inner.parts.failpoints.hit("child.ended");
            self.resume(parent).await;
        }
    }
}
