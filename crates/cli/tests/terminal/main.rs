//! The binary as a user runs it.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a failed expectation is how a test speaks")]

mod abandoned;
mod accounting;
mod added_tools;
mod approving;
mod changed_files;
mod chat;
mod configuration;
mod contracts;
mod data;
mod decided_questions;
mod doctor;
mod exchanges;
mod failing_over;
#[cfg(target_os = "linux")]
mod full_disk;
mod injected;
mod instructions;
mod keys;
mod mcp;
mod mcp_commands;
mod mcp_servers;
mod modes;
mod params;
mod permissions;
mod progress;
mod prompt;
mod proxied;
mod question_prompts;
mod readme;
mod recording;
mod reopening;
mod routed;
#[cfg(target_os = "linux")]
mod sandbox;
mod serve;
mod served;
mod sessions;
mod support;
mod support_desk;
mod support_desk_users;
mod token_scan;
mod tools_off;
mod transfer;
mod two_providers;
mod usage;
mod wires;
