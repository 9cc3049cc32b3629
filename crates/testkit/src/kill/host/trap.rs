//! Actions that are triggered when a point is passed.

use std::str::FromStr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::process::{Signal, getpid, kill_process};

/// One pass of a point, written `NAME:COUNT` and counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    /// The name of the point.
    pub name: String,
    /// Which pass of the point, counted from 1.
    pub count: u32,
}

/// An action that runs at one pass of one point.
pub(super) struct Trap {
    pass: Option<Pass>,
    passed: AtomicU32,
    spring: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

impl Trap {
    /// Creates a trap at `pass`. It does nothing until an action is set.
    pub(super) fn at(pass: Option<Pass>) -> Self {
        Self { pass, passed: AtomicU32::new(0), spring: OnceLock::new() }
    }

    /// Sets the action. Later calls have no effect.
    pub(super) fn set(&self, spring: impl Fn() + Send + Sync + 'static) {
        let _ = self.spring.set(Box::new(spring));
    }

    /// Records a pass of the point `name`, and runs the action if it is due.
    pub(super) fn pass(&self, name: &str) {
        let Some(pass) = self.pass.as_ref().filter(|pass| pass.name == name) else { return };
        if self.passed.fetch_add(1, Ordering::SeqCst) + 1 == pass.count
            && let Some(spring) = self.spring.get()
        {
            spring();
        }
    }
}

/// Ends this process as `kill -9` does: no destructor runs, nothing is flushed.
pub(super) fn die() {
    let _ = kill_process(getpid(), Signal::KILL);
    // The signal may reach another thread first, so this thread does nothing more.
    loop {
        std::thread::park();
    }
}

impl FromStr for Pass {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let pass = text.split_once(':').and_then(|(name, count)| Some((name.to_owned(), count.parse().ok()?)));
        let (name, count) = pass.ok_or_else(|| format!("{text:?}: expected NAME:COUNT"))?;
        Ok(Self { name, count })
    }
}

impl std::fmt::Display for Pass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.name, self.count)
    }
}
