//! The check of access tokens.

use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::jwk::Jwk;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};

use crate::caller::Caller;
use crate::keys::{KeyError, KeySet};

/// The tolerated difference between the clocks of the issuer and of this server, in seconds.
const CLOCK_TOLERANCE: u64 = 5;

/// The claims without which a token is refused.
const REQUIRED: [&str; 5] = ["aud", "exp", "iss", "nbf", "sub"];

/// Accepts access tokens of one issuer for one audience.
pub struct TokenVerifier {
    keys: KeySet,
    audiences: Vec<String>,
}

/// The reason why a request is refused.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The request has no token.
    #[error("the request has no token: send `authorization: Bearer TOKEN`")]
    Missing,
    /// The text is no signed JWT with a key id.
    #[error("the token is not a JWT that is signed by a key with an id")]
    Malformed,
    /// The key of the token is not available.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// The key of the token is for another algorithm, or for encryption.
    #[error("the key of the token does not sign with ES256 or RS256")]
    Algorithm,
    /// The signature or a claim is wrong.
    #[error("the token is refused: {0}")]
    Refused(&'static str),
}

impl TokenVerifier {
    /// Creates a verifier of tokens that are for any of these audiences: the names of the server itself.
    pub fn new(keys: KeySet, audiences: Vec<String>) -> Self {
        Self { keys, audiences }
    }

    /// Checks the signature, the issuer, the audience and the period of validity of a token.
    pub async fn verify(&self, token: &str) -> Result<Caller, TokenError> {
        // The key decides about the algorithm. The header is only a hint, which a forger writes.
        let header = decode_header(token).map_err(|_| TokenError::Malformed)?;
        let id = header.kid.ok_or(TokenError::Malformed)?;
        let key = self.keys.find(&id).await?;
        let algorithm = algorithm(&key)?;
        let key = DecodingKey::from_jwk(&key).map_err(|_| TokenError::Algorithm)?;
        let token = decode::<Caller>(token, &key, &self.validation(algorithm)).map_err(|error| refused(&error))?;
        Ok(token.claims)
    }

    fn validation(&self, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.leeway = CLOCK_TOLERANCE;
        validation.validate_nbf = true;
        validation.set_required_spec_claims(&REQUIRED);
        validation.set_issuer(&[self.keys.issuer()]);
        validation.set_audience(&self.audiences);
        validation
    }
}

/// Returns the one algorithm of a key. Keys for signatures with a shared secret are refused, because the secret would
/// be public.
fn algorithm(key: &Jwk) -> Result<Algorithm, TokenError> {
    let named = key.common.key_algorithm.and_then(|algorithm| Algorithm::try_from(algorithm).ok());
    named.filter(|algorithm| matches!(algorithm, Algorithm::ES256 | Algorithm::RS256)).ok_or(TokenError::Algorithm)
}

fn refused(error: &Error) -> TokenError {
    TokenError::Refused(match error.kind() {
        ErrorKind::ExpiredSignature => "it has expired",
        ErrorKind::ImmatureSignature => "it is not valid yet",
        ErrorKind::InvalidAudience => "it is for another audience",
        ErrorKind::InvalidIssuer => "it is of another issuer",
        ErrorKind::InvalidSignature => "its signature is wrong",
        ErrorKind::InvalidAlgorithm => "its algorithm is not that of its key",
        ErrorKind::MissingRequiredClaim(_) => "it lacks one of the claims aud, exp, iss, nbf and sub",
        _ => "its content is not that of an access token",
    })
}
