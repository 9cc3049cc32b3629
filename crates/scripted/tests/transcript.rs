//! Tests of the strict transcript checker, one violation at a time.

use serde_json::{Value, json};
use turnkit_core::{
    Arguments, CallUid, ChatRequest, History, Message, Params, Part, Role, ToolCall, ToolChoice, ToolResult, TurnId,
};
use turnkit_scripted::transcript::{
    Problem, Violation, check_chat_completions, check_generate_content, check_history, check_messages, check_request,
    check_responses,
};

fn user() -> Value {
    json!({ "role": "user", "content": "hi" })
}

fn assistant() -> Value {
    json!({ "role": "assistant", "content": "hello" })
}

fn call(id: &str, name: &str, arguments: &str) -> Value {
    json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
}

fn calls(ids: &[&str]) -> Value {
    let calls: Vec<_> = ids.iter().map(|id| call(id, "lookup", "{}")).collect();
    json!({ "role": "assistant", "content": null, "tool_calls": calls })
}

fn result(id: &str) -> Value {
    json!({ "role": "tool", "tool_call_id": id, "content": "" })
}

/// Violations with the index of their message.
type Found = Vec<(usize, Problem)>;

fn violations(checked: Result<(), Vec<Violation>>) -> Found {
    checked.err().unwrap_or_default().into_iter().map(|found| (found.message, found.problem)).collect()
}

fn check(messages: &[Value]) -> Found {
    violations(check_chat_completions(&json!({ "model": "m", "messages": messages })))
}

fn shape(why: &str) -> Problem {
    Problem::Shape(why.to_owned())
}

#[test]
fn a_whole_conversation_passes() {
    let image = json!({ "role": "user", "content": [{ "type": "image_url", "image_url": { "url": "data:" } }] });
    let developer = json!({ "role": "developer", "content": "be kind" });
    let messages = [
        json!({ "role": "system", "content": "be brief" }),
        developer,
        user(),
        calls(&["a", "b"]),
        result("a"),
        result("b"),
        calls(&["a"]),
        result("a"),
        assistant(),
        user(),
        image,
    ];
    assert_eq!(check(&messages), []);
}

#[test]
fn every_broken_rule_is_found_where_it_is_broken() {
    let s = str::to_owned;
    let cases: Vec<(&str, Vec<Value>, Found)> = vec![
        ("nothing", vec![], vec![(0, Problem::NoUser)]),
        ("instructions only", vec![json!({ "role": "system", "content": "x" })], vec![(0, Problem::NoUser)]),
        ("assistant first", vec![assistant(), user()], vec![(0, Problem::FirstNotUser)]),
        (
            "late instructions",
            vec![user(), json!({ "role": "system", "content": "x" }), user()],
            vec![(1, Problem::SystemNotFirst)],
        ),
        ("assistant twice", vec![user(), assistant(), assistant(), user()], vec![(2, Problem::AssistantTwice)]),
        ("assistant last", vec![user(), assistant()], vec![(1, Problem::EndsWithAssistant)]),
        ("no result", vec![user(), calls(&["a"]), user()], vec![(1, Problem::MissingResult(s("a")))]),
        (
            "no result at the end",
            vec![user(), calls(&["a", "b"]), result("a")],
            vec![(1, Problem::MissingResult(s("b")))],
        ),
        (
            "result not adjacent",
            vec![user(), calls(&["a"]), user(), result("a")],
            vec![(1, Problem::MissingResult(s("a"))), (3, Problem::OrphanResult(s("a")))],
        ),
        ("orphan", vec![user(), result("x")], vec![(1, Problem::OrphanResult(s("x")))]),
        (
            "result twice",
            vec![user(), calls(&["a"]), result("a"), result("a")],
            vec![(3, Problem::OrphanResult(s("a")))],
        ),
        (
            "wrong order",
            vec![user(), calls(&["a", "b"]), result("b"), result("a")],
            vec![(2, Problem::ResultOutOfOrder(s("b")))],
        ),
        ("same id twice", vec![user(), calls(&["a", "a"]), result("a")], vec![(1, Problem::DuplicateCallId(s("a")))]),
        (
            "empty assistant",
            vec![user(), json!({ "role": "assistant", "content": "" }), user()],
            vec![(1, Problem::Empty)],
        ),
        ("empty user", vec![json!({ "role": "user", "content": [] })], vec![(0, Problem::Empty)]),
        (
            "tool without content",
            vec![user(), calls(&["a"]), json!({ "role": "tool", "tool_call_id": "a" })],
            vec![(2, Problem::Empty)],
        ),
        (
            "broken arguments",
            vec![user(), json!({ "role": "assistant", "tool_calls": [call("a", "lookup", "{\"key\":")] }), result("a")],
            vec![(1, Problem::BrokenArguments(s("a")))],
        ),
        (
            "arguments that are not an object",
            vec![user(), json!({ "role": "assistant", "tool_calls": [call("a", "lookup", "[]")] }), result("a")],
            vec![(1, Problem::BrokenArguments(s("a")))],
        ),
        (
            "illegal name",
            vec![user(), json!({ "role": "assistant", "tool_calls": [call("a", "look up", "{}")] }), result("a")],
            vec![(1, Problem::IllegalName(s("look up")))],
        ),
        (
            "unknown role",
            vec![json!({ "role": "robot", "content": "x" }), user()],
            vec![(0, shape("the role is none of system, developer, user, assistant, tool"))],
        ),
        (
            "no call id",
            vec![user(), json!({ "role": "tool", "content": "x" })],
            vec![(1, shape("a tool message without tool_call_id"))],
        ),
        (
            "no calls in tool_calls",
            vec![user(), json!({ "role": "assistant", "content": "x", "tool_calls": [] }), user()],
            vec![(1, shape("tool_calls is not a list of calls"))],
        ),
        (
            "a user that calls",
            vec![json!({ "role": "user", "content": "x", "tool_calls": [call("a", "lookup", "{}")] }), user()],
            vec![(0, shape("tool_calls of a message that is not the assistant's"))],
        ),
        (
            "a call without a name",
            vec![user(), json!({ "role": "assistant", "tool_calls": [{ "id": "a", "type": "function" }] }), user()],
            vec![(1, shape("a tool call lacks id, type, name or arguments"))],
        ),
        (
            "content of another kind",
            vec![json!({ "role": "user", "content": 5 }), user()],
            vec![(0, shape("content is neither text nor parts"))],
        ),
    ];
    for (case, messages, expected) in cases {
        assert_eq!(check(&messages), expected, "{case}");
    }
}

