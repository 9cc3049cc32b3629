//! The commands that are not a conversation.

pub(crate) mod doctor;
mod grants;
pub(crate) mod init;
pub(crate) mod interactions;
pub(crate) mod keys;
pub(crate) mod launch;
#[cfg(target_os = "linux")]
mod launch_group;
pub(crate) mod mcp;
pub(crate) mod permissions;
pub(crate) mod print;
pub(crate) mod providers;
pub(crate) mod replay;
pub(crate) mod serve;
pub(crate) mod sessions;
pub(crate) mod turns;
pub(crate) mod usage;
pub(crate) mod wire;
