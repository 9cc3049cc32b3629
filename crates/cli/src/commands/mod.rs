//! The commands that are not a conversation.

pub(crate) mod init;
pub(crate) mod sessions;
pub(crate) mod version;
