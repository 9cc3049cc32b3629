//! Helpers for turns whose clients can be asked.

use turnkit_core::ports::WaitPage;
use turnkit_core::{SessionKey, TurnId, TurnState, Wait};
use turnkit_engine::Receipt;

use crate::support::{Host, ada, request};

impl Host {
    /// Starts a turn whose client can be asked.
    pub(crate) async fn can_be_asked(&self, text: &str) -> Receipt {
        let mut asked = request(SessionKey::New, text);
        asked.caps.interact = true;
        self.service.accept(&ada(), asked).await.unwrap()
    }

    /// Waits until the turn is waiting and has no owner, and returns its wait.
    pub(crate) async fn waits_for(&self, turn: TurnId) -> Wait {
        while self.record(turn).await.state != TurnState::Waiting {
            tokio::task::yield_now().await;
        }
        let mut pending = self.pending(turn).await;
        assert_eq!(pending.len(), 1);
        pending.remove(0)
    }

    pub(crate) async fn pending(&self, turn: TurnId) -> Vec<Wait> {
        let page = WaitPage { session: None, turn: Some(turn), below: false, pending: true, limit: 10, after: None };
        self.service.waits(&ada(), page).await.unwrap().waits
    }
}
