//! Test tools that change something, wait, fail, panic, or remember a value.

use std::future::ready;

use serde::Deserialize;
use serde_json::{Map, Value};
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{Data, RawJson, Reply, Subject, ToolDefinition, ToolError, ToolFlags, ToolOutput, ToolQuestion};

use crate::{Gate, Ledger};

type Run = dyn for<'a> Fn(&'a RawJson, ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> + Send + Sync;

type Check = dyn Fn(&RawJson) -> Result<(), ToolError> + Send + Sync;

type ReadSubject = dyn Fn(&RawJson) -> Result<Subject, ToolError> + Send + Sync;

/// A tool built from a name, flags and a function.
///
/// ```
/// use turnkit_core::ToolFlags;
/// use turnkit_core::ports::Tool;
/// use turnkit_testkit::tools::TestTool;
///
/// let echo = TestTool::new("echo", ToolFlags::read_only(), |arguments, _| {
///     Box::pin(async move { Ok(arguments.get().into()) })
/// });
/// assert_eq!(echo.definition().name, "echo");
/// ```
pub struct TestTool {
    definition: ToolDefinition,
    subject: Option<Box<ReadSubject>>,
    check: Option<Box<Check>>,
    run: Box<Run>,
}

impl TestTool {
    /// Creates a tool that accepts any object and runs `run`.
    pub fn new(
        name: &str,
        flags: ToolFlags,
        run: impl for<'a> Fn(&'a RawJson, ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        #[expect(clippy::expect_used, reason = "the schema is a constant")]
        let definition =
            ToolDefinition::new(name, format!("The test tool {name}."), r#"{"type":"object"}"#).expect("this is JSON");
        Self { definition: definition.with_flags(flags), subject: None, check: None, run: Box::new(run) }
    }

    /// Sets the function that returns the subject of a call.
    #[must_use]
    pub fn touching(
        mut self,
        subject: impl Fn(&RawJson) -> Result<Subject, ToolError> + Send + Sync + 'static,
    ) -> Self {
        self.subject = Some(Box::new(subject));
        self
    }

    /// Sets the function that checks whether a call can succeed.
    #[must_use]
    pub fn checking(mut self, check: impl Fn(&RawJson) -> Result<(), ToolError> + Send + Sync + 'static) -> Self {
        self.check = Some(Box::new(check));
        self
    }
}

impl Tool for TestTool {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        self.subject.as_ref().map_or(Ok(Subject::None), |subject| subject(arguments))
    }

    fn check(&self, arguments: &RawJson) -> Result<(), ToolError> {
        self.check.as_ref().map_or(Ok(()), |check| check(arguments))
    }

    fn call<'a>(
        &'a self,
        arguments: &'a RawJson,
        context: ToolContext<'a>,
    ) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        (self.run)(arguments, context)
    }
}

/// `pay {amount}`: changes something, must not run twice, and runs alone. The effect is recorded in `ledger`.
pub fn pay(ledger: Ledger) -> TestTool {
    once("pay", "paid", ledger)
}

/// `transfer {amount}`: like [`pay`], under another name, for rules that apply to only one of them.
pub fn transfer(ledger: Ledger) -> TestTool {
    once("transfer", "transferred", ledger)
}

/// `upsert {key, value}`: changes something, and a repetition changes nothing more. Each run is recorded in `ledger`.
pub fn upsert(ledger: Ledger) -> TestTool {
    setting("upsert", ledger)
}

/// `replace {key, value}`: like [`upsert`], under another name, for rules that apply to only one of them.
pub fn replace(ledger: Ledger) -> TestTool {
    setting("replace", ledger)
}

/// `lookup {key}`: only reads; returns `value of KEY`.
pub fn lookup() -> TestTool {
    #[derive(Deserialize)]
    struct Lookup {
        key: String,
    }
    TestTool::new("lookup", ToolFlags::read_only(), |arguments, _| {
        Box::pin(ready(read(arguments).map(|Lookup { key }| format!("value of {key}").into())))
    })
}

