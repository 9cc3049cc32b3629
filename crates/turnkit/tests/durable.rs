//! Sessions in a database, across restarts.
#![expect(clippy::unwrap_used, reason = "a failed expectation is how a test speaks")]

use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde_json::json;
use turnkit::{Agent, Decision, Error, Interaction, OpenError, ToolFlags, TurnStatus, Turnkit};
use turnkit_testkit::tools::TestTool;
use turnkit_testkit::{Gate, Reply, ScriptedProvider};

/// A folder for a database.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn url(&self) -> String {
        format!("sqlite:{}", self.0.path().join("app.db").display())
    }

    /// Opens the database with one agent whose model sends these replies.
    async fn open(&self, script: impl IntoIterator<Item = Reply>) -> (Turnkit, Arc<ScriptedProvider>) {
        let provider = Arc::new(ScriptedProvider::new(script));
        let agent = Agent::with_provider(Arc::clone(&provider));
        (Turnkit::open(self.url()).agent("assistant", agent).await.unwrap(), provider)
    }
}

#[tokio::test]
async fn a_session_continues_after_a_restart() {
    let folder = Folder::new();
    let (turnkit, _) = folder.open([Reply::text("Hello, Ada.")]).await;
    let answer = turnkit.session("user-1/diary").unwrap().ask("I am Ada.").await.unwrap();
    assert_eq!((answer.text(), answer.messages().count()), ("Hello, Ada.", 2));
    assert!(turnkit.close(Duration::from_secs(5)).await);

    let (turnkit, provider) = folder.open([Reply::text("Ada.")]).await;
    let diary = turnkit.session("user-1/diary").unwrap();
    assert_eq!(diary.ask("Who am I?").await.unwrap().text(), "Ada.");
    assert_eq!(provider.calls()[0].transcript(), ["user: I am Ada.", "assistant: Hello, Ada.", "user: Who am I?"]);
    assert_eq!((diary.messages().await.unwrap().len(), diary.state().await.unwrap().unwrap().turns), (4, 2));
    let other = turnkit.session("user-2/diary").unwrap();
    assert_eq!((other.messages().await.unwrap().len(), other.state().await.unwrap()), (0, None));
}

#[tokio::test]
async fn an_unfinished_turn_continues_when_the_database_is_opened() {
    let (folder, gate) = (Folder::new(), Gate::new());
    let (turnkit, _) = folder.open([Reply::new().wait(&gate).say("Never said.")]).await;
    let diary = turnkit.session("diary").unwrap();
    let mut stream = diary.stream("Hello");
    assert!(stream.next().await.unwrap().is_ok());
    gate.reached().await;
    drop((stream, diary));
    assert!(!turnkit.close(Duration::ZERO).await);

    let (turnkit, _) = folder.open([Reply::text("Hello again.")]).await;
    let diary = turnkit.session("diary").unwrap();
    let text = match diary.follow().await.unwrap() {
        Some(unfinished) => unfinished.finish().await.unwrap().text().to_owned(),
        None => diary.messages().await.unwrap().last().unwrap().text(),
    };
    assert_eq!(text, "Hello again.");
    assert!(diary.follow().await.unwrap().is_none(), "the session is idle");
}

#[tokio::test]
async fn closing_ends_the_streams_of_unfinished_turns() {
    for waits in [false, true] {
        let (folder, gate) = (Folder::new(), Gate::new());
        let pays = Reply::new().call("pay", json!({ "amount": 7 }));
        let script = if waits { pays } else { Reply::new().wait(&gate).say("Never said.") };
        let provider = Arc::new(ScriptedProvider::new([script]));
        let pay = TestTool::new("pay", ToolFlags::default(), |_, _| Box::pin(async { Ok("paid".into()) }));
        let agent = Agent::with_provider(Arc::clone(&provider)).tool(pay).rule("pay", Decision::Ask);
        let asked = Arc::new(tokio::sync::Notify::new());
        let asks = Arc::clone(&asked);
        let agent = agent.on_interaction(move |interaction: Interaction| {
            asks.notify_one();
            async move {
                std::future::pending::<()>().await;
                interaction.approve()
            }
        });
        let turnkit = Turnkit::open(folder.url()).agent("assistant", agent).await.unwrap();
        let diary = turnkit.session("diary").unwrap();
        let closes = async {
            if waits {
                asked.notified().await
            } else {
                gate.reached().await
            };
            turnkit.close(Duration::ZERO).await
        };
        let (answer, finished) = tokio::join!(diary.ask("Hello"), closes);
        assert!(matches!(answer, Err(Error::Closed)), "{answer:?}");
        // The run of a waiting turn may still be ending.
        assert!(waits || !finished, "the turn was not over");
    }
}

