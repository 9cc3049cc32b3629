//! Counts of issued tokens, for those who want to see how many a client asks for.

use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

/// Counters since the start of the provider.
#[derive(Default)]
pub(crate) struct Statistics {
    pub(crate) client_credentials: Counter,
    pub(crate) token_exchange: Counter,
    pub(crate) logins: Counter,
    pub(crate) refused: Counter,
}

/// A number that only grows.
#[derive(Default)]
pub(crate) struct Counter(AtomicU64);

/// The counts at one time.
#[derive(Serialize)]
pub(crate) struct Counts {
    client_credentials: u64,
    token_exchange: u64,
    logins: u64,
    refused: u64,
}

impl Counter {
    pub(crate) fn count(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Statistics {
    pub(crate) fn counts(&self) -> Counts {
        Counts {
            client_credentials: self.client_credentials.get(),
            token_exchange: self.token_exchange.get(),
            logins: self.logins.get(),
            refused: self.refused.get(),
        }
    }
}
