//! Golden tests of views: the view of each hand-written turn after each of its events, as JSON.
//!
//! The views are in `tests/dialects/views/CASE.jsonl`, one line for each event or snapshot. If they differ, the test
//! writes them next to them as `….new` for review. The tests of the TypeScript client compare its views with these
//! lines.

use std::path::Path;

use serde_json::Value;
use turnkit_core::{TurnSnapshot, TurnView};

use super::golden::{apply, cases, folder};
use super::script::{Happening, NUMBER, TURN};
use crate::dialect::native::TurnSnapshotBody;

#[test]
fn each_event_of_a_turn_gives_this_view() {
    let mut wrong = Vec::new();
    for (case, _, script) in cases() {
        let file = folder("views").join(format!("{case}.jsonl"));
        let views = views_of(&script.happenings);
        if kept(&file).as_ref() != Some(&views) {
            let lines: Vec<String> = views.iter().map(ToString::to_string).collect();
            std::fs::write(file.with_extension("jsonl.new"), lines.join("\n") + "\n").unwrap();
            wrong.push(file);
        }
    }
    assert!(wrong.is_empty(), "differ: {wrong:#?}");
}

/// Returns the view of a turn after each event and each snapshot.
fn views_of(happenings: &[Happening]) -> Vec<Value> {
    let mut turn = TurnSnapshot { id: TURN, number: NUMBER, view: TurnView::default() };
    let mut views = Vec::new();
    for happening in happenings.iter().filter(|happening| !matches!(happening, Happening::Detach(_))) {
        apply(&mut turn.view, happening);
        let json = serde_json::to_string(&TurnSnapshotBody::new(&turn)).unwrap();
        views.push(serde_json::from_str(&json).unwrap());
    }
    views
}

/// Returns the views in a file.
fn kept(file: &Path) -> Option<Vec<Value>> {
    let text = std::fs::read_to_string(file).ok()?;
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}
