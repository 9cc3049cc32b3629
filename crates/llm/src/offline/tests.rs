use futures_util::{FutureExt, StreamExt};
use turnkit_core::ports::{CallContext, LlmProvider};
use turnkit_core::{
    CallUid, ChatRequest, Delta, Entry, FinishReason, Fold, History, Message, Params, Part, Role, ToolChoice,
    ToolDefinition, ToolResult, TurnId, Usage,
};

use super::OfflineResponder;

const BOTH: [&str; 2] = ["calculator", "clock"];

fn request(history: History, tools: &[&str]) -> ChatRequest {
    let tools = tools.iter().map(|name| ToolDefinition::new(*name, "", r#"{"type":"object"}"#).unwrap());
    ChatRequest {
        model: None,
        route: None,
        instructions: None,
        history,
        tools: tools.collect(),
        params: Params::default(),
        tool_choice: ToolChoice::Auto,
    }
}

fn batches(request: ChatRequest) -> Vec<Vec<Delta>> {
    let call = CallContext { turn: TurnId::default(), step: 1, attempt: 1 };
    let opened = OfflineResponder.stream(request, &call).now_or_never().unwrap().unwrap();
    assert_eq!((opened.provider.as_str(), opened.model.as_str()), ("offline", "rules"));
    let batches: Vec<_> = opened.deltas.collect().now_or_never().unwrap();
    batches.into_iter().map(Result::unwrap).collect()
}

fn answer(request: ChatRequest) -> turnkit_core::Answer {
    let mut fold = Fold::new(TurnId::default(), 1);
    batches(request).iter().flatten().for_each(|delta| fold.push(delta).unwrap());
    fold.finish().unwrap()
}

/// Returns the tool calls for `message`, as `tool arguments`.
fn calls(message: &str, tools: &[&str]) -> Vec<String> {
    let answer = answer(request(History::of([Message::user(message)]), tools));
    let message = Message::new(Role::Assistant, answer.parts);
    message.calls().map(|call| format!("{} {}", call.name, call.arguments.0)).collect()
}

/// Returns the answer after the calls for `message` have had these outcomes.
fn told(message: &str, tools: &[&str], outcomes: &[Result<&str, &str>]) -> String {
    let mut history =
        History::of([Message::user("earlier: 1+1"), Message::new(Role::Assistant, vec![Part::text("2")])]);
    history.push(Entry::new(Message::user(message)));
    let asked = answer(request(history.clone(), tools));
    let asked = Message::new(Role::Assistant, asked.parts);
    let results = asked.calls().zip(outcomes).map(|(call, outcome)| {
        let (ok, content) = match outcome {
            Ok(content) => (true, content),
            Err(content) => (false, content),
        };
        let content = (*content).to_owned();
        Part::ToolResult(ToolResult { ok, ..ToolResult::new(call.uid, call.name.clone(), content) })
    });
    let results = Message::new(Role::Tool, results.collect());
    history.push(Entry::new(asked));
    history.push(Entry::new(results));
    answer(request(history, tools)).text()
}

#[test]
fn arithmetic_becomes_a_call_of_the_calculator() {
    let cases: &[(&str, &[&str])] = &[
        ("What is 12.5% of 840?", &["12.5% of 840"]),
        ("2+2", &["2+2"]),
        ("Please compute (3 + 4) * 2.", &["(3 + 4) * 2"]),
        ("what is 7 divided by 2", &["7 / 2"]),
        ("3 x 4", &["3 * 4"]),
        ("5 squared", &["5^2"]),
        ("200 plus 10 percent", &["200 plus 10 percent"]),
        ("1,234.50 - 34.5, thanks", &["1,234.50 - 34.5"]),
        ("max(3, 4) and sqrt(2)", &["max(3, 4)", "sqrt(2)"]),
        ("2+2, 3*3", &["2+2", "3*3"]),
        ("(what is 2+2)", &["2+2"]),
        ("result: -3 + 5", &["-3 + 5"]),
        ("10 % 3", &["10 % 3"]),
        ("I was born on 2001-02-03", &[]),
        ("chapter 2 of 3", &[]),
        ("the battery is at 50%", &[]),
        ("version 1.2.3, port 8080", &[]),
        ("covid-19 and 5 apples", &[]),
        ("call 5 10 15", &[]),
        ("We are open 24/7 and 3-4 people come", &[]),
        ("We are open 24/7. What is 10/4?", &["10/4"]),
        ("We are open 24/7, is that 7*24 hours?", &["24/7", "7*24"]),
        ("on 3/4/2026 we met", &[]),
        ("(24/7)", &["(24/7)"]),
        ("1/3", &["1/3"]),
        ("7-2 =", &["7-2"]),
        ("Compute 7-2 and 1/3.", &["7-2", "1/3"]),
        ("it took 7 - 2 days", &["7 - 2"]),
        ("round(10/4) of them", &["round(10/4)"]),
        ("", &[]),
    ];
    for (message, expected) in cases {
        let expected: Vec<_> =
            expected.iter().map(|text| format!("calculator {}", serde_json::json!({ "expression": text }))).collect();
        assert_eq!(calls(message, &["calculator"]), expected, "{message}");
    }
}

#[test]
fn questions_for_date_or_time_become_a_call_of_the_clock() {
    let cases: &[(&str, &[&str])] = &[
        ("What day is it?", &["{}"]),
        ("what's today's date", &["{}"]),
        ("Which day is it today", &["{}"]),
        ("What time is it in Prague?", &[r#"{"timezone":"Prague"}"#]),
        ("time in new york right now", &[r#"{"timezone":"new york"}"#]),
        ("current time in Europe/Prague please", &[r#"{"timezone":"Europe/Prague"}"#]),
        ("what time is it in Tokyo, and what day is it", &[r#"{"timezone":"Tokyo"}"#, "{}"]),
        ("what time will it be in the office", &["{}"]),
        ("three times in a row", &[]),
        ("I had a nice day", &[]),
    ];
    for (message, expected) in cases {
        let expected: Vec<_> = expected.iter().map(|arguments| format!("clock {arguments}")).collect();
        assert_eq!(calls(message, &["clock"]), expected, "{message}");
    }
}

#[test]
fn both_tools_are_called_at_once() {
    let expected = [r#"calculator {"expression":"12.5% of 840"}"#, "clock {}"];
    assert_eq!(calls("What is 12.5% of 840, and what day is it today?", &BOTH), expected);
}

#[test]
fn results_are_reported_in_plain_sentences() {
    let clock = r#"{"weekday":"Saturday","date":"2026-11-21","time":"14:05:09","timezone":"Europe/Prague","iso":""}"#;
    let both = "What is 12.5% of 840, and what day is it today?";
    type Outcomes<'a> = &'a [Result<&'a str, &'a str>];
    let cases: &[(&str, Outcomes, &str)] = &[
        (both, &[Ok("105"), Ok(clock)], "12.5% of 840 is 105. Today is Saturday, 21 November 2026."),
        ("time in Prague", &[Ok(clock)], "It is 14:05 in Europe/Prague."),
        ("what day is it in Prague", &[Ok(clock)], "It is Saturday, 21 November 2026 in Europe/Prague."),
        ("what date and what time is it", &[Ok(clock)], "It is Saturday, 21 November 2026, 14:05 Europe/Prague."),
        (
            "1/0",
            &[Err("division by zero, at character 2")],
            "I could not compute 1/0: division by zero, at character 2.",
        ),
        ("what time is it", &[Ok("noon")], "The clock says: noon"),
    ];
    for (message, outcomes, expected) in cases {
        assert_eq!(told(message, &BOTH, outcomes), *expected, "{message}");
    }
}

#[test]
fn a_request_without_its_tool_is_named_beside_the_results() {
    let text = told("what is 2+2 and 3% of 50, and what day is it", &["calculator"], &[Ok("4"), Ok("1.5")]);
    assert_eq!(text, "2+2 is 4. 3% of 50 is 1.5. I have no tool to tell the date.");
}

#[test]
fn without_tools_it_repeats_the_message_and_reports_that_no_model_is_configured() {
    let text = |message: &str| answer(request(History::of([Message::user(message)]), &[])).text();
    let no_model = super::speak::NO_MODEL;
    assert!(no_model.starts_with("No model is configured"));
    assert_eq!(text("Hello!"), format!("You said: \"Hello!\". {no_model}"));
    assert_eq!(text(" "), format!("You said nothing. {no_model}"));
    let understood = "You want me to compute 2+2 and to tell the time, but I have no tool for it here.";
    assert_eq!(text("2+2 and what time is it"), format!("{understood} {no_model}"));
    assert!(text(&"long ".repeat(1000)).len() < 500);
}

#[test]
fn calls_are_not_made_if_the_tool_choice_forbids_them() {
    let mut request = request(History::of([Message::user("2+2")]), &BOTH);
    request.tool_choice = ToolChoice::None;
    let answer = answer(request);
    assert_eq!(answer.finish, FinishReason::Stop);
    assert!(answer.text().starts_with("You want me to compute 2+2"));
}

#[test]
fn an_empty_history_is_answered() {
    assert!(answer(request(History::default(), &BOTH)).text().starts_with("You said nothing."));
}

#[test]
fn text_comes_word_by_word_and_usage_is_reported_as_none() {
    let batches = batches(request(History::of([Message::user("Hello there")]), &[]));
    let (first, rest) = batches.split_first().unwrap();
    let (last, words) = rest.split_last().unwrap();
    assert!(matches!(first[..], [Delta::Start { part: 0, .. }]));
    assert!(words.len() > 10);
    for word in words {
        assert!(
            matches!(&word[..], [Delta::Text { part: 0, text }] if text.split_whitespace().count() == 1),
            "{word:?}"
        );
    }
    assert_eq!(last[1..], [Delta::Usage(Usage::default()), Delta::Finish(FinishReason::Stop)]);
}

#[test]
fn calls_end_with_their_finish_reason_and_have_ids_of_their_own() {
    let answer = answer(request(History::of([Message::user("2+2 and what day is it")]), &BOTH));
    assert_eq!(answer.finish, FinishReason::ToolCalls);
    let message = Message::new(Role::Assistant, answer.parts);
    let ids: Vec<_> = message.calls().map(|call| call.provider_id.as_str()).collect();
    assert_eq!(ids, ["call_1_0", "call_1_1"]);
    let uids: Vec<_> = message.calls().map(|call| call.uid).collect();
    assert_eq!(uids[1], CallUid { turn: TurnId::default(), step: 1, ordinal: 1 });
}
