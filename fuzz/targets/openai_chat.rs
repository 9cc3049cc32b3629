#![no_main]
#![allow(dead_code, reason = "a target holds one of the laws")]

#[path = "../../crates/llm/tests/fuzz/by_the_book.rs"]
mod by_the_book;
#[path = "../../crates/llm/tests/fuzz/laws.rs"]
mod laws;

libfuzzer_sys::fuzz_target!(|input: &[u8]| laws::openai_chat(input));
