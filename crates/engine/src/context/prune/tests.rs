use turnkit_core::{
    Arguments, CallUid, Entry, History, Image, Message, Part, PruneReason, Role, ToolCall, ToolDefinition,
    ToolErrorKind, ToolFlags, ToolResult, TurnId,
};
use uuid::Uuid;

use super::{prunable, prunable_before};

/// The tool and arguments of a call, and the content or failure of its result.
pub(in crate::context) type Made<'a> = (&'a str, &'a str, Result<String, (ToolErrorKind, String)>);

pub(in crate::context) fn tools() -> Vec<ToolDefinition> {
    let tool = |name, flags| ToolDefinition::new(name, "", "{}").unwrap().with_flags(flags);
    let reading = ["read", "search", "status"].map(|name| tool(name, ToolFlags::read_only()));
    let changing = ["write_file", "run"].map(|name| tool(name, ToolFlags::default()));
    reading.into_iter().chain(changing).collect()
}

/// Returns a content of slightly more than 60 tokens.
fn long(text: &str) -> String {
    format!("{text} {}", text.repeat(240).chars().take(236).collect::<String>())
}

fn done(text: &str) -> Result<String, (ToolErrorKind, String)> {
    Ok(long(text))
}

fn failed(kind: ToolErrorKind) -> Result<String, (ToolErrorKind, String)> {
    Err((kind, long("no such file")))
}

