//! A store for all data of an installation.

use super::{BlobStore, KeyStore, SessionStore, TurnStore};

/// Stores turns, workers, grants, sessions, keys and uploaded files in one place. Every type that implements these
/// ports is a `Store`.
///
/// Programs hold it as `Arc<dyn Store>`, which also coerces to `Arc<dyn TurnStore>` and `Arc<dyn SessionStore>`.
pub trait Store: TurnStore + SessionStore + KeyStore + BlobStore {}

impl<S: TurnStore + SessionStore + KeyStore + BlobStore + ?Sized> Store for S {}
