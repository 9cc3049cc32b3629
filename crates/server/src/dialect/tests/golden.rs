//! Golden tests: hand-written turns, and the exact bytes that each protocol writes for them.
//!
//! The bytes are in `tests/dialects/PROTOCOL/CASE.sse`, with extensions in `CASE.ext.sse`. If the output differs, the
//! test writes it next to them as `….new` for review.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use turnkit_core::ports::Detach;
use turnkit_core::{
    Arguments, ErrorScope, EventKind, FinishReason, Resolution, ToolErrorKind, TraceId, TurnEvent, TurnKind,
    TurnRecord, TurnState, TurnStatus, TurnView,
};
use turnkit_testkit::check_views;

use super::script::{Happening, NUMBER, SESSION, Script, TURN};
use super::{frames, stream_of};
use crate::dialect::DIALECTS;

use FinishReason::{Stop, ToolCalls};
use TurnStatus::{Cancelled, Completed, Expired, Failed, Interrupted, Limit};

/// Returns every case, and whether it is also encoded with extensions.
pub(super) fn cases() -> Vec<(&'static str, bool, Script)> {
    let begin = Script::begin;
    let provider = ErrorScope::Provider;
    let tool_round =
        || begin().step().text(&["Let me look."]).call("clock").step_ended(ToolCalls).tool_started(0, "clock");
    let two_calls = || begin().step().call("clock").call("calculator").step_ended(ToolCalls);
    vec![
        ("plain", true, begin().step().text(&["Hel", "lo."]).step_ended(Stop).ended(Completed)),
        (
            "tool_done",
            true,
            tool_round()
                .data(0, "chart", "{\n  \"bars\": [1,2]\n}")
                .tool_done(0, "clock", "12:00")
                .step()
                .text(&["Noon."])
                .step_ended(Stop)
                .ended(Completed),
        ),
        (
            "steered",
            true,
            tool_round()
                .tool_done(0, "clock", "12:00")
                .steered("In Rome, please.")
                .step()
                .text(&["Noon."])
                .step_ended(Stop)
                .ended(Completed),
        ),
        (
            "tool_failed",
            false,
            tool_round()
                .tool_failed(0, "clock", ToolErrorKind::TimedOut)
                .step()
                .text(&["No clock."])
                .step_ended(Stop)
                .ended(Completed),
        ),
        (
            "tools_in_parallel",
            true,
            two_calls()
                .tool_started(0, "clock")
                .tool_started(1, "calculator")
                .tool_done(1, "calculator", "4")
                .tool_done(0, "clock", "12:00")
                .step()
                .text(&["Both."])
                .step_ended(Stop)
                .ended(Completed),
        ),
        (
            "tool_refused",
            false,
            two_calls()
                .tool_failed(0, "clock", ToolErrorKind::Denied)
                .tool_failed(1, "calculator", ToolErrorKind::UnknownTool)
                .step()
                .text(&["Neither."])
                .step_ended(Stop)
                .ended(Completed),
        ),
        (
            "approvals",
            true,
            two_calls()
                .requested(0, "clock")
                .requested(1, "calculator")
                .resolved(
                    0,
                    Resolution::Approved {
                        arguments: Some(Arguments("{\"zone\":\"UTC\"}".to_owned())),
                        note: None,
                        grant: None,
                    },
                )
                .resolved(1, Resolution::denied(Some("no sums".to_owned())))
                .tool_started(0, "clock")
                .tool_done(0, "clock", "12:00")
                .tool_failed(1, "calculator", ToolErrorKind::Denied)
                .step()
                .text(&["Noon."])
                .step_ended(Stop)
                .ended(Completed),
        ),
        (
            "stream_breaks",
            false,
            begin()
                .step()
                .text(&["Half an ans"])
                .step_ended(FinishReason::Interrupted)
                .error(provider, "provider_truncated", "the answer ended without a finish reason")
                .ended(Failed),
        ),
        (
            "stream_breaks_after_a_call",
            false,
            begin()
                .step()
                .call("clock")
                .step_ended(FinishReason::Interrupted)
                .error(provider, "provider_network", "the connection broke")
                .tool_started(0, "clock")
                .tool_done(0, "clock", "12:00")
                .step()
                .text(&["Noon."])
                .step_ended(Stop)
                .ended(Completed),
        ),
        (
            "fails_after_a_break_that_was_mended",
            false,
            begin()
                .step()
                .call("clock")
                .step_ended(FinishReason::Interrupted)
                .error(provider, "provider_network", "the connection broke")
                .tool_started(0, "clock")
                .tool_done(0, "clock", "12:00")
                .step()
                .text(&["Hal"])
                .step_ended(FinishReason::Interrupted)
                .ended(Failed),
        ),
        (
            "provider_fails_before_output",
            false,
            begin().error(provider, "provider_auth", "the key was not accepted").ended(Failed),
        ),
        (
            "provider_fails_in_the_next_step",
            false,
            tool_round()
                .tool_done(0, "clock", "12:00")
                .error(provider, "provider_overloaded", "try again later")
                .ended(Failed),
        ),
        (
            "retracted",
            true,
            begin()
                .step()
                .unfinished("It is\r")
                .dies_after(1)
                .step()
                .text(&["It was"])
                .step_ended(Stop)
                .ended(Completed),
        ),
        (
            "retracted_round",
            true,
            tool_round().dies_after(1).step().text(&["No need."]).step_ended(Stop).ended(Completed),
        ),
        (
            "retracted_before_anything_was_shown",
            false,
            begin().step().dies_after(1).step().text(&["Hello."]).step_ended(Stop).ended(Completed),
        ),
        (
            "cancelled",
            false,
            begin().step().text(&["I was abo"]).step_ended(FinishReason::Interrupted).ended(Cancelled),
        ),
        ("interrupted", false, begin().ended(Interrupted)),
        (
            "limit_of_rounds",
            false,
            tool_round()
                .tool_done(0, "clock", "12:00")
                .error(ErrorScope::Turn, "max_tool_rounds", "stopped after 1 round of tool calls")
                .ended(Limit),
        ),
        (
            "limit_of_a_budget",
            false,
            begin()
                .error(ErrorScope::Turn, "budget_used_up", "the budget of this session is used up: 120 of 100 tokens")
                .ended(Limit),
        ),
        (
            "limit_with_an_answer",
            false,
            tool_round().tool_done(0, "clock", "12:00").step().text(&["Noon, I think."]).step_ended(Stop).ended(Limit),
        ),
        (
            "expired",
            false,
            begin()
                .step()
                .text(&["So slo"])
                .step_ended(FinishReason::Interrupted)
                .error(ErrorScope::Turn, "deadline", "the turn ran out of time")
                .ended(Expired),
        ),
        ("compacted", true, begin().compacted(None).ended(Completed)),
        (
            "compaction_failed",
            false,
            begin()
                .compacted(Some("the summary is empty"))
                .error(ErrorScope::Turn, "compaction_failed", "the history stays as it is: the summary is empty")
                .ended(Failed),
        ),
        ("failed_without_a_word", false, begin().ended(Failed)),
        (
            "ends_of_lines",
            true,
            begin()
                .step()
                .text(&["one\r", "\ntwo\rthree\n\n", "four\r", "five\r\n", "\r", "\r", "\n six\r"])
                .text(&["\nseven\r"])
                .step_ended(Stop)
                .ended(Completed),
        ),
        (
            "odd_characters",
            false,
            begin()
                .step()
                .text(&["", " \u{2028}\u{2029}\u{85}", "\"\\\t\u{0}", "data: x", "🙂"])
                .step_ended(Stop)
                .ended(Completed),
        ),
        (
            "reasoning",
            false,
            begin().step().reasoning(&["The user ", "says hi."]).text(&["Hi!"]).step_ended(Stop).ended(Completed),
        ),
        (
            "notice",
            true,
            begin()
                .notice("failed_over", "another model answers")
                .step()
                .text(&["Hi!"])
                .step_ended(Stop)
                .ended(Completed),
        ),
        ("server_stops", true, begin().step().unfinished("Wait a\r").detach(Detach::Stopping)),
        ("storage_fails", false, begin().detach(Detach::Failed)),
        (
            "resync_in_a_round",
            true,
            two_calls()
                .tool_started(0, "clock")
                .tool_done(0, "clock", "12:00")
                .resync()
                .tool_started(1, "calculator")
                .tool_done(1, "calculator", "4")
                .step()
                .text(&["Both."])
                .step_ended(Stop)
                .ended(Completed),
        ),
        (
            "resync_between_rounds",
            true,
            tool_round()
                .tool_done(0, "clock", "12:00")
                .step()
                .resync()
                .call("calculator")
                .step_ended(ToolCalls)
                .tool_started(0, "calculator")
                .tool_done(0, "calculator", "4")
                .step()
                .text(&["Four."])
                .step_ended(Stop)
                .ended(Completed),
        ),
        ("resync_after_the_end", true, begin().step().text(&["Hi!"]).step_ended(Stop).ended(Completed).resync()),
    ]
}

