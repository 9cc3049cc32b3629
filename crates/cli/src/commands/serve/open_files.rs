//! The limit on open files. Every connection is an open file, and systems allow a process few of them by default.

/// Below this limit, a server runs out of open files before it reaches its other limits.
#[cfg(unix)]
const LOW_LIMIT: u64 = 4096;

/// Raises the limit to the allowed maximum. Returns a notice if that is still low.
#[cfg(unix)]
pub(super) fn raise() -> Option<String> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let before = getrlimit(Resource::Nofile);
    let wanted = Rlimit { current: before.maximum, maximum: before.maximum };
    // macOS rejects the maximum that it reports. The limit then stays as it was.
    let _ = setrlimit(Resource::Nofile, wanted);
    let now = getrlimit(Resource::Nofile);
    tracing::debug!(before = before.current, now = now.current, "limit of open files");
    let most = now.current.filter(|most| *most < LOW_LIMIT)?;
    Some(format!(
        "this process may have {most} files open, so about as many clients connect at once; `ulimit -n` raises it"
    ))
}

/// Does nothing: other systems have no such limit.
#[cfg(not(unix))]
pub(super) fn raise() -> Option<String> {
    None
}
