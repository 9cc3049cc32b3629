//! Counts the bytes of text that the assembly of a request reads.

use turnkit_core::{ChatRequest, Entry, History, Message, Part, Role};

use crate::context::tokens::READ;
use crate::context::{ContextSettings, Fill, FitAction, TokenRatios, fit};

/// The bytes of a message.
const TEXT: usize = 400;
/// The bytes of the instructions, which are measured again for each request.
const INSTRUCTIONS: usize = 1_000;

fn message(place: usize) -> Message {
    let role = if place.is_multiple_of(2) { Role::User } else { Role::Assistant };
    Message::new(role, vec![Part::text("x".repeat(TEXT))])
}

/// Measures a request and decides whether it fits into `limit` tokens. Returns the bytes of text read, without the
/// instructions, and the decision.
fn assemble(request: &ChatRequest, limit: u64) -> (usize, Option<FitAction>) {
    READ.set(0);
    let fill = Fill::new(request, None, limit, &TokenRatios::default());
    let fit = fit(request, ContextSettings::default(), 1, None, Some(&fill), (true, true), false);
    (READ.get() - INSTRUCTIONS, fit)
}

#[test]
fn assembly_is_linear_in_the_size_of_the_request_and_reads_each_message_once() {
    for messages in [101, 201, 401, 801] {
        let instructions = Some("x".repeat(INSTRUCTIONS).into());
        let history = History::of((0..messages).map(message));
        let mut request = ChatRequest { instructions, history, ..ChatRequest::default() };
        assert_eq!(assemble(&request, u64::MAX), (messages * TEXT, None));
        request.history.push(Entry::new(message(messages)));
        request.history.push(Entry::new(message(messages + 1)));
        assert_eq!(assemble(&request, u64::MAX), (2 * TEXT, None));

        // A request that is too large is divided by the known sizes.
        let most = messages as u64 * 110;
        let (read, fit) = assemble(&request, most);
        assert!(read == 0 && matches!(fit, Some(FitAction::Summarise(_))), "{read} {fit:?}");

        // Messages that a summary covers are neither sent nor read.
        let summary = Message::of_summary(turnkit_core::Summary {
            text: "They talked.".to_owned(),
            covers: u32::try_from(messages - 1).unwrap(),
            ..Default::default()
        });
        let mut history = History::of((0..messages).map(message));
        history.push(Entry::new(summary));
        let (read, fit) = assemble(&ChatRequest { history, ..request }, u64::MAX);
        assert_eq!((read, fit), (TEXT + "They talked.".len(), None));
    }
}
