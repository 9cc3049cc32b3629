//! Authentication by the tokens of an identity provider.
//!
//! A token is a JSON Web Token that the identity provider signs with a private key. The server verifies it with the
//! public keys that the provider publishes, of which each is for one algorithm. Nothing in a token leads to a key,
//! except for the name of a published one.

mod claims;
mod discovery;
mod error;
mod header;
mod key;
mod key_set;

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use turnkit_core::ports::Clock;

pub(crate) use claims::Holder;
pub use discovery::KeySetError;
pub(crate) use error::TokenError;

use self::claims::Claims;
use self::discovery::KeyReader;
use self::header::UnverifiedToken;
use self::key::Keys;
use self::key_set::KeySet;
use super::secret::sha256;
use crate::jwt_settings::JwtSettings;

/// The largest number of tokens that are remembered.
const MAX_REMEMBERED: usize = 4096;

/// Verifies tokens. Each is verified once and then remembered, as long as the keys of the issuer are the same.
pub(crate) struct TokenVerifier {
    settings: JwtSettings,
    key_set: KeySet,
    clock: Arc<dyn Clock>,
    /// Verified tokens, by fingerprint.
    remembered: Mutex<LruCache<[u8; 32], Remembered>>,
}

struct Remembered {
    holder: Holder,
    /// The keys that verified the token. A token of a key that the issuer has withdrawn is not accepted any more.
    keys: Arc<Keys>,
}

impl TokenVerifier {
    pub(crate) fn new(settings: JwtSettings, clock: Arc<dyn Clock>) -> Self {
        let key_set = KeySet::new(KeyReader::new(&settings));
        let capacity = NonZeroUsize::new(MAX_REMEMBERED).unwrap_or(NonZeroUsize::MIN);
        Self { settings, key_set, clock, remembered: Mutex::new(LruCache::new(capacity)) }
    }

    /// Returns the holder of a valid token.
    pub(crate) async fn verify(&self, token: &[u8]) -> Result<Holder, TokenError> {
        let keys = match self.key_set.current().await {
            Ok(keys) => keys,
            // What cannot be a token is refused also while there are no keys.
            Err(error) => return UnverifiedToken::read(token).and(Err(error)),
        };
        let fingerprint = sha256(token);
        if let Some(holder) = self.remembered(&fingerprint, &keys) {
            return holder;
        }
        let token = UnverifiedToken::read(token)?;
        let keys = self.keys_for(&token, keys).await?;
        let key = keys.find(token.header.kid.as_deref()).ok_or(TokenError::UnknownKey)?;
        key.verify(&token)?;
        let holder = Claims::read(&token.payload)?.holder(&self.settings, self.clock.now())?;
        self.lock().put(fingerprint, Remembered { holder: holder.clone(), keys });
        Ok(holder)
    }

    /// Returns the keys with the one that the token names, which the issuer may have published a moment ago.
    async fn keys_for(&self, token: &UnverifiedToken<'_>, keys: Arc<Keys>) -> Result<Arc<Keys>, TokenError> {
        match keys.find(token.header.kid.as_deref()) {
            Some(_) => Ok(keys),
            None => self.key_set.newer_than(&keys).await.ok_or(TokenError::UnknownKey),
        }
    }

    /// Returns the holder of a token that was verified before with the same keys.
    fn remembered(&self, fingerprint: &[u8; 32], keys: &Arc<Keys>) -> Option<Result<Holder, TokenError>> {
        let mut remembered = self.lock();
        let known = remembered.get(fingerprint).filter(|known| Arc::ptr_eq(&known.keys, keys))?;
        if self.clock.now() < known.holder.accepted_until {
            return Some(Ok(known.holder.clone()));
        }
        remembered.pop(fingerprint);
        Some(Err(TokenError::Expired))
    }

    fn lock(&self) -> MutexGuard<'_, LruCache<[u8; 32], Remembered>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl JwtSettings {
    /// Reads the keys of the issuer and returns their number, to check the settings.
    ///
    /// # Errors
    /// The keys cannot be read.
    pub async fn count_keys(&self) -> Result<usize, KeySetError> {
        Ok(KeyReader::new(self).read().await?.len())
    }
}