/// `ask {key}`: asks a person about `key`, and returns the person's answer.
pub fn ask() -> TestTool {
    #[derive(Deserialize)]
    struct Ask {
        key: String,
    }
    TestTool::new("ask", ToolFlags::read_only(), |arguments, context| {
        let answered = |Ask { key }| match context.answer.map(|answer| &answer.reply) {
            None => Err(ToolError::NeedsAnswer(Box::new(ToolQuestion::new(key)))),
            Some(Reply::Answered(answer)) => Ok(answer.as_str().unwrap_or_default().to_owned().into()),
            Some(_) => Err(ToolError::Cancelled),
        };
        Box::pin(ready(read(arguments).and_then(answered)))
    })
}

/// `slow {}`: only reads, and returns `done` once `gate` is open.
pub fn slow(gate: Gate) -> TestTool {
    TestTool::new("slow", ToolFlags::read_only(), move |_, _| {
        let gate = gate.clone();
        Box::pin(async move {
            gate.pass().await;
            Ok("done".into())
        })
    })
}

/// `failing {}`: always fails with `message`.
pub fn failing(message: &'static str) -> TestTool {
    TestTool::new("failing", ToolFlags::read_only(), move |_, _| {
        Box::pin(ready(Err(ToolError::Failed(message.to_owned()))))
    })
}

/// `panicking {}`: panics when it runs.
pub fn panicking() -> TestTool {
    #[expect(clippy::panic, reason = "this is what the tool is for")]
    TestTool::new("panicking", ToolFlags::read_only(), |_, _| Box::pin(async { panic!("this tool panics") }))
}

/// `remember {key, value}`: sets a key of the session's metadata, returns the previous value, and sends the client a
/// `data` event of kind `remembered`.
pub fn remember() -> TestTool {
    #[derive(Deserialize)]
    struct Remember {
        key: String,
        value: Value,
    }
    TestTool::new("remember", ToolFlags::default(), |arguments, context| {
        let remembered = read(arguments).map(|Remember { key, value }| {
            let before = context.session.metadata.get(&key).unwrap_or(&Value::Null);
            let data = Data { kind: "remembered".to_owned(), payload: arguments.clone() };
            let content = format!("{key} was {before}");
            let session_metadata = Some(Map::from_iter([(key, value)]));
            ToolOutput { data: Some(data), session_metadata, ..content.into() }
        });
        Box::pin(ready(remembered))
    })
}

fn once(name: &str, done: &'static str, ledger: Ledger) -> TestTool {
    #[derive(Deserialize)]
    struct Sum {
        amount: serde_json::Number,
    }
    TestTool::new(name, ToolFlags::default(), move |arguments, context| {
        let paid = read(arguments).and_then(|Sum { amount }| effect(&ledger, context, format!("{done} {amount}")));
        Box::pin(ready(paid))
    })
}

fn setting(name: &str, ledger: Ledger) -> TestTool {
    #[derive(Deserialize)]
    struct Setting {
        key: String,
        value: Value,
    }
    let flags = ToolFlags { idempotent: true, ..ToolFlags::default() };
    TestTool::new(name, flags, move |arguments, context| {
        let set =
            read(arguments).and_then(|Setting { key, value }| effect(&ledger, context, format!("{key} = {value}")));
        Box::pin(ready(set))
    })
}

fn read<'a, T: Deserialize<'a>>(arguments: &'a RawJson) -> Result<T, ToolError> {
    arguments.read().map_err(|error| ToolError::InvalidArguments(error.to_string()))
}

fn effect(ledger: &Ledger, context: ToolContext<'_>, what: String) -> Result<ToolOutput, ToolError> {
    ledger.record(context.uid, &what).map_err(|error| ToolError::Failed(error.to_string()))?;
    Ok(what.into())
}
