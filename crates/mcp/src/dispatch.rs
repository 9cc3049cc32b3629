//! The progress of one request of a call, which its caller and the transport share.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::http_failure::HttpFailure;

const NEW: u8 = 0;
const WAITING: u8 = 1;
const SENT: u8 = 2;
const GIVEN_UP: u8 = 3;

/// The progress of one request. It counts as sent unless the transport is known to wait for an access token.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dispatch(Arc<AtomicU8>);

impl Dispatch {
    /// Records that the transport waits for an access token before it sends the request.
    pub(crate) fn wait(&self) {
        self.change(NEW, WAITING);
    }

    /// Records that the server has refused the access token, so that the transport waits for another one. The request
    /// did not run.
    pub(crate) fn wait_again(&self) {
        self.change(SENT, WAITING);
    }

    /// Records that the request is sent now.
    ///
    /// # Errors
    /// The caller has given the request up, so it must not be sent.
    pub(crate) fn send(&self) -> Result<(), HttpFailure> {
        match self.change(WAITING, SENT) || self.0.load(Ordering::SeqCst) != GIVEN_UP {
            true => Ok(()),
            false => Err(HttpFailure::GivenUp),
        }
    }

    /// Gives the request up. Returns whether it did not run and will not be sent.
    pub(crate) fn give_up(&self) -> bool {
        self.change(WAITING, GIVEN_UP)
    }

    fn change(&self, from: u8, to: u8) -> bool {
        self.0.compare_exchange(from, to, Ordering::SeqCst, Ordering::SeqCst).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_request_that_waits_for_a_token_can_be_given_up() {
        let dispatch = Dispatch::default();
        assert!(!dispatch.give_up(), "it may be on its way to a server without tokens");
        dispatch.wait();
        assert_eq!(dispatch.send(), Ok(()));
        assert!(!dispatch.give_up());
        dispatch.wait();
        assert!(!dispatch.give_up(), "it may have run already");
        dispatch.wait_again();
        assert!(dispatch.give_up());
        assert_eq!(dispatch.send(), Err(HttpFailure::GivenUp));
    }
}