#[test]
fn every_protocol_writes_these_bytes() {
    let mut wrong = Vec::new();
    let mut known = BTreeSet::new();
    for (case, extended, script) in cases() {
        for dialect in DIALECTS {
            let with_extensions = extended && !dialect.ids;
            for ext in [false, true].into_iter().take(1 + usize::from(with_extensions)) {
                let name = if ext { format!("{case}.ext.sse") } else { format!("{case}.sse") };
                let file = folder(dialect.name).join(name);
                let written = stream_of(dialect, ext, &script.happenings);
                if std::fs::read_to_string(&file).ok().as_ref() != Some(&written) {
                    std::fs::write(file.with_extension("sse.new"), &written).unwrap();
                    wrong.push(file.clone());
                }
                known.insert(file);
            }
        }
    }
    let there = DIALECTS.iter().flat_map(|dialect| std::fs::read_dir(folder(dialect.name)).unwrap());
    let forgotten: Vec<PathBuf> = there
        .map(|entry| entry.unwrap().path())
        .filter(|file| file.extension().is_some_and(|kind| kind == "sse") && !known.contains(file))
        .collect();
    assert!(wrong.is_empty() && forgotten.is_empty(), "differ: {wrong:#?}, without a case: {forgotten:#?}");
}

#[test]
fn every_turn_that_is_over_looks_the_same_once_its_log_is_gone() {
    for (case, _, script) in cases() {
        let Some(TurnEvent { at, kind: EventKind::TurnEnded { status, usage, steps, .. }, .. }) = script.events.last()
        else {
            continue;
        };
        let record = TurnRecord {
            id: TURN,
            session: SESSION,
            number: NUMBER,
            agent: "assistant".into(),
            state: TurnState::Ended(*status),
            accepted_at: script.events[0].at,
            ended_at: Some(*at),
            usage: (*steps > 0).then(|| usage.as_ref().clone()),
            owner: None,
            after: None,
            trace: TraceId::of(TURN),
            kind: TurnKind::Message,
            steering: false,
            steered_into: None,
            parent: None,
            outline: None,
            overview: None,
        };
        let messages = script.messages.iter().map(|(_, message)| message);
        check_views(&record, &script.events, messages).unwrap_or_else(|wrong| panic!("{case}: {wrong}"));
    }
}

