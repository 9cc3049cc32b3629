//! Queries to the environment about grants for calls that need approval.

use std::collections::HashSet;

use turnkit_core::{CallUid, Grant, GrantCoverage, Session, Subject};

/// A call that runs only if it is granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ungranted {
    pub(crate) uid: CallUid,
    pub(crate) tool: String,
    /// The subject that the call accesses.
    pub(crate) subject: Subject,
}

/// The grants for calls that need approval.
#[derive(Debug)]
pub(crate) enum Granted {
    /// The grants with which the calls are judged again.
    By(Vec<Grant>),
    /// The calls that ran because they were granted, as recorded.
    Recorded(HashSet<CallUid>),
}

/// Returns the grants that a host keeps with its session, as far as they apply to this session.
pub(super) fn kept_in(session: &Session) -> Vec<Grant> {
    // A copy of a session under another id has only the permanent grants.
    let is_of_it = |grant: &&Grant| match grant.coverage {
        GrantCoverage::Session(id) => id == session.id,
        GrantCoverage::Subject(_) => true,
    };
    session.grants.iter().filter(is_of_it).cloned().collect()
}