fn round(step: u16, calls: &[Made<'_>]) -> [Message; 2] {
    let (mut asked, mut results) = (Vec::new(), Vec::new());
    for (ordinal, (name, arguments, came)) in (0..).zip(calls) {
        let uid = CallUid { turn: TurnId(Uuid::nil()), step, ordinal };
        let (name, arguments) = ((*name).to_owned(), Arguments((*arguments).to_owned()));
        let provider_id = uid.to_string();
        asked.push(Part::ToolCall(ToolCall { uid, provider_id, name: name.clone(), arguments, extras: None }));
        let (ok, content, error) = match came.clone() {
            Ok(content) => (true, content, None),
            Err((kind, content)) => (false, content, Some(kind)),
        };
        results.push(Part::ToolResult(ToolResult { ok, error, ..ToolResult::new(uid, name, content) }));
    }
    [Message::new(Role::Assistant, asked), Message::new(Role::Tool, results)]
}

/// Returns a question and these rounds. The results of the first round are at place 2, those of the second at place 4.
pub(in crate::context) fn turn(rounds: &[&[Made<'_>]]) -> History {
    let rounds = (1..).zip(rounds).flat_map(|(step, calls)| round(step, calls));
    History::of(std::iter::once(Message::user("Look.")).chain(rounds))
}

/// Appends an answer and the question of the next turn.
fn next_turn(mut history: History) -> History {
    history.push(Entry::new(Message::new(Role::Assistant, vec![Part::text("Done.")])));
    history.push(Entry::new(Message::user("And now?")));
    history
}

/// Returns the message, part and reason of each pruned result.
fn left_out(history: &History, keep: u32, step: u16) -> Vec<(u32, u32, PruneReason)> {
    let edits = prunable_before(history, &tools(), keep, step);
    if let Some(edits) = &edits {
        let mut history = history.clone();
        history.push(Entry::new(Message::of_edits(edits.clone())));
        assert_eq!(prunable_before(&history, &tools(), keep, step), None, "it leaves out again");
    }
    edits.unwrap_or_default().blank.iter().map(|result| (result.place, result.part, result.reason)).collect()
}

#[test]
fn a_content_that_later_rounds_make_needless_is_left_out_and_no_other() {
    use PruneReason::{Empty, RetriedSuccessfully, Superseded};
    use ToolErrorKind::{Cancelled, Denied, Failed, InvalidArguments, OutcomeUnknown, TimedOut};
    let a = r#"{"path":"a.rs"}"#;
    let lines = |path: &str, first: u32| format!(r#"{{"path":"{path}","offset":{first},"limit":null}}"#);
    let (one, two) = (lines("a.rs", 1), lines("a.rs", 2));
    let nothing = || Ok("No results for 'turnkit' in 14 files of the project.".to_owned());
    let cases = [
        (
            "a failed call whose tool succeeded later",
            vec![vec![("read", a, failed(Failed))], vec![("read", "{}", done("x"))]],
            vec![(2, 0, RetriedSuccessfully)],
        ),
        (
            "a call that could not be made",
            vec![
                vec![("read", "[", failed(InvalidArguments))],
                vec![("search", "{}", done("y"))],
                vec![("read", a, done("x"))],
            ],
            vec![(2, 0, RetriedSuccessfully)],
        ),
        (
            "a failure in the words of the tool",
            vec![vec![("read", "{}", done("Error: no such file"))], vec![("read", a, done("x"))]],
            vec![(2, 0, RetriedSuccessfully)],
        ),
        ("another tool succeeded", vec![vec![("read", a, failed(Failed))], vec![("search", "{}", done("x"))]], vec![]),
        (
            "the tool failed again",
            vec![vec![("read", a, failed(Failed))], vec![("read", "{}", failed(Failed))]],
            vec![],
        ),
        (
            "the tool succeeded in the same round only",
            vec![vec![("read", a, failed(Failed)), ("read", "{}", done("x"))], vec![("search", "{}", done("y"))]],
            vec![],
        ),
        (
            "the model must know of these failures",
            vec![
                vec![
                    ("run", "{}", failed(Denied)),
                    ("run", "{}", failed(Cancelled)),
                    ("run", "{}", failed(OutcomeUnknown)),
                    ("run", "{}", failed(TimedOut)),
                ],
                vec![("run", a, done("x"))],
            ],
            vec![],
        ),
        (
            "a short failure",
            vec![vec![("read", a, Err((Failed, "no such file".to_owned())))], vec![("read", "{}", done("x"))]],
            vec![],
        ),
        ("the same file", vec![vec![("read", a, done("x"))], vec![("read", a, done("y"))]], vec![(2, 0, Superseded)]),
        (
            "the same file by another name of the argument",
            vec![
                vec![("search", "{}", done("z")), ("read", r#"{"file_path":"./a.rs"}"#, done("x"))],
                vec![("read", a, done("y"))],
            ],
            vec![(2, 1, Superseded)],
        ),
        (
            "lines of a file, then all of it",
            vec![vec![("read", r#"{"path":"a.rs:10-20"}"#, done("x"))], vec![("read", a, done("y"))]],
            vec![(2, 0, Superseded)],
        ),
        (
            "the same lines",
            vec![vec![("read", one.as_str(), done("x"))], vec![("read", one.as_str(), done("y"))]],
            vec![(2, 0, Superseded)],
        ),
        ("other lines", vec![vec![("read", one.as_str(), done("x"))], vec![("read", two.as_str(), done("y"))]], vec![]),
        (
            "all of a file, then lines",
            vec![vec![("read", a, done("x"))], vec![("read", two.as_str(), done("y"))]],
            vec![],
        ),
        ("with another tool", vec![vec![("read", a, done("x"))], vec![("status", a, done("y"))]], vec![]),
        (
            "a file that was changed",
            vec![vec![("read", one.as_str(), done("x"))], vec![("write_file", a, Ok("ok".to_owned()))]],
            vec![(2, 0, Superseded)],
        ),
        ("a file that was run", vec![vec![("read", a, done("x"))], vec![("run", a, done("y"))]], vec![]),
        ("a file that was written", vec![vec![("write_file", a, done("x"))], vec![("read", a, done("y"))]], vec![]),
        (
            "a file that could not be read again",
            vec![vec![("read", a, done("x"))], vec![("read", a, failed(Failed))]],
            vec![],
        ),
        ("an unknown tool", vec![vec![("cat", a, done("x"))], vec![("cat", a, done("y"))]], vec![]),
        (
            "the same call with the same result",
            vec![vec![("run", "{}", done("x"))], vec![("run", "{}", done("x"))]],
            vec![(2, 0, Superseded)],
        ),
        (
            "the same result of another call",
            vec![vec![("run", "{}", done("x"))], vec![("run", "[]", done("x"))]],
            vec![],
        ),
        (
            "the same call with the same result two rounds later",
            vec![vec![("run", "{}", done("x"))], vec![("status", "{}", done("y"))], vec![("run", "{}", done("x"))]],
            vec![],
        ),
        (
            "nothing found",
            vec![vec![("search", "{}", nothing())], vec![("status", "{}", done("x"))]],
            vec![(2, 0, Empty)],
        ),
        ("nothing found in the last round", vec![vec![("search", "{}", nothing())]], vec![]),
        ("nothing needless", vec![vec![("search", "{}", done("x"))], vec![("read", a, done("y"))]], vec![]),
    ];
    for (case, rounds, expected) in cases {
        let rounds: Vec<&[Made<'_>]> = rounds.iter().map(Vec::as_slice).collect();
        assert_eq!(left_out(&next_turn(turn(&rounds)), 0, 1), expected, "{case}");
    }
}

#[test]
fn between_turns_only_results_followed_by_few_tokens_are_left_out() {
    for (behind, expected) in [(7_000, vec![(2, 0, PruneReason::Superseded)]), (9_000, vec![])] {
        let a = r#"{"path":"a.rs"}"#;
        let other = Ok("x".repeat(4 * behind));
        let history = turn(&[&[("read", a, done("x"))], &[("search", "{}", other)], &[("read", a, done("y"))]]);
        assert_eq!(left_out(&next_turn(history), 0, 1), expected, "{behind} tokens");
    }
}

#[test]
fn within_a_turn_enough_is_left_out_at_once_from_the_fourth_step_on() {
    use PruneReason::RetriedSuccessfully;
    let failed = |tokens: usize| Err((ToolErrorKind::Failed, "x".repeat(4 * tokens)));
    let rounds = |tokens| -> Vec<Vec<Made<'_>>> {
        vec![
            vec![("read", "{}", failed(tokens))],
            vec![("read", "[]", failed(tokens))],
            vec![("read", r#"{"path":"a.rs"}"#, done("x"))],
        ]
    };
    for (tokens, step, expected) in [
        (1_600, 4, vec![(2, 0, RetriedSuccessfully), (4, 0, RetriedSuccessfully)]),
        (1_600, 3, vec![]),
        (1_600, 2, vec![]),
        (1_500, 4, vec![]),
    ] {
        let rounds = rounds(tokens);
        let rounds: Vec<&[Made<'_>]> = rounds.iter().map(Vec::as_slice).collect();
        assert_eq!(left_out(&turn(&rounds), 0, step), expected, "{tokens} tokens, step {step}");
        // The same rounds in an earlier turn.
        assert_eq!(left_out(&next_turn(turn(&rounds)), 0, 4), [], "of an earlier turn");
    }
}

#[test]
fn results_before_the_newest_ones_are_left_out_once_there_are_twice_as_many() {
    let stale = |places: &[u32]| -> Vec<_> { places.iter().map(|place| (*place, 0, PruneReason::Stale)).collect() };
    for (rounds, keep, expected) in [
        (20, 0, stale(&[])),
        (19, 10, stale(&[])),
        (20, 10, stale(&[2, 4, 6, 8, 10, 12, 14, 16, 18, 20])),
        (4, 2, stale(&[2, 4])),
        (1, 1, stale(&[])),
        (2, 1, stale(&[2])),
    ] {
        let contents: Vec<[Made<'_>; 1]> =
            (0..rounds).map(|round: u32| [("run", "{}", done(&round.to_string()))]).collect();
        let rounds: Vec<&[Made<'_>]> = contents.iter().map(<[Made<'_>; 1]>::as_slice).collect();
        for step in [1, 2, 9] {
            assert_eq!(left_out(&turn(&rounds), keep, step), expected, "{keep} of {}", rounds.len());
        }
    }
}

#[test]
fn short_results_are_not_counted_and_the_last_round_is_kept_however_many_results_it_has() {
    let short = || Ok("done".to_owned());
    let run = |text: &str| ("run", "{}", done(text));
    let parallel = [run("a"), run("b"), run("c")];
    assert_eq!(left_out(&turn(&[&parallel]), 1, 2), []);
    let rounds: [&[Made<'_>]; 3] = [&[run("d")], &[("run", "{}", short())], &parallel];
    assert_eq!(left_out(&turn(&rounds), 1, 2), [(2, 0, PruneReason::Stale)]);
    let rounds: [&[Made<'_>]; 3] = [&[("run", "{}", short())], &[("run", "{}", short())], &[run("e")]];
    assert_eq!(left_out(&turn(&rounds), 1, 2), []);
}

#[test]
fn results_that_a_model_must_know_are_kept_however_old_they_are() {
    for kind in
        [ToolErrorKind::Denied, ToolErrorKind::Cancelled, ToolErrorKind::OutcomeUnknown, ToolErrorKind::TimedOut]
    {
        let rounds: [&[Made<'_>]; 3] =
            [&[("run", "{}", failed(kind))], &[("run", "[]", done("x"))], &[("run", "[1]", done("y"))]];
        assert_eq!(left_out(&turn(&rounds), 1, 2), [(4, 0, PruneReason::Stale)], "{kind:?}");
        assert!(prunable(&turn(&rounds), &tools(), 1).is_some_and(|(edits, _)| edits.blank.len() == 1), "{kind:?}");
    }
}

#[test]
fn under_pressure_everything_needless_is_left_out_wherever_it_is() {
    let a = r#"{"path":"a.rs"}"#;
    let other = || Ok("x".repeat(40_000));
    let history = turn(&[
        &[("read", a, done("x"))],
        &[("run", "{}", done("y"))],
        &[("search", "{}", other())],
        &[("read", a, done("z"))],
        &[("run", "[]", done("u"))],
    ]);
    for (keep, expected) in [
        (0, vec![(2, 0, PruneReason::Superseded)]),
        (2, vec![(2, 0, PruneReason::Superseded), (4, 0, PruneReason::Stale), (6, 0, PruneReason::Stale)]),
        (9, vec![(2, 0, PruneReason::Superseded)]),
    ] {
        let (edits, saved) = prunable(&history, &tools(), keep).unwrap();
        let found: Vec<_> = edits.blank.iter().map(|result| (result.place, result.part, result.reason)).collect();
        assert_eq!(found, expected, "{keep} results");
        let before = history.text_bytes() as u64;
        let mut history = history.clone();
        history.push(Entry::new(Message::of_edits(edits)));
        assert_eq!(prunable(&history, &tools(), keep), None, "it leaves out again");
        assert!((before - history.text_bytes() as u64).abs_diff(4 * saved) < 16, "{saved} tokens");
    }
    assert_eq!(prunable(&history, &[], 2), None, "without tools no results are sent");
}

#[test]
fn a_repeated_call_keeps_the_image_of_its_earlier_result() {
    let history = turn(&[&[("status", "{}", done("x"))], &[("status", "{}", done("x"))]]);
    assert_eq!(left_out(&next_turn(history.clone()), 0, 1), [(2, 0, PruneReason::Superseded)]);
    let with_images = |message: &Message| {
        let parts = message.parts.iter().cloned().map(|part| match part {
            Part::ToolResult(result) => {
                let images = vec![Image::new("image/png", format!("blob:{}", result.uid))];
                Part::ToolResult(ToolResult { images, ..result })
            }
            part => part,
        });
        Some(Message::new(message.role, parts.collect()))
    };
    assert!(left_out(&next_turn(history.with(with_images)), 0, 1).is_empty());
}
