//! One store for everything an installation keeps.

use super::{BlobStore, KeyStore, SessionStore, TurnStore};

/// Keeps turns with their workers, sessions, keys and uploaded files in one place. Every type that implements the ports is one.
///
/// Programs hold it as `Arc<dyn Store>`, which is also an `Arc<dyn TurnStore>` and an `Arc<dyn SessionStore>`.
pub trait Store: TurnStore + SessionStore + KeyStore + BlobStore {}

impl<S: TurnStore + SessionStore + KeyStore + BlobStore + ?Sized> Store for S {}
