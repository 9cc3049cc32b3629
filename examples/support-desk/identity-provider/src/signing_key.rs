//! A key that signs tokens.

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
use jsonwebtoken::jwk::{Jwk, PublicKeyUse, ThumbprintHash};
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};

use crate::claims::Claims;
use crate::key_failure::KeyFailure;

/// The algorithm of all keys.
pub(crate) const ALGORITHM: Algorithm = Algorithm::ES256;

/// The media type of access tokens (RFC 9068).
const TYPE: &str = "at+jwt";

/// A private key with its public one.
pub(crate) struct SigningKey {
    private: EncodingKey,
    public: Jwk,
}

impl SigningKey {
    /// Makes a new key. Its id is the hash of its public key, so no two keys have the same.
    pub(crate) fn generate() -> Result<Self, KeyFailure> {
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
        let document = document.map_err(|_| KeyFailure::Generate)?;
        let private = EncodingKey::from_ec_der(document.as_ref());
        let mut public = Jwk::from_encoding_key(&private, ALGORITHM)?;
        public.common.public_key_use = Some(PublicKeyUse::Signature);
        public.common.key_id = Some(public.thumbprint(ThumbprintHash::SHA256)?);
        Ok(Self { private, public })
    }

    /// Returns the public key.
    pub(crate) fn public(&self) -> &Jwk {
        &self.public
    }

    /// Returns the signed token with these claims.
    pub(crate) fn sign(&self, claims: &Claims) -> Result<String, KeyFailure> {
        let mut header = Header::new(ALGORITHM);
        header.typ = Some(TYPE.to_owned());
        header.kid.clone_from(&self.public.common.key_id);
        Ok(encode(&header, claims, &self.private)?)
    }
}
