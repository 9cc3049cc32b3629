//! The prompts at which a person decides a call.

use crate::approving::{QUESTION, asking, results};
use crate::prompt::Terminal;

#[tokio::test]
async fn the_prompts_after_the_letter_lead_back_to_the_question() {
    const WHY: &str = "why (the model reads it): ";
    let (upstream, place) = asking(&["first"]).await;
    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("one", QUESTION).await;
    for (letter, prompt, keys) in [
        ("e", "arguments: ", "\u{3}"),
        // Ctrl-D leaves an empty line only.
        ("e", "arguments: ", "\u{15}\u{4}"),
        ("d", WHY, "\u{3}"),
        ("d", WHY, "\u{4}"),
    ] {
        terminal.enter(letter, prompt).await;
        terminal.press(keys, QUESTION).await;
    }
    terminal.enter("a", "first").await;
    terminal.leave().await;
    assert_eq!(results(&upstream), ["42"]);
}

#[tokio::test]
async fn a_note_that_is_too_long_is_refused_at_the_prompt() {
    let (upstream, place) = asking(&["first"]).await;
    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("one", QUESTION).await;
    let note = "x".repeat(4097);
    terminal.enter(&format!("d {note}"), "a note has at most 4096 bytes, and this one has 4097: shorten it").await;
    terminal.enter("d not now", "first").await;
    terminal.leave().await;
    let results = results(&upstream);
    assert!(results.len() == 1 && results[0].contains("not now"), "{results:?}");
}