#[tokio::test]
async fn a_turn_that_is_cancelled_does_not_wait_for_its_handler() {
    let folder = Folder::new();
    let provider = ScriptedProvider::new([Reply::new().call("pay", json!({ "amount": 7 }))]);
    let pay = TestTool::new("pay", ToolFlags::default(), |_, _| Box::pin(async { Ok("paid".into()) }));
    let asked = Arc::new(tokio::sync::Notify::new());
    let asks = Arc::clone(&asked);
    let agent = Agent::with_provider(provider).tool(pay).rule("pay", Decision::Ask);
    let agent = agent.on_interaction(move |interaction: Interaction| {
        asks.notify_one();
        async move {
            std::future::pending::<()>().await;
            interaction.approve()
        }
    });
    let turnkit = Turnkit::open(folder.url()).agent("assistant", agent).await.unwrap();
    let till = turnkit.session("till").unwrap();
    let later = async {
        asked.notified().await;
        // A question to a busy session replaces a turn that waits for a decision.
        till.stream("Never mind").next().await
    };
    let (answer, next) = tokio::join!(till.ask("Pay"), later);
    assert!(matches!(answer, Err(Error::Ended { status: TurnStatus::Interrupted, .. })), "{answer:?}");
    assert!(next.unwrap().is_ok());
}

#[tokio::test]
async fn a_database_is_locked_until_its_last_turn_has_ended() {
    let (folder, gate) = (Folder::new(), Gate::new());
    let (turnkit, _) = folder.open([Reply::new().wait(&gate).say("Done.")]).await;
    let mut stream = turnkit.session("diary").unwrap().stream("Hello");
    assert!(stream.next().await.unwrap().is_ok());
    gate.reached().await;
    drop((stream, turnkit));
    let agent = || Agent::with_provider(ScriptedProvider::new([]));
    let refused = Turnkit::open(folder.url()).agent("assistant", agent()).await;
    assert!(matches!(refused, Err(OpenError::Directory(_))));
}

#[tokio::test]
async fn a_stream_yields_the_pieces_and_a_turn_continues_without_it() {
    let (folder, gate) = (Folder::new(), Gate::new());
    let (turnkit, _) = folder.open([Reply::new().say("One ").wait(&gate).say("two.")]).await;
    let diary = turnkit.session("diary").unwrap();
    let mut deltas = diary.stream("Count").text_deltas();
    assert_eq!(deltas.next().await.unwrap().unwrap(), "One ");
    drop(deltas);
    let followed = diary.follow().await.unwrap().unwrap();
    gate.open();
    assert_eq!(followed.finish().await.unwrap().text(), "One two.");
}

#[tokio::test]
async fn the_handler_of_the_agent_replies_and_without_one_calls_are_denied() {
    for (has_handler, result) in
        [(true, "pay gave paid"), (false, "pay failed: Error executing pay: it needs approval")]
    {
        let folder = Folder::new();
        let script = [Reply::new().call("pay", json!({ "amount": 7 })), Reply::text("Done.")];
        let provider = Arc::new(ScriptedProvider::new(script));
        let pay = TestTool::new("pay", ToolFlags::default(), |_, _| Box::pin(async { Ok("paid".into()) }));
        let agent = Agent::with_provider(Arc::clone(&provider)).tool(pay).rule("pay", Decision::Ask);
        let agent = match has_handler {
            true => agent.on_interaction(|interaction: Interaction| interaction.approve()),
            false => agent,
        };
        let turnkit = Turnkit::open(folder.url()).agent("assistant", agent).await.unwrap();
        assert_eq!(turnkit.session("till").unwrap().ask("Pay").await.unwrap().text(), "Done.");
        let read = &provider.calls()[1].transcript()[2];
        assert!(read.starts_with(result), "{read}");
    }
}

#[tokio::test]
async fn a_reply_with_arguments_that_the_tool_does_not_accept_denies_the_call() {
    let folder = Folder::new();
    let script = [Reply::new().call("pay", json!({ "amount": 7 })), Reply::text("Done.")];
    let provider = Arc::new(ScriptedProvider::new(script));
    let pay = TestTool::new("pay", ToolFlags::default(), |_, _| Box::pin(async { Ok("paid".into()) }));
    let agent = Agent::with_provider(Arc::clone(&provider)).tool(pay).rule("pay", Decision::Ask);
    let agent = agent.on_interaction(|interaction: Interaction| interaction.approve_with(&json!(7)));
    let turnkit = Turnkit::open(folder.url()).agent("assistant", agent).await.unwrap();
    assert_eq!(turnkit.session("till").unwrap().ask("Pay").await.unwrap().text(), "Done.");
    assert_eq!(
        provider.calls()[1].transcript()[2],
        "pay failed: Error executing pay: the user denied it. The user says: the host program's reply does not fit: \
         the arguments must be a JSON object"
    );
}

