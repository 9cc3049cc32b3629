//! Tests of tools of sources that change after they were accepted.

use std::sync::Arc;

use serde_json::json;
use turnkit_core::ports::{BoxFuture, Clock as _, PinOwner, PinStore as _, Tool, ToolContext};
use turnkit_core::{
    Denial, EventKind, GrantScope, RawJson, Resolution, Scope, SessionKey, ToolDefinition, ToolError, ToolFlags,
    ToolOutput, ToolPin, TurnStatus, Wait,
};
use turnkit_engine::ToolSources;
use turnkit_engine::permission::{Decision, PermissionMode, Rule};
use turnkit_testkit::tools::{TestTool, pay, transfer};
use turnkit_testkit::{Ledger, Reply, ScriptedProvider, TestSource};

use crate::support::{Host, Setup, World, ada, outline, request, rest};

const REASON: &str = "the definition of the tool has changed since it was accepted";
const REASON_OF_OTHERS: &str =
    "the definition of another tool has changed since it was accepted, and may have told the model to make the call";

/// A tool that its source can change.
struct ServerTool {
    definition: ToolDefinition,
    pay: TestTool,
}

impl Tool for ServerTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn pin(&self) -> Option<[u8; 32]> {
        self.definition.fingerprint
    }

    fn call<'a>(
        &'a self,
        arguments: &'a RawJson,
        context: ToolContext<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        self.pay.call(arguments, context)
    }
}

