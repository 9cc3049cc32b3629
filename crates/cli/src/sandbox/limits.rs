//! The resource limits of a process in the sandbox, and the root capabilities that it drops.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

/// The limit on processes and threads of the user, including those outside the sandbox. It stops a fork bomb. The
/// kernel does not apply the limit to root.
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
