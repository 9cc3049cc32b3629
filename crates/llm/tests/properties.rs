//! Properties that hold for every answer, in any style of a provider and however the network splits it.
#![expect(clippy::unwrap_used, reason = "a failing helper is a failing test")]

#[path = "fuzz/by_the_book.rs"]
mod by_the_book;
mod support;

use std::ops::Range;

use by_the_book::decode_by_the_book;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Map, Value, json};
use support::{buffered, streamed};
use turnkit_core::Part;
use turnkit_llm::Wire;
use turnkit_llm::sse::{SseDecoder, SseError};

const CHAT: Wire = Wire::OpenaiChat;

fn cases() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(10_000) }
}

/// Splits `bytes` at these places.
fn cut<'a>(bytes: &'a [u8], places: &[Index]) -> Vec<&'a [u8]> {
    let mut places: Vec<usize> = places.iter().map(|place| place.index(bytes.len() + 1)).collect();
    places.sort_unstable();
    let starts = std::iter::once(0).chain(places.iter().copied());
    let ends = places.iter().copied().chain([bytes.len()]);
    starts.zip(ends).map(|(start, end)| &bytes[start..end]).collect()
}

// --- events ---

/// Generates bytes with a meaning in an event stream, and some without.
fn stream_bytes() -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&[u8]> = vec![
        b"data:",
        b"data: ",
        b"data",
        b"event: ",
        b"id: 1",
        b": ping",
        b":",
        b"retry: x",
        b"\n",
        b"\n\n",
        b"\r",
        b"\r\n",
        b"\r\n\r\n",
        b" ",
        b"a",
        "é".as_bytes(),
        "\u{2028}".as_bytes(),
        b"\xEF\xBB\xBF",
        b"\xE2\x82",
        b"\xFF",
        b"\0",
        b"{}",
    ];
    vec(select(pieces), 0..40).prop_map(|pieces| pieces.concat())
}

fn decode_events(reads: &[&[u8]]) -> Vec<(String, String)> {
    let (mut decoder, mut events) = (SseDecoder::default(), Vec::new());
    let mut keep = |event: turnkit_llm::sse::Event<'_>| -> Result<(), SseError> {
        events.push((event.name.to_owned(), event.text().into_owned()));
        Ok(())
    };
    reads.iter().try_for_each(|read| decoder.push(read, &mut keep)).unwrap();
    decoder.finish(&mut keep).unwrap();
    events
}

// --- tool calls ---

/// How a server identifies the call that a fragment belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Style {
    IdAndIndexAlways,
    IdAlways,
    IndexAlways,
    IdFirstIndexAlways,
    IdFirst,
    Nothing,
    SameIndexOwnIds,
    SameIndexNoIds,
    SameIdOwnIndices,
}

impl Style {
    const ALL: [Self; 9] = [
        Self::IdAndIndexAlways,
        Self::IdAlways,
        Self::IndexAlways,
        Self::IdFirstIndexAlways,
        Self::IdFirst,
        Self::Nothing,
        Self::SameIndexOwnIds,
        Self::SameIndexNoIds,
        Self::SameIdOwnIndices,
    ];

    /// Reports whether interleaved fragments of several calls can be told apart.
    fn may_interleave(self) -> bool {
        let mixes = [Self::IdAndIndexAlways, Self::IdAlways, Self::IndexAlways, Self::IdFirstIndexAlways];
        mixes.contains(&self) || self == Self::SameIdOwnIndices
    }

    /// Reports whether a name repeated in each fragment can be told apart from the name of a new call.
    fn may_repeat_names(self) -> bool {
        matches!(self, Self::IdAndIndexAlways | Self::IdAlways | Self::IndexAlways | Self::IdFirstIndexAlways)
    }

    fn id(self, call: usize, is_first: bool) -> Option<String> {
        match self {
            Self::IdAndIndexAlways | Self::IdAlways => Some(format!("id{call}")),
            Self::IdFirstIndexAlways | Self::IdFirst | Self::SameIndexOwnIds if is_first => Some(format!("id{call}")),
            Self::SameIdOwnIndices if is_first => Some("same".to_owned()),
            _ => None,
        }
    }

