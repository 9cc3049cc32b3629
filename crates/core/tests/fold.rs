//! Tests of the fold: the answer does not depend on how its text is split into deltas, and a rejected delta changes
//! nothing.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::HashMap;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use turnkit_core::{
    Answer, Arguments, CallUid, Delta, FinishReason, Fold, FoldError, Image, Opaque, Part, PartKind, ProviderErrorKind,
    ProviderTool, RawJson, Reasoning, Text, TimelineEntry, ToolCall, TurnId, Usage,
};

const CASES: u32 = 10_000;
const STEP: u16 = 3;
const PIECES: [&str; 12] = ["", "a", "word ", "é", "日本", "🙂", "{", "}", "{\"a\":[1]}", " ", "nu", "ll"];
const KINDS: [PartKind; 5] =
    [PartKind::Text, PartKind::Reasoning, PartKind::ToolCall, PartKind::Image, PartKind::ProviderTool];

/// A valid stream and the answer that it stands for.
#[derive(Debug, Clone, Default)]
struct ScriptedAnswer {
    deltas: Vec<Delta>,
    parts: Vec<ScriptedPart>,
    usage: Option<Usage>,
}

#[derive(Debug, Clone)]
struct ScriptedPart {
    kind: PartKind,
    text: String,
    opaque: Option<Opaque>,
    open: bool,
}

impl ScriptedAnswer {
    /// Interprets each number as the next delta of a provider.
    fn of(choices: &[u16]) -> Self {
        let mut scripted = Self::default();
        choices.iter().for_each(|choice| scripted.push(usize::from(*choice)));
        scripted
    }

