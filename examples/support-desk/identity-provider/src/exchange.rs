//! Token exchange (RFC 8693): a client that has the token of a user gets one for other servers.

use jsonwebtoken::{DecodingKey, Validation, decode, decode_header};

use crate::claims::Claims;
use crate::error::OAuthError;
use crate::form::Form;
use crate::issuer::Issuer;
use crate::signing_key::ALGORITHM;

/// The grant type of a token exchange.
pub(crate) const GRANT: &str = "urn:ietf:params:oauth:grant-type:token-exchange";

/// The type of the tokens that are exchanged and issued.
pub(crate) const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";

/// Another name for it, because the tokens are JWTs.
const JWT: &str = "urn:ietf:params:oauth:token-type:jwt";

/// Returns the claims of the token to exchange: a valid token of this provider, for any audience.
pub(crate) fn subject_token(issuer: &Issuer, form: &Form) -> Result<Claims, OAuthError> {
    let kind = form.required("subject_token_type")?;
    if ![ACCESS_TOKEN, JWT].contains(&kind) {
        return Err(OAuthError::InvalidRequest(format!("the subject_token_type is not {ACCESS_TOKEN}")));
    }
    if let Some(wanted) = form.one("requested_token_type")?.filter(|wanted| ![ACCESS_TOKEN, JWT].contains(wanted)) {
        return Err(OAuthError::InvalidRequest(format!("a token of the type {wanted} cannot be issued")));
    }
    let token = form.required("subject_token")?;
    verified(issuer, token).ok_or_else(|| {
        OAuthError::InvalidGrant("the subject_token has expired, or is not a token of this provider".to_owned())
    })
}

fn verified(issuer: &Issuer, token: &str) -> Option<Claims> {
    let id = decode_header(token).ok()?.kid?;
    let keys = issuer.keys.public((issuer.clock)());
    let key = DecodingKey::from_jwk(keys.find(&id)?).ok()?;
    let mut validation = Validation::new(ALGORITHM);
    validation.leeway = 0;
    validation.validate_aud = false;
    validation.set_issuer(&[&issuer.url]);
    validation.set_required_spec_claims(&["exp", "iss", "sub"]);
    decode::<Claims>(token, &key, &validation).ok().map(|token| token.claims)
}
