//! A store for all data of an installation.

use super::{BlobStore, KeyStore, PinStore, SessionStore, TurnStore};

/// Stores turns, workers, grants, sessions, keys, uploaded files and accepted definitions of tools in one place. Every
/// type that implements these ports is a `Store`.
///
/// Programs hold it as `Arc<dyn Store>`, which also coerces to `Arc<dyn TurnStore>` and `Arc<dyn SessionStore>`.
pub trait Store: TurnStore + SessionStore + KeyStore + BlobStore + PinStore {}

impl<S: TurnStore + SessionStore + KeyStore + BlobStore + PinStore + ?Sized> Store for S {}