#[tokio::test]
async fn the_handler_is_that_of_the_agent_that_started_the_session() {
    let folder = Folder::new();
    let calls = || Reply::new().call("pay", json!({ "amount": 7 }));
    let provider = Arc::new(ScriptedProvider::new([Reply::text("Hello."), calls(), Reply::text("Done.")]));
    let pay = TestTool::new("pay", ToolFlags::default(), |_, _| Box::pin(async { Ok("paid".into()) }));
    let clerk = Agent::with_provider(Arc::clone(&provider)).tool(pay).rule("pay", Decision::Ask);
    let clerk = clerk.on_interaction(|interaction: Interaction| interaction.approve());
    let cook = Agent::with_provider(ScriptedProvider::new([]));
    let turnkit = Turnkit::open(folder.url()).agent("cook", cook).agent("clerk", clerk).await.unwrap();
    turnkit.session("till").unwrap().agent("clerk").ask("Hello").await.unwrap();
    turnkit.session("till").unwrap().ask("Pay").await.unwrap();
    let transcript = provider.calls()[2].transcript();
    assert_eq!(transcript.last().unwrap(), "pay gave paid", "{transcript:?}");
}

#[tokio::test]
async fn each_agent_asks_its_own_model_and_a_session_keeps_its_agent() {
    let folder = Folder::new();
    let agent = |text: &str| Agent::with_provider(ScriptedProvider::new([Reply::text(text), Reply::text(text)]));
    let open = Turnkit::open(folder.url()).agent("cook", agent("Soup.")).agent("clerk", agent("Seven."));
    let turnkit = open.await.unwrap();
    let kitchen = turnkit.session("kitchen").unwrap();
    assert_eq!(kitchen.ask("What?").await.unwrap().text(), "Soup.");
    let office = turnkit.session("office").unwrap().agent("clerk");
    assert_eq!(office.ask("How many?").await.unwrap().text(), "Seven.");
    let office = turnkit.session("office").unwrap();
    assert_eq!(office.ask("Really?").await.unwrap().text(), "Seven.", "the session was begun with the clerk");
    let error = kitchen.agent("waiter").ask("Where?").await.unwrap_err();
    assert!(matches!(&error, Error::Refused(_)) && error.to_string().contains("agent"), "{error}");
}

#[derive(Debug, PartialEq, serde::Deserialize, JsonSchema)]
struct Sum {
    /// The result.
    total: i64,
}

#[tokio::test]
async fn an_answer_of_a_type_is_checked_and_repaired_once() {
    let folder = Folder::new();
    let (turnkit, provider) = folder.open([Reply::text("Seven."), Reply::text(r#"{"total":7}"#)]).await;
    let sum: Sum = turnkit.session("sums").unwrap().ask_for("3 + 4?").await.unwrap();
    assert_eq!(sum, Sum { total: 7 });
    let transcript = provider.calls()[1].transcript();
    assert!(transcript[0].starts_with("user: 3 + 4?\n\n") && transcript[0].contains("The result."), "{transcript:?}");
    assert!(transcript[2].contains("does not match the JSON Schema"), "{transcript:?}");
}

#[tokio::test]
async fn a_database_that_cannot_be_opened_is_an_error_with_the_reason() {
    let folder = Folder::new();
    let (held, _) = folder.open([]).await;
    let agent = || Agent::with_provider(ScriptedProvider::new([]));
    for (open, why) in [
        (Turnkit::open(folder.url()), "no agent was added"),
        (Turnkit::open("postgres://host/db").agent("a", agent()), "must begin with sqlite:"),
        (Turnkit::open(folder.url()).agent("a", agent()).agent("a", agent()), "two agents are called `a`"),
        (Turnkit::open(folder.url()).agent("a", Agent::new("acme:m")), "agent `a`: there is no vendor `acme`"),
        (Turnkit::open(folder.url()).agent("a", agent()), "is in use by another process"),
    ] {
        let error: OpenError = match open.await {
            Ok(_) => panic!("it opened: {why}"),
            Err(error) => error,
        };
        assert!(error.to_string().contains(why), "{error}");
    }
    assert!(matches!(held.session(""), Err(Error::SessionName(_))));
}
