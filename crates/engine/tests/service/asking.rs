//! Tests of tools that ask the user a question.

use std::time::Duration;

use serde_json::{Value, json};
use turnkit_core::{
    EventKind, RawJson, Reply as PersonsReply, Resolution, ResolveOutcome, Scope, SessionKey, ToolAnswer, ToolError,
    ToolFlags, ToolQuestion, TurnStatus, WaitKind,
};
use turnkit_engine::{InvalidResolution, UserUpdate};
use turnkit_testkit::tools::{TestTool, lookup};
use turnkit_testkit::{Ledger, Reply};

use crate::support::{Host, Setup, World, ada, outline, pass, request, until};

const TTL: Duration = Duration::from_secs(30);

fn script() -> Vec<Reply> {
    vec![Reply::new().call("book", json!({ "room": 7 })), Reply::text("All right.")]
}

/// Returns a tool that asks `question` and then records the answer.
fn book(ledger: Ledger, question: ToolQuestion, flags: ToolFlags) -> TestTool {
    TestTool::new("book", flags, move |_, context| {
        let outcome = match context.answer {
            None => Err(ToolError::NeedsAnswer(Box::new(question.clone()))),
            Some(ToolAnswer { reply, state }) => {
                ledger.record(context.uid, "booked").unwrap();
                Ok(format!("{reply:?} {}", state.as_ref().map_or("", RawJson::get)).into())
            }
        };
        Box::pin(std::future::ready(outcome))
    })
}

/// Sets up a process whose tool asks a question with a state.
fn setup(world: &World, script: Vec<Reply>, schema: Option<Value>) -> Setup {
    let state = RawJson::parse("[1]").ok();
    let question = ToolQuestion { schema, state, choices: vec!["9".to_owned()], ..ToolQuestion::new("When?") };
    let setup = Setup::from(script).tool(book(world.ledger(), question, ToolFlags::default()));
    setup.with(|setup| setup.settings.approval_ttl = TTL)
}

impl Host {
    /// Advances the clock until an undecided wait expires.
    async fn lets_wait_expire(&self) {
        while self.store.count("expire") == 0 || !self.store.is_idle() {
            tokio::task::yield_now().await;
        }
        self.clock.advance(TTL);
        pass(TTL).await;
    }
}

