//! Wires: how requests and answers look to a provider. Pure data in, pure data out.

pub mod openai_chat;
