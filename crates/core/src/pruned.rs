//! Replacing the contents of tool results with placeholders.

use crate::{Message, Part, PruneReason, PrunedResult, ToolResult};

/// Returns `message` with placeholders for the contents of `results`, which belong to this message. Other parts are
/// unchanged.
pub(crate) fn pruned(message: &Message, results: &[PrunedResult]) -> Message {
    let change = |(number, part): (u32, &Part)| match results.iter().find(|result| result.part == number) {
        Some(result) => without_content(part, result.reason),
        None => part.clone(),
    };
    Message { role: message.role, parts: (0..).zip(&message.parts).map(change).collect(), mark: message.mark }
}

fn without_content(part: &Part, reason: PruneReason) -> Part {
    let Part::ToolResult(ToolResult { uid, name, ok, error, untrusted, .. }) = part else { return part.clone() };
    Part::ToolResult(ToolResult {
        ok: *ok,
        error: *error,
        untrusted: *untrusted,
        ..ToolResult::new(*uid, name.as_str(), reason.placeholder())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CallUid, Edits, Entry, History, Role, Summary, TurnId};

    #[test]
    fn contents_of_results_are_left_out_wherever_they_are_and_nothing_else_is() {
        let content = |content: &str| {
            Part::ToolResult(ToolResult {
                truncated: true,
                ..ToolResult::new(CallUid { turn: TurnId::default(), step: 1, ordinal: 0 }, "read", content.to_owned())
            })
        };
        let results = |texts: [&str; 2]| Message::new(Role::Tool, texts.map(content).into());
        let contents = |history: &History| -> Vec<String> {
            let parts = history.iter().flat_map(|entry| entry.message().parts.clone());
            parts
                .filter_map(|part| if let Part::ToolResult(result) = part { Some(result.content) } else { None })
                .collect()
        };
        let edits = |blank: &[(u32, u32)]| {
            let result =
                |(place, part): &(u32, u32)| PrunedResult { place: *place, part: *part, reason: PruneReason::Stale };
            Entry::new(Message::of_edits(Edits { blank: blank.iter().map(result).collect() }))
        };
        let gone = PruneReason::Stale.placeholder();

        let mut history = History::of([Message::user("Look."), results(["a", "b"]), results(["c", "d"])]);
        history.push(Entry::new(results(["e", "f"])));
        let before = history.clone();
        history.push(edits(&[(0, 0), (1, 1), (3, 0), (9, 0)]));
        assert_eq!(contents(&history), ["a", gone, "c", "d", gone, "f"]);
        assert_eq!((history.branch_len(), history.len(), history.has_calls()), (5, 4, true));
        assert_eq!(contents(&before), ["a", "b", "c", "d", "e", "f"]);
        history.push(edits(&[(1, 0), (1, 1), (1, 7)]));
        assert_eq!(contents(&history), [gone, gone, "c", "d", gone, "f"]);

        // Messages that a summary leaves out stay out.
        history.push(Entry::new(Message::of_summary(Summary { covers: 2, keeps: Some(0), ..Summary::default() })));
        history.push(edits(&[(1, 0), (2, 0)]));
        assert_eq!(contents(&history), [gone, "d", gone, "f"]);
    }
}
