//! What is asked of the environment about calls that need approval.

use std::collections::HashSet;

use turnkit_core::{CallUid, Grant, GrantReach, Session, Subject};

/// A call that runs only if it is granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ungranted {
    pub(crate) uid: CallUid,
    pub(crate) tool: String,
    /// What the call touches.
    pub(crate) subject: Subject,
}

/// What is known about grants of calls that need approval.
#[derive(Debug)]
pub(crate) enum Granted {
    /// The grants by which the calls are judged again.
    By(Vec<Grant>),
    /// The calls that ran because they were granted, as it is recorded.
    Recorded(HashSet<CallUid>),
}

/// The grants that a host keeps with its session, as far as they are of this session.
pub(super) fn kept_in(session: &Session) -> Vec<Grant> {
    // A copy of a session under another id has what was granted always, and nothing else.
    let is_of_it = |grant: &&Grant| match grant.reach {
        GrantReach::Session(id) => id == session.id,
        GrantReach::Subject(_) => true,
    };
    session.grants.iter().filter(is_of_it).cloned().collect()
}