    fn push(&mut self, choice: usize) {
        let open: Vec<usize> = (0..self.parts.len()).filter(|index| self.parts[*index].open).collect();
        let (what, choice) = (choice % 16, choice / 16);
        match what {
            0..3 => {
                let (part, kind) = (number(self.parts.len()), KINDS[choice % KINDS.len()]);
                self.parts.push(ScriptedPart { kind, text: String::new(), opaque: None, open: true });
                self.deltas.push(match kind {
                    PartKind::ToolCall => Delta::call(part, format!("id-{part}"), format!("tool-{part}")),
                    PartKind::ProviderTool => Delta::provider_tool(part, format!("id-{part}"), format!("tool-{part}")),
                    _ => Delta::start(part, kind),
                });
            }
            3 => {
                let usage = Usage { output: choice as u64, ..Usage::default() };
                self.deltas.push(Delta::Usage(usage.clone()));
                self.usage = Some(usage);
            }
            4 => self.deltas.extend(RawJson::parse(r#"{"type":"ping"}"#).ok().map(Delta::Raw)),
            5 if !open.is_empty() => {
                let part = open[choice % open.len()];
                self.parts[part].open = false;
                self.deltas.push(Delta::end(number(part)));
            }
            6 if !open.is_empty() => {
                let part = open[choice % open.len()];
                let opaque = Opaque { vendor: "maker".to_owned(), data: RawJson::parse(&choice.to_string()).unwrap() };
                self.parts[part].opaque = Some(opaque.clone());
                self.deltas.push(Delta::opaque(number(part), opaque));
            }
            _ if !open.is_empty() => {
                let part = open[choice % open.len()];
                let piece = PIECES[choice / open.len() % PIECES.len()];
                self.parts[part].text.push_str(piece);
                self.deltas.push(Delta::text(number(part), piece));
            }
            _ => {}
        }
    }

    fn expected(&self, finish: FinishReason) -> Answer {
        let mut calls = 0;
        let mut cut = Vec::new();
        let parts = self.parts.iter().enumerate().map(|(index, part)| {
            let ScriptedPart { text, opaque, .. } = part.clone();
            let (provider_id, name) = (format!("id-{index}"), format!("tool-{index}"));
            match part.kind {
                PartKind::Text => Part::Text(Text { text, opaque }),
                PartKind::Reasoning => Part::Reasoning(Reasoning { text, opaque }),
                PartKind::Image => Part::Image(Image { opaque, ..Image::new("", text) }),
                PartKind::ProviderTool => Part::ProviderTool(ProviderTool { provider_id, name, input: text, opaque }),
                PartKind::ToolCall => {
                    let uid = uid(calls);
                    calls += 1;
                    let is_cut = part.open && stopped_from_outside(&finish) && !is_object(&text);
                    if is_cut {
                        cut.push(uid);
                    }
                    let passes_nothing = matches!(text.trim(), "" | "null");
                    let arguments = Arguments(if passes_nothing && !is_cut { "{}".to_owned() } else { text });
                    Part::ToolCall(ToolCall { uid, provider_id, name, arguments, extras: opaque })
                }
            }
        });
        let parts = parts.collect();
        Answer { parts, finish, usage: self.usage.clone().unwrap_or_else(Usage::unmetered), cut }
    }
}

fn nothing() -> Opaque {
    Opaque { vendor: "maker".to_owned(), data: RawJson::parse("null").unwrap() }
}

fn uid(ordinal: u16) -> CallUid {
    CallUid { turn: TurnId::default(), step: STEP, ordinal }
}

fn number(index: usize) -> u16 {
    u16::try_from(index).unwrap_or(u16::MAX)
}

fn stopped_from_outside(finish: &FinishReason) -> bool {
    !matches!(finish, FinishReason::Stop | FinishReason::ToolCalls)
}

fn is_object(text: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(text).is_ok_and(|value| value.is_object())
}

fn fold(deltas: &[Delta]) -> Result<Fold, FoldError> {
    let mut fold = Fold::new(TurnId::default(), STEP);
    deltas.iter().try_for_each(|delta| fold.push(delta))?;
    Ok(fold)
}

/// Counts the visible events of the deltas. Arguments are held back until they are more than white space or a prefix of
/// `null`.
fn visible(deltas: &[Delta]) -> usize {
    let mut waiting: HashMap<u16, String> = HashMap::new();
    let is_event = |delta: &Delta| match delta {
        Delta::Start { part, kind: PartKind::ToolCall, .. } => {
            waiting.insert(*part, String::new());
            1
        }
        Delta::Text { text, .. } if text.is_empty() => 0,
        Delta::Text { part, text } => match waiting.remove(part) {
            None => 1,
            Some(before) => {
                let so_far = before + text;
                let waits = "null".starts_with(so_far.trim());
                if waits {
                    waiting.insert(*part, so_far);
                }
                usize::from(!waits)
            }
        },
        Delta::End { part } => 1 + usize::from(waiting.remove(part).is_some()),
        other => usize::from(other.is_output()),
    };
    deltas.iter().map(is_event).sum()
}

fn finished(deltas: &[Delta], finish: &FinishReason) -> Result<Answer, TestCaseError> {
    let fail = |error: &dyn std::fmt::Display| TestCaseError::fail(error.to_string());
    let mut fold = fold(deltas).map_err(|error| fail(&error))?;
    fold.push(&Delta::Finish(finish.clone())).map_err(|error| fail(&error))?;
    fold.finish().map_err(|error| fail(&error))
}

fn finish_reasons() -> impl Strategy<Value = FinishReason> {
    use FinishReason::{ContentFilter, Length, Other, Pause, Refusal, Stop, ToolCalls};
    prop::sample::select(vec![Stop, Length, ToolCalls, ContentFilter, Refusal, Pause, Other("eos".into())])
}

fn scripted() -> impl Strategy<Value = ScriptedAnswer> {
    vec(any::<u16>(), 0..40).prop_map(|choices| ScriptedAnswer::of(&choices))
}

/// Splits every text into one delta per character.
fn split(deltas: &[Delta]) -> Vec<Delta> {
    let pieces = |delta: &Delta| match delta {
        Delta::Text { part, text } => text.chars().map(|character| Delta::text(*part, character.to_string())).collect(),
        other => vec![other.clone()],
    };
    deltas.iter().flat_map(pieces).collect()
}

/// Moves the text of every part into one delta, right after its start.
fn buffered(scripted: &ScriptedAnswer) -> Vec<Delta> {
    let whole = |delta: &Delta| match delta {
        Delta::Text { .. } => vec![],
        Delta::Start { part, .. } => {
            vec![delta.clone(), Delta::text(*part, scripted.parts[usize::from(*part)].text.as_str())]
        }
        other => vec![other.clone()],
    };
    scripted.deltas.iter().flat_map(whole).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_answer_does_not_depend_on_the_pieces(scripted in scripted(), finish in finish_reasons()) {
        let expected = scripted.expected(finish.clone());
        prop_assert_eq!(&finished(&scripted.deltas, &finish)?, &expected);
        prop_assert_eq!(&finished(&split(&scripted.deltas), &finish)?, &expected);
        prop_assert_eq!(&finished(&buffered(&scripted), &finish)?, &expected);
    }

    #[test]
    fn the_flow_counts_the_visible_events(scripted in scripted()) {
        let fold = fold(&scripted.deltas).unwrap();
        prop_assert_eq!(fold.timeline().events() as usize, visible(&scripted.deltas));
        prop_assert_eq!(fold.bytes(), scripted.parts.iter().map(|part| part.text.len()).sum::<usize>());
        prop_assert_eq!(fold.has_output(), !scripted.parts.is_empty());
    }

    #[test]
    fn a_delta_that_does_not_fit_is_refused_and_changes_nothing(
        scripted in scripted(), at in any::<prop::sample::Index>(), which in 0_u8..8, after_finish in any::<bool>(),
    ) {
        let (before, after) = scripted.deltas.split_at(at.index(scripted.deltas.len() + 1));
        let mut fold = fold(before).unwrap();
        let parts = number(fold.clone().abandon().parts.len());
        let closed = (0..parts).find(|part| before.contains(&Delta::end(*part))).unwrap_or(parts);
        let (wrong, error) = match which {
            0 => (Delta::start(parts + 1, PartKind::Text), FoldError::OutOfOrder(parts + 1)),
            1 if parts > 0 => (Delta::call(parts - 1, "id", "tool"), FoldError::OutOfOrder(parts - 1)),
            2 => (Delta::start(parts, PartKind::ToolCall), FoldError::Nameless(parts)),
            6 => (Delta::opaque(closed, nothing()), FoldError::NotOpen(closed)),
            7 => (Delta::start(parts, PartKind::ProviderTool), FoldError::Nameless(parts)),
            3 => (Delta::text(closed, ""), FoldError::NotOpen(closed)),
            4 => (Delta::end(closed), FoldError::NotOpen(closed)),
            _ => (Delta::text(closed, "x"), FoldError::NotOpen(closed)),
        };
        let error = if after_finish { FoldError::AfterFinish } else { error };
        if after_finish {
            fold.push(&Delta::Finish(FinishReason::Length)).unwrap();
        }
        let untouched = (fold.clone().abandon(), fold.timeline().clone(), fold.bytes());
        prop_assert_eq!(fold.push(&wrong), Err(error));
        prop_assert_eq!((fold.clone().abandon(), fold.timeline().clone(), fold.bytes()), untouched);
        if !after_finish {
            for delta in after {
                prop_assert_eq!(fold.push(delta), Ok(()));
            }
            fold.push(&Delta::Finish(FinishReason::Length)).unwrap();
            prop_assert_eq!(fold.finish().unwrap(), scripted.expected(FinishReason::Length));
        }
    }

    #[test]
    fn after_a_break_every_open_call_is_cut_even_if_it_parses(scripted in scripted()) {
        let mut fold = fold(&scripted.deltas).unwrap();
        fold.break_off();
        let calls = scripted.parts.iter().filter(|part| part.kind == PartKind::ToolCall);
        let open = calls.enumerate().filter(|(_, part)| part.open).map(|(ordinal, _)| uid(number(ordinal)));
        let partial = fold.clone().abandon();
        prop_assert_eq!(&partial.cut, &open.collect::<Vec<_>>());
        // An open call must not run. Its arguments are those received so far.
        let whole = scripted.expected(FinishReason::Stop).parts;
        for ((kept, whole), part) in partial.parts.iter().zip(&whole).zip(&scripted.parts) {
            match part.kind {
                PartKind::ToolCall if part.open => prop_assert_eq!(kept.streamed(), &part.text),
                _ => prop_assert_eq!(kept, whole),
            }
        }
        prop_assert_eq!(partial.parts.len(), whole.len());
        // Usage reported before the break is kept, but it is incomplete.
        let counted = scripted.usage.clone().map(|usage| Usage { unmetered_calls: 1, ..usage });
        prop_assert_eq!(partial.usage, counted);
        for part in 0..number(scripted.parts.len()) {
            prop_assert_eq!(fold.push(&Delta::text(part, "x")), Err(FoldError::NotOpen(part)));
        }
        let ended = fold.timeline().entries().iter().filter(|entry| matches!(entry, TimelineEntry::End(_))).count();
        prop_assert_eq!(ended, scripted.parts.len());
    }

    #[test]
    fn an_answer_without_a_finish_reason_is_truncated(scripted in scripted()) {
        let error = fold(&scripted.deltas).unwrap().finish().unwrap_err();
        prop_assert_eq!(error.kind, ProviderErrorKind::Truncated);
    }
}

#[test]
fn a_call_cut_by_the_output_limit_runs_only_if_its_arguments_are_a_whole_object() {
    let cases = [
        ("{}", true),
        (" {\"a\": [1, {}]} ", true),
        ("", false),
        ("   ", false),
        ("{\"a\":", false),
        ("{} {}", false),
        ("[]", false),
        ("1", false),
        ("null", false),
        ("\"{}\"", false),
    ];
    for (arguments, runs) in cases {
        for reason in [FinishReason::Length, FinishReason::ContentFilter, FinishReason::Other("eos".into())] {
            let deltas = [Delta::call(0, "id", "tool"), Delta::text(0, arguments), Delta::Finish(reason.clone())];
            let answer = fold(&deltas).unwrap().finish().unwrap();
            assert_eq!(answer.cut.is_empty(), runs, "{arguments:?} after {reason:?}");
        }
    }
}

#[test]
fn a_whole_call_without_arguments_passes_an_empty_object() {
    for (pieces, arguments) in [
        (&[][..], "{}"),
        (&[""], "{}"),
        (&[" \n"], "{}"),
        (&["null"], "{}"),
        (&["nu", "ll", " "], "{}"),
        (&["nul"], "nul"),
        (&["null", "able"], "nullable"),
        (&[" ", "{}"], " {}"),
        (&["[]"], "[]"),
    ] {
        for ends in [true, false] {
            let mut deltas = vec![Delta::call(0, "id", "tool")];
            deltas.extend(pieces.iter().map(|piece| Delta::text(0, *piece)));
            deltas.extend(ends.then(|| Delta::end(0)));
            deltas.push(Delta::Finish(FinishReason::ToolCalls));
            let fold = fold(&deltas).unwrap();
            let shown = fold.timeline().entries().iter().flat_map(|entry| match entry {
                TimelineEntry::Deltas(_, lengths) => lengths.clone(),
                _ => Vec::new(),
            });
            assert_eq!(shown.sum::<u32>() as usize, arguments.len(), "what was shown of {pieces:?}");
            assert_eq!(fold.finish().unwrap().parts[0].streamed(), arguments, "{pieces:?}");
        }
    }
}

#[test]
fn arguments_do_not_wait_for_ever() {
    let mut fold = fold(&[Delta::call(0, "id", "tool")]).unwrap();
    for _ in 0..100 {
        fold.push(&Delta::text(0, " ")).unwrap();
    }
    assert_eq!(fold.timeline().events(), 1 + 100 - 64);
    fold.push(&Delta::Finish(FinishReason::ToolCalls)).unwrap();
    assert_eq!(fold.finish().unwrap().parts[0].streamed(), " ".repeat(100));
}

#[test]
fn a_call_its_wire_closed_is_whole_however_the_answer_ends() {
    for reason in [FinishReason::Length, FinishReason::Stop, FinishReason::Refusal] {
        let deltas =
            [Delta::call(0, "id", "tool"), Delta::text(0, "{\"a\":"), Delta::end(0), Delta::Finish(reason.clone())];
        assert_eq!(fold(&deltas).unwrap().finish().unwrap().cut, [], "{reason:?}");
        assert_eq!(fold(&deltas[..3]).unwrap().abandon().cut, []);
    }
}

#[test]
fn a_data_url_gives_an_image_its_media_type() {
    for (url, media_type) in [
        ("data:image/png;base64,AAAA", "image/png"),
        ("data:image/svg+xml,<svg/>", "image/svg+xml"),
        ("data:;base64,AAAA", ""),
        ("https://host/cat.png", ""),
    ] {
        let deltas = [Delta::start(0, PartKind::Image), Delta::text(0, url), Delta::Finish(FinishReason::Stop)];
        assert_eq!(fold(&deltas).unwrap().finish().unwrap().parts, [Part::Image(Image::new(media_type, url))]);
    }
}

#[test]
fn opaque_data_has_the_same_limit_as_text() {
    let data = RawJson::parse(&format!("\"{}\"", "x".repeat(9 * 1024 * 1024))).unwrap();
    let large = Delta::opaque(0, Opaque { vendor: "maker".to_owned(), data });
    let mut fold = fold(&[Delta::start(0, PartKind::Reasoning)]).unwrap();
    assert_eq!(fold.push(&large), Ok(()));
    assert_eq!(fold.push(&large), Err(FoldError::TooLarge));
}

#[test]
fn usage_may_follow_the_finish_reason_and_the_last_one_counts() {
    let usage = |output| Usage { output, ..Usage::default() };
    let mut fold = fold(&[Delta::Usage(usage(1)), Delta::Finish(FinishReason::Stop)]).unwrap();
    fold.push(&Delta::Usage(usage(2))).unwrap();
    assert_eq!(fold.finish().unwrap().usage, usage(2));
}

#[test]
fn an_answer_has_at_most_1024_parts() {
    let mut fold = Fold::new(TurnId::default(), STEP);
    for part in 0..1024 {
        fold.push(&Delta::call(part, "id", "tool")).unwrap();
    }
    assert_eq!(fold.push(&Delta::start(1024, PartKind::Text)), Err(FoldError::TooLarge));
    fold.push(&Delta::Finish(FinishReason::ToolCalls)).unwrap();
    let answer = fold.finish().unwrap();
    let last = answer.parts.last().map(|part| matches!(part, Part::ToolCall(call) if call.uid == uid(1023)));
    assert_eq!((answer.parts.len(), last), (1024, Some(true)));
}

#[test]
fn an_answer_has_at_most_16_mib_of_text_over_all_parts() {
    let half = "x".repeat(8 * 1024 * 1024);
    let mut fold = Fold::new(TurnId::default(), STEP);
    for part in 0..2 {
        fold.push(&Delta::start(part, PartKind::Text)).unwrap();
        fold.push(&Delta::text(part, half.as_str())).unwrap();
    }
    assert_eq!(fold.push(&Delta::text(0, "x")), Err(FoldError::TooLarge));
    assert_eq!(fold.push(&Delta::text(1, "")), Ok(()));
    assert_eq!(fold.bytes(), 2 * half.len());
    fold.push(&Delta::Finish(FinishReason::Stop)).unwrap();
    assert_eq!(fold.finish().unwrap().text().len(), 2 * half.len());
}
