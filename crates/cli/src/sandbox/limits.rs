//! What a process in the sandbox may use up, and the rights of root that it gives up.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

/// How many processes and threads the user may have, all others of the same user included. It stops a program that starts itself
/// again and again. The kernel does not apply it to root.
const PROCESSES: u64 = 4_096;

pub(super) fn set() -> Result<(), String> {
    lower(Resource::Nproc, PROCESSES)?;
    lower(Resource::Core, 0)?;
    let none = CapabilitySet::empty();
    let none = CapabilitySets { effective: none, permitted: none, inheritable: none };
    set_capabilities(None, none).map_err(|error| format!("the rights of root cannot be given up: {error}"))
}

fn lower(resource: Resource, limit: u64) -> Result<(), String> {
    let limit = getrlimit(resource).maximum.map_or(limit, |maximum| maximum.min(limit));
    let set = setrlimit(resource, Rlimit { current: Some(limit), maximum: Some(limit) });
    set.map_err(|error| format!("a limit cannot be set: {error}"))
}
