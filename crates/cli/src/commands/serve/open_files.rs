//! Every connection is an open file, and systems allow a process few of them unless it asks for more.

/// Below so many, a server meets the limit before its other ones.
#[cfg(unix)]
const FEW: u64 = 4096;

/// Asks for as many as this process may have. Gives what to say if that is not much.
#[cfg(unix)]
pub(super) fn raise() -> Option<String> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let before = getrlimit(Resource::Nofile);
    let wanted = Rlimit { current: before.maximum, maximum: before.maximum };
    // macOS refuses to set what it says is allowed; what there was stays.
    let _ = setrlimit(Resource::Nofile, wanted);
    let now = getrlimit(Resource::Nofile);
    tracing::debug!(before = before.current, now = now.current, "limit of open files");
    let most = now.current.filter(|most| *most < FEW)?;
    Some(format!(
        "this process may have {most} files open, so about as many clients connect at once; `ulimit -n` raises it"
    ))
}

/// Other systems have no such limit.
#[cfg(not(unix))]
pub(super) fn raise() -> Option<String> {
    None
}
