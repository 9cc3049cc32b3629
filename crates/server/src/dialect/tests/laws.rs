//! Properties that hold in every protocol for every turn.

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::Value;
use turnkit_core::ports::Detach;
use turnkit_core::{ErrorScope, EventKind, FinishReason, Frames, TurnEvent, TurnSnapshot, TurnStatus, TurnView};

use super::script::{Happening, NUMBER, Script, TURN};
use super::turns::{Turn, turns};
use super::{Frame, frames, reader, stream_of, stream_of_events};
use crate::dialect::{DIALECTS, Dialect};

const CASES: u32 = 500;

fn every_way() -> impl Iterator<Item = (&'static Dialect, bool)> {
    DIALECTS.iter().flat_map(|dialect| [(dialect, false), (dialect, true)])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_stream_ends_with_its_only_terminal_frame(turn in turns()) {
        for (dialect, ext) in every_way() {
            for events in [&turn.stored, &turn.live] {
                let sent = frames(&stream_of_events(dialect, ext, events));
                let terminal: Vec<usize> = (0..sent.len()).filter(|at| is_terminal(dialect, &sent[*at])).collect();
                prop_assert_eq!(terminal, [sent.len() - 1], "{} {}", dialect.name, ext);
            }
        }
    }

    #[test]
    fn a_stream_is_over_with_the_turn_and_not_before(turn in turns(), after_snapshot: bool) {
        for (dialect, ext) in every_way() {
            let (last, before) = turn.stored.split_last().unwrap();
            let mut encoder = (dialect.encoder)(&reader(ext));
            let mut out = Frames::new(true);
            for event in before {
                out.begin(NUMBER, event);
                encoder.encode(event, &mut out);
                prop_assert!(!out.has_ended(), "{} {}", dialect.name, ext);
            }
            if let (true, Happening::Resync(snapshot)) = (after_snapshot, snapshot(&turn.stored)) {
                encoder.resync(&snapshot, &mut out);
            } else {
                encoder.encode(last, &mut out);
            }
            prop_assert!(out.has_ended(), "{} {}", dialect.name, ext);
        }
    }

    #[test]
    fn the_streamed_text_is_the_stored_text(turn in turns()) {
        for (dialect, ext) in every_way() {
            let whole = text_of(dialect, &frames(&stream_of_events(dialect, ext, &turn.stored)));
            prop_assert_eq!(whole, kept(dialect, &turn), "{} {}", dialect.name, ext);
        }
    }

    #[test]
    fn a_reader_that_drops_retracted_text_has_the_stored_text(turn in turns()) {
        for dialect in DIALECTS {
            let mut valid: Vec<Frame> = Vec::new();
            for frame in frames(&stream_of_events(dialect, true, &turn.live)) {
                if frame.is("retracted") {
                    let from_seq = frame.json()["from_seq"].as_u64().unwrap();
                    valid.retain(|frame| frame.cursor().is_some_and(|cursor| u64::from(cursor.seq) < from_seq));
                }
                valid.push(frame);
            }
            prop_assert_eq!(text_of(dialect, &valid), kept(dialect, &turn), "{}", dialect.name);
        }
    }

    #[test]
    fn without_extensions_a_stream_is_complete_or_reports_that_it_is_not(turn in turns()) {
        for dialect in DIALECTS.iter().filter(|dialect| dialect.name != "native") {
            let sent = frames(&stream_of_events(dialect, false, &turn.live));
            let broke_off = sent.iter().any(|frame| frame.data.contains("is being redone"));
            prop_assert!(broke_off || text_of(dialect, &sent) == kept(dialect, &turn), "{}", dialect.name);
        }
    }

    #[test]
    fn a_replay_has_the_bytes_of_the_live_stream(turn in turns(), cuts in prop::collection::vec(any::<Index>(), 0..6)) {
        prop_assume!(!turn.live.iter().any(|event| matches!(event.kind, EventKind::Retracted { .. })));
        for (dialect, ext) in every_way() {
            let replayed = stream_of_events(dialect, ext, &turn.stored);
            prop_assert_eq!(in_batches(dialect, ext, &turn.live, &cuts), replayed, "{} {}", dialect.name, ext);
        }
    }

    #[test]
    fn a_reader_that_resumes_after_any_frame_receives_exactly_the_rest(turn in turns()) {
        for dialect in DIALECTS {
            let all = frames(&stream_of_events(dialect, true, &turn.stored));
            for (at, frame) in all.iter().enumerate() {
                let mut out = Frames::new(true);
                out.skip_through(frame.cursor().unwrap());
                prop_assert_eq!(&frames(&encode(dialect, &turn.stored, out)), &all[at + 1..], "{}", dialect.name);
            }
        }
    }

    #[test]
    fn a_native_reader_needs_only_the_events_after_its_cursor(turn in turns(), cut in any::<Index>()) {
        let native = &DIALECTS[0];
        let cut = cut.index(turn.stored.len());
        let whole = stream_of_events(native, false, &turn.stored);
        let both = stream_of_events(native, false, &turn.stored[..cut]) + &stream_of_events(native, false, &turn.stored[cut..]);
        prop_assert_eq!(whole, both);
    }

    #[test]
    fn after_a_snapshot_a_stream_continues_like_an_uninterrupted_one(turn in turns(), cut in any::<Index>()) {
        let cut = 1 + cut.index(turn.stored.len());
        let (before, after) = turn.stored.split_at(cut);
        let mut happenings = vec![snapshot(before)];
        happenings.extend(after.iter().cloned().map(Happening::Event));
        for dialect in DIALECTS {
            let sent = frames(&stream_of(dialect, true, &happenings));
            prop_assert!(sent[0].is("resync"), "{}", dialect.name);
            let terminal = sent.iter().skip(1).filter(|frame| is_terminal(dialect, frame)).count();
            prop_assert_eq!(terminal, usize::from(dialect.name != "native" || !after.is_empty()), "{}", dialect.name);
            let seen = before.last().map_or(0, |event| event.seq);
            let mut expected = frames(&stream_of_events(dialect, true, &turn.stored));
            expected.retain(|frame| frame.cursor().is_some_and(|cursor| cursor.seq > seen));
            // The snapshot contains the text before the cut, but neither half of a line ending at the cut nor which
            // error was the last.
            let comparable = |frames: &[Frame]| -> Vec<(u32, Option<String>, String)> {
                let frames = frames.iter().filter(|frame| !frame.is("text") && !is_failure(frame)).cloned();
                frames.map(|frame| (frame.cursor().unwrap().seq, frame.event, frame.data)).collect()
            };
            let mut rest = comparable(&sent[1..]);
            rest.retain(|(seq, ..)| *seq > seen);
            prop_assert_eq!(rest, comparable(&expected), "{}", dialect.name);
        }
    }

    #[test]
    fn after_a_snapshot_a_reader_that_is_cut_off_anywhere_still_receives_the_end(turn in turns(), cut in any::<Index>()) {
        let cut = 1 + cut.index(turn.stored.len());
        let (before, after) = turn.stored.split_at(cut);
        let mut happenings = vec![snapshot(before)];
        happenings.extend(after.iter().cloned().map(Happening::Event));
        for dialect in DIALECTS.iter().filter(|dialect| dialect.name != "native" || !after.is_empty()) {
            let sent = frames(&stream_of(dialect, true, &happenings));
            let (last, others) = sent.split_last().unwrap();
            prop_assert!(is_terminal(dialect, last) && last.id.is_some(), "{}", dialect.name);
            let mut seen = None;
            for frame in others {
                seen = frame.cursor().or(seen);
                let Some(seen) = seen else { continue }; // without a cursor, it gets a snapshot again
                let mut out = Frames::new(true);
                out.skip_through(seen);
                let rest = frames(&encode(dialect, &turn.stored, out));
                let ends = rest.last().is_some_and(|frame| is_terminal(dialect, frame));
                prop_assert!(ends, "{} after {seen}", dialect.name);
            }
        }
    }

    #[test]
    fn a_turn_that_failed_has_a_reason_and_one_that_was_stopped_has_none(turn in turns()) {
        let named = frames(&stream_of_events(&DIALECTS[1], false, &turn.stored));
        let errors = named.iter().filter(|frame| frame.is("error")).count();
        let stopped = matches!(turn.status, TurnStatus::Cancelled | TurnStatus::Interrupted | TurnStatus::Completed);
        let sent = turn.stored.iter().filter(|event| match event.kind {
            EventKind::Error { .. } => true,
            EventKind::ToolFinished { ok, .. } => !ok,
            _ => false,
        });
        let sent = sent.count();
        prop_assert!(if stopped { errors == sent } else { errors >= 1.max(sent) }, "{errors} {sent} {:?}", turn.status);
        let word = &named.last().unwrap().event;
        prop_assert_eq!(word.as_deref(), Some("done"));
    }

    #[test]
    fn every_round_is_announced_once_and_reported_once_in_the_order_of_its_calls(turn in turns()) {
        let relay = frames(&stream_of_events(&DIALECTS[3], false, &turn.stored));
        let ids = |frame: &Frame| {
            let tools = frame.json()["tools"].as_array().unwrap().clone();
            tools.iter().map(|tool| tool["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let announced: Vec<_> = relay.iter().filter(|frame| frame.is("tool_use")).map(ids).collect();
        let results: Vec<_> = relay.iter().filter(|frame| frame.data.contains(r#""type":"tool_result""#)).map(ids).collect();
        let mut rounds: Vec<Vec<String>> = Vec::new();
        for event in &turn.stored {
            match &event.kind {
                EventKind::StepStarted { .. } => rounds.push(Vec::new()),
                EventKind::ToolFinished { uid, .. } => rounds.last_mut().unwrap().push(uid.to_string()),
                _ => {}
            }
        }
        rounds.retain(|round| !round.is_empty());
        rounds.iter_mut().for_each(|round| round.sort());
        prop_assert_eq!(&announced, &rounds);
        prop_assert_eq!(&results, &rounds);
    }
}

#[test]
fn a_client_that_received_no_retracted_output_stays_connected() {
    let begun = || Script::begin().step();
    for (shown_in, script) in [
        (vec!["typed"], begun().call("clock").step_ended(FinishReason::ToolCalls)),
        (vec!["named"], begun().error(ErrorScope::Provider, "provider_overloaded", "try again later")),
        (vec!["named", "typed", "relay"], begun().call("clock").tool_started(0, "clock")),
        (vec!["typed", "relay"], begun().unfinished("\r")),
        (vec!["named", "typed", "relay"], begun().unfinished("It is")),
    ] {
        let script = script.dies_after(1).step().text(&["Hello."]).step_ended(FinishReason::Stop);
        let sent = script.ended(TurnStatus::Completed).happenings;
        for dialect in DIALECTS.iter().filter(|dialect| dialect.name != "native") {
            let sent_away = stream_of(dialect, false, &sent).contains("is being redone");
            assert_eq!(sent_away, shown_in.contains(&dialect.name), "{} {shown_in:?}", dialect.name);
        }
    }
}

#[test]
fn only_clients_that_do_not_reconnect_receive_an_error_when_the_server_stops() {
    for (dialect, ext) in every_way() {
        for why in [Detach::Stopping, Detach::Revoked, Detach::Retracted, Detach::Lost, Detach::Failed, Detach::Deleted]
        {
            let mut out = Frames::new(ext);
            (dialect.encoder)(&reader(ext)).detach(why, &mut out);
            let comes_back = dialect.name == "native";
            assert_eq!((out.is_empty(), out.has_ended()), (comes_back, !comes_back), "{} {why:?}", dialect.name);
        }
    }
}

/// Returns the text of the turn, as far as the protocol can express it.
fn kept(dialect: &Dialect, turn: &Turn) -> String {
    let plain = |text: &String| text.replace("\r\n", "\n").replace('\r', "\n");
    match dialect.name {
        "named" => turn.texts.iter().map(plain).collect(),
        _ => turn.texts.concat(),
    }
}

/// Returns the text that a client of the protocol was shown.
fn text_of(dialect: &Dialect, sent: &[Frame]) -> String {
    if dialect.name == "native" {
        // Deltas do not name the kind of their part; the ended parts do, in the order of their ids.
        let whole = sent.iter().filter(|frame| frame.is("part.ended")).map(Frame::json);
        let texts = whole.filter(|data| data["part"]["type"] == "text");
        let text = |data: Value| (data["part_id"].to_string(), data["part"]["text"].as_str().unwrap().to_owned());
        return texts.map(text).collect::<BTreeMap<String, String>>().into_values().collect();
    }
    let text = |frame: &Frame| match (dialect.name, frame.event.as_deref()) {
        ("named", Some("text")) => Some(frame.data.clone()),
        ("typed" | "relay", None) => frame.json()["content"].as_str().map(str::to_owned),
        _ => None,
    };
    sent.iter().filter_map(text).collect()
}

fn is_terminal(dialect: &Dialect, frame: &Frame) -> bool {
    match dialect.name {
        "native" => frame.is("turn.ended"),
        "named" => frame.is("done"),
        "typed" => frame.event.is_none() && ["done", "error"].contains(&frame.json()["type"].as_str().unwrap()),
        _ => frame.is("done") || frame.is("error"),
    }
}

fn is_failure(frame: &Frame) -> bool {
    frame.is("error") || (frame.event.is_none() && frame.json()["type"] == "error")
}

fn encode(dialect: &Dialect, events: &[TurnEvent], mut out: Frames) -> String {
    let mut encoder = (dialect.encoder)(&reader(true));
    for event in events {
        out.begin(NUMBER, event);
        encoder.encode(event, &mut out);
    }
    String::from_utf8(out.take().to_vec()).unwrap()
}

/// Returns the output if frames are taken after some of the events.
fn in_batches(dialect: &Dialect, ext: bool, events: &[TurnEvent], cuts: &[Index]) -> String {
    let mut encoder = (dialect.encoder)(&reader(ext));
    let mut out = Frames::new(dialect.ids || ext);
    let cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(events.len())).collect();
    let mut written = Vec::new();
    for (at, event) in events.iter().enumerate() {
        if cuts.contains(&at) {
            written.extend_from_slice(&out.take());
        }
        out.begin(NUMBER, event);
        encoder.encode(event, &mut out);
    }
    written.extend_from_slice(&out.take());
    String::from_utf8(written).unwrap()
}

/// Returns a snapshot of the turn after `events`.
fn snapshot(events: &[TurnEvent]) -> Happening {
    let Some(Happening::Resync(mut snapshot)) = Script::begin().resync().happenings.pop() else { unreachable!() };
    snapshot.turn = Some(TurnSnapshot { id: TURN, number: NUMBER, view: TurnView::of(events) });
    snapshot.cursor = events.last().unwrap().cursor(NUMBER);
    Happening::Resync(snapshot)
}
