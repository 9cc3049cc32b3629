//! A check that a turn looks the same from its events and from its messages.

use turnkit_core::{EventKind, Mark, Message, PartKind, PartView, TurnEvent, TurnRecord, TurnView};

/// Compares the view of a turn's events, [without its log](TurnView::without_log), with the view of its record, without
/// an outline of the log, and its messages. A turn that has not ended is skipped.
///
/// # Errors
/// The views differ. The error contains both.
pub fn check_views<'a>(
    record: &TurnRecord,
    events: &[TurnEvent],
    messages: impl IntoIterator<Item = &'a Message>,
) -> Result<(), String> {
    let Some(EventKind::TurnEnded { text, .. }) = events.last().map(|event| &event.kind) else { return Ok(()) };
    let messages: Vec<&Message> = messages.into_iter().collect();
    let record = &TurnRecord { outline: None, ..record.clone() };
    let (mut of_events, mut of_messages) =
        (TurnView::of(events).without_log(), TurnView::of_messages(record, messages.iter().copied()));
    if text_of(&of_messages) != *text {
        return Err(format!("the turn ended with {text:?}, its messages are {of_messages:?}"));
    }
    let has_more = of_messages.steps.len() > of_events.steps.len();
    if (has_more || is_withdrawn(events)) && messages.last().is_some_and(|last| last.mark == Some(Mark::Interrupted)) {
        // The last message may be an answer that was withdrawn or lost with its process, and was kept because no other
        // answer followed. Its events no longer count, or are gone.
        let same = |(one, other): &(&PartView, &PartView)| (one.id, &one.text) == (other.id, &other.text);
        let count = of_events.parts.iter().zip(&of_messages.parts).take_while(same).count();
        for view in [&mut of_events, &mut of_messages] {
            view.parts.truncate(count);
            view.steps.retain(|step| view.parts.iter().any(|part| part.id.step == step.step));
        }
    }
    if of_events == of_messages {
        return Ok(());
    }
    Err(format!("its events make {of_events:#?}, its messages make {of_messages:#?}"))
}

fn is_withdrawn(events: &[TurnEvent]) -> bool {
    events.iter().any(|event| matches!(event.kind, EventKind::Retracted { .. }))
}

fn text_of(view: &TurnView) -> String {
    let texts = view.parts.iter().filter(|part| part.kind == PartKind::Text);
    texts.map(|part| part.text.as_str()).collect()
}