#[test]
fn a_call_runs_again_with_the_reply_to_its_question() {
    let number = || Some(json!({ "type": "integer" }));
    let declined = |note: Option<&str>| Resolution::denied(note.map(str::to_owned));
    let answered = |answer| Resolution::Answered { answer };
    for (schema, resolution, read) in [
        (None, Some(answered(json!("noon"))), r#"Answered(String("noon")) [1]"#),
        (number(), Some(answered(json!(12))), "Answered(Number(12)) [1]"),
        (None, Some(declined(None)), "Declined { note: None } [1]"),
        (None, Some(declined(Some("not now"))), r#"Declined { note: Some("not now") } [1]"#),
        (None, None, "TimedOut [1]"),
    ] {
        let world = World::new();
        world.life(setup(&world, script(), schema.clone()), async |host| {
            let accepted = host.can_be_asked("book").await;
            let asked = until(&mut host.follow(accepted.turn, None).await, "interaction.requested").await;
            let wait = host.waits_for(accepted.turn).await;
            let EventKind::InteractionRequested { request } = asked.kind else { panic!("{asked:?}") };
            let choices = vec!["9".to_owned()];
            let shown = ToolQuestion { schema, choices, ..ToolQuestion::new("When?") };
            assert_eq!((request.kind, request.question.as_deref()), (WaitKind::Question, Some(&shown)), "no state");
            assert_eq!(wait.question.question.as_deref(), Some(&shown));
            match resolution {
                Some(resolution) => {
                    let decided = host.service.resolve(&ada(), wait.id, resolution).await;
                    assert_eq!(decided, Ok(ResolveOutcome::Decided { ready: true }));
                }
                None => host.lets_wait_expire().await,
            }
            let events = host.events(accepted.turn).await;
            assert_eq!(events, host.stored(accepted.turn).await);
            let shown = outline(&events);
            assert_eq!(shown.iter().filter(|event| *event == "tool.started book").count(), 1, "{shown:?}");
            assert_eq!(shown.last().unwrap(), "turn.ended completed");
            assert_eq!(host.transcript(accepted.session).await[2], format!("Tool: <book gave {read}>"));
        });
        assert_eq!(world.ledger().effects().unwrap().len(), 1);
    }
}

#[test]
fn an_answer_that_the_question_does_not_take_is_refused_and_the_turn_waits_on() {
    let world = World::new();
    let texts = "the answer must be a string";
    for (schema, answer, why) in [
        (None, json!(3), texts),
        (None, json!(null), texts),
        (Some(json!({ "type": "integer" })), json!("3"), "the value is not of type \"integer\""),
        (None, json!("a".repeat(ToolQuestion::MAX_ANSWER_BYTES)), "the answer has more than 65536 bytes"),
    ] {
        world.life(setup(&world, script(), schema), async |host| {
            let accepted = host.can_be_asked("book").await;
            let wait = host.waits_for(accepted.turn).await;
            let refused = host.service.resolve(&ada(), wait.id, Resolution::Answered { answer }).await;
            assert_eq!(refused, Err(InvalidResolution::Answer(why.to_owned()).into()));
            let refused = host.service.resolve(&ada(), wait.id, Resolution::APPROVED).await;
            assert_eq!(refused, Err(InvalidResolution::Unfit(WaitKind::Question).into()));
            assert_eq!(host.waits_for(accepted.turn).await, wait);
        });
    }
}

#[test]
fn a_question_survives_restarts_and_its_tool_takes_effect_once() {
    let world = World::new();
    let (accepted, wait) = world.life(setup(&world, script(), None), async |host| {
        let accepted = host.can_be_asked("book").await;
        (accepted.clone(), host.waits_for(accepted.turn).await)
    });
    world.life(setup(&world, vec![], None), async |host| {
        assert_eq!(host.service.resume_unfinished().await, Ok(0));
        assert_eq!(host.pending(accepted.turn).await, std::slice::from_ref(&wait));
    });
    world.life(setup(&world, script()[1..].to_vec(), None), async |host| {
        host.service.resume_unfinished().await.unwrap();
        let answer = Resolution::Answered { answer: json!("noon") };
        host.service.resolve(&ada(), wait.id, answer).await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        assert_eq!(host.transcript(accepted.session).await[2], r#"Tool: <book gave Answered(String("noon")) [1]>"#);
    });
    assert_eq!(world.ledger().effects().unwrap().len(), 1);
}

#[test]
fn calls_beside_one_that_asks_run_at_once_and_keep_their_places() {
    let world = World::new();
    let both = Reply::new().call("book", json!({})).call("lookup", json!({ "key": "a" }));
    let setup = setup(&world, vec![both, Reply::text("All right.")], None).tool(lookup());
    world.life(setup, async |host| {
        let accepted = host.can_be_asked("book and look").await;
        let wait = host.waits_for(accepted.turn).await;
        let shown = outline(&host.stored(accepted.turn).await);
        assert!(shown.contains(&"tool.finished lookup".to_owned()), "{shown:?}");
        host.service.resolve(&ada(), wait.id, Resolution::Answered { answer: json!("noon") }).await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        let read = host.provider.calls()[1].transcript();
        assert_eq!(read[3..], [r#"book gave Answered(String("noon")) [1]"#, "lookup gave value of a"]);
    });
}

#[test]
fn a_tool_may_ask_again_and_each_question_is_an_interaction_of_its_own() {
    let world = World::new();
    let twice = TestTool::new("book", ToolFlags::default(), |_, context| {
        let ask = |text, state: &str| {
            let state = RawJson::parse(state).ok();
            Err(ToolError::NeedsAnswer(Box::new(ToolQuestion { state, ..ToolQuestion::new(text) })))
        };
        let outcome = match context.answer {
            None => ask("When?", "1"),
            Some(ToolAnswer { reply: PersonsReply::Answered(answer), state: Some(state) }) if state.get() == "1" => {
                ask("Which room?", &json!([answer]).to_string())
            }
            Some(ToolAnswer { reply, state }) => Ok(format!("{reply:?} {state:?}").into()),
        };
        Box::pin(std::future::ready(outcome))
    });
    world.life(Setup::from(script()).tool(twice), async |host| {
        let accepted = host.can_be_asked("book").await;
        for (number, text, answer) in [(0, "When?", "noon"), (1, "Which room?", "seven")] {
            let wait = host.waits_for(accepted.turn).await;
            assert_eq!((wait.id.number, wait.question.question.unwrap().text), (number, text.to_owned()));
            host.service.resolve(&ada(), wait.id, Resolution::Answered { answer: json!(answer) }).await.unwrap();
        }
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        let result = &host.transcript(accepted.session).await[2];
        assert!(result.contains("seven") && result.contains("noon"), "{result}");
    });
}

#[test]
fn if_no_person_can_be_asked_the_model_reads_the_question() {
    let world = World::new();
    world.life(setup(&world, script(), None), async |host| {
        let accepted = host.submit("book").await;
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        let read = &host.provider.calls()[1].transcript()[2];
        assert!(read.ends_with("put the question into your answer: When?"), "{read}");
        assert_eq!(host.pending(accepted.turn).await, []);
    });
    assert_eq!(world.ledger().effects().unwrap().len(), 0);
}

#[test]
fn a_turn_that_stops_while_it_waits_for_an_answer_has_a_result_for_the_call() {
    let world = World::new();
    world.life(setup(&world, script(), None), async |host| {
        let accepted = host.can_be_asked("book").await;
        let wait = host.waits_for(accepted.turn).await;
        host.service.cancel(&ada(), accepted.turn).await.unwrap();
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Cancelled);
        assert_eq!(host.transcript(accepted.session).await[2], "Tool: <book failed Some(Cancelled)>");
        let late = host.service.resolve(&ada(), wait.id, Resolution::Answered { answer: json!("noon") }).await;
        assert_eq!(late, Ok(ResolveOutcome::TooLate));
    });
    assert_eq!(world.ledger().effects().unwrap().len(), 0);
}

#[test]
fn a_question_that_cannot_be_asked_fails_the_call() {
    for (question, why) in [
        (ToolQuestion::new("a".repeat(ToolQuestion::MAX_BYTES)), "the question has more than 65536 bytes"),
        (
            ToolQuestion { schema: Some(json!({ "type": "nothing" })), ..ToolQuestion::new("When?") },
            "the schema of the answer cannot be used",
        ),
        (
            ToolQuestion {
                schema: Some(json!({ "type": "integer" })),
                choices: vec!["9".to_owned(), "early".to_owned()],
                ..ToolQuestion::new("When?")
            },
            "the choice `early` does not match `schema`",
        ),
    ] {
        let world = World::new();
        let setup = Setup::from(script()).tool(book(world.ledger(), question, ToolFlags::default()));
        world.life(setup, async |host| {
            let accepted = host.can_be_asked("book").await;
            assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
            let read = &host.provider.calls()[1].transcript()[2];
            assert!(read.contains(why), "{read}");
        });
    }
}

#[test]
fn only_followers_of_its_user_are_told_when_a_question_is_asked_and_when_it_expires() {
    let world = World::new();
    let script = [script(), vec![Reply::text("Hi."), Reply::text("Hi.")]].concat();
    world.life(setup(&world, script, None), async |host| {
        let others = [Scope::new("acme", "bob"), Scope::new("other", "ada")];
        let mut feeds = others.each_ref().map(|scope| host.service.follow_user(scope));
        let mut own = host.service.follow_user(&ada());
        let accepted = host.can_be_asked("book").await;
        while own.next().await.unwrap() != UserUpdate::Interactions {}
        host.waits_for(accepted.turn).await;
        host.lets_wait_expire().await;
        while own.next().await.unwrap() != UserUpdate::Interactions {}
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
        for (scope, feed) in others.iter().zip(&mut feeds) {
            let accepted = host.service.accept(scope, request(SessionKey::New, "Hello")).await.unwrap();
            let UserUpdate::Session { session, .. } = feed.next().await.unwrap() else { panic!("of {scope:?}") };
            assert_eq!(session.id, accepted.session);
        }
    });
}
