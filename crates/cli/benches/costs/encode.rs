//! Encodes a history that was sent before.

use std::hint::black_box;
use std::sync::Arc;

use turnkit_core::{ChatRequest, History, Message, Params, Part, Role, ToolChoice};
use turnkit_llm::profile::ModelProfile;
use turnkit_llm::wire::{Vendor, Wire};

use crate::Outcome;

const MESSAGES: usize = 100;

pub(crate) fn history(requests: usize) -> Outcome {
    let text = "All happy families are alike; each unhappy family is unhappy in its own way. ".repeat(6);
    let message = |index| {
        let role = if index % 2 == 0 { Role::User } else { Role::Assistant };
        Message::new(role, vec![Part::text(text.as_str())])
    };
    let request = ChatRequest {
        model: None,
        route: None,
        instructions: Some("Answer in one sentence.".into()),
        history: History::of((0..MESSAGES).map(message).collect::<Vec<_>>()),
        tools: Arc::new([]),
        params: Params::default(),
        tool_choice: ToolChoice::Auto,
    };
    let vendor = Vendor::of(Wire::OpenaiChat, "llm.example");
    for _ in 0..requests {
        black_box(Wire::OpenaiChat.encode(&request, "small", &ModelProfile::default(), &vendor));
    }
    Ok(())
}
