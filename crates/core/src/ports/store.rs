//! One store for everything an installation keeps.

use super::{KeyStore, SessionStore, TurnStore};

/// Keeps turns with their workers, sessions and keys in one database. Every type that implements the ports is one.
///
/// Programs hold it as `Arc<dyn Store>`, which is also an `Arc<dyn TurnStore>` and an `Arc<dyn SessionStore>`.
pub trait Store: TurnStore + SessionStore + KeyStore {}

impl<S: TurnStore + SessionStore + KeyStore + ?Sized> Store for S {}
