//! Tests reasoning and calls in the text of an answer, for models that write them there.

mod support;

use proptest::prelude::*;
use serde_json::{Value, json};
use support::case::cases;
use support::{Outcome, fold};
use turnkit_core::{Answer, FinishReason, Part};
use turnkit_llm::Wire;
use turnkit_llm::profile::{MarkupRules, ThinkTags};
use turnkit_llm::wire::{AnswerDecoder, Vendor};

const ALL: MarkupRules = MarkupRules { think_tags: ThinkTags::Paired, text_calls: true };
const CLOSING: MarkupRules = MarkupRules { think_tags: ThinkTags::Closing, text_calls: false };

/// Returns the outcome of an answer whose text arrives in these pieces.
fn answer<'a>(rules: MarkupRules, pieces: impl IntoIterator<Item = &'a str>, finish: &str) -> Outcome {
    let said = pieces.into_iter().map(|piece| chunk(said(piece), Value::Null));
    decoded(rules, said.chain([chunk(json!({}), finish.into())]))
}

/// Returns a chunk of an answer, in the server's format.
fn chunk(delta: Value, finish: Value) -> String {
    format!("data: {}\n\n", json!({ "choices": [{ "delta": delta, "finish_reason": finish }] }))
}

/// Decodes an answer that arrives in these reads.
fn decoded(rules: MarkupRules, reads: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Outcome {
    let vendor = Vendor::of(Wire::OpenaiChat, "vendor.example");
    let mut decoder = AnswerDecoder::new(Wire::OpenaiChat, &vendor).with_markup(rules);
    let mut deltas = Vec::new();
    let read = reads.into_iter().try_for_each(|read| decoder.push(read.as_ref(), &mut deltas));
    let ended = read.and_then(|()| decoder.end(&mut deltas));
    fold(&deltas, ended)
}

fn parts(answer: &Answer) -> Vec<(&'static str, String)> {
    let shown = |part: &Part| match part {
        Part::Text(text) => ("text", text.text.clone()),
        Part::Reasoning(reasoning) => ("reasoning", reasoning.text.clone()),
        Part::ToolCall(call) => ("call", format!("{} {}", call.name, call.arguments.0)),
        other => ("other", format!("{other:?}")),
    };
    answer.parts.iter().map(shown).collect()
}

type Shown = &'static [(&'static str, &'static str)];

const MARKED: &[(&str, Shown)] = &[
    ("hello", &[("text", "hello")]),
    ("<think>why\nnot</think>\n\nso", &[("reasoning", "why\nnot"), ("text", "so")]),
    ("\n <thinking> a <b> c </thinking>d", &[("reasoning", "a <b> c"), ("text", "d")]),
    ("<think>\n\n</think>\n\nhi", &[("text", "hi")]),
    ("<think>a</think> <think>b</think>c", &[("reasoning", "ab"), ("text", "c")]),
    ("<think>it never ends", &[("reasoning", "it never ends")]),
    ("<think>cut </t", &[("reasoning", "cut </t")]),
    // Only the beginning of an answer can be reasoning.
    ("the tag `<think>` opens, </think> closes", &[("text", "the tag `<think>` opens, </think> closes")]),
    ("<thin>k</think>", &[("text", "<thin>k</think>")]),
    ("a < b <", &[("text", "a < b <")]),
    ("\n\nspace is kept \n", &[("text", "\n\nspace is kept \n")]),
    (
        "I look.\n<tool_call>\n{\"name\": \"look\", \"arguments\": {\"at\": \"</x>\"}}\n</tool_call>\n",
        &[("text", "I look."), ("call", "look {\"at\": \"</x>\"}")],
    ),
    (
        "<think>a</think><tool_call>{\"name\":\"a\"}</tool_call><tool_call>{\"name\":\"b\",\"parameters\":{}}</tool_call>",
        &[("reasoning", "a"), ("call", "a {}"), ("call", "b {}")],
    ),
    (
        "<tool_call><function=look><parameter=at>\nthe sky\n</parameter><parameter=n>2</parameter></function></tool_call>",
        &[("call", "look {\"at\":\"the sky\",\"n\":2}")],
    ),
    ("<function=look>{\"at\": 1}</function>", &[("call", "look {\"at\": 1}")]),
    ("<function_call>{\"name\":\"a\",\"arguments\":\"{\\\"b\\\":1}\"}</function_call>", &[("call", "a {\"b\":1}")]),
    (
        "[TOOL_CALLS] [{\"name\":\"a\",\"arguments\":{}},{\"name\":\"b\",\"arguments\":{\"c\":[]}}]",
        &[("call", "a {}"), ("call", "b {\"c\":[]}")],
    ),
    ("[TOOL_CALLS]a[ARGS]{\"x\": \"}\"}b{}", &[("call", "a {\"x\": \"}\"}"), ("call", "b {}")]),
    ("<|python_tag|>{\"name\": \"a\", \"parameters\": {}}<|eom_id|>", &[("call", "a {}")]),
    // The model stopped at the closing tag, which its server removes.
    ("<tool_call>{\"name\":\"a\",\"arguments\":{}}", &[("call", "a {}")]),
    // Text that only resembles a call.
    ("<tool_call>{\"name\":\"a\",\"argu", &[("text", "<tool_call>{\"name\":\"a\",\"argu")]),
    ("see <tool_call> and </tool_call>.", &[("text", "see <tool_call> and </tool_call>.")]),
    ("<tool_call>[]</tool_call>", &[("text", "<tool_call>[]</tool_call>")]),
    ("a  <function=>{}</function> b", &[("text", "a  <function=>{}</function> b")]),
    ("[TOOL_CALLS] are a token", &[("text", "[TOOL_CALLS] are a token")]),
];

fn finish(shown: Shown) -> FinishReason {
    if shown.iter().any(|(kind, _)| *kind == "call") { FinishReason::ToolCalls } else { FinishReason::Stop }
}

#[test]
fn markup_is_extracted_the_same_for_any_split() {
    for (text, shown) in MARKED {
        let whole = answer(ALL, [*text], "stop").unwrap_or_else(|broken| unreachable!("{text}: {broken:?}"));
        let expected: Vec<_> = shown.iter().map(|(kind, text)| (*kind, (*text).to_owned())).collect();
        assert_eq!(parts(&whole), expected, "{text}");
        assert_eq!(whole.finish, finish(shown), "{text}");
        let letters = text.split_inclusive(|_| true);
        assert_eq!(answer(ALL, letters, "stop").as_ref(), Ok(&whole), "{text} letter by letter");
        for (at, _) in text.char_indices() {
            let split = answer(ALL, [&text[..at], &text[at..]], "stop");
            assert_eq!(split.as_ref(), Ok(&whole), "{text} split at {at}");
        }
    }
}

#[test]
fn reasoning_whose_opening_tag_is_in_the_prompt_goes_up_to_the_closing_one() {
    for (text, shown) in [
        ("why\n</think>\n\nso <think>", &[("reasoning", "why"), ("text", "so <think>")][..]),
        ("<think>why</think>so", &[("reasoning", "why"), ("text", "so")]),
        ("it never ends", &[("reasoning", "it never ends")]),
    ] {
        let whole = answer(CLOSING, [text], "stop").map(|answer| parts(&answer));
        assert_eq!(whole, Ok(shown.iter().map(|(kind, text)| (*kind, (*text).to_owned())).collect()), "{text}");
    }
}

#[test]
fn markup_is_left_alone_without_a_rule() {
    for (text, _) in MARKED {
        let said = answer(MarkupRules::default(), [*text], "stop").map(|answer| parts(&answer));
        assert_eq!(said, Ok(vec![("text", (*text).to_owned())]));
    }
}

#[test]
fn a_call_that_the_output_limit_cut_does_not_run() {
    let cut = "<tool_call>{\"name\":\"a\",\"arguments\":{\"b\":";
    let answer = answer(ALL, [cut], "length").map(|answer| (parts(&answer), answer.finish));
    assert_eq!(answer, Ok((vec![("text", cut.to_owned())], FinishReason::Length)));
}

/// Deltas with text, with the start of a call, and with more of its arguments.
fn said(text: &str) -> Value {
    json!({ "content": text })
}

fn called(index: usize, name: &str, arguments: &str) -> Value {
    let function = json!({ "name": name, "arguments": arguments });
    json!({ "tool_calls": [{ "index": index, "id": format!("native_{index}"), "function": function }] })
}

fn more(index: usize, arguments: &str) -> Value {
    json!({ "tool_calls": [{ "index": index, "function": { "arguments": arguments } }] })
}

#[test]
fn a_call_that_stands_in_the_text_and_outside_of_it_is_one_call() {
    let written = r#"<tool_call>{"name":"look","arguments":{"at":"sky","n":1}}</tool_call>"#;
    let native = r#"{"n": 1, "at": "sky"}"#;
    let other = r#"{"at":"sea"}"#;
    let in_text = r#"call look {"at":"sky","n":1}"#;
    let outside = r#"call look {"n": 1, "at": "sky"}"#;
    let cases: Vec<(&str, Vec<Value>, Vec<&str>)> = vec![
        ("the text first", vec![said(written), called(0, "look", native)], vec![in_text]),
        ("the text last", vec![called(0, "look", native), said(written)], vec![outside]),
        (
            "in pieces",
            vec![said(written), called(0, "look", ""), more(0, r#"{"n": 1,"#), more(0, r#" "at": "sky"}"#)],
            vec![in_text],
        ),
        (
            "text around it",
            vec![said("I look. "), said(written), called(0, "look", native)],
            vec!["text I look.", in_text],
        ),
        ("other arguments", vec![said(written), called(0, "look", other)], vec![in_text, r#"call look {"at":"sea"}"#]),
        (
            "another tool",
            vec![said(written), called(0, "see", native)],
            vec![in_text, r#"call see {"n": 1, "at": "sky"}"#],
        ),
        (
            "twice outside",
            vec![said(written), called(0, "look", native), called(1, "look", native)],
            vec![in_text, outside],
        ),
        ("twice in the text", vec![called(0, "look", native), said(written), said(written)], vec![outside, in_text]),
        (
            "twice each",
            vec![said(written), said(written), called(0, "look", native), called(1, "look", native)],
            vec![in_text, in_text],
        ),
        ("only outside", vec![called(0, "look", native)], vec![outside]),
        (
            "without arguments",
            vec![said(r#"<tool_call>{"name":"now"}</tool_call>"#), called(0, "now", "")],
            vec!["call now {}"],
        ),
        (
            "without arguments, the text last",
            vec![called(0, "now", ""), said(r#"<tool_call>{"name":"now"}</tool_call>"#)],
            vec!["call now {}"],
        ),
        (
            "the text between the pieces",
            vec![called(0, "look", r#"{"n": 1,"#), said(written), more(0, r#" "at": "sky"}"#)],
            vec![outside],
        ),
        (
            "twice in the text, between the pieces",
            vec![called(0, "look", r#"{"n": 1,"#), said(written), said(written), more(0, r#" "at": "sky"}"#)],
            vec![outside, in_text],
        ),
        (
            "other arguments between the pieces",
            vec![called(0, "look", r#"{"at":"#), said(written), more(0, r#""sea"}"#)],
            vec![r#"call look {"at":"sea"}"#, in_text],
        ),
        (
            "another tool between the pieces",
            vec![called(0, "see", r#"{"n": 1,"#), said(written), more(0, r#" "at": "sky"}"#)],
            vec![r#"call see {"n": 1, "at": "sky"}"#, in_text],
        ),
        (
            "the second of two outside",
            vec![called(0, "look", r#"{"at":"#), said(written), more(0, r#""sea"}"#), called(1, "look", native)],
            vec![r#"call look {"at":"sea"}"#, in_text],
        ),
    ];
    for (name, deltas, expected) in cases {
        let deltas = deltas.into_iter().map(|delta| chunk(delta, Value::Null));
        let chunks: String = deltas.chain([chunk(json!({}), "tool_calls".into())]).collect();
        for size in [chunks.len(), 1] {
            let answer = decoded(ALL, chunks.as_bytes().chunks(size));
            let answer = answer.unwrap_or_else(|broken| unreachable!("{name}: {broken:?}"));
            let shown: Vec<String> = parts(&answer).iter().map(|(kind, text)| format!("{kind} {text}")).collect();
            assert_eq!(shown, expected, "{name}");
            assert_eq!((answer.finish, answer.cut), (FinishReason::ToolCalls, vec![]), "{name}");
        }
    }
}

#[test]
fn a_call_outside_the_text_that_the_output_limit_cut_does_not_run() {
    let written = r#"<tool_call>{"name":"look","arguments":{"at":"sky"}}</tool_call>"#;
    let chunks =
        [(said(written), Value::Null), (called(0, "look", "{\"at\":"), Value::Null), (json!({}), "length".into())];
    let answer = decoded(ALL, chunks.map(|(delta, finish)| chunk(delta, finish)));
    let answer = answer.unwrap_or_else(|broken| unreachable!("{broken:?}"));
    assert_eq!(parts(&answer), [("call", "look {\"at\":\"sky\"}".to_owned()), ("call", "look {\"at\":".to_owned())]);
    assert_eq!(answer.cut.len(), 1);
}

/// Parts are renumbered; calls and signatures stay at their positions, on every wire.
#[test]
fn answers_without_markup_are_the_same() {
    for case in cases() {
        let read = |rules| {
            let vendor = Vendor::of(case.wire, "vendor.example");
            let mut decoder = AnswerDecoder::new(case.wire, &vendor).with_markup(rules);
            let mut deltas = Vec::new();
            let read = match case.is_stream {
                true => decoder.push(&case.body, &mut deltas).and_then(|()| decoder.end(&mut deltas)),
                false => decoder.body(&case.body, &mut deltas),
            };
            fold(&deltas, read).map_err(|broken| broken.error)
        };
        assert_eq!(read(ALL), read(MarkupRules::default()), "{}", case.name);
    }
}

/// Generates text of tags, prefixes of tags, and other words.
fn marked() -> impl Strategy<Value = String> {
    let words = [
        "<think>",
        "</think>",
        "<thinking>",
        "<tool_call>",
        "</tool_call>",
        "<function=a>",
        "</function>",
        "[TOOL_CALLS]",
        "<|python_tag|>",
        "<function_call>",
        "{\"name\":\"a\",\"arguments\":{}}",
        "{}",
        "<",
        "[",
        "a",
        "é",
        " ",
        "\n",
        "        ",
        "<parameter=b>",
        "</parameter>",
    ];
    let space = (0..600_usize).prop_map(|length| " ".repeat(length));
    let word = prop_oneof![8 => prop::sample::select(words.to_vec()).prop_map(str::to_owned), 1 => space];
    let word = (word, prop::option::weighted(0.2, 1..4_usize));
    let cut = |(word, cut): (String, Option<usize>)| match cut {
        Some(cut) => word.chars().skip(cut).collect(),
        None => word,
    };
    prop::collection::vec(word.prop_map(cut), 0..12).prop_map(|words| words.concat())
}

fn rules() -> impl Strategy<Value = MarkupRules> {
    let tags = prop::sample::select(vec![ThinkTags::Off, ThinkTags::Paired, ThinkTags::Closing]);
    (tags, any::<bool>()).prop_map(|(think_tags, text_calls)| MarkupRules { think_tags, text_calls })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_split_gives_the_same_answer(
        text in marked(),
        rules in rules(),
        finish in prop::sample::select(vec!["stop", "length", "tool_calls"]),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..6),
    ) {
        prop_assume!(!text.is_empty());
        let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| *cut.get(&places)).chain([0, text.len()]).collect();
        cuts.sort_unstable();
        let pieces = cuts.windows(2).map(|pair| &text[pair[0]..pair[1]]);
        let whole = answer(rules, [text.as_str()], finish);
        prop_assert_eq!(&answer(rules, pieces, finish), &whole);
        prop_assert_eq!(&answer(rules, text.split_inclusive(|_| true), finish), &whole);
    }

    /// All text that is not part of a call is kept.
    #[test]
    fn nothing_but_tags_and_space_is_lost(text in marked(), rules in rules()) {
        prop_assume!(!text.is_empty());
        let bare = |text: &str| {
            let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
            ["<think>", "</think>", "<thinking>"].iter().fold(text, |text, tag| text.replace(tag, ""))
        };
        let Ok(answer) = answer(rules, [text.as_str()], "stop") else { return Ok(()) };
        if answer.parts.iter().all(|part| !matches!(part, Part::ToolCall(_))) {
            let said: String = answer.parts.iter().map(Part::streamed).collect();
            prop_assert_eq!(bare(&said), bare(&text));
        }
    }
}
