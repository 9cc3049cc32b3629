//! Another worker that takes turns over from an owner who lives and does not know, and then dies itself.

use std::sync::Arc;

use futures_util::StreamExt as _;
use tokio::runtime::Handle;
use turnkit_core::ports::{Broker, Clock as _, TurnStore};
use turnkit_core::{Scope, StoreError, Sweep, Unfinished, WorkerId};
use turnkit_engine::SystemClock;

use super::pipes::say;
use crate::kill::protocol::Line;

/// What the other worker sees.
pub(super) struct Other {
    pub(super) store: Arc<dyn TurnStore>,
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

    async fn claim_all(&self) -> Result<(), StoreError> {
        let sweep = Sweep::by(WorkerId("other".into()));
        for Unfinished { turn, .. } in self.store.unfinished(&sweep).await? {
            let Some(claimed) = self.store.claim(&sweep, turn, SystemClock.now()).await? else { continue };
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