#[test]
fn a_view_that_begins_after_any_event_and_continues_is_the_view_of_the_log() {
    for (case, _, script) in cases() {
        let whole = TurnView::of(&script.events);
        for cut in 0..script.happenings.len() {
            let (before, after) = script.happenings.split_at(cut);
            let mut view = TurnView::default();
            before.iter().for_each(|happening| apply(&mut view, happening));
            // A client that is ahead of its cursor gets events again.
            let again = before.len().saturating_sub(1);
            before[again..].iter().chain(after).for_each(|happening| apply(&mut view, happening));
            assert_eq!(view, whole, "{case} {cut}");
        }
    }
}

pub(super) fn apply(view: &mut TurnView, happening: &Happening) {
    match happening {
        Happening::Event(event) => view.apply(event),
        Happening::Resync(snapshot) => view.clone_from(&snapshot.turn.as_ref().unwrap().view),
        Happening::Detach(_) => {}
    }
}

#[test]
fn every_frame_is_read_as_it_was_meant_by_a_reader_that_splits_at_any_end_of_line() {
    for (case, _, script) in cases() {
        for dialect in DIALECTS.iter().filter(|dialect| dialect.name != "named") {
            for frame in frames(&stream_of(dialect, true, &script.happenings)) {
                assert_eq!(
                    frame.data.chars().filter(|c| "\n\r\u{85}\u{2028}\u{2029}".contains(*c)).count(),
                    0,
                    "{case}"
                );
                serde_json::from_str::<serde_json::Value>(&frame.data).unwrap();
            }
        }
    }
}

pub(super) fn folder(dialect: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dialects").join(dialect)
}