    fn index(self, call: usize) -> Option<usize> {
        match self {
            Self::IdAlways | Self::IdFirst | Self::Nothing => None,
            Self::SameIndexOwnIds | Self::SameIndexNoIds => Some(0),
            _ => Some(call + 1),
        }
    }
}

/// The name of a call and the pieces of its arguments; the first piece is not empty.
type Call = (String, Vec<String>);

fn call() -> impl Strategy<Value = Call> {
    let value = prop_oneof![any::<i32>().prop_map(Value::from), "[a-z{}\"\\\\é ]{0,8}".prop_map(Value::from)];
    let arguments = vec(("[a-z]{1,3}", value), 0..4);
    (select(vec!["add", "search", "now"]), arguments, vec(any::<Index>(), 0..4)).prop_map(|(name, pairs, places)| {
        let arguments = Value::Object(pairs.into_iter().collect::<Map<_, _>>()).to_string();
        (name.to_owned(), pieces(&arguments, &places))
    })
}

/// Splits a text between characters. No piece is empty.
fn pieces(text: &str, places: &[Index]) -> Vec<String> {
    let ends: Vec<usize> = text.char_indices().map(|(at, _)| at).skip(1).collect();
    let mut places: Vec<usize> = places.iter().filter(|_| !ends.is_empty()).map(|place| *place.get(&ends)).collect();
    places.extend([0, text.len()]);
    places.sort_unstable();
    places.dedup();
    places.windows(2).map(|pair| text[Range { start: pair[0], end: pair[1] }].to_owned()).collect()
}

/// Returns the fragments of the calls as a server of this style streams them: in the order of the calls, or mixed by
/// `picks`.
fn fragments(style: Style, calls: &[Call], picks: &[Index], repeats_names: bool) -> Vec<Value> {
    let mut next = vec![0; calls.len()];
    let mut picks = picks.iter().cycle();
    let mut fragments = Vec::new();
    loop {
        let open: Vec<usize> = (0..calls.len()).filter(|&call| next[call] < calls[call].1.len()).collect();
        let Some(&first) = open.first() else { return fragments };
        // Calls begin in order; afterwards any of them may continue.
        let begun: Vec<usize> = open.iter().copied().filter(|&call| call <= first || next[call - 1] > 0).collect();
        let pick = picks.next().filter(|_| style.may_interleave());
        let call = pick.map_or(first, |pick| *pick.get(&begun));
        let (name, pieces) = &calls[call];
        let is_first = next[call] == 0;
        let mut function = json!({ "arguments": pieces[next[call]] });
        if is_first || (repeats_names && style.may_repeat_names()) {
            function["name"] = name.clone().into();
        }
        fragments.push(json!({ "id": style.id(call, is_first), "index": style.index(call), "function": function }));
        next[call] += 1;
    }
}

fn stream_of(deltas: impl IntoIterator<Item = Value>, finish: &str, usage: Option<&Value>) -> Vec<u8> {
    let mut body = Vec::new();
    let chunks = deltas.into_iter().map(|delta| json!({ "choices": [{ "index": 0, "delta": delta }] }));
    let finish = json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": finish }] });
    let usage = usage.map(|usage| json!({ "choices": [], "usage": usage }));
    for chunk in chunks.chain([finish]).chain(usage) {
        body.extend_from_slice(format!("data: {chunk}\n\n").as_bytes());
    }
    body.extend_from_slice(b"data: [DONE]\n\n");
    body
}

