//! A second worker, which takes turns over from an owner that is alive and unaware of it, and then dies itself.

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use tokio::runtime::Handle;
use turnkit_core::ports::{Broker, Clock as _, Store};
use turnkit_core::{OrphanedTurn, Scope, StoreError, Sweep, WorkerId};
use turnkit_engine::SystemClock;

use super::pipes::print_line;
use crate::VirtualClock;
use crate::kill::protocol::Line;

/// The length of leases in trials with a takeover.
pub(super) const LEASE: Duration = Duration::from_secs(15);

/// The second worker, with everything it needs to take turns over.
pub(super) struct Other {
    pub(super) store: Arc<dyn Store>,
    pub(super) worker: WorkerId,
    /// The clock of the leases. Only this worker advances it, so that no lease expires earlier.
    pub(super) leases: Arc<VirtualClock>,
    /// The owner's broker, to see when the owner has stopped running its turns.
    pub(super) broker: Arc<dyn Broker>,
    pub(super) runtime: Handle,
}

impl Other {
    /// Claims every running turn while the owner of one of them is blocked at the calling point. The claims run on a
    /// separate thread, because the caller is a runtime thread and must not block on the runtime itself.
    pub(super) fn take_over(&self) {
        let taken = std::thread::scope(|scope| scope.spawn(|| self.runtime.block_on(self.claim_all())).join());
        if !matches!(taken, Ok(Ok(()))) {
            print_line(&Line::Failed { why: format!("the other worker failed: {taken:?}") });
        }
    }

    /// Lets the owner's lease expire while renewing its own, sweeps, and claims the turns left without an owner.
    async fn claim_all(&self) -> Result<(), StoreError> {
        let sweep = Sweep::new(self.worker.clone());
        for _ in 0..2 {
            self.leases.advance(LEASE / 2);
            self.store.renew(sweep.worker()).await?;
        }
        let mut claimed = Vec::new();
        for OrphanedTurn { turn, .. } in self.store.sweep(&sweep).await?.suspects {
            claimed.extend(self.store.claim(&sweep, turn, SystemClock.now()).await?);
        }
        claimed.extend(self.store.claim_oldest(&sweep, usize::MAX, SystemClock.now()).await?.claimed);
        for claimed in claimed {
            let turn = claimed.claim.turn();
            let log = self.store.log(&Scope::local(), turn).await?;
            let seq = log.chunks.last().map_or(0, |chunk| chunk.to_seq);
            print_line(&Line::TakenOver { turn, fence: claimed.claim.fence().0, seq });
            let live = self.broker.turns().find(turn);
            self.runtime.spawn(async move {
                if let Some(live) = live {
                    live.tail(0).for_each(|_| std::future::ready(())).await;
                }
                print_line(&Line::Released { turn });
            });
        }
        Ok(())
    }
}