#[test]
fn tools_must_be_functions_with_names_of_their_own() {
    let tool =
        |name: &str| json!({ "type": "function", "function": { "name": name, "parameters": { "type": "object" } } });
    let cases = [
        (json!([tool("a"), tool("b")]), vec![]),
        (json!([]), vec![(0, shape("tools is not a list of tools"))]),
        (json!([tool("a"), tool("a")]), vec![(0, shape("two tools with one name"))]),
        (json!([tool("a b")]), vec![(0, Problem::IllegalName("a b".to_owned()))]),
        (
            json!([{ "type": "function", "function": { "name": "a" } }]),
            vec![(0, shape("a tool is not a function with parameters"))],
        ),
    ];
    for (tools, expected) in cases {
        let body = json!({ "model": "m", "messages": [user()], "tools": tools });
        assert_eq!(violations(check_chat_completions(&body)), expected, "{tools}");
    }
    let nameless = violations(check_chat_completions(&json!({ "messages": [user()] })));
    assert_eq!(nameless, [(0, shape("the request names no model"))]);
}

fn uid(ordinal: u16) -> CallUid {
    CallUid { turn: TurnId::default(), step: 1, ordinal }
}

fn core_call(ordinal: u16, arguments: &str) -> Part {
    Part::ToolCall(ToolCall {
        uid: uid(ordinal),
        provider_id: "same".to_owned(),
        name: "lookup".to_owned(),
        arguments: Arguments(arguments.to_owned()),
        extras: None,
    })
}

fn core_result(ordinal: u16) -> Part {
    Part::ToolResult(ToolResult::new(uid(ordinal), "lookup", ""))
}

fn told(parts: Vec<Part>, results: Vec<Part>) -> History {
    let messages = [Message::user("hi"), Message::new(Role::Assistant, parts), Message::new(Role::Tool, results)];
    History::of(messages.into_iter().filter(|message| !message.parts.is_empty()))
}

#[test]
fn a_history_is_held_to_the_same_rules() {
    let id = |ordinal| uid(ordinal).to_string();
    let two = || vec![core_call(0, ""), core_call(1, "{}")];
    let cases = [
        ("whole", told(two(), vec![core_result(0), core_result(1)]), vec![]),
        ("one result missing", told(two(), vec![core_result(0)]), vec![(1, Problem::MissingResult(id(1)))]),
        (
            "no results",
            told(two(), vec![]),
            vec![(1, Problem::MissingResult(id(0))), (1, Problem::MissingResult(id(1)))],
        ),
        ("wrong order", told(two(), vec![core_result(1), core_result(0)]), vec![(2, Problem::ResultOutOfOrder(id(1)))]),
        ("orphan", told(vec![Part::text("hello")], vec![core_result(0)]), vec![(2, Problem::OrphanResult(id(0)))]),
        ("arguments are kept as written", told(vec![core_call(0, "{\"a\"")], vec![core_result(0)]), vec![]),
        ("says nothing", told(vec![Part::text("")], vec![]), vec![(1, Problem::Empty)]),
    ];
    for (case, history, expected) in cases {
        assert_eq!(violations(check_history(&history)), expected, "{case}");
    }
}

