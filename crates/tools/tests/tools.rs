//! Tests of the tools, called as the engine calls them.
#![expect(clippy::unwrap_used, reason = "a missing answer fails the test")]

use std::sync::Arc;

use futures_util::FutureExt;
use turnkit_core::ports::{self, Tool, ToolContext};
use turnkit_core::{CallUid, RawJson, Session, SessionId, Timestamp, ToolError, TurnId};
use turnkit_tools::{Calculator, Clock, built_in};

/// A clock at 2026-11-21T13:05:09Z, a Saturday.
struct Saturday;

impl ports::Clock for Saturday {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(1_795_266_309_000)
    }
}

fn call(tool: &dyn Tool, arguments: &str) -> Result<String, ToolError> {
    let session = Session::new(SessionId::default(), "test", Timestamp::default());
    let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
    let arguments = RawJson::parse(arguments).unwrap();
    let called = tool.call(&arguments, ToolContext::new(&session, uid)).now_or_never();
    called.unwrap().map(|output| output.content)
}

fn refusal(tool: &dyn Tool, arguments: &str) -> String {
    match call(tool, arguments) {
        Err(ToolError::InvalidArguments(why)) => why,
        other => format!("not refused: {other:?}"),
    }
}

#[test]
fn the_calculator_answers_with_the_number_alone() {
    assert_eq!(call(&Calculator::new(), r#"{"expression":"12.5% of 840"}"#).unwrap(), "105");
}

#[test]
fn the_calculator_reports_the_problem_of_an_expression() {
    let error = call(&Calculator::new(), r#"{"expression":"1/0"}"#).unwrap_err();
    assert_eq!(error, ToolError::Failed("division by zero, at character 2".to_owned()));
}

#[test]
fn the_clock_tells_weekday_date_time_zone_and_iso_form() {
    let clock = Clock::new(Arc::new(Saturday));
    let cases = [
        (
            "{}",
            r#"{"weekday":"Saturday","date":"2026-11-21","time":"13:05:09","timezone":"UTC","iso":"2026-11-21T13:05:09Z"}"#,
        ),
        (
            r#"{"timezone":null}"#,
            r#"{"weekday":"Saturday","date":"2026-11-21","time":"13:05:09","timezone":"UTC","iso":"2026-11-21T13:05:09Z"}"#,
        ),
        (
            r#"{"timezone":"Europe/Prague"}"#,
            r#"{"weekday":"Saturday","date":"2026-11-21","time":"14:05:09","timezone":"Europe/Prague","iso":"2026-11-21T14:05:09+01:00"}"#,
        ),
        (
            r#"{"timezone":"auckland"}"#,
            r#"{"weekday":"Sunday","date":"2026-11-22","time":"02:05:09","timezone":"Pacific/Auckland","iso":"2026-11-22T02:05:09+13:00"}"#,
        ),
    ];
    for (arguments, expected) in cases {
        assert_eq!(call(&clock, arguments).unwrap(), expected, "{arguments}");
    }
}

#[test]
fn an_unknown_zone_is_answered_with_a_similar_one() {
    let clock = Clock::new(Arc::new(Saturday));
    let cases = [
        (r#"{"timezone":"Europe/Pragu"}"#, r#"unknown time zone "Europe/Pragu": did you mean Europe/Prague?"#),
        (r#"{"timezone":"Praguee"}"#, r#"unknown time zone "Praguee": did you mean Europe/Prague?"#),
        (r#"{"timezone":"xyzzy"}"#, r#"unknown time zone "xyzzy": use an IANA name such as Europe/Prague"#),
    ];
    for (arguments, expected) in cases {
        assert_eq!(refusal(&clock, arguments), expected);
    }
}

#[test]
fn unknown_missing_and_mistyped_arguments_are_refused_by_name() {
    let (calculator, clock) = (Calculator::new(), Clock::new(Arc::new(Saturday)));
    let cases: [(&dyn Tool, &str, &str); 5] = [
        (&calculator, r#"{"expression":"1","precision":2}"#, "unknown field `precision`, expected `expression`"),
        (&calculator, "{}", "missing field `expression`"),
        (&calculator, r#"{"expression":1}"#, "invalid type: integer `1`, expected a string"),
        (&clock, r#"{"zone":"UTC"}"#, "unknown field `zone`, expected `timezone`"),
        (&clock, "[1, 2]", "invalid"),
    ];
    for (tool, arguments, expected) in cases {
        let why = refusal(tool, arguments);
        assert!(why.starts_with(expected), "{arguments}: {why}");
    }
}

#[test]
fn built_in_tools_only_look_and_have_closed_object_schemas() {
    for tool in built_in(Arc::new(Saturday)) {
        let definition = tool.definition();
        assert!(definition.flags.read_only && definition.flags.parallel_safe && !definition.flags.open_world);
        let schema: serde_json::Value = definition.parameters.read().unwrap();
        assert_eq!(schema["type"], "object", "{}", definition.name);
        assert_eq!(schema["additionalProperties"], false, "{}", definition.name);
    }
}