/// Returns a source with one tool, whose definition differs by `says`.
pub(crate) fn bank(ledger: &Ledger, says: u8, flags: ToolFlags) -> Arc<ToolSources> {
    let definition = ToolDefinition::new("bank__pay", "Pays.", r#"{"type":"object"}"#).unwrap().with_flags(flags);
    let definition = ToolDefinition { fingerprint: Some([says; 32]), ..definition };
    let tool = ServerTool { definition, pay: pay(ledger.clone()) };
    Arc::new(ToolSources::default().with(TestSource::new("bank").tool(tool)))
}

/// Returns the answers of the model in this many turns that pay.
pub(crate) fn pays(turns: usize) -> Vec<Reply> {
    let turn = |_| [Reply::new().call("bank__pay", json!({ "amount": 5 })), Reply::text("Paid.")];
    (0..turns).flat_map(turn).collect()
}

/// Sets up a process whose rules allow every call.
fn setup(ledger: &Ledger, says: u8, turns: usize) -> Setup {
    let sources = bank(ledger, says, ToolFlags::default());
    Setup::from(pays(turns)).with(|setup| setup.settings.sources = sources)
}

impl Host {
    /// Runs a turn to its end, and checks that the user is not asked.
    async fn pays_unasked(&self) {
        let accepted = self.can_be_asked("pay").await;
        let names = outline(&self.events(accepted.turn).await);
        assert!(!names.contains(&"interaction.requested".to_owned()), "{names:?}");
        assert_eq!(names.last().unwrap(), "turn.ended completed");
    }

    /// Runs a turn until the user is asked about the changed tool.
    async fn asks_about_the_change(&self) -> Wait {
        let accepted = self.can_be_asked("pay").await;
        let wait = self.waits_for(accepted.turn).await;
        assert_eq!(wait.question.reason, REASON);
        wait
    }

    async fn resolves(&self, wait: &Wait, resolution: Resolution) {
        self.service.resolve(&ada(), wait.id, resolution).await.unwrap();
        assert_eq!(self.ends(wait.id.call.turn).await, TurnStatus::Completed);
    }
}

#[test]
fn a_changed_tool_is_asked_about_whatever_allows_its_calls_until_its_definition_is_approved() {
    type Allow = fn(&mut Setup);
    let by_rule: Allow = |setup| setup.settings.rules = vec![Rule::new("bank__*", Decision::Allow)];
    let by_trust: Allow = |setup| {
        setup.settings.rules = Vec::new();
        setup.settings.permissions.trusted = ["bank__*".to_owned()].into();
    };
    let as_harmless: Allow = |setup| setup.settings.rules = Vec::new();
    let cases =
        [(by_rule, ToolFlags::default()), (by_trust, ToolFlags::default()), (as_harmless, ToolFlags::read_only())];
    let grants = [None, Some(GrantScope::Session), Some(GrantScope::Always)];
    for ((case, (allow, flags)), grant) in cases.into_iter().enumerate().zip(grants) {
        let world = World::new();
        let ledger = world.ledger();
        let paying = |says, turns| {
            let mut setup = setup(&ledger, says, turns);
            setup.settings.sources = bank(&ledger, says, flags);
            setup.with(allow)
        };
        world.life(paying(1, 2), async |host| {
            host.pays_unasked().await;
            host.pays_unasked().await;
        });
        let wait = world.life(paying(2, 2), async |host| {
            let wait = host.asks_about_the_change().await;
            host.resolves(&wait, Resolution::Denied { by: Denial::Person, note: None }).await;
            host.asks_about_the_change().await
        });
        // The question outlives the process, and so does what was accepted.
        let answers = [vec![Reply::text("Paid.")], pays(1)].concat();
        let answering = paying(2, 0).with(|setup| setup.provider = Arc::new(ScriptedProvider::new(answers)));
        world.life(answering, async |host| {
            host.resolves(&wait, Resolution::Approved { arguments: None, note: None, grant }).await;
            host.pays_unasked().await;
        });
        world.life(paying(2, 1), async |host| host.pays_unasked().await);
        world.life(paying(3, 1), async |host| {
            host.asks_about_the_change().await;
        });
        assert_eq!(ledger.effects().unwrap().len(), 5, "{case}");
    }
}

#[test]
fn a_denial_stays_a_denial_and_where_nobody_is_asked_a_changed_tool_does_not_run() {
    let world = World::new();
    let ledger = world.ledger();
    world.life(setup(&ledger, 1, 1), async |host| host.pays_unasked().await);
    let denies = |setup: &mut Setup| setup.settings.rules = vec![Rule::new("bank__*", Decision::Deny)];
    let headless = |setup: &mut Setup| setup.settings.permissions.mode = PermissionMode::Headless;
    for (change, error) in
        [(denies as fn(&mut Setup), "a rule forbids this tool"), (headless as fn(&mut Setup), "headless")]
    {
        world.life(setup(&ledger, 2, 1).with(change), async |host| {
            let accepted = host.can_be_asked("pay").await;
            let events = host.events(accepted.turn).await;
            let results = events.iter().filter_map(|event| match &event.kind {
                EventKind::ToolFinished { content, .. } => Some(content.to_string()),
                _ => None,
            });
            let results: Vec<String> = results.collect();
            assert!(results.len() == 1 && results[0].contains(error), "{results:?}");
        });
    }
    // A turn that cannot ask.
    world.life(setup(&ledger, 2, 1), async |host| {
        let accepted = host.submit("pay").await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
    });
    assert_eq!(ledger.effects().unwrap().len(), 1);
}

#[test]
fn what_a_changed_definition_tells_a_model_to_do_with_other_tools_takes_effect_only_after_a_decision() {
    let world = World::new();
    let ledger = world.ledger();
    let transfers = |says, turns: usize| {
        let turn = |_| [Reply::new().call("transfer", json!({ "amount": 5 })), Reply::text("Done.")];
        let script: Vec<Reply> = (0..turns).flat_map(turn).collect();
        let sources = bank(&ledger, says, ToolFlags::default());
        Setup::from(script).tool(transfer(ledger.clone())).with(|setup| setup.settings.sources = sources)
    };
    world.life(transfers(1, 1), async |host| host.pays_unasked().await);
    world.life(transfers(2, 2), async |host| {
        let accepted = host.can_be_asked("transfer").await;
        let wait = host.waits_for(accepted.turn).await;
        assert_eq!(wait.question.reason, REASON_OF_OTHERS);
        host.resolves(&wait, Resolution::APPROVED).await;
        // Approving the call of another tool does not accept the definition.
        let changed = vec![ToolPin { source: "bank".to_owned(), tool: "bank__pay".to_owned(), fingerprint: [2; 32] }];
        assert_eq!(host.sqlite.unaccepted(&ada(), changed.clone()).await.unwrap(), ["bank__pay"]);
        host.sqlite.accept_definitions(&PinOwner::Everyone, changed, host.clock.now()).await.unwrap();
        host.pays_unasked().await;
    });
    // A turn that cannot ask.
    world.life(transfers(3, 1), async |host| {
        let accepted = host.submit("transfer").await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
    });
    assert_eq!(ledger.effects().unwrap().len(), 3);
}

#[test]
fn an_approval_accepts_a_definition_for_its_user_and_an_operator_for_everyone() {
    let world = World::new();
    let ledger = world.ledger();
    let ben = Scope::new("acme", "ben");
    world.life(setup(&ledger, 1, 1), async |host| host.pays_unasked().await);
    world.life(setup(&ledger, 2, 4), async |host| {
        let wait = host.asks_about_the_change().await;
        host.resolves(&wait, Resolution::APPROVED).await;
        let asks = async || {
            let mut asked = request(SessionKey::New, "pay");
            asked.caps.interact = true;
            let accepted = host.service.accept(&ben, asked).await.unwrap();
            outline(&rest(&mut host.service.follow_accepted(&ben, &accepted).await.unwrap()).await)
        };
        let accepted = vec![ToolPin { source: "bank".to_owned(), tool: "bank__pay".to_owned(), fingerprint: [2; 32] }];
        assert_eq!(host.sqlite.unaccepted(&ben, accepted.clone()).await.unwrap(), ["bank__pay"]);
        assert_eq!(host.sqlite.unaccepted(&ada(), accepted.clone()).await.unwrap(), [""; 0]);
        host.sqlite.accept_definitions(&PinOwner::Everyone, accepted, host.clock.now()).await.unwrap();
        let names = asks().await;
        assert!(!names.contains(&"interaction.requested".to_owned()), "{names:?}");
    });
    assert_eq!(ledger.effects().unwrap().len(), 3);
}

#[test]
fn tools_of_the_host_in_a_source_are_not_compared() {
    let world = World::new();
    let tool = pay(world.ledger());
    let sources = Arc::new(ToolSources::default().with(TestSource::new("bank").tool(tool)));
    let script = vec![Reply::new().call("pay", json!({ "amount": 5 })), Reply::text("Paid.")];
    let setup = Setup::from(script).with(|setup| setup.settings.sources = sources);
    world.life(setup, async |host| {
        host.pays_unasked().await;
        assert_eq!(host.sqlite.pins(&PinOwner::Everyone, "bank").await.unwrap(), []);
    });
}
