//! A gate that holds a script until the test opens it.

use std::sync::Arc;

use tokio::sync::watch;

/// A gate that is closed at first and stays open once opened. Clones share the gate. It turns a race into a sequence:
/// the test waits until the other side has reached the gate, acts, and then opens it.
///
/// ```
/// # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
/// use turnkit_scripted::Gate;
///
/// let gate = Gate::new();
/// let test = async {
///     gate.reached().await;
///     gate.open();
/// };
/// tokio::join!(gate.pass(), test);
/// # });
/// ```
#[derive(Debug, Clone)]
pub struct Gate(Arc<State>);

#[derive(Debug)]
struct State {
    open: watch::Sender<bool>,
    reached: watch::Sender<bool>,
}

impl Gate {
    /// Creates a closed gate.
    pub fn new() -> Self {
        Self(Arc::new(State { open: watch::Sender::new(false), reached: watch::Sender::new(false) }))
    }

    /// Opens the gate for all current and future waiters.
    pub fn open(&self) {
        self.0.open.send_replace(true);
    }

    /// Waits until the gate is open.
    pub async fn pass(&self) {
        self.0.reached.send_replace(true);
        until(&self.0.open).await;
    }

    /// Waits until a task has reached the gate.
    pub async fn reached(&self) {
        until(&self.0.reached).await;
    }
}

impl Default for Gate {
    fn default() -> Self {
        Self::new()
    }
}

async fn until(flag: &watch::Sender<bool>) {
    // The sender is borrowed here, so the channel cannot close.
    let _ = flag.subscribe().wait_for(|set| *set).await;
}
