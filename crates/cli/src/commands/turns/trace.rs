//! `turnkit turns trace`: what took how long in a turn, as a waterfall.

use std::process::ExitCode;

use serde_json::json;
use turnkit_core::TurnId;
use turnkit_server::SpanBody;

use crate::data::Data;
use crate::failure::Failure;
use crate::terminal::{harmless, line, shortened};

/// The width of the bars, in characters.
const BAR: u64 = 32;
const BAR_WIDTH: usize = 32;
/// The longest name of a span with its indentation, in characters.
const NAME: usize = 36;

pub(super) async fn run(data: &Data, turn: TurnId, json: bool) -> Result<ExitCode, Failure> {
    let spans = data.turn_trace(turn).await?;
    let printed = match json {
        true => line(&json!(spans).to_string()),
        false => lines(&spans).iter().try_for_each(|text| line(text)),
    };
    printed.map_err(|error| Failure::of_output(&error))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns a line for each span: its name, its start and its duration in milliseconds, a bar, and what else is known.
fn lines(spans: &[SpanBody]) -> Vec<String> {
    let ends = spans.iter().filter_map(|span| Some(span.start_ms?.saturating_add(span.ms.unwrap_or(0))));
    let total = ends.max().unwrap_or(0).max(1);
    spans.iter().map(|span| span_line(span, depth(span, spans), total)).collect()
}

/// Returns the number of spans that contain a span.
fn depth(span: &SpanBody, spans: &[SpanBody]) -> usize {
    let parent = |span: &&SpanBody| spans.iter().find(|other| Some(&other.id) == span.parent.as_ref());
    // A tree has no more levels than spans.
    std::iter::successors(Some(span), parent).skip(1).take(spans.len()).count()
}

fn span_line(span: &SpanBody, depth: usize, total: u64) -> String {
    let indentation = "  ".repeat(depth.min(NAME / 4));
    let name = shortened(&harmless(&format!("{} {}", span.kind, span.name)), NAME - indentation.len());
    let number = |ms: Option<u64>| ms.map_or_else(|| "-".to_owned(), |ms| ms.to_string());
    let (start, ms) = (number(span.start_ms), number(span.ms));
    let bar = span.start_ms.map(|start| bar(start, span.ms, total)).unwrap_or_default();
    let facts = [
        span.first_ms.map(|ms| format!("first after {ms} ms")),
        span.tokens.map(|tokens| format!("{tokens} tokens")),
        span.cost.map(|cost| cost.to_string()),
        span.error.as_deref().map(harmless),
    ];
    let facts = facts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let name = indentation + &name;
    let text = format!("{name:<NAME$} {start:>8} {ms:>8}  {bar:<BAR_WIDTH$}  {facts}");
    text.trim_end().to_owned()
}

/// Returns the place of a span in the turn. A span that has not ended reaches to the end.
fn bar(start: u64, ms: Option<u64>, total: u64) -> String {
    let place = |at: u64| at.min(total).saturating_mul(BAR) / total;
    let end = ms.map_or(total, |ms| start.saturating_add(ms));
    let from = place(start).min(BAR - 1);
    let length = place(end).saturating_sub(from).max(1);
    let mark = if ms.is_some() { "█" } else { "▒" };
    let repeated = |text: &str, count: u64| text.repeat(usize::try_from(count).unwrap_or(0));
    repeated(" ", from) + &repeated(mark, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(id: &str, parent: Option<&str>, start_ms: Option<u64>, ms: Option<u64>) -> SpanBody {
        SpanBody {
            id: id.to_owned(),
            parent: parent.map(str::to_owned),
            kind: "step".to_owned(),
            name: "large".to_owned(),
            start_ms,
            ms,
            first_ms: None,
            tokens: None,
            cost: None,
            error: None,
        }
    }

    #[test]
    fn a_bar_shows_the_place_of_a_span_in_its_turn() {
        for (start, ms, spaces, marks) in [
            (0, Some(100), 0, 32),
            (50, Some(50), 16, 16),
            (100, Some(0), 31, 1),
            (75, None, 24, 8),
            (10, Some(1), 3, 1),
        ] {
            let shown = bar(start, ms, 100);
            let counted = (shown.matches(' ').count(), shown.chars().filter(|c| *c != ' ').count());
            assert_eq!(counted, (spaces, marks), "{start} {ms:?}: {shown}");
        }
    }

    #[test]
    fn spans_are_indented_by_their_depth_and_have_no_bar_without_a_start() {
        let spans = [
            span("turn", None, Some(0), Some(10)),
            span("step.1", Some("turn"), Some(5), None),
            span("step.1.answer", Some("step.1"), None, Some(3)),
        ];
        let lines = lines(&spans);
        assert!(lines[0].starts_with("step large") && lines[0].contains('█'), "{lines:?}");
        assert!(lines[1].starts_with("  step large") && lines[1].contains('▒'), "{lines:?}");
        assert!(lines[2].starts_with("    step large") && lines[2].ends_with("-        3"), "{lines:?}");
    }
}