#[test]
fn a_stored_history_may_end_with_the_assistant_but_a_request_may_not() {
    let history = History::of([Message::user("hi"), Message::new(Role::Assistant, vec![Part::text("hello")])]);
    assert_eq!(check_history(&history), Ok(()));
    let request = ChatRequest {
        model: None,
        route: None,
        instructions: None,
        history,
        tools: [].into(),
        params: Params::default(),
        tool_choice: ToolChoice::Auto,
    };
    assert_eq!(violations(check_request(&request)), [(1, Problem::EndsWithAssistant)]);
}

#[test]
fn every_wire_pairs_calls_and_results_and_names_its_violations() {
    let item = |id: &str| json!({ "type": "function_call", "call_id": id, "name": "lookup", "arguments": "{}" });
    let output = |id: &str| json!({ "type": "function_call_output", "call_id": id, "output": "" });
    let said =
        |role: &str| json!({ "type": "message", "role": role, "content": [{ "type": "input_text", "text": "hi" }] });
    let input = |items: &[Value]| check_responses(&json!({ "model": "m", "input": items }));

    let text = json!({ "type": "text", "text": "hi" });
    let tool_use = |id: &str| json!({ "type": "tool_use", "id": id, "name": "lookup", "input": {} });
    let tool_result = |id: &str| json!({ "type": "tool_result", "tool_use_id": id, "content": "" });
    let message = |role: &str, blocks: &[&Value]| json!({ "role": role, "content": blocks });
    let messages = |messages: &[Value]| check_messages(&json!({ "model": "m", "max_tokens": 9, "messages": messages }));

    let function_call = json!({ "functionCall": { "name": "lookup", "args": {} } });
    let function_response = json!({ "functionResponse": { "name": "lookup", "response": {} } });
    let content = |role: &str, parts: &[&Value]| json!({ "role": role, "parts": parts });
    let contents = |contents: &[Value]| check_generate_content(&json!({ "contents": contents }));

    let missing = |id: &str| vec![(1, Problem::MissingResult(id.to_owned()))];
    for (checked, expected) in [
        (input(&[said("user"), item("a"), item("b"), output("a"), output("b")]), vec![]),
        (input(&[said("user"), item("a"), said("user")]), missing("a")),
        (input(&[said("user"), output("a")]), vec![(1, Problem::OrphanResult("a".to_owned()))]),
        (
            input(&[said("nobody")]),
            vec![(0, shape("the role is none of system, developer, user, assistant")), (0, Problem::NoUser)],
        ),
        (
            messages(&[
                message("user", &[&text]),
                message("assistant", &[&tool_use("a"), &tool_use("b")]),
                message("user", &[&tool_result("a"), &tool_result("b"), &text]),
            ]),
            vec![],
        ),
        (
            messages(&[message("user", &[&text]), message("assistant", &[&tool_use("a")]), message("user", &[&text])]),
            missing("a"),
        ),
        (
            messages(&[message("user", &[&text]), message("user", &[&text])]),
            vec![(1, shape("two messages of one role in a row"))],
        ),
        (
            contents(&[
                content("user", &[&text]),
                content("model", &[&function_call, &function_call]),
                content("user", &[&function_response, &function_response]),
            ]),
            vec![],
        ),
        (
            contents(&[content("user", &[&text]), content("model", &[&function_call]), content("user", &[&text])]),
            missing("lookup, number 1"),
        ),
    ] {
        assert_eq!(violations(checked), expected);
    }
}

#[test]
fn an_answer_that_may_have_been_paused_may_be_continued() {
    let said = |role: &str, block: Value| json!({ "role": role, "content": [block] });
    let text = || json!({ "type": "text", "text": "hi" });
    let search = json!({ "type": "server_tool_use", "id": "s1", "name": "web_search", "input": {} });
    for (block, expected) in [(search, vec![]), (text(), vec![(1, Problem::EndsWithAssistant)])] {
        let messages = [said("user", text()), said("assistant", block)];
        let body = json!({ "model": "m", "max_tokens": 9, "messages": messages });
        assert_eq!(violations(check_messages(&body)), expected);
    }
}
