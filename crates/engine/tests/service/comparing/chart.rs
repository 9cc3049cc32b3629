//! Renders the measurements as a chart.

use super::sent::HistogramSnapshot;

/// Draws the sent tokens in millions as a Mermaid chart, with the tokens that a prompt cache does not serve in front.
pub(super) fn chart(rows: &[(String, HistogramSnapshot)]) -> String {
    let names: Vec<String> = rows.iter().map(|(name, _)| format!("\"{}\"", name.replace('`', ""))).collect();
    let bars = |tokens: fn(&HistogramSnapshot) -> u64| {
        let millions = rows.iter().map(|(_, measured)| format!("{:.2}", tokens(measured) as f64 / 1e6));
        millions.collect::<Vec<_>>().join(", ")
    };
    format!(
        "```mermaid\nxychart-beta horizontal\n    title \"Tokens sent, and those of them that no prompt cache serves\"\n    \
         x-axis [{}]\n    y-axis \"million tokens\"\n    bar [{}]\n    bar [{}]\n```",
        names.join(", "),
        bars(|measured| measured.sent),
        bars(|measured| measured.sent - measured.served)
    )
}

#[test]
fn the_chart_has_a_bar_for_each_row_and_one_in_front_of_it() {
    let measured = |sent, served| HistogramSnapshot { requests: 1, sent, served, largest: 1 };
    let rows = [("all".to_owned(), measured(77_450_000, 77_150_000)), ("`trim`".to_owned(), measured(1_500_000, 0))];
    let drawn = chart(&rows);
    for line in [r#"x-axis ["all", "trim"]"#, "bar [77.45, 1.50]", "bar [0.30, 1.50]"] {
        assert!(drawn.contains(line), "{drawn}");
    }
}
