//! Another worker that takes turns over from an owner who lives and does not know, and then dies itself.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use tokio::runtime::Handle;
use turnkit_core::ports::{Broker, Clock as _, Store};
use turnkit_core::{Scope, StoreError, Sweep, Unfinished, WorkerId};
use turnkit_engine::SystemClock;

use super::pipes::say;
use crate::VirtualClock;
use crate::kill::protocol::Line;

/// How long a lease lasts where another worker takes turns over.
pub(super) const LEASE: Duration = Duration::from_secs(15);

/// What the other worker sees.
pub(super) struct Other {
    pub(super) store: Arc<dyn Store>,
    pub(super) worker: WorkerId,
    /// Moves only here, so that no lease ends before.
    pub(super) leases: Arc<VirtualClock>,
    /// The owner's, to see when it has let go.
    pub(super) broker: Arc<dyn Broker>,
    pub(super) runtime: Handle,
}

impl Other {
    /// Claims every turn that runs, while the owner of one of them stands where it is: on the thread of the runtime that
    /// calls this, which must not wait itself.
    pub(super) fn take_over(&self) {
        let taken = std::thread::scope(|scope| scope.spawn(|| self.runtime.block_on(self.claim_all())).join());
        if !matches!(taken, Ok(Ok(()))) {
            say(&Line::Failed { why: format!("the other worker failed: {taken:?}") });
        }
    }

    /// Lets the owner's lease run out while its own goes on, sweeps, and claims what has no owner then.
    async fn claim_all(&self) -> Result<(), StoreError> {
        let sweep = Sweep::by(self.worker.clone());
        for _ in 0..2 {
            self.leases.advance(LEASE / 2);
            self.store.renew(sweep.worker()).await?;
        }
        let mut claimed = Vec::new();
        for Unfinished { turn, .. } in self.store.sweep(&sweep).await?.suspects {
            claimed.extend(self.store.claim(&sweep, turn, SystemClock.now()).await?);
        }
        claimed.extend(self.store.claim_oldest(&sweep, usize::MAX, SystemClock.now()).await?.claimed);
        for claimed in claimed {
            let turn = claimed.claim.turn();
            let log = self.store.log(&Scope::local(), turn).await?;
            let seq = log.chunks.last().map_or(0, |chunk| chunk.to_seq);
            say(&Line::TakenOver { turn, fence: claimed.claim.fence().0, seq });
            let live = self.broker.turns().find(turn);
            self.runtime.spawn(async move {
                if let Some(live) = live {
                    live.tail(0).for_each(|_| std::future::ready(())).await;
                }
                say(&Line::LetGo { turn });
            });
        }
        Ok(())
    }
}