fn calls_of(parts: &[Part]) -> Vec<(String, String)> {
    let calls = parts.iter().filter_map(|part| match part {
        Part::ToolCall(call) => Some((call.name.clone(), call.arguments.0.clone())),
        _ => None,
    });
    calls.collect()
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn events_follow_the_standard_for_any_split_of_the_bytes(
        bytes in stream_bytes(),
        places in vec(any::<Index>(), 0..6),
    ) {
        prop_assert_eq!(decode_events(&cut(&bytes, &places)), decode_by_the_book(&bytes));
    }

    #[test]
    fn calls_out_are_calls_in(
        style in select(Style::ALL.to_vec()),
        calls in vec(call(), 1..5),
        picks in vec(any::<Index>(), 1..16),
        repeats_names in any::<bool>(),
        places in vec(any::<Index>(), 0..6),
    ) {
        let fragments = fragments(style, &calls, &picks, repeats_names);
        let body = stream_of(fragments.iter().map(|fragment| json!({ "tool_calls": [fragment] })), "tool_calls", None);
        let answer = streamed(CHAT, cut(&body, &places)).unwrap();
        let expected: Vec<_> = calls.iter().map(|(name, pieces)| (name.clone(), pieces.concat())).collect();
        prop_assert_eq!(calls_of(&answer.parts), expected, "{}", String::from_utf8_lossy(&body));
        prop_assert!(answer.cut.is_empty());
    }

    #[test]
    fn a_streamed_answer_is_the_buffered_one(
        reasoning in "[a-zé\\n]{0,12}",
        text in "[a-z 👋\"\\\\]{0,12}",
        calls in vec(("[a-z]{1,5}", "[a-z{}:\",1]{0,12}"), 0..3),
        finish in select(vec!["stop", "length", "tool_calls", "content_filter"]),
        counts in (0..99_u32, 0..99_u32),
        places in vec(any::<Index>(), 0..4),
        cuts in vec(any::<Index>(), 0..6),
    ) {
        let usage = json!({ "completion_tokens": counts.0, "prompt_tokens": counts.1 });
        let whole: Vec<Value> = calls.iter().enumerate().map(|(number, (name, arguments))| {
            json!({ "id": format!("c{number}"), "function": { "name": name, "arguments": arguments } })
        }).collect();
        let message = json!({ "reasoning_content": reasoning, "content": text, "tool_calls": whole });
        let body = json!({ "choices": [{ "message": message, "finish_reason": finish }], "usage": usage }).to_string();

        let thought = pieces(&reasoning, &places).into_iter().map(|piece| json!({ "reasoning_content": piece }));
        let said = pieces(&text, &places).into_iter().map(|piece| json!({ "content": piece }));
        let called = calls.iter().enumerate().flat_map(|(number, (name, arguments))| {
            let head = json!({ "index": number, "id": format!("c{number}"), "function": { "name": name } });
            let rest = pieces(arguments, &places).into_iter();
            std::iter::once(head).chain(rest.map(move |piece| json!({ "index": number, "function": { "arguments": piece } })))
        });
        let called = called.map(|fragment| json!({ "tool_calls": [fragment] }));
        let stream = stream_of(thought.chain(said).chain(called), finish, Some(&usage));
        prop_assert_eq!(streamed(CHAT, cut(&stream, &cuts)), buffered(CHAT, body.as_bytes()));
    }

    #[test]
    fn invalid_input_is_decoded_the_same_for_any_split(
        frames in vec(frame(), 0..8),
        places in vec(any::<Index>(), 0..6),
    ) {
        let body = frames.concat();
        prop_assert_eq!(streamed(CHAT, cut(body.as_bytes(), &places)), streamed(CHAT, [body.as_bytes()]));
    }
}

/// Generates a frame of an answer with arbitrary values in its fields.
fn frame() -> impl Strategy<Value = String> {
    let odd =
        || select(vec![json!(null), json!(""), json!("a"), json!(0), json!(-1), json!([]), json!({}), json!(true)]);
    let call = (odd(), odd(), odd(), odd()).prop_map(|(index, id, name, arguments)| {
        json!({ "index": index, "id": id, "function": { "name": name, "arguments": arguments } })
    });
    let delta = (odd(), odd(), odd(), vec(call, 0..3)).prop_map(|(content, reasoning, refusal, calls)| {
        json!({ "content": content, "reasoning": reasoning, "refusal": refusal, "tool_calls": calls })
    });
    let chunk = (delta, odd(), odd(), odd()).prop_map(|(delta, finish, index, usage)| {
        json!({ "choices": [{ "delta": delta, "finish_reason": finish, "index": index }], "usage": usage })
    });
    let odd_lines =
        select(vec![": ping\r\n", "data: [DONE]\n\n", "event: error\ndata: {}\n\n", "data: {\n\n", "\r", "\n"]);
    prop_oneof![8 => chunk.prop_map(|chunk| format!("data: {chunk}\n\n")), 1 => odd_lines.prop_map(str::to_owned)]
}
